import { steadily, type Clock } from "../clock.ts";

/** How long: by then what another process changed, of which nobody told, is felt. */
export const REMEMBERED_MS = 5_000;
const MOST_KEPT = 20_000;

/**
 * What is asked of a person with every request, and seldom changes: asked once for all who ask meanwhile, and forgotten
 * as soon as something is said to have changed about them. Where several nodes make a mesh, that may be heard later here
 * than by whoever asks: nothing is remembered there.
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
    const now = steadily(this.#clock);
    const known = this.#kept.get(userId);
    if (known && now - known.since < REMEMBERED_MS) return known.answer;
    const kept = { since: now, answer: ask() };
    if (!known && this.#kept.size >= MOST_KEPT) this.#kept.delete(this.#kept.keys().next().value!);
    this.#kept.set(userId, kept);
    kept.answer.catch(() => this.#kept.get(userId) === kept && this.#kept.delete(userId));
    return kept.answer;
  }

  /** Forgets one person, or everybody. */
  forget(userId?: string): void {
    if (userId === undefined) this.#kept.clear();
    else this.#kept.delete(userId);
  }
}
