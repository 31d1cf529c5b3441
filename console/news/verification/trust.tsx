import type { ReactNode } from "react";
import { Badge } from "../../parts/texts.tsx";
import { HIGH_FROM, inPoints, LEVEL_TONES, levelOf, MEDIUM_FROM } from "./scales.ts";

/** A confidence of 0 to 100 as a bar, a figure and a word. */
export function Trust({ points, of = "Confidence" }: { points: number; of?: string }): ReactNode {
  const level = levelOf(points);
  return (
    <span className="trust">
      <meter min={0} max={100} value={points} aria-label={`${of}: ${inPoints(points)} of 100`} />
      <span className="figure">{inPoints(points)}</span>
      <Badge tone={LEVEL_TONES[level]}>{level}</Badge>
    </span>
  );
}

/** The scale in one line, wherever confidence is shown for the first time on a page. */
export const TrustScale = (): ReactNode => (
  <small className="muted">
    Confidence runs from 0 to 100 and says how well a report is supported by what else is known: below {MEDIUM_FROM} is
    low, from {MEDIUM_FROM} medium, from {HIGH_FROM} high.
  </small>
);
