import { onlyAsks } from "../../../../../core/text/statements/speech/asking.ts";
import { lexicon } from "../../../../../core/text/lexicon.ts";
import { DIFFERENT } from "../../../../../core/text/statements/comparison.ts";
import type { Statement } from "../../../../../core/text/statements/statement.ts";
import { isForeign } from "../slots/guards.ts";
import { likeness, tokensOf } from "./between.ts";
import { sumsOf, type Model } from "./forest.ts";
import { featuresOf, figurePairs, type FigurePair, type Two } from "./features.ts";

/** How likely two sentences state the same, exclude each other, or give one thing at two times, 0..1. */
export interface Judgement {
  agree: number;
  exclude: number;
  succeed: number;
}

/** A model's judgement of features. */
export function judgedBy(model: Model, given: Readonly<Record<string, number>>): Judgement {
  const [neither, agree, exclude, succeed] = sumsOf(model, given).map(Math.exp) as [number, number, number, number];
  const all = neither + agree + exclude + succeed;
  return { agree: agree / all, exclude: exclude / all, succeed: succeed / all };
}

/** Whether both statements are in the language that the model has learned, and state something. */
export const areJudged = (one: Statement, other: Statement): boolean =>
  [one, other].every((side) => !isForeign(side)?.is && !onlyAsks(side.text));

/** The learned judge's judgement of two sentences of one story. */
export const judged = (two: Two): Judgement => judgedBy(lexicon.pairs as unknown as Model, featuresOf(two));

const MOST_WORDS = 4;

/** The words that both share in meaning, one by one: "blast (explosion), market". */
export function commonWords({ one, other, between }: Pick<Two, "one" | "other" | "between">): string[] {
  const theirs = tokensOf(other);
  const found = tokensOf(one).flatMap((token) => {
    const partner = theirs.reduce<[number, number]>(
      (best, it, index) => (likeness(token, it) > best[0] ? [likeness(token, it), index] : best),
      [LEAST_LIKE, -1],
    )[1];
    if (partner < 0) return [];
    const [mine, its] = [one.words[token.at]!.text, other.words[theirs[partner]!.at]!.text];
    return [{ weight: between.weight(token), text: token.stem === theirs[partner]!.stem ? mine : `${mine} (${its})` }];
  });
  const heaviest = found.sort((a, b) => b.weight - a.weight).slice(0, MOST_WORDS);
  return [...new Set(heaviest.map(({ text }) => text))];
}
const LEAST_LIKE = 0.2;

const inPercent = (share: number): string => `${Math.round(100 * share)} %`;

/** Whether two figures count one thing, by the words around them. */
export const areOfOneThing = ({ context, thing }: FigurePair): boolean => context + thing / 2 >= LEAST_LIKE;

/** The reasons of a judgement: what both share, and which figures agree or differ. */
export function reasonsOf(two: Two, kind: "agree" | "exclude", likely: number): string[] {
  const { equal, apart } = figurePairs(two);
  const common = commonWords(two);
  const written = ({ mine, theirs }: (typeof equal)[number], by: string) =>
    `${mine.quantity.text} ${by} ${theirs.quantity.text}`;
  const figure =
    kind === "agree"
      ? equal.slice(0, 1).map((pair) => `same figure: ${written(pair, "and")}`)
      : apart
          .filter(areOfOneThing)
          .slice(0, 1)
          .map((pair) => `${DIFFERENT}: ${written(pair, "against")}`);
  const sure = kind === "agree" ? "state the same" : "exclude each other";
  return [
    ...figure,
    ...(common.length ? [`both speak of ${common.join(", ")}`] : []),
    `${inPercent(likely)} likely to ${sure}`,
  ];
}
