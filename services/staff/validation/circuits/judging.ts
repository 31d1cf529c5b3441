import { Figure } from "../../../../core/records/entity.ts";
import type { Threshold } from "./thresholds.ts";

/** A run as thresholds see it; lists have the newest first. */
export interface MeasuredRun {
  id: string;
  line: string;
  cases: number;
  score: number;
  passRate: number;
}

type Bound = Pick<Threshold, "metric" | "min" | "minCases" | "consecutive" | "hysteresis">;
export const valueOf = (run: MeasuredRun, { metric }: Pick<Bound, "metric">): number =>
  metric === "score" ? run.score : run.passRate;

/** A broken threshold, and the runs that broke it. */
export interface Breach {
  metric: Threshold["metric"];
  value: number;
  min: number;
  runs: string[];
}

/**
 * The thresholds that the newest run breaks: each needs its number of consecutive runs of one line, all below it, all
 * with enough cases. `runs` are of one agent, the newest first.
 */
export function breaches(runs: readonly MeasuredRun[], bounds: readonly Bound[]): Breach[] {
  const [latest] = runs;
  if (!latest) return [];
  return bounds.flatMap((bound) => {
    const line = runs.filter((run) => run.line === latest.line).slice(0, bound.consecutive);
    const isBroken =
      line.length >= bound.consecutive &&
      line.every((run) => run.cases >= bound.minCases && valueOf(run, bound) < bound.min);
    return isBroken
      ? [{ metric: bound.metric, value: valueOf(latest, bound), min: bound.min, runs: line.map(({ id }) => id) }]
      : [];
  });
}

/** The default threshold: more than half must pass, as for failed runs. */
const UNSET: readonly Bound[] = [{ metric: "pass-rate", min: 0.5, minCases: 1, consecutive: 1, hysteresis: 0.05 }];

/**
 * What a run lacks to bring an agent back, for one threshold: enough cases, or a value above it by its hysteresis, or
 * the maximum.
 */
export interface Lack {
  metric: Threshold["metric"];
  value: number;
  needed: number;
  cases: number;
  minCases: number;
}

export const lacks = (run: MeasuredRun, bounds: readonly Bound[]): Lack[] =>
  (bounds.length ? bounds : UNSET)
    .map((bound) => ({
      metric: bound.metric,
      value: Figure.parse(valueOf(run, bound)),
      needed: Figure.parse(Math.min(1, bound.min + bound.hysteresis)),
      cases: run.cases,
      minCases: bound.minCases,
    }))
    .filter(({ value, needed, cases, minCases }) => cases < minCases || value < needed);

/** Whether a run is good enough to bring an agent back. */
export const passes = (run: MeasuredRun, bounds: readonly Bound[]): boolean => !lacks(run, bounds).length;

export const metricName = (metric: Threshold["metric"]): string => (metric === "score" ? "score" : "pass rate");
/** What a run lacks, in words. */
export const lackInWords = ({ metric, value, needed, cases, minCases }: Lack): string =>
  cases < minCases
    ? `its ${metricName(metric)} rests on ${cases} cases, where ${minCases} are asked for`
    : `its ${metricName(metric)} is ${value.toFixed(2)}, where ${needed.toFixed(2)} is asked for`;

/** How many of the latest runs count: an agent in which more than half of them failed is stopped. */
export const LOOKED_AT = 20;
export const failsTooOften = (statuses: readonly string[]): boolean =>
  statuses.length >= LOOKED_AT &&
  statuses.slice(0, LOOKED_AT).filter((status) => status === "failed").length > LOOKED_AT / 2;
