import { realpathSync } from "node:fs";
import { hostname } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { DatabaseSync } from "node:sqlite";
import { StartRefused } from "../core/start-refused.ts";

const BUSY = 5;
/** How long another process that locks the folder at the same moment needs to write its name. */
const PATIENCE_MS = 250;

/** Another process has the folder. */
export class FolderInUse extends StartRefused {}

interface Held {
  database: DatabaseSync;
  times: number;
}
/** This process's locks, by file: several nodes of one process share a folder. */
const held = new Map<string, Held>();

const fileOf = (folder: string): string => join(realpathSync(folder), "node.lock");

/** Whether this process has locked a folder. */
export const hasFolder = (folder: string): boolean => held.has(fileOf(folder));

/**
 * Locks a folder for this process, and returns the function that unlocks it. The lock is SQLite's own on `node.lock`,
 * which ends with the process in any case; the file tells others who has it. @throws FolderInUse, naming the process,
 * or StartRefused where the folder cannot be locked
 */
export function lockFolder(folder: string): () => void {
  const file = fileOf(folder);
  const lock = held.get(file) ?? { database: taken(folder, file), times: 0 };
  held.set(file, lock);
  lock.times++;
  let given = false;
  return () => {
    if (given) return;
    given = true;
    if (--lock.times > 0) return;
    held.delete(file);
    lock.database.close();
  };
}

function taken(folder: string, file: string): DatabaseSync {
  let database: DatabaseSync | undefined;
  try {
    database = new DatabaseSync(file, { timeout: PATIENCE_MS });
    // In this mode the lock outlasts the commit, so that others can read what was written.
    database.exec(`pragma locking_mode = exclusive; begin exclusive;
      create table if not exists holder (id integer primary key, pid integer not null, host text not null) strict`);
    database.prepare("insert or replace into holder values (1, ?, ?)").run(process.pid, hostname());
    database.exec("commit");
    return database;
  } catch (error) {
    database?.close();
    const { errcode = 0, message } = error as { errcode?: number; message: string };
    if ((errcode & 0xff) === BUSY) throw new FolderInUse(inUse(folder, holderOf(file)), { cause: error });
    throw new StartRefused(`${folder} cannot be taken for this process, by ${file}: ${message}.`, { cause: error });
  }
}

const inUse = (folder: string, holder: string): string =>
  `${folder} is in use by process ${holder}: an embedded store belongs to one process. Stop that one first, ` +
  "or give this one a DATA_DIR of its own.";

/** `pid on host`, read in spite of the lock. */
function holderOf(file: string): string {
  try {
    const database = new DatabaseSync(new URL(`${pathToFileURL(file).href}?immutable=1`), { readOnly: true });
    try {
      const { pid, host } = database.prepare("select pid, host from holder").get() as { pid: number; host: string };
      return `${pid} on ${host}`;
    } finally {
      database.close();
    }
  } catch {
    return "of an unknown number";
  }
}
