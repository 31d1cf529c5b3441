import { createHash } from "node:crypto";
import type { BlobInfo } from "../../core/records/blobs.ts";

/** Counts and hashes the bytes that pass through. */
export class ByteDigest {
  readonly #hash = createHash("sha256");
  #bytes = 0;

  take(chunk: Uint8Array): void {
    this.#hash.update(chunk);
    this.#bytes += chunk.length;
  }

  end(): BlobInfo {
    return { bytes: this.#bytes, sha256: this.#hash.digest("hex") };
  }
}
