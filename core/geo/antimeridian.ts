import { atOnce, sorted, type Steps } from "../work/turns.ts";
import { holdersOf, type Intricate } from "./clashes.ts";
import type { Polygon, Position, Ring } from "./positions.ts";
import { doubleArea, same } from "./rings.ts";

/** Areas smaller than this in square degrees have none: less than a square millimetre on the ground. */
export const LEAST_DOUBLE_AREA = 1e-16;
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

/** Where an edge crosses a meridian: the same place whichever way the edge runs. */
function crossing(one: Position, other: Position, lon: number): Position {
  const [west, east] = one[0] < other[0] ? [one, other] : [other, one];
  if (east[0] === lon) return east;
  const share = (lon - west[0]) / (east[0] - west[0]);
  const between = (a: number, b: number): number => a + share * (b - a);
  const lat = between(west[1], east[1]);
  if (west[2] === undefined || east[2] === undefined) return [lon, lat];
  return [lon, lat, between(west[2], east[2])];
}

/** The parts of a ring on one side of a meridian, each from where it crosses it to where it crosses it again. */
function stretchesOf(ring: Ring, lon: number, isOn: (position: Position) => boolean): Position[][] {
  const count = ring.length - 1;
  const first = ring.findIndex((position, at) => at < count && !isOn(position) && isOn(ring[at + 1]!));
  const stretches: Position[][] = [];
  if (first < 0) return stretches;
  let stretch: Position[] | null = null;
  for (let step = 0; step < count; step++) {
    const [from, to] = [ring[(first + step) % count]!, ring[(first + step + 1) % count]!];
    if (isOn(to)) {
      if (!stretch) stretches.push((stretch = [crossing(from, to, lon)]));
      stretch.push(to);
    } else if (stretch) {
      stretch.push(crossing(from, to, lon));
      stretch = null;
    }
  }
  return stretches;
}

/** Stretches become rings along the meridian: from south to north, what lies between the first two ends is inside, and so on. */
function* joined(stretches: readonly Position[][]): Steps<Ring[]> {
  const ends = yield* sorted(
    stretches.flatMap((stretch, at) => [
      { at, isLast: false, lat: stretch[0]![1] },
      { at, isLast: true, lat: stretch.at(-1)![1] },
    ]),
    (one, other) => one.lat - other.lat,
  );
  const places: [first: number, last: number][] = stretches.map(() => [0, 0]);
  for (let at = 0; at < ends.length; at++) places[ends[at]!.at]![Number(ends[at]!.isLast)] = at;
  const used = new Set<number>();
  const rings: Ring[] = [];
  for (let start = 0; start < stretches.length; start++) {
    const ring: Ring = [];
    let next = { at: start, isLast: false };
    while (!used.has(next.at)) {
      used.add(next.at);
      const stretch = stretches[next.at]!;
      for (const position of next.isLast ? stretch.toReversed() : stretch)
        if (!ring.length || !same(ring.at(-1)!, position)) ring.push(position);
      next = ends[places[next.at]![Number(!next.isLast)]! ^ 1]!;
    }
    if (ring.length > 2) rings.push(closed(ring));
    if (start % 1_000 === 0) yield;
  }
  return rings.filter((ring) => Math.abs(doubleArea(ring)) >= LEAST_DOUBLE_AREA);
}

const closed = (ring: Ring): Ring => (same(ring[0]!, ring.at(-1)!) ? ring : [...ring, ring[0]!]);

/** What of an area lies west or east of a meridian. */
function* half(rings: Polygon, lon: number, isEast: boolean): Steps<Polygon[] | Intricate> {
  const isOn = (position: Position): boolean => position[0] >= lon === isEast;
  const cut: Position[][] = [];
  const whole: Ring[] = [];
  for (const ring of rings) {
    const stretches = stretchesOf(ring, lon, isOn);
    for (const stretch of stretches) cut.push(stretch);
    if (stretches.length === 0 && isOn(ring[0]!)) whole.push(ring);
  }
  yield;
  if (cut.length === 0) return whole.length ? [whole] : [];
  const parts = (yield* joined(cut)).map((outer) => [outer]);
  const holders = yield* holdersOf(
    whole,
    parts.map(([outer]) => outer!),
  );
  if (holders === "intricate") return holders;
  for (let at = 0; at < whole.length; at++) parts[holders[at]!]?.push(whole[at]!);
  return parts;
}

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

/** The parts of a small area on either side of 180°; as it is where it lies around a pole. */
export function partsOver(polygon: Polygon): Polygon[] {
  const whole = polygon.some(isAcross) ? unrolledPolygon(polygon) : null;
  const parts = whole && !isBeyondOneTurn(whole) ? atOnce(cutPolygon(whole)) : "intricate";
  return parts === "intricate" ? [polygon] : parts;
}
