import { onEveryEngine, show } from "./engines.ts";

/** What the port lets no caller do, on every engine at hand: the last line behind the schemas of the endpoints. */
onEveryEngine("documents refuse", ({ fresh, having }) => {
  describe("what it refuses", () => {
    const QUERIES: [object, string][] = [
      [{ $where: "1" }, "$where"],
      [{ a: { $where: "1" } }, "$where"],
      [{ a: { $expr: {} } }, "$expr"],
      [{ $expr: {} }, "$expr"],
      [{ $text: { $search: "x" } }, "$text"],
      [{ a: undefined }, "a is undefined"],
      [{ a: { $eq: undefined } }, "$eq"],
      [{ a: { $gt: 1, b: 2 } }, "mixes"],
      [{ a: { b: { $gt: 1 } } }, "b"],
      [{ $or: [] }, "$or"],
      [{ $and: {} }, "$and"],
      [{ "a' or 1=1 --": 1 }, "a' or"],
      [{ 'a"': 1 }, "a"],
      [{ "a..b": 1 }, "a..b"],
      [{ "": 1 }, ""],
      [{ __proto__x: 1, ["__proto__"]: 1 }, "__proto__"],
      [{ "constructor.prototype": 1 }, "prototype"],
      [{ "a.__proto__.b": 1 }, "__proto__"],
      [{ a: { $in: "x" } }, "$in"],
      [{ a: { $exists: 1 } }, "$exists"],
      [{ a: { $size: -1 } }, "$size"],
      [{ a: { $regex: "(" } }, "$regex"],
      [{ a: { $regex: "a", $options: "g" } }, "$regex"],
      [{ a: { $options: "i" } }, "$options"],
      [{ a: { $gt: [1] } }, "$gt"],
      [{ a: { $not: 1 } }, "$not"],
      [{ a: { $elemMatch: 1 } }, "$elemMatch"],
      [{ a: Number.NaN }, "a"],
      [{ a: () => 1 }, "a"],
      [{ a: { $elemMatch: { $where: "1" } } }, "$where"],
      [{ a: { $not: { $expr: 1 } } }, "$expr"],
      [{ a: { $eq: /x/ } }, "a"],
    ];
    it.each(QUERIES.map(([query, named]) => [show(query), query, named] as const))(
      "the query %s",
      async (_shown, query, named) => {
        const collection = await having([{ _id: 1, a: 1 }]);
        for (const refused of [
          () => collection.find({ query: query as never }),
          () => collection.count({ query: query as never }),
          () => collection.removeMany(query as never),
          () => collection.updateMany(query as never, { $set: { b: 1 } }),
          () => collection.claim(query as never, { $set: { b: 1 } }),
        ]) {
          await expect(refused()).rejects.toThrow(TypeError);
          await expect(refused()).rejects.toThrow(named);
        }
        expect(await collection.find()).toEqual([{ _id: 1, a: 1 }]);
      },
    );

    const proto = (value: unknown): object => JSON.parse(`{"__proto__": ${JSON.stringify(value)}}`) as object;
    const cycle: Record<string, unknown> = {};
    cycle["self"] = cycle;
    const VALUES: [unknown, string][] = [
      [{ $ne: 1 }, "$ne"],
      [{ a: [{ $where: 1 }] }, "$where"],
      [proto({ admin: true }), "__proto__"],
      [{ deep: [proto(1)] }, "__proto__"],
      [{ constructor: { prototype: { x: 1 } } }, "prototype"],
      [Number.POSITIVE_INFINITY, "Infinity"],
      [10n, "bigint"],
      [Symbol("s"), "symbol"],
      [() => 1, "function"],
      [/x/, "regexp"],
      [new Map(), "map"],
      [new Uint8Array(1), "uint8array"],
      [cycle, "levels deep"],
      [{ "": 1 }, "empty"],
    ];
    it.each(VALUES.map(([value, named]) => [named, value] as const))(
      "to store a value with %s",
      async (named, value) => {
        const collection = await having([{ _id: 1 }]);
        for (const refused of [
          () => collection.insert({ _id: 2, a: value }),
          () => collection.insertMany([{ _id: 2, b: { a: value } }]),
          () => collection.updateById(1, { $set: { a: value } }),
          () => collection.updateMany({}, { $set: { "a.b": value } }),
          () => collection.claim({ _id: 9 }, { $setOnInsert: { a: value } }, { upsert: true }),
          () => collection.bulk([{ insert: { _id: 2, a: value } }]),
        ]) {
          await expect(refused()).rejects.toThrow(TypeError);
          await expect(refused()).rejects.toThrow(named);
        }
        expect(await collection.find()).toEqual([{ _id: 1 }]);
      },
    );

    const UPDATES: [object, string][] = [
      [{}, "must have one of"],
      [{ a: 1 }, "Unknown operator a"],
      [{ $rename: { a: "b" } }, "$rename"],
      [{ $set: { _id: 2 } }, "_id"],
      [{ $unset: { _id: 1 } }, "_id"],
      [{ $inc: { a: "1" } }, "$inc of a"],
      [{ $set: { "__proto__.x": 1 } }, "__proto__"],
      [{ $set: { "constructor.prototype.x": 1 } }, "prototype"],
      [{ $unset: { "a.__proto__": 1 } }, "__proto__"],
      [{ $inc: { "a.$": 1 } }, "$"],
      [{ $set: { "a.$[].b": 1 } }, "$"],
      [{ $set: { $a: 1 } }, "$a"],
      [{ $set: { a: 1 }, $inc: { a: 1 } }, "twice"],
      [{ $set: { a: {}, "a.b": 1 } }, "inside"],
      [{ $push: { a: { $each: 1 } } }, "$each"],
      [{ $push: { a: { $each: [], $sort: 1 } } }, "$sort"],
      [{ $push: { a: { $each: [{ $ne: 1 }] } } }, "$ne"],
      [{ $addToSet: { a: { $ne: 1 } } }, "$ne"],
      [{ $pull: { a: { $where: "1" } } }, "$where"],
      [{ $set: null }, "$set"],
      [[{ $set: { a: 1 } }], "object"],
    ];
    it.each(UPDATES.map(([update, named]) => [show(update), update, named] as const))(
      "the update %s",
      async (_shown, update, named) => {
        const collection = await having([{ _id: 1 }]);
        const given = update as never;
        for (const refused of [
          () => collection.updateById(1, given),
          () => collection.updateMany({}, given),
          () => collection.claim({}, given, { upsert: true }),
        ]) {
          await expect(refused()).rejects.toThrow(TypeError);
          await expect(refused()).rejects.toThrow(named);
        }
        expect(await collection.find()).toEqual([{ _id: 1 }]);
        expect(({} as { x?: unknown }).x).toBeUndefined();
      },
    );

    it.each([[undefined], [null], [""], [{ $ne: 1 }], [true], [Number.NaN], [2 ** 60]])("the id %p", async (_id) => {
      const collection = await fresh();
      const id = _id as never;
      for (const refused of [
        () => collection.insert({ _id: id }),
        () => collection.findById(id),
        () => collection.updateById(id, { $set: { a: 1 } }),
        () => collection.removeById(id),
      ]) {
        await expect(refused()).rejects.toThrow(TypeError);
      }
    });

    it.each([["a'b"], ["-a b"], ["$natural"], ["a.__proto__"]])("the sort %j", async (field) => {
      await expect((await fresh()).find({ sort: [field] })).rejects.toThrow(TypeError);
    });
  });
});
