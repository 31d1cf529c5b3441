import Flatbush from "flatbush";
import type { Steps } from "../work/turns.ts";
import { boxOf, type Box, type Position, type Ring } from "./positions.ts";
import { cross, isRingIn, isWithin, meet, passes, same, side, type RingSide } from "./rings.ts";

/** Up to so many segments, each pair is looked at; of more an index finds those that may meet. */
const FEW_SEGMENTS = 40;
/** Segments of one index: more would be sorted in too long a turn. */
const INDEXED_AT_ONCE = 16_384;
/** Pairs looked at in one step, and for one polygon: a coast of 200,000 positions takes a million, crossed hatching all. */
const PAIRS_A_STEP = 20_000;
const MOST_PAIRS = 20_000_000;
/** Finding what may meet a segment costs as much as looking at so many pairs. */
const SEARCH = 10;

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

function boxesOf(segments: readonly Segment[]): Flatbush {
  const index = new Flatbush(segments.length);
  for (const { from, to } of segments)
    index.add(Math.min(from[0], to[0]), Math.min(from[1], to[1]), Math.max(from[0], to[0]), Math.max(from[1], to[1]));
  index.finish();
  return index;
}

/** Segments by the boxes around them; counts what was looked at, and rests in between. */
class SegmentIndex {
  readonly #parts: Flatbush[] = [];
  #looked = 0;
  #rested = 0;

  *add(segments: readonly Segment[]): Steps<void> {
    for (let at = 0; at < segments.length; at += INDEXED_AT_ONCE) {
      this.#parts.push(boxesOf(segments.slice(at, at + INDEXED_AT_ONCE)));
      yield;
    }
  }

  /** Calls with the place of each segment, from the part on in which `least` lies, whose box meets that of two positions. */
  meeting(a: Position, b: Position, see: (at: number) => void, least = 0): void {
    const [west, east] = a[0] < b[0] ? [a[0], b[0]] : [b[0], a[0]];
    const [south, north] = a[1] < b[1] ? [a[1], b[1]] : [b[1], a[1]];
    this.#looked += SEARCH;
    for (let part = Math.floor(least / INDEXED_AT_ONCE); part < this.#parts.length; part++)
      this.#parts[part]!.search(west, south, east, north, (at) => {
        this.#looked++;
        see(part * INDEXED_AT_ONCE + at);
        return false;
      });
  }

  /** Rests where a step is done; false once more was looked at than a polygon may take. */
  *rested(): Steps<boolean> {
    if (this.#looked - this.#rested < PAIRS_A_STEP) return true;
    this.#rested = this.#looked;
    yield;
    return this.#looked <= MOST_PAIRS;
  }
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

const areApart = (a: Position, b: Position, c: Position, d: Position): boolean =>
  Math.max(a[0], b[0]) < Math.min(c[0], d[0]) ||
  Math.max(c[0], d[0]) < Math.min(a[0], b[0]) ||
  Math.max(a[1], b[1]) < Math.min(c[1], d[1]) ||
  Math.max(c[1], d[1]) < Math.min(a[1], b[1]);

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
/** Nobody can tell in the time that one polygon may take. */
export type Intricate = "intricate";

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

function clashAmongFew(segments: readonly Segment[], ends: readonly number[]): Clash | null {
  for (let a = 0; a < segments.length; a++)
    for (let b = a + 1; b < segments.length; b++)
      if (doClash(segments, a, b, ends)) return clashOf(segments[a]!, segments[b]!);
  return null;
}

/** The first place where a ring meets itself, or two rings cross; decided exactly. Null where there is none. */
export function* clashIn(rings: readonly Ring[]): Steps<Clash | Intricate | null> {
  if (rings.length === 1 && isConvex(rings[0]!)) return null;
  const segments = segmentsOf(rings);
  const ends: number[] = [];
  for (let at = 0; at < segments.length; at++) ends[segments[at]!.ring] = at;
  if (segments.length <= FEW_SEGMENTS) return clashAmongFew(segments, ends);
  yield;
  const index = new SegmentIndex();
  yield* index.add(segments);
  for (let a = 0; a < segments.length; a++) {
    const { from, to } = segments[a]!;
    let found = -1;
    const see = (b: number): void => {
      if (found < 0 && b > a && doClash(segments, a, b, ends)) found = b;
    };
    index.meeting(from, to, see, a);
    if (found >= 0) return clashOf(segments[a]!, segments[found]!);
    if (!(yield* index.rested())) return "intricate";
  }
  return null;
}

/** For each hole the first of the outer rings that it lies in, -1 for none; no two of them cross. */
export function* holdersOf(holes: readonly Ring[], outers: readonly Ring[]): Steps<number[] | Intricate> {
  const edges = segmentsOf(outers);
  if (holes.length * edges.length <= PAIRS_A_STEP)
    return holes.map((hole) => outers.findIndex((outer) => isRingIn(hole, outer)));
  const index = new SegmentIndex();
  yield* index.add(edges);
  const holders: number[] = [];
  for (const hole of holes) {
    holders.push(holderOf(hole, edges, index));
    if (!(yield* index.rested())) return "intricate";
  }
  return holders;
}

function holderOf(hole: Ring, edges: readonly Segment[], index: SegmentIndex): number {
  let holder = -1;
  const sideOf = (position: Position): RingSide => {
    const sides = new Map<number, number>();
    const see = (at: number): void => {
      const { from, to, ring } = edges[at]!;
      sides.set(ring, (sides.get(ring) ?? -1) * passes(from, to, position));
    };
    index.meeting(position, [Infinity, position[1]], see);
    const isOn = [...sides.values()].some((side) => side === 0);
    const around = [...sides].flatMap(([ring, side]) => (side === 1 ? [ring] : []));
    holder = isOn || !around.length ? -1 : Math.min(...around);
    return isOn ? 0 : around.length ? 1 : -1;
  };
  // A hole all of whose corners and edges lie on borders has as much of it within as without.
  return isWithin(hole, sideOf) ? Math.max(holder, 0) : -1;
}

/** Edges of rings whose boxes meet a box. */
const edgesNear = (rings: readonly Ring[], [west, south, east, north]: Box): Segment[] =>
  segmentsOf(rings).filter(({ from, to }) => !areApart(from, to, [west, south], [east, north]));

/** Crossings that two areas may have: their common part has as many corners. */
const MOST_CROSSINGS = 20_000;
/** Pairs of edges that are looked at for it. */
const MOST_NEAR = 400_000;

/** Whether the borders of two areas cross so often that cutting one by the other holds everything up. */
export function doCrossTooOften(one: readonly Ring[], other: readonly Ring[]): boolean {
  const [around, aroundOther] = [boxOf(one.flat()), boxOf(other.flat())];
  if (!around || !aroundOther) return false;
  const near = edgesNear(one, aroundOther);
  const across = edgesNear(other, around);
  if (near.length * across.length <= MOST_CROSSINGS) return false;
  const index = boxesOf(near);
  let [looked, crossed] = [0, 0];
  for (const { from: c, to: d } of across) {
    index.search(Math.min(c[0], d[0]), Math.min(c[1], d[1]), Math.max(c[0], d[0]), Math.max(c[1], d[1]), (at) => {
      looked++;
      if (cross(near[at]!.from, near[at]!.to, c, d)) crossed++;
      return false;
    });
    if (crossed > MOST_CROSSINGS || looked > MOST_NEAR) return true;
  }
  return false;
}
