import { lazily, lexiconFile } from "../lexicon.ts";
import { hashOf } from "./token-hashes.ts";

/**
 * Meanings of words by their contexts: vectors of 40,000 English terms, from Wikipedia and newspapers (GloVe:
 * Pennington, Socher and Manning 2014; Public Domain Dedication and License), without their common components (Mu and
 * Viswanath 2018). Made by `bench/lexicons/vectors.ts`. Opposites are as near as synonyms, since both have the same
 * contexts.
 */
export const DIMENSIONS = 64;
/** A unit vector's component of 1, as stored in 8 bits; few components exceed one half. */
export const UNIT = 254;

const SLOTS = 2 ** 17;

/** 3 MB: all vectors in a row, the most frequent term's first, and the place of each by its term's hash. */
class Vectors {
  readonly rows: Int8Array;
  /** A bit for each term that is a dictionary word. */
  readonly words: Uint8Array;
  readonly #hashes: Uint32Array;
  /** A hash table with linear probing: places plus one; 0 for a free slot. */
  readonly #slots = new Uint16Array(SLOTS);

  constructor({ buffer }: Uint8Array<ArrayBuffer>) {
    const [count] = new Uint32Array(buffer, 0, 1) as unknown as [number];
    this.#hashes = new Uint32Array(buffer, 4, count);
    this.rows = new Int8Array(buffer, 4 + 4 * count, DIMENSIONS * count);
    this.words = new Uint8Array(buffer, 4 + 4 * count + DIMENSIONS * count);
    for (let place = 0; place < count; place++) this.#slots[this.#slot(this.#hashes[place]!)] = place + 1;
  }

  placeOf(hash: number): number {
    return this.#slots[this.#slot(hash)]! - 1;
  }

  #slot(hash: number): number {
    let slot = hash & (SLOTS - 1);
    while (this.#slots[slot] !== 0 && this.#hashes[this.#slots[slot]! - 1] !== hash) slot = (slot + 1) & (SLOTS - 1);
    return slot;
  }
}

const vectors = lazily(() => new Vectors(lexiconFile("vectors.bin")));

/** The place of a term's vector, for terms as `terms` gives them; -1 for an unknown term. */
export const placeOf = (term: string): number => placeOfHash(hashOf(term));
/** The same by `hashOf` of the term. */
export const placeOfHash = (hash: number): number => vectors().placeOf(hash);

/** The number of known terms; places are below it, sorted by the terms' frequency. */
export const KNOWN_TERMS = 40_000;

/** Whether a dictionary has the term of a place in lower case: others are only names ("london"). */
export const isWord = (place: number): boolean =>
  place >= 0 && (vectors().words[place >> 3]! & (1 << (place & 7))) !== 0;

/** The cosine of two terms by their places, from -1 to 1; 0 where either is unknown. */
export function nearnessOf(one: number, other: number): number {
  if (one < 0 || other < 0) return 0;
  if (one === other) return 1;
  const { rows } = vectors();
  let [left, right, sum] = [DIMENSIONS * one, DIMENSIONS * other, 0];
  for (const end = left + DIMENSIONS; left < end;) sum += rows[left++]! * rows[right++]!;
  return Math.max(-1, Math.min(1, sum / (UNIT * UNIT)));
}

/** The cosine of two terms, from -1 to 1: 1 for the same term, 0 where either is unknown. */
export const nearness = (one: string, other: string): number =>
  one === other ? 1 : nearnessOf(placeOf(one), placeOf(other));

/** The direction of a text: the weighted mean of its terms' vectors, as a unit vector; zeros without known terms. */
export function bearing(weights: Iterable<readonly [term: string, weight: number]>): Float32Array {
  const sum = new Float32Array(DIMENSIONS);
  for (const [term, weight] of weights) addVector(sum, placeOf(term), weight);
  const length = Math.hypot(...sum);
  return length > 0 ? sum.map((part) => part / length) : sum;
}

/** Adds the vector of a place, times its weight, to a sum; nothing for an unknown place. */
export function addVector(sum: Float32Array, place: number, weight: number): void {
  if (place < 0) return;
  const { rows } = vectors();
  for (let at = 0, from = DIMENSIONS * place; at < DIMENSIONS; at++) sum[at]! += weight * rows[from++]!;
}

/** The cosine of two directions, from -1 to 1; 0 where either has no known term. */
export function likeness(one: Float32Array, other: Float32Array): number {
  let sum = 0;
  for (let at = 0; at < DIMENSIONS; at++) sum += one[at]! * other[at]!;
  return Math.max(-1, Math.min(1, sum));
}
