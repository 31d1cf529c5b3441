import { randomBytes, timingSafeEqual } from "node:crypto";
import { z } from "zod";
import { fitsPassword, hashPassword } from "../../../adapters/passwords.ts";
import { bare, data } from "../../../core/contract/answer.ts";
import { asSystem, type Ctx } from "../../../core/access/caller.ts";
import { iso } from "../../../core/clock.ts";
import { insertOnce } from "../../../core/records/documents.ts";
import { endpoint, type Host, type MeshService } from "../../../core/contract/endpoint.ts";
import { derive, newId, sha256 } from "../../../core/ids.ts";
import { forbidden, invalid, isConflict, nullIf, unauthenticated } from "../../../core/problem.ts";
import { removeInSlices } from "../../../core/records/keeping/retention.ts";
import { OutageLog } from "../../../core/work/outage-log.ts";
import { commonsOf, domain } from "../../../mixins/domain.mixin.ts";
import { actors } from "./sessions/actor.actions.ts";
import { authenticators } from "./passkeys/authenticators.actions.ts";
import { links } from "./links/links.actions.ts";
import { postJobs, tellOwner } from "./links/posting.ts";
import { forgetGuesses, guess } from "./lockout/guesses.ts";
import { oidc } from "./sessions/oidc.actions.ts";
import { authOf, noteAccount, signingIn, type Auth } from "./parts.ts";
import { beginLogin, passkeys } from "./passkeys/passkeys.actions.ts";
import { Passkey, RequestOptions } from "./passkeys/passkeys.ts";
import { forgetSessions, sessions, startSession, startToken } from "./sessions/sessions.actions.ts";
import { heldLetters } from "./users/personal-data.ts";
import { personActions } from "./users/persons.actions.ts";
import { Session, SignedIn } from "./sessions/sessions.ts";
import { Tokens } from "./sessions/tokens.ts";
import { refuseWeak, users } from "./users/users.actions.ts";
import { findable, Self, User } from "./users/users.ts";
import { Email, Password, PersonName } from "./client.ts";

const Token = z.object({ token: z.string(), expiresAt: z.string(), user: Self }).meta({ id: "AccessToken" });
const Secret = z.string().min(1).max(200);
const withSession = z
  .union([z.boolean(), z.literal("only")])
  .optional()
  .describe(
    "`true` also starts a session by cookie; `only` starts it and makes no token, which a browser does not need: " +
      "a token would be good for seven days, whenever the session ends.",
  );

