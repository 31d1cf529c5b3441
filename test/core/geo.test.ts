import fc from "fast-check";
import { areaOf, areIntricate, common, polygonsIn, squareMetres, united, without } from "../../core/geo/areas/areas.ts";
import { CELL_DIGITS, cellOf } from "../../core/geo/cells.ts";
import { azimuth, circle, destination, distance, isWithin, sector } from "../../core/geo/earth.ts";
import { inStretches, isInStretches, placeAsked, placeParameters } from "../../core/geo/place-query.ts";
import type { Position, Ring } from "../../core/geo/positions.ts";
import { atOnce } from "../../core/work/turns.ts";

const place = fc.tuple(
  fc.double({ min: -180, max: 180, noNaN: true }),
  fc.double({ min: -89.9, max: 89.9, noNaN: true }),
) as fc.Arbitrary<Position>;

/** A place near another one, mostly: far ones never lie within anything. */
const around = ([lon, lat]: Position, degrees: number): fc.Arbitrary<Position> =>
  fc
    .tuple(fc.double({ min: -1, max: 1, noNaN: true }), fc.double({ min: -1, max: 1, noNaN: true }))
    .map(([x, y]): Position => {
      const east = lon + x * degrees;
      return [
        east > 180 ? east - 360 : east < -180 ? east + 360 : east,
        Math.max(-90, Math.min(90, lat + y * degrees)),
      ];
    });

/** What an instant question finds must lie in its stretches: otherwise the index would hide it. */
function neverHides(asked: NonNullable<ReturnType<typeof placeAsked>>, position: Position): void {
  expect(asked.stretches.length).toBeLessThanOrEqual(16);
  if (asked.holds(position)) expect(isInStretches(asked, cellOf(position))).toBe(true);
}

describe("quadkeys", () => {
  it("have 24 digits, and those of places near one another begin alike", () => {
    expect(cellOf([0, 0])).toBe(`3${"0".repeat(23)}`);
    expect(cellOf([180, 90])).toBe("3".repeat(CELL_DIGITS));
    expect(cellOf([13.4, 52.5]).slice(0, 16)).toBe(cellOf([13.4001, 52.5001]).slice(0, 16));
  });

  it("of whatever a circle holds lie in its stretches", () => {
    fc.assert(
      fc.property(
        place
          .chain((centre) => fc.tuple(fc.constant(centre), fc.integer({ min: 1, max: 6_000_000 })))
          .chain(([centre, metres]) =>
            fc.tuple(fc.constant([...centre.slice(0, 2), metres]), around(centre, (metres / 111_000) * 1.2)),
          ),
        ([[lon, lat, metres], position]) => {
          neverHides(placeAsked({ near: [lon!, lat!, metres!] })!, position);
        },
      ),
      { numRuns: 300 },
    );
  });

  it("of whatever a box holds lie in its stretches, over 180° too", () => {
    fc.assert(
      fc.property(place, place, place, ([west, a], [east, b], position) => {
        neverHides(placeAsked({ bbox: [west, Math.min(a, b), east, Math.max(a, b)] })!, position);
      }),
    );
  });

  it("of whatever an area holds lie in its stretches", () => {
    fc.assert(
      fc.property(
        place
          .filter(([lon, lat]) => Math.abs(lon) < 170 && Math.abs(lat) < 80)
          .chain((centre) => fc.tuple(fc.constant(centre), around(centre, 3))),
        fc.array(fc.double({ min: 0.1, max: 1, noNaN: true }), { minLength: 3, maxLength: 12 }),
        ([centre, position], reaches) => {
          const corners = reaches.map((reach, at): Position => {
            const angle = (2 * Math.PI * at) / reaches.length;
            return [centre[0] + 4 * reach * Math.cos(angle), centre[1] + 4 * reach * Math.sin(angle)];
          });
          const within = { type: "Polygon" as const, coordinates: [[...corners, corners[0]!]] };
          const asked = placeAsked({ within })!;
          neverHides(asked, position);
          neverHides(asked, centre);
          expect(asked.holds(centre)).toBe(true);
        },
      ),
    );
  });

  it("are asked for in ranges beside what else must be alike", () => {
    const asked = placeAsked({ near: [13.4, 52.5, 1_000] })!;
    const { $or } = inStretches(asked, { problemSetId: "p" }) as { $or: Record<string, unknown>[] };
    expect($or[0]).toEqual({ problemSetId: "p", cell: { $gte: expect.any(String), $lt: expect.any(String) } });
  });
});

