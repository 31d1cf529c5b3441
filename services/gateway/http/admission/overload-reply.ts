import type { IncomingMessage, ServerResponse } from "node:http";
import { newRequestId } from "../../../../core/ids.ts";
import { checkFraming } from "../framing.ts";
import type { Router } from "../router.ts";

const RETRY_AFTER_SECONDS = 1;
/** A longer rest of a body is not read only to be discarded. */
const LARGEST_SKIPPED = 16_384;
const MESSAGE = "More is asked at the moment than can be answered in time; please ask again.";

/** The target of a request, where it is certain; undefined leaves the answer to the usual way. */
export function requestTarget<T>(router: Router<T>, req: IncomingMessage): T | undefined {
  try {
    checkFraming(req);
    const at = req.url!.indexOf("?");
    return router.find(req.method === "HEAD" ? "GET" : req.method!, at < 0 ? req.url! : req.url!.slice(0, at))?.value;
  } catch {
    return undefined;
  }
}

/** Answers 503 with Retry-After as cheaply as Node can: a refusal must cost far less than the work it saves. */
export function refuseOverload(
  req: IncomingMessage,
  res: ServerResponse,
  shape: "error" | "success",
  draining: boolean,
): void {
  const requestId = newRequestId();
  const body =
    shape === "success"
      ? `{"success":false,"error":"${MESSAGE}","code":"OVERLOADED","requestId":"${requestId}"}`
      : `{"error":{"code":"OVERLOADED","message":"${MESSAGE}","requestId":"${requestId}"}}`;
  const headers = [
    "X-Request-Id",
    requestId,
    "Retry-After",
    String(RETRY_AFTER_SECONDS),
    "Content-Type",
    "application/json; charset=utf-8",
    "Content-Length",
    String(body.length),
    "Cache-Control",
    "no-store",
    "X-Content-Type-Options",
    "nosniff",
  ];
  if (draining || isLong(req)) headers.push("Connection", "close");
  res.writeHead(503, headers).end(req.method === "HEAD" ? undefined : body, "latin1");
}

/** Whether the rest of a request is not read: its connection closes after the answer. */
export const isLong = ({ headers }: IncomingMessage): boolean =>
  headers["transfer-encoding"] !== undefined || Number(headers["content-length"] ?? 0) > LARGEST_SKIPPED;
