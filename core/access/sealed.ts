import { createCipheriv, createDecipheriv, randomBytes } from "node:crypto";
import { derive, sha256 } from "../ids.ts";

/** Shows whether two root secrets are the same, and nothing about them. */
export const fingerprintOf = (secret: Uint8Array): string => sha256(derive(secret, "backup fingerprint")).slice(0, 16);

/** Root secrets: the one of now, and those before it. */
export interface Roots {
  secret: Uint8Array;
  formerSecrets?: readonly Uint8Array[];
}

/** A derived key, and the root it came from. */
interface Key {
  root: Uint8Array;
  key: Buffer;
}

/**
 * Keeps small secrets at rest: AES-256-GCM under a key derived from the root secret for one purpose. What a secret
 * belongs to is authenticated with it, so that a sealed value moved to another record does not open. Form: `v1.<key
 * id>.<base64url of iv, ciphertext and tag>`; the key id tells which key sealed it, so that after a change of the root
 * secret what was sealed under the one before still opens.
 */
export class Sealer {
  readonly #key: Buffer;
  readonly #keyId: string;
  readonly #known = new Map<string, Key>();

  constructor({ secret, formerSecrets = [] }: Roots, purpose: string) {
    for (const root of [...formerSecrets, secret]) {
      const key = derive(root, purpose);
      this.#known.set(idOf(key), { root, key });
    }
    this.#key = derive(secret, purpose);
    this.#keyId = idOf(this.#key);
  }

  /** `owner` names the record the secret belongs to. */
  seal(plain: Uint8Array, owner: string): string {
    const iv = randomBytes(12);
    const cipher = createCipheriv("aes-256-gcm", this.#key, iv).setAAD(Buffer.from(owner));
    return `v1.${this.#keyId}.${Buffer.concat([iv, cipher.update(plain), cipher.final(), cipher.getAuthTag()]).toString("base64url")}`;
  }

  /**
   * Throws where the value was altered, belongs to another owner, or was sealed under a root secret that is not known.
   */
  open(sealed: string, owner: string): Buffer {
    const { key } = this.#keyOf(sealed);
    const bytes = Buffer.from(sealed.split(".")[2]!, "base64url");
    const cipher = createDecipheriv("aes-256-gcm", key, bytes.subarray(0, 12), { authTagLength: 16 }).setAAD(
      Buffer.from(owner),
    );
    cipher.setAuthTag(bytes.subarray(-16));
    return Buffer.concat([cipher.update(bytes.subarray(12, -16)), cipher.final()]);
  }

  /**
   * The root secret that a value was sealed under: for what is derived for the same record, and must stay the same.
   * Throws where it is not known.
   */
  rootOf(sealed: string): Uint8Array {
    return this.#keyOf(sealed).root;
  }

  #keyOf(sealed: string): Key {
    const [version, keyId] = sealed.split(".");
    const known = version === "v1" ? this.#known.get(keyId!) : undefined;
    if (!known)
      throw new Error("This secret was sealed under another root secret: SECRET_PREVIOUS names those before.");
    return known;
  }
}

const idOf = (key: Uint8Array): string => sha256(key).slice(0, 8);
