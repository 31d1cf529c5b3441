import type { IndexFile } from "./index-file.ts";
import { Entries, type TermBlock } from "./postings/blocks.ts";
import type { BlockSource } from "./postings/segment.ts";

/** Lists before positions: reading a column of a row also reads the columns before it. */
export const BLOCKS_SCHEMA = `
  create table if not exists blocks (key integer primary key, lists blob not null, positions blob not null) strict;
  create table if not exists garbage (segment integer primary key) strict;`;

/** The most blocks of a segment. */
const MOST_BLOCKS = 2 ** 20;
/** Blocks deleted between two looks at the clock. */
const GARBAGE = 32;
/** Bytes of lists kept in memory. */
const MOST_KEPT = 2 ** 25;

/** The blocks of all segments in the file, and which segments are garbage: to be deleted, or incomplete. */
export class BlockStore implements BlockSource {
  readonly #file: IndexFile;
  /** The most recently used blocks: the rare words of one search lie in few blocks, and many searches need the same. */
  readonly #kept = new Map<number, Entries>();
  #bytes = 0;

  readonly #most: number;

  /** `most`: bytes of lists kept in memory. */
  constructor(file: IndexFile, most = MOST_KEPT) {
    this.#file = file;
    this.#most = most;
  }

  get keptBytes(): number {
    return this.#bytes;
  }

  entries(segment: number, block: number): Entries {
    const key = segment * MOST_BLOCKS + block,
      known = this.#kept.get(key);
    if (known) {
      this.#kept.delete(key);
      this.#kept.set(key, known);
      return known;
    }
    const entries = new Entries(this.#read("select lists from blocks where key = ?", key)[0]!);
    this.#kept.set(key, entries);
    this.#bytes += entries.bytes.length;
    for (const [oldest, { bytes }] of this.#kept) {
      if (this.#bytes <= this.#most) break;
      this.#kept.delete(oldest);
      this.#bytes -= bytes.length;
    }
    return entries;
  }

  positions(segment: number, block: number): Uint8Array {
    return this.#read("select positions from blocks where key = ?", segment * MOST_BLOCKS + block)[0]!;
  }

  whole(segment: number, block: number): { lists: Uint8Array; positions: Uint8Array } {
    const [lists, positions] = this.#read(
      "select lists, positions from blocks where key = ?",
      segment * MOST_BLOCKS + block,
    );
    return { lists: lists!, positions: positions! };
  }

  #read(sql: string, key: number): Uint8Array[] {
    const row = this.#file.row(sql, key);
    if (!row)
      throw new Error(`The search index lacks block ${key % MOST_BLOCKS} of segment ${Math.floor(key / MOST_BLOCKS)}.`);
    return row as Uint8Array[];
  }

  write(segment: number, from: number, blocks: readonly TermBlock[]): void {
    for (const [at, { lists, positions }] of blocks.entries())
      this.#file.run("insert into blocks values (?, ?, ?)", segment * MOST_BLOCKS + from + at, lists, positions);
  }

  count(segment: number): number {
    return this.#file.row(
      "select count(*) from blocks where key between ? and ?",
      segment * MOST_BLOCKS,
      (segment + 1) * MOST_BLOCKS - 1,
    )![0] as number;
  }

  get isLittered(): boolean {
    return this.#file.row("select 1 from garbage limit 1") !== undefined;
  }
  /** Marks the blocks of these segments for deletion. */
  discard(segments: readonly number[]): void {
    this.#file.run("insert into garbage select value from json_each(?)", JSON.stringify(segments));
  }
  /** Marks the blocks of a segment as complete. */
  settle(segment: number): void {
    this.#file.run("delete from garbage where segment = ?", segment);
  }

  /** Deletes blocks that are garbage until `isTime`. */
  clear(isTime: () => boolean): void {
    do {
      const [segment] = this.#file.row("select segment from garbage limit 1") ?? [];
      if (segment === undefined) return;
      const from = (segment as number) * MOST_BLOCKS;
      const gone = this.#file.run(
        "delete from blocks where key in (select key from blocks where key between ? and ? limit ?)",
        from,
        from + MOST_BLOCKS - 1,
        GARBAGE,
      );
      if (gone < GARBAGE) this.settle(segment as number);
    } while (!isTime());
  }

  /** Drops the cache. */
  forget(): void {
    this.#kept.clear();
    this.#bytes = 0;
  }
}
