import { atOnce } from "../../../core/work/turns.ts";
import {
  gathered,
  linkages,
  type GroupedArticle,
  type Linkage,
} from "../../../services/news/articles/grouping/retrospective.ts";
import type { EventJudge } from "../../../services/news/articles/grouping/likeness.ts";
import { authorOf, type Half } from "./corpus.ts";
import { AUTHORS, fitted, judgementBy, pairsIn, product, type Found, type Pair } from "./fitting.ts";
import { arrivals, grouped, Pairs, pairsOf, type Arrival } from "./grouping.ts";

/**
 * Weights of `services/news/articles/grouping/retrospective.ts`, by logistic regression on pairs of stories that the
 * intake made: `node bench/judgement/news/gathering.ts [margin of the intake]`. Tells what comes of each author's sets by weights, of the
 * intake and of these, that were fitted without them, by several margins; then the weights of all.
 */
const MARGINS = [0.5, 1.5, 2.5, 3, 3.5];
/** What a wrong join costs at the intake; the product's unless another is given. */
const AT_INTAKE = Number(process.argv[2] ?? 1);

const evidenceOf = ({ odds, pairs }: Linkage): number[] => [1, odds, pairs];

/** The sets of one author as the intake groups them by the weights of the others. */
interface Grouping {
  judge: EventJudge;
  storyOf: ReadonlyMap<Arrival, string>;
  articles: GroupedArticle[];
}

function groupingOf(set: readonly Arrival[], judge: EventJudge): Grouping {
  const storyOf = grouped(set, judge);
  const articles = set.map((arrival, id): GroupedArticle => {
    const { article, at } = arrival;
    return {
      id,
      title: article.title,
      summary: article.text.split("\n\n")[0]!.slice(0, 300),
      text: article.text,
      publishedAt: new Date(at).toISOString(),
      storyId: storyOf.get(arrival)!,
      reportId: article.root,
    };
  });
  return { judge, storyOf, articles };
}

/** Pairs of stories; they are one where more than half of their pairs of reports are. */
function pairsOfStories({ judge, storyOf, articles }: Grouping, author: string): Pair[] {
  const reports = [...storyOf].filter(([{ article }]) => article.root === article.key);
  const byStory = Map.groupBy(reports, ([, story]) => story);
  const eventsOf = (story: string): string[] => byStory.get(story)!.map(([{ article }]) => article.event);
  return atOnce(linkages(articles, judge)).map((linkage) => {
    const [mine, theirs] = [eventsOf(linkage.one), eventsOf(linkage.other)];
    const alike = mine.reduce((sum, event) => sum + theirs.filter((other) => other === event).length, 0);
    return {
      isOne: 2 * alike > mine.length * theirs.length,
      authors: new Set([author]),
      evidence: evidenceOf(linkage),
    };
  });
}

if (import.meta.main) {
  const all = arrivals();
  const sets = Map.groupBy(all, ({ half }) => half);
  const found: Found = { inOne: [], inOther: [] };
  for (const set of [...sets.values(), all]) pairsIn(set, found);
  const groupings = new Map<Half, Grouping>();
  const pairs: Pair[] = [];
  for (const author of AUTHORS) {
    const [inOne, inOther] = [found.inOne, found.inOther].map((each) =>
      fitted(each.filter(({ authors }) => !authors.has(author))),
    ) as [number[], number[]];
    const judge = judgementBy(inOne, inOther, AT_INTAKE);
    for (const [half, set] of sets) {
      if (authorOf(half) !== author) continue;
      const grouping = groupingOf(set, judge);
      groupings.set(half, grouping);
      pairs.push(...pairsOfStories(grouping, author));
    }
  }
  const sums = MARGINS.map(() => ({ all: new Pairs(), strangers: new Pairs() }));
  const before = { all: new Pairs(), strangers: new Pairs() };
  for (const author of AUTHORS) {
    const weights = fitted(pairs.filter(({ authors }) => !authors.has(author)));
    const own = MARGINS.map(() => new Pairs());
    const atFirst = new Pairs();
    for (const [half, { judge, storyOf, articles }] of groupings) {
      if (authorOf(half) !== author) continue;
      atFirst.add(pairsOf(storyOf));
      for (const [at, margin] of MARGINS.entries()) {
        const evidence = (linkage: Linkage): number => product(weights, evidenceOf(linkage)) - margin;
        const firstOf = atOnce(gathered(articles, { judge, evidence }));
        own[at]!.add(pairsOf(new Map([...storyOf].map(([arrival, story]) => [arrival, firstOf.get(story) ?? story]))));
      }
    }
    console.log(
      `without ${author}: ${atFirst}; ${MARGINS.map((margin, at) => `margin ${margin}: ${own[at]}`).join(", ")}`,
    );
    const isStranger = author !== "house";
    before.all.add(atFirst);
    if (isStranger) before.strangers.add(atFirst);
    for (const [at, sum] of sums.entries()) {
      sum.all.add(own[at]!);
      if (isStranger) sum.strangers.add(own[at]!);
    }
  }
  console.log(`left out: ${before.all}, strangers ${before.strangers}`);
  for (const [at, margin] of MARGINS.entries())
    console.log(`left out, margin ${margin}: ${sums[at]!.all}, strangers ${sums[at]!.strangers}`);
  console.log(
    `weights of constant, odds, pairs: ${fitted(pairs)
      .map((weight) => weight.toFixed(3))
      .join(", ")}`,
  );
}
