import { DuplicateKey, type Doc } from "../../../core/records/documents.ts";
import { ids, onEveryEngine, show, whereAble } from "./engines.ts";

/** The port's updates, unique indexes, claims and bulks, on every engine at hand. */
onEveryEngine("changing documents", ({ engine, named, fresh, having }) => {
  describe("updates", () => {
    const START = {
      _id: 1,
      n: 1,
      list: ["a", "b"],
      nested: { keep: true, n: 1 },
      people: [
        { name: "ada", age: 36 },
        { name: "bob", age: 20 },
      ],
    };
    const CASES: [object, object][] = [
      [
        { $set: { n: 5, "nested.n": 2, "fresh.deep": [1] } },
        { ...START, n: 5, nested: { keep: true, n: 2 }, fresh: { deep: [1] } },
      ],
      [{ $set: { "list.1": "z" } }, { ...START, list: ["a", "z"] }],
      [
        { $unset: { n: "", "nested.keep": 1, absent: 1, "list.deep.er": 1 } },
        { _id: 1, list: START.list, nested: { n: 1 }, people: START.people },
      ],
      [{ $inc: { n: -3, "nested.m": 0.5 } }, { ...START, n: -2, nested: { ...START.nested, m: 0.5 } }],
      [{ $push: { list: "c", other: { x: 1 } } }, { ...START, list: ["a", "b", "c"], other: [{ x: 1 }] }],
      [{ $push: { list: { $each: ["c", "d"], $slice: -3 } } }, { ...START, list: ["b", "c", "d"] }],
      [{ $push: { list: { $each: ["c"], $position: 0, $slice: 2 } } }, { ...START, list: ["c", "a"] }],
      [{ $addToSet: { list: "a", people: { name: "bob", age: 20 } } }, START],
      [
        { $addToSet: { list: { $each: ["b", "c", "c"] }, people: { age: 20, name: "bob" } } },
        { ...START, list: ["a", "b", "c"], people: [...START.people, { age: 20, name: "bob" }] },
      ],
      [
        { $pull: { list: "a", people: { name: "ada" }, absent: 1 } },
        { ...START, list: ["b"], people: [START.people[1]] },
      ],
      [
        { $pull: { list: { $in: ["a", "b"] }, people: { age: { $gte: 30 } } } },
        { ...START, list: [], people: [START.people[1]] },
      ],
      [
        { $setOnInsert: { n: 9 }, $set: { m: 1 } },
        { ...START, m: 1 },
      ],
      [{ $set: {} }, START],
    ];
    it.each(CASES.map(([update, expected]) => [show(update), update, expected] as const))(
      "%s",
      async (_shown, update, expected) => {
        const collection = await having(
          [START, { _id: 2, n: 1 }],
          [{ fields: ["list"] }, { fields: ["people.name"] }, { fields: ["n"] }],
        );
        expect(await collection.updateById(1, update)).toEqual(expected);
        expect(await collection.findById(1)).toEqual(expected);
        expect(await collection.findById(2)).toEqual({ _id: 2, n: 1 });
      },
    );

    const REFUSED: [object][] = [
      [{ $inc: { list: 1 } }],
      [{ $inc: { "people.name": 1 } }],
      [{ $push: { n: 1 } }],
      [{ $addToSet: { nested: 1 } }],
      [{ $pull: { n: 1 } }],
      [{ $set: { "n.deep": 1 } }],
      [{ $set: { "list.name": 1 } }],
    ];
    it.each(REFUSED.map(([update]) => [show(update), update] as const))(
      "refuses %s where it does not suit, and changes nothing",
      async (_shown, update) => {
        const collection = await having([START]);
        await expect(collection.updateById(1, update)).rejects.toThrow(/./);
        expect(await collection.findById(1)).toEqual(START);
      },
    );

    it.each([[[]], [[{ fields: ["list"] }]], [[{ fields: ["list.x"] }]]])(
      "pushes one to lists that keep the last, whatever they hold, with the indexes %j",
      async (indexes) => {
        const others = ["a\u0000 \ud83d\ude00 \"'", { x: -0.5, deep: [null, true] }];
        const collection = await having(
          [
            { _id: 1, kind: "l", list: [1, 2] },
            { _id: 2, kind: "l", list: [1, 2, 3] },
            { _id: 3, kind: "l", list: [1, 2, 3, 4, 5] },
            { _id: 4, kind: "l", list: [], rest: others },
            { _id: 5, kind: "l" },
            { _id: 6, kind: "other", list: [1, 2, 3] },
          ],
          indexes,
        );
        const push = (value: unknown) => ({ $push: { list: { $each: [value], $slice: -3 } } });
        expect(await collection.updateMany({ kind: "l" }, push({ x: 1e300, "b c": "é" }))).toBe(5);
        const last = { x: 1e300, "b c": "é" };
        expect(await collection.find({ sort: ["_id"] })).toEqual([
          { _id: 1, kind: "l", list: [1, 2, last] },
          { _id: 2, kind: "l", list: [2, 3, last] },
          { _id: 3, kind: "l", list: [4, 5, last] },
          { _id: 4, kind: "l", list: [last], rest: others },
          { _id: 5, kind: "l", list: [last] },
          { _id: 6, kind: "other", list: [1, 2, 3] },
        ]);
        expect(await collection.count({ query: { "list.x": 1e300 } })).toBe(5);
        const { counts } = await collection.bulk([
          { update: { _id: 6 }, with: push("again"), upsert: true },
          { update: { _id: 7 }, with: push(["new"]), upsert: true },
          { update: { _id: 8 }, with: push("absent") },
          { update: { list: "again" }, with: push("once") },
        ]);
        expect(counts).toEqual([1, 1, 0, 1]);
        expect((await collection.findById(6))!["list"]).toEqual([3, "again", "once"]);
        expect(await collection.findById(7)).toEqual({ _id: 7, list: [["new"]] });
      },
    );

    it("refuses to push to what is no list, among many that are", async () => {
      const collection = await having([
        { _id: 1, list: [1] },
        { _id: 2, list: "none" },
      ]);
      const push = { $push: { list: { $each: [2], $slice: -3 } } };
      await expect(collection.updateMany({ _id: 2 }, push)).rejects.toThrow(/./);
      expect(await collection.findById(2)).toEqual({ _id: 2, list: "none" });
      expect(await collection.updateMany({ _id: 1 }, push)).toBe(1);
      expect(await collection.findById(1)).toEqual({ _id: 1, list: [1, 2] });
    });

    it("answers null for an id that is not there", async () => {
      expect(await (await fresh()).updateById("none", { $set: { a: 1 } })).toBeNull();
    });

    it("counts what matched", async () => {
      const collection = await having([
        { _id: 1, a: 1 },
        { _id: 2, a: 1 },
        { _id: 3, a: 2 },
      ]);
      expect(await collection.updateMany({ a: 1 }, { $set: { b: 1 } })).toBe(2);
      expect(await collection.updateMany({ a: 1 }, { $set: { b: 1 } })).toBe(2);
      expect(await collection.updateMany({ a: 9 }, { $set: { b: 1 } })).toBe(0);
    });

    it("compares and sets: of many at once exactly one holds the revision it read", async () => {
      const collection = await having([{ _id: "r", rev: 1 }]);
      for (let rev = 1; rev <= 5; rev++) {
        const counts = await Promise.all(
          Array.from({ length: 20 }, (_, by) =>
            collection.updateMany({ _id: "r", rev }, { $set: { by }, $inc: { rev: 1 } }),
          ),
        );
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
      expect((error as DuplicateKey).collection).toBe(named());
      expect(await collection.findById(1)).toEqual({ _id: 1 });
    });

    it("refuses the same values and names the fields; null and missing are one value", async () => {
      const collection = await having(
        [
          { _id: 1, a: "x", b: 1 },
          { _id: 2, a: "x" },
        ],
        [{ fields: ["a", "-b"], unique: true }],
      );
      await expect(collection.insert({ _id: 3, a: "x", b: 1 })).rejects.toMatchObject({
        name: "DuplicateKey",
        fields: ["a", "b"],
      });
      await expect(collection.insert({ _id: 3, a: "x", b: null })).rejects.toThrow(DuplicateKey);
      await collection.insert({ _id: 3, b: 1 });
      await collection.insert({ _id: 4 });
      await expect(collection.insert({ _id: 5, a: null })).rejects.toThrow(DuplicateKey);
      expect(await collection.count()).toBe(4);
    });

    it("refuses an update into the same value, by id, by query, by claim and by insertMany", async () => {
      const collection = await having(
        [
          { _id: 1, a: "x" },
          { _id: 2, a: "y" },
        ],
        [{ fields: ["a"], unique: true }],
      );
      await expect(collection.updateById(2, { $set: { a: "x" } })).rejects.toMatchObject({
        name: "DuplicateKey",
        fields: ["a"],
      });
      await expect(collection.updateMany({ _id: 2 }, { $set: { a: "x" } })).rejects.toThrow(DuplicateKey);
      await expect(collection.claim({ _id: 3 }, { $set: { a: "x" } }, { upsert: true })).rejects.toThrow(DuplicateKey);
      await expect(collection.insertMany([{ _id: 4, a: "x" }])).rejects.toThrow(DuplicateKey);
      expect(await collection.find({ sort: ["_id"] })).toEqual([
        { _id: 1, a: "x" },
        { _id: 2, a: "y" },
      ]);
    });

    it("holds the elements of an array to uniqueness among documents", async () => {
      const collection = await having(
        [{ _id: 1, names: ["ada", "countess", "ada"] }],
        [{ fields: ["names"], unique: true }],
      );
      await expect(collection.insert({ _id: 2, names: ["bob", "ada"] })).rejects.toMatchObject({
        name: "DuplicateKey",
        fields: ["names"],
      });
      await collection.insert({ _id: 2, names: ["bob"] });
      await expect(collection.updateById(2, { $push: { names: "countess" } })).rejects.toThrow(DuplicateKey);
      expect(await collection.findById(2)).toEqual({ _id: 2, names: ["bob"] });
      expect(await collection.count({ query: { names: "bob" } })).toBe(1);
    });

    it("leaves documents without the first field out of a sparse one", async () => {
      const collection = await having(
        [{ _id: 1 }, { _id: 2 }, { _id: 3, a: "x" }],
        [{ fields: ["a"], unique: true, sparse: true }],
      );
      await expect(collection.insert({ _id: 4, a: "x" })).rejects.toMatchObject({
        name: "DuplicateKey",
        fields: ["a"],
      });
      expect(await collection.count({ query: { a: null } })).toBe(2);
    });

    whereAble(
      engine,
      "partial-unique-indexes",
      "leaves null out of a sparse one, and looks at the first field alone",
      async () => {
        const without = [
          { _id: 1, a: null, b: 1 },
          { _id: 2, a: null, b: 1 },
          { _id: 3, b: 1 },
          { _id: 4, b: 1 },
        ];
        const collection = await having(without, [{ fields: ["a", "b"], unique: true, sparse: true }]);
        await collection.insertMany([
          { _id: 5, a: "x", b: 1 },
          { _id: 6, a: "x" },
          { _id: 7, a: 7 },
        ]);
        await expect(collection.insert({ _id: 8, a: "x", b: 1 })).rejects.toThrow(DuplicateKey);
        await expect(collection.insert({ _id: 8, a: "x", b: null })).rejects.toThrow(DuplicateKey);
        await expect(collection.insert({ _id: 8, a: 7 })).rejects.toThrow(DuplicateKey);
      },
    );

    it("lets a write that fails fail alone", async () => {
      const collection = await having([{ _id: 1, a: 1 }], [{ fields: ["a"], unique: true }]);
      const outcomes = await Promise.allSettled([
        collection.insert({ _id: 2, a: 2 }),
        collection.insert({ _id: 3, a: 1 }),
        collection.updateById(1, { $inc: { text: 1 } }),
        collection.updateById(1, { $push: { a: 1 } }),
        collection.removeById(9),
        collection.insert({ _id: 4, a: 4 }),
      ]);
      expect(outcomes.map(({ status }) => status)).toEqual([
        "fulfilled",
        "rejected",
        "fulfilled",
        "rejected",
        "fulfilled",
        "fulfilled",
      ]);
      expect(ids(await collection.find({ sort: ["_id"] }))).toEqual([1, 2, 4]);
    });
  });

  describe("claim", () => {
    it("takes the first in sort order, as it then is", async () => {
      const collection = await having([
        { _id: 1, due: 3, state: "waiting" },
        { _id: 2, due: 1, state: "waiting" },
        { _id: 3, due: 1, state: "done" },
      ]);
      expect(await collection.claim({ state: "waiting" }, { $set: { state: "taken" } }, { sort: ["due"] })).toEqual({
        _id: 2,
        due: 1,
        state: "taken",
      });
      expect(await collection.claim({ state: "waiting" }, { $set: { state: "taken" } }, { sort: ["-due"] })).toEqual({
        _id: 1,
        due: 3,
        state: "taken",
      });
      expect(await collection.claim({ state: "waiting" }, { $set: { state: "taken" } })).toBeNull();
    });

    it("gives each job to one claimant", async () => {
      const collection = await having(
        Array.from({ length: 30 }, (_, _id) => ({ _id, state: "waiting" })),
        [{ fields: ["state"] }],
      );
      const claim = () => collection.claim({ state: "waiting" }, { $set: { state: "taken" } }, { sort: ["_id"] });
      const taken = await Promise.all(Array.from({ length: 40 }, claim));
      expect(ids(taken.filter((doc) => doc !== null)).sort((one, other) => Number(one) - Number(other))).toEqual(
        Array.from({ length: 30 }, (_, n) => n),
      );
    });

    it("makes what is missing from the query's equalities, and only what is missing", async () => {
      const collection = await fresh();
      const query = {
        _id: "k",
        kind: { $eq: "a" },
        "nested.x": 1,
        $and: [{ extra: true }],
        n: { $gte: 0 },
        other: null,
      };
      const update = { $set: { seen: 1 }, $inc: { n: 2 }, $setOnInsert: { born: "now" } };
      const made = { _id: "k", kind: "a", nested: { x: 1 }, extra: true, other: null, seen: 1, n: 2, born: "now" };
      expect(await collection.claim(query, update, { upsert: true })).toEqual(made);
      expect(
        await collection.claim(query, { ...update, $setOnInsert: { born: "later" } }, { upsert: true }),
      ).toMatchObject({ n: 4, born: "now" });
      expect(await collection.claim({ _id: "none" }, update)).toBeNull();
      expect(await collection.count()).toBe(1);
    });

    it("makes an id that is a string where the query gives none", async () => {
      const collection = await fresh();
      const doc = await collection.claim({ kind: "a" }, { $set: { n: 1 } }, { upsert: true });
      expect(doc!._id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7/);
      expect(await collection.findById(doc!._id)).toEqual(doc);
      expect(await collection.claim({ kind: "b" }, { $setOnInsert: { _id: 7 } }, { upsert: true })).toEqual({
        _id: 7,
        kind: "b",
      });
    });

    whereAble(engine, "own-outcome", "counts exactly under 64 callers at once", async () => {
      const collection = await having([{ _id: "counter", value: 0 }]);
      const values = await Promise.all(
        Array.from({ length: 640 }, () =>
          collection.claim({ _id: "counter" }, { $inc: { value: 1 } }, { upsert: true }),
        ),
      );
      expect(values.map((doc) => doc!["value"] as number).sort((one, other) => one - other)).toEqual(
        Array.from({ length: 640 }, (_, n) => n + 1),
      );
    });

    whereAble(engine, "own-outcome", "counts exactly from nothing, too", async () => {
      const collection = await fresh();
      const values = await Promise.all(
        Array.from({ length: 64 }, () =>
          collection.claim({ _id: "counter" }, { $inc: { value: 1 } }, { upsert: true }),
        ),
      );
      expect(values.map((doc) => doc!["value"] as number).sort((one, other) => one - other)).toEqual(
        Array.from({ length: 64 }, (_, n) => n + 1),
      );
    });

    whereAble(engine, "own-outcome", "makes one document where a unique index holds the key", async () => {
      const collection = await fresh([{ fields: ["key"], unique: true }]);
      const docs = await Promise.all(
        Array.from({ length: 30 }, () => collection.claim({ key: "k" }, { $inc: { n: 1 } }, { upsert: true })),
      );
      expect(new Set(ids(docs as Doc[])).size).toBe(1);
      expect(await collection.find()).toMatchObject([{ key: "k", n: 30 }]);
    });
  });

  describe("bulk", () => {
    whereAble(
      engine,
      "bulk-in-order",
      "answers how many documents each write changed, -1 where a unique index refused it",
      async () => {
        const collection = await having(
          [
            { _id: 1, a: 1 },
            { _id: 2, a: 2 },
          ],
          [{ fields: ["a"], unique: true }],
        );
        const { counts } = await collection.bulk([
          { insert: { _id: 3, a: 3 } },
          { insert: { _id: 1, a: 9 } },
          { insert: { _id: 4, a: 4 } },
          { insert: { _id: 5, a: 3 } },
          { update: { a: { $gte: 3 } }, with: { $set: { high: true } } },
          { update: { _id: 2 }, with: { $set: { a: 1 } } },
          { update: { _id: "new" }, with: { $set: { a: 7 } }, upsert: true },
          { update: { _id: "new" }, with: { $inc: { a: 1 } }, upsert: true },
          { update: { _id: "other" }, with: { $set: { a: 4 } }, upsert: true },
          { remove: { _id: 1 } },
          { remove: { a: 100 } },
          { insert: { _id: 1, a: 1 } },
          { update: { _id: 1 }, with: { $inc: { a: 100 } } },
        ]);
        expect(counts).toEqual([1, -1, 1, -1, 2, -1, 1, 1, -1, 1, 0, 1, 1]);
        expect(await collection.find({ sort: ["a"] })).toEqual([
          { _id: 2, a: 2 },
          { _id: 3, a: 3, high: true },
          { _id: 4, a: 4, high: true },
          { _id: "new", a: 8 },
          { _id: 1, a: 101 },
        ]);
      },
    );

    it("takes nothing, and refuses a write that is not well formed before it does any", async () => {
      const collection = await fresh();
      expect(await collection.bulk([])).toEqual({ counts: [] });
      await expect(
        collection.bulk([{ insert: { _id: 1 } }, { update: { _id: 1 }, with: { $rename: { a: "b" } } as never }]),
      ).rejects.toThrow("$rename");
      expect(await collection.count()).toBe(0);
    });

    it("inserts many at once", async () => {
      const collection = await fresh([{ fields: ["n"] }]);
      await collection.insertMany(Array.from({ length: 500 }, (_, n) => ({ _id: `id${n}`, n })));
      expect(await collection.count({ query: { n: { $gte: 100 } } })).toBe(400);
      expect(await collection.insertMany([])).toEqual([]);
    });
  });
});
