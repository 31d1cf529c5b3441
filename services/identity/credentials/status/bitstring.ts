import { gunzipSync, gzipSync } from "node:zlib";

/** Bitstring Status List v1.0 §6.1: fewer entries would tell too much of whose status is asked for. */
export const LEAST_ENTRIES = 131_072;
/** Most bytes of a foreign list after decompression. */
const MOST_BYTES = 8 * 1024 * 1024;

/**
 * A bitstring with these bits set, compressed and as multibase base64url (`u…`); index 0 is the left-most bit (§6.1,
 * §3.3).
 */
export function encodeBits(indices: Iterable<number>, entries = LEAST_ENTRIES): string {
  const bytes = Buffer.alloc(Math.ceil(entries / 8));
  for (const index of indices) bytes[index >> 3]! |= 0x80 >> (index & 7);
  return `u${gzipSync(bytes).toString("base64url")}`;
}

/** The bytes of an `encodedList`. Throws a RangeError, in words, on one that is not of the form or too short. */
export function decodeBits(encodedList: string): Buffer {
  if (!/^u[A-Za-z0-9_-]+$/.test(encodedList)) throw new RangeError("encodedList is not multibase base64url.");
  let bytes: Buffer;
  try {
    bytes = gunzipSync(Buffer.from(encodedList.slice(1), "base64url"), { maxOutputLength: MOST_BYTES });
  } catch {
    throw new RangeError("encodedList is not a compressed bitstring of a size that can be read.");
  }
  if (bytes.length * 8 < LEAST_ENTRIES)
    throw new RangeError(`The list has ${bytes.length * 8} entries; at least ${LEAST_ENTRIES} are required.`);
  return bytes;
}

/** One bit. Throws a RangeError beyond the end. */
export function bitAt(bytes: Uint8Array, index: number): boolean {
  if (!Number.isSafeInteger(index) || index < 0 || index >= bytes.length * 8)
    throw new RangeError(`The list has no entry ${index}.`);
  return (bytes[Math.floor(index / 8)]! & (0x80 >> (index & 7))) !== 0;
}
