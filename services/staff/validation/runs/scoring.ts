import { sha256 } from "../../../../core/ids.ts";
import { toldTo, type Agent } from "../../agents/client.ts";
import type { Case } from "../suites/cases.ts";

/** The result of one case over its repetitions; inconclusive ones have no score. */
export interface CaseResult {
  caseId: string;
  scores: readonly number[];
  passes: readonly boolean[];
}

export interface Interval {
  low: number;
  high: number;
}

export interface Total {
  /** Conclusive cases. */
  cases: number;
  passed: number;
  /** Mean of the cases' means. */
  score: number;
  /** Share of the cases that passed every repetition (pass^k). */
  passRate: number;
  interval: Interval;
}

const Z95 = 1.959963984540054;

/**
 * The 95 % interval of a share by Wilson's score (E. B. Wilson, JASA 22, 1927): unlike the normal one it stays within 0
 * and 1 and is accurate for few cases. From 0 to 1 without cases.
 */
export function wilson(passed: number, cases: number): Interval {
  if (!cases) return { low: 0, high: 1 };
  const share = passed / cases;
  const z2 = Z95 ** 2;
  const centre = (share + z2 / (2 * cases)) / (1 + z2 / cases);
  const half = (Z95 / (1 + z2 / cases)) * Math.sqrt((share * (1 - share)) / cases + z2 / (4 * cases ** 2));
  // At the ends it is exactly 0 and 1, which floating-point sums narrowly miss.
  return { low: passed === 0 ? 0 : centre - half, high: passed === cases ? 1 : centre + half };
}

/**
 * What a run measures: cases, agent, model, everything that the agent is told and may do, and a rubric's judge if that
 * is another model. Runs of one line can be compared.
 */
export function lineOf(
  cases: readonly Case[],
  agent: Agent,
  { model, judge }: { model: string | undefined; judge: string | undefined },
): string {
  const { character, model: _own, priceIn: _in, priceOut: _out, ...bounds } = toldTo(agent);
  const { id, tools, autonomy, phases = [] } = agent;
  const isJudged = cases.some(({ assertions }) => assertions.some(({ kind }) => kind === "rubric"));
  const rest = { ...bounds, ...(phases.length && { phases }), ...(isJudged && judge !== model && { judge }) };
  const all = [cases, id, model ?? null, character, tools, autonomy, ...(Object.keys(rest).length ? [rest] : [])];
  return sha256(JSON.stringify(all)).slice(0, 32);
}

const mean = (values: readonly number[]): number => values.reduce((sum, one) => sum + one, 0) / values.length;

/** The totals of a run; null where no case was conclusive. */
export function totalOf(results: readonly CaseResult[]): Total | null {
  const conclusive = results.filter(({ scores }) => scores.length > 0);
  if (!conclusive.length) return null;
  const passed = conclusive.filter(({ passes }) => passes.every(Boolean)).length;
  return {
    cases: conclusive.length,
    passed,
    score: mean(conclusive.map(({ scores }) => mean(scores))),
    passRate: passed / conclusive.length,
    interval: wilson(passed, conclusive.length),
  };
}
