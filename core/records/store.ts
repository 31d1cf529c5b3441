import { asFarAs, behind, readInto, sees } from "../access/access.ts";
import { actorOf, type Caller } from "../access/caller.ts";
import { iso, type Clock } from "../clock.ts";
import { afterCursor, cursorAt, merged } from "./cursor.ts";
import {
  DuplicateKey,
  type BulkWrite,
  type Collection,
  type Doc,
  type Key,
  type Query,
  type Update,
} from "./documents.ts";
import { MOST_ROWS, type Entity, type IdOf, type Item } from "./entity.ts";
import type { Fact } from "./event.ts";
import { newId } from "../ids.ts";
import { PLACE, Places } from "./quota.ts";
import { conflict, isProblem, notFound, overtaken, stale } from "../problem.ts";
import { retryOnConflict } from "./conflict-retry.ts";
import { TOTAL_BOUND } from "./search.ts";
import { Removals, type Removal, type RemovalParts } from "./removals.ts";
import { CARRIED, TRACE } from "./traces.ts";
import { nextId } from "../contract/repeatable.ts";

export interface StoreParts extends RemovalParts {
  clock: Clock;
  /** The next number of a counter; a block of them when `count` is given, answering the first. */
  number(counter: string, count?: number): Promise<number>;
  /** Told after a write that carries facts is durable: all that the record has to tell since. */
  stored(entity: Entity, id: Key, pending: readonly Fact[]): void;
}

/** Facts to store with the write: given, or made from the record as it will be. */
type Telling = readonly Fact[] | ((record: any) => readonly Fact[]) | undefined;
interface WithFacts {
  facts?: Telling;
}
/** `beyondMost`: whatever the owner has, as what they cannot do without. */
interface Making extends WithFacts {
  beyondMost?: boolean;
}
/**
 * What becomes of a record as it is now: `undefined` leaves a field, `null` clears it. Null alone: nothing is to be
 * done.
 */
type Deciding<E extends Entity> = (item: Item<E>) => Record<string, unknown> | null;
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

const inward = ({ id, ...rest }: any): Doc => ({ _id: id, ...rest });
/** Fields of the store's own, beside the record. */
const OWN = new Set(["_id", "_pending", "_pendingSince", "_idem", PLACE, TRACE, CARRIED]);
const outward = (doc: Doc): any => {
  const record: Record<string, unknown> = { id: doc._id };
  for (const key in doc) if (!OWN.has(key)) record[key] = doc[key];
  return record;
};

const isOneId = (id: unknown): id is Key => (typeof id === "string" && id !== "") || Number.isSafeInteger(id);

/** The id, where a query names nothing else: a look-up that needs no plan. */
function idAlone(query: Query): Key | undefined {
  for (const name in query) if (name !== "_id") return undefined;
  const id = query["_id"];
  return isOneId(id) ? id : undefined;
}

/** Whoever is held to nothing asks what they asked: an id alone stays a look-up. */
const both = (query: Query, held: Query): Query => (Object.keys(held).length ? { $and: [query, held] } : query);

/** Records in memory at a time where many are gone through. */
const SLICE = 200;

/** `undefined` leaves, `null` clears. */
function changes(change: Record<string, unknown>): Pick<Update, "$set" | "$unset"> {
  const $set: Record<string, unknown> = {},
    $unset: Record<string, 1> = {};
  for (const [key, value] of Object.entries(change)) {
    if (value === null) $unset[key] = 1;
    else if (value !== undefined) $set[key] = value;
  }
  return { $set, ...(Object.keys($unset).length && { $unset }) };
}

/** A store's collection without its removals: those go by the store, which tells what a record still had to tell. */
export type Records = Omit<Collection, "removeById" | "removeMany" | "clear">;

/**
 * Reads and writes of one entity. Every one takes the caller, so that no code path can forget the barrier or the audit.
 */
export class Store<E extends Entity> {
  readonly entity: E;
  readonly collection: Records;
  readonly #parts: StoreParts;
  readonly #removals: Removals;
  readonly #places: Places | undefined;

  constructor(entity: E, parts: StoreParts) {
    this.entity = entity;
    this.collection = parts.collection;
    this.#parts = parts;
    this.#removals = new Removals(entity, parts);
    this.#places = entity.most && new Places(entity.most, parts.collection, entity.collection);
  }

  /** The query, kept to the caller's side of the barrier. */
  within(caller: Caller, query: Query = {}): Query {
    if (!this.entity.barrier) return query;
    return both(query, behind(this.entity.barrier, caller.meta.actor, query));
  }

