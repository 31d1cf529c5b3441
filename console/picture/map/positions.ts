import type { PictureFeature } from "../../api/operations.d.ts";

/** Longitude and latitude in degrees, as in GeoJSON. */
export type LonLat = [longitude: number, latitude: number];

const isPosition = (value: unknown): value is LonLat =>
  Array.isArray(value) && typeof value[0] === "number" && typeof value[1] === "number";

function positionsIn(value: unknown): LonLat[] {
  if (isPosition(value)) return [value];
  return Array.isArray(value) ? value.flatMap(positionsIn) : [];
}

/** The positions of a feature's geometry, in order; none where it has no place. */
export function positionsOf(geometry: PictureFeature["geometry"]): LonLat[] {
  if (!geometry) return [];
  const { coordinates, geometries } = geometry as { coordinates?: unknown; geometries?: PictureFeature["geometry"][] };
  return geometries ? geometries.flatMap(positionsOf) : positionsIn(coordinates);
}

/** South-west and north-east corners around positions, as latitude and longitude; undefined around none. */
export function boundsOf(
  positions: readonly LonLat[],
): [southWest: [number, number], northEast: [number, number]] | undefined {
  if (!positions.length) return undefined;
  let [south, west, north, east] = [90, 180, -90, -180];
  for (const [longitude, latitude] of positions) {
    [south, north] = [Math.min(south, latitude), Math.max(north, latitude)];
    [west, east] = [Math.min(west, longitude), Math.max(east, longitude)];
  }
  return [
    [south, west],
    [north, east],
  ];
}

const degrees = (value: number, positive: string, negative: string): string =>
  `${Math.abs(value).toFixed(4)}° ${value < 0 ? negative : positive}`;
/** "48.8000° N, 17.0000° E". */
export const inDegrees = ([longitude, latitude]: LonLat): string =>
  `${degrees(latitude, "N", "S")}, ${degrees(longitude, "E", "W")}`;

const EARTH_M = 6_371_000;
const radians = (angle: number): number => (angle * Math.PI) / 180;
function metresBetween([lon1, lat1]: LonLat, [lon2, lat2]: LonLat): number {
  const [a, b] = [radians(lat2 - lat1) / 2, radians(lon2 - lon1) / 2];
  const h = Math.sin(a) ** 2 + Math.cos(radians(lat1)) * Math.cos(radians(lat2)) * Math.sin(b) ** 2;
  return 2 * EARTH_M * Math.asin(Math.sqrt(h));
}
const lengthOf = (line: readonly LonLat[]): number =>
  line.slice(1).reduce((sum, position, at) => sum + metresBetween(line[at]!, position), 0);

/** Of a ring, on a sphere: good to half a percent. */
function areaOf(ring: readonly LonLat[]): number {
  const twice = ring.slice(1).reduce((sum, [lon2, lat2], at) => {
    const [lon1, lat1] = ring[at]!;
    return sum + radians(lon2 - lon1) * (2 + Math.sin(radians(lat1)) + Math.sin(radians(lat2)));
  }, 0);
  return Math.abs((twice * EARTH_M ** 2) / 2);
}
const figure = (value: number, unit: string): string => `${Number(value.toPrecision(3)).toLocaleString("en")} ${unit}`;
export const inMetres = (metres: number): string =>
  metres < 1_000 ? figure(metres, "m") : figure(metres / 1_000, "km");

/** What a geometry is, in words: "Point at 48.8000° N, 17.0000° E", "Line of 12 km through 5 positions". */
export function placeInWords(geometry: PictureFeature["geometry"]): string {
  const positions = positionsOf(geometry);
  if (!geometry || !positions.length) return "No place";
  if (geometry.type === "Point") return `Point at ${inDegrees(positions[0]!)}`;
  if (geometry.type === "LineString")
    return `Line of ${inMetres(lengthOf(positions))} through ${positions.length} positions, from ${inDegrees(positions[0]!)}`;
  if (geometry.type === "Polygon") {
    const ring = (geometry.coordinates as LonLat[][])[0]!;
    return `Area of ${figure(areaOf(ring) / 1e6, "km²")} with ${ring.length - 1} corners, from ${inDegrees(ring[0]!)}`;
  }
  if (geometry.type === "MultiPolygon") {
    const parts = geometry.coordinates as LonLat[][][];
    // What lies in a hole does not belong to it.
    const km2 = parts.flatMap((rings) => rings.map((ring, at) => (at ? -1 : 1) * areaOf(ring)));
    const size = figure(km2.reduce((sum, one) => sum + one, 0) / 1e6, "km²");
    return `Area of ${size}${parts.length > 1 ? ` in ${parts.length} parts` : ""}, from ${inDegrees(positions[0]!)}`;
  }
  return `${String(geometry.type)} of ${positions.length} positions, from ${inDegrees(positions[0]!)}`;
}

