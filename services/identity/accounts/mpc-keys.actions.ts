import { z } from "zod";
import { may, demandFresh } from "../../../core/access/access.ts";
import { data } from "../../../core/contract/answer.ts";
import type { Ctx } from "../../../core/access/caller.ts";
import { iso } from "../../../core/clock.ts";
import { endpoint, type Host } from "../../../core/contract/endpoint.ts";
import { TextId } from "../../../core/records/entity.ts";
import { conflict, invalid, notFound, unprocessable } from "../../../core/problem.ts";
import { proof, proofRefused, spendChallenge, type Spending } from "../identity/client.ts";
import { readMultibase, type PublicKey } from "../../../core/did/key-encodings.ts";
import { verifies } from "../../../core/did/signatures.ts";
import { Account, MOST_FORMER, MOST_KEYS, MpcKey, MpcKeyView, replacement } from "./accounts.ts";

const NewKey = z
  .string()
  .max(200)
  .describe("The share's public key in Multikey form (`z…`): Ed25519, secp256k1, P-256 or P-384.");

export const mpcKeys = {
  "mpcKeys.add": endpoint({
    rest: "POST /add-mpc-key",
    summary: "Add an MPC signing key to an account",
    permit: "identity:hold",
    status: 201,
    returns: data(MpcKeyView),
    description:
      "The public part of a share; `signature` is made by the share, over a challenge of purpose " +
      "`add-mpc-key` whose subject is `publicKey` (`POST /api/identity/challenges`).",
    body: {
      identityUserId: TextId.optional().describe("Whose account; yours when absent."),
      publicKey: NewKey,
      label: MpcKey.create.label,
      ...proof,
    },
    errors: {
      404: "There is no such account that is yours.",
      409: "The account has this key already.",
      422: "The challenge is invalid, the signature is not the key's, or there are too many keys.",
    },
    example: {
      publicKey: "z6MkiTBz1ymuepAQ4HEHYSF1H8quG5GLVVQR3djdX3mDooWp",
      label: "Wallet",
      challenge: "pIJ3Kc4l0dXIUZW0hJk3pHMfYIEP7cBsJmVJ6mbqkXw",
      signature: "kqPcQ8n1VvOqJb7y4mHk3w",
    },
    async handler(ctx) {
      const { identityUserId, publicKey, label, signature } = ctx.params;
      const account = await ofCaller(this, ctx, identityUserId);
      const key = readKey(publicKey);
      const message = await spend(this, ctx, "add-mpc-key", publicKey);
      if (!verifies(key, Buffer.from(message), Buffer.from(signature, "base64url"))) throw proofRefused("the key");
      const keys = await keysOf(this, ctx, account, publicKey);
      if (keys.length >= MOST_KEYS)
        throw unprocessable("TOO_MANY_KEYS", `An account has at most ${MOST_KEYS} MPC keys.`);
      return this.store(MpcKey).create(ctx, {
        accountId: account.id,
        publicKey,
        keyType: key.type,
        label,
        since: iso(this.world.clock.now()),
      });
    },
  }),

  "mpcKeys.update": endpoint({
    rest: "POST /update-mpc-key",
    summary: "Rotate an MPC key, with the old key or by recovery",
    permit: "identity:hold",
    returns: data(MpcKeyView),
    description:
      "The new key signs the challenge (purpose `update-mpc-key`, subject `publicKey`). The old key " +
      "signs the same message (`oldSignature`); if it is lost, `recovery` accepts a proof of identity " +
      "at most five minutes old, or an administrator. The old key is kept in the history.",
    body: {
      keyId: TextId,
      publicKey: NewKey,
      ...proof,
      oldSignature: proof.signature.optional(),
      recovery: z.literal(true).optional(),
    },
    errors: {
      403: "Recovery needs a fresh proof of identity.",
      404: "There is no such key of an account of yours.",
      409: "The account has or had this key.",
      422: "The challenge is invalid, or a signature is not its key's.",
    },
    example: {
      keyId: "the key's id",
      publicKey: "z6MkiTBz1ymuepAQ4HEHYSF1H8quG5GLVVQR3djdX3mDooWp",
      challenge: "pIJ3Kc4l0dXIUZW0hJk3pHMfYIEP7cBsJmVJ6mbqkXw",
      signature: "kqPcQ8n1VvOqJb7y4mHk3w",
      oldSignature: "kqPcQ8n1VvOqJb7y4mHk3w",
    },
    async handler(ctx) {
      const { keyId, publicKey, signature, oldSignature, recovery } = ctx.params;
      const { key, account } = await keyOfCaller(this, ctx, keyId);
      const fresh = readKey(publicKey);
      if ((oldSignature === undefined) === (recovery === undefined))
        throw invalid([
          { path: "oldSignature", message: "Give the old key's signature, or `recovery` where it is lost." },
        ]);
      if (recovery && !may(ctx.meta.actor!, "accounts:administer")) demandFresh(ctx.meta.actor, this.world.clock.now());
      const message = Buffer.from(await spend(this, ctx, "update-mpc-key", publicKey));
      if (!verifies(fresh, message, Buffer.from(signature, "base64url"))) throw proofRefused("the new key");
      if (
        oldSignature !== undefined &&
        !verifies(readKey(key.publicKey), message, Buffer.from(oldSignature, "base64url"))
      )
        throw proofRefused("the old key", "oldSignature");
      await keysOf(this, ctx, account, publicKey);
      if (key.history.length >= MOST_FORMER)
        throw unprocessable("TOO_MANY_ROTATIONS", `A key is rotated at most ${MOST_FORMER} times; add another one.`);
      return this.store(MpcKey).revise(
        ctx,
        key,
        replacement(key, publicKey, fresh.type, recovery ? "recovery" : "old-key", iso(this.world.clock.now())),
      );
    },
  }),
};

