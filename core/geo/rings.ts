import Flatbush from "flatbush";
import { orient2d } from "robust-predicates";
import type { Steps } from "../work/turns.ts";
import type { Polygon, Position, Ring } from "./positions.ts";

/** Up to so many segments, each pair is looked at; of more an index finds those that may meet. */
const FEW_SEGMENTS = 40;
/** How many segments of a long ring are looked at in one step. */
const SEGMENTS_A_STEP = 512;

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

const same = (a: Position, b: Position): boolean => a[0] === b[0] && a[1] === b[1];
const side = (a: Position, b: Position, p: Position): number => Math.sign(orient2d(a[0], a[1], b[0], b[1], p[0], p[1]));
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

const areApart = (a: Position, b: Position, c: Position, d: Position): boolean =>
  Math.max(a[0], b[0]) < Math.min(c[0], d[0]) ||
  Math.max(c[0], d[0]) < Math.min(a[0], b[0]) ||
  Math.max(a[1], b[1]) < Math.min(c[1], d[1]) ||
  Math.max(c[1], d[1]) < Math.min(a[1], b[1]);

interface Segment {
  from: Position;
  to: Position;
  /** Which ring of the polygon, and which position of it the segment begins with. */
  ring: number;
  at: number;
}

/** Segments of rings, in order, without those that have no length. */
function segmentsOf(rings: readonly Ring[]): Segment[] {
  const segments: Segment[] = [];
  for (let ring = 0; ring < rings.length; ring++) {
    const positions = rings[ring]!;
    for (let at = 0; at < positions.length - 1; at++)
      if (!same(positions[at]!, positions[at + 1]!))
        segments.push({ from: positions[at]!, to: positions[at + 1]!, ring, at });
  }
  return segments;
}

function indexed(segments: readonly Segment[]): Flatbush {
  const index = new Flatbush(segments.length);
  for (const { from, to } of segments)
    index.add(Math.min(from[0], to[0]), Math.min(from[1], to[1]), Math.max(from[0], to[0]), Math.max(from[1], to[1]));
  index.finish();
  return index;
}

/** Two neighbours in a ring share one end, and nothing more unless the ring turns back upon itself. */
function doNeighboursOverlap(first: Segment, second: Segment): boolean {
  return (
    side(first.from, first.to, second.to) === 0 &&
    (second.to[0] - second.from[0]) * (first.to[0] - first.from[0]) +
      (second.to[1] - second.from[1]) * (first.to[1] - first.from[1]) <
      0
  );
}

function doClash(segments: readonly Segment[], a: number, b: number, ends: readonly number[]): boolean {
  const [one, other] = [segments[a]!, segments[b]!];
  if (areApart(one.from, one.to, other.from, other.to)) return false;
  if (one.ring !== other.ring) return cross(one.from, one.to, other.from, other.to);
  if (b === a + 1) return doNeighboursOverlap(one, other);
  const isFirst = a === 0 || segments[a - 1]!.ring !== one.ring;
  if (isFirst && b === ends[one.ring]) return doNeighboursOverlap(other, one);
  return meet(one.from, one.to, other.from, other.to);
}

/** Two segments of a polygon that must not meet: where each begins. */
export interface Clash {
  ring: number;
  at: number;
  other: { ring: number; at: number };
}

const clashOf = (one: Segment, other: Segment): Clash => ({
  ring: one.ring,
  at: one.at,
  other: { ring: other.ring, at: other.at },
});

/** Whether a ring turns one way only, and once around: it cannot meet itself. */
function isConvex(ring: Ring): boolean {
  let turn = 0;
  let reversals = 0;
  let heading = 0;
  for (let at = 1; at < ring.length; at++) {
    const [a, b, c] = [ring[at - 1]!, ring[at]!, ring[at + 1 < ring.length ? at + 1 : 1]!];
    const here = side(a, b, c);
    if (here === 0 || (turn !== 0 && here !== turn)) return false;
    turn = here;
    const east = Math.sign(b[0] - a[0]);
    if (east !== 0 && heading !== 0 && east !== heading) reversals++;
    if (east !== 0) heading = east;
  }
  return reversals <= 2;
}

/** The first place where a ring meets itself, or two rings cross; decided exactly. Null where there is none. */
export function* clashIn(rings: readonly Ring[]): Steps<Clash | null> {
  if (rings.length === 1 && isConvex(rings[0]!)) return null;
  const segments = segmentsOf(rings);
  const ends: number[] = [];
  for (let at = 0; at < segments.length; at++) ends[segments[at]!.ring] = at;
  if (segments.length <= FEW_SEGMENTS) {
    for (let a = 0; a < segments.length; a++)
      for (let b = a + 1; b < segments.length; b++)
        if (doClash(segments, a, b, ends)) return clashOf(segments[a]!, segments[b]!);
    return null;
  }
  const index = indexed(segments);
  for (let a = 0; a < segments.length; a++) {
    const { from, to } = segments[a]!;
    const [west, east] = from[0] < to[0] ? [from[0], to[0]] : [to[0], from[0]];
    const [south, north] = from[1] < to[1] ? [from[1], to[1]] : [to[1], from[1]];
    let found = -1;
    index.search(west, south, east, north, (b) => {
      if (found < 0 && b > a && doClash(segments, a, b, ends)) found = b;
      return false;
    });
    if (found >= 0) return clashOf(segments[a]!, segments[found]!);
    if (a % SEGMENTS_A_STEP === 0) yield;
  }
  return null;
}

/** Where a position lies as to a ring: 1 within, 0 on it, -1 outside; decided exactly. */
function sideOfRing(ring: readonly Position[], position: Position): -1 | 0 | 1 {
  const [x, y] = position;
  let within = false;
  for (let at = 0; at < ring.length - 1; at++) {
    const [a, b] = [ring[at]!, ring[at + 1]!];
    if (a[1] > y && b[1] > y) continue;
    if (a[1] < y && b[1] < y) continue;
    if (a[0] < x && b[0] < x) continue;
    const turn = orient2d(a[0], a[1], b[0], b[1], x, y);
    if (turn === 0 && isBetween(a, b, position)) return 0;
    if (a[1] > y !== b[1] > y && turn < 0 === b[1] > a[1]) within = !within;
  }
  return within ? 1 : -1;
}

/** Whether a position lies in an area, its edges taken as straight in longitude and latitude; its border belongs to it. */
export function isInPolygon(polygon: Polygon, position: Position): boolean {
  if (sideOfRing(polygon[0]!, position) < 0) return false;
  return polygon.slice(1).every((hole) => sideOfRing(hole, position) <= 0);
}

/** Whether a ring lies in another one whose border it does not cross. */
export function isRingIn(ring: Ring, outer: Ring): boolean {
  for (const position of ring) {
    const where = sideOfRing(outer, position);
    if (where) return where > 0;
  }
  // All its corners lie on the border: the middle of an edge tells.
  for (let at = 0; at < ring.length - 1; at++) {
    const [a, b] = [ring[at]!, ring[at + 1]!];
    const where = sideOfRing(outer, [(a[0] + b[0]) / 2, (a[1] + b[1]) / 2]);
    if (where) return where > 0;
  }
  return true;
}
