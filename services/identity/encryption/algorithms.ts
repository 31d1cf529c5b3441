import { createDecipheriv, createHash } from "node:crypto";
import { bytesOf, type Jwe, type Recipient } from "./jwe.ts";

/**
 * Every function here answers undefined for whatever does not fit, in one way: the caller has one answer for all of it.
 */
function gcm(
  key: Uint8Array,
  iv: Uint8Array,
  ciphertext: Uint8Array,
  tag: Uint8Array,
  aad: string,
): Buffer | undefined {
  try {
    const cipher = createDecipheriv(key.length === 32 ? "aes-256-gcm" : "aes-128-gcm", key, iv, { authTagLength: 16 })
      .setAAD(Buffer.from(aad, "ascii"))
      .setAuthTag(tag);
    return Buffer.concat([cipher.update(ciphertext), cipher.final()]);
  } catch {
    return undefined;
  }
}

/**
 * Decrypts the content under its key, with the associated data (base64url) bound in (RFC 7516 §5.2, steps 14 to 16).
 */
export const decryptContent = (
  { protected: shielded, iv, ciphertext, tag }: Jwe,
  key: Uint8Array,
  aad: string | undefined,
): Buffer | undefined => gcm(key, iv, ciphertext, tag, aad === undefined ? shielded : `${shielded}.${aad}`);

/** The content key that was wrapped by AES-256-GCM (RFC 7518 §4.7). */
export function unwrapByGcm(key: Uint8Array, { header, encryptedKey }: Recipient): Buffer | undefined {
  const [iv, tag] = [bytesOf(header["iv"]), bytesOf(header["tag"])];
  return iv?.length === 12 && tag?.length === 16 ? gcm(key, iv, encryptedKey, tag, "") : undefined;
}

/** Initial value of AES Key Wrap (RFC 3394 §2.2.3.1). */
const KW_INITIAL = Buffer.alloc(8, 0xa6);
const KW = { 16: "id-aes128-wrap", 24: "id-aes192-wrap", 32: "id-aes256-wrap" } as Readonly<Record<number, string>>;

/** The key that was wrapped by AES Key Wrap (RFC 3394; RFC 7518 §4.4). */
export function unwrapByKw(key: Uint8Array, wrapped: Uint8Array): Buffer | undefined {
  try {
    const cipher = createDecipheriv(KW[key.length]!, key, KW_INITIAL);
    return Buffer.concat([cipher.update(wrapped), cipher.final()]);
  } catch {
    return undefined;
  }
}

const sized = (bytes: Uint8Array): Buffer => {
  const length = Buffer.alloc(4);
  length.writeUInt32BE(bytes.length);
  return Buffer.concat([length, bytes]);
};

/**
 * A key from an agreed secret: Concat KDF with SHA-256 (RFC 7518 §4.6.2); `bytes` at most 32, `apu` and `apv` as the
 * header has them.
 */
export function concatKdf(secret: Uint8Array, algorithm: string, bytes: number, apu?: unknown, apv?: unknown): Buffer {
  const [count, bits] = [Buffer.from([0, 0, 0, 1]), Buffer.alloc(4)];
  bits.writeUInt32BE(bytes * 8);
  const info = [
    sized(Buffer.from(algorithm)),
    sized(bytesOf(apu) ?? Buffer.alloc(0)),
    sized(bytesOf(apv) ?? Buffer.alloc(0)),
    bits,
  ];
  return createHash("sha256")
    .update(Buffer.concat([count, secret, ...info]))
    .digest()
    .subarray(0, bytes);
}
