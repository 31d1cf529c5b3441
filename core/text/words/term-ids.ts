import { LANGUAGES, languagesListing } from "../language.ts";
import { vocabulary } from "./analysis.ts";
import { isContent, isSign } from "./terms.ts";
import { FORM, type Vocabulary } from "./vocabulary.ts";

/** What is known of a word, as bits; above them one for each language that lists it among its words of grammar. */
const KNOWN = 1,
  CONTENT = 2,
  SIGN = 4,
  LANGUAGE_BITS = 3;

/**
 * The terms of running texts, as `terms` has them, by their ids in the vocabulary that search analyses with: words that
 * it knows cost no string.
 */
export class TermIds {
  readonly vocabulary: Vocabulary;
  /** By the id of a word. */
  #kinds = new Uint16Array(2 ** 12);

  constructor(known: Vocabulary) {
    this.vocabulary = known;
  }

  /**
   * Calls `visit` with the id of each term of a text, where it ends and where it begins; answers how many of the words each language
   * lists, undefined where the text has none. The next call overwrites the answer.
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
    if (id >= this.#kinds.length) {
      const larger = new Uint16Array(Math.max(id + 1, 2 * this.#kinds.length));
      larger.set(this.#kinds);
      this.#kinds = larger;
    }
    const term = this.vocabulary.terms[id]!;
    const word = term.endsWith(FORM) ? term.slice(0, -FORM.length) : term;
    let kind = KNOWN | (isSign(word) ? SIGN : isContent(word) ? CONTENT : 0);
    for (const language of languagesListing(word)) kind |= 1 << (LANGUAGE_BITS + language);
    return (this.#kinds[id] = kind);
  }
}

let reader: TermIds | undefined;
/** The reader by the vocabulary of this moment; ids of one that was asked for before may be of another. */
export function termIds(): TermIds {
  const known = vocabulary();
  return reader?.vocabulary === known ? reader : (reader = new TermIds(known));
}
