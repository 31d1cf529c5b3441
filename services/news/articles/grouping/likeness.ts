/** How a report and an event in its language are alike; shares from 0 to 1. */
interface Likeness {
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
  /** What the names tell that both have, in the same units: a likeness by names alone may be one of the place. */
  names: number;
  /** The share of its terms that any report of the event has, and of what its headline names. */
  union: number;
  titled: number;
  /** Since the event was told of last, at most one; none where both speak of one day. */
  days: number;
  /** Each says on which day it happened, and no day is the same. */
  otherDay: boolean;
}

/** Where no report is in its language: names and numbers decide. */
interface AnchoredLikeness {
  /** What the names and numbers tell that both have, in the same units; their share of its own, and of a report's. */
  anchors: number;
  known: number;
  share: number;
  numbers: number;
  days: number;
  otherDay: boolean;
}

/** Where no name leads a report, nothing is known of who and where. */
const UNKNOWN = 0.5;
const MOST_NUMBERS = 1;
const MOST_NAMES = 2;
/** A headline that many texts bear ("Morning news") tells no more than the text below it bears out. */
const TITLED_BY_TEXT = 2;
const HEADED_BY_TEXT = 4;

/** Where so much of what leads either is not in the other, they tell of two places or persons, however alike. */
const OF_OTHERS = 0.8;

/** Of a report that speaks of so little that the event's speak of, a name in common is the place's or the person's. */
const LEAST_SHARED = 0.15;

/** Of two reports of one event that name days an eighth name none in common; of any two, three fifths. */
const OTHER_DAY = 1.6;

/**
 * The logarithm of the odds that they tell of one event: above 0 it is more likely than not. Weights by logistic
 * regression on the pairs of newcomers and events of bench/judgement (all sets but `unseen` and half of `blind`): half
 * way between what was fitted before somebody else wrote `blind` and what was fitted with it (record 94).
 */
export function inOneLanguage(like: Likeness): number {
  const { strange = UNKNOWN, missing = UNKNOWN } = like;
  if (like.union < LEAST_SHARED) return -Infinity;
  if (strange > OF_OTHERS && missing > OF_OTHERS) return -Infinity;
  return (
    2.3 * like.terms +
    2.3 * like.most +
    1.2 * like.anchors +
    3.1 * Math.min(like.heads, HEADED_BY_TEXT * like.most) +
    2.8 * like.union +
    1.8 * Math.min(like.titled, TITLED_BY_TEXT * like.union) +
    2.9 * Math.min(MOST_NUMBERS, like.numbers) -
    0.35 * Math.min(MOST_NAMES, like.names) -
    1.2 * strange -
    1.8 * missing -
    2.8 * like.days -
    (like.otherDay ? OTHER_DAY : 0) -
    2.85
  );
}

export const inOtherLanguages = (like: AnchoredLikeness): number =>
  3.7 * like.anchors +
  1.9 * like.known +
  4 * like.share +
  2.9 * Math.min(MOST_NUMBERS, like.numbers) -
  3.1 * like.days -
  (like.otherDay ? OTHER_DAY : 0) -
  6.2;
