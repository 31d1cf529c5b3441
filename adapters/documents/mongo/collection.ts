import MongoDbAdapter from "moleculer-db-adapter-mongo";
import { MongoBulkWriteError } from "mongodb";
import type { Collection as Handle, Document, Filter, FindCursor, MongoClient, UpdateFilter, WithId } from "mongodb";
import { v7 as uuid } from "uuid";
import { DuplicateKey } from "../../../core/records/documents.ts";
import type {
  BulkOutcome,
  BulkWrite,
  Collection,
  Doc,
  Find,
  Group,
  Groups,
  Key,
  Query,
  Update,
} from "../../../core/records/documents.ts";
import { topLevel, totalOrder, type SortField } from "../paths.ts";
import { checkedQuery } from "../queries.ts";
import { checkedUpdate, seed } from "../updates.ts";
import { assertKey, plainDocument } from "../values.ts";
import { lanes } from "./lanes.ts";
import { pipeline } from "./groups.ts";
import { DUPLICATE, duplicateKey, isDuplicate, isUnknownHint } from "./indexes.ts";
import { Hints } from "./lists.ts";

interface Stored extends Document {
  _id: Key;
}

/** The used part of the adapter's class; its own types belong to an older driver. */
const Adapter = MongoDbAdapter as unknown as new (uri: string) => {
  client: MongoClient;
  collection: Handle<Stored>;
  createCursor(
    params: { query: Filter<Stored>; sort?: readonly string[]; limit?: number; offset?: number },
    isCounting: boolean,
  ): FindCursor<WithId<Stored>>;
  clear(): Promise<number>;
};

/**
 * A collection on MongoDB: moleculer-db-adapter-mongo on the current driver. The driver dropped what the adapter relied
 * on (events of Db, `result.ops`, `returnOriginal`, ObjectID); those methods are replaced. Ids stay strings and
 * numbers: nothing is turned into an ObjectId.
 */
export class MongoCollection extends Adapter implements Collection {
  /** Chooses the index for lists. */
  readonly hints = new Hints();

  constructor(client: MongoClient, handle: Handle<Document>) {
    super("");
    this.client = client;
    this.collection = handle as unknown as Handle<Stored>;
  }

  /** The client is shared and already connected; it belongs to MongoConnection. */
  async connect(): Promise<void> {}
  async disconnect(): Promise<void> {}

  stringToObjectID(id: unknown): unknown {
    return id;
  }

  /** With the tie-break by `_id` that the port promises. */
  transformSort(sort: readonly string[]): Record<string, 1 | -1> {
    return sort.length > 0
      ? Object.fromEntries(totalOrder(sort).map(({ path, descending }) => [path, descending ? -1 : 1]))
      : {};
  }

