import { evidenceIn, IN_ONE, IN_TWO, type PairJudge } from "./pair-likeness.ts";
import { PAIR_WEIGHTS } from "./pair-weights.ts";

/** Logarithms of the odds of a pair are held within these; two with too little in common to be compared have the least. */
export const LEAST = -6;
const MOST = 6;
export const within = (odds: number): number => Math.min(MOST, Math.max(LEAST, odds));

const weighed = (weights: readonly number[], evidence: readonly number[]): number =>
  evidence.reduce((sum, value, at) => sum + value * weights[at]!, 0);

export const judgeOfPairs = ({ inOne, inTwo }: { inOne: readonly number[]; inTwo: readonly number[] }): PairJudge => ({
  inOneLanguage: (like) => weighed(inOne, evidenceIn(IN_ONE, like)),
  inTwoLanguages: (like) => weighed(inTwo, evidenceIn(IN_TWO, like)),
});

export const byPairs = judgeOfPairs(PAIR_WEIGHTS);
