import { MongoServerError, type Db, type IndexDescription } from "mongodb";
import { DuplicateKey, type Index } from "../../../core/records/documents.ts";
import { isAway } from "./away.ts";
import { direction } from "../paths.ts";
import { serverIndexes, type ServerIndex } from "./lists.ts";

/** The server's code for a write that a unique index refuses. */
export const DUPLICATE = 11000;

/**
 * The index as MongoDB defines it. A plain one ends with `_id`, so that it also serves the tie-break of a sort. A
 * unique sparse one is partial where the server supports that: a sparse one would require nulls to be unique, and a
 * compound one every document with any of its fields. The filter is one that the planner recognises as implied by an
 * equality. @throws TypeError for an index without fields or a name no query can use
 */
export function description({ declared, fields }: ServerIndex, partial: boolean): IndexDescription {
  const { unique, sparse, having } = declared;
  const order = fields.map(direction);
  const key: Record<string, 1 | -1> = Object.fromEntries(
    order.map(({ path, descending }) => [path, descending ? -1 : 1]),
  );
  const name = [fields.join(","), unique && "unique", sparse && "sparse", having && `having ${having}`]
    .filter(Boolean)
    .join(" ");
  if (!unique) {
    const ordered = { ...key, _id: key["_id"] ?? (order.at(-1)!.descending ? -1 : 1) } as const;
    // Some servers refuse two indexes on the same fields, even if they cover different documents.
    return having && ordered[having as "_id"] === undefined
      ? { name, key: { ...ordered, [having]: 1 }, partialFilterExpression: { [having]: { $exists: true } } }
      : { name, key: ordered, ...(sparse && { sparse }) };
  }
  if (!sparse) return { name, key, unique };
  const first = order[0]!.path;
  if (!partial) return { name, key, unique, sparse };
  return {
    name,
    key,
    unique,
    partialFilterExpression: { $or: [{ [first]: { $gte: "" } }, { [first]: { $gte: -Infinity } }] },
  };
}

/**
 * The server's indexes for the declared ones, each once: declarations that differ only in optional parts share one
 * here. @throws TypeError for an index without fields or a name no query can use
 */
export function wantedIndexes(indexes: readonly Index[], partial: boolean): [ServerIndex, IndexDescription][] {
  const all = indexes.flatMap((declared) => {
    if (!Array.isArray(declared.fields) || declared.fields.length === 0)
      throw new TypeError("An index must name at least one field.");
    return serverIndexes(declared).map(
      (index) => [index, description(index, partial)] as [ServerIndex, IndexDescription],
    );
  });
  return [...Map.groupBy(all, ([, { key, unique }]) => JSON.stringify([key, unique])).values()].map(
    ([first]) => first!,
  );
}

/** Creates missing indexes; one on the same fields with another definition is replaced. */
export async function ensureIndexes(db: Db, name: string, wanted: readonly IndexDescription[]): Promise<void> {
  if (wanted.length === 0) return;
  const collection = db.collection(name);
  const exists = await db.listCollections({ name }, { nameOnly: true }).hasNext();
  const held = exists ? await collection.indexes() : [];
  const missing = wanted.filter(({ name: own }) => !held.some((index) => index.name === own));
  for (const old of held) {
    if (missing.some(({ key }) => JSON.stringify(key) === JSON.stringify(old.key)))
      await collection.dropIndex(old.name!);
  }
  try {
    if (missing.length > 0) await collection.createIndexes(missing);
  } catch (error) {
    throw isDuplicate(error) ? duplicateKey(name, error) : error;
  }
}

/**
 * Whether a partial unique index applies only to the documents of its filter. Some servers of the protocol accept and
 * show the filter, but ignore it; so it is tried with two documents without the field, which remain.
 */
export async function supportsPartialIndexes(db: Db): Promise<boolean> {
  const probe = db.collection<{ _id: number }>("_partial_index_probe");
  try {
    const [[, index]] = wantedIndexes([{ fields: ["field"], unique: true, sparse: true }], true) as [
      [ServerIndex, IndexDescription],
    ];
    await probe.createIndexes([index]);
    for (const _id of [1, 2]) await probe.updateOne({ _id }, { $set: { probed: true } }, { upsert: true });
    return true;
  } catch (error) {
    if (error instanceof MongoServerError && !isAway(error)) return false;
    throw error;
  }
}

export const isDuplicate = (error: unknown): error is MongoServerError =>
  error instanceof MongoServerError && error.code === DUPLICATE;

/** The server's code for an invalid operand, such as a hint of an index that does not exist. */
const BAD_VALUE = 2;
export const isUnknownHint = (error: unknown): boolean =>
  error instanceof MongoServerError && error.code === BAD_VALUE && /\bhint\b/i.test(error.message);

/**
 * The port's error for the server's E11000; the fields come from its keyPattern, or from the index's name where it
 * sends none.
 */
export function duplicateKey(collection: string, error: MongoServerError): DuplicateKey {
  const pattern = (error as { keyPattern?: Record<string, unknown> }).keyPattern;
  if (pattern) return new DuplicateKey(collection, Object.keys(pattern));
  const name = (error.message.split("index: ", 2)[1] ?? "").split(" dup key", 1)[0]!;
  if (name === "_id_") return new DuplicateKey(collection, ["_id"]);
  return new DuplicateKey(
    collection,
    name
      .split(" ", 1)[0]!
      .split(",")
      .map((field) => field.replace(/^-/, ""))
      .filter(Boolean),
  );
}
