import { z } from "zod";
import { data, nothing } from "../../../../core/contract/answer.ts";
import { asSystem, type Ctx } from "../../../../core/access/caller.ts";
import { MODES } from "../../../../core/access/training-mode.ts";
import { iso } from "../../../../core/clock.ts";
import { endpoint, type Host } from "../../../../core/contract/endpoint.ts";
import { Instant, TextId } from "../../../../core/records/entity.ts";
import { setCookie } from "../../../../core/access/origin.ts";
import { conflict, notFound } from "../../../../core/problem.ts";
import { answerWith, authOf, idleMs, noteAccount, originFor, personOf } from "../parts.ts";
import { secretHash, isUnder, lives, mintSecret, Session, SESSION_MS, SessionView, type Means } from "./sessions.ts";
import { TOKEN_SECONDS, type ProofMethod, type SessionToken } from "./tokens.ts";
import { Self, User } from "../users/users.ts";
import { AccessChanged } from "../events.ts";

const MESH = asSystem("auth");

/** What a sign-in proved: a password or a passkey prove the person, a mailed link or a provider's word do not. */
const proofOf = (means: Means, now: number) =>
  means === "password" || means === "passkey" ? { provedAt: iso(now), proof: means } : {};

const whereFrom = ({ meta }: Ctx<unknown>) => ({
  ...(meta.agent && { agent: meta.agent }),
  ...(meta.address && { address: meta.address }),
});

/** An account as it was read when the person was compared with it. */
type Compared = Pick<User, "id" | "rev">;

/**
 * Starts a session for the browser of this request and hands it the cookie. Always a new secret: a cookie that came
 * along is never adopted, and the session it stood for ends (no fixation). What it is begun under is the account that
 * the person was compared with, and no later one.
 */
export async function startSession(
  host: Host,
  ctx: Ctx<unknown>,
  { id: userId, rev }: Compared,
  means: Means,
  passkeyId?: string,
): Promise<Session> {
  const now = host.world.clock.now();
  const { actor } = ctx.meta;
  if (actor?.via === "session" && actor.credential)
    await endSessions(host, ctx, actor.userId, { _id: actor.credential });
  noteAccount(ctx, userId);
  const secret = mintSecret();
  const session = await host.store(Session).create(MESH, {
    userId,
    kind: "cookie",
    means,
    accountRev: rev,
    hash: secretHash(secret),
    seenAt: iso(now),
    endsAt: iso(now + SESSION_MS),
    ...(passkeyId && { passkeyId }),
    ...proofOf(means, now),
    ...whereFrom(ctx),
  });
  answerWith(ctx, { "Set-Cookie": setCookie(originFor(host, ctx.meta), secret, SESSION_MS / 1000) });
  return session;
}

/**
 * Issues a token and notes it among the account's sessions, so that its owner sees it and can end it. Begun under what
 * a session is.
 */
export async function startToken(
  host: Host,
  ctx: Ctx<unknown>,
  { id: userId, rev }: Compared,
  proof: ProofMethod,
  passkeyId?: string,
): Promise<SessionToken> {
  const now = host.world.clock.now();
  const token = await authOf(host).tokens.issue(userId, now, proof, { rev, passkeyId });
  noteAccount(ctx, userId);
  await host.store(Session).create(MESH, {
    id: token.id,
    userId,
    kind: "token",
    means: proof,
    accountRev: rev,
    seenAt: iso(now),
    endsAt: token.expiresAt,
    ...(passkeyId && { passkeyId }),
    ...proofOf(proof, now),
    ...whereFrom(ctx),
  });
  return token;
}

/** After a fresh proof: the session goes on under a new secret, so that one stolen before is worth nothing now. */
export async function proveSession(host: Host, ctx: Ctx<unknown>, id: string): Promise<Session> {
  const now = host.world.clock.now();
  const secret = mintSecret();
  const session = await host
    .store(Session)
    .amend(MESH, id, () => ({ hash: secretHash(secret), seenAt: iso(now), provedAt: iso(now), proof: "passkey" }));
  answerWith(ctx, {
    "Set-Cookie": setCookie(originFor(host, ctx.meta), secret, Math.floor((Date.parse(session!.endsAt) - now) / 1000)),
  });
  await AccessChanged.emit(ctx, { userId: session!.userId });
  return session!;
}

/**
 * Ends sessions of an account and says so to the mesh: gateways forget them, sockets are closed. Answers how many there
 * were.
 */
export async function endSessions(
  host: Host,
  ctx: Ctx<unknown>,
  userId: string,
  which: Record<string, unknown> = {},
): Promise<number> {
  const found = await host.store(Session).find(MESH, { ...which, userId }, { fields: ["kind", "endsAt"] });
  await revoke(
    host,
    found.filter(({ kind }) => kind === "token").map(({ id }) => id),
  );
  await host.store(Session).bulk(found.map(({ id }) => ({ remove: { _id: id } })));
  await AccessChanged.emit(ctx, { userId });
  return found.length;
}

/** Most sessions that one write removes. */
const MOST_FORGOTTEN = 500;

/**
 * Removes sessions and tokens that expired or were idle for too long, and tells the mesh, since sockets may still be
 * open under them.
 */
export async function forgetSessions(host: Host): Promise<void> {
  const now = host.world.clock.now();
  const lapsed = [{ endsAt: { $lte: iso(now) } }, { kind: "cookie", seenAt: { $lte: iso(now - idleMs(host)) } }];
  for (const query of lapsed) {
    for (let more = true; more;) {
      const found = await host.store(Session).find(MESH, query, { fields: ["userId"], limit: MOST_FORGOTTEN });
      await host.store(Session).bulk(found.map(({ id }) => ({ remove: { _id: id } })));
      for (const userId of new Set(found.map((session) => session.userId))) await AccessChanged.emit(host, { userId });
      more = found.length === MOST_FORGOTTEN;
    }
  }
}

