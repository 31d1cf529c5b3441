import {
  areaPaths,
  difference,
  FillRule,
  intersect,
  pointInPolygon,
  PointInPolygonResult,
  trimCollinear,
  union,
  type Path64,
  type Paths64,
} from "clipper2-ts";
import type { Polygon, Position, Ring } from "./positions.ts";

/** WGS 84. */
const EQUATOR = 6_378_137;
const E2 = 0.00669437999014;
const E = Math.sqrt(E2);
const RADIANS = Math.PI / 180;
/** Integer decimetres: nothing is lost between one operation and the next. */
const UNITS_A_METRE = 10;
const SQUARE_UNITS = UNITS_A_METRE ** 2;
/** An edge longer than this in degrees is divided: it is straight on the map, and bent on the plane. */
const LONGEST_EDGE = 0.25;

/** Snyder, Map Projections (USGS 1395), 3-12. */
function q(sin: number): number {
  const es = E * sin;
  return (1 - E2) * (sin / (1 - es * es) - Math.log((1 - es) / (1 + es)) / (2 * E));
}
const Q_POLE = q(1);
const AUTHALIC_RADIUS = EQUATOR * Math.sqrt(Q_POLE / 2);
const authalic = (lat: number): number => Math.asin(Math.max(-1, Math.min(1, q(Math.sin(lat * RADIANS)) / Q_POLE)));
/** Snyder 3-18: from the authalic latitude back, to less than a millimetre. */
const geodetic = (beta: number): number =>
  (beta +
    (E2 / 3 + (31 * E2 ** 2) / 180 + (517 * E2 ** 3) / 5040) * Math.sin(2 * beta) +
    ((23 * E2 ** 2) / 360 + (251 * E2 ** 3) / 3780) * Math.sin(4 * beta) +
    ((761 * E2 ** 3) / 45_360) * Math.sin(6 * beta)) /
  RADIANS;

/** An area on a plane: outer rings anticlockwise, holes clockwise, in integer decimetres. */
export type PlaneArea = Paths64;

/**
 * Lambert's azimuthal plane about a centre: areas on it are true to the ellipsoid anywhere, shapes near the centre.
 * Everything that is united, cut and measured together lies on one plane.
 */
export interface Plane {
  /** Polygons of longitudes and latitudes as one area; edges are straight in degrees. */
  area(polygons: readonly Polygon[]): PlaneArea;
  /** Back to polygons of longitudes and latitudes, each with its holes. */
  polygons(area: PlaneArea): Polygon[];
}

