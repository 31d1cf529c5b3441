import { once } from "node:events";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { Worker } from "node:worker_threads";
import type { Env } from "../../config/env.ts";

/** What a collection takes up: its documents, and what finds them. */
export interface CollectionSize {
  collection: string;
  documents: number;
  bytes: number;
  indexBytes: number;
}

/**
 * What each collection takes up, the largest first. The embedded store is read through in a thread of its own; MongoDB
 * knows. Throws where there is no store.
 */
export async function collectionSizes({
  MONGO_URL,
  DATA_DIR,
}: Pick<Env, "MONGO_URL" | "DATA_DIR">): Promise<CollectionSize[]> {
  const sizes = await (MONGO_URL ? onServer(MONGO_URL) : inFile(join(DATA_DIR, "signalmesh.db")));
  return sizes.sort((one, other) => other.bytes + other.indexBytes - one.bytes - one.indexBytes);
}

async function inFile(file: string): Promise<CollectionSize[]> {
  if (!existsSync(file))
    throw new Error(`There is no store at ${file}: are DATA_DIR and MONGO_URL those of its nodes?`);
  const worker = new Worker(new URL("./sqlite/sizes.ts", import.meta.url), { workerData: { file } });
  const [sizes] = (await once(worker, "message")) as [CollectionSize[]];
  return sizes;
}

async function onServer(url: string): Promise<CollectionSize[]> {
  const { sizesAt } = await import("./mongo/sizes.ts");
  return sizesAt(url);
}
