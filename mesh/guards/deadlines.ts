import { AsyncLocalStorage } from "node:async_hooks";
import { Link } from "../../core/load/ring.ts";

/** What has a time to be over by; it leaves when it is over in time. */
export abstract class Expiring extends Link {
  abstract lapse(): void;
}

/**
 * Deadlines of a second and more are kept to within a quarter of one: a timer for each call would be felt in a cheap
 * one.
 */
const SLOT_MS = 250;
const EXACT_BELOW_MS = 1_000;
/**
 * A timer that many share belongs to none of them: it must neither run under the lease of the call that happened to
 * come first, nor keep in memory what that call held.
 */
const inNobodysContext = AsyncLocalStorage.snapshot();

/** Tells what is not over in time; many share a timer. */
export class Deadlines {
  readonly #slots = new Map<number, Link>();
  /** Where the last one was put: most have the same time to go. */
  #last: { at: number; ring: Link } | undefined;

  /** `lapse` is called once, no sooner than after so many milliseconds, unless it left before. */
  set(one: Expiring, milliseconds: number): void {
    if (milliseconds < EXACT_BELOW_MS) one.join(this.#ring(milliseconds));
    else one.join(this.#slot(Math.ceil((performance.now() + milliseconds) / SLOT_MS)));
  }

  #slot(at: number): Link {
    if (this.#last?.at === at) return this.#last.ring;
    let ring = this.#slots.get(at);
    if (!ring) this.#slots.set(at, (ring = this.#ring(at * SLOT_MS - performance.now(), () => this.#slots.delete(at))));
    this.#last = { at, ring };
    return ring;
  }

  #ring(milliseconds: number, ended?: () => void): Link {
    const ring = new Link();
    const lapseAll = (): void => {
      ended?.();
      if (this.#last?.ring === ring) this.#last = undefined;
      while (!ring.isAlone) {
        const one = ring.after as Expiring;
        one.leave();
        one.lapse();
      }
    };
    // Whatever is waited for keeps the process alive by itself.
    inNobodysContext(() => setTimeout(lapseAll, milliseconds).unref());
    return ring;
  }
}
