import { DuplicateKey } from "../../../core/records/documents.ts";
import { ids, onEveryEngine, whereAble } from "./engines.ts";

/** The port's behaviour, on every engine at hand: opening, writing, reading. */
onEveryEngine("documents", ({ engine, documents, named, fresh, having }) => {
  describe("opening", () => {
    it("gives one object for each name, however often and however many at once", async () => {
      const [one, two] = await Promise.all([
        documents().collection("once"),
        documents().collection("once", { indexes: [{ fields: ["a"] }] }),
      ]);
      expect(two).toBe(one);
      expect(await documents().collection("once")).toBe(one);
    });

    it.each(["", "a b", "9", 'a"b', "_own", "a$", "x".repeat(100)])("refuses the name %j", async (name) => {
      await expect(documents().collection(name)).rejects.toThrow(TypeError);
    });

    it("refuses an index without fields, and one over a field no query can name", async () => {
      await expect(fresh([{ fields: [] }])).rejects.toThrow("at least one field");
      await expect(fresh([{ fields: ["a'b"] }])).rejects.toThrow("a'b");
    });

    it("adds indexes to a collection that has documents, and refuses a unique one that they break", async () => {
      const collection = await having([
        { _id: 1, a: "x", b: 1 },
        { _id: 2, a: "x", b: 2 },
      ]);
      const name = named();
      await documents().collection(name, { indexes: [{ fields: ["b"], unique: true }, { fields: ["a"] }] });
      await expect(collection.insert({ _id: 3, b: 2 })).rejects.toThrow(DuplicateKey);
      await expect(documents().collection(name, { indexes: [{ fields: ["a"], unique: true }] })).rejects.toThrow(
        DuplicateKey,
      );
      expect(await collection.count({ query: { a: "x" } })).toBe(2);
    });

    it("changes an index that is declared otherwise", async () => {
      const collection = await having([{ _id: 1, a: "x" }], [{ fields: ["a"], unique: true }]);
      await documents().collection(named(), { indexes: [{ fields: ["a"], unique: true, sparse: true }] });
      await expect(collection.insert({ _id: 2, a: "x" })).rejects.toThrow(DuplicateKey);
    });

    it("answers a ping", async () => {
      await expect(documents().ping()).resolves.toBeUndefined();
    });
  });

  describe("writing and reading", () => {
    it("keeps documents as they were, the types of their ids included", async () => {
      const docs = [
        {
          _id: 1,
          text: 'Höfn "quoted" 𝄞 \u0000 end',
          list: [1, [2, null], { a: false }],
          nested: { deep: { n: -0.5 } },
        },
        { _id: -7, none: null, big: 1.2345678901234567e19, yes: true },
        { _id: "1", text: "" },
        { _id: 2.5 },
      ];
      const collection = await having(docs);
      for (const doc of docs) expect(await collection.findById(doc._id)).toEqual(doc);
      expect(await collection.findById("2.5")).toBeNull();
      expect(await collection.count()).toBe(4);
    });

    it("takes a date as its ISO string and drops what is undefined, in documents and in queries", async () => {
      const at = new Date("2026-11-21T04:00:00.000Z");
      const collection = await fresh();
      const inserted = await collection.insert({ _id: 1, at, gone: undefined, list: [undefined] });
      expect(inserted).toEqual({ _id: 1, at: at.toISOString(), list: [null] });
      expect(Object.keys(inserted)).not.toContain("gone");
      expect(await collection.findOne({ at: { $gte: at } })).toEqual(inserted);
      expect(await collection.updateById(1, { $set: { later: at, gone: undefined } })).toEqual({
        ...inserted,
        later: at.toISOString(),
      });
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

    it("keeps a record of many fields as it was given: dates as strings, and nothing of what is done with it afterwards", async () => {
      const fields = Object.fromEntries(Array.from({ length: 30 }, (_, at) => [`field${at}`, at]));
      const given = { _id: 1, ...fields, at: new Date("2026-11-21T04:00:00.000Z"), within: { list: ["a"] } };
      const collection = await fresh();
      const storing = collection.insert(given);
      given.within.list.push("b");
      const kept = { ...given, at: "2026-11-21T04:00:00.000Z", within: { list: ["a"] } };
      expect(await storing).toEqual(kept);
      expect(await collection.findById(1)).toEqual(kept);
      const lacking = await collection.insert({ ...given, _id: 2, field7: undefined });
      expect(Object.keys(lacking)).not.toContain("field7");
      expect(await collection.findOne({ field8: 8, field7: null })).toEqual(lacking);
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

    it("picks documents of several collections by one question, where the engine has it", async () => {
      const [store, one, other] = [documents(), await fresh(), named()];
      if (!store.pick) return;
      const second = await store.collection(other);
      await Promise.all([one.insert({ _id: "a", n: 1 }), second.insert({ _id: 7, n: 2 })]);
      const first = (one as unknown as { name: string }).name;
      const keys = [
        { collection: first, id: "a" },
        { collection: other, id: 7 },
        { collection: other, id: "7" },
        { collection: first, id: "a" },
      ];
      expect(await store.pick(keys)).toEqual([{ _id: "a", n: 1 }, { _id: 7, n: 2 }, null, { _id: "a", n: 1 }]);
      await one.updateById("a", { $set: { n: 3 } });
      expect((await store.pick(keys))[0]).toEqual({ _id: "a", n: 3 });
      await expect(store.pick([{ collection: 'x" where', id: "a" }])).rejects.toThrow(TypeError);
    });

    it("sorts, with the id as tie-break in the direction of the last field, and pages", async () => {
      const docs = Array.from({ length: 12 }, (_, n) => ({ _id: n, group: ["b", "a", "c"][n % 3]!, rank: n % 2 }));
      const collection = await having(docs, [{ fields: ["group", "-rank"] }]);
      const sorted = [...docs].sort((x, y) =>
        x.group < y.group ? -1 : x.group > y.group ? 1 : y.rank - x.rank || y._id - x._id,
      );
      expect(await collection.find({ sort: ["group", "-rank"] })).toEqual(sorted);
      expect(ids(await collection.find({ query: { group: "a" }, sort: ["group", "-rank"], limit: 3 }))).toEqual(
        ids(sorted).slice(0, 3),
      );
      expect(ids(await collection.find({ sort: ["group", "-rank"], limit: 5, offset: 4 }))).toEqual(
        ids(sorted).slice(4, 9),
      );
      expect(ids(await collection.find({ sort: ["-group"], limit: 3 }))).toEqual([11, 8, 5]);
      expect(ids(await collection.find({ sort: ["_id"], offset: 10 }))).toEqual([10, 11]);
    });

    it("answers thousands in their order", async () => {
      const docs = Array.from({ length: 2_000 }, (_, n) => ({ _id: n, rank: (n * 7) % 2_000, open: n % 2 === 0 }));
      const collection = await having(docs, [{ fields: ["rank"] }]);
      const open = ids([...docs].sort((x, y) => x.rank - y.rank).filter((doc) => doc.open));
      expect(ids(await collection.find({ query: { open: true }, sort: ["rank"] }))).toEqual(open);
      expect(ids(await collection.find({ query: { open: true }, sort: ["rank"], limit: 700, offset: 150 }))).toEqual(
        open.slice(150, 850),
      );
      expect(
        (await collection.find({ query: { open: true }, sort: ["rank"], fields: ["rank"], offset: 400 })).at(-1),
      ).toEqual({ _id: open.at(-1), rank: 1_998 });
    });

    whereAble(engine, "found-as-sent", "answers nothing that a query no longer fits when it is read", async () => {
      const docs = Array.from({ length: 2_000 }, (_, n) => ({ _id: n, rank: (n * 7) % 2_000, open: n % 2 === 0 }));
      const collection = await having(docs, [{ fields: ["rank"] }]);
      const open = ids(await collection.find({ query: { open: true }, sort: ["rank"] }));
      const reading = collection.find({ query: { open: true }, sort: ["rank"] });
      await collection.updateMany({ _id: { $in: open.slice(900) } }, { $set: { open: false } });
      for (const { open: isOpen } of await reading) expect(isOpen).toBe(true);
    });

    it("sorts null and missing before all else", async () => {
      const collection = await having(
        [{ _id: 1, a: 2 }, { _id: 2, a: null }, { _id: 3 }, { _id: 4, a: -1 }],
        [{ fields: ["a"] }],
      );
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

  if (engine.again) {
    it("keeps everything for the next who opens it", async () => {
      const first = engine.again!();
      const written = await first.collection("kept", { indexes: [{ fields: ["tags"] }] });
      await written.insertMany([
        { _id: 1, tags: ["x"] },
        { _id: 2, tags: ["y"] },
      ]);
      await first.close();
      await expect(written.insert({ _id: 3 })).rejects.toThrow(/closed|connected|does not answer/i);
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
      await Promise.all(
        Array.from({ length: 100 }, (_, n) => (n % 2 ? left : right).claim({ _id: "count" }, { $inc: { value: 1 } })),
      );
      expect(await left.findById("count")).toEqual({ _id: "count", value: 100 });
      await Promise.all([one.close(), two.close()]);
    });
  }
});
