import type { Collection, Doc, Index, Query } from "../../../core/records/documents.ts";
import { ids, onEveryEngine, show, whereAble, type Capability } from "./engines.ts";

/** The port's queries and groups, on every engine at hand. */
onEveryEngine("finding documents", ({ engine, fresh, having }) => {
  describe("the same question, asked again", () => {
    it("is answered by the values of each time", async () => {
      const collection = await having(
        [
          { _id: "a", kind: "x", n: 7, tags: ["p", "q"], on: true },
          { _id: "b", kind: "y", n: 8, tags: ["q", "p"], on: 1 },
          { _id: "c", kind: "{x}", n: 1, tags: ["q"] },
        ],
        [{ fields: ["kind"] }, { fields: ["n"] }, { fields: ["on"] }],
      );
      const found = async (query: Query): Promise<unknown[]> => ids(await collection.find({ query })).sort();
      for (const [query, expected] of [
        [{ kind: "x" }, ["a"]],
        [{ kind: "y" }, ["b"]],
        [{ kind: "{x}" }, ["c"]],
        [{ kind: "x", n: 7 }, ["a"]],
        [{ n: 8, kind: "y" }, ["b"]],
        [{ n: 7, kind: "y" }, []],
        [{ n: 1 }, ["c"]],
        [{ n: 8 }, ["b"]],
        [{ on: 1 }, ["b"]],
        [{ on: true }, ["a"]],
        [{ on: 7 }, []],
        [{ "tags.0": "p" }, ["a"]],
        [{ "tags.0": "q" }, ["b", "c"]],
        [{ kind: "y", "tags.0": "q" }, ["b"]],
        [{ kind: "x", "tags.0": "q" }, []],
        [{ _id: "a", n: 7 }, ["a"]],
        [{ _id: "b", n: 7 }, []],
      ] as const)
        expect([query, await found(query)]).toEqual([query, expected]);
    });

    it("follows a field that has come to hold lists, truth values and objects", async () => {
      const collection = await having([{ _id: 1, kind: "x" }], [{ fields: ["kind"] }]);
      const found = async (kind: unknown): Promise<unknown[]> => ids(await collection.find({ query: { kind } })).sort();
      expect(await found("x")).toEqual([1]);
      await collection.insert({ _id: 2, kind: ["x", "y"] });
      expect([await found("x"), await found("y")]).toEqual([[1, 2], [2]]);
      await collection.insert({ _id: 3, kind: true });
      await collection.insert({ _id: 4, kind: { x: 1 } });
      expect([await found(1), await found(true), await found('{"x":1}')]).toEqual([[], [3], []]);
      expect(await collection.claim({ kind: "y" }, { $set: { kind: "z" } })).toMatchObject({ _id: 2 });
      expect([await found("y"), await found("z")]).toEqual([[], [2]]);
    });

    it("takes no name for two", async () => {
      const collection = await having([{ _id: 1, a: "x", b: "y" }]);
      expect(ids(await collection.find({ query: { a: "x", b: "y" } }))).toEqual([1]);
      for (const query of [{ "a\ntb": "x" }, { "a\ntb\nt": "x", c: "y" }])
        await expect(collection.find({ query })).rejects.toThrow(TypeError);
    });
  });

  describe("queries", () => {
    const docs: Doc[] = [
      { _id: 1, n: 1, s: "apple", tags: ["x", "y"], at: "2026-01-01T00:00:00.000Z", place: { lat: 60, on: true } },
      { _id: 2, n: 0, s: "Banana", tags: [], at: "2026-02-01T00:00:00.000Z", place: { lat: 10, on: false } },
      { _id: 3, n: true, s: null, tags: ["y", 3, null] },
      { _id: 4, n: "1", s: "[x]", tags: "x", people: [{ name: "ada", role: "lead" }, { name: "bob" }] },
      {
        _id: 5,
        s: '{"lat":60}',
        tags: [["x"]],
        people: [
          { name: "ada", role: null },
          { name: "cy", role: "lead" },
        ],
      },
      { _id: 6, n: 1.2345678901234567e19, s: { lat: 60 }, people: [] },
    ];
    const INDEXES: Index[] = [
      ...["n", "s", "tags", "people.name", "place.lat"].map((field) => ({ fields: [field] })),
      { fields: ["at"], sparse: true },
    ];

    const CASES: [query: object, expected: number[], needs?: Capability][] = [
      [{}, [1, 2, 3, 4, 5, 6]],
      [{ n: 1 }, [1]],
      [{ n: true }, [3]],
      [{ n: "1" }, [4]],
      [{ n: 1.2345678901234567e19 }, [6]],
      [{ n: null }, [5]],
      [{ n: { $ne: 1 } }, [2, 3, 4, 5, 6]],
      [{ n: { $in: [0, "1", null] } }, [2, 4, 5]],
      [{ n: { $nin: [0, true] } }, [1, 4, 5, 6]],
      [{ n: { $exists: false } }, [5]],
      [{ s: { $exists: true } }, [1, 2, 3, 4, 5, 6]],
      [{ s: "[x]" }, [4]],
      [{ s: { lat: 60 } }, [6]],
      [{ s: { $gt: "Z" } }, [1, 4, 5], "type-bracketing"],
      [{ s: { $gte: "B", $lt: "b" } }, [2, 1, 4].sort()],
      [{ s: /^a/ }, [1]],
      [{ s: { $regex: "^b", $options: "i" } }, [2]],
      [{ s: { $in: [/an/, "apple"] } }, [1, 2]],
      [{ s: { $not: /an/ } }, [1, 3, 4, 5, 6]],
      [{ tags: "x" }, [1, 4]],
      [{ tags: { $ne: "x" } }, [2, 3, 5, 6]],
      [{ tags: null }, [3, 6]],
      [{ tags: { $in: ["x", 3] } }, [1, 3, 4], "lists-of-lists"],
      [{ tags: { $in: ["y", 3] } }, [1, 3]],
      [{ tags: { $all: ["x", "y"] } }, [1]],
      [{ tags: { $all: [] } }, []],
      [{ tags: { $size: 0 } }, [2]],
      [{ tags: { $size: 1 } }, [5]],
      [{ tags: { $elemMatch: { $gt: "x" } } }, [1, 3]],
      [{ tags: ["x", "y"] }, [1]],
      [{ tags: { $regex: "^y$" } }, [1, 3]],
      [{ tags: { $not: { $elemMatch: { $nin: ["x", "y"] } } } }, [1, 2, 4, 6], "lists-of-lists"],
      [{ _id: { $ne: 5 }, tags: { $not: { $elemMatch: { $nin: ["x", "y"] } } } }, [1, 2, 4, 6]],
      [{ "place.lat": { $gte: 10, $lt: 60 } }, [2]],
      [{ "place.on": false }, [2]],
      [{ "place.on": { $exists: true } }, [1, 2]],
      [{ "people.name": "ada" }, [4, 5]],
      [{ "people.name": { $in: ["cy", "zed"] } }, [5]],
      [{ "people.role": "lead" }, [4, 5]],
      [{ "people.role": { $exists: true } }, [4, 5]],
      [{ "people.role": { $ne: "lead" } }, [1, 2, 3, 6]],
      [{ people: { $elemMatch: { name: "ada", role: "lead" } } }, [4]],
      [{ people: { $elemMatch: { name: { $in: ["bob", "cy"] }, role: { $exists: true } } } }, [5]],
      [
        { people: { $elemMatch: { $or: [{ name: "bob" }, { role: null, name: "ada" }] } } },
        [4, 5],
        "or-inside-elem-match",
      ],
      [{ at: { $gte: "2026-01-15", $lte: "2026-03" } }, [2]],
      [{ $or: [{ n: 1 }, { tags: 3 }, { "place.lat": 10 }] }, [1, 2, 3]],
      [{ $nor: [{ n: 1 }, { tags: "x" }] }, [2, 3, 5, 6]],
      [{ $and: [{ tags: "y" }, { $or: [{ n: true }, { n: 7 }] }] }, [3]],
      [{ n: { $not: { $gte: 1 } } }, [2, 3, 4, 5], "type-bracketing"],
      [{ _id: { $gt: 2, $lte: 4 }, tags: "x" }, [4]],
      [{ _id: { $in: [1, "1", 6] } }, [1, 6]],
      [{ "place.lat": { $gte: 60 }, n: { $lt: 5 } }, [1]],
      [{ $and: [{ _id: { $gte: 1, $lt: 5 } }, { _id: { $lt: "z" } }] }, [], "type-bracketing"],
      [{ n: { $gt: 0 } }, [1, 6], "type-bracketing"],
      [{ n: { $lte: 1 } }, [1, 2], "type-bracketing"],
      [{ n: { $lt: "2" } }, [4], "type-bracketing"],
      [{ n: { $gte: false } }, [3], "type-bracketing"],
      [{ tags: { $gt: 2 } }, [3], "type-bracketing"],
      [{ tags: { $all: ["x"] } }, [1, 4], "all-on-scalars"],
      [{ "people.role": null }, [1, 2, 3, 4, 5], "null-inside-lists"],
    ];

    describe.each([
      ["without indexes", []],
      ["with indexes", INDEXES],
    ] as const)("%s", (_title, indexes) => {
      let collection: Collection;
      beforeAll(async () => {
        collection = await having(docs, [...indexes]);
      });
      for (const [query, expected, needs] of CASES) {
        whereAble(engine, needs, show(query), async () => {
          expect(ids(await collection.find({ query: query as never, sort: ["_id"] }))).toEqual(expected);
          expect(await collection.count({ query: query as never })).toBe(expected.length);
        });
      }
    });

    it("finds in what was written after the indexes were made, also where a field turns out to hold arrays later", async () => {
      const collection = await having([{ _id: 1, tags: "x" }, { _id: 2 }], INDEXES);
      expect(ids(await collection.find({ query: { tags: "x" } }))).toEqual([1]);
      await collection.updateById(2, { $set: { tags: ["x", "z"] } });
      expect(ids(await collection.find({ query: { tags: "x" }, sort: ["_id"] }))).toEqual([1, 2]);
      await collection.updateById(2, { $pull: { tags: "x" } });
      expect(ids(await collection.find({ query: { tags: "x" } }))).toEqual([1]);
      expect(ids(await collection.find({ query: { tags: "z" } }))).toEqual([2]);
      await collection.removeMany({ tags: "z" });
      expect(await collection.count({ query: { tags: "z" } })).toBe(0);
      await collection.bulk([{ insert: { _id: 2, tags: ["x"] } }]);
      expect(ids(await collection.find({ query: { tags: "x" }, sort: ["_id"] }))).toEqual([1, 2]);
      await collection.clear();
      expect(await collection.count({ query: { tags: "x" } })).toBe(0);
    });
  });

  it("asks for each value by itself, whatever was asked in the same words before", async () => {
    const collection = await having(
      [
        { _id: 1, s: "one", n: 5, tags: ["x"], held: ["a", "b"], at: { by: "ada", no: 3 } },
        { _id: 2, s: "two", n: 6, tags: ["y", "z"], held: ["c"], at: { by: "bob", no: 4 } },
        { _id: 3, s: "[two]", n: 1, tags: [], held: [], at: { by: "ada", no: 4 } },
        { _id: 4, s: "1", n: true, tags: ["x", "z"], held: ["c", "a"] },
      ],
      [{ fields: ["s"] }, { fields: ["n", "s"] }, { fields: ["tags"] }, { fields: ["at.by"] }],
    );
    const among = (...held: string[]) => ({ held: { $not: { $elemMatch: { $nin: held } } } });
    const asked: [query: Query, found: number[]][] = [
      [{ s: "one" }, [1]],
      [{ s: "two" }, [2]],
      [{ s: "[two]" }, [3]],
      [{ s: "none" }, []],
      [{ n: 5 }, [1]],
      [{ n: 6 }, [2]],
      [{ n: 1 }, [3]],
      [{ n: true }, [4]],
      [{ s: { $in: ["one", "two"] } }, [1, 2]],
      [{ s: { $in: ["two", "1", "none"] } }, [2, 4]],
      [{ s: { $in: ["[two]", "1"] } }, [3, 4]],
      [{ tags: { $all: ["y", "z"] } }, [2]],
      [{ tags: { $all: ["x", "z"] } }, [4]],
      [{ $and: [{ n: { $gte: 2, $lt: 6 } }, among("a", "b", "c")] }, [1]],
      [{ $and: [{ n: { $gte: 6, $lt: 9 } }, among("a", "b", "c")] }, [2]],
      [{ $and: [{ n: { $gte: 2, $lt: 9 } }, among("a", "c")] }, [2]],
      [
        {
          $or: [
            { "at.by": "ada", "at.no": 3 },
            { "at.by": "bob", "at.no": 3 },
          ],
        },
        [1],
      ],
      [
        {
          $or: [
            { "at.by": "ada", "at.no": 4 },
            { "at.by": "bob", "at.no": 4 },
          ],
        },
        [2, 3],
      ],
    ];
    for (let again = 0; again < 2; again++)
      for (const [query, found] of asked)
        expect([query, ids(await collection.find({ query })).sort()]).toEqual([query, found]);
    expect(await collection.updateMany({ s: "one", n: 5 }, { $set: { s: ["one", "two"] } })).toBe(1);
    expect(ids(await collection.find({ query: { s: "two" } })).sort()).toEqual([1, 2]);
    expect(await collection.claim({ s: "1", n: 5 }, { $set: { n: 7 } })).toBeNull();
    expect(await collection.claim({ s: "two", n: 5 }, { $set: { n: 7 } })).toMatchObject({ _id: 1, n: 7 });
    expect(await collection.removeMany({ s: "two", n: 7 })).toBe(1);
    expect(await collection.removeMany({ s: "two", n: 7 })).toBe(0);
  });

  describe("groups", () => {
    const docs: Doc[] = [
      { _id: 1, kind: "a", n: 1, at: "2026-01-02", tags: ["x", "y", "x"] },
      { _id: 2, kind: "a", n: "q", at: "2026-01-01", tags: "x" },
      { _id: 3, n: 3 },
      { _id: 4, kind: null, n: 4.5, tags: [] },
      { _id: 5, kind: "b", n: 5, nested: { v: 2 }, tags: ["y", true, null] },
      { _id: 6, kind: "a", n: null, at: null },
    ];

    it("groups by a field, missing and null as one, and measures", async () => {
      const collection = await having(docs, [{ fields: ["kind"] }]);
      const measures = {
        sum: { total: "n", v: "nested.v" },
        avg: { mean: "n" },
        min: { first: "at" },
        max: { last: "at" },
      };
      expect(await collection.groups({ by: "kind", ...measures })).toEqual([
        { key: "a", count: 3, total: 1, v: 0, mean: 1, first: "2026-01-01", last: "2026-01-02" },
        { key: null, count: 2, total: 7.5, v: 0, mean: 3.75, first: null, last: null },
        { key: "b", count: 1, total: 5, v: 2, mean: 5, first: null, last: null },
      ]);
    });

    it("is one group over all without a field, none over nothing", async () => {
      const collection = await having(docs);
      const query = { n: { $in: [3, 4.5, 5] }, kind: { $ne: "z" } };
      expect(await collection.groups({ query, max: { most: "n" } })).toMatchObject([{ key: null, count: 3, most: 5 }]);
      expect(await collection.groups({ query: { kind: "z" }, sum: { total: "n" } })).toEqual([]);
    });

    it("unwinds an array, a scalar as an array of one", async () => {
      const groups = await (await having(docs)).groups({ by: "tags", unwind: true });
      expect(new Map(groups.map(({ key, count }) => [key, count]))).toEqual(
        new Map<unknown, number>([
          ["x", 3],
          ["y", 2],
          [true, 1],
          [null, 1],
        ]),
      );
      expect(groups.map(({ count }) => count)).toEqual([3, 2, 1, 1]);
    });

    it("keeps the types of keys apart", async () => {
      const groups = await (
        await having([
          { _id: 1, k: 1 },
          { _id: 2, k: "1" },
          { _id: 3, k: true },
          { _id: 4, k: 1 },
        ])
      ).groups({ by: "k" });
      expect(new Map(groups.map(({ key, count }) => [key, count]))).toEqual(
        new Map<unknown, number>([
          [1, 2],
          ["1", 1],
          [true, 1],
        ]),
      );
    });

    const WRONG = [
      { by: "a'b" },
      { sum: { key: "n" } },
      { sum: { "a.b": "n" } },
      { sum: { x: "n" }, avg: { x: "n" } },
      { max: { x: "$n" } },
    ];
    it.each(WRONG)("refuses %j", async (params) => {
      await expect((await fresh()).groups(params as never)).rejects.toThrow(TypeError);
    });
  });
});
