import { lazily, lexicon } from "../../../../../core/text/lexicon.ts";
import { endsIn, type End } from "../../../../../core/text/statements/ends.ts";
import type { Statement } from "../../../../../core/text/statements/statement.ts";
import { tokensOf, type Token } from "./between.ts";
import type { Two } from "./features.ts";

/** For each term its opposites: 2 for those that a dictionary names, 1 for those of related words. */
const opposites = lazily(() => {
  const found = new Map<string, Map<string, number>>();
  const { outright, akin } = lexicon.opposites;
  for (const [strength, pairs] of [
    [2, outright],
    [1, akin],
  ] as const)
    for (const pair of pairs) {
      const [one, other] = pair.split(" ") as [string, string];
      for (const [from, to] of [
        [one, other],
        [other, one],
      ] as const)
        found.set(from, (found.get(from) ?? new Map<string, number>()).set(to, strength));
    }
  return found;
});

type Place = readonly [first: number, last: number];

const REACH = 6;
/** Content words around a place in a sentence. */
const around = (side: Statement, [first, last]: Place): readonly Token[] =>
  tokensOf(side).filter(({ at }) => (at < first && first - at <= REACH) || (at > last && at - last <= REACH));

/** How similar the words around two places are, 0..1. */
const contextOf = ({ one, other, between }: Two, mine: Place, theirs: Place): number =>
  between.alike(around(one, mine), around(other, theirs));

const isDenied = ({ negations }: Statement, at: number): boolean =>
  negations.filter(({ from, to }) => at >= from && at <= to).length % 2 === 1;

const NO_CONTEXT = -0.3;
/** Weight of a dictionary's opposite compared with that of the surrounding words. */
const OF_STRENGTH = 0.25;

/** Among opposites that occur in one sentence each, the pair with the most similar surroundings. */
function antonyms(two: Two): Record<string, number> {
  const { one, other, between } = two;
  const [mine, theirs] = [tokensOf(one), tokensOf(other)];
  const isThere = (tokens: readonly Token[], { stem }: Token): boolean => tokens.some((it) => it.stem === stem);
  let best = { strength: 0, context: NO_CONTEXT, weight: 0, turned: 0 };
  let count = 0;
  for (const a of mine) {
    const its = opposites().get(a.stem);
    if (!its || isThere(theirs, a)) continue;
    for (const b of theirs) {
      const strength = its.get(b.stem);
      if (strength === undefined || isThere(mine, b)) continue;
      count += 1;
      const context = contextOf(two, [a.at, a.at], [b.at, b.at]);
      if (OF_STRENGTH * strength + context <= OF_STRENGTH * best.strength + best.context) continue;
      const weight = Math.min(between.weight(a), between.weight(b));
      best = { strength, context, weight, turned: Number(isDenied(one, a.at) !== isDenied(other, b.at)) };
    }
  }
  return {
    antonyms: count,
    "antonyms strength": best.strength,
    "antonyms context": best.context,
    "antonyms weight": best.weight,
    "antonyms turned": best.turned,
  };
}

/** A side's answer to a question, by the phrase with most words; undefined where it gives both answers. */
function answerOf(found: readonly End[], axis: string): End | undefined {
  const [first, ...more] = found.filter((it) => it.axis === axis);
  if (!first || more.some(({ end }) => end !== first.end)) return undefined;
  return more.reduce((best, it) => (it.last - it.first > best.last - best.first ? it : best), first);
}

/** Questions that both answer, with the same answer or different ones. */
function answers(two: Two): Record<string, number> {
  const [mine, theirs] = [endsIn(two.one), endsIn(two.other)];
  const [apart, alike] = [
    { count: 0, context: NO_CONTEXT, words: 0 },
    { count: 0, context: NO_CONTEXT, words: 0 },
  ];
  for (const axis of new Set(mine.map((it) => it.axis))) {
    const [a, b] = [answerOf(mine, axis), answerOf(theirs, axis)];
    if (!a || !b) continue;
    const found = a.end === b.end ? alike : apart;
    found.count += 1;
    found.context = Math.max(found.context, contextOf(two, [a.first, a.last], [b.first, b.last]));
    found.words = Math.max(found.words, 2 + a.last - a.first + b.last - b.first);
  }
  return {
    "ends apart": apart.count,
    "ends apart context": apart.context,
    "ends apart words": apart.words,
    "ends alike": alike.count,
    "ends alike context": alike.context,
  };
}

/** Features of contradictions between two sentences, by opposites and by ends. */
export const oppositeFeatures = (two: Two): Record<string, number> => ({ ...antonyms(two), ...answers(two) });
