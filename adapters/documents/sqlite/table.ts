import { v7 as uuid } from "uuid";
import type { Doc, Index, Key, Query, Update } from "../../../core/records/documents.ts";
import type { SortField } from "../paths.ts";
import { apply, seed } from "../updates.ts";
import { assertKey } from "../values.ts";
import { column } from "./query/columns.ts";
import { TableRows } from "./table-rows.ts";
import type { Connection } from "./connection.ts";
import type { Fields, Role } from "./index/fields.ts";
import { onlyRemoved, pushedOut, without } from "./in-place.ts";
import { definitions, roles } from "./index/indexes.ts";
import { Lists } from "./index/lists.ts";
import { Survey, type Finding, type Steps } from "./index/survey.ts";
import type { ShapedQuery } from "./query/shapes.ts";
import type { Knowledge } from "./query/narrowing.ts";
import { bind, limited, quoted, sql, type Sql } from "./query/sql.ts";
import { TableQueries, type Compiled } from "./query/table-queries.ts";
import { StatementTexts, type Row, type Statements } from "./statements.ts";

/** The most rows read to assemble a page from the first rows of several values. */
const MOST_SPREAD = 20_000;
/** From so many documents on, a collection gets columns and indexes in slices. */
const MANY = 1_000;

/** A row: the document stays text until it is needed, since a change also needs its former state. */
export interface StoredRow {
  n: number;
  text: string;
}

/**
 * A collection's table (n, id, doc): id keeps its type, doc is JSONB. Queries and updates must be checked; writes run
 * inside a transaction of the group commit.
 */
export class Table {
  readonly name: string;
  readonly #table: string;
  /** Assembled once: a new string would be hashed each time its statement is looked up. */
  readonly #byId: string;
  readonly #texts = new StatementTexts();
  readonly #rows: TableRows;
  readonly #connection: Connection;
  readonly #statements: Statements;
  readonly #fields: Fields;
  readonly #lists: Lists;
  readonly queries: TableQueries;
  #writes = 0;

  constructor(name: string, connection: Connection) {
    this.name = name;
    const table = quoted(name);
    this.#table = table;
    this.#byId = `select json(doc) from ${table} where id = ?`;
    this.#connection = connection;
    this.#statements = connection.statements;
    this.#fields = connection.fieldsOf(name);
    this.#rows = new TableRows(table, this.#fields, this.#statements);
    this.#lists = new Lists(name, this.#statements, this.#fields.known, () => `${this.#writes} ${connection.stamp()}`);
    this.queries = new TableQueries(name, connection, this.#lists);
  }

  /** What must still be created: the table itself, or missing or changed indexes. */
  missing(indexes: readonly Index[]): { name: string; statement: string }[] | undefined {
    const held = this.#connection.schemaOf(this.name);
    const fresh = this.#fields.withoutColumn(pathsOf(indexes));
    const isKept = (path: string): boolean => fresh.has(path) || this.#fields.known(path)?.kept === true;
    const wanted = indexes.flatMap((index) => definitions(this.name, index, isKept));
    const missing = wanted.filter(({ name, statement }) => held?.get(name)?.toLowerCase() !== statement.toLowerCase());
    return held && missing.length === 0 && fresh.size === 0 ? undefined : missing;
  }

  /**
   * Makes what is missing, in writes one after another. Many documents are read through in slices before, so that others
   * have their turn; if something was written meanwhile, all are read again at once.
   */
  *making(indexes: readonly Index[]): Steps {
    if (this.records < MANY)
      return yield () => {
        this.#declare(indexes);
        for (const each of this.missing(indexes) ?? []) this.#index(each);
      };
    const survey = new Survey(this.name, this.#fields, this.#statements);
    const began = this.#state();
    const fresh = this.#fields.withoutColumn(pathsOf(indexes));
    // SQLite reads the table through for each column that it adds to a strict one.
    for (const path of fresh) yield () => this.#rows.addColumns(new Set([path]));
    yield* survey.steps(rolesOf(indexes), fresh.size ? (from, to) => this.#rows.fill(fresh, from, to) : undefined);
    yield () => this.#declare(indexes, this.#state() === began ? survey.findings : undefined);
    for (const each of this.missing(indexes) ?? []) yield () => this.#index(each);
  }

  #declare(indexes: readonly Index[], found?: ReadonlyMap<string, Finding>): void {
    const fresh = this.#fields.withoutColumn(pathsOf(indexes));
    this.#rows.make(fresh, this.#connection.schemaOf(this.name), found !== undefined);
    for (const [path, role] of rolesOf(indexes)) this.#fields.declare(path, role, fresh.has(path), found?.get(path));
  }

  #index({ name, statement }: { name: string; statement: string }): void {
    this.#statements.run(`drop index if exists ${quoted(name)}`);
    this.#statements.run(statement);
  }

  /** Changes with every write to the collection, and with those of other processes to any. */
  #state(): string {
    return `${this.#writes} ${this.#connection.pragma("data_version")}`;
  }

