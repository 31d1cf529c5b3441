import { randomBytes, timingSafeEqual } from "node:crypto";
import { Errors } from "moleculer";
import { z } from "zod";
import { fitsPassword, hashPassword, weakness } from "../../../adapters/passwords.ts";
import { permitsOf } from "../../../config/roles.ts";
import { systemActor, type Actor } from "../../../core/access.ts";
import { bare, data, nothing } from "../../../core/answer.ts";
import { asSystem, type Caller } from "../../../core/caller.ts";
import { iso } from "../../../core/clock.ts";
import type { Collection } from "../../../core/documents.ts";
import { endpoint, type Host, type MeshService } from "../../../core/endpoint.ts";
import { derivedId, sha256 } from "../../../core/ids.ts";
import { conflict, forbidden, invalid, tooMany, unauthenticated } from "../../../core/problem.ts";
import { crud } from "../../../mixins/crud.ts";
import { domain } from "../../../mixins/domain.mixin.ts";
import { failedAgain, waitFor, type Failures } from "./lockout.ts";
import { Tokens, type Claims } from "./tokens.ts";
import { AccessChanged, Email, Password, Self, User } from "./users.ts";

interface Auth extends Host {
  tokens: Tokens;
  attempts: Collection;
  revoked: Collection;
  setups: Collection;
  /** The token of this start's set-up link; only its hash is stored. */
  setupToken?: string;
}

const Login = data(z.object({ token: z.string(), expiresAt: z.string(), user: Self }).meta({ id: "Login" }));

const { create: _create, update: _update, ...users } = crud(User, { at: "/users", list: "users:administer", get: "users:administer", create: "users:administer", update: "users:administer" });

