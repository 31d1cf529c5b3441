import { randomBytes } from "node:crypto";
import { z } from "zod";
import { SKEW_MS } from "../../../../core/clock.ts";
import { entity, Instant, TextId, type Item } from "../../../../core/records/entity.ts";
import { sha256 } from "../../../../core/ids.ts";
import { Self, type User } from "../users/users.ts";

/** Decisions, "Who may do what": seven days in all. */
export const SESSION_MS = 7 * 86_400_000;
/** How exactly the last use is known: a session in steady use is written once in this time, not once a request. */
const SEEN_EVERY_MS = 60_000;

export const Means = z.enum(["password", "passkey", "magic-link", "recovery", "oidc"]);
export type Means = z.output<typeof Means>;

/**
 * A sign-in that lasts: a browser's, known by its cookie, or a token's, known by its `jti`, which is the record's id.
 */
export const Session = entity("sessions", {
  title: "session",
  fields: {
    userId: TextId,
    kind: z.enum(["cookie", "token"]),
    means: Means.describe("How the person signed in."),
    /** Revision of the account that the person was compared with. */
    accountRev: z.int().optional(),
    /** SHA-256 of the cookie's value: 256 random bits need no slow hash, and a stolen database opens nothing. */
    hash: z.string().optional(),
    seenAt: Instant.describe("Last use, to the minute."),
    endsAt: Instant,
    /** When the person last proved who they are; a mailed link proves a mailbox, no person. */
    provedAt: Instant.optional(),
    /** What the proof was made with; an account that has passkeys is proved by them alone. */
    proof: z.enum(["password", "passkey"]).optional(),
    /** The passkey it was begun with; it ends with it. */
    passkeyId: TextId.optional(),
    agent: z.string().max(300).optional().describe("What the browser or program calls itself."),
    address: z.string().max(64).optional().describe("Where the sign-in came from."),
  },
  readonly: [
    "userId",
    "kind",
    "means",
    "accountRev",
    "hash",
    "seenAt",
    "endsAt",
    "provedAt",
    "proof",
    "passkeyId",
    "agent",
    "address",
  ],
  hidden: ["hash", "accountRev"],
  indexes: [
    { fields: ["hash"], unique: true, sparse: true },
    { fields: ["userId", "-createdAt"] },
    { fields: ["endsAt"] },
    { fields: ["kind", "seenAt"] },
  ],
});
export type Session = Item<typeof Session>;

/** A session as its owner sees it. */
export const SessionView = Session.view
  .pick({ id: true, kind: true, means: true, createdAt: true, seenAt: true, endsAt: true, agent: true, address: true })
  .extend({ current: z.boolean().describe("Whether this request came with it.") })
  .meta({ id: "Session" });

/** The answer to a sign-in that started a session. */
export const SignedIn = z.object({ user: Self, session: SessionView }).meta({ id: "SignIn" });

export const mintSecret = (): string => randomBytes(32).toString("base64url");
export const secretHash = (secret: string): string => sha256(`session ${secret}`);

/** Whether a session can still be used: inside its seven days, and not idle for too long. */
export const lives = (session: Pick<Session, "seenAt" | "endsAt">, now: number, idleMs: number): boolean =>
  now < Date.parse(session.endsAt) && now - Date.parse(session.seenAt) < idleMs;

/** Whether a sign-in was made under the account as it stands, rather than before a change that ended its like. */
export function isUnder(
  { signInsFrom = {}, signInKept }: Pick<User, "signInsFrom" | "signInKept">,
  { id, means, accountRev = 0 }: Pick<Session, "id" | "means" | "accountRev">,
): boolean {
  const ofItsMeans = means === "password" || means === "oidc" ? (signInsFrom[means] ?? 0) : 0;
  return (id === signInKept || accountRev >= (signInsFrom.any ?? 0)) && accountRev >= ofItsMeans;
}

/** Whether the last use must be written down again: it is long ago, or later than now, where the clock was set back. */
export const seenLongAgo = (session: Pick<Session, "seenAt">, now: number, idleMs: number): boolean => {
  const ago = now - Date.parse(session.seenAt);
  return ago >= Math.min(SEEN_EVERY_MS, idleMs / 10) || ago < -SKEW_MS;
};
