import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { atOnce } from "../../../core/work/turns.ts";
import { hashOf } from "../../../core/text/words/token-hashes.ts";
import type { EventJudge } from "../../../services/news/articles/grouping/likeness.ts";
import {
  evidenceIn,
  IN_ONE,
  IN_TWO,
  type PairJudge,
} from "../../../services/news/articles/grouping/retrospective/pair-likeness.ts";
import { ReportPairs } from "../../../services/news/articles/grouping/retrospective/report-pairs.ts";
import { judgeOfPairs } from "../../../services/news/articles/grouping/retrospective/pair-judge.ts";
import { regrouped, type GroupedArticle } from "../../../services/news/articles/grouping/retrospective/regrouping.ts";
import { authorOf } from "./corpus.ts";
import { AUTHORS, fitted, judgementBy, pairsIn, type Found } from "./fitting.ts";
import { arrivals, grouped, Pairs, pairsOf, type Arrival } from "./grouping.ts";

/**
 * Weights of `services/news/articles/grouping/retrospective/regrouping.ts`, by logistic regression on pairs of reports:
 * `node bench/judgement/news/regrouping.ts`. Tells what comes of each author's sets, and of theirs in a stream where of
 * most events only the first report is left, by weights that were fitted without them; with `--write` it writes the
 * weights of all.
 */
const LEAST = [0, 0.25, 0.5, 1];
const FILE = join(import.meta.dirname, "../../../services/news/articles/grouping/retrospective/pair-weights.ts");

/** What a wrong join costs at the intake. */
const AT_INTAKE = 1;

interface Judges {
  intake: EventJudge;
  judge: PairJudge;
}

const isReport = ({ article }: Arrival): boolean => article.root === article.key;

/** All as one stream where of seven in ten events only the first report is left. */
export function sparse(all: readonly Arrival[], sample: string): Arrival[] {
  const begun = new Set<string>();
  return all.filter(({ article: { event } }) => {
    const isFirst = !begun.has(event);
    begun.add(event);
    return isFirst || hashOf(event + sample) % 10 >= 7;
  });
}

/** Each pair of reports, as either sees it. */
function addPairs(set: readonly Arrival[], { inOne, inOther }: Found): void {
  const reports = set.filter(isReport);
  const note = (pairs: Found["inOne"], evidence: number[], one: number, other: number): number => {
    const [mine, theirs] = [reports[one]!, reports[other]!];
    const authors = new Set([mine, theirs].map(({ half }) => authorOf(half)));
    pairs.push({ isOne: mine.article.event === theirs.article.event, authors, evidence });
    return 0;
  };
  const judge: PairJudge = {
    inOneLanguage: (like, one, other) => note(inOne, evidenceIn(IN_ONE, like), one, other),
    inTwoLanguages: (like, one, other) => note(inOther, evidenceIn(IN_TWO, like), one, other),
  };
  atOnce(new ReportPairs(reports, judge).compare(() => {}));
}

const articleOf = ({ article, at }: Arrival, id: number, storyId: string): GroupedArticle => ({
  id,
  title: article.title,
  summary: article.text.split("\n\n")[0]!.slice(0, 300),
  text: article.text,
  publishedAt: new Date(at).toISOString(),
  storyId,
  reportId: article.root,
});

/** What a set becomes by the intake, and once all of it is known. */
function lookedAt(set: readonly Arrival[], { intake, judge }: Judges) {
  const stories = grouped(set, intake);
  const articles = set.map((arrival, id) => articleOf(arrival, id, stories.get(arrival)!));
  return (least: number): Map<Arrival, string> => {
    const eventOf = atOnce(regrouped(articles, { judge, least }));
    return new Map(set.map((arrival) => [arrival, eventOf.get(arrival.article.root)!]));
  };
}

const weightsOf = (found: Found, without?: string) => {
  const [inOne, inTwo] = [found.inOne, found.inOther].map((pairs) =>
    fitted(pairs.filter(({ authors }) => without === undefined || !authors.has(without))),
  ) as [number[], number[]];
  return { inOne, inTwo };
};

const named = (factors: object, weights: readonly number[]): string =>
  Object.keys(factors)
    .map((name, at) => `    ${weights[at]!.toFixed(3)}, // ${name}`)
    .join("\n");

if (import.meta.main) {
  const all = arrivals();
  const sets = Map.groupBy(all, ({ half }) => half);
  const found: Found = { inOne: [], inOther: [] };
  for (const set of [...sets.values(), all, sparse(all, "a"), sparse(all, "b")]) addPairs(set, found);
  const arrived: Found = { inOne: [], inOther: [] };
  for (const set of [...sets.values(), all]) pairsIn(set, arrived);
  const few = sparse(all, "");
  const sums = LEAST.map(() => [new Pairs(), new Pairs(), new Pairs(), new Pairs()] as const);
  for (const author of AUTHORS) {
    const { inOne, inTwo } = weightsOf(arrived, author);
    const judges = { intake: judgementBy(inOne, inTwo, AT_INTAKE), judge: judgeOfPairs(weightsOf(found, author)) };
    const own = [...sets].flatMap(([half, set]) => (authorOf(half) === author ? [lookedAt(set, judges)] : []));
    const thinned = lookedAt(few, judges);
    const told = LEAST.map((least, at) => {
      const whole = own.reduce((sum, look) => sum.add(pairsOf(look(least))), new Pairs());
      const thin = pairsOf(thinned(least), ({ half }) => authorOf(half) === author);
      for (const place of author === "house" ? [0] : [0, 2]) {
        sums[at]![place]!.add(whole);
        sums[at]![place + 1]!.add(thin);
      }
      return `${least}: ${whole}, sparse ${thin}`;
    });
    console.log(`without ${author}: ${told.join("; ")}`);
  }
  for (const [at, [sum, thin, strangers, thinStrangers]] of sums.entries())
    console.log(`left out, ${LEAST[at]}: ${sum}, sparse ${thin}; strangers ${strangers}, sparse ${thinStrangers}`);
  const weights = weightsOf(found);
  console.log(`at the intake: ${pairsOf(grouped(all))}, sparse ${pairsOf(grouped(few))}`);
  if (process.argv.includes("--write"))
    writeFileSync(
      FILE,
      `/** Logarithms of odds for each unit of evidence; written by \`bench/judgement/news/regrouping.ts --write\`. */
export const PAIR_WEIGHTS = {
  inOne: [
${named(IN_ONE, weights.inOne)}
  ],
  inTwo: [
${named(IN_TWO, weights.inTwo)}
  ],
} as const;
`,
    );
}