/** A token is good by its signature alone, so its end is written down until it would have ended by itself. */
async function revoke(host: Host, ids: readonly string[]): Promise<void> {
  const expiresAt = iso(host.world.clock.now() + TOKEN_SECONDS * 1000 + 86_400_000);
  await authOf(host).revoked.bulk(ids.map((_id) => ({ update: { _id }, with: { $set: { expiresAt } }, upsert: true })));
}

const credentialOf = (ctx: Ctx<unknown>): string => {
  const { credential, via } = ctx.meta.actor!;
  if (!credential || via === "key") throw conflict("An API key is ended by revoking it.");
  return credential;
};

/** Takes the cookie away, and what the browser keeps of earlier answers: others may sit there next. */
const leaveBrowser = (host: Host, ctx: Ctx<unknown>): void =>
  answerWith(ctx, { "Set-Cookie": setCookie(originFor(host, ctx.meta), null), "Clear-Site-Data": '"cache"' });

const Present = z
  .object({
    user: Self.optional().describe("Absent where `AUTH=off` lets everybody in."),
    via: z.string(),
    session: SessionView.optional().describe("Absent where an API key asks."),
    provedAt: Instant.optional().describe(
      "When you last proved your identity; some acts require this within the last five minutes.",
    ),
    mode: z.enum(MODES),
    did: z.string().optional().describe("The DID of yours that the request claims by `X-DID`; absent without it."),
  })
  .meta({ id: "CurrentSession" });

const Caller = z.object({
  userId: z.string(),
  roles: z.array(z.string()),
  permits: z.array(z.string()).describe("What the account may do outside all problem sets; `*` stands for anything."),
  limits: z
    .array(z.string())
    .optional()
    .describe("What this credential is narrowed to, whatever its account may do; absent where it is not."),
  via: z.string(),
});

export const sessions = {
  "sessions.getCurrent": endpoint({
    rest: "GET /session",
    summary: "Read your current session",
    permit: "self",
    returns: data(Present),
    description: "Your identity on this request, and how long it is valid. Without a credential the answer is 401.",
    async handler(ctx) {
      const { userId, via, credential, provedAt, mode, did } = ctx.meta.actor!;
      const [user, session] = await Promise.all([
        this.store(User).one(MESH, { _id: userId }),
        credential && via !== "key" ? this.store(Session).one(MESH, { _id: credential }) : null,
      ]);
      return {
        ...(user && { user }),
        via,
        mode: mode ?? ("operational" as const),
        ...(did && { did }),
        ...(provedAt !== undefined && { provedAt: iso(provedAt) }),
        ...(session && { session: { ...session, current: true } }),
      };
    },
  }),

  "users.getCurrent": endpoint({
    rest: "GET /me",
    summary: "Read who this request is signed in as",
    permit: "self",
    beyond: true,
    returns: data(Caller),
    handler: (ctx) => {
      const { roles, permits, limits, ...actor } = ctx.meta.actor!;
      return { ...actor, roles: [...roles], permits: [...permits], ...(limits && { limits: [...limits] }) };
    },
  }),

  logOut: endpoint({
    rest: "POST /logout",
    summary: "End the session or token of this request",
    description:
      "Repeated under the same `Idempotency-Key`, it is answered alike, although the credential has ended by then.",
    permit: "self",
    beyond: true,
    endsCredential: true,
    returns: nothing(),
    status: 204,
    async handler(ctx) {
      const { userId, via } = ctx.meta.actor!;
      const id = credentialOf(ctx);
      if (via === "jwt") await revoke(this, [id]);
      await endSessions(this, ctx, userId, { _id: id });
      if (via === "session") leaveBrowser(this, ctx);
      return null;
    },
  }),

  "sessions.list": endpoint({
    rest: "GET /sessions",
    summary: "List your sessions and tokens",
    permit: "self",
    beyond: true,
    returns: data(z.array(SessionView)),
    async handler(ctx) {
      const { userId, credential } = personOf(ctx);
      const now = this.world.clock.now();
      const [user, all] = await Promise.all([
        this.store(User).get(MESH, userId),
        this.store(Session).find(MESH, { userId, endsAt: { $gt: iso(now) } }, { sort: ["-createdAt"], limit: 200 }),
      ]);
      return all
        .filter((one) => isUnder(user, one) && lives(one, now, one.kind === "token" ? Infinity : idleMs(this)))
        .map((one) => ({ ...one, current: one.id === credential }));
    },
  }),

  "sessions.end": endpoint({
    rest: "DELETE /sessions/:id",
    summary: "End one of your sessions or tokens",
    permit: "self",
    beyond: true,
    path: { id: TextId },
    returns: nothing(),
    status: 204,
    async handler(ctx) {
      const { userId, credential, via } = personOf(ctx);
      if (!(await endSessions(this, ctx, userId, { _id: ctx.params.id }))) throw notFound("session", ctx.params.id);
      if (ctx.params.id === credential && via === "session") leaveBrowser(this, ctx);
      return null;
    },
  }),

  "sessions.endOthers": endpoint({
    rest: "DELETE /sessions",
    summary: "End all your other sessions and tokens",
    permit: "self",
    beyond: true,
    returns: data(z.object({ ended: z.int() })),
    async handler(ctx) {
      const { userId } = ctx.meta.actor!;
      return { ended: await endSessions(this, ctx, userId, { _id: { $ne: credentialOf(ctx) } }) };
    },
  }),
};