describe("the parameters of a place", () => {
  it("name what is wrong with them", () => {
    const { bbox, near, within } = placeParameters;
    expect(bbox.parse("170, -10, -170, 10")).toEqual([170, -10, -170, 10]);
    expect(bbox.safeParse("1,2,3").success).toBe(false);
    expect(bbox.safeParse("0,5,1,4").error!.issues[0]!.message).toMatch(/South/);
    expect(near.safeParse("13.4,52.5,0").success).toBe(false);
    expect(near.safeParse("13.4,152.5,10").error!.issues[0]!.message).toMatch(/latitude/);
    expect(within.safeParse("{").error!.issues[0]!.message).toMatch(/JSON/);
    expect(within.safeParse('{"type":"Point","coordinates":[1,2]}').error!.issues[0]!.message).toMatch(/Polygon/);
    expect(within.safeParse('{"type":"Polygon","coordinates":[[[0,0],[1,1]]]}').error!.issues[0]!.message).toMatch(
      /coordinates\[0\].*at least 4/,
    );
  });
});

describe("ways on the ellipsoid", () => {
  it("lead back: so far in a direction is so far away in that direction", () => {
    fc.assert(
      fc.property(
        place.filter(([, lat]) => Math.abs(lat) < 85),
        fc.double({ min: 1, max: 359, noNaN: true }),
        fc.double({ min: 1, max: 300_000, noNaN: true }),
        (from, degrees, metres) => {
          const to = destination(from, degrees, metres);
          expect(distance(from, to)).toBeCloseTo(metres, 4);
          expect(Math.abs(azimuth(from, to) - degrees)).toBeLessThan(1e-3);
          expect(isWithin(from, to, metres * 1.001)).toBe(true);
          expect(isWithin(from, to, metres * 0.999)).toBe(false);
        },
      ),
    );
  });

  it("agree with a known pair: Paris to New York, 5 852.9 km", () => {
    expect(distance([2.3522, 48.8566], [-74.006, 40.7128]) / 1_000).toBeCloseTo(5_852.9, 0);
  });
});

