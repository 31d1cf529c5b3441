import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { EmbeddedDocuments } from "../../../adapters/documents/embedded.ts";
import type { Doc, Index } from "../../../core/records/documents.ts";
import { faults, INDEXES } from "./columns.ts";

const folders: string[] = [];
const folder = (): string => {
  folders.push(mkdtempSync(join(tmpdir(), "columns-")));
  return folders.at(-1)!;
};
afterAll(() => folders.forEach((path) => rmSync(path, { recursive: true })));

/** A store as versions wrote it whose indexed fields had no columns. */
function olderStore(dataDir: string, docs: readonly Doc[]): void {
  const database = new DatabaseSync(join(dataDir, "signalmesh.db"));
  database.exec(`pragma journal_mode = wal;
    create table _fields (collection text not null, path text not null, kinds integer not null, role integer not null,
      primary key (collection, path)) strict, without rowid;
    create table _pings (id integer primary key, pings integer not null) strict;
    insert into _pings values (1, 0);
    create table "docs" (n integer primary key, id any not null unique, doc blob not null) strict;
    create unique index "docs|unique|list,name" on "docs" ((doc ->> '$."list"'), (doc ->> '$."name"'));
    create index "docs|plain|state,-at" on "docs" ((doc ->> '$."state"'), (doc ->> '$."at"') desc, id desc);
    create table "empty" (n integer primary key, id any not null unique, doc blob not null) strict;
    create index "empty|plain|state,-at" on "empty" ((doc ->> '$."state"'), (doc ->> '$."at"') desc, id desc);
    pragma user_version = 1`);
  const field = database.prepare("insert into _fields values (?, ?, ?, ?)");
  for (const collection of ["docs", "empty"])
    for (const [name, role] of [
      ["list", 1],
      ["name", 0],
      ["state", 1],
      ["at", 0],
    ] as const)
      field.run(collection, name, 2 | 64, role);
  const row = database.prepare("insert into docs (id, doc) values (?, jsonb(?))");
  for (const doc of docs) row.run(doc._id, JSON.stringify(doc));
  database.close();
}

test("a store of an older version is taken over, and is not the older version's any more", async () => {
  const dataDir = folder();
  const docs = Array.from({ length: 50 }, (_, n) => ({
    _id: `d${n}`,
    list: `l${n % 2}`,
    name: `n${n}`,
    at: `t${n + 10}`,
  }));
  const pending = {
    _id: "p",
    list: "l3",
    name: "p",
    state: "open",
    at: "t9",
    _pending: [{ id: "f" }],
    _pendingSince: "t",
  };
  olderStore(dataDir, [...docs, pending]);
  const store = new EmbeddedDocuments(dataDir);
  const indexes: Index[] = [...INDEXES, { fields: ["_pendingSince"], sparse: true }];
  const collection = await store.collection("docs", { indexes });
  const empty = await store.collection("empty", { indexes });
  expect(await collection.count()).toBe(51);
  expect(await collection.find({ query: { _pendingSince: { $lte: "u" } }, sort: ["_pendingSince"] })).toEqual([
    pending,
  ]);
  expect(await collection.find({ query: { state: "open" }, sort: ["-at"], limit: 5 })).toEqual([pending]);
  expect(collection.plan({ query: { state: "open" }, sort: ["-at"] }).join()).toContain("($.state=?)");
  await expect(collection.insert({ _id: "x", list: "l1", name: "n1" })).rejects.toMatchObject({
    fields: ["list", "name"],
  });
  await empty.insert({ _id: 1, list: 1, name: "one", state: "open" });
  expect([...(await faults(store, "docs")), ...(await faults(store, "empty"))]).toEqual([]);
  const left = await store.read((database) =>
    database.prepare("select name from sqlite_schema where sql like '%->>%' order by name").all(),
  );
  // SQLite's names ignore case: the namesake of a column is indexed without one.
  expect(left.map(({ name }) => name)).toEqual(["docs|plain|State", "empty|plain|State"]);
  await store.close();
  const again = new EmbeddedDocuments(dataDir);
  await again.collection("docs", { indexes });
  expect(await again.read((database) => database.prepare("pragma user_version").get())).toEqual({ user_version: 2 });
  await again.close();
});

