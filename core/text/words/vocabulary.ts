import { ownCopy } from "./remembered.ts";
import { stem } from "./stem.ts";
import { sortedOrder } from "../../records/reading/sorted-order.ts";
import { unitsOf } from "./units.ts";
import { afterWord, isWordAt, startsWord, wordEnd, wordsBetween } from "./words.ts";

/** Slots of the table; at most half of them are used. */
const SLOTS = 2 ** 17;
const MOST_ENTRIES = SLOTS / 2;
/**
 * An entry: the ids of its root and its form, then the letters of its word, four in a number. Longer words are rare
 * enough to be computed each time.
 */
const ENTRY = 8,
  LETTERS = 2,
  ROOT = 0,
  FORM_ID = 1,
  LONGEST = 4 * (ENTRY - LETTERS);
/**
 * Bits of a slot for the number of an entry plus one; the others hold a part of its hash, so that other entries'
 * letters are seldom compared.
 */
const NUMBER_BITS = 17,
  NUMBER = 2 ** NUMBER_BITS - 1;
const LAST_ASCII = 127,
  DOT = 46,
  COMMA = 44,
  SPACE = 32,
  DIGIT_9 = 57;

/** 1 for ASCII letters and digits. `SMALL` is the bit that tells small letters from capitals; digits have it set. */
const PLAIN = new Uint8Array(0x10000);
for (let code = 0; code <= LAST_ASCII; code++) if (/[A-Za-z0-9]/.test(String.fromCharCode(code))) PLAIN[code] = 1;
const SMALL = 0x20,
  SMALL_LETTERS = 0x20202020;

const ENCODER = new TextEncoder();

/** Marks a whole form, so that it is not taken for a root; no token contains it. */
export const FORM = "~";

const mixed = (hash: number, letters: number): number => {
  const product = Math.imul(hash ^ letters, 0x9e3779b1);
  return product ^ (product >>> 15);
};

/** A copy with room for this many, at least twice the size. */
function grown(numbers: Int32Array<ArrayBuffer>, least: number): Int32Array<ArrayBuffer> {
  const larger = new Int32Array(Math.max(least, 2 * numbers.length));
  larger.set(numbers);
  return larger;
}

/**
 * Recent words with their roots, each by a small number. A known word of running text costs a comparison of its
 * letters: no string is cut out, folded or stemmed. A map by the word's text would cost more than computing the root,
 * since each lookup would make a string.
 */
export class Vocabulary {
  /** Words and roots by their ids. */
  readonly terms: string[] = [];
  readonly #ids = new Map<string, number>();
  /** The terms in UTF-8, one after the other, and the start of each: their strings are scattered in memory. */
  spelled = new Uint8Array(2 ** 15);
  begins = new Int32Array(2 ** 12);
  /** Hash table with linear probing; 0 for a free slot. */
  readonly #slots = new Int32Array(SLOTS);
  readonly #table = new Int32Array(MOST_ENTRIES * ENTRY);
  #entries = 0;
  /** The letters of the word being looked up. */
  readonly #word = new Int32Array(ENTRY - LETTERS);
  /** Ids in the order of their terms, and the rank of each id, as of the last call. */
  #order = new Int32Array(0);
  #ranks = new Int32Array(0);

  /**
   * The analysis of the last text: for each word the id of its root, and if that differs from the word, the id of the
   * folded word with the mark of a form, else -1.
   */
  found = new Int32Array(4_096);
  /** The start and end of each of these words in the text. */
  places = new Int32Array(4_096);
  #length = 0;
  /** The text being analysed. */
  #units: Uint16Array = new Uint16Array(0);

  /** Whether it accepts no more words: the next text needs a new one. */
  get isFull(): boolean {
    return this.#entries === MOST_ENTRIES || this.terms.length >= 2 * MOST_ENTRIES;
  }

  /** The id of a term, assigned on first use. */
  idOf(term: string): number {
    const known = this.#ids.get(term);
    if (known !== undefined) return known;
    const own = ownCopy(term);
    const id = this.terms.push(own) - 1;
    this.#ids.set(own, id);
    this.#spell(own, id);
    return id;
  }

