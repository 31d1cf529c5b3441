import { unprocessable } from "../../problem.ts";
import { atOnce, type Steps } from "../../work/turns.ts";
import { partsOver } from "../antimeridian.ts";
import { doCrossTooOften, holdersOf, type Intricate } from "../clashes.ts";
import { differenceOf, intersectionOf, unionOf, type FlatRing } from "./clipping.ts";
import { halfByParallel } from "../halving.ts";
import type { Polygon, Ring } from "../positions.ts";
import { BELT, EDGE_OF_CAPS, NORTH, SOUTH, UNITS_A_METRE, type Sheet } from "./sheets.ts";

const SQUARE_UNITS = UNITS_A_METRE ** 2;
const POLYGONS_A_STEP = 1_000;
const UNITED_A_STEP = 4;

/** Rings on a sheet: outer ones anticlockwise, holes clockwise, in integer decimetres. */
type FlatArea = readonly FlatRing[];
const SHEETS: readonly Sheet[] = [BELT, NORTH, SOUTH];
/**
 * An area on the sheets of the earth, each true to area on the ellipsoid: the belt, and the caps beyond 80°. Whatever its
 * size and place, what is united, cut and measured is the same.
 */
export type SheetArea = readonly [belt: FlatArea, north: FlatArea, south: FlatArea];
export const NOWHERE: SheetArea = [[], [], []];

const onEach = (work: (at: 0 | 1 | 2) => FlatArea): SheetArea => [work(0), work(1), work(2)];

/** Polygons of longitudes and latitudes as one area; edges are straight in degrees. */
export function areaOf(polygons: readonly Polygon[]): SheetArea {
  const found: FlatRing[][] = [[], [], []];
  const put = (at: 0 | 1 | 2, polygon: Polygon): void => {
    // Turned as an area has them, whatever way they ran: nothing is counted less than 0 times.
    for (let ring = 0; ring < polygon.length; ring++)
      found[at]!.push(turned(SHEETS[at]!.flat(polygon[ring]!), ring === 0));
  };
  for (const polygon of polygons) {
    const [south, north] = extentOf(polygon[0]!);
    if (south >= EDGE_OF_CAPS) put(1, polygon);
    else if (north <= -EDGE_OF_CAPS) put(2, polygon);
    else for (const part of partsOver(polygon)) spread(part, put);
  }
  return onEach((at) => unitedOn([found[at]!]));
}

function spread(part: Polygon, put: (at: 0 | 1 | 2, polygon: Polygon) => void): void {
  const [south, north] = extentOf(part[0]!);
  if (south >= -EDGE_OF_CAPS && north <= EDGE_OF_CAPS) return put(0, part);
  for (const below of plain(atOnce(halfByParallel(part, EDGE_OF_CAPS, false))))
    for (const between of plain(atOnce(halfByParallel(below, -EDGE_OF_CAPS, true)))) put(0, between);
  for (const polygon of plain(atOnce(halfByParallel(part, EDGE_OF_CAPS, true)))) put(1, polygon);
  for (const polygon of plain(atOnce(halfByParallel(part, -EDGE_OF_CAPS, false)))) put(2, polygon);
}

function plain(found: Polygon[] | Intricate): Polygon[] {
  if (found === "intricate") throw tooIntricate();
  return found;
}

function extentOf(ring: Ring): [south: number, north: number] {
  let [south, north] = [90, -90];
  for (const [, lat] of ring) [south, north] = [Math.min(south, lat), Math.max(north, lat)];
  return [south, north];
}

/** Back to polygons of longitudes and latitudes, each with its holes: cut at 180°, and where the caps begin. */
export function* polygonsIn(area: SheetArea): Steps<Polygon[]> {
  const polygons: Polygon[] = [];
  for (const [at, flat] of area.entries())
    for (const rings of yield* nested(flat)) {
      polygons.push(rings.map(SHEETS[at]!.onEarth));
      if (polygons.length % POLYGONS_A_STEP === 0) yield;
    }
  return polygons;
}

