import { DIMENSIONS } from "../../../../core/text/words/vectors.ts";
import { MOST_TERMS } from "./topics/topic.ts";

/** A report of an event as it is compared: its topic as a unit vector, made with what was known of all terms then. */
export interface ReportVoice {
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

/**
 * A record, in places of four bytes: how many terms, anchors, shares and leading names it has; its language, days and
 * whose match it is; terms and weights; anchors and rarities; the shares that are not 0. After them bytes: the places of
 * the terms that have a share, those of leading names, and the bearing.
 */
const TERMS = 2;
/** What is marked of a term that both have: that, and whether the headline of the kept one names it, and as who or where. */
export const MET = 1,
  HEADED = 2,
  LED = 4;
/** Of a bearing's component. */
const STEPS = 127;
/** Records are this much longer from one kind to the next; of each kind so many lie in one piece of memory. */
const STEP = 16,
  PIECE = 64;
/** Kinds are fewer, so that a number tells the kind and the record. */
const KINDS = 32;

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

/** Records of one length. */
class Kind {
  readonly #length: number;
  readonly #pieces: Piece[] = [];
  readonly #free: number[] = [];
  #count = 0;

  constructor(length: number) {
    this.#length = length;
  }

  taken(): number {
    return this.#free.pop() ?? this.#count++;
  }
  free(record: number): void {
    this.#free.push(record);
  }
  pieceOf(record: number): Piece {
    return (this.#pieces[Math.floor(record / PIECE)] ??= newPiece(PIECE * this.#length));
  }
  /** Where the record begins in its piece. */
  beginOf(record: number): number {
    return (record % PIECE) * this.#length;
  }
}

function filled(shares: Float32Array): number {
  let count = 0;
  for (let at = 0; at < shares.length; at++) if (shares[at] !== 0) count++;
  return count;
}

/**
 * Voices by numbers, as records of half a kilobyte in large pieces: tens of thousands are held, and objects with arrays
 * of their own have six times that, most of it outside of the heap.
 */
export class Voices {
  readonly #kinds = Array.from({ length: KINDS }, (_, kind) => new Kind(kind * STEP));
  readonly #languages: string[] = [];
  /** Of the voice that is compared. */
  readonly #terms = new Places();
  readonly #anchors = new Places();
  /** Of each term of the kept voice, where the other has it and one. */
  readonly #met = new Uint8Array(MOST_TERMS);

  /** Keeps a copy; answers its number. */
  keep({ language, terms, weights, shares, leading, anchors, rarities, days, sexes, bearing }: ReportVoice): number {
    const [told, led] = [filled(shares), filled(leading)];
    const ends = TERMS + 2 * terms.length + 2 * anchors.length + told;
    const kind = Math.ceil((ends + Math.ceil((told + led + bearing.length) / 4)) / STEP);
    const record = this.#kinds[kind]!.taken();
    const { words, reals, bytes } = this.#kinds[kind]!.pieceOf(record);
    const begin = this.#kinds[kind]!.beginOf(record);
    words[begin] = terms.length | (anchors.length << 8) | (told << 16) | (led << 24);
    words[begin + 1] = this.#languageNumber(language) | (days << 8) | (sexes << 16);
    let at = begin + TERMS;
    words.set(terms, at);
    reals.set(weights, (at += terms.length));
    words.set(anchors, (at += terms.length));
    reals.set(rarities, (at += anchors.length));
    at += anchors.length;
    let place = 4 * (begin + ends);
    for (let term = 0; term < shares.length; term++) {
      if (shares[term] === 0) continue;
      reals[at++] = shares[term]!;
      bytes[place++] = term;
    }
    for (let term = 0; term < leading.length; term++) if (leading[term] !== 0) bytes[place++] = term;
    bytes.set(bearing, place);
    return record * KINDS + kind;
  }

  /** The number may be given to another from now on. */
  drop(number: number): void {
    this.#kinds[number % KINDS]!.free(Math.floor(number / KINDS));
  }

  languageOf(number: number): string {
    return this.#languages[this.#frame(number) & 0xff]!;
  }

