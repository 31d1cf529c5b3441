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

/** The format of errors: that of a group of endpoints, or a page's own. */
export interface ErrorShape {
  contentType: string;
  bodyOf(problem: Problem, requestId: string): Record<string, unknown>;
}

const inJson = (bodyOf: ErrorShape["bodyOf"]): ErrorShape => ({ contentType: JSON_TYPE, bodyOf });

/** The two forms in which contracts tell errors. */
const SHAPES = {
  error: inJson(({ type: code, message, data }, requestId) => ({
    error: { code, message, details: data?.details, requestId },
  })),
  success: inJson(({ type: code, message, data }, requestId) => ({
    success: false,
    error: message,
    code,
    requestId,
    details: data?.details,
  })),
};

/** Document 1 gives its 429 to the letter. */
const withOwnLimitBody = ({ bodyOf }: ErrorShape): ErrorShape =>
  inJson((problem, requestId) =>
    problem.code === 429
      ? {
          success: false,
          error: "Rate limit exceeded",
          retryAfter: Number(problem.data?.headers?.["Retry-After"] ?? 1),
        }
      : bodyOf(problem, requestId),
  );

/** The format of this endpoint's errors. */
export function errorShapeOf({ path, contract: { returns } }: PublishedEndpoint): ErrorShape {
  const shape = SHAPES[returns.errors];
  return hasOwnLimitBody(path) ? withOwnLimitBody(shape) : shape;
}

/** Where no endpoint is known yet. */
export const USUAL_ERRORS: ErrorShape = SHAPES.error;

/** Sends an error in the format of the endpoint's group, or the page's own. */
export function sendRefusal(
  req: IncomingMessage,
  res: ServerResponse,
  error: unknown,
  requestId: string,
  { contentType, bodyOf }: ErrorShape = USUAL_ERRORS,
): Problem {
  const problem = problemOf(error);
  const headers: Headers = { ...problem.data?.headers };
  if (res.headersSent) {
    res.destroy();
    return problem;
  }
  const body = JSON.stringify(bodyOf(problem, requestId));
  // A body that was not read to its end must not be taken for the next request.
  if (isUnread(req)) headers["Connection"] = "close";
  res.writeHead(problem.code, {
    ...baseHeaders(requestId),
    ...notedHeaders(res),
    ...headers,
    "Content-Type": contentType,
    "Content-Length": Buffer.byteLength(body),
    "Cache-Control": "no-store",
  });
  res.end(req.method === "HEAD" ? undefined : body);
  return problem;
}