  #spell(term: string, id: number): void {
    const begin = this.begins[id]!,
      most = begin + 3 * term.length;
    if (most > this.spelled.length) {
      const longer = new Uint8Array(2 * most);
      longer.set(this.spelled);
      this.spelled = longer;
    }
    if (id + 1 >= this.begins.length) this.begins = grown(this.begins, id + 2);
    this.begins[id + 1] = begin + ENCODER.encodeInto(term, this.spelled.subarray(begin)).written;
  }

  /** Analyses a text into `found`, which the next call overwrites; answers the number of words. */
  analyse(text: string): number {
    this.#length = 0;
    const { length } = text,
      units = (this.#units = unitsOf(text));
    for (let at = 0; at < length;) {
      const code = units[at]!;
      if (PLAIN[code] === 1) at = this.#plainWord(text, at);
      else if (code > LAST_ASCII && startsWord(text, at)) at = this.#otherWord(text, at);
      else at++;
    }
    return this.#length / 2;
  }

  #push(root: number, form: number, start: number, end: number): void {
    if (this.#length === this.found.length) {
      this.found = grown(this.found, 0);
      this.places = grown(this.places, 0);
    }
    this.found[this.#length] = root;
    this.places[this.#length++] = start;
    this.found[this.#length] = form;
    this.places[this.#length++] = end;
  }

  /**
   * A word of ASCII letters and digits: one scan for its end, its letters and its hash; answers where to look for the
   * next.
   */
  #plainWord(text: string, start: number): number {
    const units = this.#units;
    let end = start + 1;
    while (PLAIN[units[end]!] === 1) end++;
    const next = units[end]!,
      ends = next === SPACE || end === text.length;
    if (end - start > LONGEST || (!ends && this.#mayGoOn(text, start, end, next))) return this.#otherWord(text, start);
    const entry = this.#entryOf(text, start, end);
    if (entry < 0) return this.#otherWord(text, start);
    this.#push(this.#table[entry + ROOT]!, this.#table[entry + FORM_ID]!, start, end);
    return ends ? end + 1 : afterWord(text, end);
  }

  /**
   * Whether a word may continue after this sign: in an acronym, in a number, or with marks and letters that are not
   * ASCII.
   */
  #mayGoOn(text: string, start: number, end: number, sign: number): boolean {
    if (end === start + 1 && (sign === DOT || sign > LAST_ASCII)) return true;
    if (sign === DOT || sign === COMMA) return text.charCodeAt(start) <= DIGIT_9;
    return sign > LAST_ASCII && isWordAt(text, end);
  }

  /** Any word, by the general rules; answers where to look for the next. */
  #otherWord(text: string, start: number): number {
    const end = wordEnd(text, start);
    for (const word of wordsBetween(text, start, end)) {
      const root = stem(word);
      this.#push(this.idOf(root), root === word ? -1 : this.idOf(word + FORM), start, end);
    }
    return afterWord(text, end);
  }

  /** The place of a word's entry in the table, added if it is new; -1 where the table is full. */
  #entryOf(text: string, start: number, end: number): number {
    const units = this.#units,
      word = this.#word;
    let hash = 0,
      count = 0,
      at = start;
    for (; at + 4 <= end; at += 4) {
      const letters =
        units[at]! | (units[at + 1]! << 8) | (units[at + 2]! << 16) | (units[at + 3]! << 24) | SMALL_LETTERS;
      word[count++] = letters;
      hash = mixed(hash, letters);
    }
    if (at < end) {
      let letters = units[at]! | SMALL;
      if (at + 1 < end) letters |= (units[at + 1]! | SMALL) << 8;
      if (at + 2 < end) letters |= (units[at + 2]! | SMALL) << 16;
      word[count++] = letters;
      hash = mixed(hash, letters);
    }
    const slots = this.#slots,
      table = this.#table,
      tag = hash & ~NUMBER;
    let slot = hash & (SLOTS - 1);
    for (let held = slots[slot]!; held !== 0; held = slots[(slot = (slot + 1) & (SLOTS - 1))]!) {
      if ((held & ~NUMBER) !== tag) continue;
      const entry = ((held & NUMBER) - 1) * ENTRY;
      let same = 0;
      while (same < count && table[entry + LETTERS + same] === word[same]) same++;
      if (same === count && (count === ENTRY - LETTERS || table[entry + LETTERS + count] === 0)) return entry;
    }
    if (this.#entries === MOST_ENTRIES) return -1;
    slots[slot] = tag | ++this.#entries;
    return this.#enter((this.#entries - 1) * ENTRY, text.slice(start, end).toLowerCase(), count);
  }

  #enter(entry: number, word: string, count: number): number {
    const root = stem(word);
    this.#table[entry + ROOT] = this.idOf(root);
    this.#table[entry + FORM_ID] = root === word ? -1 : this.idOf(word + FORM);
    for (let at = 0; at < count; at++) this.#table[entry + LETTERS + at] = this.#word[at]!;
    return entry;
  }

  /**
   * The rank of each id among all terms, in JavaScript's order of strings. Terms added since the last call are sorted
   * in.
   */
  ranks(): Int32Array {
    const { terms } = this,
      known = this.#order;
    if (known.length === terms.length) return this.#ranks;
    const added = sortedOrder(terms.slice(known.length)),
      order = new Int32Array(terms.length);
    let from = 0,
      to = 0;
    for (const one of added) {
      const id = known.length + one,
        until = this.#firstAfter(terms[id]!, from);
      order.set(known.subarray(from, until), to);
      to += until - from;
      from = until;
      order[to++] = id;
    }
    order.set(known.subarray(from), to);
    const ranks = new Int32Array(terms.length);
    for (let rank = 0; rank < order.length; rank++) ranks[order[rank]!] = rank;
    this.#order = order;
    return (this.#ranks = ranks);
  }

  #firstAfter(term: string, from: number): number {
    let low = from,
      high = this.#order.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.terms[this.#order[middle]!]! < term) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  /** The id of the term with a rank, as of the last call of `ranks`. */
  ranked(rank: number): number {
    return this.#order[rank]!;
  }
}
