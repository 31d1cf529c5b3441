import { nodesOf, schedules, SCHEDULES, SEED, simulated, USUAL } from "../simulation.ts";
import { COLLECTIONS, story, type Fault } from "./edge-simulation.ts";

// Edge nodes and headquarters under loss, doubles, other orders, clocks that are hours apart, changes of access, and
// hub nodes that die: nothing diverges, is lost, comes back by itself, or is told to whom it is not for.

const documents = simulated();
/** Schedules where no number is asked for. */
const FEW = 6;

it("comes together without a lost edit, whatever happens on the way", async () => {
  await schedules(documents, SCHEDULES === USUAL ? FEW : SCHEDULES, COLLECTIONS, async (simulation) => {
    const wrong = await story(simulation, documents, (open) => nodesOf(simulation, open));
    expect(wrong).toEqual([]);
  });
}, 3_600_000);

const FAULTS: readonly Fault[] = ["no vector", "latest wins", "delete forgotten"];
// By command, as the schedules in great number are.
(SEED || SCHEDULES === USUAL ? it.skip : it).each(FAULTS)(
  "would be told of: %s",
  async (fault) => {
    const found: string[] = [];
    await schedules(documents, 60, COLLECTIONS, async (simulation) => {
      if (found.length) return;
      const open = <T>(make: (node: string) => T) => nodesOf(simulation, make);
      const wrong = story(simulation, documents, open, fault);
      found.push(...(await wrong.catch((error: Error) => [`failed: ${error.message}`])));
    });
    expect(found).not.toEqual([]);
  },
  600_000,
);
