import { createHash } from "node:crypto";
import { createReadStream, existsSync } from "node:fs";
import { chmod, open, rename, rm } from "node:fs/promises";
import { dirname, resolve } from "node:path";
import { backup, DatabaseSync } from "node:sqlite";
import { blobFaults, dropBlobs, packBlobs, unpackBlobs, type Packed } from "../blobs/backup.ts";
import { isCollectionName } from "./names.ts";
import { COLLECTION as ROOT_SECRET, ROOT } from "../root-secret.ts";

/** The description of a backup, in a table of its file. */
export interface Manifest {
  /** Form of the backup. */
  format: 1;
  /** Version of the platform that made it. */
  version: string;
  madeAt: string;
  /** Documents in each collection. */
  collections: Record<string, number>;
  /** Blobs in it; absent in backups of versions that had none. */
  blobs?: Packed;
  /** Identifies the root secret of the store's keys, without revealing anything about it. */
  fingerprint: string;
  /** The root secret as 64 hexadecimal characters, unless it was left out or belongs to the environment. */
  secret?: string;
}

/** Documents in each collection; indexes, and what the store keeps for itself, have tables of other names. */
export function countCollections(database: DatabaseSync): Record<string, number> {
  const schema = "select name from sqlite_schema where type = 'table' and name not like 'sqlite\\_%' escape '\\'";
  const tables = database.prepare(`${schema} order by name`).all();
  const names = tables.map(({ name }) => name as string).filter(isCollectionName);
  return Object.fromEntries(
    names.map((name) => [name, Number(database.prepare(`select count(*) as count from "${name}"`).get()!["count"])]),
  );
}

/** Flushes a file, and the folder's entry of it. */
async function settle(path: string): Promise<void> {
  for (const each of [path, dirname(resolve(path))]) {
    const handle = await open(each, "r");
    await handle.sync();
    await handle.close();
  }
}

/**
 * Copies the embedded store into one file, consistent at one moment not before the call, while nodes continue to write
 * (SQLite's online backup, https://sqlite.org/backup.html, in one step: with several, each write in between would
 * restart it). The file appears under its name when it is complete, durable, and readable by its owner alone. Throws
 * where there is no store, or the file exists already.
 */
export async function backUp(
  store: string,
  path: string,
  about: Omit<Manifest, "format" | "collections" | "blobs">,
): Promise<Manifest> {
  if (!existsSync(store)) throw new Error(`There is no store at ${store}.`);
  if (existsSync(path)) throw new Error(`${path} exists; a backup does not replace another.`);
  const partial = `${path}.partial`;
  await rm(partial, { force: true });
  try {
    await (await open(partial, "wx", 0o600)).close();
    const source = new DatabaseSync(store, { readOnly: true, timeout: 10_000 });
    try {
      await backup(source, partial, { rate: 2 ** 31 - 1 });
    } finally {
      source.close();
    }
    const manifest = inscribe(partial, dirname(resolve(store)), { format: 1, ...about });
    await chmod(partial, 0o600);
    await settle(partial);
    await rename(partial, path);
    await settle(path);
    return manifest;
  } finally {
    for (const side of ["", "-wal", "-shm", "-journal"]) await rm(`${partial}${side}`, { force: true });
  }
}

/** Writes blobs and manifest into the copy, and makes it a single file without a log. */
function inscribe(path: string, dataDir: string, about: Omit<Manifest, "collections">): Manifest {
  const copy = new DatabaseSync(path);
  try {
    copy.exec("pragma journal_mode = delete; create table _backup (manifest text not null) strict");
    refuseOtherSecret(copy, about.fingerprint);
    const blobs = packBlobs(copy, dataDir);
    const manifest: Manifest = { ...about, collections: countCollections(copy), blobs };
    copy.prepare("insert into _backup values (?)").run(JSON.stringify(manifest));
    return manifest;
  } finally {
    copy.close();
  }
}

/** The secret named by a backup must be the store's: encrypted values open with no other. */
function refuseOtherSecret(copy: DatabaseSync, fingerprint: string): void {
  if (!copy.prepare("select 1 from sqlite_schema where name = ?").get(ROOT_SECRET)) return;
  const row = copy
    .prepare(`select json_extract(doc, '$.fingerprint') as kept from ${ROOT_SECRET} where id = ?`)
    .get(ROOT);
  if (!row || row["kept"] === fingerprint) return;
  throw new Error(
    `The store is under another root secret (fingerprint ${String(row["kept"])}) than the one at hand ` +
      `(${fingerprint}): set SECRET as its nodes have it.`,
  );
}

