import { Simulation, type Lacking } from "../news/escrow/escrow-simulation.ts";
import { worlds } from "../news/escrow/escrow-worlds.ts";

worlds(1, 250);

describe("the simulation itself", () => {
  it("repeats a seed to the letter", async () => {
    for (const seed of [3, 77]) expect(await Simulation.run(seed)).toEqual(await Simulation.run(seed));
  });

  const doubled = async (seed: number, lacking: Lacking) =>
    (await Simulation.run(seed, lacking)).problems.filter((problem) => /was paid \d times/.test(problem));

  it.each([1, 3, 6])("notices a double payment when memos are not looked for (seed %i)", async (seed) => {
    expect(await doubled(seed, { blind: true })).not.toEqual([]);
  });

  it.each([71, 77, 143])(
    "notices a double payment when a lost request is not given its time (seed %i)",
    async (seed) => {
      expect(await doubled(seed, { policy: { settleMs: 0, expiryBlocks: 0 } })).not.toEqual([]);
    },
  );
});
