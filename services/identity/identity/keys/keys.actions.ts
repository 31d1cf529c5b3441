import { z } from "zod";
import { data } from "../../../../core/contract/answer.ts";
import type { Ctx } from "../../../../core/access/caller.ts";
import { endpoint, type Host } from "../../../../core/contract/endpoint.ts";
import { derive } from "../../../../core/ids.ts";
import { conflict, invalid, notFound } from "../../../../core/problem.ts";
import { blindKeySign, blindPublicKey } from "./blinding.ts";
import { proofRefused, proof } from "../client.ts";
import { didKeyOf } from "../did-methods/did-methods.ts";
import { DidText } from "../did-methods/did-syntax.ts";
import { Did } from "../dids.ts";
import { jwkOf, multibaseOf, readMultibase, type PublicKey } from "../../../../core/did/key-encodings.ts";
import { boundDid, ownEd25519, self } from "../parts.ts";
import { PrfCredential, PrfView } from "./prf.ts";
import { spokenBy } from "../proofs/proofs.ts";
import { publicKeyOf, type SigningKey } from "../../../../core/did/signatures.ts";

const Context = z
  .string()
  .min(1)
  .max(256)
  .describe("What the key is for: the same text gives the same key, two texts give keys that nobody else can link.");
const own = DidText.optional().describe(
  "One of your DIDs with an Ed25519 key kept by the platform; your primary DID when absent.",
);

const BlindedKey = z
  .object({
    context: z.string(),
    did: z.string().describe("did:key of the blinded key."),
    verificationMethod: z.string(),
    publicKeyMultibase: z.string(),
    publicKeyJwk: z.object({ kty: z.string(), crv: z.string(), x: z.string() }),
    algorithm: z.literal("Ed25519"),
  })
  .meta({ id: "BlindedKey" });

const UNSUITABLE = {
  404: "You have no such DID.",
  409: "The DID is deactivated.",
  422: "The DID has no Ed25519 key that we keep.",
} as const;

export const keys = {
  "blindedKeys.derive": endpoint({
    rest: "POST /derive-blinded-key",
    summary: "Derive a signing key that cannot be linked to your DID",
    permit: "identity:hold",
    reads: true,
    returns: data(BlindedKey),
    description:
      "Key blinding on Ed25519 (draft-irtf-cfrg-signature-key-blinding). Signatures by it are plain Ed25519 " +
      "(`POST /api/identity/blinded-key/sign`). No record says whose it is.",
    body: { context: Context, did: own },
    example: { context: "survey 2026" },
    errors: UNSUITABLE,
    async handler(ctx) {
      return blinded(await blindedKey(this, ctx));
    },
  }),

  "blindedKeys.sign": endpoint({
    rest: "POST /blinded-key/sign",
    summary: "Sign with one of your blinded keys",
    permit: "identity:hold",
    beyond: true,
    errors: UNSUITABLE,
    body: {
      context: Context,
      did: own,
      data: z
        .string()
        .max(88_000)
        .regex(/^[\w-]*$/, "Base64url without padding.")
        .describe("The bytes to sign, base64url."),
    },
    example: { context: "survey 2026", data: "eWVz" },
    returns: data(z.object({ signature: z.string(), did: z.string(), verificationMethod: z.string() })),
    async handler(ctx) {
      const { key, blind, context, publicKey } = await blindedKey(this, ctx);
      const signature = blindKeySign(key.secret, blind, context, Buffer.from(ctx.params.data, "base64url"));
      const { did, verificationMethod } = blinded({ publicKey, text: ctx.params.context });
      return { signature: Buffer.from(signature).toString("base64url"), did, verificationMethod };
    },
  }),

  "prfCredentials.register": endpoint({
    rest: "POST /register-prf",
    summary: "Register a key that your passkey derives (WebAuthn PRF)",
    permit: "identity:hold",
    status: 201,
    returns: data(PrfView),
    description:
      "Stores the salt for the PRF and the public key derived from its output; the output itself stays " +
      "with you. `signature` is made by that key, over a challenge of purpose `register-prf` whose " +
      "subject is `publicKey`. The key's did:key becomes one of your DIDs.",
    body: {
      credentialId: PrfCredential.create.credentialId,
      salt: PrfCredential.create.salt,
      publicKey: z.string().max(200).describe("Multikey form, `z…`."),
      ...proof,
    },
    errors: {
      409: "This passkey has a PRF key already, or the key belongs to another account.",
      422: "The challenge is invalid, or the signature is not the key's.",
    },
    example: {
      credentialId: "AQIDBAUGBwgJCgsMDQ4PEBES",
      salt: "pIJ3Kc4l0dXIUZW0hJk3pHMfYIEP7cBsJmVJ6mbqkXw",
      publicKey: "z6MkiTBz1ymuepAQ4HEHYSF1H8quG5GLVVQR3djdX3mDooWp",
      challenge: "pIJ3Kc4l0dXIUZW0hJk3pHMfYIEP7cBsJmVJ6mbqkXw",
      signature: "kqPcQ8n1VvOqJb7y4mHk3w",
    },
    async handler(ctx) {
      const { credentialId, salt, publicKey } = ctx.params;
      const userId = ctx.meta.actor!.userId;
      const key = signingKey(publicKey);
      const did = didKeyOf(key);
      await provePossession(this, ctx, "register-prf", publicKey, key);
      if (await this.store(PrfCredential).one(ctx, { userId, credentialId }))
        throw conflict("This passkey has a PRF key already.", { credentialId });
      await bind(this, ctx, { did, userId, publicKey });
      return this.store(PrfCredential).create(ctx, { userId, credentialId, salt, did, publicKey });
    },
  }),

  "prfCredentials.resolve": endpoint({
    rest: "POST /resolve-prf",
    summary: "List the salts and DIDs of your passkeys' PRF keys",
    permit: "identity:read",
    reads: true,
    description: "Lists all of yours, or that of one passkey (404 if it has none).",
    body: { credentialId: PrfCredential.create.credentialId.optional() },
    example: {},
    errors: { 404: "This passkey of yours has no PRF key." },
    returns: data(z.object({ credentials: z.array(PrfView) })),
    async handler(ctx) {
      const { credentialId } = ctx.params;
      const credentials = await this.store(PrfCredential).find(
        ctx,
        { userId: ctx.meta.actor!.userId, ...(credentialId && { credentialId }) },
        { sort: ["credentialId"], limit: 100 },
      );
      if (credentialId && !credentials.length) throw notFound("PRF credential", credentialId);
      return { credentials };
    },
  }),
};

