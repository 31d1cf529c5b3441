import { MOST_ANCHORS, MOST_TERMS } from "./topic.ts";

/** A report of an event as it is compared: its topic as a unit vector, made with what was known of all terms then. */
export interface Voice {
  language: string;
  terms: Uint32Array;
  weights: Float32Array;
  /** What the headline names: of each term its share of all that the headline tells, 0 of those that it does not name. */
  shares: Float32Array;
  anchors: Uint32Array;
  /** Of the anchors, as a unit vector too. */
  rarities: Float32Array;
}

/** Of two reports, all from 0 to 1. */
interface Nearness {
  terms: number;
  anchors: number;
  heads: number;
}

/** Voices in one piece of memory. */
const PIECE = 1_024;
/** Places of four bytes in a record: two lengths and the language, then terms, weights, shares, anchors, rarities. */
const TERMS = 3,
  WEIGHTS = TERMS + MOST_TERMS,
  SHARES = WEIGHTS + MOST_TERMS,
  ANCHORS = SHARES + MOST_TERMS,
  RARITIES = ANCHORS + MOST_ANCHORS,
  RECORD = RARITIES + MOST_ANCHORS;

interface Piece {
  words: Uint32Array;
  reals: Float32Array;
}

/**
 * Voices by numbers, as records of 840 bytes in a few large pieces: tens of thousands are held, and objects with arrays
 * of their own have three times that, most of it outside of the heap.
 */
export class Voices {
  readonly #pieces: Piece[] = [];
  readonly #free: number[] = [];
  readonly #languages: string[] = [];
  #count = 0;

  /** Keeps a copy; answers its number. */
  keep({ language, terms, weights, shares, anchors, rarities }: Voice): number {
    const number = this.#free.pop() ?? this.#count++;
    const { words, reals } = (this.#pieces[Math.floor(number / PIECE)] ??= newPiece());
    const at = (number % PIECE) * RECORD;
    words[at] = terms.length;
    words[at + 1] = anchors.length;
    words[at + 2] = this.#languageNumber(language);
    words.set(terms, at + TERMS);
    reals.set(weights, at + WEIGHTS);
    reals.set(shares, at + SHARES);
    words.set(anchors, at + ANCHORS);
    reals.set(rarities, at + RARITIES);
    return number;
  }

  /** The number may be given to another from now on. */
  drop(number: number): void {
    this.#free.push(number);
  }

  languageOf(number: number): string {
    return this.#languages[this.#piece(number).words[(number % PIECE) * RECORD + 2]!]!;
  }

  anchorsOf(number: number): Uint32Array {
    const { words } = this.#piece(number);
    const at = (number % PIECE) * RECORD;
    return words.slice(at + ANCHORS, at + ANCHORS + words[at + 1]!);
  }

  /**
   * How near a voice is to one that is kept: the cosines of their terms and anchors, and how much of what one headline
   * names the other report speaks of.
   */
  nearness(number: number, { terms, weights, shares, anchors, rarities }: Voice): Nearness {
    const { words, reals } = this.#piece(number);
    const at = (number % PIECE) * RECORD;
    const [termCount, anchorCount] = [words[at]!, words[at + 1]!];
    const near = { terms: 0, anchors: 0, heads: 0 };
    let [mine, theirs] = [0, 0];
    for (let left = 0, right = 0; left < terms.length && right < termCount;) {
      const one = terms[left]!,
        other = words[at + TERMS + right]!;
      if (one === other) {
        near.terms += weights[left]! * reals[at + WEIGHTS + right]!;
        mine += shares[left]!;
        theirs += reals[at + SHARES + right]!;
      }
      if (one <= other) left++;
      if (other <= one) right++;
    }
    for (let left = 0, right = 0; left < anchors.length && right < anchorCount;) {
      const one = anchors[left]!,
        other = words[at + ANCHORS + right]!;
      if (one === other) near.anchors += rarities[left]! * reals[at + RARITIES + right]!;
      if (one <= other) left++;
      if (other <= one) right++;
    }
    near.heads = Math.max(mine, theirs);
    return near;
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
  return { words: new Uint32Array(memory), reals: new Float32Array(memory) };
}
