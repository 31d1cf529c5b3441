import { Events } from "../../../services/news/articles/grouping/events.ts";
import {
  IN_ONE_LANGUAGE,
  IN_OTHER_LANGUAGES,
  type OddsFactor,
  type EventJudge,
} from "../../../services/news/articles/grouping/likeness.ts";
import { authorOf, STRANGERS } from "./corpus.ts";
import { arrivals, grouped, Pairs, pairsOf, type Arrival } from "./grouping.ts";

/**
 * Weights of `services/news/articles/grouping/likeness.ts`, by logistic regression on pairs of newcomers and of events
 * that are grouped as they are labelled: `node bench/judgement/news/fitting.ts [margin]`. Tells what comes of each
 * author's sets when they are left out of the fit, then the weights of all.
 */
export const AUTHORS = ["house", ...STRANGERS];

export interface Pair {
  isOne: boolean;
  authors: Set<string>;
  /** What speaks for and against, in the order of the evidence. */
  evidence: number[];
}
export interface Found {
  inOne: Pair[];
  inOther: Pair[];
}

/** What strangers wrote counts threefold. */
const OF_STRANGERS = 3;
/** How far weights are held near zero, each by how much its evidence varies. */
const RIDGE = 2;
const ROUNDS = 30;

const valuesOf = <T>(evidence: Record<string, OddsFactor<T>>, like: T): number[] =>
  Object.values(evidence).map(({ of }) => of(like));

/** Pairs of each newcomer with the events that it may tell of. */
export function pairsIn(arriving: readonly Arrival[], found: Found): void {
  const authors = new Map(arriving.map(({ article, half }) => [article.event, authorOf(half)]));
  let newcomer: Arrival;
  const note = (pairs: Pair[], storyId: string, evidence: number[]): number => {
    pairs.push({
      isOne: storyId === newcomer.article.event,
      authors: new Set([authors.get(storyId)!, authorOf(newcomer.half)]),
      evidence,
    });
    return 0;
  };
  const events = new Events({
    inOneLanguage: (like, storyId) => note(found.inOne, storyId, valuesOf(IN_ONE_LANGUAGE, like)),
    inOtherLanguages: (like, storyId) => note(found.inOther, storyId, valuesOf(IN_OTHER_LANGUAGES, like)),
  });
  for (newcomer of arriving) {
    events.learn(newcomer.topic);
    if (newcomer.article.root !== newcomer.article.key) continue;
    events.nearest(newcomer.topic, newcomer.at);
    events.add(newcomer.article.event, newcomer.topic, newcomer.at);
  }
}

const probability = (odds: number): number => 1 / (1 + Math.exp(-odds));
export const product = (one: readonly number[], other: readonly number[]): number =>
  one.reduce((sum, value, at) => sum + value * other[at]!, 0);

/** Solves a symmetric system of equations, by Gauss and Jordan. */
function solved(matrix: number[][], right: number[]): number[] {
  const rows = matrix.map((row, at) => [...row, right[at]!]);
  for (const [at, row] of rows.entries()) {
    const pivot = row[at]!;
    for (const [other, into] of rows.entries()) {
      const factor = into[at]! / pivot;
      if (other !== at && factor !== 0) for (let to = at; to < into.length; to++) into[to]! -= factor * row[to]!;
    }
  }
  return rows.map((row, at) => row.at(-1)! / row[at]!);
}