describe("areas on the sheets", () => {
  const berlin: Position = [13.4, 52.5];

  it("are true to the earth wherever they lie: a circle of a kilometre has π km²", () => {
    for (const centre of [berlin, [14.5, 52.9], [12, 51.5], [13.4, 52.5001]] as Position[]) {
      const area = areaOf([[circle(centre, 1_000)]]);
      expect(squareMetres(area) / (Math.PI * 1e6)).toBeCloseTo(1, 4);
    }
  });

  it("of a sector is its share of the circle, over north and with a minimum range", () => {
    const share = (rings: Ring[]) => squareMetres(areaOf([rings])) / (Math.PI * 1e8);
    expect(share(sector(berlin, { azimuth: 350, width: 90, range: 10_000 }))).toBeCloseTo(0.25, 4);
    expect(share(sector(berlin, { azimuth: 350, width: 90, range: 10_000, minRange: 5_000 }))).toBeCloseTo(0.1875, 4);
    expect(share(sector(berlin, { azimuth: 0, width: 360, range: 10_000, minRange: 5_000 }))).toBeCloseTo(0.75, 4);
  });

  it("of a sector as narrow as a number can be has places all the same", () => {
    for (const minRange of [0, 5_000]) {
      const ring = sector(berlin, { azimuth: 350, width: Number.MIN_VALUE, range: 10_000, minRange })[0]!;
      expect(ring.flat().every(Number.isFinite)).toBe(true);
    }
  });

  it("obey inclusion and exclusion, and come back to the map", () => {
    fc.assert(
      fc.property(around(berlin, 0.05), around(berlin, 0.05), (one, other) => {
        const [a, b] = [areaOf([[circle(one, 2_000)]]), areaOf([[circle(other, 3_000)]])];
        const [both, any] = [common(a, b), united([a, b])];
        expect(squareMetres(any) + squareMetres(both)).toBeCloseTo(squareMetres(a) + squareMetres(b), -3);
        expect(squareMetres(without(a, b))).toBeCloseTo(squareMetres(a) - squareMetres(both), -3);
        const again = areaOf(atOnce(polygonsIn(any)));
        expect(squareMetres(again) / squareMetres(any)).toBeCloseTo(1, 4);
      }),
      { numRuns: 30 },
    );
  });

  it("are the same at the far end of the earth, at its poles, over 180° and where the caps begin", () => {
    const places: Position[] = [
      berlin,
      [-166.6, -52.5],
      [180, 0],
      [-179.95, 79.95],
      [40, 80],
      [0, -80.05],
      [7, -89.95],
    ];
    for (const centre of places) {
      const all = [areaOf([[circle(centre, 10_000)]]), areaOf([[circle(berlin, 1_000)]])];
      const others = squareMetres(without(united(all), all[1]!)) / (Math.PI * 1e8);
      expect(others).toBeCloseTo(centre === berlin ? 0.99 : 1, 2);
      const again = areaOf(atOnce(polygonsIn(all[0]!)));
      expect(squareMetres(again) / squareMetres(all[0]!)).toBeCloseTo(1, 4);
    }
  });

  it("of the whole earth are WGS 84's: 510 065 621 km²", () => {
    const earth = areaOf([
      [
        [
          [-180, -90],
          [180, -90],
          [180, 90],
          [-180, 90],
          [-180, -90],
        ],
      ],
    ]);
    expect(squareMetres(earth) / 510_065_621.7e6).toBeCloseTo(1, 4);
    const sea = without(earth, areaOf([[circle([7, 90], 10_000)]]));
    expect(squareMetres(earth) - squareMetres(sea)).toBeCloseTo(squareMetres(areaOf([[circle([0, 90], 10_000)]])), -5);
  });

  it("come to an end where a ring is thinner than the lattice", () => {
    const corners = Array.from({ length: 60 }, (_none, at): Position => {
      const angle = (2 * Math.PI * at) / 60;
      return [berlin[0] + 0.05 * Math.cos(angle) * (1 - (at % 3) / 5), berlin[1] + 5e-9 * Math.sin(angle * 7)];
    });
    const thin = areaOf([[[...corners, corners[0]!]]]);
    const all = united([thin, areaOf([[circle(berlin, 2_000)]])]);
    expect(squareMetres(all) / (Math.PI * 4e6)).toBeCloseTo(1, 3);
  });

  it("say where their borders cross too often, and only there", () => {
    const comb = (isTurned: boolean): Ring => {
      const teeth = Array.from({ length: 200 }, (_none, at): Position[] => [
        [at / 200, 0],
        [at / 200, 1],
        [(at + 0.5) / 200, 1],
        [(at + 0.5) / 200, 0],
      ]).flat();
      const ring: Position[] = [...teeth, [1, -0.1], [0, -0.1], [0, 0]];
      return isTurned ? ring.map(([x, y]): Position => [y, x]) : ring;
    };
    const [one, other] = [areaOf([[comb(false)]]), areaOf([[comb(true)]])];
    expect(areIntricate(one, other)).toBe(true);
    expect(areIntricate(one, one)).toBe(false);
    expect(areIntricate(one, areaOf([[circle([0.5, 0.5], 20_000)]]))).toBe(false);
  });

  it("keep what lies in the hole of another", () => {
    const ringed = sector(berlin, { azimuth: 0, width: 360, range: 10_000, minRange: 5_000 });
    const all = united([areaOf([ringed]), areaOf([[circle(berlin, 2_000)]])]);
    expect(squareMetres(all) / (Math.PI * 1e6)).toBeCloseTo(79, 1);
    expect(
      atOnce(polygonsIn(all))
        .map((polygon) => polygon.length)
        .sort(),
    ).toEqual([1, 2]);
  });
});
