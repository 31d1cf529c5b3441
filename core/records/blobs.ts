import type { Readable } from "node:stream";

/** What is known of bytes that were stored. */
export interface BlobInfo {
  bytes: number;
  /** Of the bytes, in hexadecimal digits. */
  sha256: string;
}

/** One entry of a listing. */
export interface BlobEntry {
  id: string;
  /** When it was stored, in epoch milliseconds, by the store's own clock. */
  at: number;
}

/**
 * Files of any size, beside the documents that name them. An id is `<owner>/<name>`: the owner is the domain whose
 * records say which of its blobs are wanted, and which sweeps away the others. All nodes of a mesh see the same blobs:
 * the embedded store belongs to one process, MongoDB to all.
 */
export interface Blobs {
  readonly kind: "memory" | "folder" | "mongo";
  /**
   * Streams bytes in; durable when it resolves, and nothing is there when it rejects. What had this id is replaced.
   * Throws what the source throws, 507 without room, 503 while a server is away.
   */
  put(id: string, source: AsyncIterable<Uint8Array>): Promise<BlobInfo>;
  /** The bytes, or those from `start` until before `end`; null where nothing is stored under this id. */
  read(id: string, range?: { start?: number; end?: number }): Promise<Readable | null>;
  /** Harmless where nothing is stored. */
  remove(id: string): Promise<void>;
  /** All of an owner that were stored before then (epoch milliseconds). Takes away what puts left that never ended. */
  list(owner: string, before: number): AsyncIterable<BlobEntry>;
  close(): Promise<void>;
}

const UNDER_WAY_MS = 60_000;
/** Before when a put that has not ended was left behind: what grew within the last minute is still under way. */
export const abandonedBefore = (before: number): number => Math.min(before, Date.now() - UNDER_WAY_MS);

const ID = /^[a-z][a-z-]{0,40}\/[\w-]{1,80}$/;

/** Throws TypeError for an id that could be a path elsewhere. */
export function assertBlobId(id: string): void {
  if (!ID.test(id)) throw new TypeError(`${JSON.stringify(id)} is no id of a blob: <owner>/<name>.`);
}

/** All bytes of a blob at once; null where there is none. */
export async function readWhole(
  blobs: Blobs,
  id: string,
  range?: { start?: number; end?: number },
): Promise<Buffer | null> {
  const source = await blobs.read(id, range);
  if (!source) return null;
  const chunks: Buffer[] = [];
  for await (const chunk of source as AsyncIterable<Buffer>) chunks.push(chunk);
  return chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks);
}
