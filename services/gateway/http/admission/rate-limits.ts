import type { ServerResponse } from "node:http";
import type { Allowance, Limiter } from "../../../../adapters/rate-limit/limiter.ts";
import type { Env } from "../../../../config/env.ts";
import { clientNetwork } from "../../../../core/access/client-network.ts";
import type { Actor } from "../../../../core/access/access.ts";
import type { Clock } from "../../../../core/clock.ts";
import { tooMany } from "../../../../core/problem.ts";
import { owe } from "../respond.ts";

const MINUTE_MS = 60_000;

/**
 * Document 1, Limits: 100 a minute for each API key by default; 60 for every credential and address in production; none
 * in development. In production the credentials of one person share: who makes five tokens asks no more than with one.
 */
const TIERS = {
  default: { key: 100, other: undefined },
  production: { key: 60, other: 60 },
  development: { key: undefined, other: undefined },
} as const satisfies Record<Env["RATE_LIMIT_TIER"], { key?: number; other?: number }>;

/**
 * Counts a request against its key or person, or its address where it has none, and says so in the headers. Throws 429;
 * at once where the limiter answers at once.
 */
export function countRequest(
  limiter: Limiter,
  tier: Env["RATE_LIMIT_TIER"],
  actor: Actor | undefined,
  addressOf: () => string | undefined,
  res: ServerResponse,
  clock: Clock,
): Promise<void> | undefined {
  const limit = actor?.via === "key" ? TIERS[tier].key : TIERS[tier].other;
  if (limit === undefined) return undefined;
  // A name as it stands: its hash is known to the engine, which a name put together here has to be read through for.
  const whose = actor
    ? (tier === "default" && actor.credential) || actor.userId
    : `address:${clientNetwork(addressOf())}`;
  const allowance = limiter.take(whose, limit, MINUTE_MS);
  if (allowance instanceof Promise) return allowance.then((given) => tell(given, res, clock));
  tell(allowance, res, clock);
  return undefined;
}

function tell({ allowed, limit, remaining, resetAt }: Allowance, res: ServerResponse, clock: Clock): void {
  owe(res, [
    "X-RateLimit-Limit",
    String(limit),
    "X-RateLimit-Remaining",
    String(remaining),
    "X-RateLimit-Reset",
    String(Math.ceil(resetAt / 1_000)),
  ]);
  if (!allowed) throw tooMany("Rate limit exceeded", Math.max(1, Math.ceil((resetAt - clock.now()) / 1_000)));
}