/** One position a line, latitude first, as people say them. */
export const asText = (positions: readonly LonLat[]): string =>
  positions.map(([longitude, latitude]) => `${latitude}, ${longitude}`).join("\n");

/** `46°24'36"` in degrees; the marks may be left out from the right. */
function angleIn(text: string): number {
  const plain = text.replaceAll("′", "'").replaceAll("″", '"').replace(/[,;]/g, " ").trim();
  if (!/^\d/.test(plain) || !`°'"`.startsWith(plain.replace(/[\d.\s]/g, ""))) return Number.NaN;
  const [whole = Number.NaN, minutes = 0, seconds = 0] = plain
    .split(/[°'"]/)
    .filter((part) => part.trim())
    .map(Number);
  return minutes < 60 && seconds < 60 ? whole + minutes / 60 + seconds / 3_600 : Number.NaN;
}

/** "46.4100° N, 12.8000° E", as pages here write it, and `46°24'36"N 12°48'E`, as maps and radios do. */
function withDirections(line: string): readonly number[] | undefined {
  const [first = "", towards, second = "", across, rest] = line.split(/([NSEW])/i);
  if (towards === undefined) return undefined;
  if (across === undefined || rest) return [Number.NaN, Number.NaN];
  const one = angleIn(first) * (/[SW]/i.test(towards) ? -1 : 1);
  const other = angleIn(second) * (/[SW]/i.test(across) ? -1 : 1);
  const axes = [towards, across].map((letter) => (/[NS]/i.test(letter) ? "latitude" : "longitude")).join();
  if (axes === "latitude,longitude") return [one, other];
  return axes === "longitude,latitude" ? [other, one] : [Number.NaN, Number.NaN];
}

/** Reads positions that somebody typed: one a line, latitude first. Throws in words where a line is none. */
export function readPositions(text: string): LonLat[] {
  return text
    .split("\n")
    .map((line) => line.trim())
    .filter(Boolean)
    .map((line, at) => {
      const [latitude, longitude, ...rest] = withDirections(line) ?? line.split(/[\s,;]+/).map(Number);
      if (rest.length || !(Math.abs(latitude!) <= 90) || !(Math.abs(longitude!) <= 180))
        throw new Error(`Line ${at + 1} is no position: write latitude and longitude in degrees, as 48.8, 17.05.`);
      return [longitude!, latitude!];
    });
}

export const SHAPES = ["Point", "LineString", "Polygon"] as const;
export type DrawnShape = (typeof SHAPES)[number];
const FEWEST: Record<DrawnShape, number> = { Point: 1, LineString: 2, Polygon: 3 };
/** Whether so many positions make the shape. */
export const isEnough = (shape: DrawnShape, positions: readonly LonLat[]): boolean => positions.length >= FEWEST[shape];

/** The shape through positions. Throws in words where they are too few. */
export function geometryOf(
  shape: DrawnShape,
  positions: readonly LonLat[],
): { type: DrawnShape; coordinates: unknown } {
  if (!isEnough(shape, positions))
    throw new Error(
      {
        Point: "A point needs a position.",
        LineString: "A line needs two positions or more.",
        Polygon: "An area needs three corners or more.",
      }[shape],
    );
  if (shape === "Point") return { type: shape, coordinates: positions[0] };
  if (shape === "LineString") return { type: shape, coordinates: positions };
  return { type: shape, coordinates: [[...positions, positions[0]]] };
}

/** The positions that somebody edits: of an area its corners, without the first one again. */
export function editable(geometry: PictureFeature["geometry"]): { shape: DrawnShape; positions: LonLat[] } | undefined {
  const shape = SHAPES.find((one) => one === geometry?.type);
  // Holes are kept by whoever drew them elsewhere: they are not edited as text.
  if (!shape || (shape === "Polygon" && (geometry!.coordinates as unknown[]).length !== 1)) return undefined;
  const positions = positionsOf(geometry);
  return { shape, positions: shape === "Polygon" ? positions.slice(0, -1) : positions };
}

const STEPS = [60, 30, 20, 10, 5, 2, 1, 0.5, 0.2, 0.1, 0.05, 0.02, 0.01, 0.005, 0.002, 0.001];
/** How many degrees lie between the lines of a graticule over so many degrees: about six lines. */
export const graticuleStep = (span: number): number => STEPS.find((step) => span / step >= 5) ?? STEPS.at(-1)!;

/** Multiples of a step within bounds, without the small errors of adding. */
export function multiples(step: number, from: number, to: number): number[] {
  const [first, last] = [Math.ceil(from / step), Math.floor(to / step)];
  return Array.from({ length: Math.max(0, last - first + 1) }, (_, at) => Number(((first + at) * step).toFixed(6)));
}
