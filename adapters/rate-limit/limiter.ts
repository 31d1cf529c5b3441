declare module "../../core/world.ts" {
  interface World {
    limiter: Limiter;
  }
}

/** What a limited call was told. */
export interface Allowance {
  allowed: boolean;
  limit: number;
  /** Requests left in the present window. */
  remaining: number;
  /** When a whole window's worth is free again or, when refused, the next one; milliseconds since the epoch. */
  resetAt: number;
}

/**
 * Counts requests over a sliding window, exactly: in no window of that length are there more than `limit` allowed ones.
 * A refused request does not count.
 */
export interface Limiter {
  readonly kind: "memory" | "redis";
  /** At once where the count is this process's own. */
  take(key: string, limit: number, windowMs: number): Promise<Allowance> | Allowance;
  close(): Promise<void>;
}
