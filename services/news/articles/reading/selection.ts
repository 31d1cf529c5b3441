import type { BriefingArticle } from "../client.ts";
import { reportOf, type Article } from "../articles.ts";

/** What the choice looks at. */
export type SelectableArticle = Pick<
  Article,
  "id" | "sourceId" | "storyId" | "reportId" | "confidence" | "publishedAt"
>;

/**
 * Doubling the reports of an event counts as much as this much confidence; so does being the newest rather than the
 * oldest.
 */
const STORY_WEIGHT = 0.1;
const RECENCY_WEIGHT = 0.1;
/**
 * Each further copy of one report counts so much less than the one before it, each further report of one event so
 * much: what all carry must not crowd out the rest.
 */
const REPETITION = { copy: 0.15, report: 0.03 };

/** How many reports tell of each event, copies counted once. */
function reportsByStory(candidates: readonly SelectableArticle[]): Map<string, number> {
  const reports = new Map<string, Set<string>>();
  for (const candidate of candidates)
    reports.set(candidate.storyId, (reports.get(candidate.storyId) ?? new Set()).add(reportOf(candidate)));
  return new Map([...reports].map(([storyId, ids]) => [storyId, ids.size]));
}

/**
 * The best articles of a period for a briefing, best first: confidence, size of the story, recency; ties by id, newest
 * first.
 */
export function selectForBriefing<C extends SelectableArticle>(candidates: readonly C[], limit: number): C[] {
  const size = reportsByStory(candidates);
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
    const { storyId } = entry.candidate;
    const reportId = `copy ${reportOf(entry.candidate)}`;
    const [copies, reports] = [met.get(reportId) ?? 0, met.get(storyId) ?? 0];
    met.set(reportId, copies + 1);
    if (copies === 0) met.set(storyId, reports + 1);
    entry.score -= copies > 0 ? REPETITION.copy * copies : REPETITION.report * reports;
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
    reportId,
    assessment,
  } = article;
  const claims = assessment?.claims.map((claim) => ({
    text: claim.text,
    status: claim.status ?? (claim.verified ? ("corroborated" as const) : ("unverified" as const)),
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
    ...(reportId !== undefined && { reportId }),
    ...(claims?.length && { claims }),
  };
}
