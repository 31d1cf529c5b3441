import type { ASSESSED } from "../objectives/events.ts";
import { isKept } from "./keeping.ts";
import type { Measure } from "../objectives/objectives.ts";

export type Assessed = (typeof ASSESSED)[number];

/** A value at a time, in epoch milliseconds. */
export interface TrendPoint {
  at: number;
  value: number;
}

const DAY_MS = 86_400_000;
/** How many of the latest points a trend uses: their pairs grow with the square. */
export const MOST_POINTS = 200;
/** With this share of the required progress an objective is at risk, not off track. */
const NEARLY = 0.8;
/** A value so soon after another corrects it, and says nothing of a rate; sooner where the whole time is short. */
const CORRECTED_MS = DAY_MS / 24;
const CORRECTED_SHARE = 0.01;
/** In so small a share of the whole time nothing can have moved: a value no worse than the first is on its way. */
const BEGINNING_SHARE = 0.01;

function median(values: readonly number[]): number {
  const sorted = values.toSorted((one, other) => one - other);
  const middle = sorted.length >> 1;
  return sorted.length % 2 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2;
}

/**
 * The Theil-Sen line through points (Sen 1968): the median slope of all pairs, per day; up to 29 % of the points may be
 * wrong. Pairs closer than `apart` milliseconds are ignored; null where there are no others.
 */
export function theilSen(points: readonly TrendPoint[], apart = 1): { slope: number; at(time: number): number } | null {
  const latest = points.toSorted((one, other) => one.at - other.at).slice(-MOST_POINTS);
  const origin = latest[0]?.at ?? 0;
  const days = (time: number): number => (time - origin) / DAY_MS;
  const slopes = latest.flatMap((one, n) =>
    latest
      .slice(n + 1)
      .filter((other) => other.at - one.at >= apart)
      .map((other) => (other.value - one.value) / (days(other.at) - days(one.at))),
  );
  if (!slopes.length) return null;
  const slope = median(slopes);
  const intercept = median(latest.map(({ at, value }) => value - slope * days(at)));
  return { slope, at: (time) => intercept + slope * days(time) };
}

export interface Trend {
  points: number;
  /** Change per day; null with values at fewer than two times, not counting corrections. */
  slope: number | null;
  /** Change per day from now on that would reach the target in time; null after the due date. */
  required: number | null;
  /** The expected value on the due date; null without a slope. */
  projected: number | null;
  /** The value now on the straight line from the beginning to the target. */
  expected: number;
  status: Assessed;
}

/** The start, target and due date of an objective. */
export interface Course {
  measure: Measure;
  begins: number;
  due: number;
}

/** Progress from the baseline to the target; where they are equal, 1 once it is reached. */
const shareOf = (value: number, baseline: number, target: number): number =>
  baseline === target ? (value === target ? 1 : 0) : (value - baseline) / (target - baseline);

type Told = Omit<Trend, "status">;

/**
 * The standing of what is to be kept: by the latest value, whatever the first was. It is at risk where the trend leads
 * to the other side of the target by the due date, or back to the right one.
 */
function keeping(told: Told, last: TrendPoint, { measure }: Course, left: number): Trend {
  const [holds, leads] = [last.value, told.projected].map((value) => value !== null && isKept(value!, measure));
  const kept = { ...told, required: left > 0 ? (holds ? 0 : told.required) : null, expected: measure.target };
  if (left <= 0) return { ...kept, status: holds ? "achieved" : "off-track" };
  if (told.projected === null) return { ...kept, status: holds ? "on-track" : "off-track" };
  return { ...kept, status: holds && leads ? "on-track" : holds || leads ? "at-risk" : "off-track" };
}

/**
 * The standing of an objective by its values, the latest last; null without any. A reached target stays reached; past
 * the due date it is off track; before, the trend decides, or without a trend the straight line to the target.
 */
export function trendOf(given: readonly TrendPoint[], { measure, begins, due }: Course, now: number): Trend | null {
  const points = given.toSorted((one, other) => one.at - other.at);
  const last = points.at(-1);
  if (!last) return null;
  const { target } = measure;
  const baseline = measure.baseline ?? points[0]!.value;
  // Where nobody said from what value it begins, it begins with the first that is known.
  const start = measure.baseline === undefined ? points[0]!.at : begins;
  const line = theilSen(points, Math.max(1, Math.min(CORRECTED_MS, (due - begins) * CORRECTED_SHARE)));
  const share = (value: number): number => shareOf(value, baseline, target);
  const elapsed = due > start ? Math.min(1, Math.max(0, (last.at - start) / (due - start))) : 1;
  const expected = baseline + elapsed * (target - baseline);
  const projected = line ? line.at(due) : null;
  const left = (due - Math.max(now, last.at)) / DAY_MS;
  const told = {
    points: points.length,
    slope: line ? line.slope : null,
    required: left > 0 ? (target - last.value) / left : null,
    projected,
    expected,
  };
  if (measure.keep) return keeping(told, last, { measure, begins, due }, left);
  if (share(last.value) >= 1 && (baseline !== target || last.value === target)) return { ...told, status: "achieved" };
  if (left <= 0) return { ...told, status: "off-track" };
  // What is where it must be from the beginning has no way to go: only its value counts.
  const isBeginning = baseline !== target && elapsed <= BEGINNING_SHARE && (elapsed === 0 || share(last.value) >= 0);
  const onTheWay = isBeginning ? 1 : share(last.value) / (elapsed || 1);
  const reaches = projected !== null ? share(projected) : onTheWay;
  return { ...told, status: reaches >= 1 ? "on-track" : reaches >= NEARLY ? "at-risk" : "off-track" };
}
