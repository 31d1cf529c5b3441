import { onFlatMap } from "../../console/picture/map/leaflet/antimeridian.ts";
import { gathered, middleOf } from "../../console/picture/map/leaflet/gathering.ts";
import { Fixes } from "../../console/picture/map/fixes.ts";
import { ageInWords } from "../../console/picture/map/feature-words.ts";
import { withFeature, withFields } from "../../console/picture/map/edit/spec.ts";
import { aged, changedFeatures, namedBy, together, withFixes } from "../../console/picture/map/picture-data.ts";
import {
  editable,
  geometryOf,
  graticuleStep,
  multiples,
  placeInWords,
  readPositions,
  type LonLat,
} from "../../console/picture/map/positions.ts";
import { sparkOf, thresholdInWords, valueInWords } from "../../console/picture/readings/spark.ts";
import { coverageInWords } from "../../console/picture/sensors/coverage.ts";

// What the picture's pages work out by themselves.

const change = (fields: object) => ({
  ...{ layerId: "l", version: 1, added: [], updated: [], removed: [], more: false },
  ...fields,
});
const point = (id: string, properties: object = {}, staleness: object = { state: "fresh" }) =>
  ({ type: "Feature", id, geometry: { type: "Point", coordinates: [17, 48] }, properties, staleness }) as never;

describe("places", () => {
  it("are read as people type them, latitude first", () => {
    expect(readPositions("48.8, 17.05\n\n -10;20 ")).toEqual([
      [17.05, 48.8],
      [20, -10],
    ]);
    const round = ([longitude, latitude]: LonLat) => [longitude.toFixed(4), latitude.toFixed(4)];
    // As this page writes a place itself, and as maps and radios do.
    for (const same of ["46.4100° N, 12.8000° E", "46°24'36\"N 12°48'00\"E", "12°48′E 46° 24.6′ n", "46.41N12.8E"])
      expect([same, ...round(readPositions(same)[0]!)]).toEqual([same, "12.8000", "46.4100"]);
    expect(readPositions("1.5°S 2°W")).toEqual([[-2, -1.5]]);
    for (const wrong of [
      "1°N 2°S",
      "1°N 2",
      "24'N 2°E",
      "1°N 2°E 3",
      "°N °E",
      "1°61'N 2°E",
      "91°N 2°E",
      "north",
      "48.8",
      "91 0",
      "0, 181",
      "1 2 3",
    ])
      expect(() => readPositions(`1, 1\n${wrong}`)).toThrow(/^Line 2 is no position/);
  });

  it("make shapes, and come back from them for editing", () => {
    const corners = readPositions("0 0\n0 1\n1 1");
    const area = geometryOf("Polygon", corners);
    expect(area.coordinates).toEqual([[...corners, corners[0]]]);
    expect(editable(area as never)).toEqual({ shape: "Polygon", positions: corners });
    expect(() => geometryOf("Polygon", corners.slice(1))).toThrow("An area needs three corners or more.");
    const withHole = { type: "Polygon", coordinates: [[...corners, corners[0]], corners] };
    expect(editable(withHole)).toBeUndefined();
    expect(placeInWords(area as never)).toMatch(/^Area of 6,1\d0 km² with 3 corners/);
    expect(placeInWords(geometryOf("LineString", corners) as never)).toMatch(/^Line of 222 km through 3 positions/);
    const both = { type: "MultiPolygon", coordinates: [area.coordinates, area.coordinates] };
    expect(placeInWords(both as never)).toMatch(/^Area of 12,[34]00 km² in 2 parts, from 0.0000° N, 0.0000° E/);
    expect(placeInWords(null)).toBe("No place");
  });

  it("lie under a graticule of some lines", () => {
    expect([graticuleStep(360), graticuleStep(10), graticuleStep(0.1)]).toEqual([60, 2, 0.02]);
    expect(multiples(0.1, 0.05, 0.45)).toEqual([0.1, 0.2, 0.3, 0.4]);
  });

  it("on both sides of 180° are drawn on both edges of the map, around a pole down to it", () => {
    const [whole, copy] = onFlatMap([
      [170, 0],
      [-170, 0],
      [-170, 10],
      [170, 0],
    ]);
    expect(whole!.map(([longitude]) => longitude)).toEqual([170, 190, 190, 170]);
    expect(copy!.map(([longitude]) => longitude)).toEqual([-190, -170, -170, -190]);
    const [around] = onFlatMap([
      [-180, -70],
      [-60, -75],
      [60, -75],
      [180, -70],
    ]);
    expect(around!.slice(-2)).toEqual([
      [180, -90],
      [-180, -90],
    ]);
  });
});

describe("marks on the map", () => {
  const spots = (...places: [x: number, y: number][]) => places.map(([x, y], at) => ({ key: `s${at}`, x, y }));

  it("stand by themselves while they can be told apart, and in groups of those close together otherwise", () => {
    const all = spots([1, 1], [2, 2], [500, 500]);
    expect(gathered(all, 3)).toHaveLength(3);
    expect(gathered(all, 2).map((group) => group.map(({ key }) => key))).toEqual([["s0", "s1"], ["s2"]]);
    expect(middleOf(all.slice(0, 2))).toEqual({ x: 1.5, y: 1.5 });
  });

  it("stay in their groups whatever else is in sight", () => {
    const near = spots([130, 130], [140, 140]);
    const groups = [near, [...near, { key: "far", x: 9_000, y: 1 }]].map((some) => gathered(some, 1)[0]);
    expect(groups[0]).toEqual(groups[1]);
  });
});

