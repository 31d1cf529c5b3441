/** How a report and an event in its language are alike; shares from 0 to 1. */
interface Likeness {
  /** How many of the event's latest reports are in its language. */
  reports: number;
  /** The mean cosine of its terms and those of the reports, and the greatest. */
  terms: number;
  most: number;
  /** The mean cosine of names by their sound, and of numbers. */
  anchors: number;
  /** The mean of what one headline names that the other text speaks of. */
  heads: number;
  /** Shares of leading names that the other side does not have: of the report's, of the event's. */
  strange: number | undefined;
  missing: number | undefined;
  /** What the numbers tell that both have, in units of one that no other article has. */
  numbers: number;
  /** What the names tell that both have, in the same units, each squared: a place has many. */
  names: number;
  /** How many names both have that no other event has. */
  only: number;
  /** The share of its terms that any report of the event has. */
  union: number;
  /** Since the event was told of last, at most one; none where both speak of one day. */
  days: number;
  /** Each says on which day it happened, and no day is the same. */
  otherDay: boolean;
}

/** Where no report is in its language: names and numbers decide, and words that are translated. */
interface AnchoredLikeness {
  /** What the names and numbers tell that both have, in the same units; their share of its own, and of a report's. */
  anchors: number;
  known: number;
  share: number;
  numbers: number;
  days: number;
  /** How alike they are once all is told in English terms; undefined where one of the languages is not translated. */
  translated: Pick<Likeness, "terms" | "most" | "heads"> | undefined;
}

/** Where no name leads a report, nothing is known of who and where. */
const UNKNOWN = 0.5;
const MOST_NUMBERS = 1;
const MOST_ONLY = 3;
const MOST_NAMES = 4;
/** A headline that many texts bear ("Morning news") tells no more than the text below it bears out. */
const HEADED_BY_TEXT = 4;

/** Where so much of what leads either is not in the other, they tell of two places or persons, however alike. */
const OF_OTHERS = 0.8;
/** Below this share of its terms, and this cosine, a name in common is that of a place or a person in other news. */
const ENOUGH_SHARED = 0.25;

/**
 * The logarithm of the odds that they tell of one event, less what a wrong join costs: it is joined above 0. Weights by
 * logistic regression on the pairs of newcomers and events of bench/judgement, each set by itself and all as one stream,
 * but `sealed`; what tells two events apart (no leading name in common, another day, long since) weighs more than what
 * was found, for look-alikes are rarer there than on a day of news (record 96).
 */
export function inOneLanguage(like: Likeness): number {
  const { strange = UNKNOWN, missing = UNKNOWN } = like;
  return (
    2.57 * like.terms +
    2.28 * like.most +
    2.06 * like.anchors +
    1.72 * Math.min(like.heads, HEADED_BY_TEXT * like.most) +
    2.86 * Math.min(MOST_NUMBERS, like.numbers) +
    1.87 * Math.min(MOST_ONLY, like.only) -
    1.34 * Math.min(MOST_NAMES, like.names) -
    1.63 * strange -
    1.5 * missing -
    (strange > OF_OTHERS && missing > OF_OTHERS ? 3.5 : 0) -
    19.9 * Math.max(0, ENOUGH_SHARED - like.union) -
    8 * Math.max(0, ENOUGH_SHARED - like.most) -
    1.2 * like.days -
    (like.otherDay ? 2 + 3 * like.days : 0) -
    1.14 * Math.log(like.reports) -
    0.98
  );
}

/** The same across languages. */
export const inOtherLanguages = (like: AnchoredLikeness): number =>
  2.79 * like.anchors +
  3.46 * like.known +
  4.69 * like.share +
  2.45 * Math.min(MOST_NUMBERS, like.numbers) -
  2.19 * like.days +
  (like.translated ? byWords(like.translated) : 0) -
  7.4;

const byWords = ({ terms, most, heads }: Pick<Likeness, "terms" | "most" | "heads">): number =>
  7.49 * terms + 3.16 * most + 8.93 * Math.min(heads, HEADED_BY_TEXT * most) - 2.56;
