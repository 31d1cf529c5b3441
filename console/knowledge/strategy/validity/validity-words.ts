import type { Data, ListRow } from "../../../api/client.ts";

export type ValidityPoint = ListRow<"GET /graph/validity/{objectiveId}/history">;
export type ValidityTrend = Data<"GET /graph/validity/{objectiveId}/trend">;
type Part = ValidityPoint["parts"][number];

const PARTS: Readonly<Record<Part["part"], string>> = {
  start: "to begin with",
  age: "time",
  contradictions: "contradictions",
  "lost-sources": "sources that are gone",
  assessment: "how it was assessed",
  confirmations: "confirmations",
  bounds: "bounds",
};

/** Points of less are not seen. */
const NOTICEABLE = 0.05;
const rounded = (value: number): number => Math.round(value * 10) / 10;

/** "+3", "−12.5", with the sign of typography. */
export const signed = (value: number): string =>
  rounded(value) < 0 ? `−${Math.abs(rounded(value))}` : `+${rounded(value)}`;

/** What a score is made of, in words; what neither adds nor takes away is left out. */
export const partsWords = (parts: readonly Part[]): string[] =>
  parts.flatMap(({ part, value, why }) =>
    Math.abs(value) < NOTICEABLE ? [] : [`${signed(value)}, ${PARTS[part]}: ${why}`],
  );

/** A point with how it differs from the one before, and why. */
export interface ValidityChange {
  point: ValidityPoint;
  /** Absent for the first. */
  by: number | undefined;
  why: string[];
}

/** Points, the newest first, as changes. */
export const changesOf = (points: readonly ValidityPoint[]): ValidityChange[] =>
  points.map((point, at) => {
    const before = points[at + 1];
    if (!before) return { point, by: undefined, why: partsWords(point.parts) };
    const values = new Map(before.parts.map(({ part, value }) => [part, value]));
    const moved = point.parts.map((one) => ({ ...one, value: one.value - (values.get(one.part) ?? 0) }));
    return { point, by: point.score - before.score, why: partsWords(moved) };
  });

/** Where it goes, in a sentence. */
export function trendWords({ slope, week, direction, days }: ValidityTrend): string {
  if (slope === null || direction === null)
    return "Where it goes can be said once its score is known for half a day at least.";
  const lately =
    direction === "steady"
      ? `It was steady in the last ${days} days`
      : `It was ${direction} in the last ${days} days, by ${Math.abs(rounded(slope))} a day`;
  return week === null ? `${lately}.` : `${lately}; within a week it changed by ${signed(week)}.`;
}

/**
 * A score over time as the `d` of an SVG path: it holds until it changes. Scores go from 0 at the bottom to 100 at the
 * top. Undefined without points.
 */
export function stepsOf(
  points: readonly Pick<ValidityPoint, "at" | "score">[],
  until: number,
  [width, height]: readonly [number, number],
): string | undefined {
  const [first, ...later] = points.toSorted((one, other) => (one.at < other.at ? -1 : 1));
  if (!first) return undefined;
  const from = Date.parse(first.at);
  const short = (value: number): number => Number(value.toFixed(1));
  const x = (at: number): number => (until <= from ? width : short(((at - from) / (until - from)) * width));
  const y = (score: number): number => short(height * (1 - score / 100));
  const steps = later.map(({ at, score }) => `H${x(Date.parse(at))}V${y(score)}`);
  return `M0 ${y(first.score)}${steps.join("")}H${width}`;
}
