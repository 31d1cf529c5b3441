import { steadily, type Clock } from "../../core/clock.ts";
import type { Allowance, Limiter } from "./limiter.ts";

/**
 * The times of the allowed requests of the present window, at most `limit` of them: `used` places from `first` on,
 * oldest first.
 */
interface Ring {
  times: Float64Array;
  first: number;
  used: number;
  windowMs: number;
}

const SWEEP_AT = 10_000;

/**
 * The limiter of one process: a ring of times for each key. Each time leaves the window once, so that a request costs
 * two looks into its ring.
 */
export class MemoryLimiter implements Limiter {
  readonly kind = "memory";
  readonly #rings = new Map<string, Ring>();
  readonly #clock: Clock;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  take(key: string, limit: number, windowMs: number): Allowance {
    const now = steadily(this.#clock);
    let ring = this.#rings.get(key);
    if (!ring || ring.times.length !== limit) {
      if (this.#rings.size >= SWEEP_AT) this.#sweep(now);
      this.#rings.set(key, (ring = { times: new Float64Array(limit), first: 0, used: 0, windowMs }));
    }
    const { times } = ring;
    while (ring.used > 0 && times[ring.first]! <= now - windowMs) {
      ring.first = (ring.first + 1) % limit;
      ring.used--;
    }
    const allowed = ring.used < limit;
    if (allowed) times[(ring.first + ring.used++) % limit] = now;
    return {
      allowed,
      limit,
      remaining: limit - ring.used,
      resetAt: this.#clock.now() + windowMs - (allowed ? 0 : now - times[ring.first]!),
    };
  }

  #sweep(now: number): void {
    for (const [key, { times, first, used, windowMs }] of this.#rings)
      if (!used || times[(first + used - 1) % times.length]! <= now - windowMs) this.#rings.delete(key);
  }

  close(): Promise<void> {
    this.#rings.clear();
    return Promise.resolve();
  }
}
