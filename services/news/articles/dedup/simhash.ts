import { mixed, tokenHashes } from "../../../../core/text/words/token-hashes.ts";
import { Scratch } from "./scratch.ts";
import { normalized } from "./wording.ts";

const SHINGLE = 3;

const joined = (hash: number, next: number): number => mixed(Math.imul(hash, 0x9e3779b1) ^ next);

/** Reused for each text: allocating would cost as much as the work. */
const shinglesFound = new Scratch(),
  othersFound = new Scratch();

/** A hash of each run of three tokens; of all tokens where there are fewer. The next call overwrites the answer. */
export function shinglesOf(hashes: Uint32Array): Uint32Array {
  if (hashes.length < SHINGLE) return Uint32Array.of(hashes.reduce(joined, 0));
  const shingles = shinglesFound.of(hashes.length - SHINGLE + 1);
  for (let at = 0; at < shingles.length; at++)
    shingles[at] = joined(joined(mixed(hashes[at]!), hashes[at + 1]!), hashes[at + 2]!);
  return shingles;
}

export const hex = (value: number): string => value.toString(16).padStart(8, "0");

/** Enough for sums up to a million. */
const PLANES = 20;
/** Words are added so many at a time: what their sums carry goes up once for all of them. */
const TOGETHER = 4;

/** Of the words that are counted; used again for the next. */
const planes = new Int32Array(PLANES);

/** The bits that two or three of three words have. */
const carried = (one: number, other: number, third: number): number => (one & other) | ((one ^ other) & third);

/** Adds a word's bits from a plane on. */
function carry(word: number, from: number): void {
  for (let left = word, plane = from; left !== 0 && plane < PLANES; plane++) {
    const held = planes[plane]!;
    planes[plane] = held ^ left;
    left &= held;
  }
}

/** Counts the words' bits, all 32 at once: plane p holds bit p of the 32 sums (a carry-save adder). */
function sumsOf(words: Uint32Array): Int32Array {
  planes.fill(0);
  let [ones, twos, at] = [0, 0, 0];
  for (; at + TOGETHER <= words.length; at += TOGETHER) {
    const first = words[at]! ^ words[at + 1]!,
      last = words[at + 2]! ^ words[at + 3]!;
    const two = carried(words[at]!, words[at + 1]!, ones);
    ones ^= first;
    const more = carried(words[at + 2]!, words[at + 3]!, ones);
    ones ^= last;
    const four = carried(two, more, twos);
    twos ^= two ^ more;
    carry(four, 2);
  }
  planes[0] = ones;
  planes[1] = twos;
  for (; at < words.length; at++) carry(words[at]!, 0);
  return planes;
}

/** The bits that more than half of the words have. */
function majority(words: Uint32Array): number {
  const sums = sumsOf(words),
    used = Math.min(PLANES, 32 - Math.clz32(words.length));
  let bits = 0;
  for (let bit = 0; bit < 32; bit++) {
    let sum = 0;
    for (let plane = 0; plane < used; plane++) sum += ((sums[plane]! >>> bit) & 1) << plane;
    if (sum * 2 > words.length) bits |= 1 << bit;
  }
  return bits >>> 0;
}

export function simhashOf(shingles: Uint32Array): string {
  const others = othersFound.of(shingles.length);
  for (let at = 0; at < shingles.length; at++) others[at] = mixed(shingles[at]! ^ 0x5bd1e995);
  return hex(majority(shingles)) + hex(majority(others));
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
