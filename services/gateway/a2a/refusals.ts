import { isDetail, Problem } from "../../../core/problem.ts";
import { upTo } from "../../../core/text/cutting.ts";

/** Media type of the binding HTTP+JSON (A2A 1.0, 14.1.1). */
export const A2A_TYPE = "application/a2a+json";
const INFO = "type.googleapis.com/google.rpc.ErrorInfo";
const FIELDS = "type.googleapis.com/google.rpc.BadRequest";
const REQUEST = "type.googleapis.com/google.rpc.RequestInfo";

/** The protocol's own errors that we use, with their statuses (5.4). */
const OWN = {
  TASK_NOT_FOUND: [404, "NOT_FOUND"],
  TASK_NOT_CANCELABLE: [400, "FAILED_PRECONDITION"],
  PUSH_NOTIFICATION_NOT_SUPPORTED: [400, "FAILED_PRECONDITION"],
  UNSUPPORTED_OPERATION: [400, "FAILED_PRECONDITION"],
  CONTENT_TYPE_NOT_SUPPORTED: [400, "INVALID_ARGUMENT"],
  VERSION_NOT_SUPPORTED: [400, "FAILED_PRECONDITION"],
} as const;
type Own = keyof typeof OWN;

/** Names of google.rpc.Code, by HTTP status. */
const CODES: Readonly<Record<number, string>> = {
  400: "INVALID_ARGUMENT",
  401: "UNAUTHENTICATED",
  403: "PERMISSION_DENIED",
  404: "NOT_FOUND",
  405: "UNIMPLEMENTED",
  409: "ABORTED",
  413: "INVALID_ARGUMENT",
  415: "INVALID_ARGUMENT",
  422: "FAILED_PRECONDITION",
  429: "RESOURCE_EXHAUSTED",
  503: "UNAVAILABLE",
  504: "DEADLINE_EXCEEDED",
};

/** One of the protocol's own errors. */
export const fault = (reason: Own, message: string): Problem => new Problem(OWN[reason][0], reason, message);
export const taskNotFound = (id: string): Problem => fault("TASK_NOT_FOUND", `There is no task ${upTo(64, id)}.`);

/**
 * A refusal as google.rpc.Status in JSON (11.6): errors of the protocol under its domain, all others with the
 * platform's code.
 */
export function rpcStatus(problem: Problem, requestId: string): { error: Record<string, unknown> } {
  const { code, type, message, data } = problem;
  const isOwn = Object.hasOwn(OWN, type);
  const fields = Array.isArray(data?.details) ? data.details.filter(isDetail) : [];
  const violations = fields.map(({ path, message: description }) => ({ field: path, description }));
  return {
    error: {
      code,
      status: isOwn ? OWN[type as Own][1] : (CODES[code] ?? "INTERNAL"),
      message,
      details: [
        { "@type": INFO, reason: type, domain: isOwn ? "a2a-protocol.org" : "signalmesh" },
        ...(violations.length ? [{ "@type": FIELDS, fieldViolations: violations }] : []),
        { "@type": REQUEST, requestId },
      ],
    },
  };
}
