import fc from "fast-check";
import { atOnce } from "../../core/work/turns.ts";
import { Covered, coveredBy } from "../../services/picture/sensors/coverage.ts";
import { tries } from "../tries.ts";

const within = (most: number, ...also: number[]) =>
  fc.oneof(fc.constantFrom(...also, most), fc.double({ min: Number.MIN_VALUE, max: most, noNaN: true }));
const location = fc.record({
  latitude: fc.oneof(
    within(90, 0),
    within(90, 89.9999999).map((lat) => -lat),
  ),
  longitude: fc.oneof(
    within(180, 0),
    within(180, 179.99999).map((lon) => -lon),
  ),
});
const coverage = fc.oneof(
  fc.record({ shape: fc.constant("radius" as const), range: within(2e6, 1) }),
  fc.record({
    shape: fc.constant("sector" as const),
    range: within(2e6, 1),
    azimuth: fc.constantFrom(0, 359.9999, 360),
    width: within(360, Number.MIN_VALUE, 1e-9),
  }),
);

describe("what sensors cover", () => {
  it("is a ground in numbers, wherever on earth they stand and however little each covers", () => {
    fc.assert(
      fc.property(fc.array(fc.record({ id: fc.string(), coverage, location }), { maxLength: 4 }), (sensors) => {
        expect(Covered.safeParse(atOnce(coveredBy(sensors))).error).toBeUndefined();
      }),
      { numRuns: tries(150) },
    );
  });

  it("comes to an end of some metres at both poles and the equator, on one plane", () => {
    const at = (latitude: number, longitude: number, range: number) => ({
      id: `${latitude}`,
      coverage: { shape: "radius" as const, range },
      location: { latitude, longitude },
    });
    const sliver = {
      ...at(-1.9392245556965054e-174, -2.46283767110629e-131, 1),
      coverage: { shape: "sector" as const, range: 1, azimuth: 1e-300, width: 5.6e-9, minRange: Number.MIN_VALUE },
    };
    const all = [at(-90, -180, 1), sliver, at(89.9999999, -1.8512273605633238e-37, 1), at(-89.99999, 0, 5e-4)];
    expect(Covered.safeParse(atOnce(coveredBy(all))).error).toBeUndefined();
  });
});
