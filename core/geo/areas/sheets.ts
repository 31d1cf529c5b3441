import type { FlatRing } from "./clipping.ts";
import type { Position, Ring } from "../positions.ts";

/** WGS 84. */
const EQUATOR = 6_378_137;
const E2 = 0.00669437999014;
const E = Math.sqrt(E2);
const RADIANS = Math.PI / 180;
/** Integer decimetres: nothing is lost between one operation and the next. */
export const UNITS_A_METRE = 10;
/** The parallel between the belt and the caps: the belt's lattice is six times as coarse there from south to north. */
export const EDGE_OF_CAPS = 80;
/** An edge longer than this in degrees is divided: it is straight on the map, and bent on the sheet. */
const LONGEST_EDGE = 0.25;
/** Corners that dividing makes of one ring: of longer ones edges are divided less. */
const MOST_PIECES = 20_000;

/** Snyder, Map Projections (USGS 1395), 3-12. */
function q(sin: number): number {
  const es = E * sin;
  return (1 - E2) * (sin / (1 - es * es) - Math.log((1 - es) / (1 + es)) / (2 * E));
}
const Q_POLE = q(1);
/** Snyder 3-18: from the authalic latitude back, to less than a millimetre. At a pole rounding leads a hair beyond 1. */
function geodetic(sine: number): number {
  const beta = Math.asin(Math.max(-1, Math.min(1, sine)));
  return (
    (beta +
      (E2 / 3 + (31 * E2 ** 2) / 180 + (517 * E2 ** 3) / 5040) * Math.sin(2 * beta) +
      ((23 * E2 ** 2) / 360 + (251 * E2 ** 3) / 3780) * Math.sin(4 * beta) +
      ((761 * E2 ** 3) / 45_360) * Math.sin(6 * beta)) /
    RADIANS
  );
}

/** A plane that is true to area, for a part of the earth. */
export interface Sheet {
  /** A ring of longitudes and latitudes, its edges straight in degrees; in the belt none crosses 180°. */
  flat(ring: Ring): FlatRing;
  onEarth(ring: FlatRing): Ring;
}

interface Projection {
  project(lon: number, lat: number): [x: number, y: number];
  unproject(x: number, y: number): Position;
  /** How much of an edge is bent, in degrees. */
  bent(lon: number, lat: number): number;
}

/** From one longitude to the next, the shorter way: around a pole 180° is no border. */
const eastwards = (from: number, to: number): number => {
  const step = to - from;
  return Math.abs(step) > 180 && Math.abs(step) < 360 ? step - 360 * Math.sign(step) : step;
};

function sheet({ project, unproject, bent }: Projection): Sheet {
  const bentOf = ([lon, lat]: Position, [toLon, toLat]: Position): number =>
    bent(Math.abs(eastwards(lon, toLon)), Math.abs(toLat - lat));
  return {
    flat(ring) {
      let all = 0;
      for (let at = 1; at < ring.length; at++) all += bentOf(ring[at - 1]!, ring[at]!);
      const longest = Math.max(LONGEST_EDGE, all / MOST_PIECES);
      const path: number[] = [];
      for (let at = 1; at < ring.length; at++) {
        const [[lon, lat], [toLon, toLat]] = [ring[at - 1]!, ring[at]!];
        const pieces = Math.ceil(bentOf(ring[at - 1]!, ring[at]!) / longest) || 1;
        for (let piece = 0; piece < pieces; piece++) {
          const share = piece / pieces;
          const [x, y] = project(lon + eastwards(lon, toLon) * share, lat + (toLat - lat) * share);
          path.push(Math.round(x * UNITS_A_METRE), Math.round(y * UNITS_A_METRE));
        }
      }
      return path;
    },
    onEarth(ring) {
      const positions: Position[] = [];
      for (let at = 0; at < ring.length; at += 2)
        positions.push(unproject(ring[at]! / UNITS_A_METRE, ring[at + 1]! / UNITS_A_METRE));
      return [...positions, [...positions[0]!]];
    },
  };
}

/** Lambert's cylinder: Snyder 10-15 ff., no scale, about the equator. Edges along parallels stay straight. */
export const BELT = sheet({
  project: (lon, lat) => [EQUATOR * lon * RADIANS, (EQUATOR * q(Math.sin(lat * RADIANS))) / 2],
  unproject: (x, y) => [x / EQUATOR / RADIANS, geodetic((2 * y) / EQUATOR / Q_POLE)],
  bent: (_lon, lat) => lat,
});

/** Lambert's azimuthal plane about a pole: Snyder 24-23 ff. */
const cap = (sign: 1 | -1): Sheet =>
  sheet({
    project(lon, lat) {
      const rho = EQUATOR * Math.sqrt(Math.max(0, Q_POLE - sign * q(Math.sin(lat * RADIANS))));
      return [rho * Math.sin(lon * RADIANS), -sign * rho * Math.cos(lon * RADIANS)];
    },
    unproject(x, y) {
      const share = (x * x + y * y) / EQUATOR ** 2 / Q_POLE;
      return [Math.atan2(x, -sign * y) / RADIANS, geodetic(sign * (1 - share))];
    },
    // Along a parallel the belt's edge is straight and the cap's is bent: between them nothing may be lost.
    bent: (lon, lat) => Math.max(10 * lon, lat),
  });
export const NORTH = cap(1);
export const SOUTH = cap(-1);
