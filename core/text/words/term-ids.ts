import { LANGUAGES, languagesListing } from "../language.ts";
import { vocabulary } from "./analysis.ts";
import { hashOf } from "./token-hashes.ts";
import { isContent, isSign } from "./terms.ts";
import { FORM, type Vocabulary } from "./vocabulary.ts";

/** Flags of a word; above them one bit for each language with the word among its function words. */
const KNOWN = 1,
  CONTENT = 2,
  SIGN = 4,
  LANGUAGE_BITS = 3;

/** A 32-bit integer for each term of a vocabulary, by its id, computed on first use. */
export class TermNumbers {
  readonly vocabulary: Vocabulary;
  readonly #of: (term: string) => number;
  #known = new Uint8Array(2 ** 12);
  #numbers = new Uint32Array(2 ** 12);

  constructor(known: Vocabulary, of: (term: string) => number) {
    this.vocabulary = known;
    this.#of = of;
  }

  of(id: number): number {
    return this.#known[id] === 1 ? this.#numbers[id]! : this.#learn(id);
  }

  #learn(id: number): number {
    if (id >= this.#known.length) {
      const least = Math.max(id + 1, 2 * this.#known.length);
      this.#known = grown(this.#known, least);
      this.#numbers = grown(this.#numbers, least);
    }
    this.#known[id] = 1;
    return (this.#numbers[id] = this.#of(this.vocabulary.terms[id]!));
  }
}

function grown<T extends Uint8Array | Uint16Array | Uint32Array>(numbers: T, length: number): T {
  const larger = new (numbers.constructor as new (length: number) => T)(length);
  larger.set(numbers);
  return larger;
}

/**
 * The terms of running texts, as `terms` gives them, by their ids in search's vocabulary: known words cost no string.
 */
export class TermIds {
  readonly vocabulary: Vocabulary;
  /** As `hashOf` of each term. */
  readonly hashes: TermNumbers;
  /** By the id of a word. */
  #kinds = new Uint16Array(2 ** 12);

  constructor(known: Vocabulary) {
    this.vocabulary = known;
    this.hashes = new TermNumbers(known, hashOf);
  }

  /**
   * Calls `visit` with the id of each term of a text, its end and its start; answers how many words are function words
   * of each language, undefined where the text has none. The next call overwrites the answer.
   */
  read(text: string, visit: (term: number, end: number, start: number) => void): Uint32Array | undefined {
    const { vocabulary: known } = this;
    const count = known.analyse(text);
    const { found, places } = known;
    const listed = this.#listed.fill(0);
    for (let at = 0, before = -1; at < count; at++) {
      const root = found[2 * at]!,
        form = found[2 * at + 1]!;
      const word = form < 0 ? root : form;
      const kind = this.#kinds[word] || this.#learn(word);
      if (kind & CONTENT) visit(root, places[2 * at + 1]!, places[2 * at]!);
      else if (kind & SIGN) {
        if (before >= 0 && places[2 * at - 1] === places[2 * at])
          visit(known.idOf(known.terms[before]! + known.terms[word]!), places[2 * at + 1]!, places[2 * at - 2]!);
      }
      for (let bits = kind >> LANGUAGE_BITS, language = 0; bits > 0; bits >>= 1, language++)
        if (bits & 1) listed[language]!++;
      before = kind & SIGN ? word : -1;
    }
    return count > 0 ? listed : undefined;
  }
  readonly #listed = new Uint32Array(LANGUAGES);

  #learn(id: number): number {
    if (id >= this.#kinds.length) this.#kinds = grown(this.#kinds, Math.max(id + 1, 2 * this.#kinds.length));
    const term = this.vocabulary.terms[id]!;
    const word = term.endsWith(FORM) ? term.slice(0, -FORM.length) : term;
    let kind = KNOWN | (isSign(word) ? SIGN : isContent(word) ? CONTENT : 0);
    for (const language of languagesListing(word)) kind |= 1 << (LANGUAGE_BITS + language);
    return (this.#kinds[id] = kind);
  }
}

let reader: TermIds | undefined;
/** The reader with the current vocabulary; ids from an earlier reader may belong to another vocabulary. */
export function termIds(): TermIds {
  const known = vocabulary();
  return reader?.vocabulary === known ? reader : (reader = new TermIds(known));
}
