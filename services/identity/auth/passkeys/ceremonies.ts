import { randomBytes } from "node:crypto";
import type { Meta } from "../../../../core/access/caller.ts";
import { clientNetwork } from "../../../../core/access/client-network.ts";
import { iso } from "../../../../core/clock.ts";
import { sha256 } from "../../../../core/ids.ts";
import { tooMany } from "../../../../core/problem.ts";
import { originFor, type Auth } from "../parts.ts";

/**
 * WebAuthn Level 3 §13.4.3: challenges are random, single use and short-lived; five minutes is what the specification
 * recommends a ceremony to take.
 */
export const CEREMONY_MS = 5 * 60_000;

/** What a challenge was made for; its answer counts for this and nothing else. */
export type Ceremony =
  | { purpose: "register"; how: "registered"; userId: string; email: string; name?: string; passkeyName?: string }
  | { purpose: "register"; how: "added"; userId: string; credential: string; passkeyName?: string }
  | { purpose: "register"; how: "recovered"; userId: string; passkeyName?: string; forgetOthers: boolean }
  | { purpose: "login"; email?: string }
  | { purpose: "step-up"; userId: string; credential: string };

const keyOf = (challenge: string): string => sha256(`challenge ${challenge}`);

/**
 * Ceremonies that may be begun from one place while the first of them is under way: anybody may begin one, and each is
 * stored.
 */
const MOST_BEGUN = 1_000;

/** Counts a ceremony that is about to be stored. Throws 429. */
export async function countCeremony({ world: { limiter, env, clock } }: Auth, meta: Meta): Promise<void> {
  const { allowed, resetAt } = await limiter.take(
    `${env.NAMESPACE}:ceremony:${clientNetwork(meta.address)}`,
    MOST_BEGUN,
    CEREMONY_MS,
  );
  if (!allowed)
    throw tooMany(
      "Too many sign-ins were begun from there; wait a little.",
      Math.max(1, (resetAt - clock.now()) / 1000),
    );
}

/** Stores a new challenge with what it is for, so that any node can check the answer; answers its bytes. Throws 429. */
export async function openCeremony(auth: Auth, meta: Meta, ceremony: Ceremony): Promise<Uint8Array<ArrayBuffer>> {
  await countCeremony(auth, meta);
  const challenge = new Uint8Array(randomBytes(32));
  const expiresAt = iso(auth.world.clock.now() + CEREMONY_MS);
  await auth.ceremonies.insert({ _id: keyOf(Buffer.from(challenge).toString("base64url")), ceremony, expiresAt });
  return challenge;
}

export interface Answered<P extends Ceremony["purpose"]> {
  challenge: string;
  ceremony: Extract<Ceremony, { purpose: P }>;
}

/**
 * Takes the ceremony that a client's answer belongs to out of the store, whether the answer turns out good or not; null
 * where there is none of that purpose, or no longer.
 */
export async function closeCeremony<P extends Ceremony["purpose"]>(
  auth: Auth,
  purpose: P,
  clientDataJSON: string,
): Promise<Answered<P> | null> {
  const challenge = challengeIn(clientDataJSON);
  const kept = challenge && (await auth.ceremonies.removeById(keyOf(challenge)));
  if (!kept || kept["expiresAt"] <= iso(auth.world.clock.now())) return null;
  const ceremony = kept["ceremony"] as Ceremony;
  return ceremony.purpose === purpose ? { challenge, ceremony: ceremony as Extract<Ceremony, { purpose: P }> } : null;
}

function challengeIn(clientDataJSON: string): string | undefined {
  try {
    const { challenge } = JSON.parse(Buffer.from(clientDataJSON, "base64url").toString()) as { challenge?: unknown };
    return typeof challenge === "string" ? challenge : undefined;
  } catch {
    return undefined;
  }
}

/** The relying party's id and origin: from the settings, or the gateway's own address. */
export function relyingParty(auth: Auth, meta: Meta): { rpID: string; origin: string } {
  const origin = originFor(auth, meta);
  return { rpID: new URL(origin).hostname, origin };
}
