import fc from "fast-check";
import { EmbeddedDocuments } from "../../adapters/documents/embedded.ts";
import { DuplicateKey } from "../../core/records/documents.ts";
import { PLACE, Places } from "../../core/records/keeping/quota.ts";
import { Problem, unprocessable } from "../../core/problem.ts";

const MOST = { count: 6, per: ["owner"], refusal: (count: number) => unprocessable("TOO_MANY", `At most ${count}.`) };

it("never lets an owner have more, over several nodes, whatever comes and goes, and what is from before the bound counts", async () => {
  const deeds = fc.array(fc.record({ node: fc.nat(1), owner: fc.constantFrom("ann", "ben"), leaves: fc.boolean() }), {
    minLength: 1,
    maxLength: 80,
  });
  await fc.assert(
    fc.asyncProperty(fc.nat(8), deeds, async (before, asked) => {
      const documents = new EmbeddedDocuments(":memory:");
      const collection = await documents.collection("things", {
        indexes: [{ fields: [PLACE], unique: true, sparse: true }],
      });
      await collection.insertMany(Array.from({ length: before }, (_, n) => ({ _id: `old ${n}`, owner: "ann" })));
      const nodes = [0, 1].map(() => new Places(MOST, collection, "things"));
      const held = async (owner: string): Promise<number> => collection.count({ query: { owner } });
      const most = Math.max(before, MOST.count);
      for (let from = 0; from < asked.length; from += 20) {
        const made = await Promise.allSettled(
          asked.slice(from, from + 20).map(({ node, owner }, n) => nodes[node]!.insert({ _id: `${from + n}`, owner })),
        );
        for (const one of made) if (one.status === "rejected") expect((one.reason as Problem).type).toBe("TOO_MANY");
        expect([(await held("ann")) <= most, (await held("ben")) <= MOST.count]).toEqual([true, true]);
        // Whoever was refused was refused because it was full.
        for (const owner of ["ann", "ben"]) {
          const refused = made.some((one, n) => one.status === "rejected" && asked[from + n]!.owner === owner);
          if (refused) expect(await held(owner)).toBe(owner === "ann" ? Math.max(before, MOST.count) : MOST.count);
        }
        for (const [n, { leaves }] of asked.slice(from, from + 20).entries())
          if (leaves) await collection.removeById(`${from + n}`);
      }
      await documents.close();
    }),
    { numRuns: 30 },
  );
});

it("finds what a repetition made, counts nobody who has no owner, and tells that there is no room before work is done in vain", async () => {
  const documents = new EmbeddedDocuments(":memory:");
  const collection = await documents.collection("things", {
    indexes: [{ fields: [PLACE], unique: true, sparse: true }],
  });
  const places = new Places(MOST, collection, "things");
  for (let n = 0; n < 6; n++) await places.insert({ _id: `${n}`, owner: "ann" });
  await expect(places.insert({ _id: "3", owner: "ann" })).rejects.toBeInstanceOf(DuplicateKey);
  await expect(places.insert({ _id: "6", owner: "ann" })).rejects.toMatchObject({ type: "TOO_MANY" });
  await expect(places.demandRoom({ owner: "ann" }, 1)).rejects.toMatchObject({ type: "TOO_MANY" });
  await expect(places.demandRoom({ owner: "ben" }, 7)).rejects.toMatchObject({ type: "TOO_MANY" });
  await expect(places.demandRoom({ owner: "ben" }, 6)).resolves.toBeUndefined();
  for (let n = 0; n < 8; n++) await places.insert({ _id: `nobody's ${n}` });
  await documents.close();
});

it("tells an owner that is named by a list from one with a part of it", async () => {
  const documents = new EmbeddedDocuments(":memory:");
  const collection = await documents.collection("things", {
    indexes: [{ fields: [PLACE], unique: true, sparse: true }],
  });
  const places = new Places({ ...MOST, per: ["set", "compartments"] }, collection, "things");
  const owners = [[], ["a"], ["b"], ["a", "b"]];
  for (const [at, compartments] of owners.entries()) {
    const one = (n: number) => ({ _id: `${at} ${n}`, set: "s", compartments });
    for (let n = 0; n < MOST.count; n++) await places.insert(one(n));
    await expect(places.insert(one(MOST.count))).rejects.toMatchObject({ type: "TOO_MANY" });
  }
  await documents.close();
});

it("reads what an owner holds once, not for each new record, and still gives away each place once", async () => {
  const many = { ...MOST, count: 600 };
  const documents = new EmbeddedDocuments(":memory:");
  const collection = await documents.collection("things", {
    indexes: [{ fields: [PLACE], unique: true, sparse: true }, { fields: ["owner"] }],
  });
  const find = jest.spyOn(collection, "find");
  const places = new Places(many, collection, "things");
  for (let n = 0; n < 60; n++) await places.insert({ _id: `${n}`, owner: "ann" });
  expect(find).toHaveBeenCalledTimes(1);
  // One that is repeated is found, wherever the tries lead.
  await expect(places.insert({ _id: "7", owner: "ann" })).rejects.toMatchObject({ fields: ["_id"] });
  for (let from = 60; from < 600; from += 90)
    await Promise.all(Array.from({ length: 90 }, (_, n) => places.insert({ _id: `${from + n}`, owner: "ann" })));
  expect(await collection.count({ query: { owner: "ann" } })).toBe(600);
  await expect(places.insert({ _id: "600", owner: "ann" })).rejects.toMatchObject({ type: "TOO_MANY" });
  await collection.removeById("300");
  await expect(places.insert({ _id: "600", owner: "ann" })).resolves.toMatchObject({ _id: "600" });
  await documents.close();
});

it("counts what is from before a large bound as well", async () => {
  const documents = new EmbeddedDocuments(":memory:");
  const collection = await documents.collection("things", {
    indexes: [{ fields: [PLACE], unique: true, sparse: true }],
  });
  await collection.insertMany(Array.from({ length: 5 }, (_, n) => ({ _id: `old ${n}`, owner: "ann" })));
  const places = new Places({ ...MOST, count: 520 }, collection, "things");
  const made = await Promise.allSettled(
    Array.from({ length: 530 }, (_, n) => places.insert({ _id: `${n}`, owner: "ann" })),
  );
  expect(made.filter(({ status }) => status === "fulfilled")).toHaveLength(515);
  expect(await collection.count({ query: { owner: "ann" } })).toBe(520);
  await documents.close();
});
