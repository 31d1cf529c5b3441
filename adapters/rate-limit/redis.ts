import type { Redis } from "ioredis";
import type { Allowance, Limiter } from "./limiter.ts";

/**
 * One atomic step: forget what left the window, count, and add when there is room. Redis's own clock decides, so that nodes
 * whose clocks differ count alike. Answers {allowed, remaining, resetAt}.
 */
const SCRIPT = `
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local limit, window = tonumber(ARGV[1]), tonumber(ARGV[2])
redis.call('ZREMRANGEBYSCORE', KEYS[1], '-inf', now - window)
local used = redis.call('ZCARD', KEYS[1])
if used >= limit then
  local oldest = redis.call('ZRANGE', KEYS[1], 0, 0, 'WITHSCORES')
  return {0, 0, tonumber(oldest[2]) + window}
end
redis.call('ZADD', KEYS[1], now, time[1] .. '-' .. time[2] .. '-' .. ARGV[3])
redis.call('PEXPIRE', KEYS[1], window)
return {1, limit - used - 1, now + window}
`;

/** The limiter of a mesh: exact over all nodes that share the Redis. Without an answer in time a request passes: the limit protects, it must not be the outage. */
export class RedisLimiter implements Limiter {
  readonly kind = "redis";
  readonly #open: () => Promise<Redis>;
  #redis: Promise<Redis> | undefined;
  #count = 0;
  readonly #name = Math.random().toString(36).slice(2);

  constructor(url: string) {
    this.#open = async () => {
      const { Redis } = await import("ioredis");
      const redis = new Redis(url, { maxRetriesPerRequest: 1, commandTimeout: 500, enableOfflineQueue: true });
      redis.on("error", () => {}); // each call that fails says so itself
      return redis;
    };
  }

  async take(key: string, limit: number, windowMs: number): Promise<Allowance> {
    try {
      const redis = await (this.#redis ??= this.#open());
      const [allowed, remaining, resetAt] = (await redis.eval(SCRIPT, 1, `signalmesh:limit:${key}`, limit, windowMs, `${this.#name}${++this.#count}`)) as [number, number, number];
      return { allowed: allowed === 1, limit, remaining, resetAt };
    } catch {
      return { allowed: true, limit, remaining: limit - 1, resetAt: Date.now() + windowMs };
    }
  }

  async close(): Promise<void> {
    (await this.#redis)?.disconnect();
  }
}
