import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync, type StatementSync } from "node:sqlite";
import { setImmediate as breathe } from "node:timers/promises";
import { analyseQuery, analyseText, ANALYSIS_VERSION, bodyOf } from "../../core/analysis.ts";
import { snippet } from "../../core/snippet.ts";
import type { Facets, SearchAnswer, SearchDocument, SearchHit, SearchIndex, SearchRequest } from "../../core/search.ts";
import { allOf, filters, formTokens, matchExpression, metaTokens, rankExpression, TOKEN_SIGNS } from "./fts-query.ts";
import { DAY_MS, HALF_LIFE_DAYS, RECENCY_BONUS, relevance, TITLE_WEIGHT } from "./ranking.ts";

const SCHEMA = 1;
/** Documents a chunk of a rebuild: small enough not to hold up anything else. */
const CHUNK = 50;

const create = (set: string): string => `
  create table if not exists docs_${set} (id integer primary key, rev integer not null, published integer not null, source_id integer not null, confidence real not null, doc text not null, body text not null) strict;
  create index if not exists docs_${set}_published on docs_${set} (published);
  create virtual table if not exists fts_${set} using fts5(title, titleforms, body, bodyforms, meta, content='', contentless_delete=1, tokenize="unicode61 remove_diacritics 0 tokenchars '${TOKEN_SIGNS}'");`;

interface Row { id: number; doc: string; body: string; score: number; published: number }
type Listed = Omit<SearchDocument, "text" | "rev">;

/** Full-text search in SQLite: FTS5 over tokens that our own analysis made, in a file of its own that can be rebuilt at any time. */
export class EmbeddedSearch implements SearchIndex {
  readonly kind = "embedded";
  readonly #file: string;
  #db: DatabaseSync | undefined;
  #live = "a";
  readonly #statements = new Map<string, StatementSync>();

  constructor(dataDir: string | ":memory:") {
    if (dataDir !== ":memory:") mkdirSync(dataDir, { recursive: true });
    this.#file = dataDir === ":memory:" ? ":memory:" : join(dataDir, "search.db");
  }

  #open(): DatabaseSync {
    if (this.#db) return this.#db;
    const db = new DatabaseSync(this.#file, { timeout: 5_000 });
    // NORMAL is enough: what a power cut takes from the index, the marks in the store bring back.
    db.exec("pragma journal_mode=wal; pragma synchronous=normal; pragma cache_size=-32768; pragma temp_store=memory; create table if not exists state (name text primary key, value text not null) strict");
    const version = `${SCHEMA}.${ANALYSIS_VERSION}`;
    const state = Object.fromEntries((db.prepare("select name, value from state").all() as { name: string; value: string }[]).map(({ name, value }) => [name, value]));
    if (state["version"] !== version) {
      for (const set of ["a", "b"]) db.exec(`drop table if exists docs_${set}; drop table if exists fts_${set}`);
      db.prepare("insert or replace into state values ('version', ?), ('live', 'a')").run(version);
    }
    this.#live = state["version"] === version ? state["live"]! : "a";
    db.exec(create(this.#live));
    return (this.#db = db);
  }

  #prepare(sql: string): StatementSync {
    const db = this.#open();
    let statement = this.#statements.get(sql);
    if (!statement) {
      if (this.#statements.size > 200) this.#statements.clear();
      this.#statements.set(sql, (statement = db.prepare(sql)));
    }
    return statement;
  }

  #transaction(work: () => void): void {
    const db = this.#open();
    db.exec("begin immediate");
    try {
      work();
      db.exec("commit");
    } catch (error) {
      db.exec("rollback");
      throw error;
    }
  }

  #write(set: string, document: SearchDocument): void {
    const before = this.#prepare(`select rev from docs_${set} where id = ?`).get(document.id) as { rev: number } | undefined;
    if (before && before.rev >= document.rev) return;
    const { text: _text, rev, ...listed } = document;
    const body = bodyOf(document);
    const title = analyseText(document.title), rest = analyseText(body);
    if (before) this.#prepare(`delete from fts_${set} where rowid = ?`).run(document.id);
    this.#prepare(`insert or replace into docs_${set} values (?, ?, ?, ?, ?, ?, ?)`).run(document.id, rev, Date.parse(document.publishedAt), document.sourceId, document.confidence, JSON.stringify(listed), body);
    this.#prepare(`insert into fts_${set}(rowid, title, titleforms, body, bodyforms, meta) values (?, ?, ?, ?, ?, ?)`)
      .run(document.id, title.tokens.join(" "), formTokens(title.forms), rest.tokens.join(" "), formTokens(rest.forms), metaTokens(document));
  }

  put(documents: readonly SearchDocument[]): Promise<void> {
    this.#open();
    this.#transaction(() => { for (const document of documents) this.#write(this.#live, document); });
    return Promise.resolve();
  }

  remove(ids: readonly number[]): Promise<void> {
    this.#open();
    this.#transaction(() => {
      for (const id of ids) {
        this.#prepare(`delete from fts_${this.#live} where rowid = ?`).run(id);
        this.#prepare(`delete from docs_${this.#live} where id = ?`).run(id);
      }
    });
    return Promise.resolve();
  }

