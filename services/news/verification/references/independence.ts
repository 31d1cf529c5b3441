import { reportOf } from "../../articles/client.ts";
import type { Candidate, Origin } from "./cross-reference.ts";
import { words } from "../../../../core/text/words/words.ts";

/** A source's statement in a report; copies of one report are one report, and so is whatever one agency wrote. */
export interface Voice {
  reportId: string;
  sourceId: number;
}

/**
 * The heaviest set of items of which no two share a report or a source: ten papers with one wire report are one voice,
 * and so is one paper with ten reports. It is a matching of reports with sources (augmenting paths, Kuhn 1955; reports
 * by falling weight, which is optimal for weights on reports since the matchable sets of one side are a matroid).
 */
export function independentPairs<T extends Voice>(items: readonly T[], weight: (item: T) => number): T[] {
  const byReport = Map.groupBy(
    [...items].sort((a, b) => weight(b) - weight(a)),
    ({ reportId }) => reportId,
  );
  const takenBy = new Map<number, T>();

  function place(reportId: string, tried: Set<number>): boolean {
    for (const item of byReport.get(reportId)!) {
      if (tried.has(item.sourceId)) continue;
      tried.add(item.sourceId);
      const holder = takenBy.get(item.sourceId);
      if (holder && !place(holder.reportId, tried)) continue;
      takenBy.set(item.sourceId, item);
      return true;
    }
    return false;
  }

  for (const reportId of byReport.keys()) place(reportId, new Set());
  return [...takenBy.values()].sort((a, b) => weight(b) - weight(a));
}

/** The agency that one copy of a report credits wrote all copies. */
export const agenciesOf = (articles: readonly (Origin | Candidate)[]): Map<string, string> =>
  new Map(articles.flatMap((article) => (article.credit ? [[reportOf(article), article.credit] as const] : [])));

/** Whether a candidate is independent of the claim's article. */
export const isIndependent = (origin: Origin, candidate: Candidate): boolean =>
  reportOf(candidate) !== reportOf(origin) &&
  candidate.sourceId !== origin.sourceId &&
  (candidate.credit === undefined || candidate.credit !== origin.credit);

/** Whether they are one report as two outlets print it. */
export const areTwoPrints = (one: Origin | Candidate, other: Origin | Candidate): boolean =>
  reportOf(one) === reportOf(other) && one.sourceId !== other.sourceId;

/** Nobody chooses this many words in the same order twice. */
const FEWEST_WORDS = 12;
const RUN = 3;
const REPEATED = 0.75;

/**
 * Whether a sentence repeats another's wording: the shorter has at least twelve words, and three quarters of its runs
 * of three words stand in the other. A copied sentence is no second witness, whatever stands around it.
 */
export function repeats(one: string, other: string): boolean {
  const [short, long] = [one, other]
    .map((text) => words(text).map((word) => word.text))
    .sort((a, b) => a.length - b.length) as [string[], string[]];
  if (short.length < FEWEST_WORDS) return false;
  const known = new Set(runsOf(long));
  const runs = runsOf(short);
  return runs.filter((run) => known.has(run)).length >= REPEATED * runs.length;
}

const runsOf = (spoken: readonly string[]): string[] =>
  spoken.slice(RUN - 1).map((_, at) => spoken.slice(at, at + RUN).join(" "));
