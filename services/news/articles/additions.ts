import { DuplicateKey, type Collection, type Doc } from "../../../core/documents.ts";

/**
 * Adds documents that are the same whenever they have the same id, passing over those that are there already. They nearly never
 * are: one plain insert of all is tried first, and costs half of what inserts that may fail one by one do.
 */
export async function addMissing(collection: Collection, docs: readonly Doc[]): Promise<void> {
  if (!docs.length) return;
  try {
    await collection.insertMany(docs);
  } catch (error) {
    if (!(error instanceof DuplicateKey)) throw error;
    await collection.bulk(docs.map((doc) => ({ insert: doc })));
  }
}