export default {
  name: "auth",
  metadata: {
    description: "Signing in: passkeys, passwords, links, sessions, identity providers, and the accounts themselves.",
  },
  settings: { rest: "/auth" },
  mixins: [
    domain({
      entities: [User, Session, Passkey],
      personal: [
        heldLetters,
        { what: "Sessions", entity: Session, by: "userId", erasure: "remove" },
        { what: "Passkeys", entity: Passkey, by: "userId", erasure: "remove" },
        { what: "Account", entity: User, by: "id", erasure: "remove" },
      ],
      hears: [tellOwner],
      jobs: postJobs,
      schedules: { forget: { everyMs: 600_000, run: forget } },
    }),
  ],

  actions: {
    "logins.begin": endpoint({
      rest: "POST /login",
      summary: "Sign in with email and password for a token, or start signing in with a passkey",
      description:
        "With a `password`: answers a JWT for `Authorization: Bearer`, good for seven days; with `session: only` " +
        "the session, as the other ways to sign in do. After five " +
        "wrong passwords for one account from one address, tries from there wait longer and longer; other " +
        "addresses are not held up.\n\nWithout: answers the options for `navigator.credentials.get()`; " +
        "`POST /api/auth/login/verify` finishes. An `email` confines it to that account's passkeys, and the " +
        "answer does not tell whether there is one; without it any passkey of this site will do.",
      permit: "public",
      audit: false,
      body: { email: Email.optional(), password: Secret.optional(), session: withSession },
      forms: [
        z.strictObject({ email: Email, password: Secret, session: withSession }),
        z.strictObject({ email: Email.optional() }),
      ],
      returns: data(z.union([Token, SignedIn, RequestOptions])),
      example: { email: "analyst@example.org", password: "a long pass phrase" },
      errors: { 401: "Wrong address or password; the answer does not tell which.", 429: "Too many wrong passwords." },
      async handler(ctx) {
        const { email, password, session } = ctx.params;
        if (password !== undefined && email === undefined)
          throw invalid([{ path: "email", message: "Whose password is it?" }]);
        if (password === undefined && session !== undefined)
          throw invalid([{ path: "session", message: "A sign-in with a passkey always starts a session." }]);
        return signingIn<PasswordAnswer | z.output<typeof RequestOptions>>(() =>
          password === undefined
            ? beginLogin(this, ctx, email)
            : passwordLogin(this, ctx, { email: email!, password, session }),
        );
      },
    }),

    "signingKeys.list": endpoint({
      rest: "GET /jwks",
      summary: "Read the public key that our tokens are signed with",
      permit: "public",
      beyond: true,
      cacheSeconds: 300,
      returns: bare(z.object({ keys: z.array(z.record(z.string(), z.unknown())) })),
      handler() {
        return authOf(this).tokens.jwks() as never;
      },
    }),

    setUp: endpoint({
      rest: "POST /setup",
      summary: "Create the first system administrator with the link of the first start",
      permit: "public",
      beyond: true,
      body: { token: z.string().min(1).max(100), email: Email, name: PersonName.optional(), password: Password },
      returns: data(Self),
      status: 201,
      errors: { 403: "The link is wrong or was used." },
      example: {
        token: "the token of the link that the start shows",
        email: "admin@example.org",
        name: "Ada",
        password: "a long pass phrase",
      },
      async handler(ctx) {
        const auth = authOf(this);
        const { token, email, name, password } = ctx.params;
        const expected = await setupTokenOf(auth);
        if (!expected || !timingSafeEqual(Buffer.from(sha256(expected)), Buffer.from(sha256(token))))
          throw forbidden("This link is not valid, or was used.");
        await refuseWeak(password, email);
        const passwordHash = await hashPassword(password);
        if (!(await auth.setups.updateMany({ _id: SETUP_LINK, used: { $exists: false } }, { $set: { used: true } })))
          throw forbidden("This link is not valid, or was used.");
        const id = newId();
        noteAccount(ctx, id);
        const admin = { id, email, ...(name !== undefined && { name }), role: "system_admin" as const, passwordHash };
        return this.store(User).create(asSystem("setup"), findable(admin));
      },
    }),

    ...users,
    ...sessions,
    ...passkeys,
    ...authenticators,
    ...links,
    ...oidc,
    ...actors,
    ...personActions,

    setupToken: endpoint({
      summary: "The token of the set-up link, while there is no administrator",
      permit: "internal",
      returns: bare(z.string().nullable()),
      async handler() {
        return (await setupTokenOf(authOf(this))) ?? null;
      },
    }),
  },

  async started(this: Auth) {
    const { documents, secret, env } = this.world;
    this.tokens = new Tokens(secret);
    const mailHost = env.SMTP_URL && URL.parse(env.SMTP_URL)?.host;
    this.mailOutage = new OutageLog(this.logger, `Mail server ${mailHost}`, "takes letters again.");
    const passing = { indexes: [{ fields: ["expiresAt"] }] };
    [this.attempts, this.setups, this.revoked, this.ceremonies, this.links] = await Promise.all([
      documents.collection("login_attempts", { indexes: [{ fields: ["last"] }] }),
      documents.collection("setups"),
      documents.collection("revoked_tokens", passing),
      documents.collection("passkey_ceremonies", passing),
      documents.collection("mailed_links", passing),
    ]);
    if (commonsOf(this.broker).isIdle) return;
    // Whoever registered already is no administrator: only these count.
    if (await hasAdministrator(this)) return sayIgnored(this);
    if (env.ADMIN_EMAIL) await firstAdministrator(this, env.ADMIN_EMAIL, env.ADMIN_PASSWORD!);
    else await offerSetup(this);
  },
} satisfies MeshService;

