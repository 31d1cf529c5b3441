import type { Clock } from "../../core/clock.ts";
import type { Allowance, Limiter } from "./limiter.ts";

/** The times of the last `limit` allowed requests, oldest overwritten first. */
interface Ring { times: Float64Array; next: number; windowMs: number }

const SWEEP_AT = 10_000;

/** The limiter of one process: a ring of times for each key, so that a request costs a comparison and a binary search. */
export class MemoryLimiter implements Limiter {
  readonly kind = "memory";
  readonly #rings = new Map<string, Ring>();
  readonly #clock: Clock;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  take(key: string, limit: number, windowMs: number): Allowance {
    const now = this.#clock.now();
    let ring = this.#rings.get(key);
    if (!ring || ring.times.length !== limit) {
      if (this.#rings.size >= SWEEP_AT) this.#sweep(now);
      this.#rings.set(key, (ring = { times: new Float64Array(limit).fill(Number.NEGATIVE_INFINITY), next: 0, windowMs }));
    }
    const oldest = ring.times[ring.next]!;
    const allowed = oldest <= now - windowMs;
    if (allowed) {
      ring.times[ring.next] = now;
      ring.next = (ring.next + 1) % limit;
    }
    const used = countAfter(ring, now - windowMs);
    const newest = ring.times[(ring.next + limit - 1) % limit]!;
    return { allowed, limit, remaining: limit - used, resetAt: allowed ? newest + windowMs : oldest + windowMs };
  }

  #sweep(now: number): void {
    for (const [key, { times, next, windowMs }] of this.#rings) if (times[(next + times.length - 1) % times.length]! <= now - windowMs) this.#rings.delete(key);
  }

  close(): Promise<void> {
    this.#rings.clear();
    return Promise.resolve();
  }
}

/** How many of the ring's times lie after the bound; they rise from `next` on. */
function countAfter({ times, next }: Ring, bound: number): number {
  let low = 0, high = times.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (times[(next + middle) % times.length]! > bound) high = middle;
    else low = middle + 1;
  }
  return times.length - low;
}
