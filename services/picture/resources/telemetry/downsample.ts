import type { TimedValue } from "../../../../core/records/reading/readings.ts";
import type { Steps } from "../../../../core/work/turns.ts";
import { isMeasurable } from "./series.ts";

export type NumberReading = { at: number; value: number };
/** Larger ones than are taken may be kept from before. */
export const isNumber = (reading: TimedValue): reading is NumberReading =>
  typeof reading.value === "number" && isMeasurable(reading.value);

/** Readings between which so many times the usual time passed are of two stretches. */
const GAP_TIMES = 5;
const STEP = 4_096;
const SECOND_US = 1_000_000;

/** How long after one reading the next usually comes; the median of a sample. */
function usualGap(readings: readonly { at: number }[]): number {
  const stride = Math.max(1, Math.floor(readings.length / 1_000));
  const gaps: number[] = [];
  for (let at = stride; at < readings.length; at += stride) gaps.push(readings[at]!.at - readings[at - 1]!.at);
  gaps.sort((one, other) => one - other);
  return gaps[Math.floor(gaps.length / 2)] ?? 0;
}

/** Readings in stretches without a gap (microseconds; five times the usual time between two, unless said otherwise). */
export function stretchesOf(
  readings: readonly NumberReading[],
  gap = usualGap(readings) * GAP_TIMES,
): NumberReading[][] {
  const stretches: NumberReading[][] = [];
  let last: number | undefined;
  for (const reading of readings) {
    if (last === undefined || (gap > 0 && reading.at - last > gap)) stretches.push([]);
    stretches.at(-1)!.push(reading);
    last = reading.at;
  }
  return stretches;
}

/**
 * Largest-Triangle-Three-Buckets (Steinarsson 2013): of a stretch so many readings as draw the same line, its first and
 * last among them.
 */
export function* lttb(readings: readonly NumberReading[], count: number): Steps<NumberReading[]> {
  if (count >= readings.length || readings.length < 3) return [...readings];
  if (count < 3) return [readings[0]!, readings.at(-1)!].slice(0, Math.max(1, count));
  const chosen = [readings[0]!];
  const width = (readings.length - 2) / (count - 2);
  let from = readings[0]!;
  for (let bucket = 0; bucket < count - 2; bucket++) {
    const [begin, end] = [Math.floor(bucket * width) + 1, Math.floor((bucket + 1) * width) + 1];
    const after = Math.min(readings.length, Math.floor((bucket + 2) * width) + 1);
    let meanAt = 0,
      meanValue = 0;
    for (let at = end; at < after; at++) {
      meanAt += readings[at]!.at - from.at;
      meanValue += readings[at]!.value;
    }
    const size = Math.max(1, after - end);
    [meanAt, meanValue] = [meanAt / size, meanValue / size];
    let best = readings[begin]!,
      largest = -1;
    for (let at = begin; at < end; at++) {
      const one = readings[at]!;
      const area = Math.abs((one.at - from.at) * (meanValue - from.value) - meanAt * (one.value - from.value));
      if (area > largest) [best, largest] = [one, area];
    }
    chosen.push(best);
    from = best;
    if (bucket % STEP === 0) yield;
  }
  return [...chosen, readings.at(-1)!];
}

/** So many stretches at most: the shortest times between two are drawn over. */
function widest(stretches: readonly NumberReading[][], most: number): NumberReading[][] {
  if (stretches.length <= most) return [...stretches];
  const waits = stretches.map((stretch, at) => ({ at, wait: at && stretch[0]!.at - stretches[at - 1]!.at(-1)!.at }));
  const kept = new Set(
    waits
      .sort((one, other) => other.wait - one.wait)
      .slice(0, most - 1)
      .map(({ at }) => at),
  );
  const merged: NumberReading[][] = [];
  for (const [at, stretch] of stretches.entries())
    if (at === 0 || kept.has(at)) merged.push([...stretch]);
    else for (const reading of stretch) merged.at(-1)!.push(reading);
  return merged;
}

/**
 * So many readings of all at most, stretch by stretch as many as it has a share of: what is missing is not drawn over,
 * as long as each stretch can have its two ends.
 */
export function* downsampled(
  readings: readonly NumberReading[],
  count: number,
  gap?: number,
): Steps<NumberReading[][]> {
  const stretches = widest(stretchesOf(readings, gap), Math.max(1, Math.floor(count / 2)));
  const left = count - stretches.reduce((sum, { length }) => sum + Math.min(2, length), 0);
  const shown: NumberReading[][] = [];
  for (const stretch of stretches)
    shown.push(yield* lttb(stretch, 2 + Math.floor((left * stretch.length) / readings.length)));
  return shown;
}

export interface Summary {
  from: number;
  count: number;
  avg: number;
  min: number;
  max: number;
  sum: number;
  last: number;
}

/**
 * Sums of readings by interval (microseconds), those without any left out. `weighted`: each counts in the average for
 * as long as it held, until the next or the end of its interval.
 */
export function summaries(readings: readonly NumberReading[], interval: number, weighted: boolean): Summary[] {
  const found: Summary[] = [];
  let current: (Summary & { weight: number; area: number }) | undefined;
  const close = (): void => {
    if (!current) return;
    const { weight, area, ...summary } = current;
    found.push({ ...summary, avg: weighted && weight > 0 ? area / weight : summary.sum / summary.count });
  };
  for (const [at, { at: moment, value }] of readings.entries()) {
    const from = Math.floor(moment / interval) * interval;
    if (!current || current.from !== from) {
      close();
      current = { from, count: 0, avg: 0, min: value, max: value, sum: 0, last: value, weight: 0, area: 0 };
    }
    const held = Math.min(readings[at + 1]?.at ?? moment, from + interval) - moment;
    current.count++;
    current.sum += value;
    current.min = Math.min(current.min, value);
    current.max = Math.max(current.max, value);
    current.last = value;
    current.weight += held / SECOND_US;
    current.area += value * (held / SECOND_US);
  }
  close();
  return found;
}
