import type { IncomingMessage, ServerResponse } from "node:http";
import type { PublishedEndpoint } from "../../../core/contract/catalogue.ts";
import { hasOwnLimitBody } from "../../../core/contract/too-many.ts";
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

/** The shape of errors of a group of endpoints; in Document 1's groups 429 has a body of its own. */
type GroupShape = "error" | "success" | "document-1" | "document-1-success";

/** How the errors of this endpoint are told. */
export function errorShapeOf({ path, contract: { returns } }: PublishedEndpoint): GroupShape {
  if (!hasOwnLimitBody(path)) return returns.errors;
  return returns.errors === "success" ? "document-1-success" : "document-1";
}

/** The format of errors: that of a group of endpoints, or a page's own. */
export type ErrorShape =
  | GroupShape
  | { contentType: string; bodyOf(problem: Problem, requestId: string): Record<string, unknown> };

function bodyOf(problem: Problem, requestId: string, shape: GroupShape): Record<string, unknown> {
  const { code: status, type: code, message, data } = problem;
  const { details, headers } = data ?? {};
  if (status === 429 && shape.startsWith("document-1"))
    return { success: false, error: "Rate limit exceeded", retryAfter: Number(headers?.["Retry-After"] ?? 1) };
  return shape.endsWith("success")
    ? { success: false, error: message, code, requestId, details }
    : { error: { code, message, details, requestId } };
}

/** Sends an error in the format of the endpoint's group, or the page's own. */
export function sendRefusal(
  req: IncomingMessage,
  res: ServerResponse,
  error: unknown,
  requestId: string,
  shape: ErrorShape = "error",
): Problem {
  const problem = problemOf(error);
  const headers: Headers = { ...problem.data?.headers };
  if (res.headersSent) {
    res.destroy();
    return problem;
  }
  const isOwn = typeof shape === "object";
  const body = JSON.stringify(isOwn ? shape.bodyOf(problem, requestId) : bodyOf(problem, requestId, shape));
  // A body that was not read to its end must not be taken for the next request.
  if (isUnread(req)) headers["Connection"] = "close";
  res.writeHead(problem.code, {
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
