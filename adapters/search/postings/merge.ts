import { BlockWriter, type TermBlock } from "./blocks.ts";
import { copyDocument, emptyColumns, NumberedNames, type Columns } from "./columns.ts";
import { eachPosting, ListWriter } from "./posting-list.ts";
import type { Cursor, Segment } from "./segment.ts";

interface Source {
  segment: Segment;
  /** The dead when the merge began: they are left out. */
  dead: ReadonlySet<number>;
  /** Where its first document comes to lie. */
  offset: number;
  /** For segments with dead: where each document comes to lie, -1 for those left out. */
  moved: Int32Array | undefined;
  cursor: Cursor;
}

/**
 * Several segments becoming one, in steps. Documents keep their order, and segments their places one after the other,
 * so that lists are not decoded but put together; only those of segments with dead documents are written anew.
 */
export class Merge {
  readonly sources: readonly Segment[];
  readonly level: number;
  readonly directory: string[] = [];
  readonly #sources: Source[];
  readonly #count: number;
  readonly #writer: BlockWriter;
  readonly #list = new ListWriter();
  /**
   * The sources that stand at the merged term, and how many: the array is reused, since emptying it would free its
   * memory.
   */
  readonly #at: Source[] = [];
  #standing = 0;
  #emitted: TermBlock[] = [];

  constructor(segments: readonly Segment[], level: number) {
    // A copy: segments written meanwhile are not part of this merge.
    this.sources = [...segments];
    this.level = level;
    let offset = 0;
    this.#sources = segments.map((segment) => {
      const dead = new Set(segment.dead);
      const source: Source = {
        segment,
        dead,
        offset,
        moved: dead.size > 0 ? moved(segment.count, dead, offset) : undefined,
        cursor: segment.cursor(),
      };
      offset += segment.count - dead.size;
      return source;
    });
    this.#count = offset;
    this.#writer = new BlockWriter((block) => {
      this.directory.push(block.first);
      this.#emitted.push(block);
    });
  }

  /** Goes on until `isTime`; answers the blocks that were finished, and whether all are. */
  step(isTime: () => boolean): { blocks: TermBlock[]; done: boolean } {
    let done = false;
    do {
      if (this.#least()) this.#merge();
      else done = true;
    } while (!done && !isTime());
    if (done) this.#writer.end();
    const blocks = this.#emitted;
    this.#emitted = [];
    return { blocks, done };
  }

  /** Finds those that stand at the least of the next terms; false at the end. */
  #least(): boolean {
    const least = this.#at;
    let count = 0;
    for (const source of this.#sources) {
      if (source.cursor.isOver) continue;
      const order = count === 0 ? 0 : source.cursor.compare(least[0]!.cursor);
      if (order < 0) count = 0;
      if (order <= 0) least[count++] = source;
    }
    this.#standing = count;
    return count > 0;
  }

  #merge(): void {
    const list = this.#list,
      { lists, termFrom, termTo } = this.#at[0]!.cursor;
    list.clear();
    for (let at = 0; at < this.#standing; at++) {
      const { cursor, moved: places, offset } = this.#at[at]!;
      if (places) appendLiving(list, cursor, places);
      else list.append(cursor, offset);
    }
    if (list.count > 0) this.#writer.add(lists, termFrom, termTo, list);
    for (let at = 0; at < this.#standing; at++) this.#at[at]!.cursor.next();
  }

  columns(): Columns {
    const columns = emptyColumns(this.#count),
      names = new NumberedNames();
    let to = 0;
    for (const { segment, dead } of this.#sources) {
      for (let from = 0; from < segment.count; from++)
        if (!dead.has(from)) copyDocument(segment.columns, from, columns, to++, names);
    }
    return { ...columns, names: names.list };
  }

  /** The places of documents that died while the merge went on. */
  deadSince(): number[] {
    return this.#sources.flatMap(({ segment, dead, offset, moved: places }) =>
      [...segment.dead].filter((place) => !dead.has(place)).map((place) => (places ? places[place]! : offset + place)),
    );
  }
}

function appendLiving(list: ListWriter, cursor: Cursor, places: Int32Array): void {
  eachPosting(cursor, (place, inTitle, inBody, from, to) => {
    if (places[place]! < 0) return;
    list.document(places[place]!, inTitle, inBody);
    list.positions.append(cursor.positions, from, to);
  });
}

function moved(count: number, dead: ReadonlySet<number>, offset: number): Int32Array {
  const places = new Int32Array(count);
  let to = offset;
  for (let from = 0; from < count; from++) places[from] = dead.has(from) ? -1 : to++;
  return places;
}