/** The faults of a backup; none where it is as it was made. */
export interface Examined {
  manifest: Manifest;
  faults: string[];
  sha256: string;
  bytes: number;
}

/**
 * Reads a backup completely: SQLite's own integrity check, the number of documents in each collection against the
 * manifest, and the faults that `more` finds in the open file. Throws where the file is no backup of ours.
 */
export async function examine(
  path: string,
  more: (database: DatabaseSync) => readonly string[] = () => [],
): Promise<Examined> {
  const { sha256, bytes } = await digest(path);
  const database = new DatabaseSync(path, { readOnly: true });
  try {
    const manifest = manifestOf(database, path);
    const damage = (database.prepare("pragma integrity_check(20)").all() as { integrity_check: string }[])
      .map((row) => row.integrity_check)
      .filter((line) => line !== "ok");
    if (damage.length) return { manifest, faults: damage, sha256, bytes };
    const found = countCollections(database);
    const names = [...new Set([...Object.keys(found), ...Object.keys(manifest.collections)])];
    const differing = names
      .filter((name) => found[name] !== manifest.collections[name])
      .map((name) => `${name}: ${found[name] ?? 0} documents, the manifest says ${manifest.collections[name] ?? 0}`);
    return {
      manifest,
      faults: [...differing, ...blobFaults(database, manifest.blobs), ...more(database)],
      sha256,
      bytes,
    };
  } catch (error) {
    throw error instanceof NoBackup ? error : noBackup(path, error);
  } finally {
    database.close();
  }
}

class NoBackup extends Error {}
const noBackup = (path: string, cause: unknown): NoBackup =>
  new NoBackup(`${path} is no backup of Signalmesh, or it is damaged: ${(cause as Error).message}`, { cause });

function manifestOf(database: DatabaseSync, path: string): Manifest {
  try {
    const row = database.prepare("select manifest from _backup").get() as { manifest: string };
    const manifest = JSON.parse(row.manifest) as Manifest;
    // Earlier versions counted tables of indexes among the collections.
    const collections = Object.entries(manifest.collections).filter(([name]) => isCollectionName(name));
    return { ...manifest, collections: Object.fromEntries(collections) };
  } catch (error) {
    throw noBackup(path, error);
  }
}

async function digest(path: string): Promise<{ sha256: string; bytes: number }> {
  const hash = createHash("sha256");
  let bytes = 0;
  for await (const chunk of createReadStream(path) as AsyncIterable<Buffer>) {
    hash.update(chunk);
    bytes += chunk.length;
  }
  return { sha256: hash.digest("hex"), bytes };
}

const BUSY = 5;
/** Damaged, not to be opened, or no database: nobody can be using it. */
const UNUSABLE = [11, 14, 26];

/**
 * Whether a process has the store open. Each connection to a file with a write-ahead log holds a shared lock, so
 * leaving that mode needs exclusive access.
 */
export function isInUse(store: string): boolean {
  let database: DatabaseSync | undefined;
  try {
    database = new DatabaseSync(store, { timeout: 0 });
    database.exec("pragma journal_mode = delete");
    return false;
  } catch (error) {
    const code = ((error as { errcode?: number }).errcode ?? 0) % 256;
    if (code === BUSY) return true;
    if (UNUSABLE.includes(code)) return false;
    throw error;
  } finally {
    database?.close();
  }
}

/**
 * Makes a store from a backup, with its blobs, without its manifest and secret; it appears under its name when it is
 * complete and durable.
 */
export async function unpack(path: string, store: string): Promise<void> {
  const partial = `${store}.partial`;
  await rm(partial, { force: true });
  const source = new DatabaseSync(path, { readOnly: true });
  try {
    unpackBlobs(source, dirname(resolve(store)));
    await backup(source, partial, { rate: 2 ** 31 - 1 });
  } finally {
    source.close();
  }
  const made = new DatabaseSync(partial);
  made.exec("pragma secure_delete = on; drop table _backup");
  dropBlobs(made);
  made.close();
  await chmod(partial, 0o600);
  await settle(partial);
  await rename(partial, store);
  await settle(store);
}
