import fc from "fast-check";
import { EmbeddedDocuments } from "../../../adapters/documents/embedded.ts";
import { behind, sees, type Actor } from "../../../core/access/access.ts";
import type { Doc, Index } from "../../../core/records/documents.ts";
import { afterCursor, cursorAt } from "../../../core/records/cursor.ts";

// Lists are put together from stretches of an index: they must say what reading, filtering and sorting every document
// says, whatever the filters, the order and the reader.

const BARRIER = { set: "problemSetId", compartments: "compartments" };
const hiddenBy = "compartments";
const INDEXES: Index[] = [
  { fields: ["problemSetId", "compartments", "-at"], hiddenBy },
  { fields: ["problemSetId", "status", "urgent", "compartments", "-at"], enumerated: ["status", "urgent"], hiddenBy },
  { fields: ["problemSetId", "status", "urgent", "compartments", "name"], enumerated: ["status", "urgent"], hiddenBy },
  {
    fields: ["problemSetId", "status", "urgent", "compartments", "-at"],
    enumerated: ["status", "urgent"],
    hiddenBy,
    having: "from",
  },
];
const SETS = ["p1", "p2", "p3"];
const STATES = ["open", "done", "late"];
/** Texts that UTF-16 and UTF-8 order otherwise are among them. */
const NAMES = ["a", "b", "B", "é", "\u{1f600}", "\uffee", "[]", "7"];

let store: EmbeddedDocuments;
beforeAll(() => {
  store = new EmbeddedDocuments(":memory:");
});
afterAll(() => store.close());

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

it("reads, counts and goes on with what the reader sees, no more and no less, in order", async () => {
  let run = 0;
  await fc.assert(
    fc.asyncProperty(fc.array(record, { maxLength: 60 }), reader, asked, async (records, who, how) => {
      const collection = await store.collection(`lists${++run}`, { indexes: INDEXES });
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
        .filter(({ urgent: is }) => urgent === undefined || (typeof urgent === "boolean" ? is === urgent : is !== true))
        .filter((doc) => (!having || doc["from"]) && (!since || field !== "at" || doc["at"] >= since))
        .sort((one, other) => order(one[field], other[field]) || order(one._id, other._id));
      if (falling) seen.reverse();
      const ids = (rows: readonly Doc[]) => rows.map(({ _id }) => _id);

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
      const plan = collection.plan({ query: further, sort: [sort], limit }).join("\n");
      expect(plan).not.toMatch(/SCAN|TEMP B-TREE/);
    }),
    { numRuns: 200 },
  );
});
