import { spawnSync } from "node:child_process";
import { randomUUID } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { MongoClient } from "mongodb";
import { openDocuments } from "../../../adapters/documents/index.ts";
import type { Collection, Doc, Documents, Index } from "../../../core/records/documents.ts";

/**
 * What some servers that speak MongoDB's protocol cannot do, where the port asks for it. A real mongod lacks only what
 * is said to.
 */
export type Capability =
  /** A unique index over just the documents a filter picks. */
  | "partial-unique-indexes"
  /** Of several claims of one document at once each is answered by its own outcome. */
  | "own-outcome"
  /** A number is never greater than a string. */
  | "type-bracketing"
  /** `$all` on a field that holds no array. */
  | "all-on-scalars"
  /** `{ "list.field": null }` holds just where an object in the list lacks the field. */
  | "null-inside-lists"
  /** "Some element" looks one level deep. */
  | "lists-of-lists"
  /**
   * Writes of one bulk to different documents take effect in their order: more than the port promises, and MongoDB's
   * own server does not.
   */
  | "bulk-in-order"
  /** Several ways for one element to match. */
  | "or-inside-elem-match"
  /** How a query is answered: rows visited and keys. */
  | "explain"
  /** A document that a query found is sent as it was found, whoever changes it meanwhile. */
  | "found-as-sent";

const LACKS: Record<string, readonly Capability[]> = {
  mongod: ["bulk-in-order"],
  "mongo-java-server": [
    "bulk-in-order",
    "partial-unique-indexes",
    "own-outcome",
    "all-on-scalars",
    "null-inside-lists",
    "lists-of-lists",
    "found-as-sent",
    "explain",
  ],
  mongoeco: [
    "explain",
    "bulk-in-order",
    "type-bracketing",
    "null-inside-lists",
    "lists-of-lists",
    "or-inside-elem-match",
  ],
};

export interface Engine {
  name: string;
  lacks: readonly Capability[];
  /** Opens a store of its own, empty. */
  open(): Documents;
  /** Opens the same store once more, as another process would; undefined where it lives in one process's memory. */
  again?(): Documents;
  /** Takes away what the tests left. */
  clean(): Promise<void>;
}

/** The engines at hand: the embedded store in memory and in a file, and MongoDB where MONGO_URL names a server. */
export function engines(): Engine[] {
  const { MONGO_URL } = process.env;
  const memory: Engine = {
    name: "embedded, in memory",
    lacks: [],
    open: () => openDocuments({ dataDir: ":memory:" }),
    clean: async () => {},
  };
  return MONGO_URL ? [memory, inFile(), onMongo(MONGO_URL)] : [memory, inFile()];
}

function inFile(): Engine {
  let dataDir: string | undefined;
  const open = () => openDocuments({ dataDir: (dataDir ??= mkdtempSync(join(tmpdir(), "documents-"))) });
  const clean = async () => {
    if (dataDir) rmSync(dataDir, { recursive: true, force: true });
  };
  return { name: "embedded, in a file", lacks: [], open, again: open, clean };
}

function onMongo(url: string): Engine {
  const kind = serverKind(url);
  const own = new URL(url);
  own.pathname = `/documents_${randomUUID().slice(0, 8)}`;
  const open = () => openDocuments({ mongoUrl: own.href, dataDir: ":memory:" });
  const clean = async () => {
    const client = new MongoClient(own.href);
    await client.db().dropDatabase();
    await client.close();
  };
  return { name: kind, lacks: LACKS[kind] ?? [], open, again: open, clean };
}

/** Asked in a process of its own, since tests are named before anything asynchronous can run. */
function serverKind(url: string): string {
  const asked = spawnSync(process.execPath, [join(import.meta.dirname, "server-kind.ts"), url], {
    encoding: "utf8",
    timeout: 20_000,
  });
  if (asked.status !== 0) throw new Error(`MONGO_URL does not answer: ${asked.stderr}`);
  return asked.stdout.trim();
}

/** `it`, or a skipped test whose name says what the server lacks. */
export function whereAble(
  engine: Engine,
  capability: Capability | undefined,
  name: string,
  test: () => Promise<void>,
): void {
  if (capability && engine.lacks.includes(capability)) it.skip(`${name} (${engine.name} lacks ${capability})`, test);
  else it(name, test);
}

/** A store for the tests of one file, and the ways they make collections in it. */
export interface Bench {
  engine: Engine;
  documents(): Documents;
  /** A collection nobody has used. */
  fresh(indexes?: readonly Index[]): Promise<Collection>;
  /** The same, with documents in it. */
  having(docs: readonly Doc[], indexes?: readonly Index[]): Promise<Collection>;
  /** The name of the last fresh collection. */
  named(): string;
}

/** Describes the same on every engine at hand. */
export function onEveryEngine(title: string, tests: (bench: Bench) => void): void {
  describe.each(engines().map((engine) => [engine.name, engine] as const))(`${title}: %s`, (_name, engine) => {
    let store: Documents;
    let serial = 0;
    beforeAll(() => {
      store = engine.open();
    });
    afterAll(async () => {
      await store.close();
      await engine.clean();
    });
    const named = () => `c${serial}`;
    const fresh = (indexes: readonly Index[] = []) => {
      serial += 1;
      return store.collection(named(), { indexes });
    };
    const having = async (docs: readonly Doc[], indexes: readonly Index[] = []) => {
      const collection = await fresh(indexes);
      await collection.insertMany(docs);
      return collection;
    };
    tests({ engine, documents: () => store, named, fresh, having });
  });
}

export const ids = (docs: readonly Doc[]) => docs.map(({ _id }) => _id);

/** A query or an update in a test's name; JSON alone leaves out patterns, undefined and NaN. */
export function show(value: object): string {
  const odd = (item: unknown) => item instanceof RegExp || item === undefined || Number.isNaN(item);
  return JSON.stringify(value, (_key, item: unknown) => (odd(item) ? String(item) : item));
}
