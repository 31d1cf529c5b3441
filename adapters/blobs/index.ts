import type { Readable } from "node:stream";
import type { Blobs, BlobEntry, BlobInfo } from "../../core/records/blobs.ts";
import { FolderBlobs } from "./folder.ts";
import { MemoryBlobs } from "./memory.ts";

/** GridFS with its driver loaded on first use: most processes store no blob. */
class LazyGrid implements Blobs {
  readonly kind = "mongo";
  readonly #url: string;
  #grid: Promise<Blobs> | undefined;

  constructor(url: string) {
    this.#url = url;
  }

  #open(): Promise<Blobs> {
    return (this.#grid ??= import("./grid.ts").then(({ GridBlobs }) => new GridBlobs(this.#url)));
  }

  async put(id: string, source: AsyncIterable<Uint8Array>): Promise<BlobInfo> {
    return (await this.#open()).put(id, source);
  }

  async read(id: string, range?: { start?: number; end?: number }): Promise<Readable | null> {
    return (await this.#open()).read(id, range);
  }

  async remove(id: string): Promise<void> {
    await (await this.#open()).remove(id);
  }

  async *list(owner: string, before: number): AsyncGenerator<BlobEntry> {
    yield* (await this.#open()).list(owner, before);
  }

  async close(): Promise<void> {
    await (await this.#grid)?.close();
  }
}

/** Opens the blob store that the settings name, beside the documents; files or a connection are opened on first use. */
export const openBlobs = ({ mongoUrl, dataDir }: { mongoUrl?: string | undefined; dataDir: string }): Blobs =>
  mongoUrl ? new LazyGrid(mongoUrl) : dataDir === ":memory:" ? new MemoryBlobs() : new FolderBlobs(dataDir);
