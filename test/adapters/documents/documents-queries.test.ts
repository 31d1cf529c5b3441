import fc from "fast-check";
import { Query as Interpreter } from "mingo";
import { EmbeddedDocuments } from "../../../adapters/documents/embedded.ts";
import type { Doc, Index, Key, Query } from "../../../core/records/documents.ts";

/**
 * The embedded store against mingo's interpreter of MongoDB's query language, on random documents and random queries of
 * the port's operators. Left out is where mingo is known to differ from MongoDB: null inside of a list of objects,
 * `$all` on a scalar, comparison with null, lists of lists. documents.test.ts says by example how the store answers
 * there.
 */
const number = fc.constantFrom(0, 1, 2, -1, 1.5, 1e20);
const text = fc.constantFrom("", "a", "b", "ab", "Z", "é", "1", "[1]", '{"lat":1}', "true");
const scalar = fc.oneof(number, text, fc.boolean());
const nullable = fc.oneof({ weight: 5, arbitrary: scalar }, { weight: 1, arbitrary: fc.constant(null) });

const document = fc.record(
  {
    n: nullable,
    s: fc.oneof(
      { weight: 4, arbitrary: text },
      { weight: 1, arbitrary: fc.record({ lat: number }) },
      { weight: 1, arbitrary: fc.array(text, { maxLength: 2 }) },
    ),
    tags: fc.array(nullable, { maxLength: 4 }),
    mixed: fc.oneof(nullable, fc.array(nullable, { maxLength: 3 }), fc.record({ a: number })),
    place: fc.record({ lat: number, on: fc.boolean(), names: fc.array(text, { maxLength: 2 }) }, { requiredKeys: [] }),
    people: fc.array(fc.record({ name: text, role: scalar }, { requiredKeys: ["name"] }), { maxLength: 3 }),
  },
  { requiredKeys: [] },
);

const INDEXES: Index[] = [
  { fields: ["n"] },
  { fields: ["-s", "n"] },
  { fields: ["tags"] },
  { fields: ["mixed", "-n"] },
  { fields: ["place.lat"], sparse: true },
  { fields: ["place.names"] },
  { fields: ["people.name"] },
];

/** Paths by what mingo can be asked of them: inside of `people` it differs on null. */
const PLAIN = ["n", "s", "tags", "mixed", "place.lat", "place.on", "place.names", "missing", "mixed.a"] as const;
const INSIDE = ["people.name", "people.role"] as const;

const comparison = (field: string): fc.Arbitrary<Query> =>
  fc
    .tuple(fc.constantFrom("$gt", "$gte", "$lt", "$lte"), fc.oneof(number, text))
    .map(([operator, value]) => ({ [field]: { [operator]: value } }));
const range = (field: string): fc.Arbitrary<Query> =>
  fc.oneof(fc.tuple(number, number), fc.tuple(text, text)).map(([from, to]) => ({ [field]: { $gte: from, $lt: to } }));

function condition(field: string, value: fc.Arbitrary<unknown>): fc.Arbitrary<Query> {
  return fc.oneof(
    value.map((one) => ({ [field]: one })),
    value.map((one) => ({ [field]: { $ne: one } })),
    fc.array(value, { maxLength: 3 }).map((list) => ({ [field]: { $in: list } })),
    fc.array(value, { maxLength: 3 }).map((list) => ({ [field]: { $nin: list } })),
    fc.boolean().map((exists) => ({ [field]: { $exists: exists } })),
    fc
      .constantFrom({ $regex: "^a" }, { $regex: "B", $options: "i" }, { $not: { $regex: "a|b" } })
      .map((pattern) => ({ [field]: pattern })),
    comparison(field),
    comparison(field).map((query) => ({ [field]: { $not: query[field] } })),
    range(field),
  );
}

const ofElement = fc.oneof(
  scalar.map((value) => ({ $eq: value })),
  fc.array(scalar, { maxLength: 3 }).map((list) => ({ $nin: list })),
  fc.array(scalar, { maxLength: 3 }).map((list) => ({ $in: list })),
  fc.tuple(number, number).map(([from, to]) => ({ $gte: from, $lte: to })),
  scalar.map((value) => ({ $ne: value })),
);

