import type { BriefingArticle } from "../../../services/news/articles/client.ts";
import { TOPICS } from "../../../services/news/briefings/topics/fields.ts";
import {
  evidenceOf,
  softness,
  softSum,
  topicScores,
  type TopicEvidence,
  type TopicWeights,
} from "../../../services/news/briefings/topics/topics.ts";
import { authorOf, corpus, OUTLETS, type LabelledArticle, type LabelledEvent } from "./corpus.ts";

/**
 * Fits how the evidence of a story's topic counts (`weights` of topics.json) to the labelled events, and tells what the
 * weights of all other authors do on each: `node bench/judgement/news/domains.ts`. The lists were written with most
 * sets in sight, and outlets of the corpus are filed well: what these two count is set, not fitted.
 */
const LISTED = 2;
const FILED = 1.5;

const names = Object.keys(OUTLETS);
const asArticle = ({ outlet, title, text }: LabelledArticle, id: number): BriefingArticle =>
  ({
    id,
    title,
    text,
    summary: "",
    sourceId: names.indexOf(outlet),
    domain: OUTLETS[outlet]!.domain,
  }) as unknown as BriefingArticle;

interface Labelled {
  event: LabelledEvent;
  evidence: TopicEvidence;
  /** Which topics are right. */
  right: boolean[];
  isSport: boolean;
}

/** The corpus has results of sport among hard and soft news. */
const isSport = ({ id, domains }: LabelledEvent): boolean =>
  domains.includes("sport") || /football|-cup|derby|league|-final|tennis|-marathon|chess/.test(id);

function labelled(event: LabelledEvent, articles: readonly BriefingArticle[]): Labelled {
  const sport = isSport(event) && event.id !== "dog-marathon";
  const right = sport
    ? ["sport"]
    : event.news === "soft"
      ? ["soft"]
      : event.domains.includes("none")
        ? [...event.domains, "other"]
        : event.domains;
  return {
    event,
    evidence: evidenceOf(articles, articles),
    right: TOPICS.map((topic) => right.includes(topic)),
    isSport: sport,
  };
}

/** Events, and each of their articles by itself: grouping leaves many alone. */
function readings(event: LabelledEvent): { whole: Labelled; alone: Labelled[] } {
  const articles = event.articles.filter(({ post }) => !post).map(asArticle);
  return { whole: labelled(event, articles), alone: articles.map((article) => labelled(event, [article])) };
}

const shares = (scores: readonly number[]): number[] => {
  const most = Math.max(...scores);
  const parts = scores.map((score) => Math.exp(score - most));
  const sum = parts.reduce((all, part) => all + part, 0);
  return parts.map((part) => part / sum);
};

/** Conditional logit by gradient descent: any right topic will do. */
function fitTopics(train: readonly Labelled[]): TopicWeights {
  const topics = TOPICS.map(() => 0);
  let said = 1;
  for (let round = 0; round < 800; round++) {
    const slope = topics.map((bias) => 0.01 * bias);
    let ofSaid = 0.001 * said;
    for (const { evidence, right } of train) {
      const chances = shares(topicScores(evidence, { said, listed: LISTED, filed: FILED, topics, soft: [] }));
      const hit = chances.reduce((sum, chance, at) => sum + (right[at] ? chance : 0), 1e-9);
      for (const [at, chance] of chances.entries()) {
        const off = (chance - (right[at] ? chance / hit : 0)) / train.length;
        slope[at]! += off;
        ofSaid += off * Math.log(evidence.said[at]! + 0.02);
      }
    }
    for (const [at, of] of slope.entries()) topics[at]! -= 0.5 * of;
    said -= 0.5 * ofSaid;
  }
  return { said, listed: LISTED, filed: FILED, topics, soft: [] };
}

