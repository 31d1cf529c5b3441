/**
 * Terms with their lists in blocks, in ascending order of terms (as JavaScript compares strings). A block is read as a
 * whole: the entries one after the other, then where each begins, so that one is found by halving.
 */
import { Bytes, compareTexts, Reader, utf8At } from "./bytes.ts";
import type { ListPlace, ListWriter } from "./posting-list.ts";

/** A block is closed once it has so many bytes: a list that is longer has one of its own. */
const FULL = 4_000;

export interface TermBlock {
  first: string;
  lists: Uint8Array;
  positions: Uint8Array;
}

export class BlockWriter {
  readonly #emit: (block: TermBlock) => void;
  readonly #lists = new Bytes(8 * FULL);
  readonly #positions = new Bytes(8 * FULL);
  #begins: number[] = [];
  #first = "";

  /** Each block is told as soon as it is whole. */
  constructor(emit: (block: TermBlock) => void) {
    this.#emit = emit;
  }

  /** The next term, in UTF-8; terms come in ascending order. */
  add(bytes: Uint8Array, from: number, to: number, list: ListWriter): void {
    if (this.#begin(list)) this.#first = utf8At(bytes, from, to);
    this.#lists.number(to - from);
    this.#lists.append(bytes, from, to);
    this.#append(list);
  }

  /** Whether a block begins with what is added. */
  #begin({ documents }: ListWriter): boolean {
    if (this.#begins.length > 0 && this.#lists.length + documents.length > FULL) this.end();
    return this.#begins.push(this.#lists.length) === 1;
  }

  #append({ count, last, documents, positions }: ListWriter): void {
    const lists = this.#lists;
    lists.number(count);
    lists.number(last);
    lists.number(documents.length);
    lists.number(this.#positions.length);
    lists.number(positions.length);
    lists.appendAll(documents);
    this.#positions.appendAll(positions);
  }

  end(): void {
    if (this.#begins.length === 0) return;
    for (const begin of this.#begins) this.#lists.word(begin);
    this.#lists.word(this.#begins.length);
    this.#emit({ first: this.#first, lists: this.#lists.copy(), positions: this.#positions.copy() });
    this.#begins = [];
    this.#lists.clear();
    this.#positions.clear();
  }
}

/** A block as it was written. */
export class Entries {
  readonly bytes: Uint8Array;
  readonly count: number;
  readonly #reader: Reader;
  readonly #index: number;

  constructor(bytes: Uint8Array) {
    this.bytes = bytes;
    this.#reader = new Reader(bytes);
    this.count = this.#reader.word(bytes.length - 4);
    this.#index = bytes.length - 4 - 4 * this.count;
  }

  #begin(at: number): number {
    return this.#reader.word(this.#index + 4 * at);
  }

  term(at: number): string {
    this.#reader.at = this.#begin(at);
    return this.#reader.text();
  }

  /** Where an entry's term and list are, taken down in `place`. */
  locate(at: number, place: ListPlace): void {
    const reader = this.#reader;
    reader.at = this.#begin(at);
    const length = reader.number();
    place.lists = this.bytes;
    place.termFrom = reader.at;
    place.termTo = reader.at += length;
    place.count = reader.number();
    place.last = reader.number();
    const size = reader.number();
    place.positionsFrom = reader.number();
    place.positionsTo = place.positionsFrom + reader.number();
    place.documentsFrom = reader.at;
    place.documentsTo = reader.at + size;
  }

  /** How the term of an entry stands to another (in UTF-8): less than 0, 0 or more. */
  compare(at: number, term: Uint8Array): number {
    const reader = this.#reader;
    reader.at = this.#begin(at);
    const length = reader.number();
    return compareTexts(this.bytes, reader.at, reader.at + length, term, 0, term.length);
  }

  /** The first entry whose term is `term` or comes after it. */
  firstFrom(term: Uint8Array): number {
    let low = 0,
      high = this.count;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.compare(middle, term) < 0) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}
