import type { Collection, CollectionOptions, Documents } from "../../core/records/documents.ts";
import type { MongoConnection } from "./mongo/connection.ts";
import { assertCollectionName } from "./names.ts";

/**
 * The document store on MongoDB (6.0 or later): one client for all collections. The driver is loaded and connected on
 * first use.
 */
export class MongoDocuments implements Documents {
  readonly kind = "mongo";
  readonly #url: string;
  #connection: Promise<MongoConnection> | undefined;
  #closed = false;

  constructor(url: string) {
    this.#url = url;
  }

  /** @throws TypeError for a name that is no word, or an index over a field no query can name */
  async collection(name: string, options: CollectionOptions = {}): Promise<Collection> {
    assertCollectionName(name);
    return (await this.#connected()).collection(name, options);
  }

  async ping(): Promise<void> {
    await (await this.#connected()).ping();
  }

  async close(): Promise<void> {
    this.#closed = true;
    const connection = await this.#connection?.catch(() => undefined);
    await connection?.close();
  }

  #connected(): Promise<MongoConnection> {
    if (this.#closed) return Promise.reject(new Error("The document store is closed."));
    if (!this.#connection) {
      const connection = import("./mongo/connection.ts").then(({ MongoConnection }) => MongoConnection.open(this.#url));
      this.#connection = connection;
      // The next call tries again.
      connection.catch(() => {
        this.#connection = undefined;
      });
    }
    return this.#connection;
  }
}