/** Enough documents to be read through in slices; their first arrays come late. */
const many = (): Doc[] =>
  Array.from({ length: 2_000 }, (_, n) => ({
    _id: `d${n}`,
    list: `l${n % 5}`,
    name: `n${n}`,
    at: `t${n % 97}`,
    ...(n % 3 && { state: n % 2 ? "open" : "done" }),
    place: { country: n % 7 ? "x" : null },
    tags: n < 1_500 ? "one" : ["one", `tag${n % 3}`],
  }));

/** Whether lists, arrays, unique indexes and columns are as in a store that had its indexes from the beginning. */
async function expectLikeFresh(store: EmbeddedDocuments, docs: readonly Doc[]): Promise<void> {
  const other = new EmbeddedDocuments(":memory:");
  const [made, fresh] = await Promise.all([store, other].map((at) => at.collection("docs", { indexes: INDEXES })));
  await fresh!.insertMany([...docs]);
  const asked = [{ state: "open" }, { tags: "tag1", at: { $gt: "t5" } }, { tags: "one" }, { "place.country": null }];
  for (const query of asked) {
    const find = { query, sort: ["-at"], fields: ["_id"], limit: 3_000 };
    expect(await made!.find(find)).toEqual(await fresh!.find(find));
    expect(made!.plan(find)).toEqual(fresh!.plan(find));
  }
  await expect(made!.insert({ _id: "x", list: "l1", name: "n1" })).rejects.toMatchObject({ fields: ["list", "name"] });
  expect(await faults(store, "docs")).toEqual([]);
  await other.close();
}

test("many documents are taken over in slices, between which others have their turn", async () => {
  const dataDir = folder();
  olderStore(dataDir, many());
  const store = new EmbeddedDocuments(dataDir);
  let turns = 0;
  const turn = (): NodeJS.Immediate =>
    setImmediate(() => {
      turns++;
      last = turn();
    });
  let last = turn();
  await store.collection("docs", { indexes: INDEXES });
  clearImmediate(last);
  // One for each hundred documents at least, and one for each column and index.
  expect(turns).toBeGreaterThan(30);
  await expectLikeFresh(store, many());
  await store.close();
});

test("what is written while documents are read through is in columns and indexes too", async () => {
  for (const by of ["itself", "another process"]) {
    const dataDir = folder();
    olderStore(dataDir, many());
    const store = new EmbeddedDocuments(dataDir);
    const writing = by === "itself" ? store : new EmbeddedDocuments(dataDir);
    const before = await writing.collection("docs", {});
    const making = store.collection("docs", { indexes: INDEXES });
    const docs = many();
    for (let n = 0; n < 20; n++) {
      docs[n] = { ...docs[n]!, state: "open", tags: ["tag1", "late"] };
      await before.updateById(`d${n}`, { $set: { state: "open", tags: ["tag1", "late"] } });
    }
    await making;
    await expectLikeFresh(store, docs);
    await Promise.all([...new Set([store, writing])].map((one) => one.close()));
  }
});

test("a start that was broken off while documents were read through is gone on with by the next", async () => {
  const dataDir = folder();
  olderStore(dataDir, many());
  for (const writes of [3, 12, 30]) {
    const store = new EmbeddedDocuments(dataDir);
    const making = store.collection("docs", { indexes: INDEXES }).catch(() => {});
    for (let n = 0; n < writes; n++) await store.ping();
    await store.close();
    await making;
  }
  const store = new EmbeddedDocuments(dataDir);
  await expectLikeFresh(store, many());
  await store.close();
});
