/**
 * One embedded index in one SQLite file: inverted lists in segments (see postings/), and beside them what is shown of
 * each article. SQLite makes its writes whole, durable and seen by all processes; a segment is never changed once it is
 * written. A rebuild makes a new generation beside the live one.
 */
import { ANALYSIS_VERSION } from "../../core/text/words/analysis.ts";
import { BLOCKS_SCHEMA, BlockStore } from "./block-store.ts";
import { IndexFile } from "./index-file.ts";
import { packColumns, unpackColumns } from "./postings/columns.ts";
import { Merge } from "./postings/merge.ts";
import { Segment } from "./postings/segment.ts";
import type { PreparedDocuments } from "./prepared-documents.ts";
import { SHOWN_SCHEMA, ShownArticles } from "./hit-fields.ts";

/** Raised with every change of the file's form: a file of another layout is replaced. */
const LAYOUT = 4;
/** `dead`: places of segments whose article was replaced or removed. */
const SCHEMA = `
  create table if not exists meta (name text primary key, value integer not null) strict, without rowid;
  create table if not exists segments (id integer primary key, level integer not null, count integer not null, columns blob not null, names text not null, directory text not null) strict;
  create table if not exists dead (segment integer not null, place integer not null, primary key (segment, place)) strict, without rowid;
  insert or ignore into meta values ('puts', 0), ('segments', 0); ${BLOCKS_SCHEMA} ${SHOWN_SCHEMA}`;

/** This many segments of one level are merged into one of the next. */
const FAN = 8;

/** How durable a write is when it returns: "live" survives a kill, "draft" (a generation being built) need not. */
export type WriteMode = "live" | "draft";

export class Generation {
  readonly file: IndexFile;
  readonly shown: ShownArticles;
  readonly #blocks: BlockStore;
  /** In the order of their puts. Undefined where they must be read again. */
  #segments: Segment[] | undefined;
  /** Those that were read or written here, by id. */
  #known = new Map<number, Segment>();
  #version = -1;
  #mode: WriteMode;
  #merge: { id: number; work: Merge } | undefined;

  /** `path` may be ":memory:". Throws what SQLite throws where the file is no database, and OtherLayout. */
  constructor(path: string, mode: WriteMode) {
    this.file = new IndexFile(path, { schema: SCHEMA, layout: LAYOUT });
    this.shown = new ShownArticles(this.file);
    this.#blocks = new BlockStore(this.file);
    this.#mode = mode;
  }

  setMode(mode: WriteMode): void {
    this.#mode = mode;
  }

  /**
   * Runs work in a transaction. `lasting`: whether a live generation must survive a power cut with it; other writes
   * become durable with the next lasting one.
   */
  transaction<T>(work: () => T, lasting = true): T {
    try {
      this.file.setSynchronous(this.#mode === "draft" ? "off" : lasting ? "full" : "normal");
      return this.file.transaction(work);
    } catch (error) {
      // The rolled-back transaction may have changed these.
      this.#segments = undefined;
      this.#known.clear();
      this.#blocks.forget();
      this.#merge = undefined;
      throw error;
    }
  }

  /** The present segments; read again where another process wrote. */
  segments(): readonly Segment[] {
    const version = this.file.pragma("data_version");
    if (this.#segments && version === this.#version) return this.#segments;
    const segments = this.file
      .rows("select id from segments")
      .map(([id]) => this.#known.get(id as number) ?? this.#read(id as number));
    this.#known = new Map(segments.map((segment) => [segment.id, segment]));
    const dead = new Map<number, Set<number>>();
    for (const [segment, place] of this.file.rows("select segment, place from dead") as [number, number][]) {
      const places = dead.get(segment);
      if (places) places.add(place);
      else dead.set(segment, new Set([place]));
    }
    for (const segment of segments) segment.dead = dead.get(segment.id) ?? new Set();
    this.#version = version;
    return (this.#segments = segments.sort((one, other) => one.columns.put[0]! - other.columns.put[0]!));
  }

  #read(id: number): Segment {
    const [level, count, columns, names, directory] = this.file.row(
      "select level, count, columns, names, directory from segments where id = ?",
      id,
    ) as [number, number, Uint8Array, string, string];
    return new Segment(
      id,
      level,
      unpackColumns(columns, count, JSON.parse(names) as string[]),
      JSON.parse(directory) as string[],
      this.#blocks,
    );
  }

  /** Raises a counter; answers its former value. */
  #count(name: "puts" | "segments", by: number): number {
    return (
      (this.file.row("update meta set value = value + ? where name = ? returning value", by, name)![0] as number) - by
    );
  }

  /**
   * Adds or replaces documents, except where a newer revision is there. `streamed`: from a rebuild's stream, which may
   * be older than a removal. Runs inside a transaction.
   */
  write({ gathering: { documents }, columns, blocks }: PreparedDocuments, streamed = false): void {
    const segments = this.segments() as Segment[];
    const first = this.#count("puts", documents.length);
    const dead = new Set<number>();
    for (const [place, document] of documents.entries()) {
      const known = this.shown.takes(document, streamed);
      if (known === false) dead.add(place);
      else if (known !== undefined && known >= first) dead.add(known - first);
      else if (known !== undefined) this.#bury(segments, known);
      if (known !== false) this.shown.write(document, first + place);
    }
    if (dead.size === documents.length) return;
    const own = { ...columns, put: Float64Array.from(documents, (_, place) => first + place) };
    const segment = new Segment(
      this.#count("segments", 1) + 1,
      0,
      own,
      blocks.map((block) => block.first),
      this.#blocks,
    );
    this.#store(segment, dead);
    this.#blocks.write(segment.id, 0, blocks);
    this.#known.set(segment.id, segment);
    segments.push(segment);
  }

  /** Marks the article's former state, written by that put, as dead. */
  #bury(segments: readonly Segment[], put: number): void {
    for (const segment of segments) {
      const place = segment.placeOf(put);
      if (place >= 0) return this.#die(segment, place);
    }
  }

  #die(segment: Segment, place: number): void {
    this.file.run("insert or ignore into dead values (?, ?)", segment.id, place);
    (segment.dead as Set<number>).add(place);
  }

