import { Readable } from "node:stream";
import { assertBlobId, type Blobs, type BlobEntry, type BlobInfo } from "../../core/records/blobs.ts";
import { ByteDigest } from "./digest.ts";

/** Keeps blobs for as long as the process lives: for `DATA_DIR=:memory:`. */
export class MemoryBlobs implements Blobs {
  readonly kind = "memory";
  readonly #blobs = new Map<string, { bytes: Buffer; at: number }>();

  async put(id: string, source: AsyncIterable<Uint8Array>): Promise<BlobInfo> {
    assertBlobId(id);
    const digest = new ByteDigest();
    const chunks: Uint8Array[] = [];
    for await (const chunk of source) {
      digest.take(chunk);
      chunks.push(chunk);
    }
    this.#blobs.set(id, { bytes: Buffer.concat(chunks), at: Date.now() });
    return digest.end();
  }

  async read(id: string, { start, end }: { start?: number; end?: number } = {}): Promise<Readable | null> {
    assertBlobId(id);
    const found = this.#blobs.get(id);
    return found ? Readable.from([found.bytes.subarray(start, end)]) : null;
  }

  async remove(id: string): Promise<void> {
    assertBlobId(id);
    this.#blobs.delete(id);
  }

  async *list(owner: string, before: number): AsyncGenerator<BlobEntry> {
    for (const [id, { at }] of [...this.#blobs]) if (id.startsWith(`${owner}/`) && at < before) yield { id, at };
  }

  async close(): Promise<void> {
    this.#blobs.clear();
  }
}
