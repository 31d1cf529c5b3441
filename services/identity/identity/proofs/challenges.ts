import { randomBytes } from "node:crypto";
import { iso } from "../../../../core/clock.ts";
import type { Collection } from "../../../../core/records/documents.ts";
import { sha256 } from "../../../../core/ids.ts";
import { unprocessable } from "../../../../core/problem.ts";
import { removeInSlices } from "../../../../core/records/keeping/retention.ts";

export const PURPOSES = ["register", "validate", "register-prf", "add-mpc-key", "update-mpc-key"] as const;
export type Purpose = (typeof PURPOSES)[number];

/** What a proof of possession is over: who asks, what for, and which DID or key is to be proved. */
export interface PossessionClaim {
  userId: string;
  purpose: Purpose;
  subject: string;
}
export interface Challenge {
  challenge: string;
  message: string;
  expiresAt: string;
}

export const GOOD_FOR_MS = 5 * 60_000;
/** Somebody asks for at most so many in that time: each is stored until it ends. */
export const MOST_CHALLENGES = 200;

/** The text that is signed: a wallet shows it, so it says in words what the signature is for. */
export const messageOf = ({ userId, purpose, subject }: PossessionClaim, challenge: string): string =>
  [
    "Signalmesh asks you to prove that you hold a key.",
    `purpose: ${purpose}`,
    `subject: ${subject}`,
    `account: ${userId}`,
    `challenge: ${challenge}`,
  ].join("\n");

/** What is spent must be the very claim it was given for. */
const fingerprint = ({ userId, purpose, subject }: PossessionClaim): string =>
  sha256(JSON.stringify([userId, purpose, subject]));

/**
 * Challenges for proofs of possession: random, good once and for five minutes, and only for what they were given for.
 */
export class Challenges {
  readonly #kept: Collection;

  constructor(kept: Collection) {
    this.#kept = kept;
  }

  async issue(claim: PossessionClaim, now: number): Promise<Challenge> {
    const challenge = randomBytes(32).toString("base64url");
    const expiresAt = iso(now + GOOD_FOR_MS);
    await this.#kept.insert({ _id: sha256(challenge), claim: fingerprint(claim), expiresAt });
    return { challenge, message: messageOf(claim, challenge), expiresAt };
  }

  /**
   * Uses it up and answers the message that had to be signed. Throws 422 on one that is unknown, used, late, or for
   * something else.
   */
  async spend(claim: PossessionClaim, challenge: string, now: number): Promise<string> {
    const spent = await this.#kept.removeMany({
      _id: sha256(challenge),
      claim: fingerprint(claim),
      expiresAt: { $gt: iso(now) },
    });
    if (!spent)
      throw unprocessable(
        "CHALLENGE_INVALID",
        "This challenge is unknown, used, older than five minutes, or was given for something else; ask for another.",
        [{ path: "challenge", message: "not good for this" }],
      );
    return messageOf(claim, challenge);
  }

  sweep(now: number): Promise<number> {
    return removeInSlices(this.#kept, { expiresAt: { $lte: iso(now) } }, "expiresAt");
  }
}
