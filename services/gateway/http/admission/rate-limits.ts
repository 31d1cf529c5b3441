import type { ServerResponse } from "node:http";
import type { Allowance, Limiter } from "../../../../adapters/rate-limit/limiter.ts";
import type { Env } from "../../../../config/env.ts";
import { clientNetwork } from "../../../../core/access/client-network.ts";
import type { Actor } from "../../../../core/access/access.ts";
import type { Clock } from "../../../../core/clock.ts";
import { tooMany } from "../../../../core/problem.ts";
import { noteHeaders } from "../respond.ts";

const MINUTE_MS = 60_000;

/**
 * Document 1, Limits: by default 100 a minute for each API key; in production 60 for every credential and address; in
 * development none. In production all credentials of a person share one count: five tokens allow no more than one.
 */
const TIERS = {
  default: { key: 100, other: undefined },
  production: { key: 60, other: 60 },
  development: { key: undefined, other: undefined },
} as const satisfies Record<Env["RATE_LIMIT_TIER"], { key?: number; other?: number }>;

export type RateLimits = Pick<Env, "RATE_LIMIT_TIER" | "RATE_LIMIT_BROWSER">;

/**
 * Counts a request against its key or person, or against its address if it has neither, and reports it in the headers.
 * Throws 429; synchronous where the limiter is.
 */
export function countRequest(
  limiter: Limiter,
  { RATE_LIMIT_TIER: tier, RATE_LIMIT_BROWSER: inBrowser }: RateLimits,
  actor: Actor | undefined,
  addressOf: () => string | undefined,
  res: ServerResponse,
  clock: Clock,
): Promise<void> | undefined {
  if (tier === "production" && inBrowser !== undefined && actor?.via === "session")
    return counted(limiter.take(`browser:${actor.userId}`, inBrowser, MINUTE_MS), res, clock);
  const limit = actor?.via === "key" ? TIERS[tier].key : TIERS[tier].other;
  if (limit === undefined) return undefined;
  // An existing string: the engine has already hashed it, and would have to hash a new one.
  const whose = actor
    ? (tier === "default" && actor.credential) || actor.userId
    : `address:${clientNetwork(addressOf())}`;
  return counted(limiter.take(whose, limit, MINUTE_MS), res, clock);
}

function counted(
  allowance: Promise<Allowance> | Allowance,
  res: ServerResponse,
  clock: Clock,
): Promise<void> | undefined {
  if (allowance instanceof Promise) return allowance.then((given) => tell(given, res, clock));
  tell(allowance, res, clock);
  return undefined;
}

function tell({ allowed, limit, remaining, resetAt }: Allowance, res: ServerResponse, clock: Clock): void {
  noteHeaders(res, [
    "X-RateLimit-Limit",
    String(limit),
    "X-RateLimit-Remaining",
    String(remaining),
    "X-RateLimit-Reset",
    String(Math.ceil(resetAt / 1_000)),
  ]);
  if (!allowed) throw tooMany("Rate limit exceeded", Math.max(1, Math.ceil((resetAt - clock.now()) / 1_000)));
}
