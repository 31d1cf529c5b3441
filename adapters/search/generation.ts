/**
 * One embedded index in one SQLite file: inverted lists in segments (see postings/), and beside them what is shown of each article. SQLite
 * makes its writes whole, durable and seen by all processes; a segment is never changed once it is written. A rebuild makes a new generation
 * beside the live one.
 */
import { DatabaseSync, type SQLInputValue, type StatementSync } from "node:sqlite";
import { ANALYSIS_VERSION } from "../../core/analysis.ts";
import type { Block } from "./postings/blocks.ts";
import { packed, unpacked, type Columns } from "./postings/columns.ts";
import type { Gathering } from "./postings/gathering.ts";
import { Merge } from "./postings/merge.ts";
import { Segment, type BlockSource } from "./postings/segment.ts";

/** Raised whenever what is in the file changes its form: a file of another one is replaced. */
const LAYOUT = 2;
/** `dead`: places of segments whose article was replaced or removed. `garbage`: segments whose blocks are to go, or are not whole yet. */
const SCHEMA = `
  create table if not exists meta (name text primary key, value integer not null) strict, without rowid;
  create table if not exists segments (id integer primary key, level integer not null, count integer not null, columns blob not null, names text not null, directory text not null) strict;
  create table if not exists blocks (key integer primary key, positions blob not null, lists blob not null) strict;
  create table if not exists dead (segment integer not null, place integer not null, primary key (segment, place)) strict, without rowid;
  create table if not exists garbage (segment integer primary key) strict;
  create table if not exists articles (
    id integer primary key, put integer not null, rev integer not null, title text not null, url text not null, summary text not null, source text not null,
    verified integer not null, published_at text not null, story_id text not null, text text not null
  ) strict;
  create table if not exists removed (id integer primary key) strict;
  insert or ignore into meta values ('puts', 0), ('segments', 0);`;

/** Blocks a segment can have. */
const MOST_BLOCKS = 2 ** 20;
/** So many segments of one level become one of the next. */
const FAN = 8;
/** Blocks deleted between two looks at the clock. */
const GARBAGE = 32;
/** Blocks of lists kept in memory: so many, none larger than so many bytes. */
const MOST_KEPT = 1_500, LARGEST_KEPT = 16_384;

/** How durable a write is on return: "live" survives a kill, "draft" (a generation being built) need not. */
export type Mode = "live" | "draft";

/** The file is of another layout. */
export class OtherLayout extends Error {}

/** Documents ready to be written. */
export interface Prepared { gathering: Gathering; columns: Columns; blocks: readonly Block[] }

export class Generation implements BlockSource {
  readonly #db: DatabaseSync;
  readonly #statements = new Map<string, StatementSync>();
  /** In the order of their puts. Undefined where it must be read (again) which there are. */
  #segments: Segment[] | undefined;
  /** Those that were read or written here, by id. */
  #known = new Map<number, Segment>();
  readonly #kept = new Map<number, Uint8Array>();
  #version = -1;
  #merge: { id: number; work: Merge } | undefined;

