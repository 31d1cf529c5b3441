import { unitsOf } from "./units.ts";
import { UNSPACED } from "./words.ts";

/**
 * The tokens of stored fingerprints, and their hashes: a number with its decimals, a sign of a script without blanks
 * between words, or a run of letters. They are not the words of `words.ts` and never change: fingerprints of many days
 * are compared.
 */
const TOKEN = new RegExp(`\\p{N}+(?:[.,:]\\p{N}+)*|${UNSPACED.source}|[\\p{L}\\p{M}]+`, "gu");
export const tokensOf = (normal: string): string[] => normal.match(TOKEN) ?? [];

/** Spreads every bit of the input over all of the output (the finalizer of MurmurHash3, Appleby, public domain). */
export function mixed(value: number): number {
  let mix = Math.imul(value ^ (value >>> 16), 0x85ebca6b);
  mix = Math.imul(mix ^ (mix >>> 13), 0xc2b2ae35);
  return (mix ^ (mix >>> 16)) >>> 0;
}

const FNV_BEGIN = 0x811c9dc5,
  FNV_PRIME = 0x01000193;

/** FNV-1a, 32 bits, over UTF-16 units. */
export function hashOf(token: string): number {
  let hash = FNV_BEGIN;
  for (let at = 0; at < token.length; at++) hash = Math.imul(hash ^ token.charCodeAt(at), FNV_PRIME);
  return mixed(hash);
}

/** Flags for the code units of tokens; a surrogate alone says nothing. */
const LETTER = 1,
  NUMERAL = 2,
  SIGN = 4,
  SURROGATE = 8;
function kindOf(unit: number): number {
  if (unit >= 0xd800 && unit <= 0xdfff) return SURROGATE;
  const char = String.fromCharCode(unit);
  return (
    (/[\p{L}\p{M}]/u.test(char) ? LETTER : 0) | (/\p{N}/u.test(char) ? NUMERAL : 0) | (UNSPACED.test(char) ? SIGN : 0)
  );
}
const UNKNOWN = 255;
/** Flags of the basic plane, filled in as units occur. */
const kinds = new Uint8Array(0x10000).fill(UNKNOWN);
const learned = (unit: number): number => (kinds[unit] = kindOf(unit));
function kindAt(units: Uint16Array, at: number): number {
  const unit = units[at]!,
    kind = kinds[unit]!;
  return kind === UNKNOWN ? learned(unit) : kind;
}
const isDecimalMark = (unit: number): boolean => unit === 46 || unit === 44 || unit === 58;
const hashed = (hash: number, unit: number): number => Math.imul(hash ^ unit, FNV_PRIME);

/** Reused for each text. */
let hashesFound = new Int32Array(2_048);

/**
 * As `tokensOf` and `hashOf` of each token, into `hashesFound` and without making the tokens; answers how many there
 * are, undefined where the text has a surrogate.
 */
function hashesOf(normal: string): number | undefined {
  const units = unitsOf(normal),
    { length } = normal;
  if (length >= 2 * hashesFound.length) hashesFound = new Int32Array(length);
  const hashes = hashesFound;
  let count = 0;
  for (let at = 0; at < length;) {
    let kind = kindAt(units, at);
    if (kind === 0) {
      at++;
      continue;
    }
    if (kind === SURROGATE) return undefined;
    let hash = FNV_BEGIN | 0;
    if (kind & NUMERAL) {
      for (; kind & NUMERAL || (isDecimalMark(units[at]!) && kindAt(units, at + 1) & NUMERAL); kind = kindAt(units, at))
        hash = hashed(hash, units[at++]!);
      if ((kind | (at < length ? kindAt(units, at + 1) : 0)) & SURROGATE) return undefined;
    } else if (kind & SIGN) {
      hash = hashed(hash, units[at++]!);
    } else {
      // The bulk of every text: each unit is read once.
      for (let unit = units[at]!; kind & LETTER;) {
        hash = hashed(hash, unit);
        unit = units[++at]!;
        kind = kinds[unit]!;
        if (kind === UNKNOWN) kind = learned(unit);
      }
    }
    if (count === hashes.length) return undefined;
    hashes[count++] = mixed(hash);
  }
  return count;
}

/** The hashes of a text's tokens. The next call overwrites the answer. */
export function tokenHashes(normal: string): Uint32Array {
  const count = hashesOf(normal);
  return count === undefined
    ? Uint32Array.from(tokensOf(normal), hashOf)
    : new Uint32Array(hashesFound.buffer, 0, count);
}