  /** About how many documents there are, by one look; 0 where there is no table yet. */
  get records(): number {
    if (!this.#connection.schemaOf(this.name)) return 0;
    return Number(this.#statements.first(`select max(n) from ${this.#table}`)?.[0] ?? 0);
  }

  get known(): Knowledge {
    return this.#fields.known;
  }

  /** Whether a write of one document may consist of several statements. */
  readonly isManifold = (): boolean => this.#fields.isManifold;

  /** The number of documents; at most `most`. */
  count(parts: Compiled, most: number | undefined): number {
    const stretches = parts.list?.stretches();
    if (stretches) return this.#lists.count(stretches, most);
    const table = sql`${this.#table} d where ${parts.where}`;
    const counted =
      most === undefined
        ? sql`select count(*) from ${table}`
        : sql`select count(*) from (select 1 from ${table} limit ${bind(most)})`;
    return this.all(counted)[0]![0] as number;
  }

  /** The rows of a page. */
  page(columns: string, parts: Compiled, sort: readonly SortField[], limit: number | undefined, offset = 0): Row[] {
    const stretches = limit ? parts.list?.stretches() : undefined;
    const rows = stretches && this.#lists.page(columns, stretches, sort, limit!, offset);
    return rows ?? this.all(this.selecting(columns, parts, limit, offset));
  }

  /** The queries for a page: one for each range of an index, or one for all. */
  selects(columns: string, parts: Compiled, limit: number | undefined, offset = 0): Sql[] {
    const stretches = limit ? parts.list?.stretches() : undefined;
    return (
      stretches?.map(
        ({ from, where, order }) => sql`select ${columns} from ${from} where ${where}${order}${limited(limit!)}`,
      ) ?? [this.selecting(columns, parts, limit, offset)]
    );
  }

  /** The select that finds the rows of a page. */
  selecting(columns: string, { where, order, spread }: Compiled, limit: number | undefined, offset = 0): Sql {
    const page = limit || offset ? limited(limit || -1, offset) : "";
    const most = (limit ?? 0) + offset;
    if (!spread || !limit || most * spread.values.length > MOST_SPREAD)
      return sql`select ${columns} from ${this.#table} d where ${where}${order}${page}`;
    const lead = column(spread.lead, this.known);
    const firsts = sql`select d.n from ${this.#table} d where ${lead} = l.value and ${where}${order} limit ${bind(most)}`;
    return sql`select ${columns} from json_each(${bind(JSON.stringify(spread.values))}) l cross join ${this.#table} d where d.n in (${firsts})${order}${page}`;
  }

  all(query: Sql): Row[] {
    return this.#statements.all(query);
  }

  some(query: Sql, most: number): [rows: Row[], isMore: boolean] {
    return this.#statements.some(query, most);
  }

  /** The rows with these numbers that still match the query; the number comes before the columns. */
  numbered(columns: string, { where }: Compiled, numbers: readonly number[]): Row[] {
    const asked = sql`d.n in (select value from json_each(${bind(JSON.stringify(numbers))}))`;
    return this.all(sql`select d.n, ${columns} from ${this.#table} d where ${asked} and +(${where})`);
  }

  byId(id: Key): Doc | null {
    const row = this.#statements.first(this.#byId, id);
    return row ? (JSON.parse(row[0] as string) as Doc) : null;
  }

  matching(query: ShapedQuery, sort?: readonly SortField[], limit = ""): StoredRow[] {
    const { where, order } = this.queries.of(query, sort);
    const text = this.#texts.of(
      `matching${order}${limit}`,
      where.text,
      () => `select d.n, json(d.doc) from ${this.#table} d where ${where.text}${order}${limit}`,
    );
    return this.all({ text, args: where.args }).map(stored);
  }

  /** @throws SQLite's error where a unique index refuses */
  add(doc: Doc): void {
    this.#writes++;
    this.#fields.learn(doc);
    this.#fields.replace(this.#rows.insert(doc), undefined, doc);
  }

  /** The insert of an upsert: the query's equalities, changed by the update; an id is created where they have none. */
  addSeeded(query: Query, update: Update): Doc {
    const doc = apply(seed(query) as Doc, update, true);
    const held = doc._id === undefined ? { ...doc, _id: uuid() } : doc;
    assertKey(held._id);
    this.add(held);
    return held;
  }

  change({ n, text }: StoredRow, update: Update): Doc {
    this.#writes++;
    const doc = JSON.parse(text) as Doc;
    const before = this.#rows.valuesOf(doc);
    const after = apply(doc, update);
    this.#fields.learn(after);
    this.#rows.update(n, before, after);
    if (this.#fields.hasElements) this.#fields.replace(n, JSON.parse(text) as Doc, after);
    return after;
  }

  changeAll(query: ShapedQuery, update: Update): number {
    const removed = onlyRemoved(update);
    if (removed) return this.#takeOff(query, removed) ?? this.#changeEach(this.matching(query), update);
    const change = pushedOut(update, this.#isFree);
    if (!change) return this.#changeEach(this.matching(query), update);
    this.#writes++;
    const { where } = this.queries.of(query),
      { doc, fits } = change;
    const { text, args } = sql`update ${this.#table} as d set doc = ${doc} where ${where} and ${fits}`;
    const { changes } = this.#statements.run(text, ...args);
    const others = sql`select d.n, json(d.doc) from ${this.#table} d where ${where} and ${fits} is not true`;
    return changes + this.#changeEach(this.all(others).map(stored), update);
  }

  /** Removes top-level fields without reading the documents; undefined where that takes more than SQL. */
  #takeOff(query: ShapedQuery, names: readonly string[]): number | undefined {
    const { where } = this.queries.of(query);
    const text = this.#texts.of(`${this.#fields.version} without ${names.join()}`, where.text, () => {
      const doc = without(names, this.#mayGo);
      return doc ? `update ${this.#table} as d set doc = ${doc}${this.#rows.without(names)} where ${where.text}` : "";
    });
    if (!text) return undefined;
    this.#writes++;
    return this.#statements.run(text, ...where.args).changes;
  }

  #changeEach(found: readonly StoredRow[], update: Update): number {
    for (const each of found) this.change(each, update);
    return found.length;
  }

