/** Answers a search request from one generation of the embedded index. */
import type { SQLInputValue } from "node:sqlite";
import { analyseQuery, bodyOf, type Analysed } from "../../core/analysis.ts";
import { TOTAL_BOUND, type Facets, type SearchAnswer, type SearchHit, type SearchRequest } from "../../core/search.ts";
import { snippet } from "../../core/snippet.ts";
import { dayOfKey, monthOfKey, periodKeys } from "./article-key.ts";
import { allOf, filters, matchExpression, rankExpression, titleExpression } from "./fts-query.ts";
import type { Generation } from "./generation.ts";
import { DAY_MS, relevance, score, TITLE_WEIGHT } from "./ranking.ts";

/**
 * Where more articles match, BM25 is computed for this many of the newest and half as many of the newest that hold the words in their
 * title; the rest follow by day. It bounds what a very common word costs.
 */
export const RANKED_AT_MOST = 1_000;
const TITLE_CANDIDATES = RANKED_AT_MOST / 2;
/** FTS5's bm25() is negative and keeps the factor k1 + 1 = 2.2 that Lucene drops. */
const BM25 = `bm25(words, ${TITLE_WEIGHT}.0, 1.0, 0.0, 0.0, 0.0) / -2.2`;

interface Selection {
  match: string;
  where: string;
  params: SQLInputValue[];
  /** Whether the match alone decides: no condition on rows beside it. */
  plain: boolean;
}
interface Scored { key: number; score: number }

/** The rows that a request may answer with: a MATCH expression, conditions on keys, and what must be looked up row by row. */
function selection(request: SearchRequest, tree: Analysed): Selection {
  const found = filters(request);
  const milliseconds = (time: string | undefined) => (time === undefined ? undefined : Date.parse(time));
  const from = milliseconds(request.from), to = milliseconds(request.to);
  const { range, sure } = periodKeys(from, to);
  const looked: string[] = [];
  const lookedUp: SQLInputValue[] = [];
  if (found.minConfidence !== undefined) { looked.push("a.confidence >= ?"); lookedUp.push(found.minConfidence); }
  if (found.sourceIds) { looked.push("a.source_id in (select value from json_each(?))"); lookedUp.push(JSON.stringify(found.sourceIds)); }
  const row = "exists (select 1 from articles a where a.key = words.rowid and";
  let where = "words match ? and rowid between ? and ?";
  const params: SQLInputValue[] = [range.first, range.last];
  if (sure) {
    where += ` and (rowid between ? and ? or ${row} a.published between ? and ?))`;
    params.push(sure.first, sure.last, from ?? Number.MIN_SAFE_INTEGER, to ?? Number.MAX_SAFE_INTEGER);
  }
  if (looked.length > 0) {
    where += ` and ${row} ${looked.join(" and ")})`;
    params.push(...lookedUp);
  }
  return { match: allOf([matchExpression(tree), ...found.match]), where, params, plain: !sure && looked.length === 0 };
}

class Search {
  readonly #index: Generation;
  readonly #request: SearchRequest;
  readonly #tree: Analysed;
  readonly #selection: Selection;
  readonly #today: number;
  /** What BM25 is computed over, and the values known so far, by key. */
  readonly #ranked: string | null;
  readonly #bm25 = new Map<number, number>();

  constructor(index: Generation, request: SearchRequest) {
    this.#index = index;
    this.#request = request;
    this.#tree = analyseQuery(request.tree);
    this.#selection = selection(request, this.#tree);
    this.#ranked = rankExpression(this.#tree);
    this.#today = Math.floor(Date.parse(request.now) / DAY_MS);
  }

