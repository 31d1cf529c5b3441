import fc from "fast-check";
import { MongoCollection } from "../../../adapters/documents/mongo/collection.ts";
import { totalOrder } from "../../../adapters/documents/paths.ts";
import { checkedQuery } from "../../../adapters/documents/queries.ts";
import { EmbeddedCollection } from "../../../adapters/documents/sqlite/collection.ts";
import { behind, sees } from "../../../core/access/barrier.ts";
import { type Actor } from "../../../core/access/access.ts";
import type { Doc, Index } from "../../../core/records/documents.ts";
import { afterCursor, cursorAt } from "../../../core/records/reading/cursor.ts";
import { ids, onEveryEngine, whereAble } from "./engines.ts";

// Lists are put together from stretches of an index: they must say what reading, filtering and sorting every document
// says, whatever the filters, the order and the reader.

const BARRIER = { set: "problemSetId", compartments: "compartments" };
const hiddenBy = "compartments";
const SETS = ["p1", "p2", "p3"];
const STATES = ["open", "done", "late"];
const open = { enumerated: ["status", "urgent"], values: { status: [...STATES, null], urgent: [true, false, null] } };
const INDEXES: Index[] = [
  { fields: ["problemSetId", "compartments", "-at"], hiddenBy },
  { fields: ["problemSetId", "status", "urgent", "compartments", "-at"], ...open, hiddenBy },
  { fields: ["problemSetId", "status", "urgent", "compartments", "name"], ...open, hiddenBy },
  { fields: ["problemSetId", "status", "urgent", "compartments", "-at"], ...open, hiddenBy, having: "from" },
];
/** Texts that UTF-16 and UTF-8 order otherwise are among them. */
const NAMES = ["a", "b", "B", "é", "\u{1f600}", "\uffee", "[]", "7"];

const compartmentsOf = (set: string) => fc.subarray(["a", "b"].map((one) => `${set}/${one}`));
const record = fc.constantFrom(...SETS).chain((problemSetId) =>
  fc.record(
    {
      problemSetId: fc.constant(problemSetId),
      at: fc.integer({ min: 0, max: 6 }).map((n) => `t${n}`),
      status: fc.constantFrom(...STATES),
      urgent: fc.boolean(),
      name: fc.constantFrom(...NAMES),
      from: fc.constant("below"),
      compartments: compartmentsOf(problemSetId),
    },
    { requiredKeys: ["problemSetId", "at"] },
  ),
);
const reader = fc
  .subarray(SETS)
  .chain((sets) => fc.record(Object.fromEntries(sets.map((set) => [set, compartmentsOf(set)]))))
  .map((held): Actor => ({
    userId: "ann",
    roles: [],
    via: "jwt",
    permits: [],
    memberships: Object.fromEntries(
      Object.entries(held).map(([set, compartments]) => [set, { role: "planner", permits: [], compartments }]),
    ),
  }));
const asked = fc.record({
  set: fc.option(fc.constantFrom(...SETS), { nil: undefined }),
  status: fc.option(fc.constantFrom<unknown>(...STATES, { $in: ["open", "late"] }, { $ne: "open" }), {
    nil: undefined,
  }),
  urgent: fc.option(fc.constantFrom<unknown>(true, false, { $ne: true }), { nil: undefined }),
  having: fc.boolean(),
  since: fc.option(
    fc.integer({ min: 0, max: 6 }).map((n) => `t${n}`),
    { nil: undefined },
  ),
  sort: fc.constantFrom("-at", "at", "name", "-name"),
  offset: fc.nat(12),
  limit: fc.integer({ min: 1, max: 12 }),
  most: fc.integer({ min: 1, max: 30 }),
});

const isOf = (status: unknown, value: unknown): boolean => {
  if (status === undefined || typeof status === "string") return status === undefined || value === status;
  const { $in, $ne } = status as { $in?: string[]; $ne?: string };
  return $in ? $in.includes(value as string) : value !== $ne;
};
const order = (one: unknown, other: unknown): number => {
  if (one === other) return 0;
  if (one === undefined || other === undefined) return one === undefined ? -1 : 1;
  return Buffer.compare(Buffer.from(one as string), Buffer.from(other as string));
};

/** Rounds on a server cost a trip each. */
const ROUNDS = { embedded: 200, mongo: 60 };

