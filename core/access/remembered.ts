import { steadily, type Clock } from "../clock.ts";

/** After this long, a change by another process that nobody announced takes effect. */
export const REMEMBERED_MS = 5_000;
const MOST_KEPT = 20_000;

/**
 * Remembers what is asked about a person with every request and seldom changes: concurrent callers share one question,
 * and a hint of a change drops the answer. In a mesh of several nodes that hint may come later than the next request,
 * so there nothing is remembered.
 */
export class Remembered<T> {
  readonly #clock: Clock;
  readonly #remembers: boolean;
  readonly #kept = new Map<string, { since: number; answer: Promise<T> }>();

  constructor(clock: Clock, { remembers }: { remembers: boolean }) {
    this.#clock = clock;
    this.#remembers = remembers;
  }

  of(userId: string, ask: () => Promise<T>): Promise<T> {
    if (!this.#remembers) return ask();
    const known = this.known(userId);
    if (known) return known;
    const kept = { since: steadily(this.#clock), answer: ask() };
    if (!this.#kept.has(userId) && this.#kept.size >= MOST_KEPT) this.#kept.delete(this.#kept.keys().next().value!);
    this.#kept.set(userId, kept);
    kept.answer.catch(() => this.#kept.get(userId) === kept && this.#kept.delete(userId));
    return kept.answer;
  }

  /** What is remembered of somebody. */
  known(userId: string): Promise<T> | undefined {
    const known = this.#kept.get(userId);
    return known && steadily(this.#clock) - known.since < REMEMBERED_MS ? known.answer : undefined;
  }

  /** Forgets one person, or everybody. */
  forget(userId?: string): void {
    if (userId === undefined) this.#kept.clear();
    else this.#kept.delete(userId);
  }
}
