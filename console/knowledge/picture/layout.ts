import { forceCollide, forceLink, forceManyBody, forceSimulation, forceX, forceY } from "d3-force";

export interface Point {
  x: number;
  y: number;
}
interface Ends {
  from: string;
  to: string;
}
interface Body extends Point {
  id: string;
  fx?: number;
  fy?: number;
}

/** The simulation has cooled down after so many steps. */
const STEPS = 300;
const APART = 34;

/**
 * Where each entity stands, in units of its own, the centre at 0, 0. The simulation runs to its end at once, so that
 * nothing moves on the page; the same graph gets the same picture.
 */
export function laidOut(
  ids: readonly string[],
  ends: readonly Ends[],
  { centre, isTall = false }: { centre?: string | undefined; isTall?: boolean } = {},
): ReadonlyMap<string, Readonly<Point>> {
  const bodies: Body[] = ids.map((id, at) => {
    const [turn, far] = [at * 2.4, 20 * Math.sqrt(at)];
    return {
      id,
      x: far * Math.cos(turn),
      y: far * Math.sin(turn),
      ...(id === centre && { x: 0, y: 0, fx: 0, fy: 0 }),
    };
  });
  const known = new Set(ids);
  const links = ends
    .filter(({ from, to }) => known.has(from) && known.has(to))
    .map(({ from, to }) => ({ source: from, target: to }));
  forceSimulation(bodies)
    .force(
      "links",
      forceLink<Body, { source: string; target: string }>(links)
        .id(({ id }) => id)
        .distance(95),
    )
    .force("charge", forceManyBody().strength(-320).distanceMax(500))
    .force("apart", forceCollide(APART))
    // It takes the form of its frame.
    .force("across", forceX(0).strength(isTall ? 0.12 : 0.05))
    .force("down", forceY(0).strength(isTall ? 0.06 : 0.1))
    .stop()
    .tick(STEPS);
  return new Map(bodies.map(({ id, x, y }) => [id, { x, y }]));
}

const STRIDE = 190;
/** One after the other, for a way from one to another. */
export const inARow = (ids: readonly string[], isTall: boolean): ReadonlyMap<string, Readonly<Point>> =>
  new Map(ids.map((id, at) => [id, isTall ? { x: 0, y: at * STRIDE } : { x: at * STRIDE, y: 0 }]));

/** How the picture lies on the page: a place is `x * scale + left`, `y * scale + top`. */
export interface PictureView {
  scale: number;
  left: number;
  top: number;
}
interface Size {
  width: number;
  height: number;
}
const MARGIN = { top: 26, bottom: 40 };
const MOST_SCALE = 1.8;

/** The view in which all of it fits. */
export function fitted(points: Iterable<Readonly<Point>>, { width, height }: Size): PictureView {
  const all = [...points];
  // Names stand to both sides of their entities.
  const side = Math.min(70, width / 12);
  if (!all.length) return { scale: 1, left: width / 2, top: height / 2 };
  const [xs, ys] = [all.map(({ x }) => x), all.map(({ y }) => y)];
  const [left, right, top, bottom] = [Math.min(...xs), Math.max(...xs), Math.min(...ys), Math.max(...ys)];
  const scale = Math.min(
    (width - 2 * side) / Math.max(right - left, 1),
    (height - MARGIN.top - MARGIN.bottom) / Math.max(bottom - top, 1),
    MOST_SCALE,
  );
  return {
    scale,
    left: width / 2 - ((left + right) / 2) * scale,
    top: (height + MARGIN.top - MARGIN.bottom) / 2 - ((top + bottom) / 2) * scale,
  };
}

const LEAST_ZOOM = 0.1;
const MOST_ZOOM = 6;
/** Nearer or farther, with this place of the page staying where it is. */
export function zoomed({ scale, left, top }: PictureView, by: number, { x, y }: Readonly<Point>): PictureView {
  const next = Math.min(MOST_ZOOM, Math.max(LEAST_ZOOM, scale * by));
  const factor = next / scale;
  return { scale: next, left: x - (x - left) * factor, top: y - (y - top) * factor };
}

export const onPage = ({ x, y }: Readonly<Point>, { scale, left, top }: PictureView): Point => ({
  x: x * scale + left,
  y: y * scale + top,
});

export type Direction = "left" | "right" | "up" | "down";
const WAYS: Readonly<Record<Direction, Point>> = {
  left: { x: -1, y: 0 },
  right: { x: 1, y: 0 },
  up: { x: 0, y: -1 },
  down: { x: 0, y: 1 },
};

/** What lies next in that direction: near, and not too far aside. */
export function nextTowards(
  places: ReadonlyMap<string, Readonly<Point>>,
  from: string,
  direction: Direction,
): string | undefined {
  const here = places.get(from);
  if (!here) return undefined;
  const way = WAYS[direction];
  let [best, least] = [undefined as string | undefined, Infinity];
  for (const [id, { x, y }] of places) {
    if (id === from) continue;
    const [dx, dy] = [x - here.x, y - here.y];
    const ahead = dx * way.x + dy * way.y;
    const aside = Math.abs(dx * way.y - dy * way.x);
    if (ahead <= 0 || aside > 2 * ahead) continue;
    const cost = ahead + 2 * aside;
    if (cost < least) [best, least] = [id, cost];
  }
  return best;
}
