import { MOST_TERMS } from "./topic.ts";

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
}

/** Of two reports in one language, all from 0 to 1. */
interface Nearness {
  /** The cosine of their terms. */
  terms: number;
  /** How much of what one headline names the other report speaks of. */
  heads: number;
  /** What share of the names that lead the kept report is not in the other; undefined where no name leads it. */
  missing: number | undefined;
}

/**
 * A record, in places of four bytes: how many terms, anchors, shares and leading names it has; its language, days and
 * whose match it is; terms and weights; anchors and rarities; then the shares and the leading names that are not 0,
 * and after them the places of their terms, a byte each.
 */
const TERMS = 2;
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
  bytes: Uint8Array;
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

const filled = (shares: Float32Array): number => shares.reduce((count, share) => count + (share === 0 ? 0 : 1), 0);

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
  keep({ language, terms, weights, shares, leading, anchors, rarities, days, sexes }: Voice): number {
    const [told, led] = [filled(shares), filled(leading)];
    const ends = TERMS + 2 * terms.length + 2 * anchors.length + told + led;
    const kind = Math.ceil((ends + Math.ceil((told + led) / 4)) / STEP);
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
    for (const sparse of [shares, leading])
      for (let term = 0; term < sparse.length; term++) {
        if (sparse[term] === 0) continue;
        reals[at++] = sparse[term]!;
        bytes[place++] = term;
      }
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
  nearness(number: number, voice: Voice, met: Uint8Array): Nearness {
    const { weights, shares } = voice;
    if (this.#terms.of !== voice.terms) this.#terms.take(voice.terms);
    const { words, reals, bytes } = this.#piece(number);
    let at = this.#begin(number);
    const counts = words[at]!,
      count = counts & 0xff,
      both = this.#met;
    let [cosine, mine, theirs, led, there] = [0, 0, 0, 0, 0];
    at += TERMS;
    for (let right = 0; right < count; right++) {
      const left = this.#terms.placeOf(words[at + right]!);
      both[right] = left + 1;
      if (left < 0) continue;
      met[left] = 1;
      cosine += weights[left]! * reals[at + count + right]!;
      mine += shares[left]!;
    }
    at += 2 * count + 2 * ((counts >>> 8) & 0xff);
    const leads = at + ((counts >>> 16) & 0xff),
      end = leads + (counts >>> 24);
    for (let place = 4 * end; at < leads; at++, place++) if (both[bytes[place]!]! > 0) theirs += reals[at]!;
    for (let place = 4 * end + ((counts >>> 16) & 0xff); at < end; at++, place++) {
      led += reals[at]!;
      if (both[bytes[place]!]! > 0) there += reals[at]!;
    }
    return { terms: cosine, heads: Math.max(mine, theirs), missing: led > 0 ? 1 - there / led : undefined };
  }

  /**
   * The cosine of anchors, which need no common language, and what share of the kept voice's the other has. Marks in
   * `met` which anchors of the voice both have.
   */
  anchored(number: number, { anchors, rarities }: Voice, met: Uint8Array): { cosine: number; share: number } {
    if (this.#anchors.of !== anchors) this.#anchors.take(anchors);
    const { words, reals } = this.#piece(number);
    const begin = this.#begin(number),
      count = (words[begin]! >>> 8) & 0xff,
      from = begin + TERMS + 2 * (words[begin]! & 0xff);
    let [cosine, all, there] = [0, 0, 0];
    for (let right = 0; right < count; right++) {
      const rarity = reals[from + count + right]!;
      all += rarity;
      const left = this.#anchors.placeOf(words[from + right]!);
      if (left < 0) continue;
      met[left] = 1;
      cosine += rarities[left]! * rarity;
      there += rarity;
    }
    return { cosine, share: all > 0 ? there / all : 0 };
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
  return { words: new Uint32Array(memory), reals: new Float32Array(memory), bytes: new Uint8Array(memory) };
}

/** What the terms have together that are met. */
export function sumOf(numbers: Float32Array, met: Uint8Array): number {
  let sum = 0;
  for (let at = 0; at < met.length; at++) if (met[at]) sum += numbers[at]!;
  return sum;
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
