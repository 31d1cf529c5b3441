import { overloaded, tooMany } from "../../../../core/problem.ts";
import { Unresolved } from "./resolution.ts";

/** Below what an action may have under way at once, so that DIDs that nobody else is asked for are always resolved. */
const MOST = 100;
const MOST_OF_HOST = 32;
const MOST_OF_ASKER = 8;
const WAIT_MS = 10_000;
/** A host that left so many in a row unanswered is asked again after a while, by one. */
const MOST_UNANSWERED = 3;
const LEAVE_ALONE_MS = 30_000;
const MOST_REMEMBERED = 1_000;

export interface LookupSettings {
  waitMs?: number;
  leaveAloneMs?: number;
  now?: () => number;
}

/**
 * Questions about DIDs to the servers of others, which whoever asks names. So waiting is bounded for each asker, each
 * host and in all, and only the host that does not answer is left alone: nobody else's DID is refused for it.
 */
export class Lookups {
  readonly #waitMs: number;
  readonly #leaveAloneMs: number;
  readonly #now: () => number;
  #underWay = 0;
  readonly #ofHost = new Map<string, number>();
  readonly #ofAsker = new Map<string, number>();
  readonly #unanswered = new Map<string, { count: number; until: number }>();

  constructor({ waitMs = WAIT_MS, leaveAloneMs = LEAVE_ALONE_MS, now = () => performance.now() }: LookupSettings = {}) {
    this.#waitMs = waitMs;
    this.#leaveAloneMs = leaveAloneMs;
    this.#now = now;
  }

  /** Asks a host for somebody. Throws Unresolved where it does not answer, or 429 or 503 where too many ask already. */
  async ask<T>(host: string, asker: string, question: (signal: AbortSignal) => Promise<T>): Promise<T> {
    if ((this.#ofAsker.get(asker) ?? 0) >= MOST_OF_ASKER)
      throw tooMany(`You wait for ${MOST_OF_ASKER} DIDs of other servers already.`, 1);
    if (this.#underWay >= MOST) throw overloaded("Too many wait for DIDs of other servers; ask again.");
    if ((this.#ofHost.get(host) ?? 0) >= MOST_OF_HOST)
      throw new Unresolved("internalError", `Too many wait for ${host} already.`);
    this.#leaveAlone(host);
    const leave = this.#enter(host, asker);
    const clock = new AbortController();
    const late = new Promise<never>((_, reject) => {
      clock.signal.addEventListener("abort", () =>
        reject(new Unresolved("internalError", `${host} does not answer in time.`, true)),
      );
    });
    const timer = setTimeout(() => clock.abort(), this.#waitMs);
    const answer = question(clock.signal);
    // Its place is free when the question has truly ended.
    answer.then(leave, leave);
    try {
      const value = await Promise.race([answer, late]);
      this.#unanswered.delete(host);
      return value;
    } catch (error) {
      if (error instanceof Unresolved && error.isUnanswered) this.#note(host);
      else this.#unanswered.delete(host);
      throw error;
    } finally {
      clearTimeout(timer);
    }
  }

  #leaveAlone(host: string): void {
    const silent = this.#unanswered.get(host);
    if (!silent || silent.count < MOST_UNANSWERED) return;
    if (this.#now() < silent.until)
      throw new Unresolved(
        "internalError",
        `${host} left the last questions unanswered and is left alone for a while.`,
      );
    silent.until = this.#now() + this.#leaveAloneMs;
  }

  #note(host: string): void {
    const count = (this.#unanswered.get(host)?.count ?? 0) + 1;
    this.#unanswered.delete(host);
    if (this.#unanswered.size >= MOST_REMEMBERED) this.#unanswered.delete(this.#unanswered.keys().next().value!);
    this.#unanswered.set(host, { count, until: this.#now() + this.#leaveAloneMs });
  }

  #enter(host: string, asker: string): () => void {
    this.#underWay++;
    const counted: [Map<string, number>, string][] = [
      [this.#ofHost, host],
      [this.#ofAsker, asker],
    ];
    for (const [counts, name] of counted) counts.set(name, (counts.get(name) ?? 0) + 1);
    return () => {
      this.#underWay--;
      for (const [counts, name] of counted) {
        const left = counts.get(name)! - 1;
        if (left) counts.set(name, left);
        else counts.delete(name);
      }
    };
  }
}
