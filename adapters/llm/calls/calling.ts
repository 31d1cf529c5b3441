import { iso, type Clock } from "../../../core/clock.ts";
import type { Breaker } from "./breaker.ts";
import { deadline } from "./deadline.ts";
import { fullDialect, simpler, type Dialect } from "../wire/dialect.ts";
import { classify, LlmError, type LlmFailure } from "../errors.ts";
import { aborted } from "./call-queue.ts";
import type { LlmSettings } from "../port.ts";

const FIRST_BACK_OFF_MS = 250;
/** An endpoint that asks for a longer pause is not tried again now: the caller learns when to. */
const LONGEST_PAUSE_MS = 20_000;

/** Failures that do not depend on the question: it would fail the same until they are repaired or pass. */
const OF_THE_ENDPOINT: ReadonlySet<LlmFailure> = new Set(["unauthorized", "rate-limited", "timeout", "server"]);

const isOfEndpoint = (error: unknown): error is LlmError =>
  error instanceof LlmError && OF_THE_ENDPOINT.has(error.kind);

/** Is told of each answer, and of each question given up for what is the endpoint's fault and not its own. */
export interface Watch {
  failed(why: string): void;
  worked(): void;
}

/** The world of calls: `sleep` takes milliseconds, and rejects when its signal aborts. */
interface CallingWorld {
  clock: Clock;
  sleep: (ms: number, signal?: AbortSignal) => Promise<unknown>;
  circuit: Breaker;
  watch?: Watch | undefined;
}

/** How requests reach one endpoint. Every failure is an LlmError. */
export interface Calling {
  /** Runs within the settings' time-out; a failure gets its kind. */
  timed<T>(signal: AbortSignal | undefined, work: (signal: AbortSignal) => Promise<T>): Promise<T>;
  /**
   * Repeats after transient failures, with back-off, as long as the circuit, the endpoint and the caller allow.
   * `failed` is called with each failed try.
   */
  persistently<T>(
    signal: AbortSignal | undefined,
    send: (signal: AbortSignal) => Promise<T>,
    failed?: (error: unknown) => void,
  ): Promise<T>;
  /** Uses the fullest dialect that the endpoint understands, and remembers where it had to simplify. */
  understood<T>(speak: (dialect: Dialect) => Promise<T>): Promise<T>;
  /** The dialect of the next question. */
  dialect: Dialect;
  /** RFC 3339; absent before the first answer. */
  readonly lastAnswerAt: string | undefined;
  /** Why the last question got no answer, where no question would have. */
  readonly fault: LlmFailure | undefined;
}

/** Time-outs, the circuit, retries and the dialect for calls of one endpoint. */
export function calling(
  { baseUrl, apiKey, timeoutMs, maxRetries }: LlmSettings,
  { clock, sleep, circuit, watch }: CallingWorld,
): Calling {
  let dialect = fullDialect;
  let lastAnswerAt: string | undefined;
  let fault: LlmFailure | undefined;

  async function timed<T>(signal: AbortSignal | undefined, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
    const clockwork = deadline(timeoutMs, signal);
    try {
      return await work(clockwork.signal);
    } catch (failure) {
      throw clockwork.verdict() ?? classify(failure, apiKey, clock.now());
    } finally {
      clockwork.stop();
    }
  }

  /** One request, seen by the circuit breaker. */
  async function once<T>(signal: AbortSignal | undefined, send: (signal: AbortSignal) => Promise<T>): Promise<T> {
    circuit.admit();
    try {
      const answer = await timed(signal, send);
      circuit.well();
      lastAnswerAt = iso(clock.now());
      fault = undefined;
      return answer;
    } catch (error) {
      if (!(error instanceof LlmError) || error.kind === "aborted") circuit.unknown();
      else if (error.unwell) circuit.unwell();
      else circuit.well();
      if (isOfEndpoint(error)) fault = error.kind;
      throw error;
    }
  }

  /** How long to wait before it is tried again, in milliseconds; undefined where it is given up. */
  function pauseAfter(error: unknown, retry: number): number | undefined {
    if (!(error instanceof LlmError) || !error.passing || retry >= maxRetries) return undefined;
    const pause = error.retryAfterMs ?? backOff(retry);
    return pause > LONGEST_PAUSE_MS ? undefined : pause;
  }

  async function persistently<T>(
    signal: AbortSignal | undefined,
    send: (signal: AbortSignal) => Promise<T>,
    failed?: (error: unknown) => void,
  ): Promise<T> {
    for (let retry = 0; ; retry += 1) {
      try {
        const answer = await once(signal, send);
        watch?.worked();
        return answer;
      } catch (error) {
        failed?.(error);
        const pause = pauseAfter(error, retry);
        if (pause === undefined) {
          if (isOfEndpoint(error)) watch?.failed(`${baseUrl && URL.parse(baseUrl)?.host}: ${error.message}`);
          throw error;
        }
        await sleep(pause, signal).catch(() => {
          throw aborted();
        });
      }
    }
  }

  async function understood<T>(speak: (dialect: Dialect) => Promise<T>): Promise<T> {
    for (;;) {
      const spoken = dialect;
      try {
        return await speak(spoken);
      } catch (error) {
        const next = simpler(spoken, error);
        if (!next) throw error;
        dialect = next;
      }
    }
  }

  return {
    timed,
    persistently,
    understood,
    get dialect() {
      return dialect;
    },
    set dialect(spoken) {
      dialect = spoken;
    },
    get lastAnswerAt() {
      return lastAnswerAt;
    },
    get fault() {
      return fault;
    },
  };
}

/** Exponential, with jitter in the upper half, so that nodes that failed together do not retry together. */
const backOff = (retry: number) => FIRST_BACK_OFF_MS * 2 ** retry * (0.5 + Math.random() / 2);
