import type { Redis } from "ioredis";
import { steadily, systemClock, type Clock } from "../../core/clock.ts";
import { newId } from "../../core/ids.ts";
import { inTime } from "../../core/work/in-time.ts";
import type { Allowance, Limiter } from "./limiter.ts";
import { MemoryLimiter } from "./memory.ts";

/**
 * One atomic step: remove what left the window, count, and add if there is room. Redis's own clock decides, so that
 * nodes with different clocks count alike; an entry from the future, written before that clock was set back, counts as
 * of now. Answers {allowed, remaining, wait}.
 */
const SCRIPT = `
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000) + ARGV[4]
local limit, window = tonumber(ARGV[1]), tonumber(ARGV[2])
redis.call('ZREMRANGEBYSCORE', KEYS[1], '-inf', now - window)
for _, ahead in ipairs(redis.call('ZRANGEBYSCORE', KEYS[1], '(' .. now, '+inf')) do redis.call('ZADD', KEYS[1], now, ahead) end
local used = redis.call('ZCARD', KEYS[1])
if used >= limit then
  local oldest = redis.call('ZRANGE', KEYS[1], 0, 0, 'WITHSCORES')
  return {0, 0, tonumber(oldest[2]) + window - now}
end
redis.call('ZADD', KEYS[1], now, time[1] .. '-' .. time[2] .. '-' .. ARGV[3])
redis.call('PEXPIRE', KEYS[1], window)
return {1, limit - used - 1, window}
`;

const ANSWER_MS = 500;
/** After this, a question without a waiting caller is dropped. */
const FORGET_MS = 5_000;
/** After a failure Redis is not asked for this long: requests must not wait for it one by one. */
const AWAY_MS = 1_000;

/**
 * The limiter of a mesh: exact over all nodes that share the Redis. While Redis is away each node counts by itself,
 * including what it allowed before: the limit must neither cause an outage, nor be granted twice where a busy Redis
 * answers late.
 */
export class RedisLimiter implements Limiter {
  readonly kind = "redis";
  readonly #open: () => Promise<Redis>;
  readonly #prefix: string;
  readonly #alone: MemoryLimiter;
  readonly #clock: Clock;
  #redis: Promise<Redis> | undefined;
  #awayUntil = Number.NEGATIVE_INFINITY;
  #count = 0;
  readonly #name = newId();

  constructor(
    url: string,
    { clock = systemClock, namespace = "signalmesh" }: { clock?: Clock; namespace?: string } = {},
  ) {
    this.#clock = clock;
    this.#alone = new MemoryLimiter(clock);
    this.#prefix = `${namespace}:limit:`;
    this.#open = async () => {
      const { Redis } = await import("ioredis");
      const redis = new Redis(url, {
        maxRetriesPerRequest: 1,
        commandTimeout: FORGET_MS,
        enableOfflineQueue: true,
        disconnectTimeout: 100,
        retryStrategy: (times) => Math.min(times * 100, AWAY_MS),
      });
      redis.on("error", () => {}); // each call that fails says so itself
      return redis;
    };
  }

  async take(key: string, limit: number, windowMs: number): Promise<Allowance> {
    if (steadily(this.#clock) < this.#awayUntil) return this.#alone.take(key, limit, windowMs);
    try {
      const redis = await (this.#redis ??= this.#open());
      const [allowed, remaining, wait] = (await inTime(
        redis.eval(SCRIPT, 1, this.#prefix + key, limit, windowMs, `${this.#name}${++this.#count}`, this.#ahead()),
        ANSWER_MS,
        "Redis does not answer.",
      )) as [number, number, number];
      const own = allowed === 1 ? this.#alone.take(key, limit, windowMs) : undefined;
      return own?.allowed === false
        ? own
        : { allowed: allowed === 1, limit, remaining, resetAt: this.#clock.now() + wait };
    } catch {
      this.#awayUntil = steadily(this.#clock) + AWAY_MS;
      return this.#alone.take(key, limit, windowMs);
    }
  }

  /** By how many whole seconds a simulated clock is ahead of this machine's: 0 for the real one. */
  #ahead(): number {
    return Math.round((this.#clock.now() - Date.now()) / 1_000) * 1_000;
  }

  async close(): Promise<void> {
    (await this.#redis)?.disconnect();
    await this.#alone.close();
  }
}