  async find({ query = {}, sort, limit, offset, fields }: Find = {}): Promise<Doc[]> {
    return this.#hinted(query, sort?.length ? totalOrder(sort) : undefined, (asked, hint) => {
      const cursor = this.createCursor({ query: asked, sort, limit, offset }, false);
      if (fields) cursor.project(Object.fromEntries(topLevel(fields).map((name) => [name, 1])));
      if (hint) cursor.hint(hint);
      return cursor.toArray();
    });
  }

  /** Reads by the index for lists; by the server's choice where somebody dropped that index. */
  async #hinted<T>(
    query: Query,
    order: readonly SortField[] | undefined,
    run: (query: Filter<Stored>, hint?: string) => Promise<T>,
  ): Promise<T> {
    const checked = checkedQuery(query);
    const hinted = order && this.hints.of(checked, order);
    if (!hinted) return run(checked as Filter<Stored>);
    try {
      return await run(hinted.query as Filter<Stored>, hinted.hint);
    } catch (error) {
      if (!isUnknownHint(error)) throw error;
      return run(checked as Filter<Stored>);
    }
  }

  async findOne(query: Query): Promise<Doc | null> {
    return this.collection.findOne(filter(query));
  }

  async findById(id: Key): Promise<Doc | null> {
    assertKey(id);
    return this.collection.findOne({ _id: id });
  }

  async findByIds(ids: readonly Key[]): Promise<Doc[]> {
    return this.find({ query: { _id: { $in: ids } } });
  }

  async count({ query = {}, most }: { query?: Query; most?: number } = {}): Promise<number> {
    return this.#hinted(query, [], (asked, hint) =>
      this.collection.countDocuments(asked, { ...(most !== undefined && { limit: most }), ...(hint && { hint }) }),
    );
  }

  async groups(params: Groups): Promise<Group[]> {
    return this.collection.aggregate<Group>(pipeline(params, filter(params.query ?? {}))).toArray();
  }

  async insert(doc: Doc): Promise<Doc> {
    const held = plainDocument(doc);
    await this.#refusing(() => this.collection.insertOne(held as Stored));
    return held;
  }

  /** In order, up to the first refused one. */
  async insertMany(docs: readonly Doc[]): Promise<Doc[]> {
    const held = docs.map(plainDocument);
    if (held.length > 0) await this.#refusing(() => this.collection.insertMany(held as Stored[]));
    return held;
  }

  async updateById(id: Key, update: Update): Promise<Doc | null> {
    assertKey(id);
    return this.claim({ _id: id }, update);
  }

  /** The number of documents matched, including those that the update left unchanged. */
  async updateMany(query: Query, update: Update): Promise<number> {
    const condition = filter(query);
    const change = checkedUpdate(update) as UpdateFilter<Stored>;
    return (await this.#refusing(() => this.collection.updateMany(condition, change))).matchedCount;
  }

  async removeById(id: Key): Promise<Doc | null> {
    assertKey(id);
    return this.collection.findOneAndDelete({ _id: id });
  }

  async removeMany(query: Query): Promise<number> {
    return (await this.collection.deleteMany(filter(query))).deletedCount;
  }

  async claim(
    query: Query,
    update: Update,
    { sort = [], upsert = false }: { sort?: readonly string[]; upsert?: boolean } = {},
  ): Promise<Doc | null> {
    const condition = filter(query);
    const change = upsert ? withId(condition, checkedUpdate(update)) : checkedUpdate(update);
    const options = { sort: this.transformSort(sort), upsert, returnDocument: "after" } as const;
    const attempt = (): Promise<Doc | null> =>
      this.collection.findOneAndUpdate(condition, change as UpdateFilter<Stored>, options);
    try {
      return await attempt();
    } catch (error) {
      // Two upserts may both find nothing; the second finds the first one's document when it tries again.
      if (!upsert || !isDuplicate(error)) throw this.#translated(error);
    }
    return this.#refusing(attempt);
  }

  /**
   * Runs of inserts are one command, other writes separate commands (the protocol has no count for each), concurrent
   * unless they may touch the same document.
   */
  async bulk(writes: readonly BulkWrite[]): Promise<BulkOutcome> {
    const counts = writes.map(() => 0);
    for (const lane of lanes(writes)) {
      if (lane.inserts) await this.#insertRun(lane.inserts, counts);
      else
        await Promise.all(
          lane.chains.map(async (chain) => {
            for (const { at, run } of chain) counts[at] = await this.#counted(() => run(this));
          }),
        );
    }
    return { counts };
  }

  async #insertRun(inserts: readonly { at: number; doc: Doc }[], counts: number[]): Promise<void> {
    for (const { at } of inserts) counts[at] = 1;
    try {
      await this.collection.insertMany(
        inserts.map(({ doc }) => doc as Stored),
        { ordered: false },
      );
    } catch (error) {
      if (!(error instanceof MongoBulkWriteError)) throw error;
      const failures = [error.writeErrors].flat();
      if (failures.some(({ code }) => code !== DUPLICATE)) throw error;
      for (const { index } of failures) counts[inserts[index]!.at] = -1;
    }
  }

  async #counted(run: () => Promise<number>): Promise<number> {
    try {
      return await run();
    } catch (error) {
      if (error instanceof DuplicateKey) return -1;
      throw error;
    }
  }

  async #refusing<T>(run: () => Promise<T>): Promise<T> {
    try {
      return await run();
    } catch (error) {
      throw this.#translated(error);
    }
  }

  #translated(error: unknown): unknown {
    return isDuplicate(error) ? duplicateKey(this.collection.collectionName, error) : error;
  }
}

const filter = (query: Query): Filter<Stored> => checkedQuery(query) as Filter<Stored>;

/** The server would create an ObjectId; our ids are strings and numbers. */
function withId(query: Query, update: Update): Update {
  if (seed(query)["_id"] !== undefined || update.$setOnInsert?.["_id"] !== undefined) return update;
  return { ...update, $setOnInsert: { ...update.$setOnInsert, _id: uuid() } };
}
