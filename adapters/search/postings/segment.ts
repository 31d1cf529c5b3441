import type { Columns } from "./columns.ts";
import { Entries, type Entry } from "./blocks.ts";
import type { ListPlace, PostingList } from "./posting-list.ts";

/** Reads the two parts of a block of a segment. */
export interface BlockSource {
  lists(segment: number, block: number): Uint8Array;
  positions(segment: number, block: number): Uint8Array;
}

/** A list that was found; its positions are read when they are asked for. */
export type Found = Omit<PostingList, "positions"> & { positions(): Uint8Array };

/** Documents that were written together or merged, and the lists of their terms. Never changed; documents that are gone are marked dead beside it. */
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
  get words(): number { return (this.#words ??= this.columns.length.reduce((sum, length) => sum + length, 0)); }
  get count(): number { return this.columns.id.length; }
  get living(): number { return this.count - this.dead.size; }

  /** The place of the document of a put; -1 where it is not in this segment. */
  placeOf(put: number): number {
    const puts = this.columns.put;
    let low = 0, high = puts.length - 1;
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
    let low = 0, high = this.directory.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.directory[middle]! <= term) low = middle + 1;
      else high = middle;
    }
    return low - 1;
  }

  #entries(block: number): Entries { return new Entries(this.#blocks.lists(this.id, block)); }
  #found(block: number, { count, last, documents, from, to }: Entry): Found {
    return { count, last, documents, positions: () => this.#blocks.positions(this.id, block).subarray(from, to) };
  }

  find(term: string): Found | undefined {
    const block = this.#blockOf(term);
    if (block < 0) return undefined;
    const entries = this.#entries(block), at = entries.firstFrom(term);
    return at < entries.count && entries.term(at) === term ? this.#found(block, entries.entry(at)) : undefined;
  }

  /** The lists of all terms that begin so. */
  *beginning(start: string): Generator<Found> {
    for (let block = Math.max(0, this.#blockOf(start)); block < this.directory.length; block++) {
      const entries = this.#entries(block);
      for (let at = entries.firstFrom(start); at < entries.count; at++) {
        if (!entries.term(at).startsWith(start)) return;
        yield this.#found(block, entries.entry(at));
      }
    }
  }

  /** Before the first of all its terms. */
  cursor(): Cursor { return new Cursor(this, this.#blocks); }
}

const NO_BYTES = new Uint8Array(0);

/** Goes through all terms of a segment in order. What it tells of a term is valid until the next. */
export class Cursor implements ListPlace {
  readonly #segment: Segment;
  readonly #blocks: BlockSource;
  #entries: Entries | undefined;
  #block = -1;
  #at = 0;
  /** Undefined at the end. */
  term: string | undefined = "";
  count = 0;
  last = 0;
  lists = NO_BYTES;
  documentsFrom = 0;
  documentsTo = 0;
  positions = NO_BYTES;
  positionsFrom = 0;
  positionsTo = 0;

  constructor(segment: Segment, blocks: BlockSource) {
    this.#segment = segment;
    this.#blocks = blocks;
    this.next();
  }

  next(): void {
    if (!this.#entries || ++this.#at === this.#entries.count) {
      if (++this.#block >= this.#segment.directory.length) {
        this.term = undefined;
        return;
      }
      this.lists = this.#blocks.lists(this.#segment.id, this.#block) as Uint8Array<ArrayBuffer>;
      this.positions = this.#blocks.positions(this.#segment.id, this.#block) as Uint8Array<ArrayBuffer>;
      this.#entries = new Entries(this.lists);
      this.#at = 0;
    }
    this.term = this.#entries.term(this.#at);
    this.#entries.locate(this.#at, this);
  }
}
