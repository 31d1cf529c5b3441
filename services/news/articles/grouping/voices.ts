import { MOST_ANCHORS, MOST_TERMS } from "./topic.ts";

/** A report of an event as it is compared: its topic as a unit vector, made with what was known of all terms then. */
export interface Voice {
  language: string;
  terms: Uint32Array;
  weights: Float32Array;
  anchors: Uint32Array;
  /** Of the anchors, as a unit vector too. */
  rarities: Float32Array;
}

/** Voices in one piece of memory. */
const PIECE = 1_024;
/** Places of four bytes in a record: two lengths and the language, then terms, weights, anchors, rarities. */
const TERMS = 3,
  WEIGHTS = TERMS + MOST_TERMS,
  ANCHORS = WEIGHTS + MOST_TERMS,
  RARITIES = ANCHORS + MOST_ANCHORS,
  RECORD = RARITIES + MOST_ANCHORS;

interface Piece {
  words: Uint32Array;
  reals: Float32Array;
}

/**
 * Voices by numbers, as records of 650 bytes in a few large pieces: tens of thousands are held, and objects with arrays
 * of their own have three times that, most of it outside of the heap.
 */
export class Voices {
  readonly #pieces: Piece[] = [];
  readonly #free: number[] = [];
  readonly #languages: string[] = [];
  #count = 0;

  /** Keeps a copy; answers its number. */
  keep({ language, terms, weights, anchors, rarities }: Voice): number {
    const number = this.#free.pop() ?? this.#count++;
    const { words, reals } = (this.#pieces[Math.floor(number / PIECE)] ??= newPiece());
    const at = (number % PIECE) * RECORD;
    words[at] = terms.length;
    words[at + 1] = anchors.length;
    words[at + 2] = this.#languageNumber(language);
    words.set(terms, at + TERMS);
    reals.set(weights, at + WEIGHTS);
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

  /** The cosines between a voice and one that is kept: of terms, and of anchors. */
  cosines(number: number, { terms, weights, anchors, rarities }: Voice): [terms: number, anchors: number] {
    const piece = this.#piece(number);
    const at = (number % PIECE) * RECORD;
    const [termCount, anchorCount] = [piece.words[at]!, piece.words[at + 1]!];
    return [
      cosine(terms, weights, piece, at + TERMS, at + WEIGHTS, termCount),
      cosine(anchors, rarities, piece, at + ANCHORS, at + RARITIES, anchorCount),
    ];
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

/** Of sparse unit vectors, each sorted by its hashes; the other one's lie in a piece, from these places on. */
function cosine(
  mine: Uint32Array,
  weights: Float32Array,
  { words, reals }: Piece,
  theirs: number,
  others: number,
  count: number,
): number {
  let sum = 0;
  for (let left = 0, right = 0; left < mine.length && right < count;) {
    const one = mine[left]!,
      other = words[theirs + right]!;
    if (one === other) sum += weights[left]! * reals[others + right]!;
    if (one <= other) left++;
    if (other <= one) right++;
  }
  return sum;
}
