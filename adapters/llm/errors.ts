import type { Usage } from "./port.ts";

/** Why a model gave no usable answer. */
export type LlmFailure =
  | "not-configured"
  | "timeout"
  | "rate-limited"
  | "unauthorized"
  | "server"
  | "rejected"
  | "declined"
  | "too-long"
  | "malformed"
  | "budget-exceeded"
  | "circuit-open"
  | "aborted";

export interface LlmErrorExtras {
  /** HTTP status of the endpoint, where it answered. */
  status?: number;
  /** When another try makes sense, if known. */
  retryAfterMs?: number;
  /** What the endpoint bills in spite of the failure. */
  usage?: Usage;
}

/**
 * The only error of the adapter. Its message never contains the key, a header or a prompt, so that it may be logged and
 * shown; for the same reason the client's own error is not kept as its cause.
 */
export class LlmError extends Error {
  readonly kind: LlmFailure;
  readonly status?: number;
  readonly retryAfterMs?: number;
  /** The usage of the failed question: an unusable answer is billed like any other. */
  usage?: Usage;
  constructor(kind: LlmFailure, message: string, extras: LlmErrorExtras = {}) {
    super(message);
    this.name = "LlmError";
    this.kind = kind;
    if (extras.status !== undefined) this.status = extras.status;
    if (extras.retryAfterMs !== undefined) this.retryAfterMs = extras.retryAfterMs;
    if (extras.usage) this.usage = extras.usage;
  }
  /** Whether the same request may succeed if it is repeated. */
  get passing(): boolean {
    return this.kind === "timeout" || this.kind === "rate-limited" || this.kind === "server";
  }
  /** Whether it shows that the endpoint itself is in trouble: what the circuit breaker counts. */
  get unwell(): boolean {
    return this.kind === "timeout" || this.kind === "server";
  }
}

const LONGEST_WORD_FROM_OUTSIDE = 200;

/** The endpoint's own words, safe to show: the key and anything like one removed, one line, cut. */
export function presentable(words: string, apiKey: string | undefined): string {
  const withoutKey = apiKey ? words.replaceAll(apiKey, "[key]") : words;
  return withoutKey
    .replace(/\b(?:sk|pk|key)[-_][\w*-]{6,}/gi, "[key]")
    .replace(/\bBearer\s+\S+/gi, "[key]")
    .replace(/[\p{Cc}\p{Cf}\s]+/gu, " ")
    .trim()
    .slice(0, LONGEST_WORD_FROM_OUTSIDE);
}

interface ResponseFailure {
  status?: number;
  headers?: { get(name: string): string | null };
  message?: string;
  code?: unknown;
}

/** How endpoints report that a question exceeds the model's context: a code, or words. */
const TOO_LONG =
  /context_length_exceeded|(?:maximum|available|exceeds?) (?:the )?context|context (?:length|size|window)/i;

/**
 * Classifies a failure of the client. `now` is the caller's clock, for a Retry-After with a date (RFC 9110 §10.2.3).
 */
export function classify(failure: unknown, apiKey: string | undefined, now: number): LlmError {
  if (failure instanceof LlmError) return failure;
  // The client wraps what its `fetch` throws.
  const cause = (failure as { cause?: unknown } | null)?.cause;
  if (cause instanceof LlmError) return cause;
  const { status, headers, message = "", code } = (failure ?? {}) as ResponseFailure;
  const said = presentable(message, apiKey);
  if (status === undefined)
    return new LlmError("server", "The model's endpoint cannot be reached, or broke off its answer.");
  const retryAfterMs = retryAfter(headers, now);
  if (status === 429)
    return new LlmError("rate-limited", `The model's endpoint asks to wait: ${said}`, { status, retryAfterMs });
  if (status === 401 || status === 403)
    return new LlmError("unauthorized", `The model's endpoint refuses the key: ${said}`, { status });
  if (status === 408 || status === 409 || status >= 500)
    return new LlmError("server", `The model's endpoint failed: ${said}`, { status, retryAfterMs });
  if (status === 413 || TOO_LONG.test(`${String(code ?? "")} ${message}`))
    return new LlmError("too-long", `The question is longer than the model takes: ${said}`, { status });
  return new LlmError("rejected", `The model's endpoint rejects the request: ${said}`, { status });
}

function retryAfter(headers: ResponseFailure["headers"], now: number): number | undefined {
  const exact = Number(headers?.get("retry-after-ms") ?? Number.NaN);
  if (Number.isFinite(exact) && exact >= 0) return exact;
  const given = headers?.get("retry-after");
  if (!given) return undefined;
  const seconds = Number(given);
  if (Number.isFinite(seconds)) return Math.max(0, seconds * 1000);
  const at = Date.parse(given);
  return Number.isNaN(at) ? undefined : Math.max(0, at - now);
}

const WORDS: Record<LlmFailure, string> = {
  "not-configured": "there is none",
  timeout: "it took too long",
  "rate-limited": "it is asked too often",
  unauthorized: "it does not take our key",
  server: "its server failed, or cannot be reached",
  rejected: "it refused the question",
  declined: "it declined to answer",
  "too-long": "the question is longer than it takes",
  malformed: "its answer was not of the form asked for",
  "budget-exceeded": "the day's budget is used up",
  "circuit-open": "it failed repeatedly and is left alone for a while",
  aborted: "there was no time left for it",
};

/** The model's failure in words for the person who requested the work: only its kind, nothing about the endpoint. */
export const faultOf = ({ kind }: Pick<LlmError, "kind">): string => `The model gave no answer: ${WORDS[kind]}.`;