export default {
  name: "auth",
  settings: { rest: "/auth" },
  mixins: [domain({
    entities: [User],
    schedules: { forget: { everyMs: 3_600_000, async run(this: Auth) { await this.revoked.removeMany({ expiresAt: { $lte: iso(this.world.clock.now()) } }); } } },
  })],

  actions: {
    login: endpoint({
      rest: "POST /login",
      summary: "Sign in with email and password for a token",
      description: "Answers a JWT for `Authorization: Bearer`, good for seven days. After five wrong passwords for one account from one address, tries from there wait longer and longer; other addresses are not held up.",
      permit: "public",
      audit: false,
      body: { email: Email, password: z.string().min(1).max(200) },
      returns: Login,
      example: { email: "analyst@example.org", password: "a long pass phrase" },
      errors: { 401: "Wrong address or password; the answer does not tell which.", 429: "Too many wrong passwords." },
      async handler(ctx) {
        const auth = this as unknown as Auth;
        const { email, password } = ctx.params;
        const keys = { pair: sha256(`${email}\n${ctx.meta.address}`), address: sha256(`${ctx.meta.address}`) };
        await holdUp(auth, keys);
        const user = await this.store(User).one(asSystem("auth"), { email });
        const fits = await fitsPassword(user?.active ? user.passwordHash : undefined, password);
        if (!fits || !user) {
          await countFailure(auth, keys);
          ctx.meta.actor = undefined;
          await this.audit.append(ctx, "refused", user ? { type: "users", id: user.id } : undefined, "UNAUTHENTICATED");
          throw unauthenticated("Wrong email address or password.");
        }
        await auth.attempts.removeById(keys.pair);
        const { token, expiresAt } = await auth.tokens.issue(user.id, this.world.clock.now());
        await this.audit.append(ctx, "ok", { type: "users", id: user.id });
        return { token, expiresAt, user };
      },
    }),

    logout: endpoint({
      rest: "POST /logout", summary: "End the token of this request", permit: "signed-in", beyond: true, returns: nothing(), status: 204,
      async handler(ctx) {
        const { credential, userId, via } = ctx.meta.actor!;
        if (!credential || via === "key") throw conflict("An API key is ended by revoking it.");
        const expiresAt = iso(this.world.clock.now() + 8 * 86_400_000);
        await (this as unknown as Auth).revoked.bulk([{ update: { _id: credential }, with: { $set: { expiresAt } }, upsert: true }]);
        await AccessChanged.emit(ctx, { userId });
        return null;
      },
    }),

    me: endpoint({
      rest: "GET /me", summary: "Who this request is signed in as", permit: "signed-in", beyond: true,
      returns: data(z.object({ userId: z.string(), roles: z.array(z.string()), permits: z.array(z.string()), via: z.string() })),
      handler: (ctx) => ({ ...ctx.meta.actor!, roles: [...ctx.meta.actor!.roles], permits: [...ctx.meta.actor!.permits] }),
    }),

    changePassword: endpoint({
      rest: "PUT /password", summary: "Change your password, ending every other token", permit: "signed-in", beyond: true,
      body: { current: z.string().min(1).max(200), password: Password }, returns: nothing(), status: 204,
      errors: { 403: "The present password is wrong." },
      async handler(ctx) {
        const { userId } = ctx.meta.actor!;
        const user = await this.store(User).get(asSystem("auth"), userId);
        if (!(await fitsPassword(user.passwordHash, ctx.params.current))) throw forbidden("The present password is wrong.");
        await refuseWeak(ctx.params.password, user.email);
        await this.store(User).revise(ctx, user, { passwordHash: await hashPassword(ctx.params.password), tokensFrom: iso(this.world.clock.now()) });
        await AccessChanged.emit(ctx, { userId });
        return null;
      },
    }),

    jwks: endpoint({
      rest: "GET /jwks", summary: "The public key that our tokens are signed with", permit: "public", beyond: true, cacheSeconds: 300,
      returns: bare(z.object({ keys: z.array(z.record(z.string(), z.unknown())) })),
      handler() { return (this as unknown as Auth).tokens.jwks() as never; },
    }),

    setup: endpoint({
      rest: "POST /setup", summary: "Make the first system administrator, by the link of the first start", permit: "public", beyond: true,
      body: { token: z.string().min(1).max(100), email: Email, password: Password }, returns: data(Self), status: 201,
      errors: { 403: "The link is wrong or was used." },
      async handler(ctx) {
        const auth = this as unknown as Auth;
        const { token, email, password } = ctx.params;
        const kept = await auth.setups.findById("first-administrator");
        if (!kept || kept["used"] || !timingSafeEqual(Buffer.from(kept["hash"]), Buffer.from(sha256(token)))) throw forbidden("This link is not valid, or was used.");
        await refuseWeak(password, email);
        const passwordHash = await hashPassword(password);
        if (!(await auth.setups.updateMany({ _id: "first-administrator", hash: kept["hash"], used: { $exists: false } }, { $set: { used: true } }))) throw forbidden("This link is not valid, or was used.");
        return this.store(User).create(asSystem("setup"), { email, role: "system_admin", passwordHash });
      },
    }),

    ...users,

    "users.create": endpoint({
      rest: "POST /users", summary: "Make an account", permit: "users:administer", beyond: true,
      body: { ...User.create, password: Password }, returns: data(User.view), status: 201,
      async handler(ctx) {
        const { password, ...fields } = ctx.params;
        await refuseWeak(password, fields.email);
        return this.store(User).create(ctx, { ...fields, passwordHash: await hashPassword(password) });
      },
    }),

    "users.update": endpoint({
      rest: "PUT /users/:id", summary: "Change an account: name, role, active, password", permit: "users:administer", beyond: true,
      on: User, body: { ...User.update, password: Password.optional() }, returns: data(User.view),
      async handler(ctx, user) {
        const { password, ...change } = ctx.params;
        if (change.active === false || (change.role && change.role !== user.role)) await refuseLast(this, ctx, user);
        if (password) await refuseWeak(password, user.email);
        const secret = password ? { passwordHash: await hashPassword(password), tokensFrom: iso(this.world.clock.now()) } : {};
        const revised = await this.store(User).revise(ctx, user, { ...change, ...secret });
        await AccessChanged.emit(ctx, { userId: user.id });
        return revised;
      },
    }),

    /** Whose token this is; asked by gateways. */
    identify: endpoint({
      summary: "Whose token this is", permit: "internal", body: { credential: z.string(), address: z.string().optional() }, returns: bare(z.custom<Actor | null>(() => true)),
      async handler(ctx) {
        const auth = this as unknown as Auth;
        const claims = await auth.tokens.read(ctx.params.credential, this.world.clock.now());
        return claims && actorOf(auth, claims);
      },
    }),

    actor: endpoint({
      summary: "What an account may do now, or null where it may nothing; asked by whoever vouches for a credential", permit: "internal", body: { userId: z.string() }, returns: bare(z.custom<Account | null>(() => true)),
      async handler(ctx) { return accountOf(this as unknown as Auth, await this.store(User).one(asSystem("auth"), { _id: ctx.params.userId })); },
    }),

    setupToken: endpoint({
      summary: "The token of this start's set-up link, while there is no administrator", permit: "internal", returns: bare(z.string().nullable()),
      handler() { return (this as unknown as Auth).setupToken ?? null; },
    }),
  },

  async started(this: Auth) {
    const { documents, secret, env } = this.world;
    this.tokens = new Tokens(secret);
    [this.attempts, this.revoked, this.setups] = await Promise.all([documents.collection("login_attempts"), documents.collection("revoked_tokens", { indexes: [{ fields: ["expiresAt"] }] }), documents.collection("setups")]);
    if (await this.store(User).count(asSystem("setup"))) return;
    if (env.ADMIN_EMAIL) await firstAdministrator(this, env.ADMIN_EMAIL, env.ADMIN_PASSWORD!);
    else await offerSetup(this);
  },
} satisfies MeshService;

