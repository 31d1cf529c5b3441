import { copyFile, mkdtemp, readdir } from "node:fs/promises";
import { rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { EmbeddedSearch } from "../adapters/search/embedded.ts";

const FILE = "signalmesh.db";
/** What the store knows of itself: which fields are indexed and of what kinds. */
const OWN = new Set(["_fields", "_pings"]);

/**
 * A folder with a store that has all its collections and indexes, and no record, of the first world of this process;
 * and with the whole search index of that.
 */
let prepared: { folder: string; files: readonly string[] } | undefined;

/**
 * Lays both into the folder of a world that is to start; without them a start makes some hundred indexes, and then
 * builds its search index anew.
 */
export async function layPrepared(dataDir: string): Promise<void> {
  if (!prepared) return;
  for (const file of prepared.files) await copyFile(join(prepared.folder, file), join(dataDir, file));
}

/** Makes the folder of a world that has started, once. */
export async function prepareFrom(dataDir: string): Promise<void> {
  if (prepared) return;
  const folder = await mkdtemp(join(tmpdir(), "signalmesh-prepared-"));
  process.once("exit", () => rmSync(folder, { recursive: true, force: true }));
  const search = new EmbeddedSearch(folder);
  await search.rebuild((async function* none() {})());
  await search.close();
  const file = join(folder, FILE);
  const started = new DatabaseSync(join(dataDir, FILE), { readOnly: true });
  started.prepare("vacuum into ?").run(file);
  started.close();
  const emptied = new DatabaseSync(file);
  emptied.exec("pragma synchronous = off; begin");
  for (const { name } of emptied.prepare("select name from sqlite_schema where type = 'table'").all())
    if (!OWN.has(String(name)) && !String(name).startsWith("sqlite_")) emptied.exec(`delete from "${name}"`);
  emptied.exec("commit; vacuum");
  emptied.close();
  prepared = { folder, files: await readdir(folder) };
}
