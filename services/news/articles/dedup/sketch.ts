import { Scratch } from "./scratch.ts";

/** Least shingles that are kept of a text: copies cut to a fifth still have a dozen in common with the whole. */
const MOST_KEPT = 64;
/** Fewer tell nothing. */
const FEWEST_COMPARED = 8;
/** A hash is kept with so many of its bits, in characters of six. */
const CHARACTERS = 5;
const DIGITS = "-0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ_abcdefghijklmnopqrstuvwxyz";
const VALUES = new Uint8Array(128);
for (let at = 0; at < DIGITS.length; at++) VALUES[DIGITS.charCodeAt(at)] = at;
const DROPPED_BITS = 2;
const RANGE = 2 ** (32 - DROPPED_BITS);

/**
 * The least hashes of a text's shingles, ascending: a sample that two texts draw alike, so that what of one is
 * contained in the other can be told from their samples (bottom-k sketches, Broder 1997).
 */
export function sketchOf(shingles: Uint32Array): string {
  // Sorting all of a long text costs more than all else that a fingerprint is made from.
  const within = Math.ceil((RANGE * MOST_KEPT * 1.5) / shingles.length);
  const few = least(shingles, within);
  const kept = few.length < MOST_KEPT && shingles.length > MOST_KEPT ? least(shingles, RANGE) : few;
  const count = Math.min(kept.length, MOST_KEPT);
  const characters = Buffer.allocUnsafe(count * CHARACTERS);
  for (let at = 0, to = 0; at < count; at++)
    for (let digit = CHARACTERS - 1; digit >= 0; digit--)
      characters[to++] = DIGITS.charCodeAt((kept[at]! >>> (6 * digit)) & 63);
  return characters.toString("latin1");
}

const leastFound = new Scratch();
/** The different hashes below a bound, ascending. The next call overwrites the answer. */
function least(shingles: Uint32Array, within: number): Uint32Array {
  const found = leastFound.of(shingles.length);
  let count = 0;
  for (let at = 0; at < shingles.length; at++) {
    const hash = shingles[at]! >>> DROPPED_BITS;
    if (hash < within) found[count++] = hash;
  }
  const sorted = found.subarray(0, count).sort();
  let different = 0;
  for (let at = 0; at < count; at++)
    if (at === 0 || sorted[at] !== sorted[different - 1]) sorted[different++] = sorted[at]!;
  return sorted.subarray(0, different);
}

export function hashesIn(sketch: string, most = MOST_KEPT): number[] {
  const hashes: number[] = [];
  for (let at = 0; at + CHARACTERS <= sketch.length && hashes.length < most; at += CHARACTERS) {
    let hash = 0;
    for (let digit = at; digit < at + CHARACTERS; digit++) hash = (hash << 6) | VALUES[sketch.charCodeAt(digit)]!;
    hashes.push(hash);
  }
  return hashes;
}

export interface Containment {
  /** Of the shorter text, 0..1. */
  share: number;
  /** About how many different shingles they have in common. */
  common: number;
}

/** What of the shorter text stands in the other; nothing where the samples are too small to tell. */
export function containment(a: string, b: string): Containment {
  const [one, other] = [hashesIn(a), hashesIn(b)];
  // Beyond the last kept of a sample that was cut nothing is known of its text.
  const end = Math.min(...[one, other].map((hashes) => (hashes.length < MOST_KEPT ? RANGE : hashes.at(-1)! + 1)));
  let [left, right, common] = [0, 0, 0];
  while (left < one.length || right < other.length) {
    const [mine = RANGE, theirs = RANGE] = [one[left], other[right]];
    if (Math.min(mine, theirs) >= end) break;
    if (mine === theirs) common++;
    if (mine <= theirs) left++;
    if (theirs <= mine) right++;
  }
  const fewer = Math.min(left, right);
  return fewer < FEWEST_COMPARED ? { share: 0, common: 0 } : { share: common / fewer, common: common * (RANGE / end) };
}
