/** Something in one spot, in pixels of the whole world at the zoom of the map. */
export interface Spot {
  key: string;
  x: number;
  y: number;
}

/** Width of a cell in pixels: what lies in one would cover one another. */
const CELL_PX = 64;
/** So many marks on a map can be told apart, and cost the browser nothing that is felt. */
export const MOST_MARKS = 150;

/**
 * Puts spots that lie close together into groups, where they are too many to be told apart; otherwise each is by itself.
 * Cells are those of the world, not of the window, so that groups stay as they are while the map is moved.
 */
export function gathered(spots: readonly Spot[], most = MOST_MARKS): Spot[][] {
  if (spots.length <= most) return spots.map((one) => [one]);
  const cells = Map.groupBy(spots, ({ x, y }) => `${Math.floor(x / CELL_PX)} ${Math.floor(y / CELL_PX)}`);
  return [...cells.values()];
}

/** The middle of a group. */
export function middleOf(spots: readonly Spot[]): { x: number; y: number } {
  const sum = spots.reduce((all, { x, y }) => ({ x: all.x + x, y: all.y + y }), { x: 0, y: 0 });
  return { x: sum.x / spots.length, y: sum.y / spots.length };
}
