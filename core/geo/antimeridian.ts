import { atOnce, type Steps } from "../work/turns.ts";
import type { Intricate } from "./clashes.ts";
import { half } from "./halving.ts";
import type { Polygon, Position } from "./positions.ts";

/** Longitudes that were moved by a turn have so many decimals: .1 mm. */
const DECIMALS = 1e9;

const jump = (from: Position, to: Position): number => {
  const step = Math.abs(to[0] - from[0]);
  return step > 180 && step < 360 ? (to[0] > from[0] ? -360 : 360) : 0;
};

/** Whether an edge is longer than 180° of longitude, and therefore meant to go the other way round. */
export const isAcross = (line: readonly Position[]): boolean =>
  line.some((position, at) => at > 0 && jump(line[at - 1]!, position) !== 0);

/** The same positions with longitudes that go on beyond 180° instead of starting again at -180°. */
function unrolled(line: readonly Position[]): Position[] {
  let turn = 0;
  return line.map((position, at) => {
    if (at > 0) turn += jump(line[at - 1]!, position);
    return turn === 0 ? position : ([position[0] + turn, ...position.slice(1)] as Position);
  });
}

const turnedBy = (lon: number, by: number): number => Math.round((lon + by) * DECIMALS) / DECIMALS;
const shifted = (line: readonly Position[], by: number): Position[] =>
  by === 0 ? [...line] : line.map(([lon, ...rest]) => [turnedBy(lon, by), ...rest] as Position);

/** A line cut where it crosses 180°. */
export function cutLine(line: readonly Position[]): Position[][] {
  const whole = unrolled(line);
  const parts: Position[][] = [];
  let part: Position[] = [whole[0]!];
  let world = Math.floor((whole[0]![0] + 180) / 360);
  for (let at = 1; at < whole.length; at++) {
    const [from, to] = [whole[at - 1]!, whole[at]!];
    const next = Math.floor((to[0] + 180) / 360);
    if (next !== world) {
      const edge = 360 * Math.max(world, next) - 180;
      const share = (edge - from[0]) / (to[0] - from[0]);
      const crossing: Position = [edge, from[1] + share * (to[1] - from[1])];
      if (crossing[0] !== from[0]) part.push(crossing);
      if (part.length > 1) parts.push(shifted(part, -360 * world));
      part = [crossing];
      world = next;
    }
    if (to[0] !== part.at(-1)![0] || to[1] !== part.at(-1)![1]) part.push(to);
  }
  if (part.length > 1) parts.push(shifted(part, -360 * world));
  return parts;
}

const westOf = (ring: readonly Position[]): number => ring.reduce((least, [lon]) => Math.min(least, lon), Infinity);
const eastOf = (ring: readonly Position[]): number => ring.reduce((most, [lon]) => Math.max(most, lon), -Infinity);

/**
 * An area that crosses 180°, its longitudes going on beyond 180° instead of starting again; null where it lies around a
 * pole, which no ring of positions says.
 */
export function unrolledPolygon(polygon: Polygon): Polygon | null {
  const rings = polygon.map(unrolled);
  if (rings.some((ring) => ring[0]![0] !== ring.at(-1)![0])) return null;
  const west = westOf(rings[0]!);
  // A hole that does not cross 180° itself may be written on the other side of it.
  return rings.map((ring) => shifted(ring, Math.ceil((west - westOf(ring)) / 360) * 360));
}

/** Whether an unrolled area reaches around the earth more than once. */
export const isBeyondOneTurn = (polygon: Polygon): boolean => eastOf(polygon[0]!) - westOf(polygon[0]!) > 360;

/** An unrolled area, whose rings do not cross and turn once at most, cut where it crosses 180°. */
export function* cutPolygon(polygon: Polygon): Steps<Polygon[] | Intricate> {
  const world = Math.floor((westOf(polygon[0]!) + 180) / 360);
  const edge = 360 * world + 180;
  const west = yield* half(polygon, edge, false);
  const east = yield* half(polygon, edge, true);
  if (west === "intricate" || east === "intricate") return "intricate";
  const moved = (parts: Polygon[], by: number): Polygon[] =>
    parts.map((rings) => rings.map((ring) => shifted(ring, by)));
  return [...moved(west, -360 * world), ...moved(east, -360 * (world + 1))];
}

/** An area around a pole, closed along it: it runs anticlockwise, so that eastwards the north lies within. */
function closedAtPole(polygon: Polygon): Polygon {
  const outer = unrolled(polygon[0]!);
  const pole = outer.at(-1)![0] > outer[0]![0] ? 90 : -90;
  return polygon.map((positions) => {
    const ring = unrolled(positions);
    const [from, to] = [ring[0]![0], ring.at(-1)![0]];
    return from === to ? ring : [...ring, [to, pole], [from, pole], [...ring[0]!]];
  });
}

/** The parts of an area, whose rings do not cross, on either side of 180°. One around a pole reaches it in them. */
export function partsOver(polygon: Polygon): Polygon[] {
  if (!polygon.some(isAcross)) return [polygon];
  const whole = unrolledPolygon(polygon) ?? closedAtPole(polygon);
  const parts = isBeyondOneTurn(whole) ? "intricate" : atOnce(cutPolygon(whole));
  return parts === "intricate" ? [polygon] : parts;
}