/** The same id on every node, so that two nodes at their first start make one account. */
async function firstAdministrator(auth: Auth, email: string, password: string): Promise<void> {
  const account = { id: derivedId("first administrator"), email, role: "system_admin", passwordHash: await hashPassword(password) };
  await auth.store(User).create(asSystem("setup"), account).catch((error: { code?: number }) => { if (error.code !== 409) throw error; });
}

async function offerSetup(auth: Auth): Promise<void> {
  auth.setupToken = randomBytes(24).toString("base64url");
  await auth.setups.bulk([{ update: { _id: "first-administrator" }, with: { $set: { hash: sha256(auth.setupToken) } }, upsert: true }]);
}

async function actorOf(auth: Auth, claims: Claims): Promise<Actor | null> {
  const [user, revoked] = await Promise.all([auth.store(User).one(asSystem("auth"), { _id: claims.userId }), auth.revoked.findById(claims.id)]);
  // Seconds are as exact as a token's `iat`: one issued within the second of the change is refused too.
  if (revoked || (user?.tokensFrom && claims.issuedAt < Math.floor(Date.parse(user.tokensFrom) / 1000) * 1000)) return null;
  const account = await accountOf(auth, user);
  return account && { ...account, via: "jwt", credential: claims.id, provedAt: claims.issuedAt };
}

/** What every credential of an account has in common; null when the account is unknown or closed. */
type Account = Pick<Actor, "userId" | "roles" | "permits" | "memberships" | "mode">;

async function accountOf(auth: Auth, user: User | null): Promise<Account | null> {
  if (!user?.active) return null;
  const meta = { actor: systemActor("auth") };
  const mode = await askIfThere(auth.broker.call<Actor["mode"] | null, object>("user-mode.of", { userId: user.id }, { meta }));
  const memberships = await askIfThere(auth.broker.call<Actor["memberships"] | null, object>("problem-sets.membershipsOf", { userId: user.id, training: mode === "training" }, { meta }));
  return { userId: user.id, roles: [user.role], permits: permitsOf([user.role]), ...(mode && { mode }), ...(memberships && { memberships }) };
}

/** A mesh without that area knows nothing of it: no membership, no mode. Any other failure refuses the credential. */
async function askIfThere<T>(answer: Promise<T | null>): Promise<T | null> {
  try {
    return await answer;
  } catch (error) {
    if (error instanceof Errors.ServiceNotFoundError) return null;
    throw error;
  }
}

async function refuseWeak(password: string, email: string): Promise<void> {
  const why = await weakness(password, email.split(/[@.]/));
  if (why) throw invalid([{ path: "password", message: why }]);
}

/** There is always somebody who can let others in. */
async function refuseLast(host: Host, caller: Caller, user: User): Promise<void> {
  if (user.role !== "system_admin" || !user.active) return;
  if ((await host.store(User).count(caller, { role: "system_admin", active: true })) <= 1) throw conflict("This is the last active system administrator.");
}

const failuresOf = (doc: Record<string, unknown> | null): Failures | undefined => (doc ? { count: doc["count"] as number, last: doc["last"] as number } : undefined);

async function holdUp({ attempts, world }: Auth, keys: { pair: string; address: string }): Promise<void> {
  const [pair, address] = await Promise.all([attempts.findById(keys.pair), attempts.findById(keys.address)]);
  const wait = Math.max(waitFor("pair", failuresOf(pair), world.clock.now()), waitFor("address", failuresOf(address), world.clock.now()));
  if (wait > 0) throw tooMany("Too many wrong passwords; wait a little.", wait / 1000);
}

async function countFailure({ attempts, world }: Auth, keys: { pair: string; address: string }): Promise<void> {
  const now = world.clock.now();
  const before = await attempts.findByIds([keys.pair, keys.address]);
  await attempts.bulk([keys.pair, keys.address].map((_id) => ({ update: { _id }, with: { $set: { ...failedAgain(failuresOf(before.find((doc) => doc._id === _id) ?? null), now) } }, upsert: true })));
}
