import { createHash, createPrivateKey, createPublicKey, type KeyObject } from "node:crypto";
import { errors, jwtVerify, SignJWT, type JWK } from "jose";
import { z } from "zod";
import { isCanonical } from "../../../../core/access/base64url.ts";
import { derive, newId } from "../../../../core/ids.ts";

/** Document 1, Authentication 2: a JWT is good for seven days. */
export const TOKEN_SECONDS = 7 * 86_400;
const ISSUER = "signalmesh";
/** How many tokens are known again by their text: whoever is refused is looked up anew, and so is their token. */
const MOST_KNOWN = 1_000;
/** PKCS #8 header of a raw Ed25519 seed (RFC 8410 §7). */
const PKCS8 = Buffer.from("302e020100300506032b657004220420", "hex");

export interface SessionToken {
  token: string;
  id: string;
  expiresAt: string;
}
/** What the person proved themself with when the token was issued. */
export type ProofMethod = "password" | "passkey";
export interface Claims {
  userId: string;
  id: string;
  issuedAt: number;
  provedAt: number;
  expiresAt: number;
  proof: ProofMethod;
  rev: number | undefined;
  passkeyId: string | undefined;
}

/** What a token was issued under: the account's revision that the person was compared with, and their passkey. */
export interface Under {
  rev: number;
  passkeyId?: string | undefined;
}

const Seconds = z.int().min(0);
/** What a token of ours says; under a signature of ours too, nothing else goes on to the store. */
const Said = z.object({
  sub: z.string().min(1).max(200),
  jti: z.string().min(1).max(200),
  iat: Seconds,
  exp: Seconds,
  auth_time: Seconds.optional(),
  amr: z.array(z.string()).optional(),
  rev: z.int().min(0).optional(),
  pk: z.string().min(1).max(200).optional(),
});

/** Authentication methods as RFC 8176 names them. */
const METHODS: Record<ProofMethod, string[]> = { password: ["pwd"], passkey: ["pop", "user"] };

/**
 * Signs and verifies JWTs with one Ed25519 key derived from the root secret; the algorithm is pinned (RFC 8725 §3.1).
 */
export class Tokens {
  readonly #private: KeyObject;
  readonly #public: KeyObject;
  readonly #keyId: string;
  /** What tokens say whose signature was verified, by a hash of their text; the last ones. */
  readonly #known = new Map<string, Claims>();

  constructor(secret: Buffer) {
    this.#private = createPrivateKey({
      key: Buffer.concat([PKCS8, derive(secret, "jwt ed25519")]),
      format: "der",
      type: "pkcs8",
    });
    this.#public = createPublicKey(this.#private);
    this.#keyId = createHash("sha256")
      .update(this.#public.export({ format: "der", type: "spki" }))
      .digest("base64url")
      .slice(0, 16);
  }

  async issue(userId: string, now: number, proof: ProofMethod, { rev, passkeyId }: Under): Promise<SessionToken> {
    const id = newId();
    const issued = Math.floor(now / 1000);
    const token = await new SignJWT({
      amr: METHODS[proof],
      auth_time: issued,
      rev,
      ...(passkeyId && { pk: passkeyId }),
    })
      .setProtectedHeader({ alg: "EdDSA", typ: "JWT", kid: this.#keyId })
      .setSubject(userId)
      .setJti(id)
      .setIssuer(ISSUER)
      .setAudience(ISSUER)
      .setIssuedAt(issued)
      .setExpirationTime(issued + TOKEN_SECONDS)
      .sign(this.#private);
    return { token, id, expiresAt: new Date((issued + TOKEN_SECONDS) * 1000).toISOString() };
  }

  /** The claims of a token of ours that has not expired; null for any other text. */
  async read(token: string, now: number): Promise<Claims | null> {
    const hash = createHash("sha256").update(token).digest("base64");
    const claims = this.#known.get(hash) ?? (await this.#verified(token, now));
    if (!claims || claims.expiresAt <= Math.floor(now / 1000) * 1000) return null;
    this.#known.delete(hash);
    this.#known.set(hash, claims);
    if (this.#known.size > MOST_KNOWN) this.#known.delete(this.#known.keys().next().value!);
    return claims;
  }

  async #verified(token: string, now: number): Promise<Claims | null> {
    if (!token.split(".").every(isCanonical)) return null;
    try {
      const { payload } = await jwtVerify(token, this.#public, {
        algorithms: ["EdDSA"],
        issuer: ISSUER,
        audience: ISSUER,
        currentDate: new Date(now),
        requiredClaims: ["sub", "jti", "iat", "exp"],
      });
      const { data: said } = Said.safeParse(payload);
      if (!said) return null;
      const { sub, jti, iat, exp, auth_time: at = iat, amr, rev, pk } = said;
      return {
        userId: sub,
        id: jti,
        issuedAt: iat * 1000,
        provedAt: at * 1000,
        expiresAt: exp * 1000,
        proof: proofOf(amr),
        rev,
        passkeyId: pk,
      };
    } catch (error) {
      if (error instanceof errors.JOSEError || error instanceof TypeError) return null;
      throw error;
    }
  }

  /** The public key, for whoever verifies our tokens (RFC 7517). */
  jwks(): { keys: JWK[] } {
    return {
      keys: [{ ...(this.#public.export({ format: "jwk" }) as JWK), kid: this.#keyId, alg: "EdDSA", use: "sig" }],
    };
  }
}

const proofOf = (methods: readonly string[] = []): ProofMethod => (methods.includes("pop") ? "passkey" : "password");
