import { createHash } from "node:crypto";
import { p256 } from "@noble/curves/nist.js";
import { canonicalJson } from "../../../core/canonical-json.ts";
import { jwkOf, type PublicJwk } from "../../../core/did/key-encodings.ts";
import { publicKeyOf, sign, type SigningKey } from "../../../core/did/signatures.ts";
import { derive } from "../../../core/ids.ts";

const encode = (text: string): string => Buffer.from(text).toString("base64url");

/** A third longer than the scalar, so that all scalars are equally likely (FIPS 186-5, A.2.1). */
const SEED_BYTES = 48;
const keyUnder = (root: Uint8Array): SigningKey => ({
  type: "P-256",
  secret: p256.utils.randomSecretKey(derive(root, "a2a card p-256", SEED_BYTES)),
});

type Named = PublicJwk & { kid: string; use: "sig"; alg: "ES256" };
/** The public key as JWK, named by its thumbprint (RFC 7638). */
function namedJwk(key: SigningKey): Named {
  const jwk = jwkOf(publicKeyOf(key));
  const kid = createHash("sha256").update(canonicalJson(jwk)!).digest("base64url");
  return { ...jwk, kid, use: "sig", alg: "ES256" };
}

/** A signature of a card in the JSON form of RFC 7515, its payload detached. */
export interface CardSignature {
  protected: string;
  signature: string;
}

/**
 * Signs agent cards with a key that each node derives from the root secret; the same card has the same signature on all
 * nodes (RFC 6979). Keys of earlier root secrets that are still trusted verify older signatures.
 */
export class CardSigner {
  readonly #key: SigningKey;
  readonly #kid: string;
  readonly jwks: { keys: readonly Named[] };

  constructor(secret: Uint8Array, trusted: readonly Uint8Array[] = []) {
    this.#key = keyUnder(secret);
    this.jwks = { keys: [secret, ...trusted].map((root) => namedJwk(keyUnder(root))) };
    this.#kid = this.jwks.keys[0]!.kid;
  }

  /** The card with a signature over its canonical JSON (A2A 1.0, 8.4); `jku`: where the keys are published. */
  signed<C extends object>(card: C, jku: string): C & { signatures: CardSignature[] } {
    const header = encode(JSON.stringify({ alg: "ES256", typ: "JOSE", kid: this.#kid, jku }));
    const input = `${header}.${encode(canonicalJson(card)!)}`;
    const signature = Buffer.from(sign(this.#key, Buffer.from(input))).toString("base64url");
    return { ...card, signatures: [{ protected: header, signature }] };
  }
}