  /** As `within`, for a record in hand: no wider, and as short as what that record lies in. */
  #around(caller: Caller, item: Record<string, unknown>, query: Query): Query {
    const { barrier } = this.entity;
    if (!barrier || item[barrier.set] === undefined) return this.within(caller, query);
    return both(query, behind(barrier, asFarAs(barrier, caller.meta.actor, item), query));
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
    // At most one document has an id: it is asked in hand whether the caller sees it.
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
    const [docs, total] = await Promise.all([
      this.collection.find({ query, sort: [sort], limit: most, offset: (page - 1) * most }),
      totalOf(this.collection, query),
    ]);
    return { data: docs.map(outward), meta: { ...total, page, limit: most } };
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

  /** Throws what `create` would where an owner, by the fields that the bound goes by, has no room for so many more. */
  async demandRoom(owner: Query, more = 1): Promise<void> {
    await this.#places?.demandRoom(owner, more);
  }

  /**
   * Stores a new record. Under an idempotency key a repetition finds the record it made before. Throws 409 on a unique
   * index, and the refusal of the entity's bound.
   */
  async create(caller: Caller, given: Record<string, unknown>, { facts, beyondMost }: Making = {}): Promise<Item<E>> {
    const { doc, told } = await this.#draft(caller, given, facts);
    let held: Doc;
    try {
      held = await (this.#places && !beyondMost ? this.#places.insert(doc) : this.collection.insert(doc));
    } catch (error) {
      if (!(error instanceof DuplicateKey)) throw error;
      const before = doc["_idem"]
        ? await this.collection.findOne({ _idem: doc["_idem"] })
        : caller.locals.repeatable
          ? await this.collection.findById(doc._id)
          : null;
      if (!before) throw duplicate(this.entity, error);
      return outward(before);
    }
    if (told?.length) this.#parts.stored(this.entity, doc._id, held["_pending"] as Fact[]);
    return outward(doc);
  }

  /**
   * Stores a new record, or answers the one that is there: whoever repeats the cause, at once or after a kill, makes no
   * second. `by` names the fields it is known by, which a unique index holds. Throws 409 where a record with other
   * values of them is in the way.
   */
  async createOnce<G extends Record<string, unknown>>(
    caller: Caller,
    given: G,
    { by = ["id"], ...told }: Making & { by?: readonly (keyof G & string)[] } = {},
  ): Promise<{ record: Item<E>; made: boolean }> {
    try {
      return { record: await this.create(caller, given, told), made: true };
    } catch (error) {
      const known = Object.fromEntries(by.map((field) => [field === "id" ? "_id" : field, given[field]]));
      // What was given no id of its own is found by none.
      const isKnown = by.every((field) => given[field] !== undefined);
      const record = isProblem(error) && isKnown ? await this.one(caller, known) : null;
      if (!record) throw error;
      return { record, made: false };
    }
  }

  /**
   * Nobody writes where they could not read. A new problem set has no members yet: whoever makes it joins it
   * afterwards.
   */
  #refuseBeyond(caller: Caller, record: Record<string, unknown>): void {
    const { barrier } = this.entity;
    const { actor } = caller.meta;
    if (!barrier || barrier.set === "id" || sees(barrier, actor, record)) return;
    const set = String(record[barrier.set]);
    const inside = ((barrier.compartments && record[barrier.compartments]) ?? []) as readonly string[];
    const closed = Object.hasOwn(actor?.memberships ?? {}, set) && inside.find((id) => !readInto(actor, [id]));
    throw closed ? notFound("compartment", closed) : notFound(barrier.set, set);
  }

