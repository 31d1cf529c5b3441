/** A step of a score: what it adds to what stood before. */
interface Contribution {
  scoreContribution: number;
}
export interface WaterfallBar {
  /** The score before the step and with it. */
  from: number;
  to: number;
  /** Where the bar begins and how wide it is, in percent of the picture's width. */
  left: number;
  width: number;
  direction: "up" | "down" | "level";
}
interface Waterfall {
  bars: WaterfallBar[];
  /** The sum of all steps. */
  total: number;
  /** Where a score stands, in percent of the picture's width. */
  at(score: number): number;
}

/** Sums are made in hundredths, as the trail's are: the last bar ends at the score to the last digit. */
const hundredths = (value: number): number => Math.round(value * 100);

/**
 * Contributions as bars that begin where the one before ended. The picture shows 0 to 100, and more where a sum passes
 * it before the limit of the scale takes it back.
 */
export function waterfall(steps: readonly Contribution[]): Waterfall {
  let sum = 0;
  const spans = steps.map(({ scoreContribution }) => {
    const from = sum / 100;
    sum += hundredths(scoreContribution);
    return { from, to: sum / 100 };
  });
  const reached = spans.flatMap(({ from, to }) => [from, to]);
  const [low, high] = [Math.min(0, ...reached), Math.max(100, ...reached)];
  const at = (score: number): number => (100 * (score - low)) / (high - low);
  const bars = spans.map(({ from, to }): WaterfallBar => {
    const [left, right] = [at(Math.min(from, to)), at(Math.max(from, to))];
    return { from, to, left, width: right - left, direction: to > from ? "up" : to < from ? "down" : "level" };
  });
  return { bars, total: sum / 100, at };
}
