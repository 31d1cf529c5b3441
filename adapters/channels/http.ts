import { retryAfterMs } from "../outbound/retry-after.ts";
import type { HttpAnswer, HttpPost, DeliveryOutcome } from "./port.ts";

const TIMEOUT_MS = 10_000;
/** An acknowledgement is short; the rest of a longer answer is not read. */
const ANSWER_BYTES = 64 * 1024;

/** Failures without an answer, by the kinds of the guarded client, in our words: its own may contain the address. */
const FAILURES = new Map<unknown, { reason: string; retry: boolean }>([
  ["blocked", { reason: "The receiver's address may not be reached from here.", retry: false }],
  ["dns", { reason: "The receiver's host name cannot be resolved.", retry: true }],
  ["tls", { reason: "The receiver's certificate cannot be trusted.", retry: false }],
  ["timeout", { reason: "The receiver did not answer in time.", retry: true }],
  ["too-large", { reason: "The receiver's answer is too large to be an acknowledgement.", retry: false }],
  ["protocol", { reason: "The receiver does not speak proper HTTP.", retry: true }],
  ["aborted", { reason: "The delivery was cancelled.", retry: false }],
]);
const UNREACHED = { reason: "The receiver cannot be reached, or it broke off the connection.", retry: true };

/** Reads a receiver's own words in an answer: why it refuses, and how long to wait. */
export type ErrorReader = (body: string) => { reason?: string; afterMs?: number };

export interface HttpMessage {
  headers?: Record<string, string>;
  body: unknown;
}

/**
 * Posts JSON once and judges the answer: 2xx is delivered; 408, 429 and 5xx are transient; any other status is final.
 */
export async function postOnce(
  http: HttpPost,
  url: string,
  message: HttpMessage,
  signal: AbortSignal | undefined,
  read: ErrorReader = () => ({}),
): Promise<DeliveryOutcome> {
  const headers = { "content-type": "application/json; charset=utf-8", ...message.headers };
  let answer: HttpAnswer;
  try {
    answer = await http.post(url, {
      headers,
      body: JSON.stringify(message.body),
      timeoutMs: TIMEOUT_MS,
      maxBytes: ANSWER_BYTES,
      signal,
    });
  } catch (error) {
    return { ok: false, ...(FAILURES.get((error as { kind?: unknown } | null)?.kind) ?? UNREACHED) };
  }
  const { status } = answer;
  if (status >= 200 && status < 300) return { ok: true };
  const said = read(new TextDecoder().decode(answer.body));
  const afterMs = said.afterMs ?? retryAfterMs(answer.headers["retry-after"], Date.now());
  const words = said.reason ? `: ${said.reason}` : "";
  return {
    ok: false,
    reason: `The receiver answered ${status}${words}.`,
    retry: status === 408 || status === 429 || status >= 500,
    afterMs,
  };
}
