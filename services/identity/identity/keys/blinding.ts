import { ed25519 } from "@noble/curves/ed25519.js";
import { sha512 } from "@noble/hashes/sha2.js";

/**
 * Key blinding for Ed25519 (draft-irtf-cfrg-signature-key-blinding, "Ed25519ph, Ed25519ctx, and Ed25519"): a public key
 * multiplied by a secret scalar. Who does not hold the blind cannot link the blinded key to the key, nor two of them to
 * each other, and signatures under it are plain Ed25519.
 */
const { Point } = ed25519;
const { Fn } = Point;

const concat = (...parts: readonly Uint8Array[]): Uint8Array => Buffer.concat(parts);
/** A little-endian integer of any length modulo the group's order L. */
const scalar = (bytes: Uint8Array): bigint => Fn.create(BigInt(`0x${Buffer.from(bytes).reverse().toString("hex")}`));

/** The blinding scalar and half of the signing prefix; without the pruning of RFC 8032 §5.1.5, as the draft says. */
function spread(blind: Uint8Array, context: Uint8Array): { factor: bigint; prefix: Uint8Array } {
  const digest = sha512(concat(blind, Uint8Array.of(0), context));
  return { factor: scalar(digest.subarray(0, 32)), prefix: digest.subarray(32) };
}

/** BlindPublicKey. Throws on bytes that are no point. */
export const blindPublicKey = (publicKey: Uint8Array, blind: Uint8Array, context: Uint8Array): Uint8Array =>
  Point.fromBytes(publicKey).multiply(spread(blind, context).factor).toBytes();

/** UnblindPublicKey: the key that was blinded. Throws on bytes that are no point. */
export const unblindPublicKey = (blinded: Uint8Array, blind: Uint8Array, context: Uint8Array): Uint8Array =>
  Point.fromBytes(blinded)
    .multiply(Fn.inv(spread(blind, context).factor))
    .toBytes();

/** BlindKeySign: verifies by plain Ed25519 under the blinded public key. `seed` is the private key of RFC 8032. */
export function blindKeySign(
  seed: Uint8Array,
  blind: Uint8Array,
  context: Uint8Array,
  message: Uint8Array,
): Uint8Array {
  const own = ed25519.utils.getExtendedPublicKey(seed);
  const { factor, prefix } = spread(blind, context);
  const key = Fn.mul(Fn.create(own.scalar), factor);
  const publicKey = Point.BASE.multiply(key).toBytes();
  const nonce = scalar(sha512(concat(own.prefix, prefix, message)));
  const commitment = Point.BASE.multiply(nonce).toBytes();
  const challenge = scalar(sha512(concat(commitment, publicKey, message)));
  return concat(commitment, Fn.toBytes(Fn.add(nonce, Fn.mul(challenge, key))));
}
