import { z } from "zod";
import { authorize, demandFresh, type Actor } from "../../../../core/access/access.ts";
import { data, nothing } from "../../../../core/contract/answer.ts";
import { asSystem, type Ctx } from "../../../../core/access/caller.ts";
import { iso } from "../../../../core/clock.ts";
import { retryOnConflict } from "../../../../core/records/conflict-retry.ts";
import { endpoint, type Host } from "../../../../core/contract/endpoint.ts";
import { Instant, TextId } from "../../../../core/records/entity.ts";
import { newId } from "../../../../core/ids.ts";
import { conflict, forbidden, invalid, notFound } from "../../../../core/problem.ts";
import { hasPasskeys } from "../sessions/actor.actions.ts";
import { endOlder } from "./authenticators.actions.ts";
import { closeCeremony, type Answered, type Ceremony } from "./ceremonies.ts";
import { demandAdmission } from "../users/admission.ts";
import { creationOptions, expected, requestOptions } from "./options.ts";
import { authOf, personOf } from "../parts.ts";
import {
  CreationOptions,
  MOST_PASSKEYS,
  NewCredential,
  Passkey,
  PasskeyName,
  PasskeyView,
  Proof,
  RequestOptions,
} from "./passkeys.ts";
import { PasskeyAdded, AccessChanged } from "../events.ts";
import { endSessions, proveSession, startSession, startToken } from "../sessions/sessions.actions.ts";
import { SessionView, SignedIn } from "../sessions/sessions.ts";
import { askToConfirm } from "../links/links.actions.ts";
import { Self, User } from "../users/users.ts";
import { Email } from "../client.ts";
import { countRegistration } from "../users/registrations.ts";
import { PasskeyRefused, refused, verifyNew, verifyProof } from "./webauthn.ts";

const WHY = asSystem("auth");

/** Says nothing of the address, nor whether it has another account. */
const WAITS =
  "Your address waits to be confirmed: follow the link that is mailed there. Until then the account can see itself and leave, and nothing else.";

const Registered = z
  .object({
    user: Self,
    passkey: PasskeyView,
    session: SessionView.optional().describe("The session that began; absent where one was there already."),
    message: z.string().optional().describe("What is left to do: of a new account, to confirm its address."),
  })
  .meta({ id: "PasskeyRegistration" });

/** What a browser sends, cut short. */
const PROOF = {
  id: "AQIDBA",
  rawId: "AQIDBA",
  type: "public-key",
  response: {
    clientDataJSON: "eyJ0eXBlIjoid2ViYXV0aG4uZ2V0In0",
    authenticatorData: "SZYN5YgOjGh0NBcPZHZgW4",
    signature: "MEUCIQDk",
  },
};

