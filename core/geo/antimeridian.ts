import { booleanOpWithPolyTree, ClipType, FillRule, PolyTree64, type Path64, type PolyPath64 } from "clipper2-ts";
import type { Polygon, Position, Ring } from "./positions.ts";

/** Cuts are made on a lattice of this many units a degree: 1 cm. */
const UNITS = 1e7;

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

const shifted = (line: readonly Position[], by: number): Position[] =>
  by === 0 ? [...line] : line.map(([lon, ...rest]) => [lon + by, ...rest] as Position);

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

const toPath = (ring: readonly Position[]): Path64 =>
  ring.slice(0, -1).map(([lon, lat]) => ({ x: Math.round(lon * UNITS), y: Math.round(lat * UNITS) }));

function toRing(path: Path64, by: number): Ring {
  const ring = path.map(({ x, y }): Position => [x / UNITS + by, y / UNITS]);
  return [...ring, [...ring[0]!]];
}

function polygonsIn(node: PolyPath64, by: number): Polygon[] {
  const found: Polygon[] = [];
  for (let at = 0; at < node.count; at++) {
    const outer = node.child(at);
    const polygon = [toRing(outer.polygon!, by)];
    for (let hole = 0; hole < outer.count; hole++) {
      polygon.push(toRing(outer.child(hole).polygon!, by));
      found.push(...polygonsIn(outer.child(hole), by));
    }
    found.push(polygon);
  }
  return found;
}

/** An area cut where it crosses 180°; null where it lies around a pole, which no ring of positions says. */
export function cutPolygon(polygon: Polygon): Polygon[] | null {
  const rings = polygon.map(unrolled);
  if (rings.some((ring) => ring[0]![0] !== ring.at(-1)![0])) return null;
  const west = westOf(rings[0]!);
  // A hole that does not cross 180° itself may be written on the other side of it.
  const paths = rings.map((ring) => toPath(shifted(ring, Math.ceil((west - westOf(ring)) / 360) * 360)));
  const east = rings[0]!.reduce((most, [lon]) => Math.max(most, lon), -Infinity);
  const found: Polygon[] = [];
  for (let world = Math.floor((west + 180) / 360); 360 * world - 180 < east; world++) {
    const [left, right] = [(360 * world - 180) * UNITS, (360 * world + 180) * UNITS];
    const frame: Path64 = [
      { x: left, y: -90 * UNITS },
      { x: right, y: -90 * UNITS },
      { x: right, y: 90 * UNITS },
      { x: left, y: 90 * UNITS },
    ];
    const tree = new PolyTree64();
    booleanOpWithPolyTree(ClipType.Intersection, paths, [frame], tree, FillRule.EvenOdd);
    found.push(...polygonsIn(tree, -360 * world));
  }
  return found;
}
