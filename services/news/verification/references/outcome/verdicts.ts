import type { Statement } from "../../../../../core/text/statements/statement.ts";
import type { Bearing } from "../alignment.ts";

/** Neutral: about the same matter, without confirming or contradicting it. */
export type StanceKind = "support" | "contradict" | "neutral" | "unrelated";

export interface Stance {
  stance: StanceKind;
  /** Strength of the evidence, 0..100; 0 where unrelated. */
  score: number;
  /** The sentence that was compared, with its offsets in its text. */
  evidence: { text: string; start: number; end: number };
  /** What agreed or differed, in words. */
  reasons: string[];
}

export interface Verdict extends Omit<Stance, "evidence"> {
  /** One slot of the event has two values: the rules say so, whatever the judge holds likely. */
  isOfSlot?: true;
}

/**
 * The weighted share of the claim that two sentences must have in common before either can support or contradict the
 * other.
 */
export const RELATED = 0.5;
/** The highest score of support where another verb replaces the claim's. */
const OTHER_VERB = 45;

/** It settles nothing. */
export const neutral = (...reasons: string[]): Verdict => ({ stance: "neutral", score: 0, reasons });
/** It says nothing of the matter. */
export const unrelated = (reason: string): Verdict => ({ stance: "unrelated", score: 0, reasons: [reason] });

const HEDGED = 15;

/** Support, the stronger the more of the claim is there; at least `least`, and weaker where the sentence hedges. */
export function supported(
  { shared, figures, when, names }: Bearing,
  candidate: Statement,
  verbDiffers: boolean,
  least = 0,
): Verdict {
  const bonus =
    (figures.agreement === "agree" ? 12 : 0) + (when === "agree" ? 5 : 0) + (names.agreement === "agree" ? 8 : 0);
  const score =
    Math.max(least, 40 + (35 * (shared.overlap - RELATED)) / (1 - RELATED) + bonus) -
    (candidate.hedges.length > 0 ? HEDGED : 0);
  const reasons = [`${Math.round(100 * shared.overlap)} % of the claim's content is there`, ...figures.reasons];
  if (when === "agree") reasons.push("same time");
  if (names.agreement === "agree") reasons.push("same names");
  if (candidate.hedges.length > 0) reasons.push(`hedged ("${candidate.hedges[0]}")`);
  if (verbDiffers) reasons.push("another verb");
  return { stance: "support", score: bounded(verbDiffers ? Math.min(score, OTHER_VERB) : score), reasons };
}

/** Contradiction for reasons, the stronger the more of the claim is there. */
export function contradiction({ shared, figures, when }: Bearing, candidate: Statement, reasons: string[]): Verdict {
  const bonus = (figures.agreement === "differ" ? 10 : 0) + (when === "agree" ? 5 : 0);
  const score =
    50 +
    (35 * Math.max(0, shared.overlap - RELATED)) / (1 - RELATED) +
    bonus -
    (candidate.hedges.length > 0 ? HEDGED : 0);
  return {
    stance: "contradict",
    score: bounded(score),
    reasons: [...reasons, `${Math.round(100 * shared.overlap)} % of the claim's content is there`],
  };
}

const bounded = (score: number) => Math.round(Math.min(100, Math.max(1, score)));
