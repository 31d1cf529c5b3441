import fc from "fast-check";
import { EmbeddedDocuments } from "../../../adapters/documents/embedded.ts";
import { behind, sees } from "../../../core/access/barrier.ts";
import { type Actor } from "../../../core/access/access.ts";
import type { Doc } from "../../../core/records/documents.ts";
import { tries } from "../../tries.ts";

// Counts and pages behind barriers are answered by ways of their own (loose index scans, the first rows of each set):
// they must say what reading every document says.

const BARRIER = { set: "problemSetId", compartments: "compartments" };
const INDEXES = [
  { fields: ["-createdAt"] },
  { fields: ["problemSetId", "-createdAt"] },
  { fields: ["problemSetId", "compartments"] },
];
const SETS = ["p1", "p2", "p3", "p4"];

let store: EmbeddedDocuments;
beforeAll(() => {
  store = new EmbeddedDocuments(":memory:");
});
afterAll(() => store.close());

const compartmentsOf = (set: string) => fc.subarray(["a", "b", "c"].map((one) => `${set}/${one}`));
const record = fc.constantFrom(...SETS).chain((problemSetId) =>
  fc.record({
    problemSetId: fc.constant(problemSetId),
    createdAt: fc.integer({ min: 0, max: 9 }).map((n) => `t${n}`),
    status: fc.constantFrom("open", "done"),
    compartments: fc.oneof(
      { weight: 30, arbitrary: compartmentsOf(problemSetId) as fc.Arbitrary<string[] | null | undefined> },
      { weight: 1, arbitrary: fc.constantFrom(null, undefined) },
    ),
  }),
);
const memberships = fc
  .subarray(SETS)
  .chain((sets) => fc.record(Object.fromEntries(sets.map((set) => [set, compartmentsOf(set)]))));
const reader = (held: Record<string, string[]>): Actor => ({
  userId: "ann",
  roles: [],
  via: "jwt",
  permits: [],
  memberships: Object.fromEntries(
    Object.entries(held).map(([set, compartments]) => [set, { role: "planner", permits: [], compartments }]),
  ),
});

it("counts, groups and pages what the reader sees, no more and no less", async () => {
  let run = 0;
  await fc.assert(
    fc.asyncProperty(
      fc.array(record, { maxLength: 60 }),
      memberships,
      fc.option(fc.constantFrom(...SETS), { nil: undefined }),
      fc.nat(20),
      fc.integer({ min: 1, max: 20 }),
      async (records, held, set, offset, limit) => {
        const collection = await store.collection(`notes${++run}`, { indexes: INDEXES });
        const docs = records.map(({ compartments, ...rest }, n): Doc => ({
          _id: `i${String(n).padStart(3, "0")}`,
          ...rest,
          ...(compartments !== undefined && { compartments }),
        }));
        await collection.insertMany(docs);
        const who = reader(held);
        const own = set ? { problemSetId: set } : { status: "open" };
        const query = { $and: [own, behind(BARRIER, who, own)] };
        const seen = docs.filter(
          (doc) => sees(BARRIER, who, doc) && (set ? doc["problemSetId"] === set : doc["status"] === "open"),
        );
        expect(await collection.count({ query })).toBe(seen.length);
        expect(
          (await collection.groups({ query, by: "problemSetId" })).reduce((sum, { count }) => sum + count, 0),
        ).toBe(seen.length);
        const ordered = [...seen].sort((one, other) =>
          one["createdAt"] === other["createdAt"]
            ? one._id < other._id
              ? 1
              : -1
            : one["createdAt"] < other["createdAt"]
              ? 1
              : -1,
        );
        const page = await collection.find({ query, sort: ["-createdAt"], limit, offset });
        expect(page.map(({ _id }) => _id)).toEqual(ordered.slice(offset, offset + limit).map(({ _id }) => _id));
      },
    ),
    { numRuns: tries(300) },
  );
});

it("reads the first rows of each set for a page over several, not all of them", async () => {
  const collection = await store.collection("planned", { indexes: INDEXES });
  await collection.insertMany(
    Array.from({ length: 200 }, (_, n) => ({
      _id: n,
      problemSetId: SETS[n % 4],
      compartments: [],
      createdAt: `t${n}`,
    })),
  );
  const query = behind(BARRIER, reader({ p1: [], p2: ["p2/a"] }));
  const plan = collection.plan({ query, sort: ["-createdAt"], limit: 5 }).join("\n");
  expect(plan).toContain("CORRELATED LIST SUBQUERY");
  expect(plan).toContain("planned|plain|problemSetId,-createdAt ($.problemSetId=?)");
  expect(plan).not.toMatch(/SCAN d/);
});
