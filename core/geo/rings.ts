import { orient2d } from "robust-predicates";
import type { Polygon, Position, Ring } from "./positions.ts";

/** Twice the area within a ring in square degrees; positive where it runs anticlockwise. */
export function doubleArea(ring: readonly Position[]): number {
  const [x0, y0] = ring[0]!;
  let sum = 0;
  for (let at = 1; at < ring.length - 1; at++) {
    const [x1, y1] = ring[at]!;
    const [x2, y2] = ring[at + 1]!;
    sum += (x1 - x0) * (y2 - y0) - (x2 - x0) * (y1 - y0);
  }
  return sum;
}

export const same = (a: Position, b: Position): boolean => a[0] === b[0] && a[1] === b[1];
export const side = (a: Position, b: Position, p: Position): number =>
  Math.sign(orient2d(a[0], a[1], b[0], b[1], p[0], p[1]));
const isBetween = (a: Position, b: Position, p: Position): boolean =>
  p[0] >= Math.min(a[0], b[0]) &&
  p[0] <= Math.max(a[0], b[0]) &&
  p[1] >= Math.min(a[1], b[1]) &&
  p[1] <= Math.max(a[1], b[1]);

/** Whether two segments have a point in common. */
export function meet(a: Position, b: Position, c: Position, d: Position): boolean {
  const [c1, d1, a1, b1] = [side(a, b, c), side(a, b, d), side(c, d, a), side(c, d, b)];
  if (c1 !== d1 && a1 !== b1 && c1 && d1 && a1 && b1) return true;
  return (
    (c1 === 0 && isBetween(a, b, c)) ||
    (d1 === 0 && isBetween(a, b, d)) ||
    (a1 === 0 && isBetween(c, d, a)) ||
    (b1 === 0 && isBetween(c, d, b))
  );
}

/** Whether two segments cross within both: sharing an end, or touching, is none. */
export function cross(a: Position, b: Position, c: Position, d: Position): boolean {
  const [c1, d1, a1, b1] = [side(a, b, c), side(a, b, d), side(c, d, a), side(c, d, b)];
  return c1 * d1 < 0 && a1 * b1 < 0;
}

/** Where a position lies as to a ring: 1 within, 0 on it, -1 outside. */
export type RingSide = -1 | 0 | 1;

/**
 * What an edge says of where a position lies: 0 that it is on the edge, -1 that a way from it to the east crosses the
 * edge, 1 nothing; decided exactly.
 */
export function passes([ax, ay]: Position, [bx, by]: Position, [x, y]: Position): RingSide {
  if ((ay > y && by > y) || (ay < y && by < y) || (ax < x && bx < x)) return 1;
  const turn = orient2d(ax, ay, bx, by, x, y);
  if (turn === 0 && x >= Math.min(ax, bx) && x <= Math.max(ax, bx)) return 0;
  return ay > y !== by > y && turn < 0 === by > ay ? -1 : 1;
}

function sideOfRing(ring: readonly Position[], position: Position): RingSide {
  let side = -1;
  for (let at = 0; at < ring.length - 1; at++) {
    const passed = passes(ring[at]!, ring[at + 1]!, position);
    if (passed === 0) return 0;
    side *= passed;
  }
  return side as RingSide;
}

/** Whether a position lies in an area, its edges taken as straight in longitude and latitude; its border belongs to it. */
export function isInPolygon(polygon: Polygon, position: Position): boolean {
  if (sideOfRing(polygon[0]!, position) < 0) return false;
  return polygon.slice(1).every((hole) => sideOfRing(hole, position) <= 0);
}

/** Whether a ring lies in another one whose border it does not cross, by where positions lie as to that one. */
export function isWithin(ring: Ring, sideOf: (position: Position) => RingSide): boolean {
  for (const position of ring) {
    const where = sideOf(position);
    if (where) return where > 0;
  }
  // All its corners lie on the border: the middle of an edge tells.
  for (let at = 0; at < ring.length - 1; at++) {
    const [a, b] = [ring[at]!, ring[at + 1]!];
    const where = sideOf([(a[0] + b[0]) / 2, (a[1] + b[1]) / 2]);
    if (where) return where > 0;
  }
  return true;
}

/** Whether a ring lies in another one whose border it does not cross. */
export const isRingIn = (ring: Ring, outer: Ring): boolean => isWithin(ring, (position) => sideOfRing(outer, position));
