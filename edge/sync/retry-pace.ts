/** When a node asks its hub again. */
export interface RetryPace {
  /** Between two rounds that went well, in ms. */
  everyMs: number;
  /** After the first failure, in ms; twice as long after each further one. */
  firstMs: number;
  mostMs: number;
}
export const PACE: RetryPace = { everyMs: 5_000, firstMs: 1_000, mostMs: 5 * 60_000 };

/**
 * Milliseconds until the next round. Half of it is left to chance, so that nodes that were cut off together do not come
 * back together; what the hub asked for (`Retry-After`) is waited at least.
 */
export function pause(failures: number, random: number, pace: RetryPace = PACE, askedMs = 0): number {
  const whole = failures ? Math.min(pace.mostMs, pace.firstMs * 2 ** Math.min(failures - 1, 40)) : pace.everyMs;
  return Math.max(askedMs, whole * (0.5 + random / 2));
}
