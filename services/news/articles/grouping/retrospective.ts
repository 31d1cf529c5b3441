import type { Steps } from "../../../../core/work/turns.ts";
import { reportOf } from "../articles.ts";
import { Events } from "./events.ts";
import type { EventArticle } from "./groups.ts";
import { byLikeness, type EventJudge } from "./likeness.ts";
import { preparing } from "./translations.ts";
import { topicOf, type Topic } from "./topic.ts";

/** An article with the story that it was put into when it came. */
export interface GroupedArticle extends Omit<EventArticle, "sourceId"> {
  storyId: string;
  reportId?: string | undefined;
}

/** What speaks for it that two stories tell of one event. */
export interface Linkage {
  one: string;
  other: string;
  /** The mean logarithm of the odds that a report of either tells of the other, both ways alike. */
  odds: number;
  /** The logarithm of how many pairs of reports they have. */
  pairs: number;
}

/** In place of the odds where a report and a story have too little in common to be compared; and their bounds. */
const STRANGE = -9,
  LEAST = -13,
  MOST = 7;

/**
 * Logarithms of odds that two stories tell of one event, less 3.5 for what a wrong join costs: fitted by
 * `bench/judgement/news/gathering.ts` where most events have several reports, which is rarer in the news (record 138).
 */
const WEIGHTS = { constant: 3.185, odds: 0.796, pairs: -2.699 };
export const byLinkage = ({ odds, pairs }: Linkage): number =>
  WEIGHTS.constant + WEIGHTS.odds * odds + WEIGHTS.pairs * pairs;

interface Report {
  storyId: string;
  topic: Topic;
  at: number;
}

/** One report for each text, the oldest first. */
function* reportsOf(articles: readonly GroupedArticle[]): Steps<Report[]> {
  const reports = new Map<string, Report>();
  const byAge = articles.toSorted((a, b) => Date.parse(a.publishedAt) - Date.parse(b.publishedAt) || a.id - b.id);
  for (const article of byAge) {
    if (reports.has(reportOf(article))) continue;
    const { storyId, publishedAt } = article;
    reports.set(reportOf(article), { storyId, topic: topicOf(article), at: Date.parse(publishedAt) });
    yield;
  }
  return [...reports.values()];
}

/**
 * What speaks for one event of any two stories that have something in common, once all reports are known: what is rare
 * is learned from all of them first, and each report is held against the whole of the other story.
 */
export function* linkages(articles: readonly GroupedArticle[], judge: EventJudge = byLikeness): Steps<Linkage[]> {
  yield* preparing();
  const reports = yield* reportsOf(articles);
  const events = new Events(judge);
  for (const { topic } of reports) events.learn(topic);
  for (const { storyId, topic, at } of reports) {
    events.add(storyId, topic, at);
    yield;
  }
  const sizes = new Map<string, number>();
  for (const { storyId } of reports) sizes.set(storyId, (sizes.get(storyId) ?? 0) + 1);
  const found = new Map<string, Linkage>();
  for (const { storyId, topic, at } of reports) {
    const share = 1 / (2 * sizes.get(storyId)!);
    for (const [told, odds] of events.oddsBeside(storyId, topic, at)) {
      const [one, other] = storyId < told ? [storyId, told] : [told, storyId];
      const key = `${one} ${other}`;
      const pairs = Math.log(sizes.get(one)! * sizes.get(other)!);
      // Two single reports were held against each other when the second came: nothing more is known of them.
      if (pairs === 0) continue;
      const linkage = found.get(key) ?? { one, other, odds: STRANGE, pairs };
      linkage.odds += share * (Math.min(MOST, Math.max(LEAST, odds)) - STRANGE);
      found.set(key, linkage);
    }
    yield;
  }
  return [...found.values()];
}

/** In place of the evidence of two stories that have nothing in common. */
const APART = -9;

/** Stories that are joined into one, and their sums of evidence with others, above `APART`. */
interface Cluster {
  stories: string[];
  sums: Map<Cluster, number>;
}

const meanOf = (one: Cluster, other: Cluster): number =>
  APART + (one.sums.get(other) ?? 0) / (one.stories.length * other.stories.length);

function join(into: Cluster, from: Cluster): void {
  into.stories.push(...from.stories);
  into.sums.delete(from);
  for (const [other, sum] of from.sums) {
    if (other === into) continue;
    const all = sum + (into.sums.get(other) ?? 0);
    into.sums.set(other, all);
    other.sums.set(into, all);
    other.sums.delete(from);
  }
}

/**
 * Stories that tell of one event although the intake, which sees one report at a time, holds them apart: by story what
 * the first of its event is called. Clusters are joined by the mean evidence of their stories, the surest first
 * (group-average clustering for retrospective event detection: Yang, Pierce & Carbonell 1998).
 */
export function* gathered(
  articles: readonly GroupedArticle[],
  { judge = byLikeness, evidence = byLinkage }: { judge?: EventJudge; evidence?: typeof byLinkage } = {},
): Steps<Map<string, string>> {
  const clusters = new Map<string, Cluster>();
  const clusterOf = (story: string): Cluster => {
    const known = clusters.get(story) ?? { stories: [story], sums: new Map() };
    clusters.set(story, known);
    return known;
  };
  const likely: Linkage[] = [];
  for (const linkage of yield* linkages(articles, judge)) {
    const [one, other] = [clusterOf(linkage.one), clusterOf(linkage.other)];
    const sum = Math.max(0, evidence(linkage) - APART);
    one.sums.set(other, sum);
    other.sums.set(one, sum);
    // Clusters whose mean is above 0 have stories with such evidence.
    if (evidence(linkage) > 0) likely.push(linkage);
  }
  for (;;) {
    let [best, surest] = [0, undefined as [Cluster, Cluster] | undefined];
    for (const linkage of likely) {
      const [one, other] = [clusters.get(linkage.one)!, clusters.get(linkage.other)!];
      if (one !== other && meanOf(one, other) > best) [best, surest] = [meanOf(one, other), [one, other]];
    }
    if (!surest) break;
    const [into, from] = surest;
    join(into, from);
    for (const story of from.stories) clusters.set(story, into);
    yield;
  }
  return new Map([...clusters].map(([story, { stories }]) => [story, stories[0]!]));
}
