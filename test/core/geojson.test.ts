import fc from "fast-check";
import { GEOJSON_BOUNDS, readGeoJson } from "../../core/geo/geojson.ts";
import type { Position, Ring } from "../../core/geo/positions.ts";
import { doubleArea, isInPolygon } from "../../core/geo/rings.ts";
import { atOnce } from "../../core/work/turns.ts";

const read = (given: unknown) => atOnce(readGeoJson("any", given));
const polygon = (...coordinates: unknown[]) => ({ type: "Polygon", coordinates });
const collection = (...geometries: unknown[]) => ({
  type: "FeatureCollection",
  features: geometries.map((geometry) => ({ type: "Feature", properties: {}, geometry })),
});
const square = (west: number, south: number, side: number): Ring => [
  [west, south],
  [west + side, south],
  [west + side, south + side],
  [west, south + side],
  [west, south],
];

describe("what is malformed", () => {
  it.each([
    ["no object", [1, 2], "", /object/],
    ["an unknown type", { type: "Circle" }, "type", /one of/],
    ["a short position", { type: "Point", coordinates: [1] }, "coordinates", /longitude, latitude/],
    ["not a number", { type: "Point", coordinates: [1, "2"] }, "coordinates", /finite/],
    ["not finite", { type: "Point", coordinates: [1, Infinity] }, "coordinates", /finite/],
    ["beyond 180°", { type: "Point", coordinates: [181, 2] }, "coordinates", /beyond 180/],
    ["swapped axes", { type: "Point", coordinates: [52.5, 113.4] }, "coordinates", /swapped/],
    ["a line of one", { type: "LineString", coordinates: [[1, 2]] }, "coordinates", /at least 2/],
    [
      "a short ring",
      polygon([
        [0, 0],
        [1, 1],
        [0, 0],
      ]),
      "coordinates[0]",
      /at least 4/,
    ],
    [
      "an open ring",
      polygon([
        [0, 0],
        [1, 0],
        [1, 1],
        [0, 1],
      ]),
      "coordinates[0]",
      /closed/,
    ],
    ["a bbox of three", { type: "Point", coordinates: [1, 2], bbox: [1, 2, 3] }, "bbox", /four or six/],
    [
      "a nested collection",
      { type: "GeometryCollection", geometries: [{ type: "GeometryCollection", geometries: [] }] },
      "geometries[0]",
      /no other/,
    ],
    [
      "coordinates beside a geometry",
      { type: "Feature", properties: null, geometry: null, coordinates: [1, 2] },
      "coordinates",
      /beside/,
    ],
    ["a feature without geometry", { type: "Feature", properties: null }, "geometry", /geometry/],
    ["properties as a list", { type: "Feature", properties: [], geometry: null }, "properties", /object/],
    [
      "a position deep in a collection",
      collection(
        { type: "Point", coordinates: [0, 0] },
        polygon([
          [0, 0],
          [1, 0],
          [1, 91],
          [0, 1],
          [0, 0],
        ]),
      ),
      "features[1].geometry.coordinates[0][2]",
      /beyond 90/,
    ],
  ])("%s is told by its path", (_what, given, path, message) => {
    const { malformed } = read(given);
    expect(malformed[0]).toEqual({ path, message: expect.stringMatching(message) });
  });

  it("holds its bounds", () => {
    const bounds = { ...GEOJSON_BOUNDS, features: 1, positions: 4, propertyBytes: 10 };
    const wrong = (given: unknown) => atOnce(readGeoJson("any", given, { bounds })).malformed[0]!.message;
    const point = { type: "Point", coordinates: [1, 2] };
    expect(wrong(collection(point, point))).toMatch(/at most 1 features/);
    expect(wrong(polygon(square(0, 0, 1)))).toMatch(/more than 4 positions/);
    expect(wrong({ type: "Feature", geometry: point, properties: { long: "0123456789" } })).toMatch(/10 bytes/);
  });

  it("never throws, whatever is sent", () => {
    const anything = fc.oneof(
      fc.anything({ maxDepth: 4 }),
      fc.record({
        type: fc.constantFrom("Point", "Polygon", "MultiPolygon", "LineString", "Feature", "FeatureCollection"),
        coordinates: fc.anything({ maxDepth: 5 }),
        geometry: fc.anything({ maxDepth: 3 }),
        features: fc.anything({ maxDepth: 3 }),
      }),
    );
    fc.assert(fc.property(anything, (given) => read(given).malformed.length > 0 || true));
  });
});

