import { areNear, disputesFigure, sameMeasure } from "../../../../../core/text/statements/comparison.ts";
import { countsNature } from "../../../../../core/text/statements/figures/measures.ts";
import { isOfAnotherMonth, isOfAnotherOccasion } from "../../../../../core/text/statements/occasion.ts";
import { SINCE } from "../outcome/conclusion.ts";
import { neutral, type Verdict } from "../outcome/verdicts.ts";
import { figurePairs, type FigurePair, type Two } from "./features.ts";
import { areOfOthers, deniesOfSpan, deniesOfUnnamed, isCalledOffInOne } from "../slots/guards.ts";
import { statesAtAnyTime } from "../slots/states.ts";
import { areJudged, judged, reasonsOf } from "./judge.ts";

/** From here on nine in ten exclude each other, in sets by authors that the judge had not learned from (ADR 101). */
const EXCLUDES = 0.75;
/** A contradiction by the rules that is less likely than this is dropped. */
const DOUBTED = 0.5;
const AGREES = 0.55;
/** Support by the rules that agrees with less likelihood than this is dropped. */
const NOT_AGREEING = 0.15;
/** From here on two in three are one figure at two times. */
const SUCCEEDS = 0.2;

/** The same between articles that may be about two events. */
const EXCLUDES_APART = 0.9;

const scoreOf = (likely: number): number => Math.round(40 + 45 * likely);

/** The rules' verdict on two sentences of one story, weighed by the learned judge: it finds more, and rejects more. */
export function weighed(said: Verdict, two: Two): Verdict {
  if (!areJudged(two.one, two.other) || isGuarded(two)) return said;
  const { agree, exclude, succeed } = judged(two);
  const isLater = succeed >= SUCCEEDS && succeed > Math.max(agree, exclude);
  if (isLater || hasGrown(two, said.isOfSlot)) return succession(two) ?? said;
  const isOne = two.between.isOfOneEvent && !areOfOthers(two.one, two.other);
  if (exclude >= (isOne ? EXCLUDES : EXCLUDES_APART))
    return said.stance === "contradict" || isOfOtherOccasion(two) || isOfTwoDays(two)
      ? said
      : { stance: "contradict", score: scoreOf(exclude), reasons: reasonsOf(two, "exclude", exclude) };
  if (said.stance === "contradict")
    return !said.isOfSlot && exclude < (isOne ? DOUBTED : EXCLUDES)
      ? neutral("it is likely to speak of something else", ...said.reasons)
      : said;
  if (said.stance === "support")
    return agree < NOT_AGREEING ? neutral("it is likely to say something else", ...said.reasons) : said;
  return agree >= AGREES && !lacksFigures(two) && !isOpposed(two)
    ? { stance: "support", score: scoreOf(agree), reasons: reasonsOf(two, "agree", agree) }
    : said;
}

/** Whether the claim has figures and the other has none of them: support must include the claim's numbers. */
const lacksFigures = (two: Two): boolean =>
  two.one.quantities.length > 0 && !figurePairs(two).equal.some(isOfOneMeasure);

/** Agreement by bounds alone ("at least three" and four) must concern the same measure. */
const isOfOneMeasure = ({ mine, theirs }: FigurePair): boolean =>
  areNear(mine.quantity.value, theirs.quantity.value) || sameMeasure(mine, theirs);

/** Whether the rules find an opposite, a denial, another state or another day. */
const isOpposed = ({ one, other, bearing: { opposition, when } }: Two): boolean =>
  opposition.opposed ||
  opposition.denied ||
  when === "differ" ||
  isCalledOffInOne(one, other) ||
  statesAtAnyTime(one, other) !== undefined;

/**
 * "Nobody has died since Friday" denies nothing earlier; "far above the official count" knows of the other figure: what
 * the rules know for certain is not put to the judge.
 */
const isGuarded = ({ one, other }: Two): boolean =>
  deniesOfSpan(one, other) || deniesOfUnnamed(one, other) || disputesFigure(one) || disputesFigure(other);

/** "A similar storm", "in August": another occasion, which only one of them mentions. */
const isOfOtherOccasion = ({ one, other }: Two): boolean =>
  isOfAnotherOccasion(one) !== isOfAnotherOccasion(other) || isOfAnotherMonth(one) !== isOfAnotherMonth(other);

/** Figures of two days, each of which is named. */
const isOfTwoDays = ({ one, other, bearing: { when, figures } }: Two): boolean =>
  when === "differ" && figures.differing > 0 && [one, other].every(({ dates }) => dates.length > 0);

const GROWN =
  /\b(?:grow(?:n|s|ing)?|grew|ris(?:es?|en|ing)|rose|climb\w*|swell\w*|swollen|mount(?:ed|s|ing)|doubled|tripled)\b/i;
/** Sums that are counted up for days. */
const COSTS = /\b(?:loss(?:es)?|damages?|cost(?:s|ing)?|bill|toll)\b/i;
const LOSSES = /\b(?:loss(?:es)?|damages?|bill|toll)\b/i;
const WHILE_HOURS = 2;

/** "With 31 per cent of polling stations reported": a count under way. */
const COUNTING =
  /(?:%|\bper ?cent) of (?:\w+ ){0,2}(?:stations|places|precincts|districts|ballots|votes|results)\b[^,;.]{0,20}\b(?:counted|report(?:ed|ing)|in|tallied|declared|processed)\b/i;

/**
 * "Losses had grown to 8 million": the later, larger figure replaces the earlier one. What an event has one of does not
 * grow, though it is told as a cost.
 */
function hasGrown(two: Two, isOfSlot = false): boolean {
  const [pair] = figurePairs(two).apart;
  if (!pair || two.later === 0) return false;
  const [earlier, later] = two.later > 0 ? [pair.mine, pair.theirs] : [pair.theirs, pair.mine];
  const { text } = two.later > 0 ? two.other : two.one;
  const both = [two.one.text, two.other.text];
  const areOfOne = isOfSlot && !both.some((text) => LOSSES.test(text));
  const areCosts = !areOfOne && both.every((text) => COSTS.test(text)) && Math.abs(two.later) >= WHILE_HOURS;
  const areCounting = COUNTING.test(two.one.text) && COUNTING.test(two.other.text);
  return later.quantity.value > earlier.quantity.value && (areCosts || areCounting || GROWN.test(text));
}

const ABOARD = /^(?:\s\p{L}+){0,3}?\s(?:on ?board|aboard)\b/u;
/** "140 people on board": who was there, and not what became of them. */
const isOfThoseAboard = ({ fates, quantity }: FigurePair["mine"], { text, start }: Two["one"]): boolean =>
  fates.size === 0 && ABOARD.test(text.slice(quantity.end - start));

/** One figure at two times: the later one replaces the other. */
function succession(two: Two): Verdict | undefined {
  const [pair] = figurePairs(two).apart;
  if (!pair || two.later === 0) return undefined;
  if (countsNature(pair.mine.quantity) !== countsNature(pair.theirs.quantity)) return undefined;
  if (isOfThoseAboard(pair.mine, two.one) !== isOfThoseAboard(pair.theirs, two.other)) return undefined;
  return neutral(two.later > 0 ? `${SINCE}: ${pair.theirs.quantity.text}` : "counted at another time");
}
