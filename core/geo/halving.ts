import { sorted, type Steps } from "../work/turns.ts";
import { holdersOf, type Intricate } from "./clashes.ts";
import type { Polygon, Position, Ring } from "./positions.ts";
import { doubleArea, same } from "./rings.ts";

/** Areas smaller than this in square degrees have none: less than a square millimetre on the ground. */
export const LEAST_DOUBLE_AREA = 1e-16;

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

/** What of an area, whose rings do not cross, lies west or east of a meridian. */
export function* half(rings: Polygon, lon: number, isEast: boolean): Steps<Polygon[] | Intricate> {
  // A corner on the meridian is on both sides: a ring that only touches it there is not cut.
  const isOn = ([at]: Position): boolean => (isEast ? at >= lon : at <= lon);
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

const turned = (rings: Polygon): Polygon =>
  rings.map((ring) => ring.map(([lon, lat, ...rest]) => [lat, lon, ...rest] as Position));

/** What of an area, whose rings do not cross, lies south or north of a parallel. */
export function* halfByParallel(rings: Polygon, lat: number, isNorth: boolean): Steps<Polygon[] | Intricate> {
  const parts = yield* half(turned(rings), lat, isNorth);
  return parts === "intricate" ? parts : parts.map(turned);
}
