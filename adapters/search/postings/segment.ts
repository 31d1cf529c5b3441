import { Entries } from "./blocks.ts";
import { compareTexts } from "./bytes.ts";
import type { Columns } from "./columns.ts";
import type { ListPlace } from "./posting-list.ts";

/** Reads the two parts of a block of a segment. */
export interface BlockSource {
  /** Its lists, kept for the next search. */
  entries(segment: number, block: number): Entries;
  positions(segment: number, block: number): Uint8Array;
  /** Both, to be read once. */
  whole(segment: number, block: number): { lists: Uint8Array; positions: Uint8Array };
}

/** A term as it is looked up. */
export interface Term {
  text: string;
  bytes: Uint8Array;
}
export const termOf = (text: string): Term => ({ text, bytes: Buffer.from(text, "utf8") });

const NO_BYTES = new Uint8Array(0);

/** Where a list is; of none before it is located. */
class Located implements ListPlace {
  lists: Uint8Array = NO_BYTES;
  termFrom = 0;
  termTo = 0;
  count = 0;
  last = 0;
  documentsFrom = 0;
  documentsTo = 0;
  positions: Uint8Array = NO_BYTES;
  positionsFrom = 0;
  positionsTo = 0;
}

/** A list that was found; its positions are read when they are asked for. */
export class StoredPostings extends Located {
  readonly #read: () => Uint8Array;
  constructor(read: () => Uint8Array) {
    super();
    this.#read = read;
  }
  withPositions(): this {
    this.positions = this.#read();
    return this;
  }
}

/**
 * Documents that were written together or merged, and the lists of their terms. Never changed; documents that are gone
 * are marked dead beside it.
 */
export class Segment {
  readonly id: number;
  readonly level: number;
  readonly columns: Columns;
  /** The first term of each block. */
  readonly directory: readonly string[];
  readonly #blocks: BlockSource;
  #words: number | undefined;
  /** Places of documents that were replaced or removed since. */
  dead: ReadonlySet<number> = new Set();

  constructor(id: number, level: number, columns: Columns, directory: readonly string[], blocks: BlockSource) {
    this.id = id;
    this.level = level;
    this.columns = columns;
    this.directory = directory;
    this.#blocks = blocks;
  }

  /** Of all documents together. */
  get words(): number {
    return (this.#words ??= this.columns.length.reduce((sum, length) => sum + length, 0));
  }
  get count(): number {
    return this.columns.id.length;
  }
  get living(): number {
    return this.count - this.dead.size;
  }

  /** The place of the document of a put; -1 where it is not in this segment. */
  placeOf(put: number): number {
    const puts = this.columns.put;
    let low = 0,
      high = puts.length - 1;
    while (low <= high) {
      const middle = (low + high) >> 1;
      if (puts[middle] === put) return middle;
      if (puts[middle]! < put) low = middle + 1;
      else high = middle - 1;
    }
    return -1;
  }

  /** The block that would hold a term: the last that begins with it or before it; -1 where all begin after it. */
  #blockOf(term: string): number {
    let low = 0,
      high = this.directory.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.directory[middle]! <= term) low = middle + 1;
      else high = middle;
    }
    return low - 1;
  }

  #found(block: number, entries: Entries, at: number): StoredPostings {
    const found = new StoredPostings(() => this.#blocks.positions(this.id, block));
    entries.locate(at, found);
    return found;
  }

  find({ text, bytes }: Term): StoredPostings | undefined {
    const block = this.#blockOf(text);
    if (block < 0) return undefined;
    const entries = this.#blocks.entries(this.id, block),
      at = entries.firstFrom(bytes);
    return at < entries.count && entries.compare(at, bytes) === 0 ? this.#found(block, entries, at) : undefined;
  }

  /** The lists of all terms that begin so. */
  *beginning({ text, bytes }: Term): Generator<StoredPostings> {
    for (let block = Math.max(0, this.#blockOf(text)); block < this.directory.length; block++) {
      const entries = this.#blocks.entries(this.id, block);
      for (let at = entries.firstFrom(bytes); at < entries.count; at++) {
        if (!entries.term(at).startsWith(text)) return;
        yield this.#found(block, entries, at);
      }
    }
  }

  /** Before the first of all its terms. */
  cursor(): Cursor {
    return new Cursor(this, this.#blocks);
  }
}

const KEY_BYTES = 6,
  LAST_PLANE = 0xee;
/** Three bytes in one number; below zero where one of them has another order than texts. */
function threeAt(bytes: Uint8Array, at: number): number {
  const first = bytes[at]!,
    second = bytes[at + 1]!,
    third = bytes[at + 2]!;
  return Math.max(first, second, third) < LAST_PLANE ? (first << 16) | (second << 8) | third : -1;
}

/**
 * The first six bytes of a term in one number. From U+E000 on bytes have another order than texts: all count as the
 * first of them, and the order is then decided by comparing.
 */
function keyOf(bytes: Uint8Array, from: number, to: number): number {
  if (to - from >= KEY_BYTES) {
    const [high, low] = [threeAt(bytes, from), threeAt(bytes, from + 3)];
    if (high >= 0 && low >= 0) return high * 2 ** 24 + low;
  }
  let key = 0,
    ended = false;
  for (let at = from; at < from + KEY_BYTES; at++) {
    const byte: number = ended || at >= to ? 0 : Math.min(LAST_PLANE, bytes[at]!);
    ended ||= byte === LAST_PLANE;
    key = key * 256 + byte;
  }
  return key;
}

/** Goes through all terms of a segment in order. What it tells of a term is valid until the next. */
export class Cursor extends Located {
  readonly #segment: Segment;
  readonly #blocks: BlockSource;
  #entries: Entries | undefined;
  #block = -1;
  #at = 0;
  isOver = false;
  /** The beginning of the term, as a number of the same order. */
  #key = 0;

  constructor(segment: Segment, blocks: BlockSource) {
    super();
    this.#segment = segment;
    this.#blocks = blocks;
    this.next();
  }

  next(): void {
    if (!this.#entries || ++this.#at === this.#entries.count) {
      if (++this.#block >= this.#segment.directory.length) {
        this.isOver = true;
        return;
      }
      const { lists, positions } = this.#blocks.whole(this.#segment.id, this.#block);
      this.positions = positions;
      this.#entries = new Entries(lists);
      this.#at = 0;
    }
    this.#entries.locate(this.#at, this);
    this.#key = keyOf(this.lists, this.termFrom, this.termTo);
  }

  /** How the term stands to that of another: less than 0, 0 or more. */
  compare(other: Cursor): number {
    return (
      this.#key - other.#key ||
      compareTexts(this.lists, this.termFrom, this.termTo, other.lists, other.termFrom, other.termTo)
    );
  }
}
