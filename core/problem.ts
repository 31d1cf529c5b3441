import { Errors } from "moleculer";

/** One complaint about one field: where it stands (`sources.3.url`) and what is wrong with it. */
export interface Detail { path: string; message: string }

export interface ProblemExtras {
  details?: unknown;
  /** Sent as response headers (`Allow`, `Retry-After`, ...). */
  headers?: Record<string, string>;
}

/**
 * The only error the mesh throws on purpose. `code` is stable and public (docs: "Envelopes and errors" of the decisions), the
 * message is for people. Moleculer carries name, message, code (the status), type and data over the transporter; the public
 * code therefore rides in `type` and the rest in `data`.
 */
export class Problem extends Errors.MoleculerError {
  declare data: ProblemExtras;
  constructor(status: number, code: string, message: string, extras: ProblemExtras = {}) {
    super(message, status, code, extras);
    this.name = "Problem";
    // A client's mistake is not a failure of the service: the circuit breaker and the retry policy look at this.
    this.retryable = false;
  }
  get status(): number { return this.code; }
}

export const invalid = (details: Detail[], message = "The request does not fit its schema.") => new Problem(400, "VALIDATION_ERROR", message, { details });
export const badRequest = (message: string) => new Problem(400, "BAD_REQUEST", message);
export const unauthenticated = (message = "Sign in, or send a token or an API key.") =>
  new Problem(401, "UNAUTHENTICATED", message, { headers: { "WWW-Authenticate": 'Bearer realm="signalmesh"' } });
export const forbidden = (message: string, details?: unknown) => new Problem(403, "FORBIDDEN", message, { details });
export const notFound = (what: string, id: string | number) => new Problem(404, "NOT_FOUND", `No ${what} ${id}.`);
export const conflict = (message: string, details?: unknown) => new Problem(409, "CONFLICT", message, { details });
/** A move that the life cycle does not allow; names the state it is in and the states it could be made from. */
export const invalidTransition = (move: string, state: string, allowed: readonly string[]) =>
  new Problem(409, "INVALID_TRANSITION", `Cannot ${move} from ${state}; that is possible from: ${allowed.join(", ") || "nowhere"}.`, { details: { state, move, allowed } });
/** The problem set was put into the archive: read it, or have it restored. */
export const archived = (setId: string) => new Problem(409, "ARCHIVED", `Problem set ${setId} is archived; it can be read, not changed.`);
/** The act needs a fresh proof of person; the answer says how to give one. */
export const stepUpRequired = () =>
  new Problem(403, "STEP_UP_REQUIRED", "This needs a proof of who you are that is at most five minutes old: confirm with your passkey, or sign in again.", { details: { within: "PT5M" } });
/** An account whose address nobody has confirmed yet. */
export const notConfirmed = () =>
  new Problem(403, "ADDRESS_NOT_CONFIRMED", "Confirm your address first: the link was mailed to it. POST /api/auth/email sends another.");
/** The DID that a request claims is not one of the account's. */
export const didNotBound = () => new Problem(403, "DID_NOT_BOUND", "The DID in X-DID is not bound to your account.");
export const stale = (what: string, id: string | number) => new Problem(412, "STALE", `${what} ${id} changed meanwhile; read it again.`);
export const preconditionRequired = (what: string) => new Problem(428, "PRECONDITION_REQUIRED", `Send the ETag of the ${what} that you read as If-Match.`);
export const tooLarge = (message: string) => new Problem(413, "TOO_LARGE", message);
/** Well-formed input that a rule of the domain refuses. */
export const unprocessable = (code: string, message: string, details?: unknown) => new Problem(422, code, message, { details });
export const tooMany = (message: string, retryAfterSeconds: number) =>
  new Problem(429, "RATE_LIMITED", message, { headers: { "Retry-After": String(Math.ceil(retryAfterSeconds)) } });
export const overloaded = (message: string, retryAfterSeconds = 1) =>
  new Problem(503, "OVERLOADED", message, { headers: { "Retry-After": String(Math.ceil(retryAfterSeconds)) } });
/** A store this part of the platform stands on cannot be reached; what it was asked may have been done. */
export const storeAway = (cause: unknown) => Object.assign(overloaded("The document store does not answer at the moment.", 2), { cause });
/** A feature that this installation has no settings for; says which settings it needs. */
export const notConfigured = (message: string) => new Problem(503, "NOT_CONFIGURED", message);
export const upstream = (status: 502 | 504, code: `UPSTREAM_${string}`, message: string) => new Problem(status, code, message);

/** Whether an error, local or revived from another node, is one the mesh threw on purpose. */
export const isProblem = (error: unknown): error is Problem =>
  error instanceof Problem || ((error as { name?: string } | null)?.name === "Problem" && typeof (error as { code?: unknown }).code === "number");

/** What people are told of a failure that is ours: not its own words, which may speak of what lies inside. */
export const FAILED_INSIDE = "It failed inside of the server; the log says why.";

/** An error in words for people. */
export const inWords = (error: unknown): string => (isProblem(error) ? error.message : FAILED_INSIDE);

/** Whether a record's state, another record or a concurrent change was in the way (409). */
export const isConflict = (error: unknown): error is Problem => isProblem(error) && error.code === 409;

/** Whether what was asked for is not there. An action that no node runs at the moment, which Moleculer gives the same number, is not an answer. */
export const isNotFound = (error: unknown): error is Problem => isProblem(error) && error.code === 404;

/** Whether this mesh has nobody at all for an action: a part of the platform that this installation does without. */
export const isUnserved = (error: unknown): boolean => error instanceof Errors.ServiceNotFoundError;

/** For `catch`: null in place of what was expected to fail; any other error goes on. `store.get(caller, id).catch(nullIf(isNotFound))`. */
export const nullIf = (expected: (error: unknown) => boolean) => (error: unknown): null => {
  if (!expected(error)) throw error;
  return null;
};

/** Names of what Moleculer and the line between nodes throw when nobody is there to do something, or they have too much to do. */
const NOBODY = new Set(["ServiceNotFoundError", "ServiceNotAvailableError", "NotDelivered", "QueueIsFullError", "RequestRejectedError"]);

/** Whether an error says that something the work needs is not to be had now, rather than that the work cannot be done. */
export const isAway = (error: unknown): boolean => (isProblem(error) ? error.code === 503 && error.type !== "NOT_CONFIGURED" : NOBODY.has((error as { name?: string } | null)?.name ?? ""));
