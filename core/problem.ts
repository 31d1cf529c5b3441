import { shortened } from "./text/cutting.ts";
import { Errors } from "moleculer";

/** One complaint about one field: where it stands (`sources.3.url`) and what is wrong with it. */
export interface Detail {
  path: string;
  message: string;
}

export interface ProblemExtras {
  details?: unknown;
  /** Sent as response headers (`Allow`, `Retry-After`, ...). */
  headers?: Record<string, string>;
  /**
   * A server that this installation stands on does not answer, whoever asks: what circuits count. Never of a server
   * that a caller names.
   */
  away?: true;
}

/**
 * An answer names at most so many complaints, its last word on the rest among them: it must not outgrow what was asked.
 */
export const MOST_DETAILS = 20;
const LONGEST_PATH = 128;
const LONGEST_MESSAGE = 400;

export const isDetail = (one: unknown): one is Detail =>
  typeof (one as Detail | null)?.path === "string" && typeof (one as Detail).message === "string";
const inShort = (one: unknown): unknown =>
  isDetail(one)
    ? { ...one, path: shortened(LONGEST_PATH, one.path), message: shortened(LONGEST_MESSAGE, one.message) }
    : one;

/**
 * The details as they are told: names that a client made up are cut, and so is a long list, which then says how many
 * more there were.
 */
function bounded(details: unknown): unknown {
  if (!Array.isArray(details) || !isDetail(details[0])) return details;
  if (details.length <= MOST_DETAILS) return details.map(inShort);
  const told = details.slice(0, MOST_DETAILS - 1);
  return [...told.map(inShort), { path: "", message: `There are ${details.length - told.length} more.` }];
}

/**
 * The only error the mesh throws on purpose. `code` is stable and public (docs: "Envelopes and errors" of the
 * decisions), the message is for people. Moleculer carries name, message, code (the status), type and data over the
 * transporter; the public code therefore rides in `type` and the rest in `data`.
 */
export class Problem extends Errors.MoleculerError {
  declare data: ProblemExtras;
  constructor(status: number, code: string, message: string, extras: ProblemExtras = {}) {
    super(
      message,
      status,
      code,
      extras.details === undefined ? extras : { ...extras, details: bounded(extras.details) },
    );
    this.name = "Problem";
    // What is thrown on purpose is an answer: the retry policy looks at this.
    this.retryable = false;
  }
  get status(): number {
    return this.code;
  }
}

/**
 * Made by the thousand in a flood; nobody reads its stack trace, which would cost more than the rest of the refusal.
 */
function withoutTrace(make: () => Problem): Problem {
  const { stackTraceLimit } = Error;
  Error.stackTraceLimit = 0;
  try {
    return make();
  } finally {
    Error.stackTraceLimit = stackTraceLimit;
  }
}

export const invalid = (details: Detail[], message = "The request does not fit its schema.") =>
  new Problem(400, "VALIDATION_ERROR", message, { details });
export const badRequest = (message: string) => new Problem(400, "BAD_REQUEST", message);
export const unauthenticated = (message = "Sign in, or send a token or an API key.") =>
  new Problem(401, "UNAUTHENTICATED", message, { headers: { "WWW-Authenticate": 'Bearer realm="signalmesh"' } });
export const forbidden = (message: string, details?: unknown) => new Problem(403, "FORBIDDEN", message, { details });
export const notFound = (what: string, id: string | number) => new Problem(404, "NOT_FOUND", `No ${what} ${id}.`);
export const conflict = (message: string, details?: unknown) => new Problem(409, "CONFLICT", message, { details });
/** A move that the life cycle does not allow; names the state it is in and the states it could be made from. */
export const invalidTransition = (move: string, state: string, allowed: readonly string[]) =>
  new Problem(
    409,
    "INVALID_TRANSITION",
    `Cannot ${move} from ${state}; that is possible from: ${allowed.join(", ") || "nowhere"}.`,
    { details: { state, move, allowed } },
  );
/** The problem set was put into the archive: read it, or have it restored. */
export const archived = (which = "The problem set") =>
  new Problem(409, "ARCHIVED", `${which} is archived; it can be read, not changed.`);
/** The act needs a fresh proof of person; the answer says how to give one. */
export const stepUpRequired = () =>
  new Problem(
    403,
    "STEP_UP_REQUIRED",
    "This needs a proof of who you are that is at most five minutes old: confirm with your passkey, or sign in again.",
    { details: { within: "PT5M" } },
  );
/** An account whose address nobody has confirmed yet. */
export const notConfirmed = () =>
  new Problem(
    403,
    "EMAIL_NOT_VERIFIED",
    "Your address waits to be confirmed: follow the link that was mailed there. POST /api/auth/email sends another.",
  );
/** The DID that a request claims is not one of the account's. */
export const didNotBound = () => new Problem(403, "DID_NOT_BOUND", "The DID in X-DID is not bound to your account.");
/** The DID that a request claims is one of the account's, and was cut off. */
export const didCutOff = () =>
  new Problem(403, "DID_CUT_OFF", "The DID in X-DID was cut off by an emergency disconnect.");
export const stale = (what: string, id: string | number) =>
  new Problem(412, "STALE", `The ${what} ${id} changed meanwhile; read it again.`);
export const preconditionRequired = (what: string) =>
  new Problem(428, "PRECONDITION_REQUIRED", `Send the ETag of the ${what} that you read as If-Match.`);
