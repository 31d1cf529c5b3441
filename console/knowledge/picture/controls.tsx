import type { ReactNode } from "react";
import type { Moving } from "./moving.ts";

const STEP = 80;

/** Zoom and moves by buttons; keys do the same while the picture has the focus. */
export function Controls({ zoom, pan, reset, isMoved }: Moving): ReactNode {
  const buttons: readonly (readonly [string, string, () => void])[] = [
    ["+", "Zoom in", () => zoom(1.4)],
    ["−", "Zoom out", () => zoom(1 / 1.4)],
    ["←", "Move left", () => pan(STEP, 0)],
    ["→", "Move right", () => pan(-STEP, 0)],
    ["↑", "Move up", () => pan(0, STEP)],
    ["↓", "Move down", () => pan(0, -STEP)],
  ];
  return (
    <div className="graph-controls" role="group" aria-label="Move the picture">
      {buttons.map(([sign, words, act]) => (
        <button key={words} type="button" aria-label={words} title={words} onClick={act}>
          {sign}
        </button>
      ))}
      <button type="button" disabled={!isMoved} onClick={reset}>
        Show all
      </button>
    </div>
  );
}
