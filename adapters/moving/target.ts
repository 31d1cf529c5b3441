import { MongoBulkWriteError, type Collection, type Db, type MongoClient } from "mongodb";
import type { Doc } from "../../core/records/documents.ts";
import { orAway } from "../documents/mongo/away.ts";
import { connected, databaseOf } from "../documents/mongo/connection.ts";
import { DUPLICATE } from "../documents/mongo/indexes.ts";
import { COLLECTION as ROOT_SECRET, MOVING, ROOT } from "../root-secret.ts";

/** Blobs become GridFS files; readings have another form here than in the embedded store. */
const OF_ANOTHER_FORM = ["readings", "readings_latest", "blobs.files", "blobs.chunks"];

/** The state of a move in the target database. */
export interface MoveMark {
  /** Fingerprint of the root secret of the store that is moved. */
  of: string;
  /** How often a node had been started on the source: unchanged as long as this number is. */
  starts: number;
  begunAt: string;
  /** When everything was there and had been read back. */
  verifiedAt?: string;
}

/** Refuses a request, in words for an operator. */
export class MoveRefused extends Error {}

interface Root {
  _id: string;
  fingerprint: string;
  move?: MoveMark;
}

/** The database that a store is moved to. During the move its root record names no secret: no node starts on it. */
export class MoveTarget {
  readonly name: string;
  readonly #client: MongoClient;
  readonly #db: Db;

  private constructor(client: MongoClient, name: string) {
    this.#client = client;
    this.name = name;
    this.#db = client.db(name);
  }

  /** Throws 503 where the server is away. */
  static async open(url: string): Promise<MoveTarget> {
    return new MoveTarget(await connected(url), databaseOf(url));
  }

  /** The state of this store's move here; undefined where the database is empty. */
  async standing(of: string): Promise<MoveMark | undefined> {
    const root = await orAway(() => this.#roots().findOne({ _id: ROOT }));
    if (root?.move && root.fingerprint === MOVING) {
      if (root.move.of === of) return root.move;
      throw new MoveRefused(
        `The database ${this.name} holds part of another store (fingerprint ${root.move.of}), whose move was not ` +
          "finished: finish that one, drop the database, or name another in MONGO_URL.",
      );
    }
    if (root?.move && root.fingerprint === of)
      throw new MoveRefused(
        `This store was moved to the database ${this.name} already (begun ${root.move.begunAt}): ` +
          "nodes are started with this MONGO_URL.",
      );
    const [name] = root ? [ROOT_SECRET] : await this.#inhabited();
    if (name === undefined) return undefined;
    throw new MoveRefused(
      `The database ${this.name} is not empty (${root ? "a node was started on it" : `collection ${name}`}): a store ` +
        "is moved to a database of its own. Name another in MONGO_URL, or drop this one if nothing in it is needed.",
    );
  }

  /** From here on no node starts on it. */
  async begin(mark: MoveMark): Promise<void> {
    await this.#root(MOVING, mark);
  }

  /** Removes what an earlier attempt left. */
  async empty(): Promise<void> {
    for (const name of await this.#names()) if (name !== ROOT_SECRET) await this.#db.dropCollection(name);
  }

  /** From here on nodes start on it, with that root secret. */
  async finish(mark: MoveMark): Promise<void> {
    await this.#root(mark.of, mark);
  }

  async count(collection: string): Promise<number> {
    return orAway(() => this.#db.collection(collection).countDocuments());
  }

  /** Existing documents stay: an earlier attempt at the same store put them there. */
  async add(collection: string, docs: Doc[]): Promise<void> {
    try {
      await orAway(() => this.#db.collection<Doc>(collection).insertMany(docs, { ordered: false }));
    } catch (error) {
      const failures = error instanceof MongoBulkWriteError ? [error.writeErrors].flat() : [];
      if (!failures.length || failures.some(({ code }) => code !== DUPLICATE)) throw error;
    }
  }

  documents(collection: string): AsyncIterable<Doc> {
    return this.#db.collection<Doc>(collection).find();
  }

  /** Non-empty collections with the same form in both stores. */
  async collections(): Promise<string[]> {
    const names = await this.#inhabited();
    return names.filter((name) => name !== ROOT_SECRET && !OF_ANOTHER_FORM.includes(name));
  }

  async close(): Promise<void> {
    await this.#client.close();
  }

  #roots(): Collection<Root> {
    return this.#db.collection<Root>(ROOT_SECRET);
  }

  async #root(fingerprint: string, move: MoveMark): Promise<void> {
    await orAway(() => this.#roots().updateOne({ _id: ROOT }, { $set: { fingerprint, move } }, { upsert: true }));
  }

  /** Names with a leading underscore are records of this program about the server. */
  async #names(): Promise<string[]> {
    const found = await orAway(() => this.#db.listCollections({}, { nameOnly: true }).toArray());
    return found.map(({ name }) => name).filter((name) => !/^(_|system\.)/.test(name));
  }

  async #inhabited(): Promise<string[]> {
    const names: string[] = [];
    for (const name of (await this.#names()).sort())
      if (await orAway(() => this.#db.collection(name).findOne({}, { projection: { _id: 1 } }))) names.push(name);
    return names;
  }
}
