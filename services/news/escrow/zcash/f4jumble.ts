import { blake2b } from "@noble/hashes/blake2.js";

/** Lengths in bytes between which F4Jumble is defined (ZIP 316, "Jumbling"). */
export const SHORTEST = 48;
export const LONGEST = 4_194_368;

const HASH_BYTES = 64;
const H = new TextEncoder().encode("UA_F4Jumble_H");
const G = new TextEncoder().encode("UA_F4Jumble_G");

const personal = (name: Uint8Array, round: number, counter: number): Uint8Array =>
  Uint8Array.of(...name, round, counter & 0xff, counter >> 8);

/** ZIP 316's H_i: a digest of the right half, as long as the left one. */
const left = (round: number, right: Uint8Array, length: number): Uint8Array =>
  blake2b(right, { dkLen: length, personalization: personal(H, round, 0) });

/** ZIP 316's G_i: the left half stretched to the length of the right one. */
function right(round: number, leftHalf: Uint8Array, length: number): Uint8Array {
  const stretched = new Uint8Array(Math.ceil(length / HASH_BYTES) * HASH_BYTES);
  for (let counter = 0; counter * HASH_BYTES < length; counter++) {
    stretched.set(
      blake2b(leftHalf, { dkLen: HASH_BYTES, personalization: personal(G, round, counter) }),
      counter * HASH_BYTES,
    );
  }
  return stretched.subarray(0, length);
}

const xor = (one: Uint8Array, other: Uint8Array): Uint8Array => one.map((byte, at) => byte ^ other[at]!);

function joined(one: Uint8Array, other: Uint8Array): Uint8Array {
  const both = new Uint8Array(one.length + other.length);
  both.set(one);
  both.set(other, one.length);
  return both;
}

function halves(message: Uint8Array): [Uint8Array, Uint8Array] {
  if (message.length < SHORTEST || message.length > LONGEST)
    throw new RangeError(`F4Jumble takes ${SHORTEST} to ${LONGEST} bytes, not ${message.length}.`);
  const middle = Math.min(HASH_BYTES, Math.floor(message.length / 2));
  return [message.subarray(0, middle), message.subarray(middle)];
}

/**
 * F4Jumble (ZIP 316): an unkeyed four-round Feistel permutation, so that changing any character of a unified address
 * changes all of it.
 */
export function jumble(message: Uint8Array): Uint8Array {
  const [a, b] = halves(message);
  const x = xor(b, right(0, a, b.length));
  const y = xor(a, left(0, x, a.length));
  const d = xor(x, right(1, y, b.length));
  const c = xor(y, left(1, d, a.length));
  return joined(c, d);
}

/** The inverse of `jumble`. Throws RangeError outside 48 to 4,194,368 bytes. */
export function unjumble(message: Uint8Array): Uint8Array {
  const [c, d] = halves(message);
  const y = xor(c, left(1, d, c.length));
  const x = xor(d, right(1, y, d.length));
  const a = xor(y, left(0, x, c.length));
  const b = xor(x, right(0, a, d.length));
  return joined(a, b);
}
