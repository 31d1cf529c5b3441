/**
 * One embedded index in one SQLite file: the tokens in a contentless FTS5 table, what articles are filtered by in a narrow table, what
 * is shown in a wide one. A rebuild makes a new generation beside the live one.
 */
import { DatabaseSync, type SQLInputValue, type StatementSync } from "node:sqlite";
import { ANALYSIS_VERSION, analyseText, bodyOf } from "../../core/analysis.ts";
import type { SearchDocument } from "../../core/search.ts";
import { keysOfDay, nextKeys, type KeyRange } from "./article-key.ts";
import { formTokens, metaTokens, TOKEN_SIGNS } from "./fts-query.ts";

/** The prefix index of three letters makes the broadest `word*` allowed as cheap as a word; longer ones read few terms. */
const SCHEMA = `
  create table if not exists meta (name text primary key, value integer not null) strict, without rowid;
  create table if not exists articles (
    key integer primary key, id integer not null unique, rev integer not null, published integer not null,
    confidence real not null, source_id integer not null, source text not null, domain text not null
  ) strict;
  create table if not exists contents (
    key integer primary key, title text not null, url text not null, summary text not null, text text not null,
    verified integer not null, published_at text not null, story_id text not null
  ) strict;
  create table if not exists removed (id integer primary key) strict;
  create virtual table if not exists words using fts5(
    title, body, meta, forms, titleforms, content='', contentless_delete=1, prefix='3', tokenize="ascii tokenchars '${TOKEN_SIGNS}'"
  );`;

/** FTS5 would merge segments inside a commit, for tens of milliseconds at times; here `mergeSome` does it in steps. */
const MERGING: readonly [name: string, value: number][] = [["automerge", 0], ["usermerge", 8], ["crisismerge", 512]];

interface Known { key: number; rev: number }
/** How durable a write is on return: "live" survives a kill, "draft" (a generation being built) need not. */
export type Mode = "live" | "draft";

export class Generation {
  readonly #db: DatabaseSync;
  readonly #statements = new Map<string, StatementSync>();
  /** First key of a day → the next key reserved in it, within one transaction. */
  readonly #reserved = new Map<number, number>();

  /** `path` may be ":memory:". Throws what SQLite throws where the file is no database. */
  constructor(path: string, mode: Mode) {
    this.#db = new DatabaseSync(path, { timeout: 5_000 });
    this.#db.exec("pragma journal_mode = wal; pragma cache_size = -16384; pragma mmap_size = 268435456; pragma temp_store = memory; pragma wal_autocheckpoint = 4000; pragma journal_size_limit = 16777216");
    this.setMode(mode);
    this.#db.exec(SCHEMA);
    if (this.row("select 1 from meta where name = 'created'")) return;
    this.transaction(() => {
      for (const [name, value] of MERGING) this.#db.exec(`insert into words (words, rank) values ('${name}', ${value})`);
      this.#run("insert or ignore into meta values ('created', 1)");
    });
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

  /** All or nothing. */
  transaction<T>(work: () => T): T {
    this.#db.exec("begin immediate");
    try {
      const result = work();
      this.#db.exec("commit");
      return result;
    } catch (error) {
      if (this.#db.isTransaction) this.#db.exec("rollback");
      throw error;
    }
  }

  /**
   * Announces what the transaction is about to put, newest first. FTS5 gathers rows in memory only while their keys rise: each step down
   * makes it write a segment out, so the articles of one day get keys in a row, in the order they will come.
   */
  reserve(documents: readonly SearchDocument[]): void {
    const days = new Map<number, { day: KeyRange; count: number }>();
    for (const { publishedAt } of documents) {
      const day = keysOfDay(Date.parse(publishedAt));
      const known = days.get(day.first);
      if (known) known.count++;
      else days.set(day.first, { day, count: 1 });
    }
    this.#reserved.clear();
    for (const { day, count } of days.values()) this.#reserved.set(day.first, this.#free(day, count));
  }

  #free(day: KeyRange, count: number): number {
    return nextKeys(day, (this.row("select min(key) from articles where key between ? and ?", day.first, day.last)![0] ?? null) as number | null, count);
  }

  /** A key that is free: the next of those reserved, or one before all of its day. */
  #key(day: KeyRange): number {
    const reserved = this.#reserved.get(day.first);
    if (reserved !== undefined && reserved <= day.last && !this.row("select 1 from articles where key = ?", reserved)) {
      this.#reserved.set(day.first, reserved + 1);
      return reserved;
    }
    return this.#free(day, 1);
  }