onEveryEngine("lists", ({ engine, documents, fresh }) => {
  it("read, count and go on with what the reader sees, no more and no less, in order", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(record, { maxLength: 60 }), reader, asked, async (records, who, how) => {
        const collection = await fresh(INDEXES);
        const docs = records.map((fields, n): Doc => ({ _id: `i${String(n).padStart(3, "0")}`, ...fields }));
        await collection.insertMany(docs);
        const { set, status, urgent, having, since, sort, offset, limit, most } = how;
        const own = {
          ...(set && { problemSetId: set }),
          ...(status !== undefined && { status }),
          ...(urgent !== undefined && { urgent }),
          ...(having && { from: { $exists: true } }),
          ...(since && sort.endsWith("at") && { at: { $gte: since } }),
        };
        const query = { $and: [own, behind(BARRIER, who, own)] };
        const field = sort.replace("-", ""),
          falling = sort.startsWith("-");
        const seen = docs
          .filter(
            (doc) => sees(BARRIER, who, doc) && (!set || doc["problemSetId"] === set) && isOf(status, doc["status"]),
          )
          .filter(
            ({ urgent: is }) => urgent === undefined || (typeof urgent === "boolean" ? is === urgent : is !== true),
          )
          .filter((doc) => (!having || doc["from"]) && (!since || field !== "at" || doc["at"] >= since))
          .sort((one, other) => order(one[field], other[field]) || order(one._id, other._id));
        if (falling) seen.reverse();
        expect(ids(await collection.find({ query, sort: [sort], limit, offset }))).toEqual(
          ids(seen.slice(offset, offset + limit)),
        );
        expect(await collection.count({ query })).toBe(seen.length);
        expect(await collection.count({ query, most })).toBe(Math.min(most, seen.length));
        const at = seen[offset];
        if (field !== "at" || !at) return;
        const further = { $and: [query, afterCursor(cursorAt(at, field), field, falling)] };
        expect(ids(await collection.find({ query: further, sort: [sort], limit }))).toEqual(
          ids(seen.slice(offset + 1, offset + 1 + limit)),
        );
        if (collection instanceof EmbeddedCollection) {
          const plan = collection.plan({ query: further, sort: [sort], limit }).join("\n");
          expect(plan).not.toMatch(/SCAN|TEMP B-TREE/);
        }
        if (set && collection instanceof MongoCollection)
          expect(collection.hints.of(checkedQuery(further), totalOrder([sort]))).toBeDefined();
      }),
      { numRuns: ROUNDS[documents().kind] },
    );
  });

  whereAble(engine, "explain", "visit what they show, however many lie beside", async () => {
    if (documents().kind === "embedded") return; // test/adapters/documents/documents-plans and test/claims/lists
    const collection = (await fresh(INDEXES)) as MongoCollection;
    await collection.insertMany(
      Array.from({ length: 3_000 }, (_, n): Doc => ({
        _id: `i${String(n).padStart(4, "0")}`,
        problemSetId: SETS[n % 2],
        compartments: [],
        status: STATES[n % 3],
        urgent: n % 5 === 0,
        at: `t${n % 700}`,
        name: `n${n % 900}`,
        ...(n % 100 === 0 && { from: "below" }),
      })),
    );
    const filters = [
      {},
      { status: "open" },
      { urgent: true },
      { status: { $ne: "late" } },
      { from: { $exists: true } },
    ];
    for (const filter of filters) {
      for (const sort of ["-at", "at", "name"]) {
        if ("from" in filter && sort === "name") continue;
        const order = totalOrder([sort]);
        const query = { problemSetId: "p1", ...filter };
        const page = collection.hints.of(checkedQuery(query), order)!;
        const told = await collection.collection
          .find(page.query as object)
          .hint(page.hint)
          .sort(collection.transformSort([sort]))
          .limit(10)
          .explain("executionStats");
        expect(told["executionStats"].totalDocsExamined).toBeLessThanOrEqual(20);
        expect(told["executionStats"].totalKeysExamined).toBeLessThanOrEqual(60);
        const count = collection.hints.of(checkedQuery(query), [])!;
        const total = await collection.count({ query });
        const counted = await collection.collection
          .find(count.query as object)
          .hint(count.hint)
          .explain("executionStats");
        expect(counted["executionStats"].totalDocsExamined).toBeLessThanOrEqual(total);
      }
    }
  });
});
