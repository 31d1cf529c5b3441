import { readInto, sees } from "../access/barrier.ts";
import { actorOf, type Caller } from "../access/caller.ts";
import { iso, type Clock } from "../clock.ts";
import { DuplicateKey, type Doc, type Key, type Query } from "./documents.ts";
import type { Entity, Item } from "./entity.ts";
import type { Fact } from "../events/event.ts";
import { newId } from "../ids.ts";
import { Places } from "./keeping/quota.ts";
import { conflict, isProblem, notFound } from "../problem.ts";
import { Reads } from "./reading/reads.ts";
import type { RemovalParts } from "./keeping/removals.ts";
import { beside, outward, OWN, pending } from "./stored-form.ts";
import { CARRIED, TRACE } from "../events/traces.ts";
import { nextId } from "../contract/repeatable.ts";

export interface StoreParts extends RemovalParts {
  clock: Clock;
  /** The next number of a counter; a block of them when `count` is given, answering the first. */
  number(counter: string, count?: number): Promise<number>;
  /** Told after a write that carries facts is durable: all that the record has to tell since. */
  stored(entity: Entity, id: Key, pending: readonly Fact[]): void;
  /** Told after a write is durable: the records as they are now, and as they were before. */
  written?(records: readonly object[]): void;
}

/** Facts to store with the write: given, or made from the record as it will be. */
export type FactsToStore = readonly Fact[] | ((record: any) => readonly Fact[]) | undefined;
export interface WithFacts {
  facts?: FactsToStore;
}
/** `beyondMost`: whatever the owner has, as what they cannot do without. */
interface Making extends WithFacts {
  beyondMost?: boolean;
}
/** Reads of one entity, and new records of it. */
export class Creation<E extends Entity> extends Reads<E> {
  protected readonly parts: StoreParts;
  readonly #places: Places | undefined;

  constructor(entity: E, parts: StoreParts) {
    super(entity, parts.collection);
    this.parts = parts;
    this.#places = entity.most && new Places(entity.most, parts.collection, entity.collection);
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
    if (told?.length) this.parts.stored(this.entity, doc._id, held["_pending"] as Fact[]);
    const made = outward(doc);
    this.parts.written?.([made]);
    return made;
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
      // Without an id of its own there is no earlier record to find.
      const isKnown = by.every((field) => given[field] !== undefined);
      const record = isProblem(error) && isKnown ? await this.one(caller, known) : null;
      if (!record) throw error;
      return { record, made: false };
    }
  }

  /**
   * Callers may only write where they could read. A new problem set has no members yet: its maker joins it afterwards.
   */
  protected refuseBeyond(caller: Caller, record: Record<string, unknown>): void {
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
    this.refuseBeyond(caller, record);
    return record;
  }

  /** What the store notes beside a followed record: that it changed, and which change it carried out. */
  protected marks(caller: Caller, rev: number): Record<string, unknown> {
    if (!this.entity.traced) return {};
    const { carries } = caller.locals;
    return { [TRACE]: rev, ...(carries && { [CARRIED]: carries.name }) };
  }

  async #draft(
    caller: Caller,
    given: Record<string, unknown>,
    facts: FactsToStore,
  ): Promise<{ doc: Doc; told: readonly Fact[] | undefined }> {
    const at = iso(this.parts.clock.now());
    const { idKind, name, collection } = this.entity,
      isNumbered = idKind === "number";
    const idem = isNumbered ? caller.locals.repeatable?.next(name) : undefined;
    const { carries } = this.entity.traced ? caller.locals : {};
    const own = carries?.makes ?? given["id"];
    const id = own ?? (isNumbered ? await this.parts.number(collection) : nextId(caller, name));
    const record = this.#recordOf(caller, { ...given, id }, at);
    caller.locals.trail?.({ type: name, id: id as Key });
    const told = typeof facts === "function" ? facts(record) : facts;
    const marks = this.marks(caller, 1);
    return { doc: beside(record, { ...marks, ...(idem && { _idem: idem }), ...pending(told, at) }), told };
  }

  /** The first of so many new numbers in a row, for records whose ids must be known before they are stored. */
  numbers(count: number): Promise<number> {
    return this.parts.number(this.entity.collection, count);
  }

  /**
   * As `createOnce`, by the ids that are given, for many in one durable write; answers them in order. Throws 409 where
   * another record is in the way of one.
   */
  async createEachOnce(
    caller: Caller,
    given: readonly (Record<string, unknown> & { id: string })[],
  ): Promise<{ record: Item<E>; made: boolean }[]> {
    const at = iso(this.parts.clock.now());
    const docs = given.map((fields) => beside(this.#recordOf(caller, fields, at), this.marks(caller, 1)));
    const { counts } = await this.collection.bulk(docs.map((insert) => ({ insert })));
    this.parts.written?.(docs.filter((_doc, n) => counts[n]! >= 0).map(outward));
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
    const at = iso(this.parts.clock.now());
    const first =
      this.entity.idKind === "number" && given.some(({ id }) => id === undefined)
        ? await this.parts.number(this.entity.collection, given.length)
        : 0;
    const records = given.map((fields, n) => {
      const id = fields["id"] ?? (this.entity.idKind === "number" ? first + n : newId());
      return this.#recordOf(caller, { ...fields, id }, at);
    });
    await this.collection.insertMany(records.map((record) => beside(record, this.marks(caller, 1))));
    this.parts.written?.(records);
    return records as Item<E>[];
  }

  /**
   * Stores new records, each on behalf of its own caller, in one durable write and in this order: none of them stands
   * without those before it; all are as old as `at` says. Throws DuplicateKey where a unique index refuses one; those
   * before it may stand by then.
   */
  async createInOrder(
    given: readonly { caller: Caller; fields: Record<string, unknown> & { id: string } }[],
    at = iso(this.parts.clock.now()),
  ): Promise<Item<E>[]> {
    const docs = given.map(({ caller, fields }) => {
      const record = this.#recordOf(caller, fields, at);
      caller.locals.trail?.({ type: this.entity.name, id: fields.id });
      return beside(record, this.marks(caller, 1));
    });
    await this.collection.insertMany(docs);
    const made = docs.map(outward);
    this.parts.written?.(made);
    return made;
  }
}

/** 409 in words, where a unique index refused: by what tells records of one problem set apart, if there is anything. */
export function duplicate(entity: Entity, { fields }: DuplicateKey) {
  const own = fields.filter((field) => !OWN.has(field));
  const inSet = own.filter((field) => field !== entity.barrier?.set);
  const same = (inSet.length ? inSet : own).join(" and ") || "key";
  return conflict(`Another ${entity.title} has the same ${same}.`, { fields });
}
