import { createCipheriv, createDecipheriv, randomBytes } from "node:crypto";
import { derive, sha256 } from "./ids.ts";

/**
 * Keeps small secrets at rest: AES-256-GCM under a key derived from the root secret for one purpose. What a secret belongs to
 * is authenticated with it, so that a sealed value moved to another record does not open. Form: `v1.<key id>.<base64url of
 * iv, ciphertext and tag>`; the key id tells which key sealed it.
 */
export class Sealer {
  readonly #key: Buffer;
  readonly #keyId: string;

  constructor(secret: Uint8Array, purpose: string) {
    this.#key = derive(secret, purpose);
    this.#keyId = sha256(this.#key).slice(0, 8);
  }

  /** `owner` names the record the secret belongs to. */
  seal(plain: Uint8Array, owner: string): string {
    const iv = randomBytes(12);
    const cipher = createCipheriv("aes-256-gcm", this.#key, iv).setAAD(Buffer.from(owner));
    return `v1.${this.#keyId}.${Buffer.concat([iv, cipher.update(plain), cipher.final(), cipher.getAuthTag()]).toString("base64url")}`;
  }

  /** Throws where the value was altered, belongs to another owner, or was sealed under another secret. */
  open(sealed: string, owner: string): Buffer {
    const [version, keyId, body] = sealed.split(".");
    if (version !== "v1" || keyId !== this.#keyId) throw new Error("This secret was sealed under another root secret.");
    const bytes = Buffer.from(body!, "base64url");
    const cipher = createDecipheriv("aes-256-gcm", this.#key, bytes.subarray(0, 12)).setAAD(Buffer.from(owner));
    cipher.setAuthTag(bytes.subarray(-16));
    return Buffer.concat([cipher.update(bytes.subarray(12, -16)), cipher.final()]);
  }
}
