import { once } from "node:events";
import { Readable } from "node:stream";
import { GridFSBucket, ObjectId, type MongoClient } from "mongodb";
import { abandonedBefore, assertBlobId, type Blobs, type BlobEntry, type BlobInfo } from "../../core/records/blobs.ts";
import { orAway } from "../documents/mongo/away.ts";
import { connected, databaseOf } from "../documents/mongo/connection.ts";
import { ByteDigest } from "./digest.ts";

const BUCKET = "blobs";
/** Pieces checked together for whether their file exists. */
const SLICE = 200;

/**
 * Blobs in GridFS (https://www.mongodb.com/docs/manual/core/gridfs): a file's own document is written last, so that a
 * file with one is complete. A blob's id is the file's name; of several with one name the newest counts.
 */
export class GridBlobs implements Blobs {
  readonly kind = "mongo";
  readonly #url: string;
  #opened: Promise<{ client: MongoClient; bucket: GridFSBucket }> | undefined;

  constructor(url: string) {
    this.#url = url;
  }

  async put(id: string, source: AsyncIterable<Uint8Array>): Promise<BlobInfo> {
    assertBlobId(id);
    const { bucket } = await this.#open();
    const older = await orAway(() => bucket.find({ filename: id }).toArray());
    const digest = new ByteDigest();
    const upload = bucket.openUploadStream(id);
    const failed = new Promise<never>((_resolve, reject) => upload.once("error", reject));
    failed.catch(() => {});
    try {
      await orAway(async () => {
        for await (const chunk of source) {
          digest.take(chunk);
          if (!upload.write(chunk)) await Promise.race([once(upload, "drain"), failed]);
        }
        const finished = once(upload, "finish");
        upload.end();
        await Promise.race([finished, failed]);
      });
    } catch (error) {
      // While the server is away the pieces remain, until a listing finds them.
      await upload.abort().catch(() => {});
      throw error;
    }
    for (const { _id } of older) await bucket.delete(_id).catch(() => {});
    return digest.end();
  }

  async read(id: string, { start = 0, end }: { start?: number; end?: number } = {}): Promise<Readable | null> {
    assertBlobId(id);
    const { bucket } = await this.#open();
    const [file] = await orAway(() => bucket.find({ filename: id }).sort({ uploadDate: -1 }).limit(1).toArray());
    if (!file) return null;
    const until = Math.min(end ?? file.length, file.length);
    return until <= start ? Readable.from([]) : bucket.openDownloadStream(file._id, { start, end: until });
  }

  async remove(id: string): Promise<void> {
    assertBlobId(id);
    const { bucket } = await this.#open();
    await orAway(async () => {
      for (const { _id } of await bucket.find({ filename: id }).toArray())
        // Somebody else may have removed it meanwhile.
        await bucket.delete(_id).catch((error: Error) => {
          if (!/not found/i.test(error.message)) throw error;
        });
    });
  }

  async *list(owner: string, before: number): AsyncGenerator<BlobEntry> {
    const { bucket } = await this.#open();
    await this.#forgetPieces(abandonedBefore(before));
    const query = { filename: { $gt: `${owner}/`, $lt: `${owner}0` }, uploadDate: { $lt: new Date(before) } };
    for await (const { filename, uploadDate } of bucket.find(query)) yield { id: filename, at: uploadDate.getTime() };
  }

  async close(): Promise<void> {
    const opened = await this.#opened?.catch(() => undefined);
    await opened?.client.close();
  }

  /** Removes pieces of puts that never ended: they belong to no file, and their ids contain their age. */
  async #forgetPieces(before: number): Promise<void> {
    const { client } = await this.#open();
    const db = client.db(databaseOf(this.#url));
    const chunks = db.collection<{ files_id: ObjectId }>(`${BUCKET}.chunks`);
    const files = db.collection(`${BUCKET}.files`);
    let old: ObjectId[] = [];
    const sift = async (): Promise<void> => {
      const found = await files.find({ _id: { $in: old } }, { projection: { _id: 1 } }).toArray();
      const whole = new Set(found.map(({ _id }) => String(_id)));
      const stray = old.filter((id) => !whole.has(String(id)));
      if (stray.length) await chunks.deleteMany({ files_id: { $in: stray } });
      old = [];
    };
    const query = { files_id: { $lt: ObjectId.createFromTime(Math.floor(before / 1_000)) }, n: 0 } as object;
    for await (const { files_id } of chunks.find(query, { projection: { files_id: 1 } }))
      if (old.push(files_id) === SLICE) await sift();
    if (old.length) await sift();
  }

  #open(): Promise<{ client: MongoClient; bucket: GridFSBucket }> {
    if (!this.#opened) {
      const opening = this.#connect();
      this.#opened = opening;
      // The next call tries again.
      opening.catch(() => {
        this.#opened = undefined;
      });
    }
    return this.#opened;
  }

  async #connect(): Promise<{ client: MongoClient; bucket: GridFSBucket }> {
    const client = await connected(this.#url);
    const bucket = new GridFSBucket(client.db(databaseOf(this.#url)), {
      bucketName: BUCKET,
      writeConcern: { w: "majority", journal: true },
    });
    return { client, bucket };
  }
}
