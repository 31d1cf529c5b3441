/**
 * Reading the store, writing, and the round of the job queue; measured on two cores: about a millisecond an article
 * beside it.
 */
const BASE_MS = 1_000;
const PER_ARTICLE_MS = 2;

/**
 * How long a briefing will take, in whole seconds, at least 1: the 75th percentile of recent runs (milliseconds), so
 * that three of four callers who wait as told find it ready; without any, by the number of articles.
 */
export function estimateSeconds(recentDurationsMs: readonly number[], articles: number): number {
  const known = recentDurationsMs
    .filter((duration) => Number.isFinite(duration) && duration >= 0)
    .sort((a, b) => a - b);
  const expected =
    known.length > 0 ? known[Math.ceil(known.length * 0.75) - 1]! : BASE_MS + PER_ARTICLE_MS * Math.max(0, articles);
  return Math.max(1, Math.ceil(expected / 1_000));
}
