import { stem } from "./stem.ts";
import { scanWords, wordsBetween } from "./words.ts";

/** Entries of the table are at most this many, and half of its slots. */
const SLOTS = 2 ** 17;
const MOST_ENTRIES = SLOTS / 2;
/** Longer words are rare enough to be worked out each time. */
const LONGEST = 24;
const LAST_ASCII = 127, DOT = 46, COMMA = 44, CAPITAL_A = 65, CAPITAL_Z = 90, TO_SMALL = 32;

/** Stands behind a whole form, so that it is not taken for a root; no token holds one. */
export const FORM = "~";

/** Told of each word of a text: the ids of its root and, where the root is not the word itself, of the folded word with the sign of a form; else -1. */
export type Visit = (root: number, form: number) => void;

/**
 * Words met lately with their roots, each by a small number. A word of running text that is known costs a look at its letters: no string
 * is cut out, folded or stemmed. A map by the word's text would cost more than working the root out, for a string must be made to ask it.
 */
export class Vocabulary {
  /** Words and roots by their ids. */
  readonly terms: string[] = [];
  readonly #ids = new Map<string, number>();
  /** Hash table with linear probing: the number of an entry and one, 0 where there is none. */
  readonly #slots = new Int32Array(SLOTS);
  readonly #letters = new Uint8Array(MOST_ENTRIES * LONGEST);
  readonly #lengths = new Uint8Array(MOST_ENTRIES);
  readonly #roots = new Int32Array(MOST_ENTRIES);
  readonly #forms = new Int32Array(MOST_ENTRIES);
  #entries = 0;

  /** Whether it remembers no more words: what follows wants a new one. */
  get isFull(): boolean { return this.#entries === MOST_ENTRIES || this.terms.length >= 2 * MOST_ENTRIES; }

  /** The id of a term, given to it where it has none. */
  idOf(term: string): number {
    const known = this.#ids.get(term);
    if (known !== undefined) return known;
    this.#ids.set(term, this.terms.length);
    return this.terms.push(term) - 1;
  }

  /** Analyses a text: calls `visit` for each word, in order. */
  each(text: string, visit: Visit): void {
    scanWords(text, (start, end) => {
      const slot = this.#slotOf(text, start, end);
      if (slot < 0) return this.#eachBetween(text, start, end, visit);
      const entry = (this.#slots[slot]! || this.#enter(slot, text, start, end)) - 1;
      if (entry < 0) this.#eachBetween(text, start, end, visit);
      else visit(this.#roots[entry]!, this.#forms[entry]!);
    });
  }

  #eachBetween(text: string, start: number, end: number, visit: Visit): void {
    for (const word of wordsBetween(text, start, end)) {
      const root = stem(word);
      visit(this.idOf(root), root === word ? -1 : this.idOf(word + FORM));
    }
  }

  /** The slot of a word, or the free one where it belongs; -1 for what the table does not hold: other scripts, joined and long words. */
  #slotOf(text: string, start: number, end: number): number {
    if (end - start > LONGEST) return -1;
    let hash = 0x811c9dc5;
    for (let at = start; at < end; at++) {
      const code = text.charCodeAt(at);
      if (code > LAST_ASCII || code === DOT || code === COMMA) return -1;
      hash = Math.imul(hash ^ (code >= CAPITAL_A && code <= CAPITAL_Z ? code | TO_SMALL : code), 0x01000193);
    }
    let slot = (hash ^ (hash >>> 15)) & (SLOTS - 1);
    while (this.#slots[slot] !== 0 && !this.#holds(this.#slots[slot]! - 1, text, start, end)) slot = (slot + 1) & (SLOTS - 1);
    return slot;
  }

  #holds(entry: number, text: string, start: number, end: number): boolean {
    if (this.#lengths[entry] !== end - start) return false;
    for (let at = start, letter = entry * LONGEST; at < end; at++, letter++) {
      const code = text.charCodeAt(at);
      if (this.#letters[letter] !== (code >= CAPITAL_A && code <= CAPITAL_Z ? code | TO_SMALL : code)) return false;
    }
    return true;
  }

  /** Takes a word into the table; answers its entry and one, 0 where the table is full. */
  #enter(slot: number, text: string, start: number, end: number): number {
    if (this.#entries === MOST_ENTRIES) return 0;
    const entry = this.#entries++;
    const word = text.slice(start, end).toLowerCase();
    for (let at = 0; at < word.length; at++) this.#letters[entry * LONGEST + at] = word.charCodeAt(at);
    this.#lengths[entry] = word.length;
    const root = stem(word);
    this.#roots[entry] = this.idOf(root);
    this.#forms[entry] = root === word ? -1 : this.idOf(word + FORM);
    return (this.#slots[slot] = entry + 1);
  }
}
