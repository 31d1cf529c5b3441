import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { EmbeddedDocuments } from "../../../adapters/documents/embedded.ts";
import { DuplicateKey, type Update } from "../../../core/records/documents.ts";
import { tries } from "../../tries.ts";
import { faults, INDEXES, PATHS } from "./columns.ts";

const folders: string[] = [];
const folder = (): string => {
  folders.push(mkdtempSync(join(tmpdir(), "columns-")));
  return folders.at(-1)!;
};
afterAll(() => folders.forEach((path) => rmSync(path, { recursive: true })));

const value = fc.oneof(
  fc.constantFrom<unknown>("", "a", "\0", "\ud800", "5", 5, 5.5, -0, 1e21, 2 ** 60, true, false, null),
  fc.constantFrom<unknown>(["a"], ["a", 5], [], {}, { country: "x" }, { country: ["x"] }, [{ country: "x" }]),
);
const path = fc.constantFrom(...PATHS, "place", "State", "other", "list.0", "place.country.more");
const update: fc.Arbitrary<Update> = fc.oneof(
  fc.dictionary(path, value, { minKeys: 1, maxKeys: 3 }).map(($set) => ({ $set })),
  path.map((name) => ({ $unset: { [name]: 1 } })),
  fc.tuple(path, path).map(([gone, raised]) => ({ $unset: { [gone]: 1 }, $inc: { [raised]: 2 } })),
  fc.tuple(path, value).map(([name, one]) => ({ $push: { [name]: { $each: [one], $slice: -2 } } })),
  fc.tuple(path, value).map(([name, one]) => ({ $addToSet: { [name]: one } })),
);
const write = fc.record({ id: fc.nat(5), update, how: fc.constantFrom("claim", "upsert", "many", "bulk", "remove") });

test("hold what the documents do, whatever is written", () =>
  fc.assert(
    fc.asyncProperty(fc.array(write, { minLength: 1, maxLength: 25 }), async (writes) => {
      const store = new EmbeddedDocuments(":memory:");
      const collection = await store.collection("docs", { indexes: INDEXES });
      await collection.insertMany(
        Array.from({ length: 4 }, (_, n) => ({ _id: n, state: "a", list: n, name: `n${n}`, at: `t${n}` })),
      );
      for (const { id, update: change, how } of writes) {
        const written =
          how === "many"
            ? collection.updateMany({ state: "a" }, change)
            : how === "bulk"
              ? collection.bulk([{ update: { _id: id }, with: change, upsert: true }, { insert: { _id: id } }])
              : how === "remove"
                ? collection.removeById(id)
                : collection.claim({ _id: id }, change, { upsert: how === "upsert" });
        // Refused: an operator that does not suit the value that is there, or a unique index.
        await Promise.resolve(written).catch((error: unknown) => {
          if (!(error instanceof TypeError) && !(error instanceof DuplicateKey)) throw error;
        });
      }
      expect(await faults(store, "docs")).toEqual([]);
      await store.close();
    }),
    { numRuns: tries(60) },
  ));

test("an index is written where one of its fields changes, and not otherwise", async () => {
  const store = new EmbeddedDocuments(":memory:");
  const collection = await store.collection("docs", {
    indexes: [...INDEXES, { fields: ["_pendingSince"], sparse: true }],
  });
  let written = 0;
  await store.write((database) => {
    database.exec("pragma trusted_schema = on");
    database.function("counted", { deterministic: true }, (one) => {
      written++;
      return one as string;
    });
    database.exec(`create index probe on docs (counted("$.state"))`);
  });
  await collection.insert({ _id: 1, state: "open", name: "one", _pending: [{ id: "f" }], _pendingSince: "t" });
  written = 0;
  await collection.updateMany({ _id: 1, _pending: { $size: 1 } }, { $unset: { _pending: 1, _pendingSince: 1 } });
  await collection.claim({ _id: 1 }, { $set: { name: "two", state: "open" }, $inc: { rev: 1 } });
  await collection.bulk([{ update: { _id: 1 }, with: { $push: { history: { $each: [1], $slice: -5 } } } }]);
  expect(written).toBe(0);
  await collection.claim({ _id: 1 }, { $set: { state: "done" } });
  expect(written).toBeGreaterThan(0);
  expect(await collection.findById(1)).toEqual({ _id: 1, state: "done", name: "two", rev: 1, history: [1] });
  await store.close();
});

test("a refusal names the fields of the index", async () => {
  const store = new EmbeddedDocuments(":memory:");
  const collection = await store.collection("docs", { indexes: INDEXES });
  await collection.insert({ _id: 1, list: 1, name: "one" });
  await expect(collection.insert({ _id: 2, list: 1, name: "one" })).rejects.toMatchObject({ fields: ["list", "name"] });
  await expect(collection.insert({ _id: 1, list: 2, name: "one" })).rejects.toMatchObject({ fields: ["_id"] });
  await store.close();
});

test("an index that comes later reads what is there, and those before it stay", async () => {
  const store = new EmbeddedDocuments(":memory:");
  const before = await store.collection("docs", { indexes: [{ fields: ["list", "name"], unique: true }] });
  const named = (): Promise<unknown> =>
    store.read((database) => database.prepare("pragma index_list(docs)").all().length);
  const of = await named();
  await store.collection("docs", { indexes: [{ fields: ["state"] }] });
  expect(await named()).toBe((of as number) + 1);
  await before.insertMany([
    { _id: 1, list: 1, name: "one", due: "d1" },
    { _id: 2, list: 1, name: "two", at: "t2" },
  ]);
  const after = await store.collection("docs", { indexes: INDEXES });
  expect(after.plan({ query: { due: "d1" } }).join()).toContain("docs|sparse|due ($.due=?)");
  expect(await after.find({ query: { due: "d1" } })).toEqual([{ _id: 1, list: 1, name: "one", due: "d1" }]);
  await expect(before.insert({ _id: 3, list: 1, name: "two" })).rejects.toThrow(DuplicateKey);
  expect(await faults(store, "docs")).toEqual([]);
  await store.close();
});

test("two processes on one file: what one gives a column, the other fills", async () => {
  const dataDir = folder();
  const [one, other] = [new EmbeddedDocuments(dataDir), new EmbeddedDocuments(dataDir)];
  const older = await one.collection("docs", { indexes: [{ fields: ["state", "-at"] }] });
  await older.insert({ _id: 1, state: "open", due: "d1", list: 1, name: "one" });
  const newer = await other.collection("docs", { indexes: INDEXES });
  await older.insert({ _id: 2, state: "open", due: "d2", list: 2, name: "two" });
  await older.updateById(1, { $set: { due: "d3" } });
  expect((await newer.find({ query: { due: { $gt: "d1" } }, sort: ["due"] })).map(({ _id }) => _id)).toEqual([2, 1]);
  expect(await faults(other, "docs")).toEqual([]);
  await one.close();
  await other.close();
});