const leaf: fc.Arbitrary<Query> = fc.oneof(
  { weight: 6, arbitrary: fc.constantFrom(...PLAIN).chain((field) => condition(field, nullable)) },
  { weight: 2, arbitrary: fc.constantFrom(...INSIDE).chain((field) => condition(field, scalar)) },
  {
    weight: 1,
    arbitrary: fc
      .constantFrom("tags", "place.names")
      .chain((field) => ofElement.map((match) => ({ [field]: { $elemMatch: match } }))),
  },
  {
    weight: 1,
    arbitrary: fc
      .constantFrom("tags", "place.names")
      .chain((field) => ofElement.map((match) => ({ [field]: { $not: { $elemMatch: match } } }))),
  },
  { weight: 1, arbitrary: fc.record({ name: text, role: scalar }).map((match) => ({ people: { $elemMatch: match } })) },
  {
    weight: 1,
    arbitrary: fc.tuple(text, scalar).map(([name, role]) => ({
      people: { $elemMatch: { name: { $in: [name, "a"] }, $or: [{ role }, { name: "b" }] } },
    })),
  },
  { weight: 1, arbitrary: fc.array(scalar, { maxLength: 2 }).map((all) => ({ tags: { $all: all } })) },
  { weight: 1, arbitrary: fc.integer({ min: 0, max: 3 }).map((size) => ({ tags: { $size: size } })) },
  { weight: 1, arbitrary: fc.record({ lat: number }).map((value) => ({ s: value })) },
  { weight: 1, arbitrary: fc.array(nullable, { maxLength: 2 }).map((value) => ({ tags: value })) },
  {
    weight: 1,
    arbitrary: fc.array(fc.integer({ min: 0, max: 30 }), { maxLength: 9 }).map((list) => ({ _id: { $in: list } })),
  },
  { weight: 1, arbitrary: fc.integer({ min: 0, max: 30 }).map((id) => ({ _id: { $gt: id } })) },
);

const { query } = fc.letrec<{ query: Query }>((tie) => ({
  query: fc.oneof(
    { maxDepth: 3, depthIdentifier: "query" },
    leaf,
    fc.array(tie("query"), { minLength: 1, maxLength: 3 }).map((parts) => ({ $and: parts })),
    fc.array(tie("query"), { minLength: 1, maxLength: 3 }).map((parts) => ({ $or: parts })),
    fc.array(tie("query"), { minLength: 1, maxLength: 2 }).map((parts) => ({ $nor: parts })),
    fc.tuple(tie("query"), leaf).map(([one, other]) => ({ $and: [one], ...other })),
  ),
}));

/** With ids, and as JSON gives them: mingo stumbles over objects without a prototype, which fast-check makes. */
const numbered = (drafts: readonly object[]): Doc[] =>
  drafts.map((draft, _id) => ({ ...(JSON.parse(JSON.stringify(draft)) as object), _id }));

const matching = (docs: readonly Doc[], asked: Query): Key[] => {
  const interpreter = new Interpreter(asked as never);
  return docs.filter((doc) => interpreter.test(doc as never)).map(({ _id }) => _id);
};

describe.each([
  ["without indexes", []],
  ["with indexes", INDEXES],
] as const)("the embedded store, %s, equals mingo", (_name, indexes) => {
  it("in what it finds, counts and removes", async () => {
    let serial = 0;
    const given = fc.array(document, { minLength: 1, maxLength: 30 });
    const asking = fc.array(query, { minLength: 12, maxLength: 12 });
    await fc.assert(
      fc.asyncProperty(given, asking, async (drafts, queries) => {
        const store = new EmbeddedDocuments(":memory:");
        const docs = numbered(drafts);
        // Half is there before the indexes are, half comes after, one update turns scalars into lists.
        const name = `c${++serial}`;
        const collection = await store.collection(name);
        await collection.insertMany(docs.slice(0, docs.length / 2));
        await store.collection(name, { indexes });
        await collection.bulk(docs.slice(docs.length / 2).map((doc) => ({ insert: doc })));
        docs[0] = (await collection.updateById(0, { $set: { mixed: ["a", 1, true] } }))!;
        for (const asked of queries) {
          const expected = matching(docs, asked);
          expect([asked, (await collection.find({ query: asked, sort: ["_id"] })).map(({ _id }) => _id)]).toEqual([
            asked,
            expected,
          ]);
          expect([asked, await collection.count({ query: asked })]).toEqual([asked, expected.length]);
        }
        const doomed = matching(docs, queries[0]!);
        expect(await collection.removeMany(queries[0]!)).toBe(doomed.length);
        const left = docs.filter(({ _id }) => !doomed.includes(_id));
        expect(await collection.find({ sort: ["_id"] })).toEqual(left);
        expect((await collection.find({ query: queries[1]!, sort: ["_id"] })).map(({ _id }) => _id)).toEqual(
          matching(left, queries[1]!),
        );
        await store.close();
      }),
      { numRuns: 120 },
    );
  });

  it("in the order of a sort by fields of one type", async () => {
    const given = fc.array(fc.record({ n: fc.option(number), s: fc.option(text) }, { requiredKeys: [] }), {
      maxLength: 25,
    });
    await fc.assert(
      fc.asyncProperty(given, fc.constantFrom(["n"], ["-n"], ["-s", "n"], ["s", "-n"]), async (drafts, sort) => {
        const store = new EmbeddedDocuments(":memory:");
        const collection = await store.collection("sorted", { indexes });
        await collection.insertMany(numbered(drafts));
        const broken = [...sort, sort.at(-1)!.startsWith("-") ? "-_id" : "_id"];
        const order = Object.fromEntries(
          broken.map((field) => (field.startsWith("-") ? [field.slice(1), -1] : [field, 1])),
        );
        const expected = new Interpreter({})
          .find<Doc>(numbered(drafts) as never)
          .sort(order as never)
          .all();
        expect((await collection.find({ sort })).map(({ _id }) => _id)).toEqual(expected.map(({ _id }) => _id));
        await store.close();
      }),
      { numRuns: 60 },
    );
  });
});