  /** A new record in its first revision. Throws 404 where the caller could not read it. */
  #recordOf(caller: Caller, given: Record<string, unknown>, at: string): Record<string, unknown> {
    const record = this.entity.record.parse({
      ...given,
      rev: 1,
      createdAt: at,
      updatedAt: at,
      createdBy: actorOf(caller),
    }) as Record<string, unknown>;
    this.#refuseBeyond(caller, record);
    return record;
  }

  /** What the store notes beside a record that others follow: that it changed, and whose change was carried out. */
  #marks(caller: Caller, rev: number): Record<string, unknown> {
    if (!this.entity.traced) return {};
    const { carries } = caller.locals;
    return { [TRACE]: rev, ...(carries && { [CARRIED]: carries.name }) };
  }

  /** A change that is carried out for somebody is made from the revision that they decided on, or not at all. */
  #demandCarried(caller: Caller, id: Key, rev: number): void {
    const { carries } = caller.locals;
    if (this.entity.traced && carries && carries.rev !== rev) throw stale(this.entity.title, id);
  }

  async #draft(
    caller: Caller,
    given: Record<string, unknown>,
    facts: Telling,
  ): Promise<{ doc: Doc; told: readonly Fact[] | undefined }> {
    const at = iso(this.#parts.clock.now());
    const { idKind, name, collection } = this.entity,
      isNumbered = idKind === "number";
    const idem = isNumbered ? caller.locals.repeatable?.next(name) : undefined;
    const { carries } = this.entity.traced ? caller.locals : {};
    const own = carries?.makes ?? given["id"];
    const id = own ?? (isNumbered ? await this.#parts.number(collection) : nextId(caller, name));
    const record = this.#recordOf(caller, { ...given, id }, at);
    caller.locals.trail?.({ type: name, id: id as Key });
    const told = typeof facts === "function" ? facts(record) : facts;
    const marks = this.#marks(caller, 1);
    return { doc: inward({ ...record, ...marks, ...(idem && { _idem: idem }), ...pending(told, at) }), told };
  }

  /** The first of so many new numbers in a row, for records whose ids must be known before they are stored. */
  numbers(count: number): Promise<number> {
    return this.#parts.number(this.entity.collection, count);
  }

  /**
   * As `createOnce`, by the ids that are given, for many in one durable write; answers them in order. Throws 409 where
   * another record is in the way of one.
   */
  async createEachOnce(
    caller: Caller,
    given: readonly (Record<string, unknown> & { id: string })[],
  ): Promise<{ record: Item<E>; made: boolean }[]> {
    const at = iso(this.#parts.clock.now());
    const docs = given.map((fields) => inward({ ...this.#recordOf(caller, fields, at), ...this.#marks(caller, 1) }));
    const { counts } = await this.collection.bulk(docs.map((insert) => ({ insert })));
    const left = docs.filter((_doc, n) => counts[n]! < 0).map(({ _id }) => _id);
    const there = new Map((left.length ? await this.many(caller, left) : []).map((one) => [(one as any).id, one]));
    return docs.map((doc, n) => {
      if (counts[n]! >= 0) return { record: outward(doc), made: true };
      const record = there.get(doc._id);
      if (!record) throw duplicate(this.entity, new DuplicateKey(this.entity.collection, []));
      return { record, made: false };
    });
  }

  /**
   * Stores many new records in one durable write; numbers come in one block, where any is without one. Answers them in
   * order.
   */
  async createMany(caller: Caller, given: readonly Record<string, unknown>[]): Promise<Item<E>[]> {
    const at = iso(this.#parts.clock.now());
    const first =
      this.entity.idKind === "number" && given.some(({ id }) => id === undefined)
        ? await this.#parts.number(this.entity.collection, given.length)
        : 0;
    const docs = given.map((fields, n) => {
      const id = fields["id"] ?? (this.entity.idKind === "number" ? first + n : newId());
      return inward({ ...this.#recordOf(caller, { ...fields, id }, at), ...this.#marks(caller, 1) });
    });
    await this.collection.insertMany(docs);
    return docs.map(outward);
  }

  /**
   * Stores new records, each on behalf of its own caller, in one durable write and in this order: none of them stands
   * without those before it; all are as old as `at` says. Throws DuplicateKey where a unique index refuses one; those
   * before it may stand by then.
   */
  async createInOrder(
    given: readonly { caller: Caller; fields: Record<string, unknown> & { id: string } }[],
    at = iso(this.#parts.clock.now()),
  ): Promise<Item<E>[]> {
    const docs = given.map(({ caller, fields }) => {
      const record = this.#recordOf(caller, fields, at);
      caller.locals.trail?.({ type: this.entity.name, id: fields.id });
      return inward({ ...record, ...this.#marks(caller, 1) });
    });
    await this.collection.insertMany(docs);
    return docs.map(outward);
  }

  /** Changes a record by compare-and-set on `rev`: two people cannot silently overwrite one another (409). */
  async revise(
    caller: Caller,
    item: Item<E>,
    change: Record<string, unknown>,
    {
      facts,
      where,
      ...operators
    }: WithFacts & { where?: Query } & Pick<Update, "$push" | "$pull" | "$addToSet" | "$inc"> = {},
  ): Promise<Item<E>> {
    const { id, rev, createdAt } = item as unknown as Removal & { id: IdOf<E> };
    this.#demandCarried(caller, id, rev);
    const at = iso(this.#parts.clock.now());
    const { $set, $unset } = changes(change);
    if (this.entity.barrier?.compartments && this.entity.barrier.compartments in change)
      this.#refuseBeyond(caller, { ...(item as object), ...$set });
    const told = typeof facts === "function" ? facts({ ...(item as object), ...$set, rev: rev + 1 }) : facts;
    const news = pending(told, at);
    caller.locals.trail?.({ type: this.entity.name, id });
    const doc = await this.collection
      .claim(this.#around(caller, item as object as Doc, { ...where, _id: id, rev, ...(createdAt && { createdAt }) }), {
        ...operators,
        $set: {
          ...$set,
          ...this.#marks(caller, rev + 1),
          updatedAt: at,
          ...(news && { _pendingSince: news._pendingSince }),
        },
        ...($unset && { $unset }),
        $inc: { ...operators.$inc, rev: 1 },
        ...(news && { $push: { ...operators.$push, _pending: { $each: news._pending } } }),
      })
      .catch((error: unknown) => {
        throw error instanceof DuplicateKey ? duplicate(this.entity, error) : error;
      });
    if (!doc) throw overtaken(this.entity.title, { id, rev });
    if (told?.length) this.#parts.stored(this.entity, id, doc["_pending"] as Fact[]);
    return outward(doc);
  }

  /**
   * Reads, decides, compares and sets, again when somebody else was first. Answers null where nothing is to be done.
   * `seen`: the record as it was just read, which is then not read a second time.
   */
  amend(
    caller: Caller,
    id: Key,
    decide: Deciding<E>,
    { seen, ...told }: WithFacts & { seen?: Item<E> | undefined } = {},
  ): Promise<Item<E> | null> {
    return retryOnConflict(async (attempt) => {
      const known =
        attempt === 1 && seen && sees(this.entity.barrier, caller.meta.actor, seen as Record<string, unknown>);
      const item = known ? seen : await this.get(caller, id);
      const wanted = decide(item);
      return wanted && this.revise(caller, item, wanted, told);
    });
  }

  /** As `amend`, and answers the record as it then is, changed or not. */
  async change(
    caller: Caller,
    id: Key,
    decide: Deciding<E>,
    how: WithFacts & { seen?: Item<E> | undefined } = {},
  ): Promise<Item<E>> {
    let read: Item<E>;
    return (await this.amend(caller, id, (item) => decide((read = item)), how)) ?? read!;
  }

  /**
   * Takes another record for a witness of a rule such as "one is always left": finds one and raises its revision in one
   * atomic step; false where there is none. Whoever takes something away reads that record first, then calls a witness,
   * then writes by the revision read. So two who would take from each other cannot both succeed, on whatever nodes: the
   * later witness call undid the revision that the earlier one read.
   */
  async witness(caller: Caller, query: Query): Promise<boolean> {
    return (await this.collection.claim(this.within(caller, query), { $inc: { rev: 1 } })) !== null;
  }

  /** Many independent changes in one durable write, without revisions or facts: bookkeeping fields only. */
  bulk(writes: readonly BulkWrite[]): Promise<{ counts: number[] }> {
    return this.collection.bulk(writes);
  }

  /** Removes a record by compare-and-set on `rev` (409). What it still had to tell is told with the removal. */
  async remove(caller: Caller, item: Item<E>, { facts }: WithFacts = {}): Promise<void> {
    const removal = item as unknown as Removal;
    this.#demandCarried(caller, removal.id, removal.rev);
    caller.locals.trail?.({ type: this.entity.name, id: removal.id });
    await this.#removals.take(
      removal,
      (life) => this.#around(caller, item as object as Doc, life),
      (typeof facts === "function" ? facts(item) : facts) ?? [],
    );
  }

  /**
   * Removes everything that fits, without compare-and-set, in slices (in the order of `by`, which an index must have);
   * answers how many. What a record still had to tell is told with its removal. May be repeated after a kill; what
   * ceased to fit meanwhile stays. `leaving` is told of each slice first.
   */
  removeAll(
    caller: Caller,
    query: Query,
    how: { by?: string; leaving?: (ids: readonly Key[]) => Promise<void> } = {},
  ): Promise<number> {
    return this.#removals.takeAll(this.within(caller, query), how);
  }
}

/** A total and its bound, as `meta` of a list has them. */
export type Total = Pick<Rows<never>["meta"], "total" | "more">;

async function totalOf(collection: Pick<Collection, "count">, query: Query): Promise<Total> {
  const counted = await collection.count({ query, most: TOTAL_BOUND + 1 });
  return counted > TOTAL_BOUND ? { total: TOTAL_BOUND, more: true } : { total: counted };
}

const pending = (facts: readonly Fact[] | undefined, at: string) =>
  facts?.length ? { _pending: facts.map((fact) => ({ ...fact, time: at })), _pendingSince: at } : undefined;

const duplicate = (entity: Entity, { fields }: DuplicateKey) =>
  conflict(
    `There is a ${entity.title} with the same ${fields.filter((field) => !OWN.has(field)).join(" and ") || "key"} already.`,
    { fields },
  );
