import { Generation, near } from "../dedup/generation.ts";
import { bands, fingerprint } from "../dedup/fingerprint.ts";
import { Events } from "./events.ts";
import { topicOf } from "./topics/topic.ts";

/** An article as far as its event is told by it. */
export interface EventArticle {
  id: number;
  sourceId: number;
  title: string;
  summary: string;
  text: string;
  publishedAt: string;
}

const MOST_COMPARED = 500;

/** Groups articles into events and reports as intake would if they came in by age. Pure. */
export function groupStories(articles: readonly EventArticle[]): Map<number, { storyId: string; reportId: string }> {
  const events = new Events();
  const known = new Generation();
  const found = new Map<number, { storyId: string; reportId: string }>();
  const byAge = articles.toSorted((a, b) => Date.parse(a.publishedAt) - Date.parse(b.publishedAt) || a.id - b.id);
  const topics = new Map(byAge.map((article) => [article.id, topicOf(article)]));
  for (const topic of topics.values()) events.learn(topic);
  for (const article of byAge) {
    const { id, sourceId } = article;
    const print = fingerprint(article);
    const at = Date.parse(article.publishedAt);
    const keys = bands(print);
    const first = known
      .sharing(keys, MOST_COMPARED)
      .findLast((other) => near({ sourceId, fingerprint: print, at }, other));
    const topic = topics.get(id)!;
    const own = String(id);
    const trace = first ?? {
      articleId: id,
      sourceId,
      fingerprint: print,
      at,
      storyId: events.nearest(topic, at) ?? own,
      reportId: own,
      alone: false,
    };
    if (!first) events.add(trace.storyId, topic, at);
    known.add(trace, keys);
    found.set(id, { storyId: trace.storyId, reportId: trace.reportId });
  }
  return found;
}
