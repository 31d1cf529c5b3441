import { z } from "zod";
import { data, nothing } from "../../../../core/contract/answer.ts";
import { asSystem, type Ctx } from "../../../../core/access/caller.ts";
import { iso } from "../../../../core/clock.ts";
import { retryOnConflict } from "../../../../core/records/conflict-retry.ts";
import { endpoint, type Host } from "../../../../core/contract/endpoint.ts";
import { Instant, TextId } from "../../../../core/records/entity.ts";
import { conflict, notFound } from "../../../../core/problem.ts";
import { closeCeremony } from "./ceremonies.ts";
import { creationOptions, expected, requestOptions } from "./options.ts";
import { authOf, personOf, signingIn } from "../parts.ts";
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
import { endSessions, proveSession, startSession, startToken } from "../sessions/sessions.actions.ts";
import { SignedIn } from "../sessions/sessions.ts";
import { User } from "../users/users.ts";
import { Email } from "../client.ts";
import { verifyNew } from "./webauthn.ts";
import { Registered, ceremonyFor, enrol } from "./enrolment.ts";
import { mine, proofOf, settleProof } from "./proofs.ts";

const MESH = asSystem("auth");

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
    summary: "Start registering a passkey",
    permit: "public",
    audit: false,
    returns: data(CreationOptions),
    description:
      "Returns the options for `navigator.credentials.create()`. If you are signed in, the passkey is " +
      "added to your account, which requires a proof of identity at most five minutes old; otherwise it " +
      "opens a new account for `email`. An address that already has an account gets the same answer, so " +
      "that nobody can find out who has one, and a link sent to it explains how to sign in. Until the " +
      "person follows such a link, the new account can only confirm its address, see itself and be " +
      "closed. The number of registrations per hour is limited by address and network " +
      "(`REGISTRATIONS_PER_HOUR`). The challenge can be used once, within five minutes.",
    body: {
      email: Email.optional().describe("For a new account."),
      name: z.string().trim().min(1).max(120).optional(),
      passkeyName: PasskeyName.optional(),
    },
    example: { email: "new@example.org", name: "Ada", passkeyName: "Laptop" },
    errors: {
      403: "The address is not admitted here, or the act needs a fresh proof (`STEP_UP_REQUIRED`).",
      429: "Too many accounts were started from this network address.",
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
      "Takes the browser's `credential.toJSON()`. A new or recovered account is signed in by session cookie.",
    errors: { 422: "The passkey was not accepted (`INVALID_PASSKEY`)." },
    async handler(ctx) {
      const found = await closeCeremony(authOf(this), "register", ctx.params.response.clientDataJSON);
      const made = await settleProof(this, 422, found, async () =>
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
    description: "Takes the browser's `credential.toJSON()` and starts a cookie session.",
    errors: { 401: "The passkey was not accepted (`INVALID_PASSKEY`)." },
    handler(ctx) {
      return signingIn(async () => {
        const { passkey, user } = await proofOf(this, ctx, "login", 401);
        const session = await startSession(this, ctx, user, "passkey", passkey.id);
        return { user, session: { ...session, current: true } };
      });
    },
  }),

  "stepUps.begin": endpoint({
    rest: "POST /step-up",
    summary: "Start a fresh proof of identity with a passkey",
    permit: "self",
    beyond: true,
    audit: false,
    returns: data(RequestOptions),
    description:
      "For acts that answer 403 `STEP_UP_REQUIRED`: returns the options for " +
      "`navigator.credentials.get()`. Whoever has no passkey signs in again with the password.",
    errors: { 409: "The account has no passkey." },
    async handler(ctx) {
      const { userId, credential } = personOf(ctx);
      const own = await this.store(Passkey).find(MESH, { userId }, { limit: MOST_PASSKEYS });
      if (!own.length || !credential)
        throw conflict("This account has no passkey: sign in again with its password, or add a passkey first.");
      return requestOptions(this, ctx, { purpose: "step-up", userId, credential }, own);
    },
  }),

  "stepUps.verify": endpoint({
    rest: "POST /step-up/verify",
    summary: "Finish a fresh proof of identity with a passkey",
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
        MESH,
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
    errors: { 409: "No means of sign-in would be left." },
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
        (await users.witness(MESH, {
          _id: userId,
          $or: [{ email: { $exists: true } }, { passwordHash: { $exists: true } }],
        })) || (await passkeys.witness(MESH, { userId, _id: { $ne: passkey.id } }));
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

async function own(host: Host, ctx: Ctx<{ id: string }>): Promise<Passkey> {
  const passkey = await host.store(Passkey).one(MESH, { _id: ctx.params.id, userId: personOf(ctx).userId });
  if (!passkey) throw notFound("passkey", ctx.params.id);
  return passkey;
}