  /** Matching keys in ascending order, newest day first. */
  #keys(limit: number, match = this.#selection.match): number[] {
    const { where, params } = this.#selection;
    return this.#index.rows(`select rowid from words where ${where} order by rowid limit ?`, match, ...params, limit).map((row) => row[0] as number);
  }

  #total(known: number): number {
    if (known < RANKED_AT_MOST) return known;
    const { match, where, params } = this.#selection;
    return this.#index.row(`select count(*) from (select 1 from words where ${where} limit ?)`, match, ...params, TOTAL_BOUND)![0] as number;
  }

  #age(key: number): number { return this.#today - dayOfKey(key); }

  /** The newest matches; with their BM25 in the same pass where the ranked words are all that was asked for. */
  #newest(): number[] {
    const { match, where, params, plain } = this.#selection;
    if (!plain || match !== this.#ranked) return this.#keys(RANKED_AT_MOST);
    const rows = this.#index.rows(`select rowid, ${BM25} from words where ${where} order by rowid limit ?`, match, ...params, RANKED_AT_MOST) as [number, number][];
    for (const [key, bm25] of rows) this.#bm25.set(key, bm25);
    return rows.map(([key]) => key);
  }

  /**
   * BM25 of candidates that have none yet; those that hold none of the ranked words stay without. The match finds more than the
   * candidates; the plus keeps SQLite from running it once a key.
   */
  #rank(candidates: readonly number[]): void {
    const keys = candidates.filter((key) => !this.#bm25.has(key));
    if (!this.#ranked || keys.length === 0) return;
    const sql = `select rowid, ${BM25} from words where words match ? and rowid between ? and ? and +rowid in (select value from json_each(?))`;
    for (const [key, bm25] of this.#index.rows(sql, this.#ranked, keys[0]!, keys.at(-1)!, JSON.stringify(keys)) as [number, number][]) this.#bm25.set(key, bm25);
  }

  #candidates(newest: number[]): number[] {
    const title = newest.length < RANKED_AT_MOST ? null : titleExpression(this.#tree);
    if (!title) return newest;
    const titled = this.#keys(TITLE_CANDIDATES, allOf([this.#selection.match, title]));
    const last = newest.at(-1)!;
    return newest.concat(titled.filter((key) => key > last));
  }

  /** The candidates best first; equal scores in order of key. */
  #scored(candidates: readonly number[]): Scored[] {
    this.#rank(candidates);
    return candidates
      .map((key) => ({ key, score: score(this.#bm25.get(key) ?? 0, this.#age(key)) }))
      .sort((one, other) => other.score - one.score || one.key - other.key);
  }

  /** One page of the candidates. Equal scores are put in order of time and id, for which all that tie with a row of the page are read. */
  #page(scored: readonly Scored[], offset: number, limit: number): Scored[] {
    const first = scored[offset]?.score, last = scored[Math.min(offset + limit, scored.length) - 1]?.score;
    if (first === undefined || last === undefined || limit === 0) return [];
    const from = scored.findIndex((one) => one.score === first);
    let to = offset;
    while (to < scored.length && scored[to]!.score >= last) to++;
    const tied = scored.slice(from, to);
    if (tied.every((one, at) => at === 0 || one.score !== tied[at - 1]!.score)) return tied.slice(offset - from, offset - from + limit);
    const sql = "select published, id from articles where key = ?";
    const placed = tied.map((one) => {
      const [published, id] = this.#index.row(sql, one.key) as [number, number];
      return { ...one, published, id };
    });
    placed.sort((one, other) => other.score - one.score || other.published - one.published || other.id - one.id);
    return placed.slice(offset - from, offset - from + limit);
  }

  /** What comes after the candidates, by day; never scored above the last of them. */
  #tail(scored: readonly Scored[], newest: readonly number[], offset: number, limit: number): Scored[] {
    const candidates = new Set(scored.map((one) => one.key));
    const bound = scored.at(-1)!.score;
    const wanted = Math.max(0, offset - scored.length) + limit - Math.max(0, scored.length - offset);
    if (wanted <= 0) return [];
    return this.#keys(newest.length + (candidates.size - newest.length) + wanted)
      .filter((key) => !candidates.has(key))
      .slice(Math.max(0, offset - scored.length), wanted)
      .map((key) => ({ key, score: Math.min(bound, score(0, this.#age(key))) }));
  }

  #hit({ key, score: scored }: Scored): SearchHit {
    const sql = `select a.id, a.source_id, a.source, a.domain, a.confidence, c.title, c.url, c.summary, c.text, c.verified, c.published_at, c.story_id
      from articles a join contents c using (key) where key = ?`;
    const [id, sourceId, source, domain, confidence, title, url, summary, text, verified, publishedAt, storyId] =
      this.#index.row(sql, key) as [number, number, string, string, number, string, string, string, string, number, string, string];
    const shown = snippet({ title, source, domain, body: bodyOf({ text, summary }) }, this.#tree);
    return { id, title, summary, url, sourceId, source, domain, confidence, verified: verified === 1, publishedAt, storyId, snippet: shown, relevance: relevance(scored) };
  }

  #facets(newest: readonly number[]): Facets {
    const keys = newest.length < RANKED_AT_MOST ? newest : this.#keys(TOTAL_BOUND);
    const facets: Facets = { domain: {}, source: {}, month: {} };
    const add = (counts: Record<string, number>, name: string, count: number) => { counts[name] = (counts[name] ?? 0) + count; };
    for (const key of keys) add(facets.month, monthOfKey(key), 1);
    const sql = "select domain, source, count(*) from articles where key in (select value from json_each(?)) group by 1, 2";
    for (const [domain, source, count] of this.#index.rows(sql, JSON.stringify(keys)) as [string, string, number][]) {
      add(facets.domain, domain, count);
      add(facets.source, source, count);
    }
    return facets;
  }

  answer(): SearchAnswer {
    const offset = Math.min(this.#request.offset ?? 0, TOTAL_BOUND);
    const limit = Math.min(this.#request.limit, TOTAL_BOUND - offset);
    const newest = this.#newest();
    const total = this.#total(newest.length);
    const scored = this.#scored(this.#candidates(newest));
    const page = this.#page(scored, offset, limit);
    const rest = total > scored.length ? this.#tail(scored, newest, offset, limit) : [];
    const hits = [...page, ...rest].map((one) => this.#hit(one));
    return { hits, total, ...(this.#request.facets && { facets: this.#facets(newest) }) };
  }
}

/** The hits of one page, best first, with their snippets. Synchronous: a search is one to a few milliseconds of SQLite. */
export const searchGeneration = (index: Generation, request: SearchRequest): SearchAnswer => new Search(index, request).answer();
