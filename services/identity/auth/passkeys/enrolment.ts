import { z } from "zod";
import { authorize, demandFresh, type Actor } from "../../../../core/access/access.ts";
import { asSystem, type Ctx } from "../../../../core/access/caller.ts";
import type { Host } from "../../../../core/contract/endpoint.ts";
import { newId } from "../../../../core/ids.ts";
import { forbidden, invalid } from "../../../../core/problem.ts";
import { hasPasskeys } from "../sessions/actor.actions.ts";
import { endOlder } from "./authenticators.actions.ts";
import type { Ceremony } from "./ceremonies.ts";
import { demandAdmission } from "../users/admission.ts";
import { noteAccount, personOf } from "../parts.ts";
import { Passkey, PasskeyView } from "./passkeys.ts";
import { PasskeyAdded, AccessChanged } from "../events.ts";
import { endSessions, startSession } from "../sessions/sessions.actions.ts";
import { SessionView } from "../sessions/sessions.ts";
import { askToConfirm } from "../links/links.actions.ts";
import { findable, Self, User } from "../users/users.ts";
import { countRegistration } from "../users/registrations.ts";
import { verifyNew } from "./webauthn.ts";

const MESH = asSystem("auth");

/** Says nothing of the address, nor whether it has another account. */
const WAITS =
  "Your address waits to be confirmed: follow the link that is mailed there. Until then the account can see " +
  "itself and leave, and nothing else.";

export const Registered = z
  .object({
    user: Self,
    passkey: PasskeyView,
    session: SessionView.optional().describe("The session that began; absent where one was there already."),
    message: z.string().optional().describe("What remains to be done: for a new account, confirming its address."),
  })
  .meta({ id: "PasskeyRegistration" });

/** Whose passkey it will be: the signed-in account's, else a new account's. */
export async function ceremonyFor(
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
  const user = await host.store(User).get(MESH, actor.userId);
  if (user.passwordHash || (await hasPasskeys(host, actor.userId))) demandFresh(actor, host.world.clock.now());
}

type NewPasskey = Awaited<ReturnType<typeof verifyNew>>;

export async function enrol(
  host: Host,
  ctx: Ctx<unknown>,
  ceremony: Extract<Ceremony, { purpose: "register" }>,
  made: NewPasskey,
): Promise<z.input<typeof Registered>> {
  const { userId, how } = ceremony;
  // An account may have been closed since the ceremony began.
  if (how !== "registered" && !(await host.store(User).get(MESH, userId)).active)
    throw forbidden("This account is closed.");
  if (how !== "added") noteAccount(ctx, userId);
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
      .create(
        ctx,
        findable({ id: userId, claimedEmail: ceremony.email, ...(ceremony.name && { name: ceremony.name }) }),
      );
    await askToConfirm(host, ctx, user);
    return {
      user,
      passkey,
      session: { ...(await startSession(host, ctx, user, "passkey", passkey.id)), current: true },
      message: WAITS,
    };
  }
  const user = await host.store(User).get(MESH, userId);
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
