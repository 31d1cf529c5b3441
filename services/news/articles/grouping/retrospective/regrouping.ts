import { scoresIn } from "../../../../../core/text/statements/figures/matches.ts";
import { each, type Steps } from "../../../../../core/work/turns.ts";
import { reportOf } from "../../articles.ts";
import { Clusters } from "./clusters.ts";
import type { EventArticle } from "../groups.ts";
import { byPairs, LEAST, within } from "./pair-judge.ts";
import type { PairJudge } from "./pair-likeness.ts";
import { ReportPairs } from "./report-pairs.ts";
import { topicOf } from "../topics/topic.ts";
import { preparing } from "../topics/translations.ts";

/** An article with the story that it was put into when it came. */
export interface GroupedArticle extends Omit<EventArticle, "sourceId"> {
  storyId: string;
  reportId?: string | undefined;
}

/** What it weighs that the intake, which knew of earlier days too, put both into one story. */
const TOGETHER = 3;
/** In a story of more reports less, down to this: once the first of a second event has joined, all that follow do. */
const MANY = 5,
  LEAST_TOGETHER = 2;
/** Mean evidence above which two clusters are one: a wrong join costs more than a missed one (record 145). */
const JOINED = 0.5;

/** Of larger stories so many reports are looked at, over all of their time; the others go where most of these do. */
const MOST_LOOKED_AT = 50;
/** Stories of no more reports have words that tell them from others. */
const FEW = 20;

function lookedAt(stories: Iterable<readonly string[]>): (id: string) => boolean {
  const others = new Set<string>();
  for (const story of stories) {
    const every = story.length / MOST_LOOKED_AT;
    if (every <= 1) continue;
    const kept = new Set(Array.from({ length: MOST_LOOKED_AT }, (_none, at) => Math.floor(at * every)));
    for (const [at, id] of story.entries()) if (!kept.has(at)) others.add(id);
  }
  return (id) => !others.has(id);
}

/** Puts those of a story that were not looked at to the event that most of it tell of. */
function follow(story: readonly string[], found: Map<string, string>): void {
  if (story.length <= MOST_LOOKED_AT) return;
  const parts = [...Map.groupBy(story, (id) => found.get(id)).entries()].filter(([event]) => event !== undefined);
  const [event] = parts.reduce((most, part) => (part[1].length > most[1].length ? part : most));
  for (const id of story) if (!found.has(id)) found.set(id, event!);
}

/**
 * Which event each report tells of once all of them are known, by `reportOf` the event's oldest report. The intake sees
 * one report at a time and never looks back: here each is held against each, so that what it put into one story may be
 * two events, and what it held apart one.
 */
export function* regrouped(
  articles: readonly GroupedArticle[],
  { judge = byPairs, least = JOINED }: { judge?: PairJudge; least?: number } = {},
): Steps<Map<string, string>> {
  yield* preparing();
  const byAge = articles.toSorted((a, b) => Date.parse(a.publishedAt) - Date.parse(b.publishedAt) || a.id - b.id);
  // One report for each text, the oldest.
  const oldest = new Map(byAge.toReversed().map((article) => [reportOf(article), article]));
  const stories = Map.groupBy([...oldest.keys()].toReversed(), (id) => oldest.get(id)!.storyId);
  const ids = [...oldest.keys()].toReversed().filter(lookedAt(stories.values()));
  const reports = yield* each(ids, (id) => {
    const article = oldest.get(id)!;
    return { topic: topicOf(article), at: Date.parse(article.publishedAt), scores: scoresIn(article.text) };
  });
  const clusters = new Clusters(reports.length, LEAST);
  const told = new Set<number>();
  yield* new ReportPairs(reports, judge).compare((one, other, odds) => {
    clusters.add(one, other, within(odds));
    told.add(one * reports.length + other);
  });
  for (const story of Map.groupBy(ids.keys(), (at) => oldest.get(ids[at]!)!.storyId).values()) {
    const favour = Math.max(LEAST_TOGETHER, TOGETHER * Math.min(1, Math.sqrt(MANY / story.length)));
    for (const [at, one] of story.entries()) {
      for (const other of story.slice(at + 1)) {
        // What all of a large story have in common is too frequent for any two of it to be compared.
        const isUntold = story.length > FEW && !told.has(one * reports.length + other);
        clusters.favour(one, other, isUntold ? favour - LEAST : favour);
      }
      yield;
    }
  }
  const found = new Map<string, string>();
  for (const members of yield* clusters.joined(least)) {
    const first = Math.min(...members);
    for (const member of members) found.set(ids[member]!, ids[first]!);
  }
  for (const story of stories.values()) follow(story, found);
  return found;
}
