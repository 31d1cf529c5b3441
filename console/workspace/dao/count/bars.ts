import { scoreWords, shareOf } from "../amounts.ts";
import type { DaoTally } from "../dao-types.ts";

/** One option as a picture of a count shows it. */
export interface Bar {
  at: number;
  option: string;
  /** What it got, in words. */
  words: string;
  /** Of what all options got, from 0 to 1. */
  share: number;
  isWinner: boolean;
}

const sumOf = (scores: readonly string[]): string => String(scores.reduce((sum, one) => sum + BigInt(one), 0n));

/** The options with what each got. In an approval vote a share is that of the power cast: options do not add up there. */
export function barsOf({ kind, scores, power, winner }: DaoTally, options: readonly string[]): Bar[] {
  const whole = kind === "approval" ? power.cast : sumOf(scores);
  return scores.map((score, at) => ({
    at,
    option: options[at] ?? `option ${at}`,
    words: scoreWords(kind, score),
    share: shareOf(score, whole),
    isWinner: at === winner,
  }));
}

/** A count as one sentence, for those who do not see the picture. */
export const pictureWords = (bars: readonly Bar[]): string =>
  bars.map(({ option, words, share }) => `${option}: ${words} (${Math.round(share * 100)} %)`).join(", ");
