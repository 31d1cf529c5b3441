import { mixed, tokenHashes } from "../../../../core/text/words/token-hashes.ts";
import { normalized } from "./wording.ts";

const SHINGLE = 3;

/** A hash of each run of three tokens; of all tokens where there are fewer. */
export function shinglesOf(hashes: Uint32Array): Uint32Array {
  const shingles = new Uint32Array(Math.max(1, hashes.length - SHINGLE + 1));
  for (let at = 0; at < shingles.length; at++) {
    let shingle = 0;
    for (let next = at; next < Math.min(at + SHINGLE, hashes.length); next++)
      shingle = mixed(Math.imul(shingle, 0x9e3779b1) ^ hashes[next]!);
    shingles[at] = shingle;
  }
  return shingles;
}

export const hex = (value: number): string => value.toString(16).padStart(8, "0");

/** Enough for sums up to a million. */
const PLANES = 20;

/** Counts a word's bits in, all 32 at once: plane p holds bit p of the 32 sums (a carry-save adder). */
function addBits(planes: Int32Array, word: number): void {
  for (let carry = word, plane = 0; carry !== 0 && plane < PLANES; plane++) {
    const held = planes[plane]!;
    planes[plane] = held ^ carry;
    carry &= held;
  }
}

/** The bits that more than half of `count` words have. */
function majority(planes: Int32Array, count: number): number {
  let bits = 0;
  for (let bit = 0; bit < 32; bit++) {
    let sum = 0;
    for (let plane = 0; plane < PLANES; plane++) sum += ((planes[plane]! >>> bit) & 1) << plane;
    if (sum * 2 > count) bits |= 1 << bit;
  }
  return bits >>> 0;
}

export function simhashOf(shingles: Uint32Array): string {
  const first = new Int32Array(PLANES),
    second = new Int32Array(PLANES);
  for (let at = 0; at < shingles.length; at++) {
    const shingle = shingles[at]! | 0;
    addBits(first, shingle);
    addBits(second, mixed(shingle ^ 0x5bd1e995) | 0);
  }
  return hex(majority(first, shingles.length)) + hex(majority(second, shingles.length));
}

/**
 * Similarity-preserving fingerprint of 64 bits as 16 hex digits (Charikar 2002), over shingles of three words; blind to
 * case and white space.
 */
export const simhash = (text: string): string => simhashOf(shinglesOf(tokenHashes(normalized(text))));

const ones = (value: number): number => {
  let bits = value - ((value >>> 1) & 0x55555555);
  bits = (bits & 0x33333333) + ((bits >>> 2) & 0x33333333);
  return Math.imul((bits + (bits >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24;
};

/** In how many of their 64 bits two fingerprints differ. */
export const hammingDistance = (a: string, b: string): number =>
  ones(Number.parseInt(a.slice(0, 8), 16) ^ Number.parseInt(b.slice(0, 8), 16)) +
  ones(Number.parseInt(a.slice(8, 16), 16) ^ Number.parseInt(b.slice(8, 16), 16));
