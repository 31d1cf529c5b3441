import { DIMENSIONS } from "../../../../core/text/words/vectors.ts";
import { MOST_ANCHORS, MOST_TERMS } from "./topic.ts";

/** A report of an event as it is compared: its topic as a unit vector, made with what was known of all terms then. */
export interface Voice {
  language: string;
  terms: Uint32Array;
  weights: Float32Array;
  /** What the headline names: of each term its share of all that the headline tells, 0 of those that it does not name. */
  shares: Float32Array;
  /** Of each term that is a leading name its share of all of those. */
  leading: Float32Array;
  anchors: Uint32Array;
  /** Of the anchors, as a unit vector too. */
  rarities: Float32Array;
  /** Days of the week, as bits, and whose match it is. */
  days: number;
  sexes: number;
  /** Where its words point to, names aside, as a unit vector in steps of 1/127; zeros where none is known. */
  bearing: Int8Array;
}

/** Of two reports in one language, all from 0 to 1. */
interface Nearness {
  /** The cosine of their terms. */
  terms: number;
  /** How much of what one headline names the other report speaks of. */
  heads: number;
}

/** Voices in one piece of memory. */
const PIECE = 1_024;
/** Places of four bytes in a record: two lengths, language, days and whose match it is, then what else a voice has, in its order. */
const TERMS = 5,
  WEIGHTS = TERMS + MOST_TERMS,
  SHARES = WEIGHTS + MOST_TERMS,
  LEADING = SHARES + MOST_TERMS,
  ANCHORS = LEADING + MOST_TERMS,
  RARITIES = ANCHORS + MOST_ANCHORS,
  BEARING = RARITIES + MOST_ANCHORS,
  RECORD = BEARING + DIMENSIONS / 4;
/** What is marked of a term that both have: that, and whether the headline of the kept one names it, and as who or where. */
export const MET = 1,
  HEADED = 2,
  LED = 4;
/** Of a bearing's component. */
const STEPS = 127;

const SLOTS = 128;

/** Where each of a few hashes stands in its list: one voice is compared with hundreds, which are only looked through. */
class Places {
  of: Uint32Array | undefined;
  readonly #hashes = new Uint32Array(SLOTS);
  /** And one; 0 where the slot is free. */
  readonly #places = new Uint8Array(SLOTS);

  take(hashes: Uint32Array): void {
    this.of = hashes;
    this.#places.fill(0);
    for (let at = 0; at < hashes.length; at++) {
      const slot = this.#slot(hashes[at]!);
      this.#hashes[slot] = hashes[at]!;
      this.#places[slot] = at + 1;
    }
  }

  /** -1 where it is not among them. */
  placeOf(hash: number): number {
    return this.#places[this.#slot(hash)]! - 1;
  }

  /** The lowest bit tells names from numbers, and is left out. */
  #slot(hash: number): number {
    let slot = (hash >>> 1) & (SLOTS - 1);
    while (this.#places[slot] !== 0 && this.#hashes[slot] !== hash) slot = (slot + 1) & (SLOTS - 1);
    return slot;
  }
}

interface Piece {
  words: Uint32Array;
  reals: Float32Array;
  bytes: Int8Array;
}

/**
 * Voices by numbers, as records of 1.1 kilobytes in a few large pieces: tens of thousands are held, and objects with arrays
 * of their own have three times that, most of it outside of the heap.
 */
export class Voices {
  readonly #pieces: Piece[] = [];
  readonly #free: number[] = [];
  readonly #languages: string[] = [];
  #count = 0;
  /** Of the voice that is compared. */
  readonly #terms = new Places();
  readonly #anchors = new Places();

