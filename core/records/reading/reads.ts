import { behind, sees } from "../../access/barrier.ts";
import type { Caller } from "../../access/caller.ts";
import { afterCursor, cursorAt, merged } from "./cursor.ts";
import type { Collection, Doc, Key, Query } from "../documents.ts";
import { MOST_ROWS, type Entity, type Item } from "../entity.ts";
import { notFound } from "../../problem.ts";
import { TOTAL_BOUND } from "./search.ts";
import { both, outward } from "../stored-form.ts";

export interface Window {
  page: number;
  limit: number;
  sort?: string;
  [filter: string]: unknown;
}
export interface Rows<T> {
  data: T[];
  /** `more`: there are more than `total` says. */
  meta: { total: number; more?: true; page: number; limit: number };
}
export interface Feed<T> {
  data: T[];
  meta: { limit: number; next: string | null };
}

const isOneId = (id: unknown): id is Key => (typeof id === "string" && id !== "") || Number.isSafeInteger(id);

/** The id, where a query names nothing else: a look-up that needs no plan. */
function idAlone(query: Query): Key | undefined {
  for (const name in query) if (name !== "_id") return undefined;
  const id = query["_id"];
  return isOneId(id) ? id : undefined;
}

/** Records in memory at a time where many are gone through. */
const SLICE = 200;

/**
 * A collection without its removals: those go through the store, which first tells the facts that a record still has to
 * tell.
 */
export type Records = Omit<Collection, "removeById" | "removeMany" | "clear">;

/** Reads of one entity, behind its barrier: each takes the caller. */
export class Reads<E extends Entity> {
  readonly entity: E;
  readonly collection: Records;

  constructor(entity: E, collection: Records) {
    this.entity = entity;
    this.collection = collection;
  }

  /** The query, kept to the caller's side of the barrier. */
  within(caller: Caller, query: Query = {}): Query {
    if (!this.entity.barrier) return query;
    return both(query, behind(this.entity.barrier, caller.meta.actor, query));
  }

  /** A document as it is answered; null where the caller may not see it. */
  shown(caller: Caller, doc: Doc | null): Item<E> | null {
    const record = doc && outward(doc);
    return record && sees(this.entity.barrier, caller.meta.actor, record) ? record : null;
  }

  async get(caller: Caller, id: Key): Promise<Item<E>> {
    const record = this.shown(caller, await this.collection.findById(id));
    if (!record) throw notFound(this.entity.title, id);
    return record;
  }

  async one(caller: Caller, query: Query): Promise<Item<E> | null> {
    // At most one document matches, so that the barrier is checked on the record in hand.
    if (!isOneId(query["_id"])) {
      const doc = await this.collection.findOne(this.within(caller, query));
      return doc && outward(doc);
    }
    const id = idAlone(query);
    return this.shown(caller, await (id === undefined ? this.collection.findOne(query) : this.collection.findById(id)));
  }

  async find(
    caller: Caller,
    query: Query,
    {
      sort,
      limit,
      offset,
      fields,
    }: { sort?: readonly string[]; limit?: number; offset?: number; fields?: readonly string[] } = {},
  ): Promise<Item<E>[]> {
    return (await this.collection.find({ query: this.within(caller, query), sort, limit, offset, fields })).map(
      outward,
    );
  }

  async many(caller: Caller, ids: readonly Key[]): Promise<Item<E>[]> {
    const records = (await this.collection.findByIds(ids)).map((doc) => this.shown(caller, doc));
    return records.filter((record): record is NonNullable<typeof record> => record !== null);
  }

  count(caller: Caller, query: Query = {}): Promise<number> {
    return this.collection.count({ query: this.within(caller, query) });
  }

  /** How many there are, exact to the bound of totals; of more, the bound, and that there are more. */
  async total(caller: Caller, query: Query = {}): Promise<Total> {
    return totalOf(this.collection, this.within(caller, query));
  }

