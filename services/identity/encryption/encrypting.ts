import { CompactEncrypt, FlattenedEncrypt, GeneralEncrypt, importJWK, type JWK } from "jose";
import { BY_DID, BY_KEY, CONTENT } from "./jwe.ts";

export interface Recipient {
  kid: string;
  jwk: JWK;
}
export type Encrypted = string | Record<string, unknown>;

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);

/**
 * Encrypts under a named key. Associated data has no place in the compact form (RFC 7516 §7.1): with it the flattened
 * one is made.
 */
export async function underKey(plaintext: Uint8Array, key: Uint8Array, kid: string, aad?: string): Promise<Encrypted> {
  const header = { alg: BY_KEY, enc: CONTENT, kid };
  if (aad === undefined) return new CompactEncrypt(plaintext).setProtectedHeader(header).encrypt(key);
  return {
    ...(await new FlattenedEncrypt(plaintext)
      .setProtectedHeader(header)
      .setAdditionalAuthenticatedData(bytes(aad))
      .encrypt(key)),
  };
}

/** Encrypts to holders of DIDs, in general form: each gets the content key wrapped by a key agreed on with theirs. */
export async function toHolders(
  plaintext: Uint8Array,
  recipients: readonly Recipient[],
  aad?: string,
): Promise<Encrypted> {
  const jwe = new GeneralEncrypt(plaintext).setProtectedHeader({ enc: CONTENT });
  if (aad !== undefined) jwe.setAdditionalAuthenticatedData(bytes(aad));
  for (const { kid, jwk } of recipients)
    jwe.addRecipient(await importJWK(jwk, BY_DID)).setUnprotectedHeader({ alg: BY_DID, kid });
  return { ...(await jwe.encrypt()) };
}
