import type { Near } from "../likeness.ts";

/** What the terms tell that two reports have in common, once all reports are known. */
export interface SharedTerms {
  /** Of words (no names, no numbers): together, and of the rarest; by how rare they are in the news and in English. */
  words: number;
  rarest: number;
  /**
   * How much names are theirs alone: 1 for one that no other report has, .71 where one other has it, less where
   * it is frequent in English; the sum, and the most of one that leads both.
   */
  names: number;
  leading: number;
  /** The same of words, each by how rare it is in English; of those of a headline; and the most of a number. */
  ownWords: number;
  ownHeaded: number;
  ownNumber: number;
}

/** How one report and another in its language are alike, once all are known. */
export interface PairLikeness {
  near: Near;
  shared: SharedTerms;
  /** What share of its leading names the other does not have; undefined where no name leads it. */
  strange: number | undefined;
  /** Its headline has a name. */
  isNamed: boolean;
  /** What the numbers tell that both have, in units of one that no other report has. */
  numbers: number;
  /** Each says on which day it happened, and no day is the same. */
  otherDay: boolean;
}

/** How it and one in another language are alike. */
export interface ForeignPairLikeness {
  /** What the names and numbers tell that both have, in the same units; their share of the other's. */
  anchors: number;
  share: number;
  /** Between them, at most one; none where both speak of one day. */
  days: number;
  /** Once all is told in English terms; undefined where one of the languages is not translated. */
  translated: Pick<PairLikeness, "near" | "shared"> | undefined;
}

/** The logarithm of the odds that two reports tell of one event. */
export interface PairJudge {
  inOneLanguage(like: PairLikeness, one: number, other: number): number;
  inTwoLanguages(like: ForeignPairLikeness, one: number, other: number): number;
}

/** Where no name leads a report, nothing is known of who and where. */
const UNKNOWN = 0.5;
const above = (least: number, value: number): number => Math.max(0, value - least);
const below = (most: number, value: number): number => Math.max(0, most - value);
/** A name that is theirs alone tells most; a second one adds less. */
const alone = ({ names }: SharedTerms): number => Math.min(1, Math.sqrt(names));

/** What speaks for and against that two reports of one language tell of one event, in the order of `PAIR_WEIGHTS`. */
export const IN_ONE = {
  constant: () => 1,
  fewTerms: ({ near }) => below(0.1, near.terms),
  heads: ({ near }) => near.heads,
  noHeadline: ({ isNamed }) => (isNamed ? 0 : 1),
  strange: ({ strange = UNKNOWN }) => strange,
  numbers: ({ numbers }) => Math.min(1, numbers),
  fewWords: ({ shared }) => below(0.3, shared.words),
  otherKind: ({ near }) => (near.kin ? below(0.35, near.kin.mean) : 0),
  sameForm: ({ near }) => above(0.75, near.kin?.most ?? 0),
  nextDay: ({ otherDay, near }) => (otherDay ? (near.kin?.mean ?? UNKNOWN) : 0),
  names: ({ shared }) => Math.min(3, shared.names),
  alone: ({ shared }) => alone(shared),
  aloneFewTerms: ({ shared, near }) => alone(shared) * below(0.25, near.terms),
  leading: ({ shared }) => shared.leading,
  ownWords: ({ shared }) => Math.min(2, shared.ownWords),
  ownNumber: ({ shared }) => shared.ownNumber,
} satisfies Record<string, (like: PairLikeness) => number>;

/** The same of two languages. */
export const IN_TWO = {
  constant: () => 1,
  anchors: ({ anchors }) => anchors,
  share: ({ share }) => share,
  days: ({ days }) => days,
  terms: ({ translated }) => translated?.near.terms ?? 0,
  noRareWord: ({ translated }) => (translated ? below(0.3, translated.shared.rarest) : 0),
  otherKind: ({ translated }) => (translated?.near.kin ? below(0.2, translated.near.kin.mean) : 0),
  names: ({ translated }) => Math.min(3, translated?.shared.names ?? 0),
  leading: ({ translated }) => translated?.shared.leading ?? 0,
  ownWords: ({ translated }) => Math.min(2, translated?.shared.ownWords ?? 0),
  ownHeaded: ({ translated }) => Math.min(1, translated?.shared.ownHeaded ?? 0),
  ownNumber: ({ translated }) => translated?.shared.ownNumber ?? 0,
} satisfies Record<string, (like: ForeignPairLikeness) => number>;

/** What they amount to. */
export const evidenceIn = <T>(factors: Record<string, (like: T) => number>, like: T): number[] =>
  Object.values(factors).map((of) => of(like));
