import fc from "fast-check";
import { healthOf, remembered, WINDOW } from "../../../services/news/sources/health.ts";

const outcomes = fc.array(fc.boolean(), { maxLength: 40 });
const remember = (all: readonly boolean[]) => all.reduce<boolean[]>((recent, one) => remembered(recent, one), []);

it("remembers the last ten, oldest first", () => {
  fc.assert(fc.property(outcomes, (all) => expect(remember(all)).toEqual(all.slice(-WINDOW))));
});

it("is what the last outcomes say, told another way", () => {
  fc.assert(
    fc.property(outcomes, fc.boolean(), (all, gone) => {
      const failuresAtTheEnd = all.length - 1 - all.lastIndexOf(true);
      const goodAtTheEnd = all.length - 1 - all.lastIndexOf(false);
      const expected =
        gone || failuresAtTheEnd >= 5 ? "failed" : goodAtTheEnd >= Math.min(3, all.length) ? "active" : "degraded";
      expect(healthOf(remember(all), gone)).toBe(expected);
    }),
  );
});

it("comes back from failed by way of degraded: three good fetches make a source active", () => {
  const course = [false, false, false, false, false, true, true, true];
  expect(course.map((_, at) => healthOf(remember(course.slice(0, at + 1)), false))).toEqual([
    "degraded",
    "degraded",
    "degraded",
    "degraded",
    "failed",
    "degraded",
    "degraded",
    "active",
  ]);
});

it("a source that was never fetched is active; one that is gone has failed at once", () => {
  expect(healthOf([], false)).toBe("active");
  expect(healthOf([true, true, false], true)).toBe("failed");
});
