import { normalized } from "./wording.ts";

/** A number with its decimals, a sign of a script that sets no blanks between words, or a word. */
const UNSPACED = /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}\p{sc=Myanmar}]/u;
const TOKEN = /\p{N}+(?:[.,:]\p{N}+)*|[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}\p{sc=Myanmar}]|[\p{L}\p{M}]+/gu;
export const tokensOf = (normal: string): string[] => normal.match(TOKEN) ?? [];

/** Spreads every bit of the input over all of the output (the finalizer of MurmurHash3, Appleby, public domain). */
export function mixed(value: number): number {
  let mix = Math.imul(value ^ (value >>> 16), 0x85ebca6b);
  mix = Math.imul(mix ^ (mix >>> 13), 0xc2b2ae35);
  return (mix ^ (mix >>> 16)) >>> 0;
}

const FNV_BEGIN = 0x811c9dc5, FNV_PRIME = 0x01000193;

/** FNV-1a, 32 bits, over UTF-16 units. */
export function hashOf(token: string): number {
  let hash = FNV_BEGIN;
  for (let at = 0; at < token.length; at++) hash = Math.imul(hash ^ token.charCodeAt(at), FNV_PRIME);
  return mixed(hash);
}

/** What a code unit may be in a token, as bits; of surrogates nothing is known without their other half. */
const LETTER = 1, NUMERAL = 2, SIGN = 4, SURROGATE = 8;
function kindOf(unit: number): number {
  if (unit >= 0xd800 && unit <= 0xdfff) return SURROGATE;
  const char = String.fromCharCode(unit);
  return (/[\p{L}\p{M}]/u.test(char) ? LETTER : 0) | (/\p{N}/u.test(char) ? NUMERAL : 0) | (UNSPACED.test(char) ? SIGN : 0);
}
const UNKNOWN = 255;
/** Kinds of the basic plane, filled in as units are met. */
const kinds = new Uint8Array(0x10000).fill(UNKNOWN);
const learned = (unit: number): number => (kinds[unit] = kindOf(unit));
function kindAt(text: string, at: number): number {
  if (at >= text.length) return 0;
  const unit = text.charCodeAt(at), kind = kinds[unit]!;
  return kind === UNKNOWN ? learned(unit) : kind;
}
const isDecimalMark = (unit: number): boolean => unit === 46 || unit === 44 || unit === 58;

/** As `tokensOf` and `hashOf` of each token, without making the tokens; undefined where a surrogate stands in the text. */
function hashesOf(normal: string): Int32Array | undefined {
  const hashes = new Int32Array((normal.length >> 1) + 1);
  let count = 0;
  for (let at = 0; at < normal.length;) {
    let kind = kindAt(normal, at);
    if (kind === 0) { at++; continue; }
    if (kind === SURROGATE) return undefined;
    let hash = FNV_BEGIN | 0;
    if (kind & NUMERAL) {
      for (; kind & NUMERAL || (isDecimalMark(normal.charCodeAt(at)) && kindAt(normal, at + 1) & NUMERAL); kind = kindAt(normal, at)) hash = Math.imul(hash ^ normal.charCodeAt(at++), FNV_PRIME);
      if ((kind | kindAt(normal, at + 1)) & SURROGATE) return undefined;
    } else if (kind & SIGN) {
      hash = Math.imul(hash ^ normal.charCodeAt(at++), FNV_PRIME);
    } else {
      // Most of every text: each unit is read once.
      for (let unit = normal.charCodeAt(at); kind & LETTER;) {
        hash = Math.imul(hash ^ unit, FNV_PRIME);
        if (++at === normal.length) break;
        unit = normal.charCodeAt(at);
        kind = kinds[unit]!;
        if (kind === UNKNOWN) kind = learned(unit);
      }
    }
    if (count === hashes.length) return undefined;
    hashes[count++] = mixed(hash);
  }
  return hashes.subarray(0, count);
}
export function tokenHashes(normal: string): Uint32Array {
  const hashes = hashesOf(normal);
  return hashes ? new Uint32Array(hashes.buffer, 0, hashes.length) : Uint32Array.from(tokensOf(normal), hashOf);
}

const SHINGLE = 3;

/** A hash of each run of three tokens; of all tokens where there are fewer. */
export function shinglesOf(hashes: Uint32Array): Uint32Array {
  const shingles = new Uint32Array(Math.max(1, hashes.length - SHINGLE + 1));
  for (let at = 0; at < shingles.length; at++) {
    let shingle = 0;
    for (let next = at; next < Math.min(at + SHINGLE, hashes.length); next++) shingle = mixed(Math.imul(shingle, 0x9e3779b1) ^ hashes[next]!);
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
  const first = new Int32Array(PLANES), second = new Int32Array(PLANES);
  for (let at = 0; at < shingles.length; at++) {
    const shingle = shingles[at]! | 0;
    addBits(first, shingle);
    addBits(second, mixed(shingle ^ 0x5bd1e995) | 0);
  }
  return hex(majority(first, shingles.length)) + hex(majority(second, shingles.length));
}

/** Similarity-preserving fingerprint of 64 bits as 16 hex digits (Charikar 2002), over shingles of three words; blind to case and white space. */
export const simhash = (text: string): string => simhashOf(shinglesOf(tokenHashes(normalized(text))));

const ones = (value: number): number => {
  let bits = value - ((value >>> 1) & 0x55555555);
  bits = (bits & 0x33333333) + ((bits >>> 2) & 0x33333333);
  return Math.imul((bits + (bits >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24;
};

/** In how many of their 64 bits two fingerprints differ. */
export const hammingDistance = (a: string, b: string): number =>
  ones(Number.parseInt(a.slice(0, 8), 16) ^ Number.parseInt(b.slice(0, 8), 16)) + ones(Number.parseInt(a.slice(8, 16), 16) ^ Number.parseInt(b.slice(8, 16), 16));
