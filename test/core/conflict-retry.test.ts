import { z } from "zod";
import { openDocuments } from "../../adapters/documents/index.ts";
import { asSystem } from "../../core/access/caller.ts";
import { conflict, overtaken } from "../../core/problem.ts";
import { retryOnConflict } from "../../core/records/conflict-retry.ts";
import { entity } from "../../core/records/entity.ts";
import { Store } from "../../core/records/store.ts";

const Tally = entity("tally", { fields: { count: z.int().default(0) } });
const clerk = asSystem("test");
const none = async (): Promise<never> => {
  throw new Error("not used");
};

describe("a change that others stand in the way of", () => {
  it("comes through with all forty who change the record at once, each once", async () => {
    const documents = openDocuments({ dataDir: ":memory:" });
    const parts = { clock: { now: Date.now }, number: none, stored() {}, announceRemoval: none, removed() {} };
    const tallies = new Store(Tally, { ...parts, collection: await documents.collection(Tally.collection) });
    const { id } = await tallies.create(clerk, { count: 0 });
    await Promise.all(
      Array.from({ length: 40 }, () => tallies.amend(clerk, id, ({ count }) => ({ count: count + 1 }))),
    );
    expect(await tallies.get(clerk, id)).toMatchObject({ count: 40, rev: 41 });
    expect(await tallies.change(clerk, id, () => null)).toMatchObject({ count: 40, rev: 41 });
    await documents.close();
  });

  it("is not tried again where the answer would be the same: a value that is taken, a rule that forbids it", async () => {
    let tried = 0;
    const refused = retryOnConflict(async () => {
      tried++;
      throw conflict("There is one already.", { fields: ["name"] });
    });
    await expect(refused).rejects.toMatchObject({ code: 409 });
    expect(tried).toBe(1);
  });

  it("gives up with the last conflict where it is overtaken without end", async () => {
    let tried = 0;
    const overtakenAlways = retryOnConflict(async () => {
      throw overtaken("tally", { id: "one", rev: ++tried });
    });
    await expect(overtakenAlways).rejects.toMatchObject({ code: 409, data: { details: { id: "one", rev: 100 } } });
    expect(tried).toBe(100);
  });
});