  /** One numbered page; `window` is the parsed query of a list, its filters equalities. `also` narrows further. */
  async page(
    caller: Caller,
    { page, limit, sort = "-createdAt", ...filters }: Window,
    also: Query = {},
  ): Promise<Rows<Item<E>>> {
    const most = Math.min(limit, MOST_ROWS);
    const equal = Object.fromEntries(
      Object.entries(filters).filter(([key, value]) => value !== undefined && this.entity.filter.includes(key)),
    );
    const query = this.within(caller, { ...equal, ...also });
    const window = { limit: most, offset: (page - 1) * most };
    const [docs, total] = await Promise.all([
      this.entity.lacking.has(sort) && !(sort in also)
        ? this.#lackingLast(query, sort, window)
        : this.collection.find({ query, sort: [sort], ...window }),
      totalOf(this.collection, query),
    ]);
    return { data: docs.map(outward), meta: { ...total, page, limit: most } };
  }

  /** Stores put what lacks a field before the least of it: what is due comes before what is never due. */
  async #lackingLast(query: Query, sort: string, { limit, offset }: { limit: number; offset: number }): Promise<Doc[]> {
    const having = { $and: [query, { [sort]: { $gt: "" } }] };
    const found = await this.collection.find({ query: having, sort: [sort], limit, offset });
    if (found.length === limit) return found;
    const before = found.length || !offset ? offset + found.length : await this.collection.count({ query: having });
    const lacking = { $and: [query, { [sort]: null }] };
    const left = { limit: limit - found.length, offset: Math.max(0, offset - before) };
    return [...found, ...(await this.collection.find({ query: lacking, sort: [sort], ...left }))];
  }

  /**
   * A long feed by cursor: rows in falling (or rising) order of one field, ties by id; no cost for what lies before. Of
   * several queries each is read from an index of its own, and their rows are merged: a feed over many sets costs as
   * much as its page from each.
   */
  async feed(
    caller: Caller,
    { cursor, limit, order = "-createdAt" }: { cursor?: string; limit: number; order?: string },
    also: Query | readonly Query[] = {},
  ): Promise<Feed<Item<E>>> {
    const most = Math.min(limit, MOST_ROWS);
    const falling = order.startsWith("-");
    const field = falling ? order.slice(1) : order;
    const from = cursor ? afterCursor(cursor, field, falling) : undefined;
    const found = await Promise.all(
      [also].flat().map((one: Query) =>
        this.collection.find({
          query: this.within(caller, from ? { $and: [one, from] } : one),
          sort: [order],
          limit: most + 1,
        }),
      ),
    );
    const docs = found.length === 1 ? found[0]! : merged(found.flat(), field, falling);
    const rows = docs.slice(0, most);
    const last = rows.at(-1);
    return {
      data: rows.map(outward),
      meta: { limit: most, next: docs.length > most && last ? cursorAt(last, field) : null },
    };
  }

  /**
   * Everything that fits, in slices by id, for work that needs all of it and not all at once; only `fields`, where they
   * are named.
   */
  async *slices(
    caller: Caller,
    query: Query,
    { fields, size = SLICE }: { fields?: readonly string[]; size?: number } = {},
  ): AsyncGenerator<Item<E>[]> {
    for (let after: Key | undefined, more = true; more;) {
      const rows = await this.find(caller, after === undefined ? query : { $and: [query, { _id: { $gt: after } }] }, {
        sort: ["_id"],
        limit: size,
        ...(fields && { fields }),
      });
      if (rows.length) yield rows;
      more = rows.length === size;
      after = rows.at(-1)?.id as Key | undefined;
    }
  }
}

/** A total and its bound, as `meta` of a list has them. */
export type Total = Pick<Rows<never>["meta"], "total" | "more">;

async function totalOf(collection: Pick<Collection, "count">, query: Query): Promise<Total> {
  const counted = await collection.count({ query, most: TOTAL_BOUND + 1 });
  return counted > TOTAL_BOUND ? { total: TOTAL_BOUND, more: true } : { total: counted };
}
