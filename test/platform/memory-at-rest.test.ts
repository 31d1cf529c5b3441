import fc from "fast-check";
import { MemoryAtRest } from "../../mesh/memory-at-rest.ts";

const LOOK_MS = 2_000,
  MB = 2 ** 20;

/** A heap of which the story tells how much is held and how hard the thread works. */
function steered(heldMb: number) {
  const told: boolean[] = [];
  const state = { workedUs: 0, heldMb };
  const rest = new MemoryAtRest({
    worked: () => state.workedUs,
    held: () => state.heldMb * MB,
    setSparing: (isSparing) => void told.push(isSparing),
  });
  const look = (share: number): void => {
    state.workedUs += share * LOOK_MS * 1_000;
    rest.look(LOOK_MS);
  };
  return { told, state, look };
}

it("memory is spared once a burst of work is over, and no longer than it takes", () => {
  const { told, state, look } = steered(80);
  for (state.heldMb = 150; told.length === 0 && state.workedUs < 10e6;) look(0.8);
  expect(told).toEqual([]);
  look(0.02);
  expect(told).toEqual([]);
  look(0.02);
  expect(told).toEqual([true]);
  state.heldMb = 115;
  for (let looks = 0; looks < 60; looks++) look(0.02);
  expect(told).toEqual([true, false]);
});

it("a heap that has hardly grown since is left alone, and one that has grown again is not", () => {
  const { told, state, look } = steered(80);
  state.heldMb = 100;
  for (let looks = 0; looks < 60; looks++) look(0);
  expect(told).toEqual([]);
  state.heldMb = 140;
  for (let looks = 0; looks < 60; looks++) look(0);
  expect(told).toEqual([true, false]);
  state.heldMb = 171;
  for (let looks = 0; looks < 60; looks++) look(0);
  expect(told).toEqual([true, false]);
  state.heldMb = 172;
  for (let looks = 0; looks < 60; looks++) look(0);
  expect(told).toEqual([true, false, true, false]);
});

it("work that comes back ends it at once", () => {
  const { told, state, look } = steered(80);
  state.heldMb = 150;
  look(0);
  look(0);
  look(0.5);
  expect(told).toEqual([true, false]);
});

it("whatever a node does, memory is spared in turns, never twice, and never while it works", () => {
  const looks = fc.array(
    fc.record({ share: fc.constantFrom(0, 0.05, 0.5, 1), heldMb: fc.integer({ min: 60, max: 400 }) }),
    { maxLength: 200 },
  );
  fc.assert(
    fc.property(looks, (steps) => {
      const { told, state, look } = steered(80);
      for (const { share, heldMb } of steps) {
        state.heldMb = heldMb;
        look(share);
        if (share > 0.1) expect(told.at(-1) ?? false).toBe(false);
      }
      expect(told.every((isSparing, at) => isSparing === (at % 2 === 0))).toBe(true);
    }),
  );
});