export function planeAbout([lon0, lat0]: Position): Plane {
  const beta0 = authalic(lat0);
  const [sin0, cos0] = [Math.sin(beta0), Math.cos(beta0)];
  const phi0 = lat0 * RADIANS;
  const m0 = Math.cos(phi0) / Math.sqrt(1 - E2 * Math.sin(phi0) ** 2);
  // Snyder 24-20; at a pole it is 1 in the limit.
  const d = Math.abs(cos0) < 1e-9 ? 1 : (EQUATOR * m0) / (AUTHALIC_RADIUS * cos0);

  function project(lon: number, lat: number): { x: number; y: number } {
    const beta = authalic(lat);
    const lambda = (lon - lon0) * RADIANS;
    const [sin, cos, across] = [Math.sin(beta), Math.cos(beta), Math.cos(lambda)];
    const b = AUTHALIC_RADIUS * Math.sqrt(2 / Math.max(1e-12, 1 + sin0 * sin + cos0 * cos * across));
    return {
      x: Math.round(b * d * cos * Math.sin(lambda) * UNITS_A_METRE),
      y: Math.round((b / d) * (cos0 * sin - sin0 * cos * across) * UNITS_A_METRE),
    };
  }

  function unproject({ x, y }: { x: number; y: number }): Position {
    const [east, north] = [x / UNITS_A_METRE / d, (y / UNITS_A_METRE) * d];
    const rho = Math.hypot(east, north);
    if (rho === 0) return [lon0, lat0];
    const c = 2 * Math.asin(Math.min(1, rho / (2 * AUTHALIC_RADIUS)));
    // At a pole rounding leads a hair beyond 1.
    const sine = Math.cos(c) * sin0 + (north * Math.sin(c) * cos0) / rho;
    const beta = Math.asin(Math.max(-1, Math.min(1, sine)));
    const turn = Math.atan2(east * Math.sin(c), rho * cos0 * Math.cos(c) - north * sin0 * Math.sin(c));
    const lon = lon0 + turn / RADIANS;
    return [lon > 180 ? lon - 360 : lon < -180 ? lon + 360 : lon, geodetic(beta)];
  }

  function pathOf(ring: Ring): Path64 {
    const path: Path64 = [];
    for (let at = 0; at < ring.length - 1; at++) {
      const [[lon, lat], [toLon, toLat]] = [ring[at]!, ring[at + 1]!];
      const step = Math.abs(toLon - lon) > 180 ? toLon - lon - 360 * Math.sign(toLon - lon) : toLon - lon;
      const pieces = Math.ceil(Math.max(Math.abs(step), Math.abs(toLat - lat)) / LONGEST_EDGE) || 1;
      for (let piece = 0; piece < pieces; piece++)
        path.push(project(lon + (step * piece) / pieces, lat + ((toLat - lat) * piece) / pieces));
    }
    // Whole numbers in one line, to and fro: at the far end of the plane such thin rings had `union` go on for ever.
    return trimCollinear(path);
  }

  return {
    // Turned as an area has them, whatever way they ran: nothing is counted less than 0 times.
    area: (polygons) => united(polygons.map((rings) => rings.map((ring, at) => turned(pathOf(ring), at === 0)))),
    polygons: (area) => nested(area).map((rings) => rings.map((path) => ringOf(path.map(unproject)))),
  };
}

const ringOf = (positions: Position[]): Ring => [...positions, [...positions[0]!]];

const turned = (path: Path64, isOuter: boolean): Path64 =>
  areaPaths([path]) > 0 === isOuter ? path : path.toReversed();

/** Rings too small for the lattice have no area, and nothing can be made of them. */
const isRing = (path: Path64): boolean => path.length > 2 && Math.abs(areaPaths([path])) >= 1;
const rings = (area: PlaneArea): PlaneArea => area.filter(isRing);

/** What lies in any of the areas. */
export function united(areas: readonly PlaneArea[]): PlaneArea {
  const paths = rings(areas.flat());
  return paths.length === 0 ? [] : rings(union(paths, FillRule.NonZero));
}
/** What lies in both. */
export const common = (one: PlaneArea, other: PlaneArea): PlaneArea =>
  one.length === 0 || other.length === 0 ? [] : rings(intersect(one, other, FillRule.NonZero));
/** What lies in the first and not in the second. */
export const without = (one: PlaneArea, other: PlaneArea): PlaneArea =>
  one.length === 0 || other.length === 0 ? one : rings(difference(one, other, FillRule.NonZero));
/** In square metres. */
export const squareMetres = (area: PlaneArea): number => Math.abs(areaPaths(area)) / SQUARE_UNITS;

/** Each outer ring with the holes that lie in it. */
function nested(area: PlaneArea): Path64[][] {
  const outer = area.filter((path) => areaPaths([path]) > 0).map((path) => [path]);
  for (const hole of area.filter((path) => areaPaths([path]) < 0)) {
    const around = outer
      .filter(([ring]) => isAround(ring!, hole))
      .sort(([a], [b]) => areaPaths([a!]) - areaPaths([b!]));
    around[0]?.push(hole);
  }
  return outer;
}

const isAround = (ring: Path64, hole: Path64): boolean => {
  for (const point of hole) {
    const where = pointInPolygon(point, ring);
    if (where !== PointInPolygonResult.IsOn) return where === PointInPolygonResult.IsInside;
  }
  return true;
};
