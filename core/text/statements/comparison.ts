import type { Agreement } from "./dates.ts";
import { mayExclude } from "./figures/exclusion.ts";
import { conceptOf } from "./meaning.ts";
import { measuresOf, namesMeasure, type Measure } from "./figures/measures.ts";
import { sameName } from "./names.ts";
import { comparable, sameValue, type Quantity } from "./figures/quantities.ts";
import type { Statement } from "./statement.ts";

const sharesAny = (one: ReadonlySet<string>, other: ReadonlySet<string>): boolean =>
  [...one].some((concept) => namesMeasure(concept) && other.has(concept));
const sameSet = (one: ReadonlySet<string>, other: ReadonlySet<string>): boolean =>
  one.size === other.size && [...one].every((item) => other.has(item));

const isCount = ({ quantity: { unit } }: Measure): boolean => unit === "count" || unit === "number";

/** Whether two figures measure the same. `loosely`: as far as needed for equal values in one event. */
export function sameMeasure(a: Measure, b: Measure, loosely = false): boolean {
  if (!comparable(a.quantity, b.quantity)) return false;
  const counts = isCount(a) || isCount(b);
  if (counts && a.fates.size > 0 && b.fates.size > 0) return sharesAny(a.fates, b.fates);
  if (loosely) return true;
  if (a.quantity.value === b.quantity.value && sharesAny(a.of, b.of)) return true;
  if (a.indicator && b.indicator && a.indicator !== b.indicator) return false;
  if (!sameSet(a.kinds, b.kinds)) return false;
  if (a.fates.size + b.fates.size > 0 && counts) return false;
  if (a.quantity.unit === "magnitude") return true;
  if (!counts) return (!a.who || !b.who || sameName(a.who, b.who)) && sharesAny(a.of, b.of);
  if (a.who && b.who && !sameName(a.who, b.who)) return false;
  // Counts of people are compared by the words beside them, all others by the noun they count.
  const [mine, theirs] = [a, b].map(({ quantity }) => quantity.of.map(conceptOf).filter((thing) => thing !== "people"));
  return mine!.length + theirs!.length === 0 ? sharesAny(a.of, b.of) : sharesAny(new Set(mine), new Set(theirs));
}

/** Whether both concern one whole, one rate and one period, as far as they say. */
function sameSpan(a: Measure, b: Measure): boolean {
  if (a.over !== b.over || a.isChange !== b.isChange) return false;
  if (a.per.length === 0 && b.per.length === 0) return true;
  const isShare = a.quantity.unit === "percent" && !a.per.concat(b.per).some((one) => one.startsWith("a "));
  if (isShare && (a.per.length === 0 || b.per.length === 0)) return true;
  return a.per.some((one) => b.per.includes(one));
}

/** A planned figure is compared with planned figures only. */
const areHeldAgainst = (a: Measure, b: Measure): boolean =>
  (a.standing === "stated" && b.standing === "stated") ||
  (a.isAhead && b.isAhead && [a, b].every(({ standing }) => standing === "stated" || standing === "planned"));

const FAR_APART = 8;

/** Whether two values are so far apart that no count goes from one to the other: 400 and 4,000. */
export const areFarApart = (one: number, other: number): boolean =>
  Math.max(one, other) >= FAR_APART * Math.min(one, other);

const FEWEST_BESIDE = 2;

/** Figures that differ by a multiple may be a whole and a part, unless they share more than the thing counted. */
function isOfOneScale(a: Measure, b: Measure): boolean {
  if (!areFarApart(a.quantity.value, b.quantity.value)) return true;
  const things = new Set([...a.quantity.of, ...b.quantity.of].map(conceptOf));
  const shared = [...a.of].filter((concept) => b.of.has(concept));
  return shared.length >= FEWEST_BESIDE && shared.some((concept) => !things.has(concept));
}

/** Whether two figures of the same measure exclude each other. */
export const differs = (a: Measure, b: Measure): boolean =>
  sameMeasure(a, b) && sameSpan(a, b) && sameValue(a.quantity, b.quantity) === "differ";