export const tooLarge = (message: string) => new Problem(413, "TOO_LARGE", message);
/** Well-formed input that a rule of the domain refuses. */
export const unprocessable = (code: string, message: string, details?: unknown) =>
  new Problem(422, code, message, { details });
export const tooMany = (message: string, retryAfterSeconds: number) =>
  withoutTrace(
    () =>
      new Problem(429, "RATE_LIMITED", message, { headers: { "Retry-After": String(Math.ceil(retryAfterSeconds)) } }),
  );
export const overloaded = (message: string, retryAfterSeconds = 1) =>
  withoutTrace(
    () => new Problem(503, "OVERLOADED", message, { headers: { "Retry-After": String(Math.ceil(retryAfterSeconds)) } }),
  );
/** A store this part of the platform stands on cannot be reached; what it was asked may have been done. */
export const storeAway = (cause: unknown) =>
  Object.assign(
    new Problem(503, "OVERLOADED", "The document store does not answer at the moment.", {
      headers: { "Retry-After": "2" },
      away: true,
    }),
    { cause },
  );
/**
 * There is no room left on the disk. Nobody's mistake and no server that is away: what is there can be read meanwhile.
 */
export const insufficientStorage = (cause: unknown, message = NO_ROOM) =>
  Object.assign(new Problem(507, "INSUFFICIENT_STORAGE", message, { headers: { "Retry-After": "30" } }), { cause });
const NO_ROOM =
  "The platform has no room left to keep this. What is there can be read; writing works again when there is room.";
/** A feature that this installation has no settings for; says which settings it needs. */
export const notConfigured = (message: string) => new Problem(503, "NOT_CONFIGURED", message);
export const upstream = (status: 502 | 504, code: `UPSTREAM_${string}`, message: string) =>
  new Problem(status, code, message);
/** As above, for a server that the installation's settings name and that does not answer anybody. */
export const upstreamAway = (...given: Parameters<typeof upstream>) =>
  Object.assign(upstream(...given), { data: { away: true } satisfies ProblemExtras });

/** Whether an error, local or revived from another node, is one the mesh threw on purpose. */
export const isProblem = (error: unknown): error is Problem =>
  error instanceof Problem ||
  ((error as { name?: string } | null)?.name === "Problem" && typeof (error as { code?: unknown }).code === "number");

/** Of an operating system: no space left on the device, or none of the quota. */
const NO_SPACE = new Set<unknown>(["ENOSPC", "EDQUOT"]);
const SQLITE_FULL = 13;
/** Servers of MongoDB say that their disk is full by these. */
const OUT_OF_DISK_SPACE = 14_031;

/** Whether an error, or what caused it, says that there is no room left to write. */
export function isDiskFull(error: unknown): boolean {
  for (
    let at = error as Record<"code" | "errcode" | "cause", unknown> | null | undefined;
    typeof at === "object" && at !== null;
    at = at.cause as typeof at
  ) {
    if (
      NO_SPACE.has(at.code) ||
      at.code === OUT_OF_DISK_SPACE ||
      at.code === 507 ||
      (typeof at.errcode === "number" && (at.errcode & 0xff) === SQLITE_FULL)
    )
      return true;
  }
  return false;
}

/** What people are told of a failure of ours: never its own message, which may reveal internals. */
export const FAILED_INSIDE = "It failed inside of the server; the log says why.";

/** An error in words for people. */
export const inWords = (error: unknown): string => (isProblem(error) ? error.message : FAILED_INSIDE);

/** Whether a record's state, another record or a concurrent change was in the way (409). */
export const isConflict = (error: unknown): error is Problem => isProblem(error) && error.code === 409;

/** A record that is written by the revision it was read with was changed by somebody else since. */
export const overtaken = (what: string, { id, rev }: { id: string | number; rev: number }) =>
  conflict(`This ${what} changed meanwhile; read it again.`, { id, rev });

/**
 * Whether a write was overtaken by another one. Unlike a taken value or a forbidding state, that passes once the record
 * is read again.
 */
export const isOvertaken = (error: unknown): error is Problem =>
  isConflict(error) &&
  error.type === "CONFLICT" &&
  (error.data?.details as { rev?: number } | undefined)?.rev !== undefined;

/**
 * Whether what was asked for is not there. An action that no node runs at the moment, which Moleculer gives the same
 * number, is not an answer.
 */
export const isNotFound = (error: unknown): error is Problem => isProblem(error) && error.code === 404;

/** Whether this mesh has nobody at all for an action: a part of the platform that this installation does without. */
export const isUnserved = (error: unknown): boolean => error instanceof Errors.ServiceNotFoundError;

/**
 * For `catch`: null in place of what was expected to fail; any other error goes on. `store.get(caller,
 * id).catch(nullIf(isNotFound))`.
 */
export const nullIf =
  (expected: (error: unknown) => boolean) =>
  (error: unknown): null => {
    if (!expected(error)) throw error;
    return null;
  };

/**
 * Names of the errors that Moleculer and the transporter throw when nobody is there to do something, or is overloaded.
 */
const NOBODY = new Set([
  "ServiceNotFoundError",
  "ServiceNotAvailableError",
  "NotDelivered",
  "QueueIsFullError",
  "RequestRejectedError",
]);

/**
 * Whether an error says that something the work needs is not to be had now, rather than that the work cannot be done.
 */
export const isAway = (error: unknown): boolean =>
  isProblem(error)
    ? error.code === 507 || (error.code === 503 && error.type !== "NOT_CONFIGURED")
    : NOBODY.has((error as { name?: string } | null)?.name ?? "");
