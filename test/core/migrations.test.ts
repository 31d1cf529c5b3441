import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openDocuments } from "../../adapters/documents/index.ts";
import type { Documents } from "../../core/records/documents.ts";
import { migrate, SchemaMismatch, type Migration } from "../../core/records/migrations.ts";
import { Leases } from "../../core/work/schedule.ts";
import { TestClock } from "../mesh.ts";

// Several nodes, each with a connection of its own, on one store: two versions of the code are two lists of steps.

let dir: string;
const clock = new TestClock();
const opened: Documents[] = [];
let stores = 0;
beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), "signalmesh-migrations-"));
});
afterAll(async () => {
  await Promise.all(opened.map((one) => one.close()));
  await rm(dir, { recursive: true, force: true });
});

/** A node of a store: `node("b")` beside `node("a")` on the same one. */
function onStore() {
  const name = `store${stores++}`;
  const mongoUrl =
    process.env["MONGO_URL"] && `${process.env["MONGO_URL"].replace(/\/[^/]*$/, "")}/m${process.pid}${name}`;
  return (node: string) => {
    const documents = openDocuments({ dataDir: join(dir, name), ...(mongoUrl && { mongoUrl }) });
    opened.push(documents);
    return { documents, leases: new Leases(documents, clock, node), clock, node, lookMs: 5, patienceMs: 10_000 };
  };
}

const ran: string[] = [];
beforeEach(() => {
  ran.length = 0;
});

/** Code of version 1 writes a name; version 2 also knows its length, which step 2 adds to what is there. */
const first: Migration = {
  version: 1,
  name: "names",
  async run(documents) {
    ran.push("1");
    await (await documents.collection("things")).insert({ _id: "old", name: "four" });
  },
};
const second: Migration = {
  version: 2,
  name: "lengths",
  async run(documents) {
    ran.push("2");
    const things = await documents.collection("things");
    for (const { _id, name } of await things.find({ query: { length: { $exists: false } } }))
      await things.updateById(_id, { $set: { length: (name as string).length } });
  },
};

it("brings a new store to the newest version, step by step, once", async () => {
  const node = onStore();
  await expect(migrate([first, second], node("a"))).resolves.toEqual({ version: 2, readableFrom: 0 });
  await expect(migrate([first, second], node("b"))).resolves.toMatchObject({ version: 2 });
  expect(ran).toEqual(["1", "2"]);
  const { documents } = node("c");
  expect(await (await documents.collection("schema")).findById("schema")).toMatchObject({
    version: 2,
    steps: [
      { version: 1, name: "names", node: "a" },
      { version: 2, name: "lengths", node: "a" },
    ],
  });
});

it("one of five nodes that start at once does it, while the others wait for the end of it", async () => {
  const node = onStore();
  let done = false;
  const slow: Migration = {
    version: 1,
    name: "slow",
    async run() {
      ran.push("slow");
      await new Promise((resolve) => setTimeout(resolve, 100));
      done = true;
    },
  };
  const ends = await Promise.all(
    ["a", "b", "c", "d", "e"].map(async (name) => {
      await migrate([slow, { ...second, version: 2 }], node(name));
      return done;
    }),
  );
  expect(ends).toEqual([true, true, true, true, true]);
  expect(ran).toEqual(["slow", "2"]);
});

it("rolls from one version to the next with old and new nodes side by side", async () => {
  const node = onStore();
  const old = node("old"),
    next = node("next");
  await migrate([first], old);
  await migrate([first, second], next);
  const [asOld, asNext] = [await old.documents.collection("things"), await next.documents.collection("things")];
  // The old code goes on, on what the new step made, and one of its nodes even starts again.
  await asOld.insert({ _id: "meanwhile", name: "six" });
  await expect(migrate([first], node("old again"))).resolves.toMatchObject({ version: 2 });
  expect(await asOld.findById("old")).toMatchObject({ name: "four" });
  // The new code bears what the old one writes meanwhile: additive steps leave the new field optional.
  expect(
    (await asNext.find({ sort: ["_id"] })).map(({ name, length = (name as string).length }) => [name, length]),
  ).toEqual([
    ["six", 3],
    ["four", 4],
  ]);
});

it("old code does not start on a store that it cannot read, and says what would", async () => {
  const node = onStore();
  await migrate([first, { ...second, readableFrom: 2 }], node("next"));
  await expect(migrate([first], node("old"))).rejects.toThrow(
    new SchemaMismatch("The store is of version 2, which code from version 2 on can read; this code is of version 1."),
  );
});

it("what a node left half done is taken up by another when its lease ends", async () => {
  const node = onStore();
  const { leases } = node("dead");
  // Killed in the middle: the lease is held, step 2 was not recorded.
  await migrate([first], node("a"));
  expect(await leases.take("migrations", 30_000)).not.toBeNull();
  const waiting = migrate([first, second], node("b"));
  await new Promise((resolve) => setTimeout(resolve, 50));
  expect(ran).toEqual(["1"]);
  clock.advance(30_001);
  await expect(waiting).resolves.toMatchObject({ version: 2 });
  expect(ran).toEqual(["1", "2"]);
});

it("a step that fails stops the start, leaves the version, and is tried again at the next", async () => {
  const node = onStore();
  let broken = true;
  const failing: Migration = {
    ...second,
    async run(...given) {
      if (broken) throw new Error("disk full");
      await second.run(...given);
    },
  };
  await expect(migrate([first, failing], node("a"))).rejects.toThrow("disk full");
  broken = false;
  await expect(migrate([first, failing], node("a"))).resolves.toMatchObject({ version: 2 });
  expect(ran).toEqual(["1", "2"]);
});

it("waits no longer than its patience for a node that does not come to an end", async () => {
  const node = onStore();
  await node("stuck").leases.take("migrations", 30_000);
  await expect(migrate([first], { ...node("b"), patienceMs: 30 })).rejects.toThrow(
    "The store is still of version 0, not 1",
  );
});

it("refuses a list with a gap", async () => {
  await expect(migrate([first, { ...second, version: 3 }], onStore()("a"))).rejects.toThrow(
    "Migration 3 (lengths) stands at place 2",
  );
});