/** Counts that grow over time, and those that shrink as people are found. */
const GROWING = new Set(["dead", "hurt", "ill", "held", "moved"]);
const SHRINKING = new Set(["missing"]);
const RUNNING =
  /\b(?:rises?|risen|rising|rose|rais(?:es|ed|ing)|climb(?:s|ed|ing)?|reach(?:es|ed|ing)?|toll|now|so far|at least|already|latest|(?:re)?counted|new count|increased|still|remain(?:s|ed|ing)?)\b/i;
/** "Has grown to 5,400 hectares". */
const MOVES =
  "\\b(?:(?<up>risen|rose|grown|grew|climbed|increased|swollen|swelled|doubled)|fallen|fell|dropped|shrunk|shrank) " +
  "to\\b";
/** "Taking the number of dead to 14". */
const BROUGHT = "\\b(?:tak|bring|rais|push|lift|driv)ing (?:the|its) [^,;.]{0,60}?\\bto";
const MOVED_TO = new RegExp(`${MOVES}\\s(?:about |some |around |nearly |almost |more than |at least )?$`, "i");
const MOVED_ON = new RegExp(`${RUNNING.source}|${MOVES}|${BROUGHT}\\b`, "i");
const GOES_ON = new RegExp(`${RUNNING.source}|${BROUGHT}\\b`, "i");

/** "Far above the official count": the statement knows the other figure, and rejects it. */
const DISPUTES =
  /\b(?:above|below|over|under|than|against|contradict\w*|disput\w*|contrary to|double|twice|times) (?:the |an? )?(?:\w+['’]s )?(?:(?:official|government|state|ministry|police)(?:['’]s)? )?(?:official )?(?:count|figure|toll|number|tally|estimate|claim)s?\b/i;

/** Whether a statement rejects another figure: then its own replaces none. */
export const disputesFigure = ({ text }: Statement): boolean => DISPUTES.test(text);

/** Whether either says that counting continues. */
const isCounting = (earlier: Statement, later: Statement): boolean =>
  !disputesFigure(later) &&
  earlier.quantities.length > 0 &&
  later.quantities.length > 0 &&
  (GOES_ON.test(earlier.text) || MOVED_ON.test(later.text));

/** Whether both give one count at two times, and the later one has changed. */
function hasMovedOn(earlier: Measure, later: Measure, told: Statement): boolean {
  const rises = later.quantity.value > earlier.quantity.value;
  const moved = MOVED_TO.exec(told.text.slice(0, later.quantity.start - told.start));
  if (moved && later.quantity.unit !== "percent") return (moved.groups?.["up"] !== undefined) === rises;
  return [...earlier.fates].some((fate) => (rises ? GROWING : SHRINKING).has(fate));
}

/** Whether two differing statements give one count at two times, the later one changed. */
export function isOutgrown(earlier: Statement, later: Statement): boolean {
  if (!isCounting(earlier, later)) return false;
  const pairs = measuresOf(earlier).flatMap((one) =>
    measuresOf(later).flatMap((other) => (differs(one, other) ? [[one, other] as const] : [])),
  );
  return pairs.length > 0 && pairs.every(([one, other]) => hasMovedOn(one, other, later));
}

/** The figure of a later statement that replaced one of an earlier statement, even one such as "at least 31". */
export function overtaking(earlier: Statement, later: Statement): Measure | undefined {
  if (!isCounting(earlier, later)) return undefined;
  const isNewer = (one: Measure, other: Measure): boolean =>
    differs(unbounded(one), unbounded(other)) &&
    one.standing === "stated" &&
    other.standing === "stated" &&
    hasMovedOn(one, other, later);
  const all = measuresOf(earlier);
  return measuresOf(later).find((other) => all.some((one) => isNewer(one, other)));
}

const unbounded = (one: Measure): Measure => ({ ...one, quantity: { ...one.quantity, bound: undefined } as Quantity });

