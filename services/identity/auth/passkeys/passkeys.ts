import { z } from "zod";
import { entity, Instant, TextId, type Item } from "../../../../core/records/entity.ts";
import { unprocessable } from "../../../../core/problem.ts";

export const PasskeyName = z.string().trim().min(1).max(120).describe("A label of your own.");

/** A person has few devices; an account with more passkeys than this has forgotten ones. */
export const MOST_PASSKEYS = 20;

/** A public key credential of an account (WebAuthn Level 3). */
export const Passkey = entity("passkeys", {
  title: "passkey",
  fields: {
    userId: TextId,
    name: PasskeyName,
    /** Base64url; up to 1,023 bytes. */
    credentialId: z.string().max(1_400),
    /** COSE key, base64url. */
    publicKey: z.string(),
    /** COSE algorithm identifier. */
    algorithm: z.int(),
    /** Signatures counted by the authenticator; 0 for ever where it does not count. */
    counter: z.int(),
    transports: z.array(z.string().max(32)).max(8).default([]),
    synced: z.boolean().describe("Whether it can be copied to its owner's other devices (backup eligible)."),
    backedUp: z.boolean(),
    aaguid: z.string().describe("Model of the authenticator, if it says so."),
    lastUsedAt: Instant.optional(),
  },
  readonly: [
    "userId",
    "credentialId",
    "publicKey",
    "algorithm",
    "counter",
    "transports",
    "synced",
    "backedUp",
    "aaguid",
    "lastUsedAt",
  ],
  hidden: ["publicKey", "counter", "userId"],
  most: {
    count: MOST_PASSKEYS,
    per: ["userId"],
    refusal: (count) => unprocessable("TOO_MANY_PASSKEYS", `You have ${count} passkeys; remove one that is not used.`),
  },
  indexes: [{ fields: ["credentialId"], unique: true }, { fields: ["userId", "-createdAt"] }],
});
export type Passkey = Item<typeof Passkey>;

export const PasskeyView = Passkey.view.meta({ id: "Passkey" });

/** Offered and accepted, best first: EdDSA, ES256, ES384, ES512, RS256 (COSE identifiers). */
export const ALGORITHMS = [-8, -7, -35, -36, -257] as const;

const Base64Url = (most: number) =>
  z
    .string()
    .max(most)
    .regex(/^[\w-]+$/, "Must be base64url without padding.");
const CredentialId = Base64Url(1_400);
const Extensions = z.record(z.string(), z.unknown()).default({});

/**
 * What `credential.toJSON()` of a browser gives after `navigator.credentials.create()`; browsers add members to
 * `response` as they learn.
 */
export const NewCredential = {
  id: CredentialId,
  rawId: CredentialId,
  type: z.literal("public-key"),
  response: z.object({
    clientDataJSON: Base64Url(8_192),
    attestationObject: Base64Url(131_072),
    transports: z.array(z.string().max(32)).max(8).optional(),
  }),
  authenticatorAttachment: z.string().max(32).nullish(),
  clientExtensionResults: Extensions,
};
export type NewCredential = z.output<z.ZodObject<typeof NewCredential>>;

/** What `credential.toJSON()` of a browser gives after `navigator.credentials.get()`. */
export const Proof = {
  id: CredentialId,
  rawId: CredentialId,
  type: z.literal("public-key"),
  response: z.object({
    clientDataJSON: Base64Url(8_192),
    authenticatorData: Base64Url(8_192),
    signature: Base64Url(8_192),
    userHandle: Base64Url(128).nullish(),
  }),
  authenticatorAttachment: z.string().max(32).nullish(),
  clientExtensionResults: Extensions,
};
export type Proof = z.output<z.ZodObject<typeof Proof>>;

const Descriptor = z.object({ id: z.string(), type: z.string(), transports: z.array(z.string()).optional() });

/** `PublicKeyCredentialCreationOptionsJSON`: goes into `PublicKeyCredential.parseCreationOptionsFromJSON`. */
export const CreationOptions = z
  .object({
    rp: z.object({ id: z.string(), name: z.string() }),
    user: z.object({ id: z.string(), name: z.string(), displayName: z.string() }),
    challenge: z.string(),
    pubKeyCredParams: z.array(z.object({ type: z.string(), alg: z.int() })),
    timeout: z.int(),
    excludeCredentials: z.array(Descriptor),
    authenticatorSelection: z.object({
      residentKey: z.string(),
      requireResidentKey: z.boolean(),
      userVerification: z.string(),
    }),
    attestation: z.string(),
  })
  .meta({ id: "PasskeyCreationOptions" });

/** `PublicKeyCredentialRequestOptionsJSON`: goes into `PublicKeyCredential.parseRequestOptionsFromJSON`. */
export const RequestOptions = z
  .object({
    rpId: z.string(),
    challenge: z.string(),
    timeout: z.int(),
    userVerification: z.string(),
    allowCredentials: z.array(Descriptor),
  })
  .meta({ id: "PasskeyRequestOptions" });
