import { join } from "node:path";
import type { DatabaseSync } from "node:sqlite";
import type { CollectionOptions, Doc, Documents, Key } from "../../core/records/documents.ts";
import { assertCollectionName } from "./names.ts";
import { Connection } from "./sqlite/connection.ts";
import { EmbeddedCollection } from "./sqlite/collection.ts";
import { MakingLog } from "./sqlite/making-log.ts";
import { quoted } from "./sqlite/query/sql.ts";
import { assertKey } from "./values.ts";

const MOST_KEPT = 100;

/** The document store in one SQLite file, `signalmesh.db` in a directory, or in memory. Opened on first use. */
export class EmbeddedDocuments implements Documents {
  readonly kind = "embedded";
  readonly together = true;
  readonly file: string;
  readonly #collections = new Map<string, Promise<EmbeddedCollection>>();
  /** Queries for documents of several collections, by the collections' names. */
  readonly #picks = new Map<string, string>();
  readonly #making = new MakingLog(() => this.told);
  told: Documents["told"];
  #connection: Connection | undefined;
  #closed = false;

  constructor(dataDir: string) {
    this.file = dataDir === ":memory:" ? dataDir : join(dataDir, "signalmesh.db");
  }

  /** @throws TypeError for a name that is no word, or an index over a field no query can name */
  async collection(name: string, options: CollectionOptions = {}): Promise<EmbeddedCollection> {
    assertCollectionName(name);
    const opened = this.#collections.get(name);
    const next = opened ? opened.then((collection) => this.#ensured(collection, options)) : this.#open(name, options);
    this.#collections.set(name, next);
    // A failed opening (or a refused index) must not block the next.
    next.catch(() => (opened ? this.#collections.set(name, opened) : this.#collections.delete(name)));
    return next;
  }

  async ping(): Promise<void> {
    await this.write((database) => database.exec("update _pings set pings = pings + 1"));
  }

  get settled(): Promise<void> | undefined {
    return this.#connection?.settled;
  }

  async pick(keys: readonly { collection: string; id: Key }[]): Promise<(Doc | null)[]> {
    for (const { id } of keys) assertKey(id);
    const text = this.#picking(keys.map(({ collection }) => collection));
    const row = this.#opened().statements.first(text, ...keys.map(({ id }) => id));
    return row!.map((json) => (json === null ? null : (JSON.parse(json as string) as Doc)));
  }

  #picking(names: readonly string[]): string {
    const key = names.join(" ");
    let text = this.#picks.get(key);
    if (text !== undefined) return text;
    names.forEach(assertCollectionName);
    text = `select ${names.map((name) => `(select json(doc) from ${quoted(name)} where id = ?)`).join(", ")}`;
    if (this.#picks.size >= MOST_KEPT) this.#picks.clear();
    this.#picks.set(key, text);
    return text;
  }

  /** Runs a function on the open database between two transactions; it must not write. */
  async read<T>(work: (database: DatabaseSync) => T): Promise<T> {
    return work(this.#opened().database);
  }

  /**
   * Runs a function inside the next transaction of the file, completely or not at all, and resolves when it is durable.
   * It must be synchronous.
   */
  async write<T>(work: (database: DatabaseSync) => T): Promise<T> {
    const connection = this.#opened();
    return connection.write(
      () => work(connection.database),
      () => true,
    );
  }

  /** As in Connection. */
  async rewrite(): Promise<void> {
    await this.#opened().rewrite();
  }

  /** Copies the file, consistent at one moment, to the given path, while the store stays in use. */
  async backup(path: string): Promise<void> {
    await this.#opened().backup(path);
  }

  async close(): Promise<void> {
    this.#closed = true;
    await this.#connection?.close();
  }

  async #open(name: string, options: CollectionOptions): Promise<EmbeddedCollection> {
    return this.#ensured(new EmbeddedCollection(name, this.#opened()), options);
  }

  async #ensured(collection: EmbeddedCollection, { indexes = [] }: CollectionOptions): Promise<EmbeddedCollection> {
    await collection.ensure(indexes, this.#making);
    return collection;
  }

  #opened(): Connection {
    if (this.#closed) throw new Error("The document store is closed.");
    this.#connection ??= new Connection(this.file);
    return this.#connection;
  }
}
