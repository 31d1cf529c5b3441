/**
 * The port of the document store: the slice of moleculer-db's adapter form that the mesh relies on, plus what a store
 * that must lose nothing needs beyond it (atomic claim, durable bulk, grouped counts). Two adapters: embedded SQLite
 * and MongoDB; one suite runs over both.
 *
 * Semantics every adapter keeps:
 * - a write's promise resolves only when the write is durable (fsync or majority journal);
 * - a read that starts after a write has resolved sees it;
 * - each single-document write is atomic; `updateMany({ _id, rev }, ...)` is therefore a compare-and-set;
 * - queries compare within one type only, as MongoDB does: a number is never greater than a string; `null` matches a
 *   missing field;
 * - an equality or range on an array field means "some element".
 */
export type Key = string | number;
export type Doc = Record<string, any> & { _id: Key };
/**
 * MongoDB query language: $and $or $nor, $eq $ne $gt $gte $lt $lte $in $nin $exists $not $elemMatch $all $size $regex.
 * Never a client's own object.
 */
export type Query = Record<string, unknown>;
/** MongoDB update operators; no pipelines, no positional operators. */
export interface Update {
  $set?: Record<string, unknown>;
  $unset?: Record<string, unknown>;
  $inc?: Record<string, number>;
  $push?: Record<string, unknown>;
  $addToSet?: Record<string, unknown>;
  $pull?: Record<string, unknown>;
  /** Applies on insert by upsert only. */
  $setOnInsert?: Record<string, unknown>;
}

export interface Find {
  query?: Query;
  /** Field names, `-` in front for descending. Ties are broken by `_id` in the direction of the last field. */
  sort?: readonly string[];
  limit?: number;
  offset?: number;
  /** Only these top-level fields (and `_id`) are read. */
  fields?: readonly string[];
}

export interface Index {
  /** `-name` is descending. A field that holds an array is indexed by element where the engine can. */
  fields: readonly string[];
  unique?: boolean;
  /** Only documents that have the first field at all (not null) are in the index, and held to its uniqueness. */
  sparse?: boolean;
  /** Only documents that have this field (not null) are in the index; for one that is neither unique nor sparse. */
  having?: string;
  /**
   * Fields of it that hold few values, however many documents there are: a list that leaves them open looks through
   * them, and stays as cheap as the index is in order.
   */
  enumerated?: readonly string[];
  /** All values of such a field, null among them, for an engine that cannot find out which ones occur. */
  values?: Readonly<Record<string, readonly (string | number | boolean | null)[]>>;
  /**
   * The indexed array field by which documents are hidden; it has few different values. Engines that cannot scan whole
   * arrays leave it out.
   */
  hiddenBy?: string;
}

export interface CollectionOptions {
  indexes?: readonly Index[];
}

/** One write among many; each is independent of the others, all become durable together. */
export type BulkWrite = { insert: Doc } | { update: Query; with: Update; upsert?: boolean } | { remove: Query };

export interface BulkOutcome {
  /** Per write, in order: how many documents it changed; -1 where it failed on a unique index. */
  counts: number[];
}

export interface Groups {
  query?: Query;
  /** Group by the value of this field; absent: one group over all. With `unwind`, by each element of an array field. */
  by?: string;
  unwind?: boolean;
  /** Result name → field to add up, average, or take the extreme of. Non-numbers are passed over by sum and avg. */
  sum?: Record<string, string>;
  avg?: Record<string, string>;
  min?: Record<string, string>;
  max?: Record<string, string>;
}
export type Group = { key: unknown; count: number } & Record<string, any>;

export interface Collection {
  find(params?: Find): Promise<Doc[]>;
  findOne(query: Query): Promise<Doc | null>;
  findById(id: Key): Promise<Doc | null>;
  findByIds(ids: readonly Key[]): Promise<Doc[]>;
  /** How many match; counting stops at `most`, which is then the answer. */
  count(params?: { query?: Query; most?: number }): Promise<number>;
  /** Throws DuplicateKey. */
  insert(doc: Doc): Promise<Doc>;
  insertMany(docs: readonly Doc[]): Promise<Doc[]>;
  /** The document after the update, or null where none has that id. Throws DuplicateKey. */
  updateById(id: Key, update: Update): Promise<Doc | null>;
  updateMany(query: Query, update: Update): Promise<number>;
  removeById(id: Key): Promise<Doc | null>;
  removeMany(query: Query): Promise<number>;
  clear(): Promise<number>;
  /**
   * Atomically finds the first match in sort order, updates it and answers it as it then is; `upsert` makes it from the
   * query's equalities where none matches.
   */
  claim(query: Query, update: Update, options?: { sort?: readonly string[]; upsert?: boolean }): Promise<Doc | null>;
  bulk(writes: readonly BulkWrite[]): Promise<BulkOutcome>;
  groups(params: Groups): Promise<Group[]>;
}
/** The methods of a collection that write. */
export const WRITES = [
  "insert",
  "insertMany",
  "updateById",
  "updateMany",
  "removeById",
  "removeMany",
  "clear",
  "claim",
  "bulk",
] as const satisfies readonly (keyof Collection)[];

export interface Documents {
  readonly kind: "embedded" | "mongo";
  /**
   * Writes asked for in one turn of the event loop, before anything is awaited, are durable in one step and in that
   * order; elsewhere each is by itself.
   */
  readonly together?: boolean;
  /** Opens a collection, creating it and its indexes where they are missing; idempotent, and one object per name. */
  collection(name: string, options?: CollectionOptions): Promise<Collection>;
  /**
   * Resolves when all that can be read by now is durable; undefined where it is. An answer to somebody outside waits
   * for it, so that nobody is told what may be gone after a power cut.
   */
  readonly settled?: Promise<void> | undefined;
  /**
   * Documents by collection and id, whatever the collections, as they stand at one moment and by one question; null for
   * each that is not there. Missing where the engine has no such question.
   */
  pick?(keys: readonly { collection: string; id: Key }[]): Promise<(Doc | null)[]>;
  /** Told in words what keeps the store busy before it can answer. */
  told?: ((line: string) => void) | undefined;
  /** Rejects, in words, when the store cannot take a write now. */
  ping(): Promise<void>;
  close(): Promise<void>;
}

/**
 * Opens a collection with its first use and keeps it; what failed, because the store was away, is tried again by the
 * next use.
 */
export function opener(documents: Documents, name: string, options?: CollectionOptions): () => Promise<Collection> {
  let opened: Promise<Collection> | undefined;
  return () => {
    if (!opened) {
      opened = documents.collection(name, options);
      opened.catch(() => {
        opened = undefined;
      });
    }
    return opened;
  };
}

/** A unique index refused a write. */
export class DuplicateKey extends Error {
  readonly collection: string;
  /** Fields of the index that refused, as far as the engine tells. */
  readonly fields: readonly string[];
  constructor(collection: string, fields: readonly string[]) {
    super(`A document with the same ${fields.join(", ") || "key"} exists in ${collection}.`);
    this.name = "DuplicateKey";
    this.collection = collection;
    this.fields = fields;
  }
}

export const isDuplicate = (error: unknown): error is DuplicateKey => error instanceof DuplicateKey;

/**
 * Stores a document unless a unique index, that of the ids above all, refuses it; answers whether it did. Of many at
 * once one is stored.
 */
export const insertOnce = (collection: Pick<Collection, "insert">, doc: Doc): Promise<boolean> =>
  collection.insert(doc).then(
    () => true,
    (error: unknown) => {
      if (isDuplicate(error)) return false;
      throw error;
    },
  );