interface Blinded {
  key: SigningKey;
  blind: Uint8Array;
  context: Uint8Array;
  publicKey: PublicKey;
  text: string;
}

/**
 * The blind is a secret of the house, one for each DID: nobody else can tell whose a blinded key is, and the same
 * context gives the same key.
 */
async function blindedKey(host: Host, ctx: Ctx<{ context: string; did?: string }>): Promise<Blinded> {
  const { did, key, root } = await ownEd25519(self(host), ctx, ctx.params.did);
  const blind = derive(root, `key blinding ${did}`);
  const context = Buffer.from(ctx.params.context);
  return {
    key,
    blind,
    context,
    text: ctx.params.context,
    publicKey: { type: "Ed25519", bytes: blindPublicKey(publicKeyOf(key).bytes, blind, context) },
  };
}

function blinded({ publicKey, text }: Pick<Blinded, "publicKey" | "text">) {
  const did = didKeyOf(publicKey);
  const publicKeyMultibase = multibaseOf(publicKey);
  return {
    context: text,
    did,
    verificationMethod: `${did}#${publicKeyMultibase}`,
    publicKeyMultibase,
    publicKeyJwk: jwkOf(publicKey),
    algorithm: "Ed25519" as const,
  };
}

/** Reads a Multikey that can sign. Throws 400. */
function signingKey(text: string): PublicKey {
  const key = readMultibase(text);
  if (!key || key.type === "X25519")
    throw invalid([{ path: "publicKey", message: "Must be a Multikey (z…) of Ed25519, secp256k1, P-256 or P-384." }]);
  return key;
}

async function provePossession(
  host: Host,
  ctx: Ctx<{ challenge: string; signature: string }>,
  purpose: "register-prf",
  subject: string,
  key: PublicKey,
): Promise<void> {
  const message = await self(host).challenges.spend(
    { userId: ctx.meta.actor!.userId, purpose, subject },
    ctx.params.challenge,
    host.world.clock.now(),
  );
  if (!(await spokenBy([{ id: subject, key }], message, ctx.params.signature))) throw proofRefused("the key");
}

/**
 * The key's did:key becomes the caller's, unless it is already. Throws 409 where it is another account's, or
 * deactivated.
 */
async function bind(
  host: Host,
  ctx: Ctx<unknown>,
  { did, userId, publicKey }: { did: string; userId: string; publicKey: string },
): Promise<void> {
  const before = await boundDid(host, did);
  if (before?.userId === userId && before.status === "active") return;
  if (before) throw conflict("This key's DID is bound to an account already, or was deactivated.", { did });
  await host.store(Did).demandRoom({ userId });
  await host.store(Did).create(ctx, { did, method: "key", origin: "prf", userId, publicKey });
}
