/** How long after it was last late something counts as free again, in milliseconds. */
const CALM_MS = 1_000;

/**
 * Whether something is late again and again: once is a burst, for a while it is a queue that stands (RFC 8289, 3.1).
 */
export class Strain {
  readonly #standingMs: number;
  #stands = false;
  #since = 0;
  #last = 0;

  /** Being late for this many milliseconds without a break means that a queue stands. */
  constructor(standingMs: number) {
    this.#standingMs = standingMs;
  }

  get stands(): boolean {
    return this.#stands;
  }

  /** Notes what was seen at this moment (`performance.now`). It stands until it was calm for a second, and `mayEnd`. */
  note(isLate: boolean, now: number, mayEnd = true): void {
    if (!isLate) {
      this.#since = 0;
      if (mayEnd && now - this.#last > CALM_MS) this.#stands = false;
      return;
    }
    this.#last = now;
    if (!this.#since) this.#since = now;
    else if (now - this.#since >= this.#standingMs) this.#stands = true;
  }

  /** Nothing was seen lately. */
  forget(): void {
    this.#since = 0;
  }

  end(): void {
    this.forget();
    this.#stands = false;
  }
}