  /** `path` may be ":memory:". Throws what SQLite throws where the file is no database, and OtherLayout. */
  constructor(path: string, mode: Mode) {
    this.#db = new DatabaseSync(path, { timeout: 5_000 });
    try {
      this.#db.exec("pragma journal_mode = wal; pragma cache_size = -16384; pragma mmap_size = 268435456; pragma temp_store = memory; pragma wal_autocheckpoint = 4000; pragma journal_size_limit = 16777216");
      this.setMode(mode);
      const isNew = this.row("select 1 from sqlite_schema limit 1") === undefined;
      if (!isNew && this.#pragma("user_version") !== LAYOUT) throw new OtherLayout(`${path} is of another layout.`);
      this.#db.exec(`${SCHEMA}; pragma user_version = ${LAYOUT}`);
    } catch (error) {
      this.close();
      throw error;
    }
  }

  setMode(mode: Mode): void { this.#db.exec(`pragma synchronous = ${mode === "live" ? "full" : "off"}`); }

  /** Rows of a query, each an array of its columns. The text must be made of constants: statements are kept by it. */
  rows(sql: string, ...params: SQLInputValue[]): SQLInputValue[][] {
    return this.#statement(sql).all(...params) as unknown as SQLInputValue[][];
  }
  row(sql: string, ...params: SQLInputValue[]): SQLInputValue[] | undefined {
    return this.#statement(sql).get(...params) as unknown as SQLInputValue[] | undefined;
  }

  #statement(sql: string): StatementSync {
    let statement = this.#statements.get(sql);
    if (!statement) {
      statement = this.#db.prepare(sql);
      statement.setReturnArrays(true);
      this.#statements.set(sql, statement);
    }
    return statement;
  }

  #run(sql: string, ...params: SQLInputValue[]): number { return Number(this.#statement(sql).run(...params).changes); }
  #pragma(name: string): number { return this.row(`pragma ${name}`)![0] as number; }

  /** All or nothing. */
  transaction<T>(work: () => T): T {
    this.#db.exec("begin immediate");
    try {
      const result = work();
      this.#db.exec("commit");
      return result;
    } catch (error) {
      if (this.#db.isTransaction) this.#db.exec("rollback");
      // What was noted of the transaction did not come to be.
      this.#segments = undefined;
      this.#known.clear();
      this.#kept.clear();
      this.#merge = undefined;
      throw error;
    }
  }

  /** Those asked for last are kept: the rare words of one search lie in few blocks, and many searches ask for the same. */
  lists(segment: number, block: number): Uint8Array {
    const key = segment * MOST_BLOCKS + block, kept = this.#kept.get(key);
    const lists = kept ?? this.#part("select lists from blocks where key = ?", segment, block);
    if (lists.length > LARGEST_KEPT) return lists;
    if (kept) this.#kept.delete(key);
    else if (this.#kept.size >= MOST_KEPT) this.#kept.delete(this.#kept.keys().next().value!);
    this.#kept.set(key, lists);
    return lists;
  }
  positions(segment: number, block: number): Uint8Array { return this.#part("select positions from blocks where key = ?", segment, block); }
  #part(sql: string, segment: number, block: number): Uint8Array {
    const row = this.row(sql, segment * MOST_BLOCKS + block);
    if (!row) throw new Error(`The search index lacks block ${block} of segment ${segment}.`);
    return row[0] as Uint8Array;
  }

  /** The segments as they are now; read anew where another process wrote. */
  segments(): readonly Segment[] {
    const version = this.#pragma("data_version");
    if (this.#segments && version === this.#version) return this.#segments;
    const segments = this.rows("select id from segments").map(([id]) => this.#known.get(id as number) ?? this.#read(id as number));
    this.#known = new Map(segments.map((segment) => [segment.id, segment]));
    const dead = new Map<number, Set<number>>();
    for (const [segment, place] of this.rows("select segment, place from dead") as [number, number][]) {
      const places = dead.get(segment);
      if (places) places.add(place);
      else dead.set(segment, new Set([place]));
    }
    for (const segment of segments) segment.dead = dead.get(segment.id) ?? new Set();
    this.#version = version;
    return (this.#segments = segments.sort((one, other) => one.columns.put[0]! - other.columns.put[0]!));
  }

  #read(id: number): Segment {
    const [level, count, columns, names, directory] = this.row("select level, count, columns, names, directory from segments where id = ?", id) as [number, number, Uint8Array, string, string];
    return new Segment(id, level, unpacked(columns, count, JSON.parse(names) as string[]), JSON.parse(directory) as string[], this);
  }

  /** Raises a counter; answers what it was. */
  #count(name: "puts" | "segments", by: number): number {
    return (this.row("update meta set value = value + ? where name = ? returning value", by, name)![0] as number) - by;
  }

  /**
   * Adds or replaces documents, but for those of which a newer revision is there. `streamed`: from a rebuild's stream, which may be behind
   * a removal. Runs inside of a transaction.
   */
  write({ gathering: { documents }, columns, blocks }: Prepared, streamed = false): void {
    const segments = this.segments() as Segment[];
    const first = this.#count("puts", documents.length);
    const dead = new Set<number>();
    for (const [place, document] of documents.entries()) {
      const known = this.#takes(document, streamed);
      if (known === false) dead.add(place);
      else if (known !== undefined && known >= first) dead.add(known - first);
      else if (known !== undefined) this.#bury(segments, known);
      if (known !== false) this.#show(document, first + place);
    }
    if (dead.size === documents.length) return;
    const own = { ...columns, put: Float64Array.from(documents, (_, place) => first + place) };
    const segment = new Segment(this.#count("segments", 1) + 1, 0, own, blocks.map((block) => block.first), this);
    this.#store(segment, dead);
    this.#keep(segment.id, 0, blocks);
    this.#known.set(segment.id, segment);
    segments.push(segment);
  }

  /** False where the document is not to be taken; else the put that it replaces, if any. */
  #takes({ id, rev }: { id: number; rev: number }, streamed: boolean): number | undefined | false {
    if (streamed && this.row("select 1 from removed where id = ?", id)) return false;
    if (!streamed) this.#run("delete from removed where id = ?", id);
    const [put, known] = (this.row("select put, rev from articles where id = ?", id) ?? []) as [number?, number?];
    return known !== undefined && (streamed ? known >= rev : known > rev) ? false : put;
  }

  #show({ id, rev, title, url, summary, source, text, verified, publishedAt, storyId }: Gathering["documents"][number], put: number): void {
    this.#run("insert or replace into articles values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)", id, put, rev, title, url, summary, source, verified ? 1 : 0, publishedAt, storyId, text);
  }

  /** Marks the state of an article that was put then as gone. */
  #bury(segments: readonly Segment[], put: number): void {
    for (const segment of segments) {
      const place = segment.placeOf(put);
      if (place >= 0) return this.#die(segment, place);
    }
  }

  #die(segment: Segment, place: number): void {
    this.#run("insert or ignore into dead values (?, ?)", segment.id, place);
    (segment.dead as Set<number>).add(place);
  }

  #store(segment: Segment, dead: Iterable<number>): void {
    const { id, level, columns, directory, count } = segment;
    this.#run("insert into segments values (?, ?, ?, ?, ?, ?)", id, level, count, packed(columns), JSON.stringify(columns.names), JSON.stringify(directory));
    for (const place of dead) this.#die(segment, place);
  }

