import { boxOf, isInBox, type Box, type Polygon, type Position } from "./positions.ts";
import { isInPolygon, meet } from "./rings.ts";

/**
 * A place as a quadkey: 24 digits, each of which halves what is left of the world's longitudes and latitudes. Places
 * in one cell of any size have the first digits in common, so that a cell is a stretch of any ordered index.
 */
export const CELL_DIGITS = 24;
const SIDE = 2 ** CELL_DIGITS;
/** A query looks into at most so many stretches. */
const MOST_STRETCHES = 16;

/** Of degrees counted from the world's west or south edge, the number of the smallest cell. */
const column = (degrees: number, whole: number): number =>
  Math.min(SIDE - 1, Math.max(0, Math.floor((degrees / whole) * SIDE)));

const digits = (x: number, y: number, count: number): string => {
  let key = "";
  for (let bit = count - 1; bit >= 0; bit--) key += ((x >>> bit) & 1) + 2 * ((y >>> bit) & 1);
  return key;
};

/** The quadkey of a place. */
export const cellOf = ([lon, lat]: Position): string =>
  digits(column(lon + 180, 360), column(lat + 90, 180), CELL_DIGITS);

/** A stretch of quadkeys: from the first of a cell up to, not including, what follows its last. */
export interface CellRange {
  from: string;
  to: string;
}

interface Cell {
  x: number;
  y: number;
  /** How many digits it has: 0 is the world. */
  level: number;
}

/** Where a cell lies as to what is covered: 1 within, 0 partly, -1 outside. */
type Relation = (cell: Box) => -1 | 0 | 1;

/** A place this near to the edge of a cell may be counted to either, since degrees are rounded on the way. */
const ROUNDING = 1e-12 * 360;
const boundsOf = ({ x, y, level }: Cell): Box => {
  const cells = 2 ** level;
  return [
    (x / cells) * 360 - 180 - ROUNDING,
    (y / cells) * 180 - 90 - ROUNDING,
    ((x + 1) / cells) * 360 - 180 + ROUNDING,
    ((y + 1) / cells) * 180 - 90 + ROUNDING,
  ];
};

const quarters = ({ x, y, level }: Cell): Cell[] =>
  [0, 1, 2, 3].map((digit) => ({ x: 2 * x + (digit & 1), y: 2 * y + (digit >> 1), level: level + 1 }));

/** The last digit that keys have, plus one: sorts after all that begin alike. */
const AFTER = "4";

/** The number of the first smallest cell of a key; 2^48 is still exact. */
const first = (key: string): number => parseInt(key.padEnd(CELL_DIGITS, "0"), 4);
const after = (key: string): number => first(key) + 4 ** (CELL_DIGITS - key.length);

/** Neighbouring stretches as one. */
function joined(cells: readonly Cell[]): CellRange[] {
  const stretches: (CellRange & { end: number })[] = [];
  for (const key of cells.map(({ x, y, level }) => digits(x, y, level)).sort()) {
    const last = stretches.at(-1);
    if (last && key !== "" && last.end === first(key)) Object.assign(last, { to: key + AFTER, end: after(key) });
    else stretches.push({ from: key, to: key + AFTER, end: key === "" ? Infinity : after(key) });
  }
  return stretches.map(({ from, to }) => ({ from, to }));
}

/**
 * At most 16 stretches of quadkeys that together hold every place of what is described by `relation`. Always the
 * largest cell that lies partly within is divided next.
 */
export function covering(relation: Relation): CellRange[] {
  const whole: Cell[] = [];
  let partly: Cell[] = [{ x: 0, y: 0, level: 0 }];
  while (partly.length > 0) {
    const [largest, ...rest] = partly;
    if (largest!.level === CELL_DIGITS) break;
    const parts = quarters(largest!).map((cell) => ({ cell, where: relation(boundsOf(cell)) }));
    const kept = parts.filter(({ where }) => where >= 0);
    if (whole.length + rest.length + kept.length > MOST_STRETCHES) break;
    whole.push(...kept.filter(({ where }) => where > 0).map(({ cell }) => cell));
    partly = [...rest, ...kept.filter(({ where }) => where === 0).map(({ cell }) => cell)];
  }
  return joined([...whole, ...partly]);
}

/** How a cell lies as to a box; the edges of both belong to them. */
export function relationToBox([west, south, east, north]: Box): Relation {
  const spans = west <= east ? [[west, east] as const] : [[west, 180] as const, [-180, east] as const];
  return ([left, bottom, right, top]) => {
    if (top < south || bottom > north) return -1;
    const met = spans.filter(([from, to]) => right >= from && left <= to);
    if (met.length === 0) return -1;
    const isWhole = bottom >= south && top <= north && met.some(([from, to]) => left >= from && right <= to);
    return isWhole ? 1 : 0;
  };
}

/** How a cell lies as to areas whose edges are straight in longitude and latitude. */
export function relationToPolygons(polygons: readonly Polygon[]): Relation {
  const relations = polygons.map(relationToPolygon);
  return (cell) => {
    let found: -1 | 0 | 1 = -1;
    for (const relation of relations) {
      const where = relation(cell);
      if (where > 0) return 1;
      if (where === 0) found = 0;
    }
    return found;
  };
}

function relationToPolygon(polygon: Polygon): Relation {
  const around = boxOf(polygon[0]!)!;
  return ([left, bottom, right, top]) => {
    if (left > around[2] || right < around[0] || bottom > around[3] || top < around[1]) return -1;
    const corners: Position[] = [
      [left, bottom],
      [right, bottom],
      [right, top],
      [left, top],
    ];
    for (const ring of polygon)
      for (let at = 0; at < ring.length - 1; at++)
        for (let corner = 0; corner < 4; corner++)
          if (meet(ring[at]!, ring[at + 1]!, corners[corner]!, corners[(corner + 1) % 4]!)) return 0;
    // No edges meet: a ring lies wholly within the cell, or the cell lies wholly within or outside.
    if (polygon.some((ring) => isInBox([left, bottom, right, top], ring[0]!))) return 0;
    return isInPolygon(polygon, corners[0]!) ? 1 : -1;
  };
}
