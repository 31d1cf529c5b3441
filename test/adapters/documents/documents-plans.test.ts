import { EmbeddedDocuments } from "../../../adapters/documents/embedded.ts";
import type { Doc, Find, Index } from "../../../core/records/documents.ts";

const INDEXES: Index[] = [
  { fields: ["problemSetId", "-createdAt"] },
  { fields: ["status"] },
  { fields: ["rank", "name"] },
  { fields: ["-seenAt"], sparse: true },
  { fields: ["email"], unique: true, sparse: true },
  { fields: ["listId", "articleId"], unique: true },
  { fields: ["tags"] },
  { fields: ["members.userId"] },
  { fields: ["place.country"] },
];
const BARRIER = { compartments: { $not: { $elemMatch: { $nin: ["C1", "C2"] } } } };

/**
 * What a request does not touch must not cost it: each query is served by an index, from the first document to the last
 * in order.
 */
describe("the plans of the embedded store", () => {
  let store: EmbeddedDocuments;
  const plan = async (params: Find): Promise<string> => (await store.collection("missions")).plan(params).join("\n");

  beforeAll(async () => {
    store = new EmbeddedDocuments(":memory:");
    const collection = await store.collection("missions", { indexes: INDEXES });
    await collection.insertMany(
      Array.from({ length: 300 }, (_, n): Doc => ({
        _id: n,
        problemSetId: `p${n % 9}`,
        createdAt: new Date(n * 1e9).toISOString(),
        status: n % 2 ? "open" : "done",
        rank: n % 7,
        name: `n${n}`,
        email: n % 3 ? null : `e${n}`,
        listId: n,
        articleId: 1,
        place: { country: `c${n % 4}` },
        tags: [`t${n % 5}`, "all"],
        members: [{ userId: `u${n % 11}`, role: "lead" }, { userId: "u0" }],
        compartments: n % 2 ? ["C1"] : [],
      })),
    );
  });
  afterAll(() => store.close());

  const IN_SET = "missions|plain|problemSetId,-createdAt ($.problemSetId=?)";
  const BY_MEMBER = "missions|elements|members.userId USING PRIMARY KEY (value=?)";
  const SERVED: [title: string, params: Find, by: string][] = [
    ["equality", { query: { status: "open" } }, "status"],
    ["equality by id, and compare-and-set", { query: { _id: 7, rev: 3 } }, "sqlite_autoindex_missions_1 (id=?)"],
    ["ids", { query: { _id: { $in: [1, 2] } } }, "sqlite_autoindex_missions_1 (id=?)"],
    [
      "a page after an id",
      { query: { _id: { $gt: 7 } }, sort: ["_id"], limit: 5 },
      "sqlite_autoindex_missions_1 (id>?",
    ],
    ["equality and the order of the rest", { query: { problemSetId: "p1" }, sort: ["-createdAt"], limit: 20 }, IN_SET],
    [
      "the same behind a barrier",
      { query: { $and: [{ problemSetId: "p1" }, BARRIER] }, sort: ["-createdAt"], limit: 20 },
      IN_SET,
    ],
    [
      "a sort that names the fixed field too",
      { query: { problemSetId: "p1" }, sort: ["problemSetId", "-createdAt"] },
      IN_SET,
    ],
    ["the same backwards", { query: { problemSetId: "p1" }, sort: ["createdAt"] }, IN_SET],
    [
      "a range in order",
      { query: { rank: { $gte: 2, $lt: 5 } }, sort: ["rank", "name"] },
      "missions|plain|rank,name ($.rank>? AND $.rank<?)",
    ],
    [
      "a compound range",
      { query: { problemSetId: "p1", createdAt: { $gte: "1970", $lte: "1971" } }, sort: ["-createdAt"] },
      `${IN_SET.slice(0, -1)} AND $.createdAt>? AND $.createdAt<?)`,
    ],
    [
      "a range with one end",
      { query: { seenAt: { $lte: "2026" } }, sort: ["-seenAt"] },
      "missions|sparse|-seenAt ($.seenAt>? AND $.seenAt<?)",
    ],
    ["a list", { query: { status: { $in: ["open", "held"] } } }, "missions|plain|status ($.status=?)"],
    ["a nested field", { query: { "place.country": "c1" } }, "missions|plain|place.country ($.place.country=?)"],
    ["null", { query: { status: null } }, "missions|plain|status ($.status=?)"],
    ["a sparse index", { query: { email: "e3" } }, "missions|unique-sparse|email ($.email=?)"],
    ["whether a field is there", { query: { seenAt: { $exists: true } } }, "missions|sparse|-seenAt"],
    [
      "a unique index",
      { query: { listId: 3, articleId: 1 } },
      "missions|unique|listId,articleId ($.listId=? AND $.articleId=?)",
    ],
    ["the elements of an array", { query: { tags: "t1" } }, "missions|elements|tags USING PRIMARY KEY (value=?)"],
    [
      "one of a list among the elements",
      { query: { tags: { $in: ["t1", "t2"] } } },
      "missions|elements|tags USING PRIMARY KEY (value=?)",
    ],
    [
      "a range of elements",
      { query: { tags: { $gte: "t1", $lt: "t2" } } },
      "missions|elements|tags USING PRIMARY KEY (value>? AND value<?)",
    ],
    ["a field of objects in an array", { query: { "members.userId": "u3" } }, BY_MEMBER],
    ["an object in an array", { query: { members: { $elemMatch: { userId: "u3", role: "lead" } } } }, BY_MEMBER],
  ];
  it.each(SERVED)("%s", async (_title, params, by) => {
    const steps = await plan(params);
    expect(steps).toContain(by);
    expect(steps).not.toMatch(/SCAN d(?! USING INDEX missions\|sparse)/);
    expect(steps).not.toContain("TEMP B-TREE");
  });

  it("alternatives, each by its own index", async () => {
    const steps = await plan({
      query: { $or: [{ status: "held" }, { "place.country": "c1", rank: 2 }, { tags: "t3" }, { _id: 4 }] },
    });
    expect(steps).toContain("MULTI-INDEX OR");
    for (const index of ["missions|plain|status", "missions|elements|tags", "sqlite_autoindex_missions_1"])
      expect(steps).toContain(index);
    expect(steps).toMatch(/missions\|plain\|(place\.country|rank,name)/);
    expect(steps).not.toMatch(/SCAN d/);
  });

  it("an order alone, from the index's end", async () => {
    for (const sort of [
      ["status"],
      ["-status"],
      ["rank", "name"],
      ["-rank", "-name"],
      ["-problemSetId", "createdAt"],
    ]) {
      expect(await plan({ sort, limit: 10 })).toMatch(/^SCAN d USING (COVERING )?INDEX missions\|plain\|\S+$/);
    }
  });

  it("the same answers when a plain field begins to hold arrays", async () => {
    const collection = await store.collection("turning", { indexes: [{ fields: ["owner"] }] });
    await collection.insertMany([
      { _id: 1, owner: "ada" },
      { _id: 2, owner: "bob" },
    ]);
    expect(collection.plan({ query: { owner: "ada" } })[0]).toContain("turning|plain|owner ($.owner=?)");
    await collection.insert({ _id: 3, owner: ["ada", "cy"] });
    expect(collection.plan({ query: { owner: "ada" } }).join()).toContain(
      "turning|elements|owner USING PRIMARY KEY (value=?)",
    );
    expect((await collection.find({ query: { owner: "ada" }, sort: ["_id"] })).map(({ _id }) => _id)).toEqual([1, 3]);
  });
});
