import type { Clock } from "../../core/clock.ts";
import type { Limiter } from "./limiter.ts";
import { MemoryLimiter } from "./memory.ts";
import { RedisLimiter } from "./redis.ts";

/** Redis's where there is one, so that all nodes count together; else this process's own. */
export const openLimiter = ({
  redisUrl,
  clock,
  namespace,
}: {
  redisUrl?: string;
  clock: Clock;
  namespace: string;
}): Limiter => (redisUrl ? new RedisLimiter(redisUrl, { clock, namespace }) : new MemoryLimiter(clock));
