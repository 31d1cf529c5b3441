import { MongoClient, type Db } from "mongodb";
import type { CollectionOptions } from "../../../core/records/documents.ts";
import { orAway, sayingWhenAway } from "./away.ts";
import { MongoCollection } from "./collection.ts";
import { ensureIndexes, supportsPartialIndexes, wantedIndexes } from "./indexes.ts";

const SELECTION_PATIENCE_MS = 5_000;
const PING_PATIENCE_MS = 5_000;
/**
 * A connected server that stays silent for about the sum of both counts as away, and waiting calls fail: the driver's
 * defaults are 30 and 10 seconds, and calls would wait that long.
 */
const SILENCE_MS = 5_000;
const HEARTBEAT_MS = 5_000;
const DEFAULT_DATABASE = "signalmesh";

/**
 * A client whose writes are acknowledged when a majority has them in its journal. Throws 503 where the server is away.
 */
export async function connected(url: string): Promise<MongoClient> {
  const client = new MongoClient(url, {
    appName: "signalmesh",
    writeConcern: { w: "majority", journal: true },
    serverSelectionTimeoutMS: SELECTION_PATIENCE_MS,
    connectTimeoutMS: SILENCE_MS,
    heartbeatFrequencyMS: HEARTBEAT_MS,
  });
  try {
    await orAway(() => client.connect());
  } catch (error) {
    await client.close();
    throw error;
  }
  return client;
}

/** One client, one pool, for all collections. A write is acknowledged when a majority has it in its journal. */
export class MongoConnection {
  readonly #client: MongoClient;
  readonly #db: Db;
  readonly #collections = new Map<string, MongoCollection>();
  #partialIndexes: Promise<boolean> | undefined;

  private constructor(client: MongoClient, database: string) {
    this.#client = client;
    this.#db = client.db(database);
  }

  /** Throws 503 where the server is away. */
  static async open(url: string): Promise<MongoConnection> {
    return new MongoConnection(await connected(url), databaseOf(url));
  }

  /** One object for each name; missing indexes are created. Throws 503 where the server went away meanwhile. */
  async collection(name: string, { indexes = [] }: CollectionOptions): Promise<MongoCollection> {
    let collection = this.#collections.get(name);
    if (!collection) {
      collection = sayingWhenAway(new MongoCollection(this.#client, this.#db.collection(name)));
      this.#collections.set(name, collection);
    }
    await orAway(async () => {
      const partial = indexes.some(({ unique, sparse }) => unique && sparse) && (await this.#canPartial());
      const wanted = wantedIndexes(indexes, partial);
      await ensureIndexes(
        this.#db,
        name,
        wanted.map(([, description]) => description),
      );
      for (const [index, description] of wanted) collection.hints.add(index, description.name!);
    });
    return collection;
  }

  /** A real write: a server that can only be read is of no use. */
  async ping(): Promise<void> {
    await this.#db
      .collection<{ _id: number; pings: number }>("_pings")
      .updateOne({ _id: 1 }, { $inc: { pings: 1 } }, { upsert: true, timeoutMS: PING_PATIENCE_MS });
  }

  async close(): Promise<void> {
    await this.#client.close();
  }

  #canPartial(): Promise<boolean> {
    // A failed check is repeated.
    return (this.#partialIndexes ??= supportsPartialIndexes(this.#db).catch((error) => {
      this.#partialIndexes = undefined;
      throw error;
    }));
  }
}

/** The database that a connection string names after its hosts; the driver's own default would be "test". */
export const databaseOf = (url: string): string =>
  /^mongodb(?:\+srv)?:\/\/[^/]+\/([^?]+)/.exec(url)?.[1] ?? DEFAULT_DATABASE;
