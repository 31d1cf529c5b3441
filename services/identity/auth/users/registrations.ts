import type { Meta } from "../../../../core/access/caller.ts";
import { clientNetwork, widerNetwork } from "../../../../core/access/client-network.ts";
import type { Host } from "../../../../core/contract/endpoint.ts";
import { tooMany } from "../../../../core/problem.ts";

const HOUR_MS = 3_600_000;
/** Whoever floods from one address leaves room for the neighbours; from a whole network they get four times as far. */
const NETWORK_SHARE = 4;

/**
 * Counts the beginning of an account that nobody vouches for, by where it comes from: an hour's worth for an address,
 * four times as many for the network around it. Before the client makes a passkey: none is left that opens nothing.
 * Throws 429.
 */
export async function countRegistration({ world: { limiter, env, clock } }: Host, { address }: Meta): Promise<void> {
  const most = env.REGISTRATIONS_PER_HOUR;
  const bounds = [
    [clientNetwork(address), most],
    [widerNetwork(address), most * NETWORK_SHARE],
  ] as const;
  for (const [from, limit] of bounds) {
    const { allowed, resetAt } = await limiter.take(`${env.NAMESPACE}:registration:${from}`, limit, HOUR_MS);
    const wait = Math.min(Math.max(1_000, resetAt - clock.now()), HOUR_MS);
    if (!allowed) throw tooMany("Too many accounts were begun from there; try again later.", wait / 1_000);
  }
}
