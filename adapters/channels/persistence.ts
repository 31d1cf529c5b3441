import { setTimeout as delay } from "node:timers/promises";
import type { DeliveryOutcome, Persisted } from "./port.ts";

export interface Persistence {
  /** Waits that many milliseconds; rejects when the signal aborts. */
  sleep: (ms: number, signal?: AbortSignal) => Promise<unknown>;
  /** 0..1, for the jitter. */
  random: () => number;
}
export const realPersistence: Persistence = {
  sleep: (ms, signal) => delay(ms, undefined, { signal }),
  random: Math.random,
};

type Attempt = (signal: AbortSignal | undefined) => Promise<DeliveryOutcome>;

const ATTEMPTS = 3;
const FIRST_WAIT_MS = 500;
/** A caller waits for the result: a receiver that asks for a longer pause counts as failed. */
const LONGEST_WAIT_MS = 30_000;

/** Exponential back-off with equal jitter: 250 to 500 ms, then 500 to 1,000 ms. */
const backOff = (failures: number, random: () => number): number =>
  FIRST_WAIT_MS * 2 ** (failures - 1) * (0.5 + random() / 2);

/**
 * Tries up to three times, with growing pauses or the pause that the receiver asks for; a final refusal, or an abort,
 * ends it at once. Never rejects: an attempt that throws is a failure that is not repeated.
 */
export async function persist(
  attempt: Attempt,
  { sleep, random }: Persistence,
  signal?: AbortSignal,
): Promise<Persisted> {
  for (let attempts = 1; ; attempts++) {
    if (signal?.aborted) return { ok: false, attempts: attempts - 1, reason: "The delivery was cancelled." };
    const outcome = await attempt(signal).catch((): DeliveryOutcome => ({
      ok: false,
      reason: "The message could not be made or sent.",
      retry: false,
    }));
    if (outcome.ok) return { ok: true, attempts, note: outcome.note };
    if (!outcome.retry || attempts === ATTEMPTS) return { ok: false, attempts, reason: outcome.reason };
    const wait = outcome.afterMs ?? backOff(attempts, random);
    if (wait > LONGEST_WAIT_MS)
      return { ok: false, attempts, reason: `${outcome.reason} It asks for a pause of ${Math.ceil(wait / 1_000)} s.` };
    await sleep(wait, signal).catch(() => undefined);
  }
}

/** Several messages in order, stopping at the first failure; `attempts` is the highest number for one of them. */
export async function inOrder<T>(
  parts: readonly T[],
  send: (part: T, index: number) => Promise<Persisted>,
): Promise<Persisted> {
  let attempts = 0;
  for (const [index, part] of parts.entries()) {
    const sent = await send(part, index);
    attempts = Math.max(attempts, sent.attempts);
    if (!sent.ok)
      return {
        ok: false,
        attempts,
        reason: parts.length > 1 ? `Part ${index + 1} of ${parts.length}: ${sent.reason}` : sent.reason,
      };
  }
  return { ok: true, attempts };
}