/** Logistic regression, soft and hard news of equal weight; results of sport are neither. */
function fitSoft(train: readonly Labelled[], topics: TopicWeights): number[] {
  const told = train.filter((each) => !each.isSport);
  const softs = told.filter(({ event }) => event.news === "soft").length;
  const weights = [...told[0]!.evidence.soft.map(() => 0), 0];
  for (let round = 0; round < 3_000; round++) {
    const slope = weights.map((weight, at) => (at < weights.length - 1 ? 0.003 * weight : 0));
    for (const { event, evidence } of told) {
      const soft = Number(event.news === "soft");
      const chance = 1 / (1 + Math.exp(-softSum(evidence, { ...topics, soft: weights })));
      const off = ((chance - soft) * 0.5) / (soft ? softs : told.length - softs);
      for (const [at, sign] of [...evidence.soft, 1].entries()) slope[at]! += off * sign;
    }
    for (const [at, of] of slope.entries()) weights[at]! -= 2 * of;
  }
  return weights;
}

function fit(events: readonly Labelled[], texts: readonly Labelled[]): TopicWeights {
  const topics = fitTopics(events);
  return { ...topics, soft: fitSoft(texts, topics) };
}
const named = ({ event }: Labelled, said: string): string => `${event.half} ${event.id}: ${said}`;

/** How often a text by itself is taken for soft, of hard and of soft news. */
function alone(texts: readonly Labelled[], weights: TopicWeights): string {
  const counts = (["hard", "soft"] as const).map((news) => {
    const told = texts.filter(({ event, isSport: sport }) => event.news === news && !sport);
    const soft = told.filter(({ evidence }) => softness(evidence, topicScores(evidence, weights), weights) > 0);
    return `${soft.length} of ${told.length} ${news} ones`;
  });
  return `single texts taken for soft: ${counts.join(", ")}`;
}

function judged(test: readonly Labelled[], weights: TopicWeights): string[] {
  const lines: string[] = [];
  const counts = new Map<string, [right: number, all: number]>();
  for (const each of test) {
    const { event, evidence, right } = each;
    const scores = topicScores(evidence, weights);
    const soft = softness(evidence, scores, weights) > 0;
    if (!each.isSport && soft !== (event.news === "soft"))
      lines.push(named(each, soft ? "taken for soft" : "not soft"));
    if (event.news === "soft" || event.domains.includes("none")) continue;
    const count = counts.get(event.half) ?? [0, 0];
    const best = scores.indexOf(Math.max(...scores));
    counts.set(event.half, [count[0] + Number(right[best]), count[1] + 1]);
    if (!right[best]) lines.push(named(each, `${event.domains.join(",")}, taken for ${TOPICS[best]}`));
  }
  return [...lines, [...counts].map(([half, [hit, all]]) => `${half} ${hit} of ${all}`).join(", ")];
}

if (import.meta.main) {
  const all = corpus()
    .filter(({ news, articles }) => articles.length > 0 && (news === "hard" || news === "soft"))
    .map((event) => ({ author: authorOf(event.half), ...readings(event) }));
  const fitted = (others: typeof all): TopicWeights =>
    fit(
      others.map(({ whole }) => whole),
      others.flatMap(({ whole, alone }) => [whole, ...alone]),
    );
  const told = (some: typeof all, weights: TopicWeights): string =>
    [
      ...judged(
        some.map(({ whole }) => whole),
        weights,
      ),
      alone(
        some.flatMap((each) => each.alone),
        weights,
      ),
    ].join("\n");
  for (const author of new Set(all.map((each) => each.author))) {
    const weights = fitted(all.filter((each) => each.author !== author));
    const own = all.filter((each) => each.author === author);
    console.log(`## ${author}, by the weights of the others\n${told(own, weights)}`);
  }
  const weights = fitted(all);
  console.log(`## All, by the weights of all\n${told(all, weights)}`);
  const rounded = (_: string, value: unknown) => (typeof value === "number" ? Math.round(value * 100) / 100 : value);
  console.log(JSON.stringify(weights, rounded));
}
