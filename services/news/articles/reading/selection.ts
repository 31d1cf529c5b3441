import type { BriefingArticle } from "../client.ts";
import type { Article } from "../articles.ts";

/** What the choice looks at. */
export type Candidate = Pick<Article, "id" | "sourceId" | "storyId" | "confidence" | "publishedAt">;

/**
 * Doubling the sources of a story counts as much as this much confidence; so does being the newest rather than the
 * oldest.
 */
const STORY_WEIGHT = 0.1;
const RECENCY_WEIGHT = 0.1;
/**
 * Each further article of one story counts so much less than the one before it: a story that all carry must not crowd
 * out the rest.
 */
const REPETITION = 0.15;

/** How many sources carry each story. */
function sourcesByStory(candidates: readonly Candidate[]): Map<string, number> {
  const sources = new Map<string, Set<number>>();
  for (const { storyId, sourceId } of candidates)
    sources.set(storyId, (sources.get(storyId) ?? new Set()).add(sourceId));
  return new Map([...sources].map(([storyId, ids]) => [storyId, ids.size]));
}

/**
 * The best articles of a period for a briefing, best first: confidence, size of the story, recency; ties by id, newest
 * first.
 */
export function selectForBriefing<C extends Candidate>(candidates: readonly C[], limit: number): C[] {
  const size = sourcesByStory(candidates);
  const times = candidates.map(({ publishedAt }) => Date.parse(publishedAt));
  const first = times.reduce((least, time) => Math.min(least, time), Infinity);
  const span = times.reduce((most, time) => Math.max(most, time), first) - first || 1;
  const scored = candidates.map((candidate, at) => ({
    candidate,
    score:
      candidate.confidence +
      STORY_WEIGHT * Math.log2(size.get(candidate.storyId)!) +
      RECENCY_WEIGHT * ((times[at]! - first) / span),
  }));
  const byScore = (a: { candidate: C; score: number }, b: { candidate: C; score: number }) =>
    b.score - a.score || b.candidate.id - a.candidate.id;
  const met = new Map<string, number>();
  for (const entry of scored.sort(byScore)) {
    const before = met.get(entry.candidate.storyId) ?? 0;
    met.set(entry.candidate.storyId, before + 1);
    entry.score -= REPETITION * before;
  }
  return scored
    .sort(byScore)
    .slice(0, limit)
    .map(({ candidate }) => candidate);
}

/** An article as briefings read it. */
export function briefingArticle(article: Article, text: string): BriefingArticle {
  const {
    id,
    title,
    summary,
    url,
    sourceId,
    sourceName,
    domain,
    confidence,
    verified,
    publishedAt,
    storyId,
    assessment,
  } = article;
  const claims = assessment?.claims.map((claim) => ({
    text: claim.text,
    status: claim.verified ? ("corroborated" as const) : ("unverified" as const),
  }));
  return {
    id,
    title,
    text,
    summary,
    url,
    sourceId,
    sourceName,
    domain,
    confidence,
    verified,
    publishedAt,
    storyId,
    ...(claims?.length && { claims }),
  };
}