/** Twice the area within a ring in square units, positive where it runs anticlockwise; about its first corner, to stay exact. */
function doubleArea(ring: FlatRing): number {
  const [x0, y0] = [ring[0]!, ring[1]!];
  let sum = 0;
  for (let at = 2; at + 3 < ring.length; at += 2)
    sum += (ring[at]! - x0) * (ring[at + 3]! - y0) - (ring[at + 2]! - x0) * (ring[at + 1]! - y0);
  return sum;
}

function turned(ring: FlatRing, isOuter: boolean): FlatRing {
  if (doubleArea(ring) > 0 === isOuter) return ring;
  const back: number[] = [];
  for (let at = ring.length - 2; at >= 0; at -= 2) back.push(ring[at]!, ring[at + 1]!);
  return back;
}

/** Rings too small for the lattice have no area, and nothing can be made of them. */
const isRing = (ring: FlatRing): boolean => ring.length > 4 && Math.abs(doubleArea(ring)) >= 2;
const rings = (area: FlatArea): FlatArea => area.filter(isRing);

function unitedOn(areas: readonly FlatArea[]): FlatArea {
  const all = rings(areas.flat());
  return all.length === 0 ? [] : rings(unionOf(all));
}
/** What lies in any of the areas. */
export const united = (areas: readonly SheetArea[]): SheetArea =>
  onEach((at) => unitedOn(areas.map((area) => area[at])));

/** What lies in any of many areas, in steps. */
export function* unitedInSteps(areas: readonly SheetArea[]): Steps<SheetArea> {
  let left = areas;
  while (left.length > 1) {
    const merged: SheetArea[] = [];
    for (let at = 0; at < left.length; at += UNITED_A_STEP) {
      merged.push(united(left.slice(at, at + UNITED_A_STEP)));
      yield;
    }
    left = merged;
  }
  return left[0] ?? NOWHERE;
}
/** What lies in both. */
export const common = (one: SheetArea, other: SheetArea): SheetArea =>
  onEach((at) => (one[at].length === 0 || other[at].length === 0 ? [] : rings(intersectionOf(one[at], other[at]))));
/** What lies in the first and not in the second. */
export const without = (one: SheetArea, other: SheetArea): SheetArea =>
  onEach((at) => (one[at].length === 0 || other[at].length === 0 ? one[at] : rings(differenceOf(one[at], other[at]))));
/** In square metres. */
export const squareMetres = (area: SheetArea): number =>
  area.flat().reduce((sum, ring) => sum + doubleArea(ring), 0) / 2 / SQUARE_UNITS;

const closed = (ring: FlatRing): Ring => {
  const positions: Ring = [];
  for (let at = 0; at < ring.length; at += 2) positions.push([ring[at]!, ring[at + 1]!]);
  return [...positions, positions[0]!];
};

/** Each outer ring with the holes that lie in it. */
function* nested(area: FlatArea): Steps<FlatRing[][]> {
  const bySize = area.filter((ring) => doubleArea(ring) > 0).sort((one, other) => doubleArea(one) - doubleArea(other));
  const holes = area.filter((ring) => doubleArea(ring) < 0);
  const holders = yield* holdersOf(holes.map(closed), bySize.map(closed));
  if (holders === "intricate") throw tooIntricate();
  const polygons = bySize.map((outer) => [outer]);
  for (let at = 0; at < holes.length; at++) polygons[holders[at]!]?.push(holes[at]!);
  return polygons;
}

/** Whether two areas cross each other too often for what they have in common to be found in time. */
export const areIntricate = (one: SheetArea, other: SheetArea): boolean =>
  one.some((flat, at) => doCrossTooOften(flat.map(closed), other[at]!.map(closed)));

/** What areas give that cross each other too often to be drawn or measured in time: 422. */
export const tooIntricate = () =>
  unprocessable("TOO_INTRICATE", "The borders of these areas cross each other too often to be measured.");