/** Weights by Newton's method; the first evidence is the constant, which is not held near zero. */
export function fitted(pairs: readonly Pair[]): number[] {
  const size = pairs[0]!.evidence.length;
  const spread = Array.from({ length: size }, (_, at) => {
    const mean = pairs.reduce((sum, { evidence }) => sum + evidence[at]!, 0) / pairs.length;
    return pairs.reduce((sum, { evidence }) => sum + (evidence[at]! - mean) ** 2, 0) / pairs.length;
  });
  let weights = Array.from({ length: size }, () => 0);
  for (let round = 0; round < ROUNDS; round++) {
    const slope = weights.map((weight, at) => -RIDGE * spread[at]! * weight);
    const curve = Array.from({ length: size }, (_, at) =>
      Array.from({ length: size }, (__, to) => (at === to ? RIDGE * spread[at]! + 1e-6 : 0)),
    );
    for (const { evidence, isOne, authors } of pairs) {
      const counts = authors.size === 1 && authors.has("house") ? 1 : OF_STRANGERS;
      const likely = probability(product(weights, evidence));
      const bend = counts * likely * (1 - likely);
      for (let at = 0; at < size; at++) {
        slope[at]! += counts * (Number(isOne) - likely) * evidence[at]!;
        for (let to = 0; to < size; to++) curve[at]![to]! += bend * evidence[at]! * evidence[to]!;
      }
    }
    const step = solved(curve, slope);
    weights = weights.map((weight, at) => weight + step[at]!);
  }
  return weights;
}

export const judgementBy = (inOne: readonly number[], inOther: readonly number[], margin: number): EventJudge => ({
  inOneLanguage: (like) => product(inOne, valuesOf(IN_ONE_LANGUAGE, like)) - margin,
  inOtherLanguages: (like) => product(inOther, valuesOf(IN_OTHER_LANGUAGES, like)) - margin,
});

const loss = (pairs: readonly Pair[], weights: readonly number[]): number =>
  pairs.reduce((sum, { isOne, evidence }) => {
    const odds = product(weights, evidence);
    return sum + Math.log1p(Math.exp(isOne ? -odds : odds));
  }, 0);

const told = (weights: readonly number[], evidence: object): string =>
  Object.keys(evidence)
    .map((name, at) => `${name} ${weights[at]!.toFixed(2)}`)
    .join(", ");

if (import.meta.main) {
  const margins = process.argv.slice(2).map(Number);
  const all = arrivals();
  const sets = Map.groupBy(all, ({ half }) => half);
  const found: Found = { inOne: [], inOther: [] };
  for (const set of [...sets.values(), all]) pairsIn(set, found);
  const sums = margins.map(() => ({ sets: new Pairs(), stream: new Pairs() }));
  for (const author of AUTHORS) {
    const weights = [found.inOne, found.inOther].map((pairs) =>
      fitted(pairs.filter(({ authors }) => !authors.has(author))),
    );
    const losses = [found.inOne, found.inOther].map((pairs, at) =>
      loss(
        pairs.filter(({ authors }) => authors.has(author)),
        weights[at]!,
      ).toFixed(1),
    );
    console.log(`without ${author}: loss ${losses.join(" and ")}`);
    for (const [at, margin] of margins.entries()) {
      const judge = judgementBy(weights[0]!, weights[1]!, margin);
      const own = new Pairs();
      for (const [half, set] of sets) if (authorOf(half) === author) own.add(pairsOf(grouped(set, judge)));
      const stream = pairsOf(grouped(all, judge), ({ half }) => authorOf(half) === author);
      console.log(`  margin ${margin}: by set ${own}, in the stream ${stream}`);
      sums[at]!.sets.add(own);
      sums[at]!.stream.add(stream);
    }
  }
  for (const [at, margin] of margins.entries())
    console.log(`left out, margin ${margin}: by set ${sums[at]!.sets}, in the stream ${sums[at]!.stream}`);
  const weights = [fitted(found.inOne), fitted(found.inOther)] as const;
  console.log(told(weights[0], IN_ONE_LANGUAGE));
  console.log(told(weights[1], IN_OTHER_LANGUAGES));
  for (const margin of margins) {
    const judge = judgementBy(weights[0], weights[1], margin);
    const bySet = [...sets].map(([half, set]) => `${half} ${pairsOf(grouped(set, judge))}`);
    console.log(`all, margin ${margin}: ${bySet.join("  ")}  stream ${pairsOf(grouped(all, judge))}`);
  }
}
