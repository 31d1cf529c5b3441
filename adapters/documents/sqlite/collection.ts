import { setImmediate as nextTurn } from "node:timers/promises";
import { DuplicateKey } from "../../../core/records/documents.ts";
import type {
  BulkOutcome,
  BulkWrite,
  Collection,
  Doc,
  Find,
  Group,
  Groups,
  Index,
  Key,
  Query,
  Update,
} from "../../../core/records/documents.ts";
import { totalOrder, type SortField } from "../paths.ts";
import { checkedQuery } from "../queries.ts";
import { checkedUpdate } from "../updates.ts";
import { assertKey, plainDocument } from "../values.ts";
import type { Connection } from "./connection.ts";
import { resultCode } from "./group-commit.ts";
import { grouping } from "./groups.ts";
import { violatedFields } from "./index/indexes.ts";
import { only, projection } from "./projections.ts";
import { shapedQuery, shapeOf } from "./query/shapes.ts";
import { bind, sql } from "./query/sql.ts";
import type { Row } from "./statements.ts";
import type { Compiled } from "./query/table-queries.ts";
import type { MakingLog } from "./making-log.ts";
import { Table } from "./table.ts";

const CONSTRAINT = 19;
const MOST_AT_ONCE = 250; // documents read in one turn of the event loop: a few milliseconds
const always = (): boolean => true;

/** A collection of the embedded store. Reads answer at once; writes wait for the group's commit. */
export class EmbeddedCollection implements Collection {
  readonly name: string;
  readonly #connection: Connection;
  readonly #table: Table;

  constructor(name: string, connection: Connection) {
    this.name = name;
    this.#connection = connection;
    this.#table = new Table(name, connection);
  }

  /** Creates the table and the missing or changed indexes; writes nothing where all exist. */
  async ensure(indexes: readonly Index[], making: MakingLog): Promise<void> {
    await making.make(this.#table, indexes, (step) => this.#write(step, always));
    this.#table.queries.attend(indexes);
  }

  async find(params: Find = {}): Promise<Doc[]> {
    const { query = {}, sort, limit, offset, fields } = params;
    const few = fewIds(params);
    if (few) {
      const found = few.flatMap((id) => this.#table.byId(id) ?? []);
      return fields ? found.map(only(fields)) : found;
    }
    const { columns, read } = projection(fields);
    if (limit && limit <= MOST_AT_ONCE) {
      const run = (parts: Compiled, order: readonly SortField[]): Row[] =>
        this.#table.page(columns, parts, order, limit, offset);
      return this.#read(query, run, sort, { listing: Boolean(sort?.length) }).map(read);
    }
    const [rows, isMore] = this.#read(
      query,
      (parts) => this.#table.some(this.#table.selecting(`d.n, ${columns}`, parts, limit, offset), MOST_AT_ONCE),
      sort,
    );
    const found = rows.map(([, ...row]) => read(row));
    const seen = new Set(rows.map(([n]) => n as number));
    if (isMore) for await (const more of this.#rest(params, columns, seen)) found.push(...more.map(read));
    return found;
  }

  /**
   * The rest of a long answer after its first rows, a slice in each turn of the event loop. The query is checked on
   * each row again as it is read, so that nothing is answered that has moved behind a barrier meanwhile.
   */
  async *#rest(
    { query = {}, sort, limit, offset = 0 }: Find,
    columns: string,
    seen: ReadonlySet<number>,
  ): AsyncGenerator<Row[]> {
    // Without a sort SQLite may return rows in another order for other columns.
    const numbers = this.#read(
      query,
      (parts) => this.#table.all(this.#table.selecting("d.n", parts, limit, offset)).map(([n]) => n as number),
      sort,
    )
      .filter((n) => !seen.has(n))
      .slice(0, limit ? limit - seen.size : undefined);
    for (let at = 0; at < numbers.length; at += MOST_AT_ONCE) {
      await nextTurn();
      const slice = numbers.slice(at, at + MOST_AT_ONCE);
      const rows = new Map(
        this.#read(query, (parts) => this.#table.numbered(columns, parts, slice)).map(([n, ...row]) => [n, row]),
      );
      yield slice.flatMap((n) => (rows.has(n) ? [rows.get(n)!] : []));
    }
  }

  async findOne(query: Query): Promise<Doc | null> {
    return (await this.find({ query, limit: 1 }))[0] ?? null;
  }

  async findById(id: Key): Promise<Doc | null> {
    assertKey(id);
    return this.#table.byId(id);
  }

  async findByIds(ids: readonly Key[]): Promise<Doc[]> {
    return this.find({ query: { _id: { $in: ids } } });
  }

  async count({ query = {}, most }: { query?: Query; most?: number } = {}): Promise<number> {
    return this.#read(query, (parts) => this.#table.count(parts, most), undefined, { counting: true, listing: true });
  }

  async groups(params: Groups): Promise<Group[]> {
    const { select, read } = grouping(params, this.#table.known);
    return this.#read(
      params.query ?? {},
      ({ where }) => this.#table.all(select(this.name, where)).map(read),
      undefined,
      { counting: true },
    );
  }

  async insert(doc: Doc): Promise<Doc> {
    const held = plainDocument(doc);
    await this.#write(() => this.#table.add(held), this.#table.isManifold);
    return held;
  }

