import { statSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";
import { StartRefused } from "../../../../core/start-refused.ts";

const CORRUPT = 11,
  NOT_A_DATABASE = 26,
  CANNOT_OPEN = 14,
  READ_ONLY = 8;
const PATIENCE_MS = 10_000;
/** Up to this size every page is checked after an unclean stop: some 100 ms. */
const SMALL = 32 * 1024 * 1024;
const TABLES = "select name from sqlite_schema where type = 'table' and name not like 'sqlite|_%' escape '|'";
const REMEDY = "Restore a backup (`npm run restore -- FILE --replace` keeps this file aside), or move it away.";

/** The fault of a file, in words; errors that are not SQLite's are rethrown. */
function inWords(file: string, error: unknown): StartRefused {
  const { errcode, message } = error as { errcode?: number; message: string };
  if (errcode === undefined) throw error;
  const why = (): string => {
    switch (errcode & 0xff) {
      case NOT_A_DATABASE:
        return `is no store: it does not begin as one does. Is DATA_DIR right? ${REMEDY}`;
      case CORRUPT:
        return `is damaged: ${message}. ${REMEDY}`;
      case CANNOT_OPEN:
      case READ_ONLY:
        return `cannot be opened to read and write: ${message}. Is its owner right?`;
      default:
        return `cannot be read: ${message}.`;
    }
  };
  return new StartRefused(`${file} ${why()}`, { cause: error });
}

const sizeOf = (path: string): number => statSync(path, { throwIfNoEntry: false })?.size ?? 0;

/**
 * Checks the file of a store before it is opened, at a cost independent of its size: its header, schema and length, and
 * the root of each table. After a kill, a small file is checked page by page. Answers whether it has content. @throws
 * StartRefused where it cannot be used
 */
export function examineStore(file: string): boolean {
  const found = statSync(file, { throwIfNoEntry: false });
  if (found && !found.isFile()) throw new StartRefused(`${file} is no file, and the store's belongs there. ${REMEDY}`);
  const log = sizeOf(`${file}-wal`);
  // SQLite would take the store for a new one, and delete that log.
  if (!found?.size && log) throw new StartRefused(`${file} is lost or empty, and its log is there (-wal). ${REMEDY}`);
  if (!found?.size) return false;
  let database: DatabaseSync | undefined;
  try {
    database = new DatabaseSync(file, { timeout: PATIENCE_MS });
    refuseShort(database, file);
    if (log && found.size <= SMALL) refuseTorn(database, file);
    return holdsAnything(database);
  } catch (error) {
    throw error instanceof StartRefused ? error : inWords(file, error);
  } finally {
    database?.close();
  }
}

/** The pages are counted before the log is checkpointed: others may write meanwhile. */
function refuseShort(database: DatabaseSync, file: string): void {
  const number = (pragma: string): number => Object.values(database.prepare(`pragma ${pragma}`).get()!)[0] as number;
  const bytes = number("page_count") * number("page_size");
  const { log, checkpointed } = database.prepare("pragma wal_checkpoint(passive)").get()!;
  if (log !== checkpointed || sizeOf(file) >= bytes) return;
  throw new StartRefused(`${file} is not whole: it has ${sizeOf(file)} bytes of ${bytes}. ${REMEDY}`);
}

function refuseTorn(database: DatabaseSync, file: string): void {
  const { quick_check: verdict } = database.prepare("pragma quick_check(1)").get() as { quick_check: string };
  if (verdict !== "ok") throw new StartRefused(`${file} is damaged: ${verdict.replaceAll("\n", " ")}. ${REMEDY}`);
}

/** Reads the first row of each table, not of an index; those that begin with an underscore are the store's own. */
function holdsAnything(database: DatabaseSync): boolean {
  const holding = (database.prepare(TABLES).all() as { name: string }[]).filter(({ name }) =>
    database.prepare(`select * from "${name.replaceAll('"', '""')}" not indexed limit 1`).get(),
  );
  return holding.some(({ name }) => !name.startsWith("_"));
}