  #keep(segment: number, from: number, blocks: readonly Block[]): void {
    for (const [at, { lists, positions }] of blocks.entries()) this.#run("insert into blocks values (?, ?, ?)", segment * MOST_BLOCKS + from + at, positions, lists);
  }

  /** Takes an article out and notes it, so that a stream that read it before does not bring it back. Runs inside of a transaction. */
  remove(id: number, note: boolean): void {
    const found = this.row("delete from articles where id = ? returning put", id);
    if (found) this.#bury(this.segments(), found[0] as number);
    if (note) this.#run("insert or ignore into removed values (?)", id);
  }

  count(): number { return this.segments().reduce((sum, { living }) => sum + living, 0); }

  /** Whether a whole build by this version of the analysis is behind it. */
  get complete(): boolean { return this.row("select value from meta where name = 'analysis'")?.[0] === ANALYSIS_VERSION; }
  markComplete(): void {
    this.#run("delete from removed");
    this.#run("insert or replace into meta values ('analysis', ?)", ANALYSIS_VERSION);
  }

  /**
   * Merges segments until `isTime`, in one transaction; false where nothing is left to do. `whole`: all into one, else those of a level
   * that has many, and those that are mostly dead. Fewer segments make faster searches.
   */
  mergeSome(isTime: () => boolean, whole = false): boolean {
    const isLittered = !this.#merge && this.row("select 1 from garbage limit 1") !== undefined;
    const chosen = this.#merge || isLittered ? undefined : this.#choice(whole);
    if (!this.#merge && !chosen && !isLittered) return false;
    return this.transaction(() => {
      if (chosen) this.#begin(chosen);
      if (this.#merge) this.#step(this.#merge, isTime);
      else this.#clear(isTime);
      return true;
    });
  }

  #choice(whole: boolean): Merge | undefined {
    const segments = this.segments();
    const highest = Math.max(0, ...segments.map(({ level }) => level));
    if (whole && (segments.length > 1 || segments.some(({ dead }) => dead.size > 0))) return new Merge(segments, highest);
    const faded = segments.find(({ count, dead }) => 2 * dead.size > count);
    if (faded) return new Merge([faded], faded.level);
    for (let level = 0; level <= highest; level++) {
      const full = segments.filter((segment) => segment.level === level);
      if (full.length >= FAN) return new Merge(full, level + 1);
    }
    return undefined;
  }

  /** Until it is whole the new segment is garbage: a kill leaves nothing behind that is not cleared away. */
  #begin(work: Merge): void {
    this.#merge = { id: this.#count("segments", 1) + 1, work };
    this.#run("insert into garbage values (?)", this.#merge.id);
  }

  #step({ id, work }: { id: number; work: Merge }, isTime: () => boolean): void {
    const from = work.directory.length;
    const { blocks, done } = work.step(isTime);
    this.#keep(id, from, blocks);
    if (!done) return;
    this.#merge = undefined;
    const sources = JSON.stringify(work.sources.map((source) => source.id));
    const there = this.row("select count(*) from segments where id in (select value from json_each(?))", sources)![0] as number;
    const kept = this.row("select count(*) from blocks where key between ? and ?", id * MOST_BLOCKS, (id + 1) * MOST_BLOCKS - 1)![0] as number;
    // Another process was faster: what was made here is garbage, as it is noted already.
    if (there !== work.sources.length || kept !== work.directory.length) return;
    const columns = work.columns();
    if (columns.id.length > 0) {
      const segment = new Segment(id, work.level, columns, work.directory, this);
      this.#store(segment, work.deadSince());
      this.#known.set(id, segment);
      this.#run("delete from garbage where segment = ?", id);
    }
    this.#run("delete from segments where id in (select value from json_each(?))", sources);
    this.#run("delete from dead where segment in (select value from json_each(?))", sources);
    this.#run("insert into garbage select value from json_each(?)", sources);
    this.#segments = undefined;
  }

  #clear(isTime: () => boolean): void {
    do {
      const [segment] = this.row("select segment from garbage limit 1") ?? [];
      if (segment === undefined) return;
      const from = (segment as number) * MOST_BLOCKS;
      const gone = this.#run("delete from blocks where key in (select key from blocks where key between ? and ? limit ?)", from, from + MOST_BLOCKS - 1, GARBAGE);
      if (gone < GARBAGE) this.#run("delete from garbage where segment = ?", segment);
    } while (!isTime());
  }

  ping(): void { this.row("select 1"); }
  close(): void {
    this.#statements.clear();
    this.#merge = undefined;
    this.#db.close();
  }
}
