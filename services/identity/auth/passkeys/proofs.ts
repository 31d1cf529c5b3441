import type { Actor } from "../../../../core/access/access.ts";
import { asSystem, type Ctx } from "../../../../core/access/caller.ts";
import { iso } from "../../../../core/clock.ts";
import type { Host } from "../../../../core/contract/endpoint.ts";
import { closeCeremony, type Answered, type Ceremony } from "./ceremonies.ts";
import { expected } from "./options.ts";
import { authOf } from "../parts.ts";
import { Passkey, Proof } from "./passkeys.ts";
import { User } from "../users/users.ts";
import { PasskeyRefused, refused, verifyProof } from "./webauthn.ts";

const MESH = asSystem("auth");

/** An answer counts for whoever began: adding and stepping up are bound to the account and to its session or token. */
export function mine<P extends Ceremony["purpose"]>(
  actor: Actor | undefined,
  found: Answered<P> | null,
): Answered<P> | null {
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
export async function settleProof<T>(
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
export async function proofOf(
  host: Host,
  ctx: Ctx<Proof>,
  purpose: "login" | "step-up",
  status: 401 | 403,
): Promise<{ passkey: Passkey; user: User }> {
  const found = await closeCeremony(authOf(host), purpose, ctx.params.response.clientDataJSON);
  return settleProof(host, status, found, async () => {
    const wanted = expected(host, ctx, mine(ctx.meta.actor, found));
    const passkey = await host.store(Passkey).one(MESH, { credentialId: ctx.params.id });
    const user = passkey && (await host.store(User).one(MESH, { _id: passkey.userId }));
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
