import { useId, useState, type KeyboardEvent } from "react";
import { nextTowards, onPage, type Direction, type Point } from "./layout.ts";
import type { Moving } from "./moving.ts";

const ARROWS: Readonly<Record<string, Direction>> = {
  ArrowLeft: "left",
  ArrowRight: "right",
  ArrowUp: "up",
  ArrowDown: "down",
};
/** Pixels that the picture moves at a key. */
const STEP = 60;

export interface Stepping {
  /** What the id of a mark in the page begins with. */
  prefix: string;
  /** The mark that had the focus last. */
  chosen: string | undefined;
  /** The one that the Tab key stops at. */
  stop: string | undefined;
  onChosen(id: string): void;
  onKeyDown(event: KeyboardEvent): void;
}

/**
 * Keys of a picture: arrows go from one mark to the next, with Shift they move the picture, + and - zoom, 0 shows all.
 * `first`: where the Tab key stops at first.
 */
export function useStepping(
  places: ReadonlyMap<string, Readonly<Point>>,
  { width, height }: { width: number; height: number },
  moving: Moving,
  first: string | undefined,
): Stepping {
  const prefix = useId();
  const [chosen, setChosen] = useState<string>();
  const stop = chosen !== undefined && places.has(chosen) ? chosen : first;

  function onKeyDown(event: KeyboardEvent): void {
    const direction = ARROWS[event.key];
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (direction && event.shiftKey) {
      const [across, down] = { left: [STEP, 0], right: [-STEP, 0], up: [0, STEP], down: [0, -STEP] }[direction];
      moving.pan(across!, down!);
    } else if (direction) {
      const next = stop && nextTowards(places, stop, direction);
      if (next) document.getElementById(`${prefix}${next}`)?.focus();
    } else if (event.key === "+" || event.key === "=") moving.zoom(1.3);
    else if (event.key === "-") moving.zoom(1 / 1.3);
    else if (event.key === "0") moving.reset();
    else return;
    event.preventDefault();
  }

  function onChosen(id: string): void {
    setChosen(id);
    const place = places.get(id);
    if (!place) return;
    const { x, y } = onPage(place, moving.view);
    // Whoever goes by keys sees where they are, however the picture was moved.
    if (x <= 0 || x >= width || y <= 0 || y >= height) moving.pan(width / 2 - x, height / 2 - y);
  }

  return { prefix, chosen, stop, onChosen, onKeyDown };
}
