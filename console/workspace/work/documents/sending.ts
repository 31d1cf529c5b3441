import { addressOf, Refusal, type Answer, type Op } from "../../../api/client.ts";

/** Sends a form with a file. `fetch` does not tell how much has gone out, XMLHttpRequest does. Throws as `ask` does. */
export function send<O extends Op>(
  op: O,
  path: Record<string, string>,
  form: FormData,
  { onProgress, signal }: { onProgress(part: number): void; signal: AbortSignal },
): Promise<Answer<O>> {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    request.open("POST", addressOf(op, { path }));
    request.responseType = "json";
    request.upload.addEventListener("progress", ({ loaded, total }) => onProgress(total ? loaded / total : 0));
    request.addEventListener("load", () =>
      request.status < 300
        ? resolve(request.response as Answer<O>)
        : reject(
            new Refusal(
              request.status,
              (request.response as { error?: { message?: string } } | null)?.error,
              request.getResponseHeader("retry-after"),
            ),
          ),
    );
    request.addEventListener("error", () => reject(new TypeError("The platform cannot be reached.")));
    request.addEventListener("abort", () => reject(new Error("It was stopped.")));
    signal.addEventListener("abort", () => request.abort());
    request.send(form);
  });
}
