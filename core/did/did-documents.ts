import { z } from "zod";
import { agreementKeyOf, jwkOf, multibaseOf, type PublicKey } from "./key-encodings.ts";

const Reference = z.union([z.string(), z.record(z.string(), z.unknown())]);

/** DID Core 1.0 §5. */
export const DidDocument = z
  .looseObject({
    "@context": z.unknown().optional(),
    id: z.string(),
    alsoKnownAs: z.array(z.string()).optional(),
    controller: z.union([z.string(), z.array(z.string())]).optional(),
    verificationMethod: z.array(z.looseObject({ id: z.string(), type: z.string(), controller: z.string() })).optional(),
    authentication: z.array(Reference).optional(),
    assertionMethod: z.array(Reference).optional(),
    keyAgreement: z.array(Reference).optional(),
    capabilityInvocation: z.array(Reference).optional(),
    capabilityDelegation: z.array(Reference).optional(),
  })
  .meta({ id: "DidDocument" });
export type DidDocument = z.output<typeof DidDocument>;

/** How keys are written in documents that we make: the option `publicKeyFormat` of did:key. */
export const KEY_FORMATS = ["Multikey", "JsonWebKey"] as const;
export type KeyFormat = (typeof KEY_FORMATS)[number];

const CONTEXTS: Record<KeyFormat, readonly string[]> = {
  Multikey: ["https://www.w3.org/ns/did/v1", "https://w3id.org/security/multikey/v1"],
  JsonWebKey: ["https://www.w3.org/ns/did/v1", "https://w3id.org/security/jwk/v1"],
};

const method = (id: string, controller: string, key: PublicKey, format: KeyFormat) =>
  format === "Multikey"
    ? { id, type: "Multikey", controller, publicKeyMultibase: multibaseOf(key) }
    : { id, type: "JsonWebKey", controller, publicKeyJwk: jwkOf(key) };

interface Parts {
  did: string;
  key: PublicKey;
  /** Signing keys before this one: kept, so that what they signed can be verified (DID Core 1.0, section 5.3.2). */
  formerKeys?: readonly PublicKey[];
  format?: KeyFormat;
  /** The fragment of a key's id; its Multikey form by default, as did:key has it. */
  fragment?: (key: PublicKey) => string;
  alsoKnownAs?: readonly string[];
  controller?: string;
}

/**
 * The document of a DID with one key in force: X25519 agrees on keys, any other signs; an Ed25519 key brings its X25519
 * along.
 */
export function documentOf({
  did,
  key,
  formerKeys = [],
  format = "Multikey",
  fragment = multibaseOf,
  alsoKnownAs,
  controller,
}: Parts): DidDocument {
  const idOf = (one: PublicKey): string => `${did}#${fragment(one)}`;
  const signing = key.type === "X25519" ? [] : [key];
  // Weierstrass keys serve for both; Edwards keys have a twin for agreement.
  const agreeing = key.type === "Ed25519" ? [agreementKeyOf(key)] : [key];
  const all = [...new Set([...signing, ...agreeing, ...formerKeys])];
  const by = signing.map(idOf);
  return {
    "@context": [...CONTEXTS[format]],
    id: did,
    ...(alsoKnownAs?.length && { alsoKnownAs: [...alsoKnownAs] }),
    ...(controller && { controller }),
    verificationMethod: all.map((one) => method(idOf(one), did, one, format)),
    ...(by.length && {
      authentication: by,
      assertionMethod: [...by, ...formerKeys.map(idOf)],
      capabilityInvocation: by,
      capabilityDelegation: by,
    }),
    keyAgreement: agreeing.map(idOf),
  };
}