describe("what is no geometry", () => {
  it.each([
    [
      "crosses itself",
      polygon([
        [0, 0],
        [4, 4],
        [4, 0],
        [1, 5],
        [0, 0],
      ]),
      "coordinates[0][0]",
      /meets itself/,
    ],
    [
      "turns back",
      polygon([
        [0, 0],
        [4, 0],
        [4, 4],
        [4, 8],
        [4, 4],
        [0, 4],
        [0, 0],
      ]),
      "coordinates[0][1]",
      /itself/,
    ],
    [
      "has no area",
      polygon([
        [0, 0],
        [1, 1],
        [2, 2],
        [0, 0],
      ]),
      "coordinates[0]",
      /no area/,
    ],
    ["has its hole outside", polygon(square(0, 0, 2), square(5, 5, 1)), "coordinates[1]", /outside/],
    ["is crossed by its hole", polygon(square(0, 0, 2), square(1, 1, 2)), /coordinates\[0\]\[\d\]/, /crosses/],
    [
      "lies around a pole",
      polygon([
        [0, 80],
        [120, 80],
        [-120, 80],
        [0, 80],
      ]),
      "coordinates",
      /pole/,
    ],
  ])("what %s is impossible, not malformed", (_what, given, path, message) => {
    const { malformed, impossible } = read(given);
    expect(malformed).toEqual([]);
    expect(impossible[0]!.path).toMatch(path);
    expect(impossible[0]!.message).toMatch(message);
  });

  it("is found in a ring of thousands, however the ring is turned", () => {
    const star = Array.from({ length: 3_000 }, (_none, at): Position => {
      const angle = (2 * Math.PI * at) / 3_000;
      const reach = at % 2 ? 1 : 0.9;
      return [10 + reach * Math.cos(angle), 50 + reach * Math.sin(angle)];
    });
    const closed = (ring: Position[]) => polygon([...ring, ring[0]]);
    expect(read(closed(star)).impossible).toEqual([]);
    const spoilt = star.with(1_000, star[1_004]!).with(1_004, star[1_000]!);
    expect(read(closed(spoilt)).impossible).toHaveLength(1);
  });

  it("is found exactly where four corners cross, and nowhere else", () => {
    const coordinate = fc.integer({ min: -5, max: 5 });
    fc.assert(
      fc.property(fc.array(fc.tuple(coordinate, coordinate), { minLength: 4, maxLength: 4 }), (corners) => {
        const [a, b, c, d] = corners as unknown as [Position, Position, Position, Position];
        const doCross = (p: Position, q: Position, r: Position, s: Position) => {
          const turn = ([x1, y1]: Position, [x2, y2]: Position, [x3, y3]: Position) =>
            Math.sign((x2 - x1) * (y3 - y1) - (x3 - x1) * (y2 - y1));
          return turn(p, q, r) * turn(p, q, s) < 0 && turn(r, s, p) * turn(r, s, q) < 0;
        };
        if (doCross(a, b, c, d) || doCross(b, c, d, a))
          expect(read(polygon([a, b, c, d, a])).impossible).not.toEqual([]);
      }),
    );
  });
});

