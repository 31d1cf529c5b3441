import { randomUUID } from "node:crypto";
import { mkdir, open, opendir, rename, rm, stat, type FileHandle } from "node:fs/promises";
import { dirname, join } from "node:path";
import { Readable } from "node:stream";
import { abandonedBefore, assertBlobId, type Blobs, type BlobEntry, type BlobInfo } from "../../core/records/blobs.ts";
import { insufficientStorage, isDiskFull } from "../../core/problem.ts";
import { ByteDigest } from "./digest.ts";

/** Where blobs lie below DATA_DIR. */
export const BLOBS = "blobs";
/** Puts under way: no owner has this name, since it begins with an underscore. */
const DRAFTS = "_drafts";

const isMissing = (error: unknown): boolean => (error as NodeJS.ErrnoException).code === "ENOENT";

/** An entry of a folder is durable after the folder was flushed. */
async function flush(folder: string): Promise<void> {
  const handle = await open(folder, "r");
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

async function writeAll(handle: FileHandle, chunk: Uint8Array): Promise<void> {
  for (let at = 0; at < chunk.length;) at += (await handle.write(chunk, at)).bytesWritten;
}

/** The files in a folder; none where it does not exist. */
async function* within(folder: string): AsyncGenerator<{ path: string; name: string; at: number }> {
  const entries = await opendir(folder).catch((error: unknown) => {
    if (!isMissing(error)) throw error;
    return [];
  });
  for await (const { name } of entries) {
    const path = join(folder, name);
    const found = await stat(path).catch((error: unknown) => {
      if (!isMissing(error)) throw error;
      return undefined;
    });
    if (found) yield { path, name, at: found.mtimeMs };
  }
}

/**
 * Blobs as files. A put writes a draft, flushes it, renames it and flushes the folder: a blob under its name is
 * complete, even after a power cut.
 */
export class FolderBlobs implements Blobs {
  readonly kind = "folder";
  readonly #root: string;
  /** Folders that exist, flushed into their parents. */
  readonly #made = new Set<string>();

  constructor(dataDir: string) {
    this.#root = join(dataDir, BLOBS);
  }

  async put(id: string, source: AsyncIterable<Uint8Array>): Promise<BlobInfo> {
    const path = this.#pathOf(id);
    const draft = join(this.#root, DRAFTS, randomUUID());
    try {
      await this.#makeFolder(dirname(draft));
      await this.#makeFolder(dirname(path));
      const stored = await this.#write(draft, source);
      await rename(draft, path);
      await flush(dirname(path));
      return stored;
    } catch (error) {
      await rm(draft, { force: true });
      throw isDiskFull(error) ? insufficientStorage(error) : error;
    }
  }

  async read(id: string, { start = 0, end }: { start?: number; end?: number } = {}): Promise<Readable | null> {
    const path = this.#pathOf(id);
    if (end !== undefined && end <= start) return (await this.#has(path)) ? Readable.from([]) : null;
    const handle = await open(path, "r").catch((error: unknown) => {
      if (!isMissing(error)) throw error;
      return null;
    });
    // A file removed meanwhile can still be read to its end, since it is open.
    return handle && handle.createReadStream({ start, ...(end !== undefined && { end: end - 1 }) });
  }

  async remove(id: string): Promise<void> {
    await rm(this.#pathOf(id), { force: true });
  }

  async *list(owner: string, before: number): AsyncGenerator<BlobEntry> {
    for await (const { path, at } of within(join(this.#root, DRAFTS)))
      if (at < abandonedBefore(before)) await rm(path, { force: true });
    for await (const shelf of within(join(this.#root, owner)))
      for await (const { name, at } of within(shelf.path)) if (at < before) yield { id: `${owner}/${name}`, at };
  }

  async close(): Promise<void> {}

  /** A shelf by the last two characters of the name, which are random in ids. */
  #pathOf(id: string): string {
    assertBlobId(id);
    const [owner, name] = id.split("/") as [string, string];
    return join(this.#root, owner, name.slice(-2), name);
  }

  async #has(path: string): Promise<boolean> {
    return stat(path).then(
      () => true,
      (error: unknown) => {
        if (!isMissing(error)) throw error;
        return false;
      },
    );
  }

  async #makeFolder(folder: string): Promise<void> {
    if (this.#made.has(folder)) return;
    if (folder !== dirname(this.#root)) {
      await this.#makeFolder(dirname(folder));
      await mkdir(folder, { mode: 0o700 }).catch((error: NodeJS.ErrnoException) => {
        if (error.code !== "EEXIST") throw error;
      });
      await flush(dirname(folder));
    }
    this.#made.add(folder);
  }

  async #write(draft: string, source: AsyncIterable<Uint8Array>): Promise<BlobInfo> {
    const digest = new ByteDigest();
    const handle = await open(draft, "wx", 0o600);
    try {
      for await (const chunk of source) {
        digest.take(chunk);
        await writeAll(handle, chunk);
      }
      await handle.sync();
    } finally {
      await handle.close();
    }
    return digest.end();
  }
}
