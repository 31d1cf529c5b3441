import geographiclib from "geographiclib-geodesic";
import type { Position, Ring } from "./positions.ts";

const { Geodesic } = geographiclib;
const WGS84 = Geodesic.WGS84;
/** Of a sphere as large as the earth, in metres. */
const MEAN_RADIUS = 6_371_008.8;
/** No distance on a sphere differs from that on the ellipsoid by more than this share. */
const FLATTENING_ERROR = 0.006;
const RADIANS = Math.PI / 180;

const wrapped = (lon: number): number => (lon > 180 ? lon - 360 : lon < -180 ? lon + 360 : lon);

/** The shortest way between two places on the ellipsoid, in metres. */
export const distance = (from: Position, to: Position): number =>
  WGS84.Inverse(from[1], from[0], to[1], to[0], Geodesic.DISTANCE).s12!;

/** A distance as people say it, to three figures: "850 m", "11.7 km". */
export const distanceInWords = (metres: number): string => {
  const [value, unit] = Math.round(metres) < 1_000 ? [Math.round(metres), "m"] : [metres / 1_000, "km"];
  return `${Number(value.toPrecision(3)).toLocaleString("en")} ${unit}`;
};

/** The direction in which that way begins, in degrees from north, clockwise: [0, 360). */
export function azimuth(from: Position, to: Position): number {
  const degrees = WGS84.Inverse(from[1], from[0], to[1], to[0], Geodesic.AZIMUTH).azi1!;
  return (degrees + 360) % 360;
}

/** Where one arrives after so many metres in a direction. */
export function destination(from: Position, degrees: number, metres: number): Position {
  const { lon2, lat2 } = WGS84.Direct(from[1], from[0], degrees, metres, Geodesic.LONGITUDE | Geodesic.LATITUDE);
  return [wrapped(lon2!), lat2!];
}

/** A distance on the sphere: at most 0.6 % off, forty times as fast. */
function roughDistance(from: Position, to: Position): number {
  const [a, b] = [from[1] * RADIANS, to[1] * RADIANS];
  const half =
    Math.sin((b - a) / 2) ** 2 + Math.cos(a) * Math.cos(b) * Math.sin(((to[0] - from[0]) * RADIANS) / 2) ** 2;
  return 2 * MEAN_RADIUS * Math.asin(Math.min(1, Math.sqrt(half)));
}

/** Whether two places are at most so many metres apart: exact, and cheap where it is clear. */
export function isWithin(from: Position, to: Position, metres: number): boolean {
  const rough = roughDistance(from, to);
  if (rough < metres * (1 - FLATTENING_ERROR)) return true;
  if (rough > metres * (1 + FLATTENING_ERROR)) return false;
  return distance(from, to) <= metres;
}

/** Corners of a circle that is drawn as a polygon. */
const CIRCLE_CORNERS = 64;
/** So much farther out the corners lie for the polygon to have the circle's area. */
const trueArea = (angle: number): number => (angle === 0 ? 1 : Math.sqrt(angle / Math.sin(angle)));

/** A circle as a ring of its true area, anticlockwise; corners may lie beyond 180°. */
export function circle(centre: Position, metres: number, corners = CIRCLE_CORNERS): Ring {
  const radius = metres * trueArea((2 * Math.PI) / corners);
  const ring = Array.from({ length: corners }, (_none, at) => destination(centre, (-360 * at) / corners, radius));
  return [...ring, [...ring[0]!]];
}

/** A part of a circle: degrees from north, clockwise, over north where `azimuth + width` is more than 360. */
export interface Sector {
  azimuth: number;
  width: number;
  range: number;
  /** Nothing is covered nearer than this, in metres. */
  minRange?: number;
}

/** Parts that the sides of a sector are drawn in. */
const SIDE_PARTS = 8;

/** A sector as the rings of an area of its true size: the outer one, and a hole where a whole circle has a minimum. */
export function sector(centre: Position, { azimuth: first, width, range, minRange = 0 }: Sector): Ring[] {
  if (width >= 360)
    return [circle(centre, range), ...(minRange > 0 ? [circle(centre, minRange).reverse() as Ring] : [])];
  const steps = Math.max(2, Math.ceil((width / 360) * CIRCLE_CORNERS));
  const swell = trueArea((width / steps) * RADIANS);
  const arc = (metres: number): Position[] =>
    Array.from({ length: steps + 1 }, (_none, at) => destination(centre, first + (width * at) / steps, metres * swell));
  // The shortest way along a side is bent on the map.
  const side = (angle: number): Position[] =>
    Array.from({ length: SIDE_PARTS - 1 }, (_none, at) =>
      destination(centre, angle, minRange + ((range - minRange) * (at + 1)) / SIDE_PARTS),
    );
  const ring = [
    ...arc(range).reverse(),
    ...side(first).reverse(),
    ...(minRange > 0 ? arc(minRange) : [centre]),
    ...side(first + width),
  ];
  return [[...ring, [...ring[0]!] as Position]];
}
