import { z } from "zod";
import { EmbeddedDocuments } from "../../adapters/documents/embedded.ts";
import { asSystem } from "../../core/access/caller.ts";
import type { Collection } from "../../core/records/documents.ts";
import { entity } from "../../core/records/entity.ts";
import { event } from "../../core/events/event.ts";
import { Outbox } from "../../core/events/outbox.ts";
import { erase } from "../../core/records/keeping/personal-data.ts";
import { Store } from "../../core/records/store.ts";
import { TestClock } from "../mesh.ts";

// What a record still had to tell is told though the record goes, or loses fields, by the erasure of a person.

const Loan = entity("loans", {
  title: "loan",
  fields: { userId: z.string(), book: z.string(), note: z.string().optional() },
  indexes: [{ fields: ["userId"] }],
});
const Lent = event("library.book.lent", z.object({ book: z.string() }));
const ANN = asSystem("test");

/** A library whose desk hears what is lent, unless it is away. */
async function library() {
  const documents = new EmbeddedDocuments(":memory:");
  const clock = new TestClock();
  const heard = new Set<string>();
  const desk = { away: true };
  const outbox = new Outbox(documents, clock, new Map([[Lent.name, ["desk"]]]), async (_action, { data }) => {
    if (desk.away) throw new Error("the desk is away");
    heard.add(String(data["book"]));
  });
  const collection = await documents.collection(Loan.collection, {
    indexes: [...Loan.indexes, { fields: ["_pendingSince"], sparse: true }],
  });
  outbox.attend(Loan, collection);
  const store = new Store(Loan, {
    collection,
    clock,
    number: () => Promise.reject(new TypeError("Loans have no numbers.")),
    stored: (of, id) => outbox.kick(of, id),
    announceRemoval: (of, record, facts) => outbox.announceRemoval(of, record, facts),
    removed: (of, id) => outbox.removed(of, id),
  });
  const host = { store: () => store } as unknown as Parameters<typeof erase>[0];
  return {
    documents,
    collection,
    store,
    heard,
    outbox,
    lend: (userId: string, book: string) =>
      store.create(ANN, { userId, book, note: "signed by hand" }, { facts: [Lent.fact(book, { book })] }),
    erase: (erasure: "remove" | { clear: readonly string[] }) =>
      erase(host, [{ what: "Loans", entity: Loan, by: "userId", erasure }], "ada"),
    /** The desk comes back, and what was left is looked for. */
    async settled(): Promise<void> {
      desk.away = false;
      await outbox.settle();
      clock.advance(6_000);
      await outbox.sweep();
    },
  };
}

it("an erasure removes everything in slices, and what was not told yet is told", async () => {
  const { documents, collection, store, heard, outbox, lend, erase, settled } = await library();
  const row = {
    userId: "ada",
    rev: 1,
    createdAt: "2026-01-01T00:00:00.000Z",
    updatedAt: "2026-01-01T00:00:00.000Z",
    createdBy: "ada",
  };
  await collection.insertMany(Array.from({ length: 1_100 }, (_, n) => ({ ...row, _id: `told-${n}`, book: "old" })));
  for (const book of ["Emma", "Persuasion", "Evelina"]) await lend("ada", book);
  await lend("eve", "Pamela");
  await outbox.settle();
  const sizes: number[] = [];
  const { removeMany } = collection;
  collection.removeMany = async (query) => {
    const gone = await removeMany.call(collection, query);
    sizes.push(gone);
    return gone;
  };
  await erase("remove");
  await erase("remove");
  expect((await store.find(ANN, {})).map(({ userId }) => userId)).toEqual(["eve"]);
  expect(Math.max(...sizes)).toBeLessThanOrEqual(500);
  await settled();
  expect([...heard].sort()).toEqual(["Emma", "Evelina", "Pamela", "Persuasion"]);
  expect(await (await documents.collection("outbox")).count()).toBe(0);
  await documents.close();
});

it.each(["before", "after"] as const)(
  "an erasure whose node dies %s a removal is repeated, and nothing stays untold or unremoved",
  async (when) => {
    const { documents, collection, store, heard, outbox, lend, erase, settled } = await library();
    await lend("ada", "Emma");
    await lend("ada", "Evelina");
    await outbox.settle();
    const { removeMany } = collection;
    collection.removeMany = (async (query) => {
      if (when === "after") await removeMany.call(collection, query);
      throw new Error("the node is gone");
    }) as Collection["removeMany"];
    await expect(erase("remove")).rejects.toThrow("the node is gone");
    Reflect.deleteProperty(collection, "removeMany");
    await erase("remove");
    expect(await store.count(ANN)).toBe(0);
    await settled();
    expect([...heard].sort()).toEqual(["Emma", "Evelina"]);
    await documents.close();
  },
);

it("what is told between reading and removing is removed with what was new to tell", async () => {
  const { documents, collection, store, heard, outbox, lend, erase, settled } = await library();
  const loan = await lend("ada", "Emma");
  await outbox.settle();
  const { find } = collection;
  let first = true;
  collection.find = async (given) => {
    const found = await find.call(collection, given);
    if (first) {
      first = false;
      await store.revise(ANN, loan, { note: "prolonged" }, { facts: [Lent.fact("again", { book: "Emma, again" })] });
    }
    return found;
  };
  await erase("remove");
  Reflect.deleteProperty(collection, "find");
  expect(await store.count(ANN)).toBe(0);
  await settled();
  expect([...heard].sort()).toEqual(["Emma", "Emma, again"]);
  await documents.close();
});

it("fields that are cleared leave what is to be told as it is", async () => {
  const { documents, store, heard, outbox, lend, erase, settled } = await library();
  const { id } = await lend("ada", "Emma");
  await outbox.settle();
  await erase({ clear: ["note"] });
  expect(await store.get(ANN, id)).not.toHaveProperty("note");
  await settled();
  expect([...heard]).toEqual(["Emma"]);
  await documents.close();
});
