/** Reading the store, writing, and the round of the job queue. */
const BASE_MS = 1_000;
/** Measured on two cores: 3 ms an article of 150, 10 of 900 that tell of 200 events. */
const PER_ARTICLE_MS = 8;
/** How much is published is known when it is read: until a briefing was made, so much is expected. */
const ORDINARY_DAY = 300;

/**
 * How long a briefing will take, in whole seconds, at least 1: the 75th percentile of recent runs (milliseconds), so
 * that three of four callers who wait as told find it ready; without any, by the number of articles of an ordinary day, or that may be read.
 */
export function estimateSeconds(recentDurationsMs: readonly number[], maxArticles: number): number {
  const known = recentDurationsMs
    .filter((duration) => Number.isFinite(duration) && duration >= 0)
    .sort((a, b) => a - b);
  const expected =
    known.length > 0
      ? known[Math.ceil(known.length * 0.75) - 1]!
      : BASE_MS + PER_ARTICLE_MS * Math.max(0, Math.min(maxArticles, ORDINARY_DAY));
  return Math.max(1, Math.ceil(expected / 1_000));
}