export interface Figures {
  agreement: Agreement;
  /** Figures of the claim that the other has too, and those that differ. */
  agreeing: number;
  differing: number;
  /** How many of the agreeing figures are changes ("rose by 3") on both sides. */
  moves: number;
  /** Whether an agreeing figure is particular enough to be recognised by itself: 1,850, but not 20. */
  isTold: boolean;
  /** Figures of the claim that are missing, with another of the same unit beside the same words. */
  replaced: number;
  /** Pairs of figures that differ, the claim's first. */
  apart: readonly (readonly [Measure, Measure])[];
  reasons: string[];
}

/** A figure that two things of one event hardly share: two digits or more, not round. */
const isTelling = ({ quantity: { value, unit } }: Measure): boolean =>
  value >= 10 && unit !== "percent" && Number(Math.round(value).toPrecision(1)) !== Math.round(value);

/** "18 percent of one group, 24 of the other" on both sides: it is unknown which figures correspond. */
const areOfSeveral = (
  one: Measure,
  claimed: readonly Measure[],
  other: Measure,
  found: readonly Measure[],
): boolean => {
  const isShare = ({ quantity, indicator }: Measure): boolean => quantity.unit === "percent" && indicator === undefined;
  const several = (all: readonly Measure[]): boolean => all.filter(isShare).length > 1;
  return isShare(one) && isShare(other) && several(claimed) && several(found);
};

/** Whether two values agree without their bounds: within a tenth, as rounded values do. */
export const areNear = (one: number, other: number): boolean =>
  Math.abs(one - other) <= Math.max(Math.abs(one), Math.abs(other)) / 10;

export const DIFFERENT = "different figure";

/**
 * Compares the figures of a claim with those of a sentence, each with those of the same measure. `loosely`: both are
 * about one event, so that an equal value of one unit is the same figure.
 */
export function compareFigures(claimed: readonly Measure[], found: readonly Measure[], loosely = false): Figures {
  const reasons: string[] = [];
  // "At least three dead" does not match "four villages": agreement by bounds alone needs the same measure.
  const isPartner = (one: Measure, other: Measure): boolean =>
    sameValue(one.quantity, other.quantity) === "agree" &&
    sameMeasure(one, other, loosely && areNear(one.quantity.value, other.quantity.value));
  let agreeing = 0;
  let differing = 0;
  let moves = 0;
  let isTold = false;
  let replaced = 0;
  const apart: (readonly [Measure, Measure])[] = [];
  // A figure that matches one of the claim's matches no other.
  const left = found.filter((other) => !claimed.some((one) => isPartner(one, other)));
  for (const one of claimed) {
    const match = found.find((other) => isPartner(one, other));
    if (match) {
      agreeing += 1;
      isTold ||= isTelling(one);
      if (!one.isLevel && !match.isLevel) moves += 1;
      reasons.push(`same figure: ${one.quantity.text} and ${match.quantity.text}`);
      continue;
    }
    const partners = left.filter(
      (other) =>
        areHeldAgainst(one, other) &&
        sameMeasure(one, other) &&
        sameSpan(one, other) &&
        isOfOneScale(one, other) &&
        mayExclude(one, other) &&
        !areOfSeveral(one, claimed, other, found),
    );
    if (left.some((other) => comparable(one.quantity, other.quantity) && sharesAny(one.of, other.of))) replaced += 1;
    const verdicts = partners.map((other) => sameValue(one.quantity, other.quantity));
    if (verdicts.includes("differ") && !verdicts.includes("unclear")) {
      differing += 1;
      apart.push([one, partners[0]!]);
      reasons.push(`${DIFFERENT}: ${one.quantity.text} against ${partners[0]!.quantity.text}`);
    }
  }
  const agreement = differing > agreeing ? "differ" : agreeing > 0 ? "agree" : "unclear";
  return { agreement, agreeing, differing, moves, isTold, replaced, apart, reasons };
}
