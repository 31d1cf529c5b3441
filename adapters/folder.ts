import { accessSync, closeSync, constants, fsyncSync, mkdirSync, openSync, rmSync, statSync, writeSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { StartRefused } from "../core/start-refused.ts";

/** @throws StartRefused where there is something else */
function isFolder(path: string, at: string): boolean {
  const found = statSync(at, { throwIfNoEntry: false });
  if (found && !found.isDirectory()) throw new StartRefused(`${path} cannot be a folder: ${at} is a file.`);
  return found !== undefined;
}

/**
 * Creates a folder and those above it, for its owner alone, and checks that this process may write there. One at a
 * time: Node's recursive version hangs where a parent exists and accepts no folders, as in /proc.
 * @returns the topmost folder that was created, which contains the others; undefined where all existed
 * @throws StartRefused
 */
export function makeFolder(path: string): string | undefined {
  const missing: string[] = [];
  try {
    for (let at = resolve(path); !isFolder(path, at); at = dirname(at)) missing.unshift(at);
    for (const each of missing) makeOne(path, each);
    accessSync(path, constants.R_OK | constants.W_OK | constants.X_OK);
    return missing[0];
  } catch (error) {
    const { code, syscall, message } = error as NodeJS.ErrnoException;
    if (syscall === undefined) throw error;
    const why = syscall === "access" ? "cannot be written to by this process" : "cannot be made";
    const words = `The folder ${path} ${why} (${code ?? message}): are its place and its owner right?`;
    throw new StartRefused(words, { cause: error });
  }
}

function makeOne(path: string, at: string): void {
  try {
    mkdirSync(at, { mode: 0o700 });
  } catch (error) {
    // Another process may have created it meanwhile.
    if ((error as NodeJS.ErrnoException).code !== "EEXIST" || !isFolder(path, at)) throw error;
  }
}

/**
 * Makes an empty file that only its owner can read, unless there is one: for SQLite, which takes whatever rights the
 * process's umask leaves, and gives its logs those of the file. What is wrong with the path SQLite tells.
 */
export function makeFileSecretly(path: string): void {
  try {
    closeSync(openSync(path, "wx", 0o600));
  } catch {}
}

/** Syncs a folder, so that names of new files are on the disk. Windows opens no folders, and needs none of it. */
export function syncFolder(path: string): void {
  if (process.platform === "win32") return;
  const descriptor = openSync(path, "r");
  fsyncSync(descriptor);
  closeSync(descriptor);
}

/** Writes a line that only its owner can read, durably. Replaces the file's content. */
export function writeSecretly(path: string, line: string): void {
  rmSync(path, { force: true });
  const handle = openSync(path, "wx", 0o600);
  writeSync(handle, `${line}\n`);
  fsyncSync(handle);
  closeSync(handle);
}
