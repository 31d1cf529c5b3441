/** What the terms tell that a report and an event both have. */
export interface Words {
  /** Of words (no names, no numbers): together, and of the rarest; by how rare they are in the news and in English. */
  words: number;
  rarest: number;
  /** What the rarest number tells, in units of one that no other article has. */
  rarestNumber: number;
  /** How many names no other event has; how many of those lead both. */
  ownNames: number;
  ownLeading: number;
  /** Words of a headline that no other event has, each by how rare it is in English. */
  ownWords: number;
}

/** How alike what is told is in kind: the mean cosine of the bearings of words, and the greatest. */
export interface Kinship {
  mean: number;
  most: number;
}

/** Means of what a report and those of an event have in common, from 0 to 1. */
export interface Near {
  /** The cosine of its terms and those of the reports. */
  terms: number;
  /** What one headline names that the other text speaks of. */
  heads: number;
  /** Undefined where the words of the language are not known. */
  kin: Kinship | undefined;
}

/** How a report and those of an event in its language are alike; shares from 0 to 1. */
export interface Likeness {
  near: Near;
  shared: Words;
  /** What share of its leading names the event does not have; and of those of its headline. */
  strange: number | undefined;
  unheard: number | undefined;
  /** What the numbers tell that both have, in units of one that no other article has. */
  numbers: number;
  /** Since the event was told of last, at most one; none where both speak of one day. */
  days: number;
  /** Each says on which day it happened, and no day is the same. */
  otherDay: boolean;
}

/** Where no report is in its language: names and numbers decide, and words that are translated. */
export interface AnchoredLikeness {
  /** How many reports the event has. */
  reports: number;
  /** What the names and numbers tell that both have, in the same units; their share of its own, and of a report's. */
  anchors: number;
  known: number;
  share: number;
  numbers: number;
  days: number;
  /** How alike they are once all is told in English terms; undefined where one of the languages is not translated. */
  translated: Pick<Likeness, "near" | "shared"> | undefined;
}

/** The logarithm of the odds that a report tells of an event, less what a wrong join costs: it joins above 0. */
export interface EventJudge {
  inOneLanguage(like: Likeness, storyId: string): number;
  inOtherLanguages(like: AnchoredLikeness, storyId: string): number;
}

/** One thing that speaks for or against, and how much: logarithms of odds for each unit of it. */
export interface OddsFactor<T> {
  weight: number;
  of: (like: T) => number;
}

/** Where no name leads a report, nothing is known of who and where. */
const UNKNOWN = 0.5;
const above = (least: number, value: number): number => Math.max(0, value - least);
const below = (most: number, value: number): number => Math.max(0, most - value);

/**
 * Weights by logistic regression on the pairs of newcomers and events of bench/judgement, each set by itself and all as
 * one stream, what strangers wrote counted threefold (`bench/judgement/news/fitting.ts`, record 100).
 */
export const IN_ONE_LANGUAGE = {
  constant: { weight: -4.07, of: () => 1 },
  terms: { weight: 10.11, of: ({ near }) => near.terms },
  fewTerms: { weight: -44.26, of: ({ near }) => below(0.1, near.terms) },
  heads: { weight: 3.75, of: ({ near }) => near.heads },
  anyOwnName: { weight: 1.44, of: ({ shared }) => Math.min(1, shared.ownNames) },
  manyOwnNames: { weight: 1.26, of: ({ shared }) => (shared.ownNames > 2 ? 1 : 0) },
  anyOwnLeading: { weight: 1.52, of: ({ shared }) => Math.min(1, shared.ownLeading) },
  noHeadline: { weight: 1.69, of: ({ unheard }) => (unheard === undefined ? 1 : 0) },
  strange: { weight: -2.11, of: ({ strange = UNKNOWN }) => strange },
  numbers: { weight: 2.93, of: ({ numbers }) => Math.min(1, numbers) },
  fewWords: { weight: -5.62, of: ({ shared }) => below(0.3, shared.words) },
  fewOwnWords: { weight: -1.51, of: ({ shared }) => below(1, shared.ownWords) },
  lookAlike: {
    weight: -12.73,
    of: ({ unheard = UNKNOWN, near }) => above(0.6, unheard) * above(0.5, near.kin?.most ?? 0),
  },
  otherKind: {
    weight: -4.99,
    of: ({ shared, near }) => (near.kin && shared.ownNames < 3 ? below(0.35, near.kin.mean) : 0),
  },
  unknownKind: { weight: -4.1, of: ({ near }) => (near.kin ? 0 : 1) },
  sameForm: { weight: -24.2, of: ({ near }) => above(0.75, near.kin?.most ?? 0) },
  nextDay: { weight: -3.13, of: ({ otherDay, near }) => (otherDay ? (near.kin?.mean ?? UNKNOWN) : 0) },
  dayGone: { weight: -15.41, of: ({ otherDay, days }) => (otherDay ? above(0.75, days) : 0) },
} satisfies Record<string, OddsFactor<Likeness>>;

/** The weights for reports in another language than the event's. */
export const IN_OTHER_LANGUAGES = {
  constant: { weight: -7.88, of: () => 1 },
  anchors: { weight: 3.51, of: ({ anchors }) => anchors },
  fewKnown: { weight: -4.05, of: ({ known }) => below(0.4, known) },
  share: { weight: 4.5, of: ({ share }) => share },
  numbers: { weight: 4.34, of: ({ numbers }) => Math.min(1, numbers) },
  days: { weight: -2.7, of: ({ days }) => days },
  reports: { weight: -1.45, of: ({ reports }) => Math.log(reports) },
  translated: { weight: 1.11, of: ({ translated }) => (translated ? 1 : 0) },
  terms: { weight: 13.53, of: ({ translated }) => translated?.near.terms ?? 0 },
  anyOwnLeading: { weight: 5.72, of: ({ translated }) => Math.min(1, translated?.shared.ownLeading ?? 0) },
  rarestNumber: { weight: -2.62, of: ({ translated }) => translated?.shared.rarestNumber ?? 0 },
  noRareWord: { weight: -8.07, of: ({ translated }) => (translated ? below(0.3, translated.shared.rarest) : 0) },
  otherKind: {
    weight: -13.4,
    of: ({ translated }) => (translated?.near.kin ? below(0.2, translated.near.kin.mean) : 0),
  },
} satisfies Record<string, OddsFactor<AnchoredLikeness>>;

const judging = <T>(evidence: Record<string, OddsFactor<T>>): ((like: T) => number) => {
  const all = Object.values(evidence);
  return (like) => {
    let sum = 0;
    for (const { weight, of } of all) sum += weight * of(like);
    return sum;
  };
};

export const byLikeness: EventJudge = {
  inOneLanguage: judging(IN_ONE_LANGUAGE),
  inOtherLanguages: judging(IN_OTHER_LANGUAGES),
};