  /** Keeps a copy; answers its number. */
  keep({ language, terms, weights, shares, leading, anchors, rarities, days, sexes, bearing }: Voice): number {
    const number = this.#free.pop() ?? this.#count++;
    const { words, reals, bytes } = (this.#pieces[Math.floor(number / PIECE)] ??= newPiece());
    const at = (number % PIECE) * RECORD;
    words[at] = terms.length;
    words[at + 1] = anchors.length;
    words[at + 2] = this.#languageNumber(language);
    words[at + 3] = days;
    words[at + 4] = sexes;
    words.set(terms, at + TERMS);
    reals.set(weights, at + WEIGHTS);
    reals.set(shares, at + SHARES);
    reals.set(leading, at + LEADING);
    words.set(anchors, at + ANCHORS);
    reals.set(rarities, at + RARITIES);
    bytes.set(bearing, 4 * (at + BEARING));
    return number;
  }

  /** The number may be given to another from now on. */
  drop(number: number): void {
    this.#free.push(number);
  }

  languageOf(number: number): string {
    return this.#languages[this.#piece(number).words[(number % PIECE) * RECORD + 2]!]!;
  }

  daysOf(number: number): number {
    return this.#piece(number).words[(number % PIECE) * RECORD + 3]!;
  }

  sexesOf(number: number): number {
    return this.#piece(number).words[(number % PIECE) * RECORD + 4]!;
  }

  /** How near a voice is to one that is kept, in the same language. Marks in `met` which terms of the voice both have. */
  nearness(number: number, voice: Voice, met: Uint8Array): Nearness {
    const { weights, shares } = voice;
    if (this.#terms.of !== voice.terms) this.#terms.take(voice.terms);
    const { words, reals } = this.#piece(number);
    const at = (number % PIECE) * RECORD;
    const count = words[at]!;
    let [cosine, mine, theirs] = [0, 0, 0];
    for (let right = 0; right < count; right++) {
      const left = this.#terms.placeOf(words[at + TERMS + right]!);
      if (left < 0) continue;
      const share = reals[at + SHARES + right]!;
      met[left]! |= MET | (share > 0 ? HEADED : 0) | (reals[at + LEADING + right]! > 0 ? LED : 0);
      cosine += weights[left]! * reals[at + WEIGHTS + right]!;
      mine += shares[left]!;
      theirs += share;
    }
    return { terms: cosine, heads: Math.max(mine, theirs) };
  }

  /** The cosine of bearings. */
  bearing(number: number, { bearing }: Voice): number {
    const { bytes } = this.#piece(number);
    let at = 4 * ((number % PIECE) * RECORD + BEARING),
      sum = 0;
    for (let own = 0; own < DIMENSIONS; own++) sum += bearing[own]! * bytes[at++]!;
    return sum / (STEPS * STEPS);
  }

  /**
   * What share of the kept voice's anchors the other has, which need no common language. Marks in `met` which anchors of
   * the voice both have.
   */
  anchored(number: number, { anchors }: Voice, met: Uint8Array): number {
    if (this.#anchors.of !== anchors) this.#anchors.take(anchors);
    const { words, reals } = this.#piece(number);
    const at = (number % PIECE) * RECORD;
    const count = words[at + 1]!;
    let [all, there] = [0, 0];
    for (let right = 0; right < count; right++) {
      all += reals[at + RARITIES + right]!;
      const left = this.#anchors.placeOf(words[at + ANCHORS + right]!);
      if (left < 0) continue;
      met[left] = 1;
      there += reals[at + RARITIES + right]!;
    }
    return all > 0 ? there / all : 0;
  }

  #piece(number: number): Piece {
    return this.#pieces[Math.floor(number / PIECE)]!;
  }

  #languageNumber(language: string): number {
    const known = this.#languages.indexOf(language);
    return known < 0 ? this.#languages.push(language) - 1 : known;
  }
}

function newPiece(): Piece {
  const memory = new ArrayBuffer(4 * PIECE * RECORD);
  return { words: new Uint32Array(memory), reals: new Float32Array(memory), bytes: new Int8Array(memory) };
}

/** What share of a vector the terms make up that are met. */
export function shareOf(vector: Float32Array, met: Uint8Array): number {
  let [all, there] = [0, 0];
  for (let at = 0; at < vector.length; at++) {
    all += vector[at]!;
    if (met[at]) there += vector[at]!;
  }
  return all > 0 ? there / all : 0;
}

/** What share of the names that lead a report are not those of the event; undefined where no name leads it. */
export const strangeIn = ({ leading }: Voice, met: Uint8Array): number | undefined =>
  leading.some((share) => share > 0) ? 1 - shareOf(leading, met) : undefined;