  #store(segment: Segment, dead: Iterable<number>): void {
    const { id, level, columns, directory, count } = segment;
    this.file.run(
      "insert into segments values (?, ?, ?, ?, ?, ?)",
      id,
      level,
      count,
      packColumns(columns),
      JSON.stringify(columns.names),
      JSON.stringify(directory),
    );
    for (const place of dead) this.#die(segment, place);
  }

  /**
   * Removes an article and records that, so that a stream that read it before does not restore it. Runs inside a
   * transaction.
   */
  remove(id: number, note: boolean): void {
    const put = this.shown.remove(id);
    if (put !== undefined) this.#bury(this.segments(), put);
    if (note) this.shown.noteRemoved(id);
  }

  count(): number {
    return this.segments().reduce((sum, { living }) => sum + living, 0);
  }

  /** Whether it was built completely by this version of the analysis. */
  get complete(): boolean {
    return this.file.row("select value from meta where name = 'analysis'")?.[0] === ANALYSIS_VERSION;
  }
  markComplete(): void {
    this.shown.forgetRemoved();
    this.file.run("insert or replace into meta values ('analysis', ?)", ANALYSIS_VERSION);
  }

  /**
   * Merges segments until `isTime`, in one transaction; false where nothing is left to do. `whole`: all into one, else
   * those of a full level, and those that are mostly dead. Fewer segments make faster searches. A lost merge is
   * repeated.
   */
  mergeSome(isTime: () => boolean, whole = false): boolean {
    const isLittered = !this.#merge && this.#blocks.isLittered;
    const chosen = this.#merge || isLittered ? undefined : this.#choice(whole);
    if (!this.#merge && !chosen && !isLittered) return false;
    return this.transaction(() => {
      if (chosen) this.#begin(chosen);
      if (this.#merge) this.#step(this.#merge, isTime);
      else this.#blocks.clear(isTime);
      return true;
    }, false);
  }

  #choice(whole: boolean): Merge | undefined {
    const segments = this.segments();
    const highest = Math.max(0, ...segments.map(({ level }) => level));
    if (whole && (segments.length > 1 || segments.some(({ dead }) => dead.size > 0)))
      return new Merge(segments, highest);
    const faded = segments.find(({ count, dead }) => 2 * dead.size > count);
    if (faded) return new Merge([faded], faded.level);
    for (let level = 0; level <= highest; level++) {
      const full = segments.filter((segment) => segment.level === level);
      if (full.length >= FAN) return new Merge(full, level + 1);
    }
    return undefined;
  }

  /** Until it is complete the new segment is garbage, which a restart after a kill removes. */
  #begin(work: Merge): void {
    this.#merge = { id: this.#count("segments", 1) + 1, work };
    this.#blocks.discard([this.#merge.id]);
  }

  #step({ id, work }: { id: number; work: Merge }, isTime: () => boolean): void {
    const from = work.directory.length;
    const { blocks, done } = work.step(isTime);
    this.#blocks.write(id, from, blocks);
    if (!done) return;
    this.#merge = undefined;
    const ids = work.sources.map((source) => source.id),
      sources = JSON.stringify(ids);
    const there = this.file.row(
      "select count(*) from segments where id in (select value from json_each(?))",
      sources,
    )![0] as number;
    // Another process was faster: what was made here is already marked as garbage.
    if (there !== work.sources.length || this.#blocks.count(id) !== work.directory.length) return;
    const columns = work.columns();
    if (columns.id.length > 0) {
      const segment = new Segment(id, work.level, columns, work.directory, this.#blocks);
      this.#store(segment, work.deadSince());
      this.#known.set(id, segment);
      this.#blocks.settle(id);
    }
    this.file.run("delete from segments where id in (select value from json_each(?))", sources);
    this.file.run("delete from dead where segment in (select value from json_each(?))", sources);
    this.#blocks.discard(ids);
    this.#segments = undefined;
  }

  ping(): void {
    this.file.row("select 1");
  }
  close(): void {
    this.#merge = undefined;
    this.file.close();
  }
}