  /** Fields that may change without checking what is known of fields. */
  readonly #isFree = (name: string): boolean => !this.#fields.isIndexed(name);
  readonly #mayGo = (name: string): boolean => !this.#fields.hasElements && this.#fields.maybeMissing(name);

  drop(where: Sql): Doc[] {
    this.#writes++;
    const gone = this.all(sql`delete from ${this.#table} as d where ${where} returning n, json(doc)`).map(stored);
    return gone.map(({ n, text }) => {
      const doc = JSON.parse(text) as Doc;
      this.#fields.replace(n, doc, undefined);
      return doc;
    });
  }

  dropAll(query: ShapedQuery): number {
    this.#writes++;
    const { where } = this.queries.of(query);
    if (this.#fields.hasElements) return this.drop(where).length;
    const { text, args } = sql`delete from ${this.#table} as d where ${where}`;
    return this.#statements.run(text, ...args).changes;
  }

  /** Runs a part of a transaction that is undone alone if it throws. */
  apart<T>(work: () => T): T {
    this.#statements.run("savepoint apart");
    try {
      const answer = work();
      this.#statements.run("release apart");
      return answer;
    } catch (error) {
      // A full disk may have ended the transaction, and the savepoint with it.
      if (this.#connection.database.isTransaction) {
        this.#statements.run("rollback to apart");
        this.#statements.run("release apart");
        this.#connection.forget();
      }
      throw error;
    }
  }
}

const pathsOf = (indexes: readonly Index[]): Set<string> => new Set(rolesOf(indexes).keys());
/** Each field with the most that an index makes of it. */
function rolesOf(indexes: readonly Index[]): Map<string, Role> {
  const most = new Map<string, Role>();
  for (const [path, role] of indexes.flatMap((index) => [...roles(index)]))
    most.set(path, Math.max(role, most.get(path) ?? role) as Role);
  return most;
}
const stored = ([n, text]: Row): StoredRow => ({ n: n as number, text: text as string });
