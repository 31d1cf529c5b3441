import type { Point } from "./layout.ts";

/** A text that asks for room around a place of the page. */
export interface LabelAsked {
  id: string;
  text: string;
  at: Readonly<Point>;
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

const boxOf = ({ text, at }: LabelAsked): Box => {
  const half = (text.length * LETTER) / 2 + 2;
  return { left: at.x - half, right: at.x + half, top: at.y - LINE + 3, bottom: at.y + 3 };
};
const touch = (one: Box, other: Box): boolean =>
  one.left < other.right && other.left < one.right && one.top < other.bottom && other.top < one.bottom;

/** Those texts that have room beside one another and beside these circles; the first asked are the first served. */
export function withRoom(
  asked: readonly LabelAsked[],
  circles: readonly (Point & { radius: number })[] = [],
): ReadonlySet<string> {
  const taken: Box[] = circles.map(({ x, y, radius }) => ({
    left: x - radius,
    right: x + radius,
    top: y - radius,
    bottom: y + radius,
  }));
  const shown = new Set<string>();
  for (const one of asked) {
    const box = boxOf(one);
    if (taken.some((other) => touch(box, other))) continue;
    taken.push(box);
    shown.add(one.id);
  }
  return shown;
}
