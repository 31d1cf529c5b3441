import { paceAt } from "../../console/live/pace.ts";

it("reads at once what happens now and then, and at a distance what happens all the time", () => {
  const now = 1_000_000;
  const secondsAgo = (...seconds: number[]): number[] => seconds.map((one) => now - one * 1_000);
  expect(paceAt(now, [], true)).toBe(400);
  expect(paceAt(now, secondsAgo(1, 2, 3), true)).toBe(400);
  const busy = secondsAgo(1, 2, 3, 4, 5);
  expect(paceAt(now, busy, false)).toBe(1_000);
  // Where a person's requests are counted, at a pace that their limit bears.
  expect(paceAt(now, busy, true)).toBe(8_000);
  // A minute later it is quiet again.
  expect(paceAt(now + 60_000, busy, true)).toBe(400);
});