/** The caller's account, or for an administrator anybody's. Throws 404 on whatever else. */
export async function ofCaller(host: Host, ctx: Ctx<unknown>, identityUserId?: string): Promise<Account> {
  const actor = ctx.meta.actor!;
  const wanted = identityUserId ?? actor.userId;
  const account =
    wanted === actor.userId || may(actor, "accounts:administer")
      ? await host.store(Account).one(ctx, { identityUserId: wanted })
      : null;
  if (!account) throw notFound("account of user", wanted);
  return account;
}

async function keyOfCaller(host: Host, ctx: Ctx<unknown>, keyId: string): Promise<{ key: MpcKey; account: Account }> {
  const actor = ctx.meta.actor!;
  const key = await host.store(MpcKey).one(ctx, { _id: keyId });
  const account = key && (await host.store(Account).one(ctx, { _id: key.accountId }));
  if (!account || (account.identityUserId !== actor.userId && !may(actor, "accounts:administer")))
    throw notFound("MPC key", keyId);
  return { key, account };
}

/** Throws 400 on what cannot sign. */
function readKey(text: string): PublicKey & { type: MpcKey["keyType"] } {
  const key = readMultibase(text);
  if (!key || key.type === "X25519")
    throw invalid([{ path: "publicKey", message: "Must be a Multikey (z…) of Ed25519, secp256k1, P-256 or P-384." }]);
  return key as PublicKey & { type: MpcKey["keyType"] };
}

const spend = (
  host: Host,
  ctx: Ctx<{ challenge: string }>,
  purpose: Spending["purpose"],
  subject: string,
): Promise<string> =>
  spendChallenge(host, { userId: ctx.meta.actor!.userId, purpose, subject, challenge: ctx.params.challenge });

/** The account's keys. Throws 409 where the new one is or was among them: one that was replaced never comes back. */
async function keysOf(host: Host, ctx: Ctx<unknown>, account: Account, publicKey: string): Promise<MpcKey[]> {
  const keys = await host.store(MpcKey).find(ctx, { accountId: account.id });
  if (keys.some((key) => key.publicKey === publicKey || key.history.some((former) => former.publicKey === publicKey)))
    throw conflict("This account has or had this key already.");
  return keys;
}
