import { z } from "zod";
import { systemActor } from "../../../../core/access/access.ts";
import { data, nothing } from "../../../../core/contract/answer.ts";
import { asSystem, type Ctx } from "../../../../core/access/caller.ts";
import { retryOnConflict } from "../../../../core/records/conflict-retry.ts";
import { endpoint, type Host } from "../../../../core/contract/endpoint.ts";
import { Instant, TextId } from "../../../../core/records/entity.ts";
import { conflict, forbidden, notFound } from "../../../../core/problem.ts";
import { personOf } from "../parts.ts";
import { MOST_PASSKEYS, Passkey, PasskeyView } from "./passkeys.ts";
import { endSessions } from "../sessions/sessions.actions.ts";
import { Session, type Means } from "../sessions/sessions.ts";
import { endingSignIns, User } from "../users/users.ts";
import { AccessChanged } from "../events.ts";

const WHY = asSystem("auth");
const MESH = { meta: { actor: systemActor("auth") } };

const HeldKey = z.object({
  id: TextId,
  name: z.string(),
  keyPrefix: z.string(),
  createdAt: Instant,
  lastUsedAt: Instant.optional(),
});

const Authenticators = z
  .object({
    passkeys: z.array(PasskeyView),
    password: z.boolean(),
    provider: z.boolean().describe("Whether sign-in through an identity provider is possible."),
    mail: z.boolean().describe("Whether a link sent to the account's address signs in and recovers it."),
    keys: z.array(HeldKey).describe("API keys: they act for the account, and keep working when sessions end."),
  })
  .meta({ id: "Authenticators" });
export type Authenticators = z.output<typeof Authenticators>;

const SINGLE = ["password", "provider"] as const;
const FIELD = { password: "passwordHash", provider: "subject" } as const;
const MEANS = { password: "password", provider: "oidc" } as const satisfies Record<(typeof SINGLE)[number], Means>;

/** Everything that lets into an account. */
export async function authenticatorsOf({ store, broker }: Host, userId: string): Promise<Authenticators> {
  const [user, passkeys, keys] = await Promise.all([
    store(User).get(WHY, userId),
    store(Passkey).find(WHY, { userId }, { sort: ["-createdAt"], limit: MOST_PASSKEYS }),
    broker.call<Authenticators["keys"], object>("keys.heldBy", { userId }, MESH),
  ]);
  return {
    passkeys,
    password: user.passwordHash !== undefined,
    provider: user.subject !== undefined,
    mail: user.email !== undefined,
    keys,
  };
}

/**
 * Ends every sign-in of an account but one, and where a passkey is named every way in but that and the account's
 * address; API keys are the keys domain's to end. Answers the account as it is then. Throws 403 for one that is closed.
 */
export async function endOlder(
  host: Host,
  userId: string,
  only: false | { keep: string; kept?: string },
): Promise<User> {
  if (only) await host.store(Passkey).removeAll(WHY, { userId, _id: { $ne: only.keep } });
  const ended = await host.store(User).amend(WHY, userId, (user) => {
    if (!user.active) throw forbidden("This account is closed.");
    return {
      ...(only && { passwordHash: null, subject: null }),
      ...endingSignIns(user, host.world.clock.now(), only || {}),
    };
  });
  return ended!;
}

export const authenticators = {
  "authenticators.list": endpoint({
    rest: "GET /authenticators",
    summary: "List every means of sign-in to your account",
    permit: "self",
    beyond: true,
    returns: data(Authenticators),
    description:
      "Review this after a recovery, or when something seems wrong: passkeys, password, identity " +
      "provider, mailed links and API keys. Sessions are at `GET /api/auth/sessions`.",
    handler(ctx) {
      return authenticatorsOf(this, personOf(ctx).userId);
    },
  }),

  "authenticators.endOthers": endpoint({
    rest: "DELETE /authenticators",
    summary: "Remove every means of sign-in to your account except one passkey",
    permit: "signed-in",
    beyond: true,
    stepUp: true,
    returns: data(Authenticators),
    description:
      "Removes the other passkeys, the password, the identity provider sign-in, every API key and every " +
      "other session. The account's address is kept, and can still recover the account.",
    query: {
      keep: TextId.optional().describe("The passkey to keep; without it, the one that your session started with."),
    },
    errors: { 404: "You have no such passkey.", 409: "Your session started without a passkey: say which one to keep." },
    async handler(ctx) {
      const { userId, credential } = personOf(ctx);
      const kept = ctx.params.keep ?? (await this.store(Session).one(WHY, { _id: credential!, userId }))?.passkeyId;
      if (kept === undefined) throw conflict("Your session began without a passkey: say by `keep` which one stays.");
      if (!(await this.store(Passkey).one(WHY, { _id: kept, userId }))) throw notFound("passkey", kept);
      await endOlder(this, userId, { keep: kept, kept: credential! });
      await this.broker.call("keys.endAll", { userId }, MESH);
      await endSessions(this, ctx, userId, { _id: { $ne: credential! } });
      return authenticatorsOf(this, userId);
    },
  }),

  "authenticators.end": endpoint({
    rest: "DELETE /authenticators/:which",
    summary: "Remove your password or your identity provider sign-in",
    permit: "signed-in",
    beyond: true,
    stepUp: true,
    path: { which: z.enum(SINGLE).describe("The means of sign-in to remove.") },
    returns: nothing(),
    status: 204,
    description:
      "Also ends the sessions started with it. Remove passkeys at `/api/auth/passkeys/{id}` and API " +
      "keys at `/api/keys/{id}`.",
    errors: { 404: "There is none.", 409: "No means of sign-in would be left." },
    async handler(ctx) {
      await end(this, ctx, ctx.params.which);
      return null;
    },
  }),
};

async function end(host: Host, ctx: Ctx<unknown>, which: (typeof SINGLE)[number]): Promise<void> {
  const { userId } = personOf(ctx);
  await forget(host, ctx, userId, which);
  await endSessions(host, ctx, userId, { means: MEANS[which] });
  await AccessChanged.emit(ctx, { userId });
}

/** The way that stays is called for a witness, so that it cannot go at the same time. */
async function forget(host: Host, ctx: Ctx<unknown>, userId: string, which: (typeof SINGLE)[number]): Promise<void> {
  const forgotten = await retryOnConflict(
    async () => {
      const user = await host.store(User).get(WHY, userId);
      if (user[FIELD[which]] === undefined) throw notFound(which, userId);
      const elsewhere = user.email !== undefined || (await host.store(Passkey).witness(WHY, { userId }));
      if (elsewhere)
        await host.store(User).revise(ctx, user, {
          [FIELD[which]]: null,
          ...endingSignIns(user, host.world.clock.now(), { means: MEANS[which] }),
        });
      return elsewhere;
    },
    { apart: `${userId} ${which}` },
  );
  if (!forgotten)
    throw conflict("This is the only way into your account: register a passkey or confirm your address first.");
}