export const passkeys = {
  "registrations.begin": endpoint({
    rest: "POST /register",
    summary: "Begin to register a passkey",
    permit: "public",
    audit: false,
    returns: data(CreationOptions),
    description:
      "Answers the options for `navigator.credentials.create()`. Signed in, the passkey is for your account, and wants a proof of who you are that is at most five minutes old; otherwise it opens a new account for `email`. An address that has an account already gets the same answer: nothing here tells who has one, and a link sent there says how to sign in. Until such a link was followed the new account can confirm its address, see itself and leave, and nothing else. How many are begun within an hour is bounded by address and network (`REGISTRATIONS_PER_HOUR`). The challenge is good once, for five minutes.",
    body: {
      email: Email.optional().describe("For a new account."),
      name: z.string().trim().min(1).max(120).optional(),
      passkeyName: PasskeyName.optional(),
    },
    example: { email: "new@example.org", name: "Ada", passkeyName: "Laptop" },
    errors: {
      403: "The address is not admitted here, or the act needs a fresh proof (`STEP_UP_REQUIRED`).",
      429: "Too many accounts were begun from there.",
    },
    async handler(ctx) {
      const ceremony = await ceremonyFor(this, ctx);
      return creationOptions(this, ctx, ceremony);
    },
  }),

  "registrations.verify": endpoint({
    rest: "POST /register/verify",
    summary: "Finish registering a passkey",
    permit: "public",
    status: 201,
    body: NewCredential,
    example: {
      id: "AQIDBA",
      rawId: "AQIDBA",
      type: "public-key",
      response: { clientDataJSON: "eyJ0eXBlIjoid2ViYXV0aG4uY3JlYXRlIn0", attestationObject: "o2NmbXRkbm9uZQ" },
    },
    returns: data(Registered),
    description:
      "Takes `credential.toJSON()` of the browser. A new or recovered account is signed in by session cookie.",
    errors: { 422: "The passkey was not accepted (`INVALID_PASSKEY`)." },
    async handler(ctx) {
      const found = await closeCeremony(authOf(this), "register", ctx.params.response.clientDataJSON);
      const made = await settle(this, 422, found, async () =>
        verifyNew(ctx.params, expected(this, ctx, mine(ctx.meta.actor, found))),
      );
      return enrol(this, ctx, found!.ceremony, made);
    },
  }),

  "logins.verify": endpoint({
    rest: "POST /login/verify",
    summary: "Finish signing in with a passkey",
    permit: "public",
    body: Proof,
    example: PROOF,
    returns: data(SignedIn),
    description: "Takes `credential.toJSON()` of the browser and starts a session by cookie.",
    errors: { 401: "The passkey was not accepted (`INVALID_PASSKEY`)." },
    async handler(ctx) {
      const { passkey, user } = await proofOf(this, ctx, "login", 401);
      const session = await startSession(this, ctx, user, "passkey", passkey.id);
      return { user, session: { ...session, current: true } };
    },
  }),

  "stepUps.begin": endpoint({
    rest: "POST /step-up",
    summary: "Begin to prove who you are with a passkey",
    permit: "self",
    beyond: true,
    audit: false,
    returns: data(RequestOptions),
    description:
      "For acts that answer 403 `STEP_UP_REQUIRED`: answers the options for `navigator.credentials.get()`. Whoever has no passkey signs in again with the password.",
    errors: { 409: "The account has no passkey." },
    async handler(ctx) {
      const { userId, credential } = personOf(ctx);
      const own = await this.store(Passkey).find(WHY, { userId }, { limit: MOST_PASSKEYS });
      if (!own.length || !credential) throw conflict("This account has no passkey; sign in again with your password.");
      return requestOptions(this, ctx, { purpose: "step-up", userId, credential }, own);
    },
  }),

  "stepUps.verify": endpoint({
    rest: "POST /step-up/verify",
    summary: "Finish proving who you are with a passkey",
    permit: "self",
    beyond: true,
    body: Proof,
    example: PROOF,
    returns: data(
      z
        .object({
          provedAt: Instant,
          token: z.string().optional().describe("Where a token asks: a new one, which carries the proof."),
          expiresAt: Instant.optional(),
        })
        .meta({ id: "StepUpProof" }),
    ),
    errors: { 403: "The passkey was not accepted (`INVALID_PASSKEY`)." },
    async handler(ctx) {
      const { via, credential } = personOf(ctx);
      const { passkey, user } = await proofOf(this, ctx, "step-up", 403);
      const provedAt = iso(this.world.clock.now());
      if (via === "session") {
        await proveSession(this, ctx, credential!);
        return { provedAt };
      }
      const { token, expiresAt } = await startToken(this, ctx, user, "passkey", passkey.id);
      return { provedAt, token, expiresAt };
    },
  }),

  "passkeys.list": endpoint({
    rest: "GET /passkeys",
    summary: "List your passkeys",
    permit: "self",
    beyond: true,
    returns: data(z.array(PasskeyView)),
    handler(ctx) {
      return this.store(Passkey).find(
        WHY,
        { userId: personOf(ctx).userId },
        { sort: ["-createdAt"], limit: MOST_PASSKEYS },
      );
    },
  }),

  "passkeys.rename": endpoint({
    rest: "PATCH /passkeys/:id",
    summary: "Rename one of your passkeys",
    permit: "signed-in",
    beyond: true,
    path: { id: TextId },
    body: { name: PasskeyName },
    returns: data(PasskeyView),
    example: { name: "Laptop" },
    async handler(ctx) {
      return this.store(Passkey).revise(ctx, await own(this, ctx), { name: ctx.params.name });
    },
  }),

  "passkeys.remove": endpoint({
    rest: "DELETE /passkeys/:id",
    summary: "Remove one of your passkeys, ending the sessions begun with it",
    permit: "signed-in",
    beyond: true,
    stepUp: true,
    path: { id: TextId },
    returns: nothing(),
    status: 204,
    errors: { 409: "Nothing would be left to sign in with." },
    async handler(ctx) {
      await remove(this, ctx);
      await endSessions(this, ctx, personOf(ctx).userId, { passkeyId: ctx.params.id });
      return null;
    },
  }),
};

