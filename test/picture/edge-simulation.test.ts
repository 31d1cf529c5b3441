import { nodesOf, schedules, SCHEDULES, SEED, simulated } from "../simulation.ts";
import { COLLECTIONS, story, type Fault } from "./edge-simulation.ts";

// Edge nodes and headquarters under loss, doubles, other orders, clocks that are hours apart, changes of access, and
// hub nodes that die: nothing diverges, is lost, comes back by itself, or is told to whom it is not for.

const documents = simulated();

it("comes together without a lost edit, whatever happens on the way", async () => {
  await schedules(documents, Math.ceil(SCHEDULES * 0.03), COLLECTIONS, async (simulation) => {
    const wrong = await story(simulation, documents, (open) => nodesOf(simulation, open));
    expect(wrong).toEqual([]);
  });
}, 3_600_000);

const FAULTS: Partial<Record<Fault, RegExp>> = {
  "no vector": /lost|diverged/,
  "latest wins": /lost/,
  "delete forgotten": /diverged|revived/,
};
(SEED ? it.skip : it).each(Object.keys(FAULTS) as Fault[])(
  "would be told of: %s",
  async (fault) => {
    const found: string[] = [];
    await schedules(documents, 60, COLLECTIONS, async (simulation) => {
      if (!found.length)
        found.push(...(await story(simulation, documents, (open) => nodesOf(simulation, open), fault)));
    });
    expect(found.join("\n")).toMatch(FAULTS[fault]!);
  },
  600_000,
);
