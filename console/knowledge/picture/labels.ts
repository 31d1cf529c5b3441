import type { Point } from "./layout.ts";

/** A text that asks for room at one of these places of the page, the first that is free. */
export interface LabelAsked {
  id: string;
  text: string;
  places: readonly Readonly<Point>[];
}
interface Box {
  left: number;
  right: number;
  top: number;
  bottom: number;
}

const LETTER = 6.6;
const LINE = 15;
const LONGEST = 26;

export const shortened = (text: string): string =>
  text.length <= LONGEST ? text : `${text.slice(0, LONGEST - 1).trimEnd()}…`;

const boxOf = (text: string, at: Readonly<Point>): Box => {
  const half = (text.length * LETTER) / 2 + 2;
  return { left: at.x - half, right: at.x + half, top: at.y - LINE + 3, bottom: at.y + 3 };
};
const touch = (one: Box, other: Box): boolean =>
  one.left < other.right && other.left < one.right && one.top < other.bottom && other.top < one.bottom;

/** Where texts have room beside one another and beside these circles; the first asked are the first served. */
export function withRoom(
  asked: readonly LabelAsked[],
  circles: readonly (Point & { radius: number })[] = [],
): ReadonlyMap<string, Readonly<Point>> {
  const taken: Box[] = circles.map(({ x, y, radius }) => ({
    left: x - radius,
    right: x + radius,
    top: y - radius,
    bottom: y + radius,
  }));
  const shown = new Map<string, Readonly<Point>>();
  for (const { id, text, places } of asked) {
    const place = places.find((at) => !taken.some((other) => touch(boxOf(text, at), other)));
    if (!place) continue;
    taken.push(boxOf(text, place));
    shown.set(id, place);
  }
  return shown;
}
