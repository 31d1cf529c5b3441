import { DuplicateKey, type Collection, type Doc, type Documents, type Index } from "../../core/documents.ts";
import { engines, whereAble, type Capability } from "./documents/engines.ts";

/** The port's behaviour, on every engine at hand. */
describe.each(engines().map((engine) => [engine.name, engine] as const))("documents: %s", (_name, engine) => {
  let documents: Documents;
  let serial = 0;

  beforeAll(() => { documents = engine.open(); });
  afterAll(async () => {
    await documents.close();
    await engine.clean();
  });

  const fresh = (indexes: Index[] = []): Promise<Collection> => documents.collection(`c${++serial}`, { indexes });
  const having = async (docs: Doc[], indexes: Index[] = []): Promise<Collection> => {
    const collection = await fresh(indexes);
    await collection.insertMany(docs);
    return collection;
  };
  const ids = (docs: Doc[]) => docs.map(({ _id }) => _id);

  describe("opening", () => {
    it("gives one object for each name, however often and however many at once", async () => {
      const [one, two] = await Promise.all([documents.collection("once"), documents.collection("once", { indexes: [{ fields: ["a"] }] })]);
      expect(two).toBe(one);
      expect(await documents.collection("once")).toBe(one);
    });

    it.each(["", "a b", "9", "a\"b", "_own", "a$", "x".repeat(100)])("refuses the name %j", async (name) => {
      await expect(documents.collection(name)).rejects.toThrow(TypeError);
    });

    it("refuses an index without fields, and one over a field no query can name", async () => {
      await expect(fresh([{ fields: [] }])).rejects.toThrow("at least one field");
      await expect(fresh([{ fields: ["a'b"] }])).rejects.toThrow("a'b");
    });

    it("adds indexes to a collection that has documents, and refuses a unique one that they break", async () => {
      const collection = await having([{ _id: 1, a: "x", b: 1 }, { _id: 2, a: "x", b: 2 }]);
      const name = `c${serial}`;
      await documents.collection(name, { indexes: [{ fields: ["b"], unique: true }, { fields: ["a"] }] });
      await expect(collection.insert({ _id: 3, b: 2 })).rejects.toThrow(DuplicateKey);
      await expect(documents.collection(name, { indexes: [{ fields: ["a"], unique: true }] })).rejects.toThrow(DuplicateKey);
      expect(await collection.count({ query: { a: "x" } })).toBe(2);
    });

    it("changes an index that is declared otherwise", async () => {
      const collection = await having([{ _id: 1, a: "x" }], [{ fields: ["a"], unique: true }]);
      await documents.collection(`c${serial}`, { indexes: [{ fields: ["a"], unique: true, sparse: true }] });
      await expect(collection.insert({ _id: 2, a: "x" })).rejects.toThrow(DuplicateKey);
    });

    it("answers a ping", async () => {
      await expect(documents.ping()).resolves.toBeUndefined();
    });
  });

  describe("writing and reading", () => {
    it("keeps documents as they were, the types of their ids included", async () => {
      const docs = [
        { _id: 1, text: "Höfn \"quoted\" 𝄞 \u0000 end", list: [1, [2, null], { a: false }], nested: { deep: { n: -0.5 } }, none: null, big: 12345678901234567890, yes: true },
        { _id: "1", text: "" },
        { _id: 2.5 },
      ];
      const collection = await having(docs);
      for (const doc of docs) expect(await collection.findById(doc._id)).toEqual(doc);
      expect(await collection.findById("2.5")).toBeNull();
      expect(await collection.count()).toBe(3);
    });

    it("takes a date as its ISO string and drops what is undefined, in documents and in queries", async () => {
      const at = new Date("2026-11-21T04:00:00.000Z");
      const collection = await fresh();
      const inserted = await collection.insert({ _id: 1, at, gone: undefined, list: [undefined] });
      expect(inserted).toEqual({ _id: 1, at: at.toISOString(), list: [null] });
      expect(Object.keys(inserted)).not.toContain("gone");
      expect(await collection.findOne({ at: { $gte: at } })).toEqual(inserted);
      expect(await collection.updateById(1, { $set: { later: at, gone: undefined } })).toEqual({ ...inserted, later: at.toISOString() });
    });

    it("is not touched by what a caller does with an object afterwards", async () => {
      const collection = await fresh();
      const doc = { _id: 1, list: ["a"] };
      const change = { $set: { list: ["b"] } };
      const inserting = collection.insert(doc);
      doc.list.push("changed");
      (await inserting)["list"].push("changed");
      expect(await collection.findById(1)).toEqual({ _id: 1, list: ["a"] });
      const updating = collection.updateMany({ _id: 1 }, change);
      change.$set.list.push("changed");
      await updating;
      expect(await collection.findById(1)).toEqual({ _id: 1, list: ["b"] });
    });

    it("shows a write to every read that starts after it has resolved", async () => {
      const collection = await fresh();
      for (let _id = 0; _id < 20; _id++) {
        await collection.insert({ _id });
        expect(await collection.findById(_id)).toEqual({ _id });
        expect(await collection.count()).toBe(_id + 1);
      }
    });

    it("finds by several ids, those that are there", async () => {
      const collection = await having([{ _id: 1 }, { _id: "1" }, { _id: 3 }]);
      expect(new Set(ids(await collection.findByIds([3, "1", 9])))).toEqual(new Set([3, "1"]));
      expect(await collection.findByIds([])).toEqual([]);
    });

    it("sorts, with the id as tie-break in the direction of the last field, and pages", async () => {
      const docs = Array.from({ length: 12 }, (_, n) => ({ _id: n, group: ["b", "a", "c"][n % 3]!, rank: n % 2 }));
      const collection = await having(docs, [{ fields: ["group", "-rank"] }]);
      const sorted = [...docs].sort((x, y) => (x.group < y.group ? -1 : x.group > y.group ? 1 : y.rank - x.rank || y._id - x._id));
      expect(await collection.find({ sort: ["group", "-rank"] })).toEqual(sorted);
      expect(ids(await collection.find({ query: { group: "a" }, sort: ["group", "-rank"], limit: 3 }))).toEqual(ids(sorted).slice(0, 3));
      expect(ids(await collection.find({ sort: ["group", "-rank"], limit: 5, offset: 4 }))).toEqual(ids(sorted).slice(4, 9));
      expect(ids(await collection.find({ sort: ["-group"], limit: 3 }))).toEqual([11, 8, 5]);
      expect(ids(await collection.find({ sort: ["_id"], offset: 10 }))).toEqual([10, 11]);
    });

    it("sorts null and missing before all else", async () => {
      const collection = await having([{ _id: 1, a: 2 }, { _id: 2, a: null }, { _id: 3 }, { _id: 4, a: -1 }], [{ fields: ["a"] }]);
      expect(ids(await collection.find({ sort: ["a"] }))).toEqual([2, 3, 4, 1]);
      expect(ids(await collection.find({ sort: ["-a"] }))).toEqual([1, 4, 3, 2]);
    });

    it("reads only the fields it is asked for, missing ones left out", async () => {
      const collection = await having([{ _id: 1, a: null, b: { c: [1] }, long: "x".repeat(5000) }]);
      expect(await collection.find({ fields: ["a", "b", "z"] })).toEqual([{ _id: 1, a: null, b: { c: [1] } }]);
      await expect(collection.find({ fields: ["b.c"] })).rejects.toThrow("b.c");
    });

    it("removes by id, by query, and all", async () => {
      const collection = await having(Array.from({ length: 6 }, (_, _id) => ({ _id, even: _id % 2 === 0 })));
      expect(await collection.removeById(1)).toEqual({ _id: 1, even: false });
      expect(await collection.removeById(1)).toBeNull();
      expect(await collection.removeMany({ even: true })).toBe(3);
      expect(await collection.clear()).toBe(2);
      expect(await collection.count()).toBe(0);
    });
  });

  describe("queries", () => {
    const docs: Doc[] = [
      { _id: 1, n: 1, s: "apple", tags: ["x", "y"], at: "2026-01-01T00:00:00.000Z", place: { lat: 60, on: true } },
      { _id: 2, n: 0, s: "Banana", tags: [], at: "2026-02-01T00:00:00.000Z", place: { lat: 10, on: false } },
      { _id: 3, n: true, s: null, tags: ["y", 3, null] },
      { _id: 4, n: "1", s: "[x]", tags: "x", people: [{ name: "ada", role: "lead" }, { name: "bob" }] },
      { _id: 5, s: "{\"lat\":60}", tags: [["x"]], people: [{ name: "ada", role: null }, { name: "cy", role: "lead" }] },
      { _id: 6, n: 12345678901234567890, s: { lat: 60 }, people: [] },
    ];
    const INDEXES: Index[] = [{ fields: ["n"] }, { fields: ["s"] }, { fields: ["tags"] }, { fields: ["people.name"] }, { fields: ["place.lat"] }, { fields: ["at"], sparse: true }];

    const CASES: [query: object, expected: number[], needs?: Capability][] = [
      [{}, [1, 2, 3, 4, 5, 6]],
      [{ n: 1 }, [1]],
      [{ n: true }, [3]],
      [{ n: "1" }, [4]],
      [{ n: 12345678901234567890 }, [6]],
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
      [{ people: { $elemMatch: { $or: [{ name: "bob" }, { role: null, name: "ada" }] } } }, [4, 5], "or-inside-elem-match"],
      [{ at: { $gte: "2026-01-15", $lte: "2026-03" } }, [2]],
      [{ $or: [{ n: 1 }, { tags: 3 }, { "place.lat": 10 }] }, [1, 2, 3]],
      [{ $nor: [{ n: 1 }, { tags: "x" }] }, [2, 3, 5, 6]],
      [{ $and: [{ tags: "y" }, { $or: [{ n: true }, { n: 7 }] }] }, [3]],
      [{ n: { $not: { $gte: 1 } } }, [2, 3, 4, 5], "type-bracketing"],
      [{ _id: { $gt: 2, $lte: 4 }, tags: "x" }, [4]],
      [{ _id: { $in: [1, "1", 6] } }, [1, 6]],
      [{ "place.lat": { $gte: 60 }, n: { $lt: 5 } }, [1]],
      [{ n: { $gt: 0 } }, [1, 6], "type-bracketing"],
      [{ n: { $lte: 1 } }, [1, 2], "type-bracketing"],
      [{ n: { $lt: "2" } }, [4], "type-bracketing"],
      [{ n: { $gte: false } }, [3], "type-bracketing"],
      [{ tags: { $gt: 2 } }, [3], "type-bracketing"],
      [{ tags: { $all: ["x"] } }, [1, 4], "all-on-scalars"],
      [{ "people.role": null }, [1, 2, 3, 4, 5], "null-inside-lists"],
    ];

    describe.each([["without indexes", []], ["with indexes", INDEXES]] as const)("%s", (_title, indexes) => {
      let collection: Collection;
      beforeAll(async () => { collection = await having(docs, [...indexes]); });
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

  describe("updates", () => {
    const START = { _id: 1, n: 1, list: ["a", "b"], nested: { keep: true, n: 1 }, people: [{ name: "ada", age: 36 }, { name: "bob", age: 20 }] };
    const CASES: [object, object][] = [
      [{ $set: { n: 5, "nested.n": 2, "fresh.deep": [1] } }, { ...START, n: 5, nested: { keep: true, n: 2 }, fresh: { deep: [1] } }],
      [{ $set: { "list.1": "z" } }, { ...START, list: ["a", "z"] }],
      [{ $unset: { n: "", "nested.keep": 1, absent: 1, "list.deep.er": 1 } }, { _id: 1, list: START.list, nested: { n: 1 }, people: START.people }],
      [{ $inc: { n: -3, "nested.m": 0.5 } }, { ...START, n: -2, nested: { ...START.nested, m: 0.5 } }],
      [{ $push: { list: "c", other: { x: 1 } } }, { ...START, list: ["a", "b", "c"], other: [{ x: 1 }] }],
      [{ $push: { list: { $each: ["c", "d"], $slice: -3 } } }, { ...START, list: ["b", "c", "d"] }],
      [{ $push: { list: { $each: ["c"], $position: 0, $slice: 2 } } }, { ...START, list: ["c", "a"] }],
      [{ $addToSet: { list: "a", people: { name: "bob", age: 20 } } }, START],
      [{ $addToSet: { list: { $each: ["b", "c", "c"] }, people: { age: 20, name: "bob" } } }, { ...START, list: ["a", "b", "c"], people: [...START.people, { age: 20, name: "bob" }] }],
      [{ $pull: { list: "a", people: { name: "ada" }, absent: 1 } }, { ...START, list: ["b"], people: [START.people[1]] }],
      [{ $pull: { list: { $in: ["a", "b"] }, people: { age: { $gte: 30 } } } }, { ...START, list: [], people: [START.people[1]] }],
      [{ $setOnInsert: { n: 9 }, $set: { m: 1 } }, { ...START, m: 1 }],
      [{ $set: {} }, START],
    ];
    it.each(CASES.map(([update, expected]) => [show(update), update, expected] as const))("%s", async (_shown, update, expected) => {
      const collection = await having([START, { _id: 2, n: 1 }], [{ fields: ["list"] }, { fields: ["people.name"] }, { fields: ["n"] }]);
      expect(await collection.updateById(1, update)).toEqual(expected);
      expect(await collection.findById(1)).toEqual(expected);
      expect(await collection.findById(2)).toEqual({ _id: 2, n: 1 });
    });

    const REFUSED: [object][] = [
      [{ $inc: { list: 1 } }], [{ $inc: { "people.name": 1 } }], [{ $push: { n: 1 } }], [{ $addToSet: { nested: 1 } }], [{ $pull: { n: 1 } }], [{ $set: { "n.deep": 1 } }], [{ $set: { "list.name": 1 } }],
    ];
    it.each(REFUSED.map(([update]) => [show(update), update] as const))("refuses %s on a value it does not suit, and changes nothing", async (_shown, update) => {
      const collection = await having([START]);
      await expect(collection.updateById(1, update)).rejects.toThrow();
      expect(await collection.findById(1)).toEqual(START);
    });

    it("answers null for an id that is not there", async () => {
      expect(await (await fresh()).updateById("none", { $set: { a: 1 } })).toBeNull();
    });

    it("counts what matched", async () => {
      const collection = await having([{ _id: 1, a: 1 }, { _id: 2, a: 1 }, { _id: 3, a: 2 }]);
      expect(await collection.updateMany({ a: 1 }, { $set: { b: 1 } })).toBe(2);
      expect(await collection.updateMany({ a: 1 }, { $set: { b: 1 } })).toBe(2);
      expect(await collection.updateMany({ a: 9 }, { $set: { b: 1 } })).toBe(0);
    });

    it("compares and sets: of many at once exactly one holds the revision it read", async () => {
      const collection = await having([{ _id: "r", rev: 1 }]);
      for (let rev = 1; rev <= 5; rev++) {
        const counts = await Promise.all(Array.from({ length: 20 }, (_, by) => collection.updateMany({ _id: "r", rev }, { $set: { by }, $inc: { rev: 1 } })));
        expect(counts.filter((count) => count === 1)).toHaveLength(1);
      }
      expect((await collection.findById("r"))!["rev"]).toBe(6);
    });
  });

  describe("unique indexes", () => {
    it("refuses the same id, and says so", async () => {
      const collection = await having([{ _id: 1 }]);
      const error = await collection.insert({ _id: 1, a: 1 }).catch((thrown: unknown) => thrown);
      expect(error).toBeInstanceOf(DuplicateKey);
      expect((error as DuplicateKey).fields).toEqual(["_id"]);
      expect((error as DuplicateKey).collection).toBe(`c${serial}`);
      expect(await collection.findById(1)).toEqual({ _id: 1 });
    });

    it("refuses the same values and names the fields; null and missing are one value", async () => {
      const collection = await having([{ _id: 1, a: "x", b: 1 }, { _id: 2, a: "x" }], [{ fields: ["a", "-b"], unique: true }]);
      await expect(collection.insert({ _id: 3, a: "x", b: 1 })).rejects.toMatchObject({ name: "DuplicateKey", fields: ["a", "b"] });
      await expect(collection.insert({ _id: 3, a: "x", b: null })).rejects.toThrow(DuplicateKey);
      await collection.insert({ _id: 3, b: 1 });
      await collection.insert({ _id: 4 });
      await expect(collection.insert({ _id: 5, a: null })).rejects.toThrow(DuplicateKey);
      expect(await collection.count()).toBe(4);
    });

    it("refuses an update into the same value, by id, by query, by claim and by insertMany", async () => {
      const collection = await having([{ _id: 1, a: "x" }, { _id: 2, a: "y" }], [{ fields: ["a"], unique: true }]);
      await expect(collection.updateById(2, { $set: { a: "x" } })).rejects.toMatchObject({ name: "DuplicateKey", fields: ["a"] });
      await expect(collection.updateMany({ _id: 2 }, { $set: { a: "x" } })).rejects.toThrow(DuplicateKey);
      await expect(collection.claim({ _id: 3 }, { $set: { a: "x" } }, { upsert: true })).rejects.toThrow(DuplicateKey);
      await expect(collection.insertMany([{ _id: 4, a: "x" }])).rejects.toThrow(DuplicateKey);
      expect(await collection.find({ sort: ["_id"] })).toEqual([{ _id: 1, a: "x" }, { _id: 2, a: "y" }]);
    });

    it("holds the elements of an array to uniqueness among documents", async () => {
      const collection = await having([{ _id: 1, names: ["ada", "countess", "ada"] }], [{ fields: ["names"], unique: true }]);
      await expect(collection.insert({ _id: 2, names: ["bob", "ada"] })).rejects.toMatchObject({ name: "DuplicateKey", fields: ["names"] });
      await collection.insert({ _id: 2, names: ["bob"] });
      await expect(collection.updateById(2, { $push: { names: "countess" } })).rejects.toThrow(DuplicateKey);
      expect(await collection.findById(2)).toEqual({ _id: 2, names: ["bob"] });
      expect(await collection.count({ query: { names: "bob" } })).toBe(1);
    });

    it("leaves documents without the first field out of a sparse one", async () => {
      const collection = await having([{ _id: 1 }, { _id: 2 }, { _id: 3, a: "x" }], [{ fields: ["a"], unique: true, sparse: true }]);
      await expect(collection.insert({ _id: 4, a: "x" })).rejects.toMatchObject({ name: "DuplicateKey", fields: ["a"] });
      expect(await collection.count({ query: { a: null } })).toBe(2);
    });

    whereAble(engine, "partial-unique-indexes", "leaves null out of a sparse one, and looks at the first field alone", async () => {
      const collection = await having([{ _id: 1, a: null, b: 1 }, { _id: 2, a: null, b: 1 }, { _id: 3, b: 1 }, { _id: 4, b: 1 }], [{ fields: ["a", "b"], unique: true, sparse: true }]);
      await collection.insertMany([{ _id: 5, a: "x", b: 1 }, { _id: 6, a: "x" }, { _id: 7, a: 7 }]);
      await expect(collection.insert({ _id: 8, a: "x", b: 1 })).rejects.toThrow(DuplicateKey);
      await expect(collection.insert({ _id: 8, a: "x", b: null })).rejects.toThrow(DuplicateKey);
      await expect(collection.insert({ _id: 8, a: 7 })).rejects.toThrow(DuplicateKey);
    });

    it("lets a write that fails fail alone", async () => {
      const collection = await having([{ _id: 1, a: 1 }], [{ fields: ["a"], unique: true }]);
      const outcomes = await Promise.allSettled([
        collection.insert({ _id: 2, a: 2 }), collection.insert({ _id: 3, a: 1 }), collection.updateById(1, { $inc: { text: 1 } }),
        collection.updateById(1, { $push: { a: 1 } }), collection.removeById(9), collection.insert({ _id: 4, a: 4 }),
      ]);
      expect(outcomes.map(({ status }) => status)).toEqual(["fulfilled", "rejected", "fulfilled", "rejected", "fulfilled", "fulfilled"]);
      expect(ids(await collection.find({ sort: ["_id"] }))).toEqual([1, 2, 4]);
    });
  });

  describe("claim", () => {
    it("takes the first in sort order, as it then is", async () => {
      const collection = await having([{ _id: 1, due: 3, state: "waiting" }, { _id: 2, due: 1, state: "waiting" }, { _id: 3, due: 1, state: "done" }]);
      expect(await collection.claim({ state: "waiting" }, { $set: { state: "taken" } }, { sort: ["due"] })).toEqual({ _id: 2, due: 1, state: "taken" });
      expect(await collection.claim({ state: "waiting" }, { $set: { state: "taken" } }, { sort: ["-due"] })).toEqual({ _id: 1, due: 3, state: "taken" });
      expect(await collection.claim({ state: "waiting" }, { $set: { state: "taken" } })).toBeNull();
    });

    it("gives each job to one claimant", async () => {
      const collection = await having(Array.from({ length: 30 }, (_, _id) => ({ _id, state: "waiting" })), [{ fields: ["state"] }]);
      const taken = await Promise.all(Array.from({ length: 40 }, () => collection.claim({ state: "waiting" }, { $set: { state: "taken" } }, { sort: ["_id"] })));
      expect(ids(taken.filter((doc) => doc !== null)).sort((one, other) => Number(one) - Number(other))).toEqual(Array.from({ length: 30 }, (_, n) => n));
    });

    it("makes what is missing from the query's equalities, and only what is missing", async () => {
      const collection = await fresh();
      const query = { _id: "k", kind: { $eq: "a" }, "nested.x": 1, $and: [{ extra: true }], n: { $gte: 0 }, other: null };
      const update = { $set: { seen: 1 }, $inc: { n: 2 }, $setOnInsert: { born: "now" } };
      expect(await collection.claim(query, update, { upsert: true })).toEqual({ _id: "k", kind: "a", nested: { x: 1 }, extra: true, other: null, seen: 1, n: 2, born: "now" });
      expect(await collection.claim(query, { ...update, $setOnInsert: { born: "later" } }, { upsert: true })).toMatchObject({ n: 4, born: "now" });
      expect(await collection.claim({ _id: "none" }, update)).toBeNull();
      expect(await collection.count()).toBe(1);
    });

    it("makes an id that is a string where the query gives none", async () => {
      const collection = await fresh();
      const doc = await collection.claim({ kind: "a" }, { $set: { n: 1 } }, { upsert: true });
      expect(doc!._id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7/);
      expect(await collection.findById(doc!._id)).toEqual(doc);
      expect(await collection.claim({ kind: "b" }, { $setOnInsert: { _id: 7 } }, { upsert: true })).toEqual({ _id: 7, kind: "b" });
    });

    whereAble(engine, "own-outcome", "counts exactly under 64 callers at once", async () => {
      const collection = await having([{ _id: "counter", value: 0 }]);
      const values = await Promise.all(Array.from({ length: 640 }, () => collection.claim({ _id: "counter" }, { $inc: { value: 1 } }, { upsert: true })));
      expect(values.map((doc) => doc!["value"] as number).sort((one, other) => one - other)).toEqual(Array.from({ length: 640 }, (_, n) => n + 1));
    });

    whereAble(engine, "own-outcome", "counts exactly from nothing, too", async () => {
      const collection = await fresh();
      const values = await Promise.all(Array.from({ length: 64 }, () => collection.claim({ _id: "counter" }, { $inc: { value: 1 } }, { upsert: true })));
      expect(values.map((doc) => doc!["value"] as number).sort((one, other) => one - other)).toEqual(Array.from({ length: 64 }, (_, n) => n + 1));
    });

    whereAble(engine, "own-outcome", "makes one document where a unique index holds the key", async () => {
      const collection = await fresh([{ fields: ["key"], unique: true }]);
      const docs = await Promise.all(Array.from({ length: 30 }, () => collection.claim({ key: "k" }, { $inc: { n: 1 } }, { upsert: true })));
      expect(new Set(ids(docs as Doc[])).size).toBe(1);
      expect(await collection.find()).toMatchObject([{ key: "k", n: 30 }]);
    });
  });

  describe("bulk", () => {
    it("answers how many documents each write changed, -1 where a unique index refused it", async () => {
      const collection = await having([{ _id: 1, a: 1 }, { _id: 2, a: 2 }], [{ fields: ["a"], unique: true }]);
      const { counts } = await collection.bulk([
        { insert: { _id: 3, a: 3 } }, { insert: { _id: 1, a: 9 } }, { insert: { _id: 4, a: 4 } }, { insert: { _id: 5, a: 3 } },
        { update: { a: { $gte: 3 } }, with: { $set: { high: true } } },
        { update: { _id: 2 }, with: { $set: { a: 1 } } },
        { update: { _id: "new" }, with: { $set: { a: 7 } }, upsert: true }, { update: { _id: "new" }, with: { $inc: { a: 1 } }, upsert: true },
        { update: { _id: "other" }, with: { $set: { a: 4 } }, upsert: true },
        { remove: { _id: 1 } }, { remove: { a: 100 } }, { insert: { _id: 1, a: 1 } }, { update: { _id: 1 }, with: { $inc: { a: 100 } } },
      ]);
      expect(counts).toEqual([1, -1, 1, -1, 2, -1, 1, 1, -1, 1, 0, 1, 1]);
      expect(await collection.find({ sort: ["a"] })).toEqual([{ _id: 2, a: 2 }, { _id: 3, a: 3, high: true }, { _id: 4, a: 4, high: true }, { _id: "new", a: 8 }, { _id: 1, a: 101 }]);
    });

    it("takes nothing, and refuses a write that is not well formed before it does any", async () => {
      const collection = await fresh();
      expect(await collection.bulk([])).toEqual({ counts: [] });
      await expect(collection.bulk([{ insert: { _id: 1 } }, { update: { _id: 1 }, with: { $rename: { a: "b" } } as never }])).rejects.toThrow("$rename");
      expect(await collection.count()).toBe(0);
    });

    it("inserts many at once", async () => {
      const collection = await fresh([{ fields: ["n"] }]);
      await collection.insertMany(Array.from({ length: 500 }, (_, n) => ({ _id: `id${n}`, n })));
      expect(await collection.count({ query: { n: { $gte: 100 } } })).toBe(400);
      expect(await collection.insertMany([])).toEqual([]);
    });
  });

  describe("groups", () => {
    const docs: Doc[] = [
      { _id: 1, kind: "a", n: 1, at: "2026-01-02", tags: ["x", "y", "x"] }, { _id: 2, kind: "a", n: "q", at: "2026-01-01", tags: "x" }, { _id: 3, n: 3 },
      { _id: 4, kind: null, n: 4.5, tags: [] }, { _id: 5, kind: "b", n: 5, nested: { v: 2 }, tags: ["y", true, null] }, { _id: 6, kind: "a", n: null, at: null },
    ];

    it("groups by a field, missing and null as one, and measures", async () => {
      const collection = await having(docs, [{ fields: ["kind"] }]);
      expect(await collection.groups({ by: "kind", sum: { total: "n", v: "nested.v" }, avg: { mean: "n" }, min: { first: "at" }, max: { last: "at" } })).toEqual([
        { key: "a", count: 3, total: 1, v: 0, mean: 1, first: "2026-01-01", last: "2026-01-02" },
        { key: null, count: 2, total: 7.5, v: 0, mean: 3.75, first: null, last: null },
        { key: "b", count: 1, total: 5, v: 2, mean: 5, first: null, last: null },
      ]);
    });

    it("is one group over all without a field, none over nothing", async () => {
      const collection = await having(docs);
      expect(await collection.groups({ query: { n: { $in: [3, 4.5, 5] }, kind: { $ne: "z" } }, max: { most: "n" } })).toMatchObject([{ key: null, count: 3, most: 5 }]);
      expect(await collection.groups({ query: { kind: "z" }, sum: { total: "n" } })).toEqual([]);
    });

    it("unwinds an array, a scalar as an array of one", async () => {
      const groups = await (await having(docs)).groups({ by: "tags", unwind: true });
      expect(new Map(groups.map(({ key, count }) => [key, count]))).toEqual(new Map<unknown, number>([["x", 3], ["y", 2], [true, 1], [null, 1]]));
      expect(groups.map(({ count }) => count)).toEqual([3, 2, 1, 1]);
    });

    it("keeps the types of keys apart", async () => {
      const groups = await (await having([{ _id: 1, k: 1 }, { _id: 2, k: "1" }, { _id: 3, k: true }, { _id: 4, k: 1 }])).groups({ by: "k" });
      expect(new Map(groups.map(({ key, count }) => [key, count]))).toEqual(new Map<unknown, number>([[1, 2], ["1", 1], [true, 1]]));
    });

    it.each([{ by: "a'b" }, { sum: { key: "n" } }, { sum: { "a.b": "n" } }, { sum: { x: "n" }, avg: { x: "n" } }, { max: { x: "$n" } }])("refuses %j", async (params) => {
      await expect((await fresh()).groups(params as never)).rejects.toThrow(TypeError);
    });
  });

  describe("what it refuses", () => {
    const QUERIES: [object, string][] = [
      [{ $where: "1" }, "$where"], [{ a: { $where: "1" } }, "$where"], [{ a: { $expr: {} } }, "$expr"], [{ $expr: {} }, "$expr"], [{ $text: { $search: "x" } }, "$text"],
      [{ a: undefined }, "a is undefined"], [{ a: { $eq: undefined } }, "$eq"], [{ a: { $gt: 1, b: 2 } }, "mixes"], [{ a: { b: { $gt: 1 } } }, "b"], [{ $or: [] }, "$or"], [{ $and: {} }, "$and"],
      [{ "a' or 1=1 --": 1 }, "a' or"], [{ "a\"": 1 }, "a"], [{ "a..b": 1 }, "a..b"], [{ "": 1 }, ""], [{ __proto__x: 1, ["__proto__"]: 1 }, "__proto__"], [{ "constructor.prototype": 1 }, "prototype"],
      [{ "a.__proto__.b": 1 }, "__proto__"], [{ a: { $in: "x" } }, "$in"], [{ a: { $exists: 1 } }, "$exists"], [{ a: { $size: -1 } }, "$size"], [{ a: { $regex: "(" } }, "$regex"],
      [{ a: { $regex: "a", $options: "g" } }, "$regex"], [{ a: { $options: "i" } }, "$options"], [{ a: { $gt: [1] } }, "$gt"], [{ a: { $not: 1 } }, "$not"], [{ a: { $elemMatch: 1 } }, "$elemMatch"],
      [{ a: Number.NaN }, "a"], [{ a: () => 1 }, "a"], [{ a: { $elemMatch: { $where: "1" } } }, "$where"], [{ a: { $not: { $expr: 1 } } }, "$expr"], [{ a: { $eq: /x/ } }, "a"],
    ];
    it.each(QUERIES.map(([query, named]) => [show(query), query, named] as const))("the query %s", async (_shown, query, named) => {
      const collection = await having([{ _id: 1, a: 1 }]);
      for (const refused of [() => collection.find({ query: query as never }), () => collection.count({ query: query as never }), () => collection.removeMany(query as never),
        () => collection.updateMany(query as never, { $set: { b: 1 } }), () => collection.claim(query as never, { $set: { b: 1 } })]) {
        await expect(refused()).rejects.toThrow(TypeError);
        await expect(refused()).rejects.toThrow(named);
      }
      expect(await collection.find()).toEqual([{ _id: 1, a: 1 }]);
    });

    const proto = (value: unknown): object => JSON.parse(`{"__proto__": ${JSON.stringify(value)}}`) as object;
    const cycle: Record<string, unknown> = {};
    cycle["self"] = cycle;
    const VALUES: [unknown, string][] = [
      [{ $ne: 1 }, "$ne"], [{ a: [{ $where: 1 }] }, "$where"], [proto({ admin: true }), "__proto__"], [{ deep: [proto(1)] }, "__proto__"], [{ constructor: { prototype: { x: 1 } } }, "prototype"],
      [Number.POSITIVE_INFINITY, "Infinity"], [10n, "bigint"], [Symbol("s"), "symbol"], [() => 1, "function"], [/x/, "regexp"], [new Map(), "map"], [new Uint8Array(1), "uint8array"], [cycle, "levels deep"], [{ "": 1 }, "empty"],
    ];
    it.each(VALUES.map(([value, named]) => [named, value] as const))("to store a value with %s", async (named, value) => {
      const collection = await having([{ _id: 1 }]);
      for (const refused of [() => collection.insert({ _id: 2, a: value }), () => collection.insertMany([{ _id: 2, b: { a: value } }]), () => collection.updateById(1, { $set: { a: value } }),
        () => collection.updateMany({}, { $set: { "a.b": value } }), () => collection.claim({ _id: 9 }, { $setOnInsert: { a: value } }, { upsert: true }), () => collection.bulk([{ insert: { _id: 2, a: value } }])]) {
        await expect(refused()).rejects.toThrow(TypeError);
        await expect(refused()).rejects.toThrow(named);
      }
      expect(await collection.find()).toEqual([{ _id: 1 }]);
    });

    const UPDATES: [object, string][] = [
      [{}, "must have one of"], [{ a: 1 }, "Unknown operator a"], [{ $rename: { a: "b" } }, "$rename"], [{ $set: { _id: 2 } }, "_id"], [{ $unset: { _id: 1 } }, "_id"], [{ $inc: { a: "1" } }, "$inc of a"],
      [{ $set: { "__proto__.x": 1 } }, "__proto__"], [{ $set: { "constructor.prototype.x": 1 } }, "prototype"], [{ $unset: { "a.__proto__": 1 } }, "__proto__"], [{ $inc: { "a.$": 1 } }, "$"], [{ $set: { "a.$[].b": 1 } }, "$"],
      [{ $set: { $a: 1 } }, "$a"], [{ $set: { a: 1 }, $inc: { a: 1 } }, "twice"], [{ $set: { a: {}, "a.b": 1 } }, "inside"], [{ $push: { a: { $each: 1 } } }, "$each"], [{ $push: { a: { $each: [], $sort: 1 } } }, "$sort"],
      [{ $push: { a: { $each: [{ $ne: 1 }] } } }, "$ne"], [{ $addToSet: { a: { $ne: 1 } } }, "$ne"], [{ $pull: { a: { $where: "1" } } }, "$where"], [{ $set: null }, "$set"], [[{ $set: { a: 1 } }], "object"],
    ];
    it.each(UPDATES.map(([update, named]) => [show(update), update, named] as const))("the update %s", async (_shown, update, named) => {
      const collection = await having([{ _id: 1 }]);
      for (const refused of [() => collection.updateById(1, update as never), () => collection.updateMany({}, update as never), () => collection.claim({}, update as never, { upsert: true })]) {
        await expect(refused()).rejects.toThrow(TypeError);
        await expect(refused()).rejects.toThrow(named);
      }
      expect(await collection.find()).toEqual([{ _id: 1 }]);
      expect(({} as { x?: unknown }).x).toBeUndefined();
    });

    it.each([[undefined], [null], [""], [{ $ne: 1 }], [true], [Number.NaN]])("the id %p", async (_id) => {
      const collection = await fresh();
      for (const refused of [() => collection.insert({ _id: _id as never }), () => collection.findById(_id as never), () => collection.updateById(_id as never, { $set: { a: 1 } }), () => collection.removeById(_id as never)]) {
        await expect(refused()).rejects.toThrow(TypeError);
      }
    });

    it.each([["a'b"], ["-a b"], ["$natural"], ["a.__proto__"]])("the sort %j", async (field) => {
      await expect((await fresh()).find({ sort: [field] })).rejects.toThrow(TypeError);
    });
  });

  if (engine.again) {
    it("keeps everything for the next who opens it", async () => {
      const first = engine.again!();
      const written = await first.collection("kept", { indexes: [{ fields: ["tags"] }] });
      await written.insertMany([{ _id: 1, tags: ["x"] }, { _id: 2, tags: ["y"] }]);
      await first.close();
      await expect(written.insert({ _id: 3 })).rejects.toThrow();
      await expect(first.collection("kept")).rejects.toThrow("closed");
      const second = engine.again!();
      const kept = await second.collection("kept", { indexes: [{ fields: ["tags"] }] });
      expect(await kept.find({ query: { tags: "y" } })).toEqual([{ _id: 2, tags: ["y"] }]);
      await second.close();
    });

    it("lets two have it open: each sees the other's writes, none is lost", async () => {
      const [one, two] = [engine.again!(), engine.again!()];
      const options = { indexes: [{ fields: ["tags"] }, { fields: ["n"] }] };
      const [left, right] = await Promise.all([one.collection("shared", options), two.collection("shared", options)]);
      await left.insert({ _id: "a", tags: "x", n: 1 });
      expect(await right.find({ query: { tags: "x", n: 1 } })).toHaveLength(1);
      // What `right` knows of the field is out of date when `left` begins to hold arrays and booleans there.
      await left.insert({ _id: "b", tags: ["x", "y"], n: true });
      expect(await right.count({ query: { tags: "x" } })).toBe(2);
      expect(await right.count({ query: { n: 1 } })).toBe(1);
      await right.insert({ _id: "c", tags: ["y"] });
      expect(await left.count({ query: { tags: "y" } })).toBe(2);
      await left.insert({ _id: "count", value: 0 });
      await Promise.all(Array.from({ length: 100 }, (_, n) => (n % 2 ? left : right).claim({ _id: "count" }, { $inc: { value: 1 } })));
      expect(await left.findById("count")).toEqual({ _id: "count", value: 100 });
      await Promise.all([one.close(), two.close()]);
    });
  }
});

/** A query or update in a test's name; JSON alone leaves patterns and undefined out. */
function show(value: object): string {
  return JSON.stringify(value, (_key, item: unknown) => (item instanceof RegExp ? String(item) : item === undefined ? "undefined" : typeof item === "number" && !Number.isFinite(item) ? String(item) : item));
}