  /** All of them or none. */
  async insertMany(docs: readonly Doc[]): Promise<Doc[]> {
    const held = docs.map(plainDocument);
    await this.#write(
      () => {
        for (const doc of held) this.#table.add(doc);
      },
      held.length === 1 ? this.#table.isManifold : always,
    );
    return held;
  }

  async updateById(id: Key, update: Update): Promise<Doc | null> {
    assertKey(id);
    return this.claim({ _id: id }, update);
  }

  /** The number of documents matched, including those left unchanged. All are updated or none. */
  async updateMany(query: Query, update: Update): Promise<number> {
    const condition = shapedQuery(query);
    const change = checkedUpdate(update);
    return this.#write(
      () => this.#table.changeAll(condition, change),
      isOneDocument(query) ? this.#table.isManifold : always,
    );
  }

  async removeById(id: Key): Promise<Doc | null> {
    assertKey(id);
    return this.#write(() => this.#table.drop(sql`d.id = ${bind(id)}`)[0] ?? null, this.#table.isManifold);
  }

  async removeMany(query: Query): Promise<number> {
    const condition = shapedQuery(query);
    return this.#write(() => this.#table.dropAll(condition), this.#table.isManifold);
  }

  async clear(): Promise<number> {
    return this.removeMany({});
  }

  async claim(
    query: Query,
    update: Update,
    options: { sort?: readonly string[]; upsert?: boolean } = {},
  ): Promise<Doc | null> {
    const order = ordering(options.sort);
    const condition = options.upsert || order.length > 0 ? checkedQuery(query) : shapedQuery(query);
    const change = checkedUpdate(update);
    return this.#write(() => {
      const [first] = this.#table.matching(condition, order, " limit 1");
      if (first) return this.#table.change(first, change);
      return options.upsert ? this.#table.addSeeded(condition as Query, change) : null;
    }, this.#table.isManifold);
  }

  async bulk(writes: readonly BulkWrite[]): Promise<BulkOutcome> {
    const jobs = writes.map((write) => this.#job(write));
    const inserts = writes.length > 1 && writes.every((write) => "insert" in write);
    return this.#write(
      () => ({ counts: (inserts && this.#atOnce(jobs)) || jobs.map((job) => this.#attempt(job)) }),
      always,
    );
  }

  /** SQLite's query plans, for tests and diagnosis. */
  plan({ query = {}, sort, limit, offset }: Find = {}): string[] {
    const order = ordering(sort);
    const parts = this.#table.queries.compiled(checkedQuery(query), order, { listing: Boolean(limit && sort?.length) });
    return this.#table
      .selects("json(d.doc)", parts, limit, offset)
      .flatMap((select) => this.#table.all(sql`explain query plan ${select}`))
      .map((row) => String(row[3]));
  }

  #job(write: BulkWrite): () => number {
    if ("insert" in write) {
      const doc = plainDocument(write.insert);
      return () => (this.#table.add(doc), 1);
    }
    if ("remove" in write) {
      const condition = shapedQuery(write.remove);
      return () => this.#table.dropAll(condition);
    }
    const condition = write.upsert ? checkedQuery(write.update) : shapedQuery(write.update);
    const change = checkedUpdate(write.with);
    return () => {
      const changed = this.#table.changeAll(condition, change);
      if (changed > 0 || !write.upsert) return changed;
      this.#table.addSeeded(condition as Query, change);
      return 1;
    };
  }

  /**
   * All of them under one savepoint, which is cheaper than one each; undefined, with nothing done, where an index
   * refuses any.
   */
  #atOnce(jobs: readonly (() => number)[]): number[] | undefined {
    try {
      return this.#table.apart(() => jobs.map((job) => job()));
    } catch (error) {
      if (resultCode(error) !== CONSTRAINT) throw error;
      return undefined;
    }
  }

  #attempt(job: () => number): number {
    try {
      return this.#table.apart(job);
    } catch (error) {
      if (resultCode(error) !== CONSTRAINT) throw error;
      return -1;
    }
  }

  async #write<T>(work: () => T, manifold: () => boolean): Promise<T> {
    try {
      return await this.#connection.write(work, manifold);
    } catch (error) {
      if (resultCode(error) === CONSTRAINT) throw new DuplicateKey(this.name, violatedFields((error as Error).message));
      throw error;
    }
  }

  /** Runs a query, and again where another process changed what its compilation relied on. */
  #read<T>(
    query: Query,
    run: (parts: Compiled, order: readonly SortField[]) => T,
    sort?: readonly string[],
    how?: { counting?: boolean; listing?: boolean },
  ): T {
    const order = ordering(sort);
    // Whether the count needs no list is not visible in a shape.
    const shape = how?.counting && !how.listing ? undefined : shapeOf(query);
    let condition: Query | undefined;
    for (;;) {
      const parts =
        (shape && this.#table.queries.prepared(shape, order, how)) ??
        this.#table.queries.compiled((condition ??= checkedQuery(query)), order, how);
      const answer = run(parts, order);
      if (!parts.relied || !this.#connection.refreshed()) return answer;
    }
  }
}

/** Whether a query matches at most one document, as it names an id. */
const isOneDocument = (query: Query): boolean => isKey(query["_id"]);

/** Up to this many look-ups by id cost less than one query with all of them. */
const FEW_IDS = 8;
const isKey = (id: unknown): id is Key => typeof id === "string" || Number.isSafeInteger(id);

/** The ids, where a search names only a few of them. */
function fewIds({ query, sort, limit, offset }: Find): Key[] | undefined {
  if (sort?.length || limit || offset || !query || Object.keys(query).length !== 1) return undefined;
  const asked = query["_id"] as { $in?: unknown } | undefined;
  const ids = asked && typeof asked === "object" && Object.keys(asked).length === 1 ? asked.$in : undefined;
  return Array.isArray(ids) && ids.length <= FEW_IDS && ids.every(isKey) ? [...new Set(ids)] : undefined;
}

const ordering = (sort: readonly string[] | undefined): SortField[] =>
  sort && sort.length > 0 ? totalOrder(sort) : [];