/**
 * Removes a passkey where another way into the account stays: that is called for a witness, so that it cannot go at the
 * same time.
 */
async function remove(host: Host, ctx: Ctx<{ id: string }>): Promise<void> {
  const { userId } = personOf(ctx);
  const [users, passkeys] = [host.store(User), host.store(Passkey)];
  const removed = await retryOnConflict(
    async () => {
      const passkey = await own(host, ctx);
      const elsewhere =
        (await users.witness(WHY, {
          _id: userId,
          $or: [{ email: { $exists: true } }, { passwordHash: { $exists: true } }],
        })) || (await passkeys.witness(WHY, { userId, _id: { $ne: passkey.id } }));
      if (elsewhere) await passkeys.remove(ctx, passkey);
      return elsewhere;
    },
    { apart: ctx.params.id },
  );
  if (!removed)
    throw conflict("This is the only way into your account: register another passkey or confirm your address first.");
}

/** Begins a sign-in with a passkey. No account is looked for, so the answer tells nothing of who has one. */
export const beginLogin = (
  host: Host,
  ctx: Ctx<unknown>,
  email: string | undefined,
): Promise<z.output<typeof RequestOptions>> =>
  requestOptions(host, ctx, { purpose: "login", ...(email && { email }) }, []);

/** For whom the passkey will be: the signed-in account, else a new one. */
async function ceremonyFor(
  host: Host,
  ctx: Ctx<{ email?: string; name?: string; passkeyName?: string }>,
): Promise<Extract<Ceremony, { purpose: "register" }>> {
  const { email, name, passkeyName } = ctx.params;
  const named = { ...(passkeyName && { passkeyName }) };
  const { actor } = ctx.meta;
  if (actor && actor.via !== "off") {
    if (email !== undefined)
      throw invalid([
        { path: "email", message: "You are signed in: the passkey is for your account. Sign out to open another one." },
      ]);
    const { userId, credential } = personOf(ctx);
    authorize(actor, "signed-in");
    await demandProof(host, actor);
    await host.store(Passkey).demandRoom({ userId });
    return { purpose: "register", how: "added", userId, credential: credential!, ...named };
  }
  if (email === undefined)
    throw invalid([{ path: "email", message: "Name the address of the new account, or sign in first." }]);
  await countRegistration(host, ctx.meta);
  await demandAdmission(host, email);
  return { purpose: "register", how: "registered", userId: newId(), email, ...(name && { name }), ...named };
}

/**
 * A stolen session must not outlive itself by a passkey of its own: whoever has a passkey or a password proves it anew.
 */
async function demandProof(host: Host, actor: Actor): Promise<void> {
  const user = await host.store(User).get(WHY, actor.userId);
  if (user.passwordHash || (await hasPasskeys(host, actor.userId))) demandFresh(actor, host.world.clock.now());
}

/** An answer counts for whoever began: adding and stepping up are bound to the account and to its session or token. */
function mine<P extends Ceremony["purpose"]>(actor: Actor | undefined, found: Answered<P> | null): Answered<P> | null {
  const ceremony = found?.ceremony as Ceremony | undefined;
  if (
    ceremony &&
    "credential" in ceremony &&
    (actor?.userId !== ceremony.userId || actor.credential !== ceremony.credential)
  )
    throw new PasskeyRefused("another session began this");
  return found;
}

/**
 * Turns every reason of a refusal into the one answer, and writes the reason down for the operator: where a ceremony
 * was under way, of which there is a bound. Anybody may answer none.
 */
async function settle<T>(
  host: Host,
  status: 401 | 403 | 422,
  found: object | null,
  verify: () => Promise<T>,
): Promise<T> {
  try {
    return await verify();
  } catch (error) {
    if (!(error instanceof PasskeyRefused)) throw error;
    host.logger[found ? "info" : "debug"](
      `A passkey was refused: ${error.message.replace(/\p{Cc}+/gu, " ").slice(0, 300)}`,
    );
    throw refused(status);
  }
}

