import fc from "fast-check";
import { z } from "zod";
import { EmbeddedDocuments } from "../../adapters/documents/embedded.ts";
import { asSystem } from "../../core/access/caller.ts";
import { entity, Instant, type Item } from "../../core/records/entity.ts";
import { Misfit } from "../../core/records/fitting.ts";
import { Store, type StoreParts } from "../../core/records/store.ts";
import { TestClock } from "../mesh.ts";
import { tries } from "../tries.ts";

const ME = asSystem("test");
const Thing = entity("things", {
  fields: {
    name: z.string().trim().min(1).max(12),
    note: z.string().max(20).optional(),
    count: z.int().max(9).default(0),
    at: Instant.optional(),
    words: z.array(z.string().min(1).max(5)).max(3).default([]),
    steps: z.array(z.object({ by: z.string().max(4) })).optional(),
    secret: z.string().max(8).optional(),
  },
  hidden: ["secret"],
});
type Thing = Item<typeof Thing>;

let documents: EmbeddedDocuments, store: Store<typeof Thing>;
beforeAll(async () => {
  documents = new EmbeddedDocuments(":memory:");
  const collection = await documents.collection("things", { indexes: [] });
  store = new Store(Thing, { collection, clock: new TestClock(), stored: () => undefined } as unknown as StoreParts);
});
afterAll(() => documents.close());
const made = (): Promise<Thing> => store.create(ME, { name: "a", words: ["old"], steps: [{ by: "ann" }] });
/** What a change ended in: the fault that refused it, or null. */
const ended = (change: Promise<unknown>): Promise<unknown> =>
  change.then(
    () => null,
    (error: unknown) => error,
  );

const texts = ["", "ab", "a name too long to be one", "\0", "2026-01-01T00:00:00.000Z", "+010000-01-01T00:00:00.000Z"];
const value = fc.oneof(
  fc.constantFrom<unknown>(...texts, null, undefined, -1, 9, 10, 1.5, true, {}, [], [1], [{}]),
  fc.array(fc.constantFrom("a", "bcdef", "ghijkl", "old", ""), { maxLength: 5 }),
  fc.array(fc.record({ by: fc.constantFrom("ann", "nobody", "") }), { maxLength: 3 }),
);
const field = fc.constantFrom("name", "note", "count", "at", "words", "steps", "secret");

describe("a change of a record", () => {
  it("that would not fit is refused, and the record stays as it was; any other leaves a record that can be read", async () => {
    const ends = { refused: 0, taken: 0 };
    await fc.assert(
      fc.asyncProperty(fc.dictionary(field, value), async (wanted) => {
        const before = await made();
        const fault = await ended(store.revise(ME, before, wanted));
        const after = await store.get(ME, before.id);
        ends[fault ? "refused" : "taken"] += 1;
        if (fault) expect([(fault as Error).name, after]).toEqual([Misfit.name, before]);
        // Null clears, and whoever clears what a record must have says so: that is not judged here.
        expect(Thing.record.safeParse({ ...after, name: after.name ?? "was cleared" }).error).toBeUndefined();
      }),
      { numRuns: tries(300) },
    );
    expect([ends.refused > 0, ends.taken > 0]).toEqual([true, true]);
  });

  it("that adds to a list is held against what a list has", async () => {
    const before = await made();
    for (const operators of [
      { $push: { words: "too long" } },
      { $push: { words: { $each: ["b", ""] } } },
      { $addToSet: { steps: { by: "nobody" } } },
    ])
      expect(await ended(store.revise(ME, before, {}, operators))).toBeInstanceOf(Misfit);
    expect(await store.get(ME, before.id)).toEqual(before);
    const operators = { $push: { words: { $each: ["b"] } }, $addToSet: { steps: { by: "ben" } } };
    expect(await store.revise(ME, before, {}, operators)).toMatchObject({
      words: ["old", "b"],
      steps: [{ by: "ann" }, { by: "ben" }],
    });
  });

  it("is refused by the field's name, and never by what it would have held", async () => {
    const before = await made();
    const fault = await ended(store.revise(ME, before, { secret: "hunter2 hunter2", steps: [{ by: "ann" }] }));
    expect(String(fault)).toBe("Misfit: things.secret would not fit its schema: too_big.");
    expect(String(await ended(store.revise(ME, before, { steps: [{ by: 7 }] })))).toBe(
      "Misfit: things.steps.by would not fit its schema: invalid_type.",
    );
  });

  it("leaves alone what it leaves as it was, so that an older record can be mended field by field", async () => {
    const { id } = await made();
    const older = { name: "older than its bounds", steps: [{ by: "nobody" }] };
    await store.collection.updateMany({ _id: id }, { $set: older });
    const found = await store.get(ME, id);
    const { name, steps } = found;
    const kept = await store.revise(ME, found, { name, steps: [...steps!, { by: "ann" }], note: "b" });
    expect(kept).toMatchObject({ ...older, steps: [{ by: "nobody" }, { by: "ann" }], note: "b" });
    expect(await store.revise(ME, kept, { name: "mended" })).toMatchObject({ name: "mended", note: "b" });
  });
});
