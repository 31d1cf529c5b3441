import fc from "fast-check";
import { EmbeddedDocuments } from "../../../adapters/documents/embedded.ts";
import type { Collection, Query } from "../../../core/records/documents.ts";

interface Seen {
  _id: number;
  at: string;
  state: string;
}
const STATES = ["open", "done", "late"];
const DOCS: Seen[] = Array.from({ length: 60 }, (_, _id) => ({
  _id,
  at: `t${(_id * 7) % 9}`,
  state: STATES[_id % 3]!,
}));
const at = fc.nat(8).map((n) => `t${n}`),
  state = fc.constantFrom(...STATES),
  id = fc.integer({ min: 2, max: 50 });

/** A query, and what it says. Of those of one kind some have values that are the same, and others have none. */
const asked: fc.Arbitrary<[Query, (doc: Seen) => boolean]> = fc.oneof(
  at.map((to): [Query, (doc: Seen) => boolean] => [{ at: { $lte: to } }, (doc) => doc.at <= to]),
  fc
    .tuple(state, state)
    .map(([one, other]): [Query, (doc: Seen) => boolean] => [
      { $and: [{ state: one }, { state: other }] },
      (doc) => doc.state === one && doc.state === other,
    ]),
  fc
    .tuple(state, at, at, id)
    .map(([held, below, same, before]): [Query, (doc: Seen) => boolean] => [
      { state: held, $or: [{ at: { $lt: below } }, { at: same, _id: { $lt: before } }] },
      (doc) => doc.state === held && (doc.at < below || (doc.at === same && doc._id < before)),
    ]),
  fc
    .tuple(state, at, at)
    .map(([held, from, to]): [Query, (doc: Seen) => boolean] => [
      { state: held, at: { $gte: from, $lt: to } },
      (doc) => doc.state === held && doc.at >= from && doc.at < to,
    ]),
);

describe("lists whose way of reading is kept from one query to the next of its shape", () => {
  let store: EmbeddedDocuments, collection: Collection;
  beforeAll(async () => {
    store = new EmbeddedDocuments(":memory:");
    collection = await store.collection("seen", {
      indexes: [{ fields: ["at"] }, { fields: ["state", "-at", "-_id"] }],
    });
    await collection.insertMany(DOCS);
  });
  afterAll(() => store.close());

  test("say of each query's values what is true of them", () =>
    fc.assert(
      fc.asyncProperty(
        asked,
        fc.constantFrom("at", "-at"),
        fc.integer({ min: 1, max: 70 }),
        async (one, sort, limit) => {
          const [query, holds] = one;
          const sign = sort === "at" ? 1 : -1;
          const expected = DOCS.filter(holds)
            .sort((a, b) => sign * (a.at < b.at ? -1 : a.at > b.at ? 1 : a._id - b._id))
            .map(({ _id }) => _id);
          const found = await collection.find({ query, sort: [sort, sort === "at" ? "_id" : "-_id"], limit });
          expect(found.map(({ _id }) => _id)).toEqual(expected.slice(0, limit));
          expect(await collection.count({ query })).toBe(expected.length);
        },
      ),
      { numRuns: 600 },
    ));
});
