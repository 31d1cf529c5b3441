import { numbersIn } from "../../../../core/text/statements/figures/numerals.ts";
import { isStopWord } from "../../../../core/text/words/stop-words.ts";
import { terms } from "../../../../core/text/words/terms.ts";
import { words } from "../../../../core/text/words/words.ts";
import { creditOf, type BriefingArticle } from "../../articles/client.ts";
import { sentencesOf, withoutDateline } from "../writing/sentences.ts";
import { bodyOf } from "./texts.ts";
import { dot, type TermWeights, type Vector } from "./vectors.ts";
import { oddsOf } from "./weighing.ts";

/** What a title of a story tells by: shares from 0 to 1, but for `plainness`, the logarithm of a share. */
export interface TitleEvidence {
  /** Cosine of the title and of what all voices speak of. */
  near: number;
  /** What share of its terms the first sentence of its own text has: a teaser's has few. */
  own: number;
  /** 1: an agency's report, which is titled by what happened. */
  agency: number;
  /** 1: it gives a number, and no later one is known. */
  figure: number;
  /** 1: it begins with an article, a preposition or a question word ("The inspection that nobody can find"). */
  winding: number;
  plainness: number;
}

/**
 * Weights by conditional logit (McFadden 1974) on titles that were judged by reading them
 * (`bench/judgement/news/titles.ts`, record 110).
 */
export const TITLE_WEIGHTS: Readonly<Record<keyof TitleEvidence, number>> = {
  near: 2.55,
  own: 2.23,
  agency: 2.14,
  figure: 2.04,
  winding: -0.83,
  plainness: 1.22,
};

const shareIn = (some: ReadonlySet<string>, all: ReadonlySet<string>): number =>
  some.size === 0 ? 0 : [...some].filter((term) => all.has(term)).length / some.size;

/** A title as far as its form and its story tell. */
interface Title {
  title: string;
  article: BriefingArticle;
  /** From 0 to 1, by its form alone. */
  plainness: number;
  /** Its numbers are those that are known last. */
  isCurrent: boolean;
}

/** Reads a title beside what its story speaks of. */
export function titleEvidence(
  { title, article, plainness, isCurrent }: Title,
  centroid: Vector,
  weights: TermWeights,
): TitleEvidence {
  const said = terms(title);
  const own = new Set(said);
  const body = bodyOf(article),
    told = withoutDateline(body);
  const [opening = ""] = sentencesOf(told, 1);
  return {
    near: dot(weights.vector(said), centroid),
    own: shareIn(own, new Set(terms(opening))),
    agency: Number(body !== told || creditOf(body) !== undefined),
    figure: Number(isCurrent && numbersIn(title).length > 0),
    winding: Number(isStopWord(words(title)[0]?.text ?? "")),
    plainness: Math.log(plainness),
  };
}

/** How well a title tells what happened, beside others of its story: the odds that it is the one to take. */
export const tells = (evidence: TitleEvidence): number => oddsOf(TITLE_WEIGHTS, evidence);
