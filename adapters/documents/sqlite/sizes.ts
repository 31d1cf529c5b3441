import { DatabaseSync } from "node:sqlite";
import { parentPort, workerData } from "node:worker_threads";
import { isCollectionName } from "../names.ts";
import type { CollectionSize } from "../sizes.ts";

/** Pages by what they belong to; a cell of a table's leaf is a row. */
const PAGES = `select name, sum(pgsize) as bytes, sum(iif(pagetype = 'leaf', ncell, 0)) as cells
  from dbstat group by name`;
const OWN = "(the store's own)";
const READINGS = "(readings)";

/** Whose a table or an index is: those of a collection have its name before a bar. */
function ownerOf(name: string): string {
  const [table] = (/^sqlite_autoindex_(.+)_\d+$/.exec(name)?.[1] ?? name).split("|") as [string];
  if (/^_(readings|series)$/.test(table)) return READINGS;
  return isCollectionName(table) && !table.startsWith("sqlite_") ? table : OWN;
}

/** Reads every page of the store once. */
function sizesIn(file: string): CollectionSize[] {
  const database = new DatabaseSync(file, { readOnly: true });
  const sizes = new Map<string, CollectionSize>();
  for (const { name, bytes, cells } of database.prepare(PAGES).iterate() as Iterable<{
    name: string;
    bytes: number;
    cells: number;
  }>) {
    const collection = ownerOf(name);
    const size = sizes.get(collection) ?? { collection, documents: 0, bytes: 0, indexBytes: 0 };
    sizes.set(collection, size);
    if (name === collection || name === "_readings") size.documents += cells;
    if (name === collection || collection === OWN || name === "_readings") size.bytes += bytes;
    else size.indexBytes += bytes;
  }
  database.close();
  return [...sizes.values()];
}

parentPort?.postMessage(sizesIn((workerData as { file: string }).file), []);
