/**
 * What both engines rank by: BM25F (Robertson and Zaragoza 2009) over title and body, times a mild preference for the
 * recent. One is added to BM25 so that where no word ranks (only names and beginnings of words are asked for) recency
 * alone orders. The numbers are tuned on public pairs of statements (bench/results.md, "Search: right and wrong").
 */

/** How many occurrences in the body one in the title is worth; a title counts as so many times its length, too. */
export const TITLE_WEIGHT = 2;
/** BM25: how soon further occurrences of a word stop counting, and how much the length of a text counts. */
export const K1 = 0.9,
  B = 0.5;
/** An article of this moment is worth this much more than an old one; half of it after HALF_LIFE_DAYS. */
export const RECENCY_BONUS = 0.25;
export const HALF_LIFE_DAYS = 30;
export const DAY_MS = 86_400_000;
/** The score that gives a relevance of one half: two or three fairly rare words found. */
const HALF_RELEVANCE = 6;

/**
 * `bm25` as Lucene scales it (without the factor k1 + 1); `ageDays` may be negative for dates ahead, which count as
 * their distance.
 */
export const score = (bm25: number, ageDays: number): number =>
  (1 + bm25) * (1 + RECENCY_BONUS * 0.5 ** (Math.abs(ageDays) / HALF_LIFE_DAYS));

/** A score as 0..1, the same for the same article and query on every page; rounding keeps the order. */
export const relevance = (scored: number): number => Math.round((10_000 * scored) / (scored + HALF_RELEVANCE)) / 10_000;
