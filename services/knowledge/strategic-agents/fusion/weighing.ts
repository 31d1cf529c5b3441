import type { Reliability } from "../../../news/sources/events.ts";
import {
  conclude,
  independentPairs,
  RELIABILITY_WEIGHT,
  type Credibility,
  type Reference,
} from "../../../news/verification/client.ts";

/** ICD 203 (2015): what an analyst says of a likelihood, from this many hundredths on. */
const ICD_203 = [
  { from: 0.95, words: "almost certain" },
  { from: 0.8, words: "very likely" },
  { from: 0.55, words: "likely" },
  { from: 0.45, words: "roughly even chance" },
  { from: 0.2, words: "unlikely" },
  { from: 0.05, words: "very unlikely" },
  { from: 0, words: "almost no chance" },
] as const;
export type LikelihoodWords = (typeof ICD_203)[number]["words"];
export const LIKELIHOOD_WORDS = ICD_203.map(({ words }) => words) as [LikelihoodWords, ...LikelihoodWords[]];
export const likelihoodWords = (likelihood: number): LikelihoodWords =>
  ICD_203.find(({ from }) => likelihood >= from)!.words;

/** Nobody is sure: ICD 203 has no words for 0 and 1. */
const LEAST = 0.01;

/** A voice's say: what speaks for the hypothesis is above 0, what speaks against it below. */
export interface Say {
  stance: 1 | -1;
  /** 0..1: strength of the evidence by the reliability of its source. */
  weight: number;
}

/** How far a voice of this weight is believed: one of no weight says nothing, one of full weight is right 19 in 20. */
export const beliefOf = (weight: number): number => 0.5 + 0.45 * weight;

/** What a voice adds, in natural log-odds. */
export function logOddsOf({ stance, weight }: Say): number {
  const q = beliefOf(weight);
  return stance * Math.log(q / (1 - q));
}

/** Prior and parts as one likelihood: logistic(prior + sum of parts). */
export function likelihoodOf(parts: readonly number[], prior = 0): number {
  const sum = parts.reduce((total, part) => total + part, prior);
  return Math.min(1 - LEAST, Math.max(LEAST, 1 / (1 + Math.exp(-sum))));
}

/** Copies of a report, and what credits one agency, are one voice. */
const voiceOf = ({ credit, reportId, storyId }: Reference): string => (credit ? `by ${credit}` : (reportId ?? storyId));

export const weightOf = ({ score, reliability }: { score: number; reliability: Reliability }): number =>
  (score / 100) * RELIABILITY_WEIGHT[reliability];

/** The independent ones among those that say the same, the heaviest first. */
const voices = (side: readonly Reference[]): Reference[] =>
  independentPairs(
    side.map((reference) => ({ reference, reportId: voiceOf(reference), sourceId: reference.sourceId })),
    ({ reference }) => weightOf(reference),
  ).map(({ reference }) => reference);

export interface Weighed {
  credibility: Credibility;
  likelihood: number;
  words: LikelihoodWords;
  /** What each voice that counts adds to the log-odds. */
  parts: { articleId: number; stance: 1 | -1; weight: number; logOdds: number }[];
  supporting: Reference[];
  contradicting: Reference[];
  /** Copies, and what one source said twice: they count nothing. */
  copies: number[];
}

/**
 * What reports that bear on a hypothesis amount to. The report that says it first and best is the one that others
 * corroborate: credibility comes from them alone.
 */
export function weighReports(found: readonly Reference[], prior = 0): Weighed {
  const side = (stance: string): Reference[] => voices(found.filter((one) => one.stance === stance));
  const [supporting, contradicting] = [side("support"), side("contradict")];
  const first = supporting[0];
  const others = found
    .filter((one) => one !== first)
    .map((one) => ({
      ...one,
      independent: !first || (voiceOf(one) !== voiceOf(first) && one.sourceId !== first.sourceId),
    }));
  const parts = [...supporting, ...contradicting].map((one) => {
    const say: Say = { stance: one.stance === "support" ? 1 : -1, weight: weightOf(one) };
    return { articleId: one.articleId, ...say, logOdds: logOddsOf(say) };
  });
  const likelihood = likelihoodOf(
    parts.map(({ logOdds }) => logOdds),
    prior,
  );
  const counted = new Set(parts.map(({ articleId }) => articleId));
  return {
    // With nobody who says it there is nothing that could be corroborated, only what speaks against it.
    credibility: first || contradicting.length ? conclude(others).credibility : 6,
    likelihood,
    words: likelihoodWords(likelihood),
    parts,
    supporting,
    contradicting,
    copies: found
      .filter(({ articleId, stance }) => stance !== "neutral" && !counted.has(articleId))
      .map((one) => one.articleId),
  };
}
