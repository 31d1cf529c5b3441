import { apply } from "../../../../adapters/documents/updates.ts";
import type { Caller } from "../../../../core/access/caller.ts";
import { isDuplicate, type BulkWrite, type Doc, type Key, type Query } from "../../../../core/records/documents.ts";
import type { Update } from "../../../../core/records/documents.ts";
import type { Entity, Item } from "../../../../core/records/entity.ts";
import type { Store } from "../../../../core/records/store.ts";
import { inward, outward } from "../../../../core/records/stored-form.ts";

interface Belonging<E extends Entity> {
  store: Store<E>;
  /** The field that names a record's article. */
  of: string;
  articles: ReadonlySet<number>;
  /** A record that somebody else changed meanwhile stays as it is. */
  byRevision?: boolean;
}

/**
 * The records of a few articles as they will be: reads see writes at once, and `keep` stores them, all changes of a
 * record as one. It replaces the entity's store, as far as verification uses it.
 */
export class Staged<E extends Entity> {
  readonly collection = this;
  readonly #parts: Belonging<E>;
  readonly #was = new Map<Key, Doc>();
  readonly #now = new Map<Key, Doc>();
  readonly #removals: Query[] = [];

  private constructor(parts: Belonging<E>) {
    this.#parts = parts;
  }

  static async open<E extends Entity>(parts: Belonging<E>): Promise<Staged<E>> {
    const staged = new Staged(parts);
    await staged.#load();
    return staged;
  }

