import { LlmError } from "../errors.ts";
import { aborted } from "./call-queue.ts";

export interface Deadline {
  signal: AbortSignal;
  /** Why the signal aborted; undefined where it did not. */
  verdict(): LlmError | undefined;
  stop(): void;
}

/** A signal that aborts after `ms` or with the caller's, and remembers which it was. */
export function deadline(ms: number, caller: AbortSignal | undefined): Deadline {
  const controller = new AbortController();
  let late = false;
  const leave = () => controller.abort();
  const timer = setTimeout(() => {
    late = true;
    controller.abort();
  }, ms);
  if (caller?.aborted) leave();
  caller?.addEventListener("abort", leave, { once: true });
  return {
    signal: controller.signal,
    verdict() {
      if (caller?.aborted) return aborted();
      return late ? new LlmError("timeout", `The model did not answer within ${ms} ms.`) : undefined;
    },
    stop() {
      clearTimeout(timer);
      caller?.removeEventListener("abort", leave);
    },
  };
}

/**
 * Stops waiting when the signal aborts. A later failure of the work is handled, so that it does not crash the process.
 */
export function unlessAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const leave = () => reject(aborted());
    if (signal.aborted) leave();
    signal.addEventListener("abort", leave, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener("abort", leave));
  });
}
