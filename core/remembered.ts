import { steadily, type Clock } from "./clock.ts";

/** After this long, a change by another process that nobody announced takes effect. */
export const REMEMBERED_MS = 5_000;
const MOST_KEPT = 20_000;

interface Remembering {
  /**
   * Whether it remembers at all: in a mesh of several nodes the hint of a change may come later than the next request,
   * so there nothing is remembered that must not be old.
   */
  remembers?: boolean;
  forMs?: number;
  most?: number;
}

/**
 * Remembers what is asked for often and seldom changes, by a key such as the person whom it is about: concurrent callers
 * share one question, and a hint of a change drops the answer.
 */
export class Remembered<T> {
  readonly #clock: Clock;
  readonly #remembers: boolean;
  readonly #forMs: number;
  readonly #most: number;
  readonly #kept = new Map<string, { since: number; answer: Promise<T> }>();

  constructor(clock: Clock, { remembers = true, forMs = REMEMBERED_MS, most = MOST_KEPT }: Remembering) {
    this.#clock = clock;
    this.#remembers = remembers;
    this.#forMs = forMs;
    this.#most = most;
  }

  of(key: string, ask: () => Promise<T>): Promise<T> {
    if (!this.#remembers) return ask();
    const known = this.known(key);
    if (known) return known;
    const kept = { since: steadily(this.#clock), answer: ask() };
    if (!this.#kept.has(key) && this.#kept.size >= this.#most) this.#kept.delete(this.#kept.keys().next().value!);
    this.#kept.set(key, kept);
    kept.answer.catch(() => this.#kept.get(key) === kept && this.#kept.delete(key));
    return kept.answer;
  }

  /** What is remembered under a key. */
  known(key: string): Promise<T> | undefined {
    const known = this.#kept.get(key);
    return known && steadily(this.#clock) - known.since < this.#forMs ? known.answer : undefined;
  }

  /** Forgets one key, or all. */
  forget(key?: string): void {
    if (key === undefined) this.#kept.clear();
    else this.#kept.delete(key);
  }
}
