import { createReadStream } from "node:fs";
import type { BlobInfo } from "../../core/records/blobs.ts";
import { ByteDigest } from "../blobs/digest.ts";
import { GridBlobs } from "../blobs/grid.ts";
import type { MoveSource } from "./source.ts";

async function digestOf(bytes: AsyncIterable<Uint8Array>): Promise<BlobInfo> {
  const digest = new ByteDigest();
  for await (const chunk of bytes) digest.take(chunk);
  return digest.end();
}

export interface MovedBlobs {
  count: number;
  bytes: number;
  /** Blobs that differ from the source. */
  differing: string[];
}

/** Moves the missing blobs, and reads each back. */
export async function moveBlobs(source: MoveSource, url: string): Promise<MovedBlobs> {
  const moved: MovedBlobs = { count: 0, bytes: 0, differing: [] };
  const grid = new GridBlobs(url);
  const isThere = async (id: string, { sha256 }: BlobInfo): Promise<boolean> => {
    const stored = await grid.read(id);
    return stored !== null && (await digestOf(stored)).sha256 === sha256;
  };
  try {
    for (const { id, path } of source.blobs()) {
      const own = await digestOf(createReadStream(path));
      if (!(await isThere(id, own))) {
        await grid.put(id, createReadStream(path));
        if (!(await isThere(id, own))) moved.differing.push(id);
      }
      moved.count++;
      moved.bytes += own.bytes;
    }
    return moved;
  } finally {
    await grid.close();
  }
}