  /** Reads those that are not known yet. */
  async #load(): Promise<void> {
    const { store, of, articles } = this.#parts;
    const found = await store.collection.find({ query: { [of]: { $in: [...articles] } } });
    for (const doc of found.sort((a, b) => (a._id < b._id ? -1 : 1)))
      if (!this.#was.has(doc._id)) {
        this.#was.set(doc._id, doc);
        this.#now.set(doc._id, doc);
      }
  }

  /** The records as they were stored, and as they are now. */
  get changes(): { was: Iterable<Doc>; now: Iterable<Doc> } {
    return { was: this.#was.values(), now: this.#now.values() };
  }

  get #changed(): Doc[] {
    return [...this.#now.values()].filter((doc) => this.#was.get(doc._id) !== doc);
  }

  /** The number of records to write. */
  get size(): number {
    return this.#removals.length + this.#changed.length;
  }

  async find(caller: Caller, query: Query, how: { sort?: readonly string[] } = {}): Promise<Item<E>[]> {
    const { store, of, articles } = this.#parts;
    if (!articles.has(query[of] as number)) return store.find(caller, query, how);
    const found = [...this.#now.values()].filter(fitting(query));
    return (how.sort ? found.sort(inOrder(how.sort)) : found).map(outward);
  }

  async one(caller: Caller, query: Query): Promise<Item<E> | null> {
    return (await this.find(caller, query))[0] ?? null;
  }

  async get(caller: Caller, id: Key): Promise<Item<E>> {
    const doc = this.#now.get(id);
    return doc ? outward(doc) : this.#parts.store.get(caller, id);
  }

  /** Stores at once: uniqueness is checked against the stored records. */
  async createMany(caller: Caller, given: readonly Record<string, unknown>[]): Promise<Item<E>[]> {
    try {
      const made = await this.#parts.store.createMany(caller, given);
      for (const doc of made.map(inward)) {
        this.#was.set(doc._id, doc);
        this.#now.set(doc._id, doc);
      }
      return made;
    } catch (error) {
      if (isDuplicate(error)) await this.#load();
      throw error;
    }
  }

  async claim(query: Query, update: Update, { upsert = false } = {}): Promise<Doc | null> {
    const id = query["_id"] as Key;
    const before = this.#now.get(id);
    if (before ? !fitting(query)(before) : !upsert) return null;
    const after = apply(before ? { ...before } : { _id: id }, update, !before);
    this.#now.set(id, after);
    return after;
  }

  async bulk(writes: readonly BulkWrite[]): Promise<void> {
    for (const write of writes) {
      if ("insert" in write) throw new TypeError("What is staged is made by an upsert.");
      if ("update" in write) await this.claim(write.update, write.with, { upsert: write.upsert ?? false });
      else {
        this.#removals.push(write.remove);
        const isGone = fitting(write.remove);
        for (const [id, doc] of this.#now)
          if (isGone(doc)) {
            this.#now.delete(id);
            this.#was.delete(id);
          }
      }
    }
  }

  /**
   * Stores all changes. Answers the ids of records that somebody else changed or created meanwhile, which stay as they
   * are.
   */
  async keep(): Promise<Key[]> {
    const { store, byRevision = false } = this.#parts;
    const removals = this.#removals.map((remove): BulkWrite => ({ remove }));
    const [changed, fresh] = [true, false].map((isKnown) =>
      this.#changed.filter(({ _id }) => this.#was.has(_id) === isKnown),
    ) as [Doc[], Doc[]];
    const updates = changed.map((doc): BulkWrite => {
      const was = this.#was.get(doc._id)!;
      return { update: { _id: doc._id, ...(byRevision && { rev: was["rev"] }) }, with: difference(was, doc) };
    });
    // Asked for in one turn: stored in one step where the store can.
    const asked = [
      removals.length + updates.length ? store.bulk([...removals, ...updates]) : undefined,
      fresh.length ? store.bulk(fresh.map((insert) => ({ insert }))) : undefined,
    ] as const;
    const [updated, inserted] = await Promise.all(asked);
    const refused = fresh.filter((_, at) => inserted!.counts[at]! < 0);
    if (byRevision)
      return [...changed.filter((_, at) => updated!.counts[removals.length + at] === 0), ...refused].map(
        ({ _id }) => _id,
      );
    if (refused.length)
      await store.bulk(refused.map(({ _id, ...$set }) => ({ update: { _id }, with: { $set }, upsert: true })));
    return [];
  }
}

/** The update that turns one record into another. */
function difference(was: Doc, now: Doc): Update {
  const { rev, ...rest } = now;
  const $set = Object.fromEntries(Object.entries(rest).filter(([field, value]) => was[field] !== value));
  const gone = Object.keys(was).filter((field) => !(field in now));
  return {
    $set,
    ...(gone.length && { $unset: Object.fromEntries(gone.map((field) => [field, 1])) }),
    $inc: { rev: (rev as number) - (was["rev"] as number) },
  };
}

/** Whether records match a query of the few kinds that verification uses. */
function fitting(query: Query): (doc: Doc) => boolean {
  const tests = Object.entries(query).flatMap(([field, wanted]) =>
    typeof wanted === "object" && wanted !== null
      ? Object.entries(wanted).map(([operator, operand]) => testOf(field, operator, operand))
      : [(doc: Doc) => doc[field] === wanted],
  );
  return (doc) => tests.every((test) => test(doc));
}

function testOf(field: string, operator: string, operand: unknown): (doc: Doc) => boolean {
  if (operator === "$ne") return (doc) => doc[field] !== operand;
  if (operator === "$in") return (doc) => (operand as unknown[]).includes(doc[field]);
  if (operator === "$nin") return (doc) => !(operand as unknown[]).includes(doc[field]);
  throw new TypeError(`What is staged is not asked by ${operator}.`);
}

/** Sorts as the store does: ties by id, in the direction of the last field. */
function inOrder(sort: readonly string[]): (one: Doc, other: Doc) => number {
  const fields = sort.map((name) => (name.startsWith("-") ? ([name.slice(1), -1] as const) : ([name, 1] as const)));
  const order = [...fields, ["_id", fields.at(-1)![1]] as const];
  return (one, other) => {
    for (const [field, direction] of order)
      if (one[field] !== other[field]) return one[field] < other[field] ? -direction : direction;
    return 0;
  };
}
