declare module "../../core/world.ts" {
  interface World {
    limiter: Limiter;
  }
}

/** The limiter's answer to a call. */
export interface Allowance {
  allowed: boolean;
  limit: number;
  /** Requests left in the present window. */
  remaining: number;
  /**
   * When the whole window is free again or, after a refusal, the next request is allowed; milliseconds since the epoch.
   */
  resetAt: number;
}

/**
 * Counts requests over a sliding window, exactly: no window of that length has more than `limit` allowed ones. A
 * refused request does not count.
 */
export interface Limiter {
  readonly kind: "memory" | "redis";
  /** Synchronous where the count is this process's own. */
  take(key: string, limit: number, windowMs: number): Promise<Allowance> | Allowance;
  close(): Promise<void>;
}
