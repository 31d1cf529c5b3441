import { addVector, DIMENSIONS, KNOWN_TERMS, placeOfHash } from "../../../../core/text/words/vectors.ts";
import { Heaviest } from "./heaviest.ts";
import type { Rarities } from "./rarities.ts";
import { MOST_ANCHORS, numbered } from "./topics/anchors.ts";
import { LEADING, MOST_TERMS, type Topic } from "./topics/topic.ts";
import { isTranslated } from "./topics/translations.ts";
import type { ReportVoice } from "./voices.ts";

/** What a term is. */
export const NAME = 0,
  NUMBER = 1,
  WORD = 2;
/** Up to about this place in the order of frequency a word is of no use to tell events apart by. */
const FREQUENT = 300;
/** A term of the title weighs as much as one that is said thrice. */
const TITLED = 2;

/** How rare the term of a place is in English, from 0 to 1. */
export const rareInEnglish = (place: number): number =>
  place < 0 ? 1 : Math.log1p(place / FREQUENT) / Math.log1p(KNOWN_TERMS / FREQUENT);

/** A topic with what is known of all terms, and what it is looked for by: its heaviest terms, and its anchors. */
export interface PlacedTopic {
  topic: Topic;
  voice: ReportVoice;
  keys: Uint32Array;
  /** What each of its terms tells, in units of one that no other article has; and of its words how rare they are in English. */
  telling: Float32Array;
  rare: Float32Array;
  kinds: Uint8Array;
}

/** Weighs topics by what is rare; its memory serves the next topic again. */
export class Placing {
  readonly #known: Rarities;
  readonly #weights = new Float32Array(MOST_TERMS);
  readonly #shares = new Float32Array(MOST_TERMS);
  readonly #leading = new Float32Array(MOST_TERMS);
  readonly #telling = new Float32Array(MOST_TERMS);
  readonly #rare = new Float32Array(MOST_TERMS);
  readonly #kinds = new Uint8Array(MOST_TERMS);
  readonly #sum = new Float32Array(DIMENSIONS);
  readonly #bearing = new Int8Array(DIMENSIONS);
  readonly #rarities = new Float32Array(MOST_ANCHORS);
  readonly #probes: Heaviest;
  readonly #keys: Uint32Array;
  #latest: PlacedTopic | undefined;

  /** `probes`: by so many of its terms a topic is looked for. */
  constructor(known: Rarities, probes: number) {
    this.#known = known;
    this.#probes = new Heaviest(probes);
    this.#keys = new Uint32Array(probes + MOST_ANCHORS);
  }

  /** What is known of terms has changed. */
  forget(): void {
    this.#latest = undefined;
  }

  /** The next call overwrites the answer. */
  of(topic: Topic): PlacedTopic {
    if (this.#latest?.topic === topic) return this.#latest;
    const { language, terms, anchors, days, sexes } = topic;
    const weights = this.#weights.subarray(0, terms.length),
      shares = this.#shares.subarray(0, terms.length).fill(0),
      leading = this.#leading.subarray(0, terms.length).fill(0),
      rarities = this.#rarities.subarray(0, anchors.length);
    this.#weigh(topic, weights, shares, leading);
    for (let at = 0; at < anchors.length; at++) rarities[at] = this.#known.of(anchors[at]!) + 0.1;
    toUnit(weights);
    toUnit(rarities);
    const bearing = this.#bearingOf(topic, weights);
    const keys = this.#keysOf(terms, weights, anchors);
    this.#latest = {
      topic,
      voice: { language, terms, weights, shares, leading, anchors, rarities, days, sexes, bearing },
      keys,
      telling: this.#telling,
      rare: this.#rare,
      kinds: this.#kinds,
    };
    return this.#latest;
  }

  #weigh({ terms, weights: said, naming }: Topic, weights: Float32Array, shares: Float32Array, leading: Float32Array) {
    const { unit } = this.#known;
    let told = 0;
    for (let at = 0; at < terms.length; at++) {
      const tells = this.#known.of(terms[at]!);
      weights[at] = said[at]! * (tells + 1);
      if (said[at]! >= TITLED) told += shares[at] = said[at]! * tells;
      if (naming[at] === LEADING) leading[at] = tells;
      this.#telling[at] = tells / unit;
    }
    if (told > 0) for (let at = 0; at < terms.length; at++) shares[at]! /= told;
  }

  /** Where its words point to; notes of each term whether it is a name, a number or a word, and how rare that is. */
  #bearingOf({ language, terms, naming, anchors }: Topic, weights: Float32Array): Int8Array {
    const sum = this.#sum.fill(0);
    for (let at = 0; at < terms.length; at++) {
      const place = naming[at] ? -1 : placeOfHash(terms[at]!);
      this.#kinds[at] = naming[at] ? NAME : place < 0 && anchors.includes(numbered(terms[at]!)) ? NUMBER : WORD;
      this.#rare[at] = rareInEnglish(place);
      if (isTranslated(language)) addVector(sum, place, weights[at]!);
    }
    const length = lengthOf(sum);
    for (let at = 0; at < DIMENSIONS; at++) this.#bearing[at] = length > 0 ? Math.round((127 * sum[at]!) / length) : 0;
    return this.#bearing;
  }

  /** The terms that weigh most, and the anchors, each once. */
  #keysOf(terms: Uint32Array, weights: Float32Array, anchors: Uint32Array): Uint32Array {
    const { numbers: probes } = this.#probes;
    this.#probes.begin();
    for (let at = 0; at < terms.length; at++) this.#probes.offer(at, weights[at]!);
    let count = 0;
    for (let at = 0; at < this.#probes.size + anchors.length; at++) {
      const key = at < this.#probes.size ? terms[probes[at]!]! : anchors[at - this.#probes.size]!;
      const known = this.#keys.indexOf(key);
      if (known < 0 || known >= count) this.#keys[count++] = key;
    }
    return this.#keys.subarray(0, count);
  }
}

function lengthOf(vector: Float32Array): number {
  let sum = 0;
  for (let at = 0; at < vector.length; at++) sum += vector[at]! * vector[at]!;
  return Math.sqrt(sum);
}

function toUnit(vector: Float32Array): void {
  const length = lengthOf(vector) || 1;
  for (let at = 0; at < vector.length; at++) vector[at]! /= length;
}
