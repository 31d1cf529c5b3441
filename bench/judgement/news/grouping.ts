import { scoresIn } from "../../../core/text/statements/figures/matches.ts";
import { Generation, near } from "../../../services/news/articles/dedup/generation.ts";
import { bands, fingerprint } from "../../../services/news/articles/dedup/fingerprint.ts";
import { Events } from "../../../services/news/articles/grouping/events.ts";
import { byLikeness, type EventJudge } from "../../../services/news/articles/grouping/likeness.ts";
import { topicOf, type Topic } from "../../../services/news/articles/grouping/topics/topic.ts";
import { corpus, OUTLETS, type Half, type LabelledArticle } from "./corpus.ts";

/** An article as the intake sees it. */
export interface Arrival {
  article: LabelledArticle;
  half: Half;
  sourceId: number;
  at: number;
  print: string;
  bands: number[];
  topic: Topic;
  scores: ReadonlySet<string>;
}

const NOW = Date.parse("2026-11-22T12:00:00Z");
const MOST_COMPARED = 500;
const outlets = Object.keys(OUTLETS);

/** All labelled articles as they came in. */
export const arrivals = (): Arrival[] =>
  corpus()
    .flatMap(({ articles, half }) => articles.map((article) => ({ article, half })))
    .toSorted((one, other) => other.article.ago - one.article.ago)
    .map(({ article, half }) => {
      const item = { title: article.title, summary: article.text.split("\n\n")[0]!.slice(0, 300), text: article.text };
      const print = fingerprint(item);
      return {
        article,
        half,
        sourceId: outlets.indexOf(article.outlet) + 1,
        at: NOW - article.ago,
        print,
        bands: bands(print),
        topic: topicOf(item),
        scores: scoresIn(article.text),
      };
    });

/** The stories that the intake would put articles into, one by one. */
export function grouped(arriving: readonly Arrival[], judge: EventJudge = byLikeness): Map<Arrival, string> {
  const events = new Events(judge);
  const known = new Generation();
  const found = new Map<Arrival, string>();
  for (const arrival of arriving) {
    const { article, sourceId, at, print, bands, topic } = arrival;
    events.learn(topic);
    const copied = known
      .sharing(bands, MOST_COMPARED)
      .find((other) => near({ sourceId, fingerprint: print, at }, other));
    const storyId = copied?.storyId ?? events.nearest(topic, at) ?? article.key;
    if (!copied) events.add(storyId, topic, at);
    known.add({ articleId: 0, sourceId, fingerprint: print, at, storyId, reportId: article.key, alone: false }, bands);
    found.set(arrival, storyId);
  }
  return found;
}

/** Pairs of one event, pairs that are together, and those that are rightly; posts count for nothing. */
export class Pairs {
  there = 0;
  joined = 0;
  right = 0;

  add(other: Pairs): this {
    this.there += other.there;
    this.joined += other.joined;
    this.right += other.right;
    return this;
  }

  toString(): string {
    return `${(this.right / this.there).toFixed(2)}/${(this.right / this.joined).toFixed(2)}`;
  }
}

/** `of`: pairs with any of these alone. */
export function pairsOf(found: ReadonlyMap<Arrival, string>, of: (arrival: Arrival) => boolean = () => true): Pairs {
  const pairs = new Pairs();
  const all = [...found].filter(([{ article }]) => !article.post);
  for (const [at, [one, oneStory]] of all.entries())
    for (const [other, otherStory] of all.slice(at + 1)) {
      if (!of(one) && !of(other)) continue;
      const isOne = one.article.event === other.article.event,
        isTogether = oneStory === otherStory;
      if (isOne) pairs.there++;
      if (isTogether) pairs.joined++;
      if (isOne && isTogether) pairs.right++;
    }
  return pairs;
}

/** `node bench/judgement/news/grouping.ts`: recall and precision of stories by the intake's own means, in seconds. */
if (import.meta.main) {
  const all = arrivals();
  const sum = new Pairs();
  for (const [half, set] of Map.groupBy(all, (arrival) => arrival.half)) {
    const pairs = pairsOf(grouped(set));
    sum.add(pairs);
    console.log(`${half.padEnd(10)} ${pairs}`);
  }
  console.log(`all sets   ${sum}`);
  const stream = grouped(all);
  console.log(`one stream ${pairsOf(stream)}`);
  for (const half of new Set(all.map((arrival) => arrival.half)))
    console.log(`  ${half.padEnd(8)} ${pairsOf(stream, (arrival) => arrival.half === half)}`);
}