type PasswordAnswer = z.output<typeof Token> | z.input<typeof SignedIn>;

async function passwordLogin(
  host: Host,
  ctx: Ctx<unknown>,
  { email, password, session }: { email: string; password: string; session?: z.output<typeof withSession> },
): Promise<PasswordAnswer> {
  const auth = authOf(host);
  let user: User | null | undefined;
  // Who has to wait is told so before any account is looked up.
  const fits = await guess(auth, ctx, email, async () => {
    user = await host.store(User).one(asSystem("auth"), { email });
    return fitsPassword(user?.active ? user.passwordHash : undefined, password);
  });
  if (!fits || !user) {
    ctx.meta.actor = undefined;
    await host.audit.append(ctx, "refused", user ? { type: "users", id: user.id } : undefined, "UNAUTHENTICATED");
    throw unauthenticated("Wrong email address or password.");
  }
  const made = session === "only" ? undefined : await startToken(host, ctx, user, "password");
  const begun = session ? await startSession(host, ctx, user, "password") : undefined;
  await host.audit.append(ctx, "ok", { type: "users", id: user.id });
  return made
    ? { token: made.token, expiresAt: made.expiresAt, user }
    : { user, session: { ...begun!, current: true } };
}

/** Removes sessions, tokens and links that have expired. */
async function forget(this: Auth): Promise<void> {
  const now = iso(this.world.clock.now());
  await Promise.all(
    [this.revoked, this.ceremonies, this.links].map((kept) =>
      removeInSlices(kept, { expiresAt: { $lte: now } }, "expiresAt"),
    ),
  );
  await forgetGuesses(this);
  await forgetSessions(this);
}

/** Warns that ADMIN_EMAIL no longer makes anybody an administrator, unless it names one. */
async function sayIgnored(auth: Auth): Promise<void> {
  const email = auth.world.env.ADMIN_EMAIL?.toLowerCase();
  if (!email || (await auth.store(User).one(asSystem("setup"), { email, role: "system_admin" }))) return;
  auth.logger.warn(
    `ADMIN_EMAIL and ADMIN_PASSWORD are ignored: there is a system administrator already, and ${email} is none.`,
  );
}

async function firstAdministrator(auth: Auth, email: string, password: string): Promise<void> {
  // One id for all nodes, so that two at their first start make one account; random, so that nobody can guess it.
  await insertOnce(auth.setups, { _id: "first-administrator-account", userId: newId() });
  const { userId } = (await auth.setups.findById("first-administrator-account")) as unknown as { userId: string };
  const passwordHash = await hashPassword(password);
  // A name until they give their own; it holds no part of their address.
  const account = { id: userId, email, name: "Administrator", role: "system_admin", passwordHash };
  await auth.store(User).create(asSystem("setup"), findable(account)).catch(nullIf(isConflict));
}

const hasAdministrator = async (auth: Auth): Promise<boolean> =>
  (await auth.store(User).count(asSystem("setup"), { role: "system_admin" })) > 0;

const SETUP_LINK = "set-up-link";

/** Offers one link, whichever node of identity is asked for it, and however many of them start. */
async function offerSetup({ setups }: Auth): Promise<void> {
  await insertOnce(setups, { _id: SETUP_LINK, seed: randomBytes(24).toString("base64url") });
  // Whoever used it may have been killed before their account was there.
  await setups.updateMany({ _id: SETUP_LINK }, { $unset: { used: 1 } });
}

/** The store alone gives nobody the token; undefined where no link is offered, it was used, or ADMIN_EMAIL came after it. */
async function setupTokenOf(auth: Auth): Promise<string | undefined> {
  const link = await auth.setups.findById(SETUP_LINK);
  if (!link || link["used"] || (await hasAdministrator(auth))) return undefined;
  return derive(auth.world.secret, `set-up link ${link["seed"]}`).subarray(0, 24).toString("base64url");
}
