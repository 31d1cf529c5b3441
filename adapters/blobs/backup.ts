import { createHash } from "node:crypto";
import { closeSync, existsSync, fsyncSync, globSync, mkdirSync, openSync, readSync, writeSync } from "node:fs";
import { dirname, join } from "node:path";
import type { DatabaseSync } from "node:sqlite";
import { assertBlobId } from "../../core/records/blobs.ts";
import { syncFolder } from "../folder.ts";
import { BLOBS } from "./folder.ts";

const PIECE_BYTES = 1_048_576;

/** Blobs in a backup: how many, and their bytes. */
export interface Packed {
  count: number;
  bytes: number;
}

/** The bytes of a file, piece by piece, in one reused buffer. Empty where the file was removed meanwhile. */
function* piecesOf(path: string): Generator<Uint8Array> {
  let file: number;
  try {
    file = openSync(path, "r");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return;
    throw error;
  }
  try {
    const piece = Buffer.allocUnsafe(PIECE_BYTES);
    for (let read: number; (read = readSync(file, piece)) > 0;) yield piece.subarray(0, read);
  } finally {
    closeSync(file);
  }
}

/**
 * Copies every blob below DATA_DIR into tables of the backup, whose documents were copied before: a blob is stored
 * before the record that names it, so that a copied record's blob exists unless it was withdrawn meanwhile.
 */
export function packBlobs(backup: DatabaseSync, dataDir: string): Packed {
  backup.exec(
    "create table _blobs (id text primary key, bytes integer not null, sha256 text not null) strict;" +
      "create table _blob_pieces (id text, n integer, piece blob not null, primary key (id, n)) strict, without rowid",
  );
  const addPiece = backup.prepare("insert into _blob_pieces values (?, ?, ?)");
  const addBlob = backup.prepare("insert into _blobs values (?, ?, ?)");
  const packed: Packed = { count: 0, bytes: 0 };
  for (const file of globSync("[a-z]*/*/*", { cwd: join(dataDir, BLOBS) }).sort()) {
    const [owner, , name] = file.split(/[\\/]/);
    const hash = createHash("sha256");
    let n = 0,
      bytes = 0;
    backup.exec("begin");
    for (const piece of piecesOf(join(dataDir, BLOBS, file))) {
      addPiece.run(`${owner}/${name}`, n++, piece);
      hash.update(piece);
      bytes += piece.length;
    }
    addBlob.run(`${owner}/${name}`, bytes, hash.digest("hex"));
    backup.exec("commit");
    packed.count += 1;
    packed.bytes += bytes;
  }
  return packed;
}

const hasBlobs = (backup: DatabaseSync): boolean =>
  backup.prepare("select 1 from sqlite_schema where name = '_blobs'").get() !== undefined;

interface Row {
  id: string;
  bytes: number;
  sha256: string;
}
const rowsOf = (backup: DatabaseSync): Row[] =>
  hasBlobs(backup)
    ? (backup.prepare("select id, bytes, sha256 from _blobs order by id").all() as unknown as Row[])
    : [];

const storedPieces = (backup: DatabaseSync, id: string): Iterable<{ piece: Uint8Array }> =>
  backup.prepare("select piece from _blob_pieces where id = ? order by n").iterate(id) as Iterable<{
    piece: Uint8Array;
  }>;

/** Reads every blob of a backup; names those that have changed. */
export function blobFaults(backup: DatabaseSync, packed: Packed = { count: 0, bytes: 0 }): string[] {
  const rows = rowsOf(backup);
  const faults = rows.flatMap(({ id, bytes, sha256 }) => {
    const hash = createHash("sha256");
    let size = 0;
    for (const { piece } of storedPieces(backup, id)) {
      hash.update(piece);
      size += piece.length;
    }
    return size === bytes && hash.digest("hex") === sha256
      ? []
      : [`blob ${id}: its bytes are not those that were stored`];
  });
  if (rows.length !== packed.count) faults.push(`blobs: ${rows.length}, the manifest says ${packed.count}`);
  return faults;
}

/** Writes the blobs of a backup below DATA_DIR, durably. Throws where some exist already. */
export function unpackBlobs(backup: DatabaseSync, dataDir: string): void {
  const root = join(dataDir, BLOBS);
  if (existsSync(root)) throw new Error(`${root} exists; blobs are not restored over others.`);
  const folders = new Set<string>();
  for (const { id } of rowsOf(backup)) {
    assertBlobId(id);
    const [owner, name] = id.split("/") as [string, string];
    const path = join(root, owner, name.slice(-2), name);
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
    for (let at = dirname(path); at !== dirname(root); at = dirname(at)) folders.add(at);
    const file = openSync(path, "wx", 0o600);
    for (const { piece } of storedPieces(backup, id)) writeSync(file, piece);
    fsyncSync(file);
    closeSync(file);
  }
  for (const folder of folders) syncFolder(folder);
}

/** Removes the blobs from a store made of a backup. */
export function dropBlobs(store: DatabaseSync): void {
  if (hasBlobs(store)) store.exec("drop table _blobs; drop table _blob_pieces; vacuum");
}
