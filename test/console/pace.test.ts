import { paceAt } from "../../console/live/pace.ts";

it("reads at once what happens now and then, and at a pace that the limits bear what happens all the time", () => {
  const now = 1_000_000;
  expect(paceAt(now, [])).toBe(400);
  expect(
    paceAt(
      now,
      [1, 2, 3].map((second) => now - second * 1_000),
    ),
  ).toBe(400);
  const busy = [1, 2, 3, 4, 5].map((second) => now - second * 1_000);
  expect(paceAt(now, busy)).toBe(8_000);
  // A minute later it is quiet again.
  expect(paceAt(now + 60_000, busy)).toBe(400);
});
