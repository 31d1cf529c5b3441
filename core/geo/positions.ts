/** A place on the earth, WGS 84: longitude and latitude in degrees, and metres above the ellipsoid where they are known. */
export type Position = [number, number, number?];
/** A ring of an area: the last position is the first again. */
export type Ring = Position[];
/** An area: its outer ring, and its holes. */
export type Polygon = Ring[];

export type Geometry =
  | { type: "Point"; coordinates: Position }
  | { type: "MultiPoint"; coordinates: Position[] }
  | { type: "LineString"; coordinates: Position[] }
  | { type: "MultiLineString"; coordinates: Position[][] }
  | { type: "Polygon"; coordinates: Polygon }
  | { type: "MultiPolygon"; coordinates: Polygon[] }
  | { type: "GeometryCollection"; geometries: Geometry[] };

export interface Feature {
  type: "Feature";
  id?: string | number;
  geometry: Geometry | null;
  properties: Record<string, unknown> | null;
}
export interface FeatureCollection {
  type: "FeatureCollection";
  features: Feature[];
}
export type GeoJson = Geometry | Feature | FeatureCollection;

/** West, south, east, north in degrees; west > east where it crosses 180°. */
export type Box = [west: number, south: number, east: number, north: number];

/** The positions of a geometry, in order. */
export function* positionsOf(geometry: Geometry): Generator<Position, void, void> {
  switch (geometry.type) {
    case "Point":
      yield geometry.coordinates;
      break;
    case "MultiPoint":
    case "LineString":
      yield* geometry.coordinates;
      break;
    case "MultiLineString":
    case "Polygon":
      for (const part of geometry.coordinates) yield* part;
      break;
    case "MultiPolygon":
      for (const polygon of geometry.coordinates) for (const ring of polygon) yield* ring;
      break;
    case "GeometryCollection":
      for (const part of geometry.geometries) yield* positionsOf(part);
  }
}

/** The areas in a geometry. */
export function polygonsOf(geometry: Geometry | null): Polygon[] {
  if (geometry?.type === "Polygon") return [geometry.coordinates];
  if (geometry?.type === "MultiPolygon") return geometry.coordinates;
  return geometry?.type === "GeometryCollection" ? geometry.geometries.flatMap(polygonsOf) : [];
}

/** The smallest box around positions that do not cross 180°; null around nothing. */
export function boxOf(positions: Iterable<Position>): Box | null {
  let [west, south, east, north] = [Infinity, Infinity, -Infinity, -Infinity];
  for (const [lon, lat] of positions) {
    if (lon < west) west = lon;
    if (lon > east) east = lon;
    if (lat < south) south = lat;
    if (lat > north) north = lat;
  }
  return west > east ? null : [west, south, east, north];
}

/**
 * The middle of the smallest box around positions, which lies over 180° where it is narrower that way, as around an area
 * that was cut there; null of nothing.
 */
export function middleOf(positions: readonly Position[]): Position | null {
  const box = boxOf(positions);
  if (!box) return null;
  const turned = boxOf(positions.map(([lon, lat]): Position => [lon < 0 ? lon + 360 : lon, lat]))!;
  const [west, south, east, north] = turned[2] - turned[0] < box[2] - box[0] ? turned : box;
  const lon = (west + east) / 2;
  return [lon > 180 ? lon - 360 : lon, (south + north) / 2];
}

/** Whether a place lies in a box; its edges belong to it. */
export const isInBox = ([west, south, east, north]: Box, [lon, lat]: Position): boolean =>
  lat >= south && lat <= north && (west <= east ? lon >= west && lon <= east : lon >= west || lon <= east);
