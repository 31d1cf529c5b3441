import { request } from "node:http";
import type { Aim } from "./port.ts";

/** An HTTP server's description of itself. */
export interface HttpGreeting {
  status: number;
  server?: string;
  body: string;
}

/**
 * Sends a GET to exactly this address, and does not follow redirects: they lead to unlisted addresses. Reads at most
 * `most` bytes; null where no HTTP server answers in time.
 */
export function lookOverHttp({ address, port, host, timeoutMs, path = "/" }: Aim, most: number, signal: AbortSignal) {
  return new Promise<HttpGreeting | null>((resolve) => {
    const literal = address.includes(":") ? `[${address}]` : address;
    const req = request(
      {
        ...{ host: address, port, path, method: "GET", agent: false, timeout: timeoutMs },
        signal: AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]),
        headers: { host: `${host ?? literal}:${port}`, accept: "*/*", connection: "close" },
      },
      (res) => {
        const parts: Buffer[] = [];
        let bytes = 0;
        const done = (): void => {
          const server = String(res.headers["server"] ?? "");
          resolve({
            status: res.statusCode ?? 0,
            ...(server && { server }),
            body: Buffer.concat(parts).toString("utf8"),
          });
          res.destroy();
        };
        res.on("data", (part: Buffer) => {
          parts.push(part.subarray(0, most - bytes));
          bytes += part.length;
          if (bytes >= most) done();
        });
        res.on("end", done);
        res.on("error", () => resolve(null));
      },
    );
    req.on("timeout", () => req.destroy());
    req.on("error", () => resolve(null));
    req.end();
  });
}