  search(request: SearchRequest): Promise<SearchAnswer> {
    this.#open();
    const set = this.#live;
    const tree = analyseQuery(request.tree);
    const { match, minConfidence, sourceIds } = filters(request);
    const expression = allOf([matchExpression(tree), ...match]);
    const rank = rankExpression(tree);
    const where: string[] = [], values: (string | number)[] = [];
    if (request.from !== undefined) { where.push("d.published >= ?"); values.push(Date.parse(request.from)); }
    if (request.to !== undefined) { where.push("d.published <= ?"); values.push(Date.parse(request.to)); }
    if (minConfidence !== undefined) { where.push("d.confidence >= ?"); values.push(minConfidence); }
    if (sourceIds) { where.push("d.source_id in (select value from json_each(?))"); values.push(JSON.stringify(sourceIds)); }
    const narrowed = where.length ? ` and ${where.join(" and ")}` : "";
    const from = `from fts_${set} f join docs_${set} d on d.id = f.rowid where fts_${set} match ?${narrowed}`;
    const countSql = where.length ? `select count(*) n ${from}` : `select count(*) n from fts_${set} where fts_${set} match ?`;
    const { n: total } = this.#prepare(countSql).get(expression, ...values) as { n: number };
    if (total === 0) return Promise.resolve({ hits: [], total, ...(request.facets && { facets: { domain: {}, source: {}, month: {} } }) });
    const weights = `${TITLE_WEIGHT}, 0, 1, 0, 0`;
    const recency = `(1 + ${RECENCY_BONUS} * pow(0.5, abs(? - d.published) / ${HALF_LIFE_DAYS * DAY_MS}.0))`;
    // BM25 is computed over the ranking words alone; where none ranks, recency orders.
    const scored = rank === null
      ? `select d.id, d.doc, d.body, d.published, ${recency} score ${from} order by score desc, d.published desc, d.id desc limit ? offset ?`
      : rank === expression
        ? `select d.id, d.doc, d.body, d.published, (1 - bm25(fts_${set}, ${weights})) * ${recency} score ${from} order by score desc, d.published desc, d.id desc limit ? offset ?`
        : `with ranked as materialized (select rowid id, bm25(fts_${set}, ${weights}) bm from fts_${set} where fts_${set} match ?) select d.id, d.doc, d.body, d.published, (1 - coalesce(r.bm, 0)) * ${recency} score from fts_${set} f join docs_${set} d on d.id = f.rowid left join ranked r on r.id = f.rowid where fts_${set} match ?${narrowed} order by score desc, d.published desc, d.id desc limit ? offset ?`;
    const now = Date.parse(request.now);
    const args = rank === null || rank === expression ? [now, expression, ...values] : [rank, now, expression, ...values];
    const rows = this.#prepare(scored).all(...args, request.limit, request.offset ?? 0) as unknown as Row[];
    const hits = rows.map(({ doc, body, score }): SearchHit => {
      const listed = JSON.parse(doc) as Listed;
      return { ...listed, snippet: snippet({ title: listed.title, body, source: listed.source, domain: listed.domain }, tree), relevance: relevance(score) };
    });
    return Promise.resolve({ hits, total, ...(request.facets && { facets: this.#facets(from, [expression, ...values]) }) });
  }

  #facets(from: string, args: (string | number)[]): Facets {
    const by = (expression: string): Record<string, number> => Object.fromEntries((this.#prepare(`select ${expression} k, count(*) n ${from} group by 1 order by 2 desc`).all(...args) as { k: string; n: number }[]).map(({ k, n }) => [k, n]));
    return { domain: by("d.doc ->> '$.domain'"), source: by("d.doc ->> '$.source'"), month: by("strftime('%Y-%m', d.published / 1000, 'unixepoch')") };
  }

  async rebuild(documents: AsyncIterable<SearchDocument>): Promise<number> {
    const db = this.#open();
    const next = this.#live === "a" ? "b" : "a";
    db.exec(`drop table if exists docs_${next}; drop table if exists fts_${next}`);
    this.#statements.clear();
    db.exec(create(next));
    let chunk: SearchDocument[] = [];
    const flush = async (): Promise<void> => {
      this.#transaction(() => { for (const document of chunk) this.#write(next, document); });
      chunk = [];
      await breathe();
    };
    for await (const document of documents) {
      chunk.push(document);
      if (chunk.length >= CHUNK) await flush();
    }
    await flush();
    const last = this.#live;
    this.#transaction(() => { this.#prepare("insert or replace into state values ('live', ?)").run(next); });
    this.#live = next;
    this.#statements.clear();
    db.exec(`drop table if exists docs_${last}; drop table if exists fts_${last}`);
    return this.count();
  }

  outdated(): Promise<boolean> {
    return Promise.resolve(false);
  }

  count(): Promise<number> {
    this.#open();
    return Promise.resolve((this.#prepare(`select count(*) n from docs_${this.#live}`).get() as { n: number }).n);
  }

  ping(): Promise<void> {
    this.#open();
    this.#prepare("select 1").get();
    return Promise.resolve();
  }

  close(): Promise<void> {
    this.#statements.clear();
    this.#db?.close();
    this.#db = undefined;
    return Promise.resolve();
  }
}
