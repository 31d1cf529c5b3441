import { numbersIn } from "../../../../core/text/statements/figures/numerals.ts";
import { namesIn } from "../../../../core/text/words/terms.ts";
import { isBackground } from "../figures/series.ts";
import { oddsOf } from "../stories/weighing.ts";
import { standing } from "./sentences.ts";

/** What a sentence tells by, beside others of its story: logarithms of shares, shares from 0 to 1, and counts. */
export interface SentenceEvidence {
  /** Logarithm of how central it is to what all voices say (LexRank, up to 1). */
  central: number;
  /** Cosine of the sentence and the headline of the story. */
  headline: number;
  /** Logarithm of how well it is understood out of its context. */
  alone: number;
  /** 1: it speaks of an earlier year. */
  background: number;
  /** 1: it says whose word it is. */
  attributed: number;
  /** 1: it gives a number. */
  figure: number;
  /** 1: it names the day. */
  dated: number;
  /** Names in it, up to three. */
  names: number;
  /** What share of it stands in quotation marks: a remark. */
  quoted: number;
  /** Tens of words, up to four. */
  length: number;
}

/**
 * Weights by pairwise logistic regression (RankNet's loss: Burges and others 2005) on sentences that an editor judged by
 * reading them (`bench/judgement/news/sentences.ts`, record 153).
 */
export const SENTENCE_WEIGHTS: Readonly<Record<keyof SentenceEvidence, number>> = {
  central: 0.9,
  headline: 1.91,
  alone: 0.14,
  background: -1.81,
  attributed: 0.96,
  figure: 0.7,
  dated: 0.71,
  names: 0.21,
  quoted: -4.29,
  length: 0.61,
};

const ATTRIBUTED =
  /\b(?:said|says|told|according to|announced|confirmed|reported|ruled|declared|found|shows?|showed)\b/;
const DAY = /\b(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day\b/;
const QUOTED = /["“][^"“”]*["”]/g;
const MOST_NAMES = 3;
const MOST_WORDS = 40;

/** Reads a sentence that is so central to its story, 0 to 1, and so near to its headline. */
export function sentenceEvidence(text: string, central: number, headline: number): SentenceEvidence {
  const quoted = (text.match(QUOTED) ?? []).reduce((sum, { length }) => sum + length, 0);
  return {
    central: Math.log(central + 0.01),
    headline,
    alone: Math.log(standing(text)),
    background: Number(isBackground(text)),
    attributed: Number(ATTRIBUTED.test(text)),
    figure: Number(numbersIn(text).length > 0),
    dated: Number(DAY.test(text)),
    names: Math.min(MOST_NAMES, new Set(namesIn(text)).size),
    quoted: quoted / text.length,
    length: Math.min(MOST_WORDS, text.split(" ").length) / 10,
  };
}

/** How well a sentence tells its story, beside others of it: the odds that it is the one to take. */
export const worth = (evidence: SentenceEvidence): number => oddsOf(SENTENCE_WEIGHTS, evidence);