  daysOf(number: number): number {
    return (this.#frame(number) >>> 8) & 0xff;
  }

  sexesOf(number: number): number {
    return this.#frame(number) >>> 16;
  }

  /** How near a voice is to one that is kept, in the same language. Marks in `met` which terms of the voice both have. */
  nearness(number: number, voice: ReportVoice, met: Uint8Array): Nearness {
    const { weights, shares } = voice;
    if (this.#terms.of !== voice.terms) this.#terms.take(voice.terms);
    const { words, reals, bytes } = this.#piece(number);
    let at = this.#begin(number);
    const counts = words[at]!,
      count = counts & 0xff,
      both = this.#met;
    let [cosine, mine, theirs] = [0, 0, 0];
    at += TERMS;
    for (let right = 0; right < count; right++) {
      const left = this.#terms.placeOf(words[at + right]!);
      both[right] = left + 1;
      if (left < 0) continue;
      met[left]! |= MET;
      cosine += weights[left]! * reals[at + count + right]!;
      mine += shares[left]!;
    }
    at += 2 * count + 2 * ((counts >>> 8) & 0xff);
    const told = at + ((counts >>> 16) & 0xff);
    let place = 4 * told;
    for (; at < told; at++, place++) {
      const left = both[bytes[place]!]! - 1;
      if (left < 0) continue;
      theirs += reals[at]!;
      met[left]! |= HEADED;
    }
    for (const led = place + (counts >>> 24); place < led; place++) {
      const left = both[bytes[place]!]! - 1;
      if (left >= 0) met[left]! |= LED;
    }
    return { terms: cosine, heads: Math.max(mine, theirs) };
  }

  /** The cosine of bearings. */
  bearing(number: number, { bearing }: ReportVoice): number {
    const { words, bytes } = this.#piece(number);
    const begin = this.#begin(number),
      counts = words[begin]!,
      told = (counts >>> 16) & 0xff;
    let at = 4 * (begin + TERMS + 2 * (counts & 0xff) + 2 * ((counts >>> 8) & 0xff) + told) + told + (counts >>> 24),
      sum = 0;
    for (let own = 0; own < DIMENSIONS; own++) sum += bearing[own]! * bytes[at++]!;
    return sum / (STEPS * STEPS);
  }

  /**
   * What share of the kept voice's anchors the other has, which need no common language. Marks in `met` which anchors of
   * the voice both have.
   */
  anchored(number: number, { anchors }: ReportVoice, met: Uint8Array): number {
    if (this.#anchors.of !== anchors) this.#anchors.take(anchors);
    const { words, reals } = this.#piece(number);
    const begin = this.#begin(number),
      count = (words[begin]! >>> 8) & 0xff,
      from = begin + TERMS + 2 * (words[begin]! & 0xff);
    let [all, there] = [0, 0];
    for (let right = 0; right < count; right++) {
      const rarity = reals[from + count + right]!;
      all += rarity;
      const left = this.#anchors.placeOf(words[from + right]!);
      if (left < 0) continue;
      met[left] = 1;
      there += rarity;
    }
    return all > 0 ? there / all : 0;
  }

  #piece(number: number): Piece {
    return this.#kinds[number % KINDS]!.pieceOf(Math.floor(number / KINDS));
  }

  #begin(number: number): number {
    return this.#kinds[number % KINDS]!.beginOf(Math.floor(number / KINDS));
  }

  /** Language, days and whose match it is. */
  #frame(number: number): number {
    return this.#piece(number).words[this.#begin(number) + 1]!;
  }

  #languageNumber(language: string): number {
    const known = this.#languages.indexOf(language);
    return known < 0 ? this.#languages.push(language) - 1 : known;
  }
}

function newPiece(length: number): Piece {
  const memory = new ArrayBuffer(4 * length);
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
export const strangeIn = ({ leading }: ReportVoice, met: Uint8Array): number | undefined =>
  leading.some((share) => share > 0) ? 1 - shareOf(leading, met) : undefined;

/** What share of the names of its headline are not those of the event; undefined where it has none. */
export function unheardIn({ shares, leading }: ReportVoice, met: Uint8Array): number | undefined {
  let [all, strange] = [0, 0];
  for (let at = 0; at < shares.length; at++) {
    if (!(shares[at]! > 0 && leading[at]! > 0)) continue;
    all += leading[at]!;
    if (!met[at]) strange += leading[at]!;
  }
  return all > 0 ? strange / all : undefined;
}
