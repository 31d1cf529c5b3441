import { languageOf } from "../../../core/text/language.ts";
import { terms } from "../../../core/text/words/terms.ts";
import type { BriefingArticle } from "../../../services/news/articles/client.ts";
import { headlineOf, plainness } from "../../../services/news/briefings/stories/headlines.ts";
import { TITLE_WEIGHTS, titleEvidence, type TitleEvidence } from "../../../services/news/briefings/stories/titles.ts";
import { add, TermWeights, unit } from "../../../services/news/briefings/stories/vectors.ts";
import { briefed } from "./briefed.ts";
import { corpus } from "./corpus.ts";
import { product } from "./fitting.ts";
import { titleGrades } from "./telling.ts";

/**
 * Weights of `services/news/briefings/stories/titles.ts`: `node bench/judgement/news/titles.ts`. Tells of each set how
 * many events would get a title that tells what happened, by weights that were fitted without that set, then the weights
 * of all.
 */
type Name = keyof TitleEvidence;
const NAMES = Object.keys(TITLE_WEIGHTS) as Name[];

interface Graded {
  grade: number;
  evidence: number[];
}
interface Event {
  half: string;
  titles: Graded[];
}

const ROUNDS = 400;
const RATE = 0.05;
/** How far weights are held near zero. */
const RIDGE = 0.3;

function events(): Event[] {
  const grades = titleGrades();
  return [...Map.groupBy(corpus(), ({ half }) => half)].flatMap(([half, labelled]) => {
    const read = labelled.map(({ articles }) =>
      articles.filter(({ post }) => !post).map((article, id) => ({ key: article.key, article: briefed(article, id) })),
    );
    const spoken = read.map((articles) => articles.filter(({ article }) => languageOf(article.text) === "en"));
    const words = ({ title, text }: BriefingArticle): string[] =>
      [title, title, title, text.slice(0, 600)].flatMap(terms);
    const weights = new TermWeights(spoken.flat().map(({ article }) => words(article)));
    return spoken.flatMap((articles): Event[] => {
      const graded = articles.filter(({ key }) => grades.has(key));
      if (graded.length < 2) return [];
      const sum = new Map<string, number>();
      for (const { article } of articles) add(sum, weights.vector(words(article)));
      const centroid = unit(sum);
      return [
        {
          half,
          titles: graded.map(({ key, article }) => {
            const title = headlineOf(article);
            const evidence = titleEvidence(
              { title, article, plainness: plainness(article, title), isCurrent: true },
              centroid,
              weights,
            );
            return { grade: grades.get(key)!, evidence: NAMES.map((name) => evidence[name]) };
          }),
        },
      ];
    });
  });
}

/** By gradient ascent on how likely one of the best titles of each event is taken. */
function fitted(some: readonly Event[]): number[] {
  let weights = NAMES.map(() => 0);
  for (let round = 0; round < ROUNDS; round++) {
    const slope = weights.map((weight) => -RIDGE * weight);
    for (const { titles } of some) {
      const best = Math.max(...titles.map(({ grade }) => grade));
      const odds = titles.map(({ evidence }) => Math.exp(product(weights, evidence)));
      const all = odds.reduce((sum, each) => sum + each, 0);
      const right = odds.reduce((sum, each, at) => sum + (titles[at]!.grade === best ? each : 0), 0);
      for (const [at, { evidence, grade }] of titles.entries()) {
        const pull = (grade === best ? odds[at]! / right : 0) - odds[at]! / all;
        for (const [name, value] of evidence.entries()) slope[name]! += pull * value;
      }
    }
    weights = weights.map((weight, at) => weight + RATE * slope[at]!);
  }
  return weights;
}

/** Of the events that have a title which tells what happened, those that would get one. */
function told(some: readonly Event[], weights: readonly number[]): [number, number] {
  const could = some.filter(({ titles }) => titles.some(({ grade }) => grade === 2));
  const right = could.filter(({ titles }) => {
    const score = ({ evidence }: Graded): number => product(weights, evidence);
    return titles.reduce((one, other) => (score(other) > score(one) ? other : one)).grade === 2;
  });
  return [right.length, could.length];
}

if (import.meta.main) {
  const all = events();
  const sums = [0, 0];
  for (const half of new Set(all.map((event) => event.half))) {
    const [right, could] = told(
      all.filter((event) => event.half === half),
      fitted(all.filter((event) => event.half !== half)),
    );
    sums[0]! += right;
    sums[1]! += could;
    console.log(`${half} ${right} of ${could}`);
  }
  console.log(`left out: ${sums.join(" of ")}`);
  const weights = fitted(all);
  console.log(`all: ${told(all, weights).join(" of ")}`);
  console.log(NAMES.map((name, at) => `${name} ${weights[at]!.toFixed(2)}`).join(", "));
}
