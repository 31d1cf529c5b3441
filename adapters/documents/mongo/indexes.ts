import { MongoServerError, type Db, type IndexDescription } from "mongodb";
import { DuplicateKey, type Index } from "../../../core/records/documents.ts";
import { isAway } from "./away.ts";
import { direction } from "../paths.ts";

/** The server's code for a write that a unique index refuses. */
export const DUPLICATE = 11000;

/**
 * The index as MongoDB knows it. A plain one ends with `_id`, so that it serves a sort down to the tie-break. A unique
 * sparse one is partial where the server can: a sparse one would hold nulls to uniqueness, and a compound one every
 * document that has any of its fields. The filter is one that the planner sees implied by an equality.
 * @throws TypeError for an index without fields or a name no query can use
 */
export function description({ fields, unique, sparse, hiddenBy }: Index, partial: boolean): IndexDescription {
  if (!Array.isArray(fields) || fields.length === 0) throw new TypeError("An index must name at least one field.");
  // Behind an array, of which the server keeps each element, nothing would be in order any more.
  const order = fields.filter((field) => field !== hiddenBy).map(direction);
  const key: Record<string, 1 | -1> = Object.fromEntries(
    order.map(({ path, descending }) => [path, descending ? -1 : 1]),
  );
  const name = [fields.join(","), unique && "unique", sparse && "sparse"].filter(Boolean).join(" ");
  if (!unique)
    return { name, key: { ...key, _id: key["_id"] ?? (order.at(-1)!.descending ? -1 : 1) }, ...(sparse && { sparse }) };
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

/** Makes the indexes that are missing; one on the same fields that was declared otherwise gives way. */
export async function ensureIndexes(db: Db, name: string, indexes: readonly Index[], partial: boolean): Promise<void> {
  if (indexes.length === 0) return;
  const collection = db.collection(name);
  const exists = await db.listCollections({ name }, { nameOnly: true }).hasNext();
  const held = exists ? await collection.indexes() : [];
  // Indexes that differ in what an engine may leave out are one here.
  const wanted = Map.groupBy(
    indexes.map((index) => description(index, partial)),
    ({ key, unique }) => JSON.stringify([key, unique]),
  );
  const missing = [...wanted.values()]
    .map(([first]) => first!)
    .filter(({ name: own }) => !held.some((index) => index.name === own));
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
 * Whether the server holds just the documents of the filter to a partial unique index. Some servers that speak the
 * protocol take the filter, show it, and pass it over; so it is tried, on two documents without the field that stay
 * where they are.
 */
export async function supportsPartialIndexes(db: Db): Promise<boolean> {
  const probe = db.collection<{ _id: number }>("_partial_index_probe");
  try {
    await probe.createIndexes([description({ fields: ["field"], unique: true, sparse: true }, true)]);
    for (const _id of [1, 2]) await probe.updateOne({ _id }, { $set: { probed: true } }, { upsert: true });
    return true;
  } catch (error) {
    if (error instanceof MongoServerError && !isAway(error)) return false;
    throw error;
  }
}

export const isDuplicate = (error: unknown): error is MongoServerError =>
  error instanceof MongoServerError && error.code === DUPLICATE;

/**
 * The port's error for the server's E11000; the fields from its keyPattern, or from the index's name where it sends
 * none.
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
