import type { IncomingMessage, ServerResponse } from "node:http";
import { isProblem, Problem } from "../../../core/problem.ts";
import { withRoles } from "../lacking.ts";
import { baseHeaders, JSON_TYPE, notedHeaders, type Headers } from "./respond.ts";

/** Moleculer's own errors in our words; anything unknown becomes a 500 that reveals nothing. */
export function problemOf(error: unknown): Problem {
  if (isProblem(error)) return withRoles(error);
  const { name, code } = (error ?? {}) as { name?: string; code?: number };
  switch (name) {
    case "RequestTimeoutError":
      return new Problem(504, "TIMEOUT", "The answer took too long.");
    case "QueueIsFullError":
      return new Problem(503, "OVERLOADED", "Too many requests are waiting.", { headers: { "Retry-After": "1" } });
    case "ServiceNotFoundError":
    case "ServiceNotAvailableError":
    case "BrokerDisconnectedError":
    case "RequestRejectedError":
    case "NotDelivered":
    case "GracefulStopTimeoutError":
      return new Problem(503, "OVERLOADED", "This part of the platform cannot be reached at the moment.", {
        headers: { "Retry-After": "2" },
      });
    default:
      return new Problem(
        500,
        "INTERNAL",
        "An internal error occurred.",
        code === 429 ? { headers: { "Retry-After": "1" } } : {},
      );
  }
}

/** Whether the body of a request was not read to its end: then no request can follow on its connection. */
export const isUnread = ({ complete, method }: IncomingMessage): boolean =>
  !complete && method !== "GET" && method !== "HEAD";

/** The format of errors: that of a group of endpoints, or a page's own. */
export type ErrorShape =
  | "error"
  | "success"
  | { contentType: string; bodyOf(problem: Problem, requestId: string): Record<string, unknown> };

/** Sends an error in the format of the endpoint's group; Document 1 prescribes 429 word for word. */
export function sendRefusal(
  req: IncomingMessage,
  res: ServerResponse,
  error: unknown,
  requestId: string,
  shape: ErrorShape = "error",
): Problem {
  const problem = problemOf(error);
  const { code: status, type: code, message } = problem;
  const { details, headers: own } = problem.data ?? {};
  const headers: Headers = { ...own };
  if (res.headersSent) {
    res.destroy();
    return problem;
  }
  const isOwn = typeof shape === "object";
  const body = JSON.stringify(
    isOwn
      ? shape.bodyOf(problem, requestId)
      : status === 429
        ? { success: false, error: "Rate limit exceeded", retryAfter: Number(headers["Retry-After"] ?? 1) }
        : shape === "success"
          ? { success: false, error: message, code, requestId, details }
          : { error: { code, message, details, requestId } },
  );
  // The unread rest of a body must not be taken for the next request.
  if (isUnread(req)) headers["Connection"] = "close";
  res.writeHead(status, {
    ...baseHeaders(requestId),
    ...notedHeaders(res),
    ...headers,
    "Content-Type": isOwn ? shape.contentType : JSON_TYPE,
    "Content-Length": Buffer.byteLength(body),
    "Cache-Control": "no-store",
  });
  res.end(req.method === "HEAD" ? undefined : body);
  return problem;
}