/** Verifies the proof of a known passkey and counts it. */
async function proofOf(
  host: Host,
  ctx: Ctx<Proof>,
  purpose: "login" | "step-up",
  status: 401 | 403,
): Promise<{ passkey: Passkey; user: User }> {
  const found = await closeCeremony(authOf(host), purpose, ctx.params.response.clientDataJSON);
  return settle(host, status, found, async () => {
    const wanted = expected(host, ctx, mine(ctx.meta.actor, found));
    const passkey = await host.store(Passkey).one(WHY, { credentialId: ctx.params.id });
    const user = passkey && (await host.store(User).one(WHY, { _id: passkey.userId }));
    if (!passkey || !user?.active) throw new PasskeyRefused("the passkey is nobody's");
    refuseOthers(found!.ceremony, user, ctx.params.response.userHandle);
    const seen = await verifyProof(ctx.params, passkey, wanted);
    // Compared and set: of two proofs with one count only one can be the owner's.
    const counted = await host
      .store(Passkey)
      .collection.updateMany(
        { _id: passkey.id, counter: passkey.counter },
        { $set: { ...seen, lastUsedAt: iso(host.world.clock.now()) } },
      );
    if (!counted) throw new PasskeyRefused("another proof was counted meanwhile");
    return { passkey, user };
  });
}

/** The account that the ceremony was begun for, and the one that the authenticator names, must be the passkey's. */
function refuseOthers(ceremony: Ceremony, user: User, handle: string | null | undefined): void {
  if (ceremony.purpose === "step-up" && ceremony.userId !== user.id)
    throw new PasskeyRefused("the passkey is another account's");
  if (ceremony.purpose === "login" && ceremony.email && ceremony.email !== (user.email ?? user.claimedEmail))
    throw new PasskeyRefused("the passkey is another account's");
  // §7.2 step 6: where nobody was named beforehand, the authenticator must name the account.
  if (
    handle ? Buffer.from(handle, "base64url").toString() !== user.id : ceremony.purpose === "login" && !ceremony.email
  )
    throw new PasskeyRefused("the user handle is not the account's");
}

type NewPasskey = Awaited<ReturnType<typeof verifyNew>>;

async function enrol(
  host: Host,
  ctx: Ctx<unknown>,
  ceremony: Extract<Ceremony, { purpose: "register" }>,
  made: NewPasskey,
): Promise<z.input<typeof Registered>> {
  const { userId, how } = ceremony;
  // An account may have been closed since the ceremony began.
  if (how !== "registered" && !(await host.store(User).get(WHY, userId)).active)
    throw forbidden("This account is closed.");
  const name = ceremony.passkeyName ?? (made.synced ? "Synced passkey" : "Passkey");
  const passkey = await host.store(Passkey).create(
    ctx,
    { ...made, userId, name },
    {
      beyondMost: how === "recovered",
      facts: ({ id }) => [
        PasskeyAdded.fact(id, {
          userId,
          passkeyId: id,
          how,
          forgetOthers: how === "recovered" && ceremony.forgetOthers,
        }),
      ],
    },
  );
  if (how === "registered") {
    const user = await host
      .store(User)
      .create(ctx, { id: userId, claimedEmail: ceremony.email, ...(ceremony.name && { name: ceremony.name }) });
    await askToConfirm(host, ctx, user);
    return {
      user,
      passkey,
      session: { ...(await startSession(host, ctx, user, "passkey", passkey.id)), current: true },
      message: WAITS,
    };
  }
  const user = await host.store(User).get(WHY, userId);
  if (how === "added") {
    await AccessChanged.emit(ctx, { userId });
    return { user, passkey };
  }
  return {
    user,
    passkey,
    session: { ...(await recover(host, ctx, user, passkey, ceremony.forgetOthers)), current: true },
  };
}

/**
 * Recovery ends whatever was signed in before, and where its owner says so every other way into the account; the fact
 * has API keys ended.
 */
async function recover(host: Host, ctx: Ctx<unknown>, user: User, passkey: Passkey, alone: boolean) {
  const under = await endOlder(host, user.id, alone && { keep: passkey.id });
  await endSessions(host, ctx, user.id);
  return startSession(host, ctx, under, "recovery", passkey.id);
}

async function own(host: Host, ctx: Ctx<{ id: string }>): Promise<Passkey> {
  const passkey = await host.store(Passkey).one(WHY, { _id: ctx.params.id, userId: personOf(ctx).userId });
  if (!passkey) throw notFound("passkey", ctx.params.id);
  return passkey;
}