describe("what is mended", () => {
  it("is told: winding, more than three numbers", () => {
    const { value, warnings } = read(
      polygon([
        [0, 0, 1, 7],
        [0, 1],
        [1, 1],
        [1, 0],
        [0, 0, 1],
      ]),
    ) as any;
    expect(warnings.map(({ message }: { message: string }) => message)).toEqual([
      expect.stringMatching(/altitude/),
      expect.stringMatching(/anticlockwise/),
    ]);
    expect(value.coordinates[0][0]).toEqual([0, 0, 1]);
    expect(doubleArea(value.coordinates[0])).toBeGreaterThan(0);
  });

  it("is an area over 180°, with its hole: both parts lie on the map, and together hold what it held", () => {
    const over = polygon(
      [
        [170, 0],
        [-170, 0],
        [-170, 20],
        [170, 20],
        [170, 0],
      ],
      [
        [175, 5],
        [175, 15],
        [-175, 15],
        [-175, 5],
        [175, 5],
      ],
    );
    const { value, warnings, impossible } = read(over) as any;
    expect(impossible).toEqual([]);
    expect(warnings[0].message).toMatch(/180°/);
    expect(value.type).toBe("MultiPolygon");
    const holds = (position: Position) => value.coordinates.some((part: Ring[]) => isInPolygon(part, position));
    expect(
      [
        [172, 10],
        [-172, 10],
        [179, 10],
        [-179, 10],
        [178, 2],
        [0, 10],
      ].map((at) => holds(at as Position)),
    ).toEqual([true, true, false, false, true, false]);
    expect(read(value).malformed).toEqual([]);
  });

  it("is any area over 180°: its parts hold what it held, and no more", () => {
    const reaches = fc.array(fc.double({ min: 0.2, max: 1, noNaN: true }), { minLength: 3, maxLength: 30 });
    const middle = fc.tuple(fc.integer({ min: -12, max: 12 }), fc.integer({ min: -60, max: 60 }));
    const folded = ([lon, lat]: Position): Position => [lon > 180 ? lon - 360 : lon < -180 ? lon + 360 : lon, lat];
    fc.assert(
      fc.property(reaches, middle, fc.boolean(), (all, [lon, lat], hasHole) => {
        const ring = (share: number) => {
          const corners = all.map((reach, at): Position => {
            const angle = (2 * Math.PI * at) / all.length;
            return [180 + lon + 20 * share * reach * Math.cos(angle), lat + 20 * share * reach * Math.sin(angle)];
          });
          return [...corners, corners[0]!];
        };
        const whole = hasHole ? [ring(1), ring(0.5)] : [ring(1)];
        const { value, impossible, malformed } = read(polygon(...whole.map((one) => one.map(folded)))) as any;
        if (malformed.length + impossible.length > 0) return;
        const parts: Ring[][] = value.type === "MultiPolygon" ? value.coordinates : [value.coordinates];
        const areas = (rings: Ring[]) =>
          rings.reduce((sum, one, at) => sum + Math.abs(doubleArea(one)) * (at ? -1 : 1), 0);
        const sum = parts.reduce((total, part) => total + areas(part), 0);
        expect(Math.abs(sum - areas(whole))).toBeLessThan(1e-6);
        for (const [x, y] of [...whole[0]!, [180 + lon, lat] as Position]) {
          const near: Position = [180 + lon + (x - 180 - lon) * 0.7, lat + (y - lat) * 0.7];
          const isHeld = parts.some((part) => isInPolygon(part, folded(near)));
          if (Math.abs(near[0] - 180) > 1e-6) expect(isHeld).toBe(isInPolygon(whole, near));
        }
      }),
      // Its hole touches 180° with one corner.
      { examples: [[[0.2, 0.2, 0.2], [-2, 0], true]] },
    );
  });

  it("comes to an end whatever rings are at the poles and over 180°", () => {
    const lon = fc.oneof(fc.constantFrom(180, -180, 0), fc.double({ min: -180, max: 180, noNaN: true }));
    const lat = fc.oneof(fc.constantFrom(-90, 90), fc.double({ min: -90, max: -89.99999, noNaN: true }));
    fc.assert(
      fc.property(fc.array(fc.tuple(lon, lat), { minLength: 3, maxLength: 40 }), (corners) => {
        read(polygon([...corners, corners[0]]));
      }),
      { numRuns: 1_000 },
    );
  });

  it("is not cut, but refused, where it reaches around the earth more than once", () => {
    const turn = Array.from({ length: 13 }, (_none, at): Position => [((at * 40 + 180) % 360) - 180, 10]);
    const back = turn.toReversed().map(([lon]): Position => [lon, 20]);
    expect(read(polygon([...turn, ...back, turn[0]])).impossible[0]!.message).toMatch(/more than once/);
  });

  it("is refused where nobody could tell in time whether its edges meet", () => {
    const edges = Array.from({ length: 7_000 }, (_none, at): Position[] => [
      [at / 14_000, -at / 14_000],
      [1 + at / 14_000, 1 - at / 14_000],
    ]).flat();
    const { impossible } = read(polygon([...edges, [4, 5], [-3, 5], edges[0]]));
    expect(impossible[0]!.message).toMatch(/too intricate/);
  });

  it("holds thousands of holes, and knows the one that lies outside", () => {
    const ring = Array.from({ length: 4_000 }, (_none, at): Position => {
      const angle = (2 * Math.PI * at) / 4_000;
      return [50 * Math.cos(angle), (50 + (at % 2)) * Math.sin(angle)];
    });
    const holes = Array.from({ length: 900 }, (_none, at) =>
      square(-30 + 2 * (at % 30), -30 + 2 * Math.floor(at / 30), 1),
    );
    const area = (...more: Ring[]) => polygon([...ring, ring[0]], ...holes, ...more);
    expect(read(area()).impossible).toEqual([]);
    expect(read(area(square(60, 60, 1))).impossible[0]!.path).toBe("coordinates[901]");
  });

  it("is a line over 180°", () => {
    const { value } = read({
      type: "LineString",
      coordinates: [
        [170, 0],
        [-170, 10],
        [170, 20],
      ],
    }) as any;
    expect(value).toEqual({
      type: "MultiLineString",
      coordinates: [
        [
          [170, 0],
          [180, 5],
        ],
        [
          [-180, 5],
          [-170, 10],
          [-180, 15],
        ],
        [
          [180, 15],
          [170, 20],
        ],
      ],
    });
  });

  it("leaves a sound document as it is, and what was mended needs no second mending", () => {
    const sound = collection(polygon(square(0, 0, 1)), { type: "Point", coordinates: [1, 2, 3] });
    expect(read(sound).value).toBe(sound);
    const corner = fc.tuple(
      fc.double({ min: -180, max: 180, noNaN: true }),
      fc.double({ min: -85, max: 85, noNaN: true }),
    );
    fc.assert(
      fc.property(fc.array(corner, { minLength: 3, maxLength: 6 }), (corners) => {
        const first = read(polygon([...corners, corners[0]]));
        if (first.malformed.length + first.impossible.length > 0) return;
        const again = read(first.value);
        expect(again.malformed).toEqual([]);
        expect(again.warnings).toEqual([]);
      }),
    );
  });
});