describe("changes of a layer", () => {
  it("that come together are read as one", () => {
    const first = change({ added: ["a", "b"], removed: ["c"] });
    const both = together(first, change({ version: 2, updated: ["b", "c"], removed: ["a"] }));
    expect(both).toMatchObject({ version: 2, removed: ["a"], more: false });
    expect(namedBy(both)?.sort()).toEqual(["b", "c"]);
    expect(namedBy(change({ more: true }))).toBeUndefined();
    expect(namedBy(change({ added: ["a,b"] }))).toBeUndefined();
  });

  it("put what was read in place of what was", () => {
    const before = [point("a"), point("b"), point("c")];
    const after = changedFeatures(before, [point("b", { name: "new" })], change({ updated: ["b"], removed: ["a"] }));
    expect(after.map(({ id, properties }) => [id, properties])).toEqual([
      ["c", {}],
      ["b", { name: "new" }],
    ]);
  });

  it("leave all else of a drawing as it is", () => {
    const drawing = { type: "FeatureCollection", features: [point("a"), point("b")] } as never;
    expect(withFeature(drawing, "a", null).features).toHaveLength(1);
    expect(withFeature(drawing, "n", point("n")).features).toHaveLength(3);
    const properties = withFields({ name: "Old", colour: "#112233", kind: "x" }, { name: "New", confidence: "80" });
    expect(properties).toEqual({ name: "New", colour: "#112233", confidence: 0.8 });
  });
});

it("what nobody reports any more grows old by itself", () => {
  const now = Date.parse("2026-01-01T12:00:00Z");
  const seen = { at: "2026-01-01T11:30:00Z" };
  const one = point("a", seen, { state: "fresh", staleAt: "2026-01-01T11:59:00Z" });
  expect(aged(one, now - 120_000).staleness).toMatchObject({ state: "fresh", ageSeconds: 1_680 });
  expect(aged(one, now).staleness).toMatchObject({ state: "stale", ageSeconds: 1_800 });
  expect([ageInWords(1_800), ageInWords(undefined), ageInWords(5)]).toEqual(["30 min old", "age unknown", "just now"]);
});

it("readings move a resource, unless they are older than what is shown", () => {
  const at = "2026-01-01T12:00:00Z";
  const feature = point("f", { entityType: "resource", entityId: "r", at });
  const picture = { at, watched: true, layers: [{ id: "l", featureCollection: { features: [feature] } }] } as never;
  const said = (key: string, moment: string, value: number) => ({ resourceId: "r", key, at: moment, value });
  const fix = (moment: string) => [said("latitude", moment, 50), said("longitude", moment, 51)];
  const placesOf = (picture: never, ...told: { resourceId: string }[][]): unknown => {
    const fixes = new Fixes();
    let shown: any = picture;
    for (const readings of told) shown = withFixes(shown, fixes.note(readings as never));
    return shown.layers[0].featureCollection.features[0].geometry.coordinates;
  };
  expect(withFixes(picture, new Fixes().note(fix("2026-01-01T11:00:00Z")))).toBe(picture);
  expect(placesOf(picture, fix("2026-01-01T13:00:00Z"))).toEqual([51, 50]);
  // Coordinates that are told apart, each with its own moment, are one fix while they are close.
  const [north, east] = [
    said("latitude", "2026-01-01T13:00:00.000Z", 52),
    said("longitude", "2026-01-01T13:00:00.300Z", 53),
  ];
  expect(placesOf(picture, [north], [east])).toEqual([53, 52]);
  // One of the next fix does not move it by itself, nor one that is far from the other in time.
  expect(placesOf(picture, [north], [east], [said("latitude", "2026-01-01T13:00:00.900Z", 60)])).toEqual([53, 52]);
  expect(placesOf(picture, [north], [said("longitude", "2026-01-01T13:00:02Z", 53)])).toEqual([17, 48]);
  expect(placesOf(picture, [said("latitude", "2026-01-01T13:00:00Z", 91), east])).toEqual([17, 48]);
});

describe("readings in words", () => {
  it("name their unit, and when they raise an alarm", () => {
    expect([valueInWords(17.456, "%"), valueInWords(20, "Cel"), valueInWords(true)]).toEqual([
      "17.46 %",
      "20 °C",
      "yes",
    ]);
    const threshold = { when: "below", raise: 20, clear: 30, forSeconds: 300, noDataForSeconds: 3_600 } as const;
    expect(thresholdInWords(threshold, "%")).toBe("below 20 % for 5 min, until above 30 %; or no reading for 1 h");
    expect(coverageInWords({ shape: "sector", azimuth: 350, width: 20, range: 4_000 })).toBe(
      "4 km towards the north (20° wide)",
    );
  });

  it("are drawn without a line over a gap", () => {
    const of = (minute: number, value: number | string) => ({ at: `2026-01-01T12:0${minute}:00Z`, value });
    const spark = sparkOf([[of(0, 10), of(1, 20)], [of(4, 10)]], 100, 10)!;
    expect(spark).toMatchObject({ path: "M0 10L25 0M100 10", lowest: 10, highest: 20 });
    expect([spark.heightOf(15), spark.heightOf(30)]).toEqual([5, undefined]);
    expect(sparkOf([[of(0, "on")]], 100, 10)).toBeUndefined();
  });
});