  /** Adds or replaces, unless a newer revision is there. `streamed`: from a rebuild's stream, which may be behind a removal. */
  put(document: SearchDocument, streamed = false): void {
    if (streamed) {
      if (this.row("select 1 from removed where id = ?", document.id)) return;
    } else {
      this.#run("delete from removed where id = ?", document.id);
    }
    const found = this.row("select key, rev from articles where id = ?", document.id);
    const known: Known | undefined = found && { key: found[0] as number, rev: found[1] as number };
    if (known && (streamed ? known.rev >= document.rev : known.rev > document.rev)) return;
    if (known) this.#erase(known.key);
    this.#insert(document, known?.key);
  }

  #insert(document: SearchDocument, previous: number | undefined): void {
    const published = Date.parse(document.publishedAt);
    const day = keysOfDay(published);
    const stays = previous !== undefined && previous >= day.first && previous <= day.last;
    const key = stays ? previous : this.#key(day);
    const { id, rev, confidence, sourceId, source, domain, title, url, summary, text, verified, publishedAt, storyId } = document;
    const heading = analyseText(title), body = analyseText(bodyOf(document));
    this.#run("insert into articles values (?, ?, ?, ?, ?, ?, ?, ?)", key, id, rev, published, confidence, sourceId, source, domain);
    this.#run("insert into contents values (?, ?, ?, ?, ?, ?, ?, ?)", key, title, url, summary, text, verified ? 1 : 0, publishedAt, storyId);
    this.#run(
      "insert into words (rowid, title, body, meta, forms, titleforms) values (?, ?, ?, ?, ?, ?)",
      key, heading.tokens.join(" "), body.tokens.join(" "), metaTokens(document),
      formTokens([...new Set([...body.forms, ...heading.forms])]), formTokens(heading.forms),
    );
  }

  /** Takes an article out and notes it, so that a stream that read it before does not bring it back. */
  remove(id: number, note: boolean): void {
    const found = this.row("select key from articles where id = ?", id);
    if (found) this.#erase(found[0] as number);
    if (note) this.#run("insert or ignore into removed values (?)", id);
  }

  #erase(key: number): void {
    this.#run("delete from words where rowid = ?", key);
    this.#run("delete from articles where key = ?", key);
    this.#run("delete from contents where key = ?", key);
  }

  count(): number { return this.row("select count(*) from articles")![0] as number; }

  /** Whether a whole build by this version of the analysis is behind it. */
  get complete(): boolean { return this.row("select value from meta where name = 'analysis'")?.[0] === ANALYSIS_VERSION; }
  markComplete(): void {
    this.#run("delete from removed");
    this.#run("insert or replace into meta values ('analysis', ?)", ANALYSIS_VERSION);
  }

  /**
   * Merges about `pages` pages of the term index, of levels that hold several segments, or (negative) of all into one from now on; false
   * where nothing is left to merge. Fewer segments make faster searches.
   */
  mergeSome(pages: number): boolean {
    const before = this.row("select total_changes()")![0] as number;
    this.#run("insert into words (words, rank) values ('merge', ?)", pages);
    // FTS5: a difference below two means that the merge command itself was all that changed.
    return (this.row("select total_changes()")![0] as number) - before >= 2;
  }

  ping(): void { this.row("select 1"); }
  close(): void {
    this.#statements.clear();
    this.#db.close();
  }
}
