import { createPrivateKey, randomBytes, sign as signByNode } from "node:crypto";
import { ed25519 } from "@noble/curves/ed25519.js";
import { p256, p384 } from "@noble/curves/nist.js";
import { secp256k1 } from "@noble/curves/secp256k1.js";
import type { PublicKey } from "./key-encodings.ts";

/** Bits of a table's windows: those of noble's own choice make a first signature hold the loop for 65 ms, these for 30. */
const WINDOW_BITS = 4;
for (const { Point } of [p256, secp256k1]) Point.BASE.precompute(WINDOW_BITS);

/** Kinds of key that we make and sign with. */
export const SIGNING_TYPES = ["Ed25519", "secp256k1", "P-256"] as const;
export type SigningType = (typeof SIGNING_TYPES)[number];

/** A key of ours: the seed of RFC 8032, or a scalar of the curve, 32 bytes either way. */
export interface SigningKey {
  type: SigningType;
  secret: Uint8Array;
}

/** PKCS #8 header of a raw Ed25519 seed (RFC 8410 §7). */
const PKCS8 = Buffer.from("302e020100300506032b657004220420", "hex");

export function newSigningKey(type: SigningType): SigningKey {
  if (type === "secp256k1") return { type, secret: secp256k1.utils.randomSecretKey() };
  if (type === "P-256") return { type, secret: p256.utils.randomSecretKey() };
  return { type, secret: randomBytes(32) };
}

export function publicKeyOf({ type, secret }: SigningKey): PublicKey {
  if (type === "secp256k1") return { type, bytes: secp256k1.getPublicKey(secret, true) };
  if (type === "P-256") return { type, bytes: p256.getPublicKey(secret, true) };
  return { type, bytes: ed25519.getPublicKey(secret) };
}

/** 64 bytes: Ed25519 (RFC 8032), or r and s of ECDSA over SHA-256 as JOSE has them (ES256, ES256K; RFC 7518 §3.4). */
export function sign({ type, secret }: SigningKey, data: Uint8Array): Uint8Array {
  if (type === "secp256k1") return secp256k1.sign(data, secret);
  if (type === "P-256") return p256.sign(data, secret, { lowS: false });
  return signByNode(
    null,
    data,
    createPrivateKey({ key: Buffer.concat([PKCS8, secret]), format: "der", type: "pkcs8" }),
  );
}

/** Whether the key made the signature over the data; false too for garbage, and for keys that cannot sign. */
export function verifies({ type, bytes }: PublicKey, data: Uint8Array, signature: Uint8Array): boolean {
  try {
    if (type === "Ed25519") return ed25519.verify(signature, data, bytes, { zip215: false });
    // JOSE asks for no low s (RFC 7518), and other makers do not give it.
    if (type === "secp256k1") return secp256k1.verify(signature, data, bytes, { lowS: false });
    if (type === "P-256") return p256.verify(signature, data, bytes, { lowS: false });
    if (type === "P-384") return p384.verify(signature, data, bytes, { lowS: false });
    return false;
  } catch {
    return false;
  }
}
