import { z } from "zod";
import { permitsOf } from "../../../../config/roles.ts";
import type { Actor } from "../../../../core/access/access.ts";
import { bare } from "../../../../core/contract/answer.ts";
import { asSystem } from "../../../../core/access/caller.ts";
import { iso } from "../../../../core/clock.ts";
import { endpoint, type Host } from "../../../../core/contract/endpoint.ts";
import { isDiskFull, isUnserved, nullIf } from "../../../../core/problem.ts";
import { authOf, idleMs, type Auth } from "../parts.ts";
import { Passkey } from "../passkeys/passkeys.ts";
import { secretHash, isUnder, lives, seenLongAgo, Session } from "./sessions.ts";
import type { Claims, ProofMethod } from "./tokens.ts";
import { User } from "../users/users.ts";

/** What every credential of an account has in common; null when the account is unknown or closed. */
export type ActorAccount = Pick<Actor, "userId" | "roles" | "permits" | "memberships" | "mode">;

const MESH = asSystem("auth");
const MaybeActor = bare(z.custom<Actor | null>(() => true));

export const actors = {
  /** Whose token this is; asked by gateways. */
  identify: endpoint({
    summary: "Whose token this is",
    permit: "internal",
    body: { credential: z.string(), address: z.string().optional() },
    returns: MaybeActor,
    async handler(ctx) {
      const claims = await authOf(this).tokens.read(ctx.params.credential, this.world.clock.now());
      return claims && actorOfToken(authOf(this), claims);
    },
  }),

  /** Whose session this cookie stands for; asked by gateways. */
  identifySession: endpoint({
    summary: "Whose session this cookie stands for",
    permit: "internal",
    body: { credential: z.string(), address: z.string().optional() },
    returns: MaybeActor,
    async handler(ctx) {
      if (!/^[\w-]{43}$/.test(ctx.params.credential)) return null;
      const session = await this.store(Session).one(MESH, { hash: secretHash(ctx.params.credential) });
      return session && actorOfSession(this, session);
    },
  }),

  actor: endpoint({
    summary: "What an account may do now, or null where it may nothing; asked by whoever vouches for a credential",
    permit: "internal",
    body: { userId: z.string() },
    returns: bare(z.custom<ActorAccount | null>(() => true)),
    async handler(ctx) {
      return accountOf(this, await this.store(User).one(MESH, { _id: ctx.params.userId }));
    },
  }),
};

async function actorOfToken(auth: Auth, claims: Claims): Promise<Actor | null> {
  const { id, proof: means, rev: accountRev } = claims;
  const [user, revoked, ends] = await Promise.all([
    auth.store(User).one(MESH, { _id: claims.userId }),
    auth.revoked.findById(id),
    isPasskeyGone(auth, claims),
  ]);
  if (revoked || ends || (user && !isUnder(user, { id, means, accountRev }))) return null;
  // A token without a revision only tells its time, to the second.
  if (
    accountRev === undefined &&
    user?.tokensFrom &&
    claims.issuedAt < Math.floor(Date.parse(user.tokensFrom) / 1000) * 1000
  )
    return null;
  const account = await accountOf(auth, user);
  return (
    account && {
      ...account,
      via: "jwt",
      credential: claims.id,
      ...(await proved(auth, account.userId, claims.provedAt, claims.proof)),
    }
  );
}

async function actorOfSession(host: Host, session: Session): Promise<Actor | null> {
  const now = host.world.clock.now();
  if (!lives(session, now, idleMs(host))) return null;
  const [user, ends] = await Promise.all([
    host.store(User).one(MESH, { _id: session.userId }),
    isPasskeyGone(host, session),
  ]);
  const account = user && !ends && isUnder(user, session) ? await accountOf(host, user) : null;
  if (!account) return null;
  if (seenLongAgo(session, now, idleMs(host))) await noteSeen(host, session.id, now);
  return {
    ...account,
    via: "session",
    credential: session.id,
    ...(session.provedAt && (await proved(host, account.userId, Date.parse(session.provedAt), session.proof!))),
  };
}

/** Where the disk is full the last use is known less exactly, and reading goes on. */
const noteSeen = (host: Host, _id: string, now: number): Promise<unknown> =>
  host
    .store(Session)
    .bulk([{ update: { _id }, with: { $set: { seenAt: iso(now) } } }])
    .catch(nullIf(isDiskFull));
/** What was begun with a passkey ends with it. */
const isPasskeyGone = async (host: Host, { passkeyId }: { passkeyId?: string | undefined }): Promise<boolean> =>
  passkeyId !== undefined && (await host.store(Passkey).one(MESH, { _id: passkeyId })) === null;

/** Whoever has passkeys is proved by a passkey alone: a password that was stolen does not stand for the person then. */
async function proved(host: Host, userId: string, at: number, proof: ProofMethod): Promise<Pick<Actor, "provedAt">> {
  return proof === "passkey" || !(await hasPasskeys(host, userId)) ? { provedAt: at } : {};
}

export const hasPasskeys = async (host: Host, userId: string): Promise<boolean> =>
  (await host.store(Passkey).one(MESH, { userId })) !== null;

async function accountOf(host: Host, user: User | null): Promise<ActorAccount | null> {
  if (!user?.active) return null;
  // Until its address is confirmed it is nobody's: no role, here or in any problem set.
  if (!user.email) return { userId: user.id, roles: [], permits: [] };
  // A mesh without that area knows nothing of it: no mode, no membership. Any other failure refuses the credential.
  const mode = await host.ask<Actor["mode"] | null>("user-mode.of", { userId: user.id }).catch(nullIf(isUnserved));
  const memberships = await host.rolls.of({ userId: user.id, training: mode === "training" }).catch(nullIf(isUnserved));
  return {
    userId: user.id,
    roles: [user.role],
    permits: permitsOf([user.role]),
    ...(mode && { mode }),
    ...(memberships && { memberships }),
  };
}
