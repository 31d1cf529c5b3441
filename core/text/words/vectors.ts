import { lazily, lexiconFile } from "../lexicon.ts";
import { hashOf } from "./token-hashes.ts";

/**
 * What words mean by the company they keep: vectors of 40,000 English terms, of Wikipedia and newspapers (GloVe:
 * Pennington, Socher and Manning 2014; Public Domain Dedication and License), without what they all have in common (Mu
 * and Viswanath 2018). `bench/lexicons/vectors.ts` makes them. Opposites are as near as synonyms: both keep the same
 * company.
 */
export const DIMENSIONS = 64;
/** A unit vector's component of 1, in the whole numbers of 8 bits that are kept; few components are above one half. */
export const UNIT = 254;

const SLOTS = 2 ** 17;

/** 3 MB: all vectors one after the other, the most frequent term's first, and where each is by the hash of its term. */
class Vectors {
  readonly rows: Int8Array;
  /** A bit for each that is a word. */
  readonly words: Uint8Array;
  readonly #hashes: Uint32Array;
  /** A hash table with linear probing: places and one; 0 where the slot is free. */
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

/** Where the vector of a term is, as `terms` gives it; -1 where none is known. */
export const placeOf = (term: string): number => placeOfHash(hashOf(term));
/** The same by `hashOf` of the term. */
export const placeOfHash = (hash: number): number => vectors().placeOf(hash);

/** How many terms are known; places are below it, in the order of how frequent a term is. */
export const KNOWN_TERMS = 40_000;

/** Whether a dictionary has the term of a place in small letters: others are names alone ("london"). */
export const isWord = (place: number): boolean =>
  place >= 0 && (vectors().words[place >> 3]! & (1 << (place & 7))) !== 0;

/** The cosine of two terms by their places, from -1 to 1; 0 where either is not known. */
export function nearnessOf(one: number, other: number): number {
  if (one < 0 || other < 0) return 0;
  if (one === other) return 1;
  const { rows } = vectors();
  let [left, right, sum] = [DIMENSIONS * one, DIMENSIONS * other, 0];
  for (const end = left + DIMENSIONS; left < end;) sum += rows[left++]! * rows[right++]!;
  return Math.max(-1, Math.min(1, sum / (UNIT * UNIT)));
}

/** The cosine of two terms, from -1 to 1: 1 for the same term, 0 where either is not known. */
export const nearness = (one: string, other: string): number =>
  one === other ? 1 : nearnessOf(placeOf(one), placeOf(other));

/** Where a text points to: the mean of its terms' vectors by their weights, as a unit vector; zeros where none is known. */
export function bearing(weights: Iterable<readonly [term: string, weight: number]>): Float32Array {
  const sum = new Float32Array(DIMENSIONS);
  for (const [term, weight] of weights) addVector(sum, placeOf(term), weight);
  const length = Math.hypot(...sum);
  return length > 0 ? sum.map((part) => part / length) : sum;
}

/** Adds the vector of a place, times its weight, to a sum; nothing where the place is unknown. */
export function addVector(sum: Float32Array, place: number, weight: number): void {
  if (place < 0) return;
  const { rows } = vectors();
  for (let at = 0, from = DIMENSIONS * place; at < DIMENSIONS; at++) sum[at]! += weight * rows[from++]!;
}

/** The cosine of two bearings, from -1 to 1; 0 where either is of no known term. */
export function likeness(one: Float32Array, other: Float32Array): number {
  let sum = 0;
  for (let at = 0; at < DIMENSIONS; at++) sum += one[at]! * other[at]!;
  return Math.max(-1, Math.min(1, sum));
}
