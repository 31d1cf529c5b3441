import { onlyAsks } from "../../../../core/text/statements/asking.ts";
import type { Figures } from "../../../../core/text/statements/comparison.ts";
import { areOfTwoIncidents } from "../../../../core/text/statements/kinds.ts";
import { takesBack } from "../../../../core/text/statements/errata.ts";
import type { Sense } from "../../../../core/text/statements/meaning.ts";
import { isOfAnotherMonth, isOfAnotherOccasion } from "../../../../core/text/statements/occasion.ts";
import { matterOf, statementOf, type Statement } from "../../../../core/text/statements/statement.ts";
import { isPastVerb } from "../../../../core/text/words/stem.ts";
import { bearing, type Alignment, type Bearing } from "./alignment.ts";
import { deniesBeside, nobodyAgainst, noneAgainst, saysNot } from "./denial.ts";
import {
  areOfOthers,
  areOfTwoLanguages,
  deniesOfSpan,
  deniesOfUnnamed,
  isForeign,
  isOfOneCount,
} from "./slots/guards.ts";
import type { Two } from "./pairs/features.ts";
import { weighed } from "./pairs/weighing.ts";
import { doubtOf } from "./outcome/doubts.ts";
import { otherPlace } from "./roles.ts";
import { samePole } from "./slots/poles.ts";
import { deniedFilling, otherFilling } from "./slots/slots.ts";
import {
  contradiction,
  neutral,
  RELATED,
  supported,
  unrelated,
  type Stance,
  type Verdict,
} from "./outcome/verdicts.ts";

/** How much weight a concept has: rare ones more. 1 for all where the corpus is unknown. */
export type Idf = (concept: string) => number;

export interface StanceOptions {
  idf?: Idf;
  /** Keys of names in the text around the candidate, which its pronouns may refer to. */
  context?: readonly string[] | (() => readonly string[]);
  /** Whether both are about the same event (by their stories), about different ones, or that is unknown. */
  event?: "same" | "other";
  /** The places of both in their articles: with them, the learned judge weighs the rules' verdict. */
  held?: Held | undefined;
}

export type Held = Omit<Two, "one" | "other" | "bearing">;

const RELATED_BY_FIGURE = 0.45;
const SAME_EVENT = 0.75;
/** With names that the claim does not have, the rest must match better: it may be another case of the same kind. */
const BESIDE_OTHER_NAMES = 0.8;
const FEWEST_SHARED_CONCEPTS = 2;
/** Names alone are no common content: two sentences about one country may say different things about it. */
const RELATED_BESIDE_NAMES = 0.4;
/** Support needs common content beside names; and more where each sentence has other names. */
const SUPPORTED_BESIDE_NAMES = 0.34;
const NAMED_APART = 0.6;
/** Support by words alone, where the claim's axis is not confirmed. */
const UNCONFIRMED_AXIS = 0.75;

/**
 * Whether a sentence supports or contradicts a claim, by what can be compared without a model: shared content (weighted
 * by idf), figures with their units, times, names, negation, and opposites from a lexicon. It uses the alignment
 * features of early textual-entailment systems (Dagan et al. 2006, RTE; de Marneffe et al. 2008 on contradiction), with
 * every verdict explained.
 */
export function stance(claim: Statement | string, candidate: Statement | string, options: StanceOptions = {}): Stance {
  const one = matterOf(typeof claim === "string" ? statementOf(claim) : claim);
  const other = matterOf(typeof candidate === "string" ? statementOf(candidate) : candidate);
  const found = bearing(one, other, options);
  const said = compare(one, other, found, options);
  const evidence = { text: other.text, start: other.start, end: other.end };
  const judged = options.held ? weighed(said, { one, other, bearing: found, ...options.held }) : said;
  const doubt = judged.stance === "support" ? doubtOf(one, other, found) : undefined;
  const { isOfSlot: _, ...verdict } = doubt ? neutral(doubt) : judged;
  return { ...verdict, evidence };
}

/** Within one event less must be shared: who and where are given, and a figure of the same measure says the rest. */
const OF_ONE_EVENT = 0.25;
const OPPOSED_IN_ONE_EVENT = 0.45;
/** A shared figure of the same measure, about the same event, counts as much as most of the words. */
const CONFIRMED_BY_FIGURE = 62;
/** Where some figures of a claim are missing, this much of its words must be shared. */
const HALF_TOLD = 0.25;
/** Across events, names, time and nearly all else must be the same before two figures exclude each other. */
const ACROSS_EVENTS = 0.7;

function compare(claim: Statement, candidate: Statement, found: Bearing, { event, held }: StanceOptions): Verdict {
  if (onlyAsks(candidate.text))
    return found.shared.overlap >= RELATED ? neutral("it asks, and states nothing") : unrelated("it asks");
  if (takesBack(candidate.text)) return unrelated("it takes back what was said before");
  const said =
    event === "same" ? withinEvent(claim, candidate, found, held) : acrossEvents(claim, candidate, found, event);
  return said.stance === "contradict" && areOfTwoLanguages(claim, candidate) ? neutral("in another language") : said;
}

/** The verdict on two sentences about one event, which already establishes what is measured and who acts. */
function withinEvent(claim: Statement, candidate: Statement, found: Bearing, held: Held | undefined): Verdict {
  const { shared, telling, names, when, figures, opposition } = found;
  const isOneOccasion = isOfAnotherOccasion(claim) === isOfAnotherOccasion(candidate);
  const { later, between } = held ?? {};
  const slot = isOneOccasion
    ? (otherFilling(claim, candidate, shared.pairs, later, between) ??
      (when === "differ" ? undefined : nobodyAgainst(claim, candidate)))
    : undefined;
  const filled = slot ?? (isOneOccasion ? deniedFilling(claim, candidate, later, between) : undefined);
  if ((filled || opposition.denied || opposition.opposed) && deniesOfSpan(claim, candidate))
    return neutral("denied of a span of time");
  if (deniesOfUnnamed(claim, candidate)) return neutral("denied of something that it does not name");
  if (filled)
    return { ...contradiction(shared, figures, when, candidate, [filled]), ...(slot && { isOfSlot: true as const }) };
  const related =
    shared.overlap >= OF_ONE_EVENT ||
    (telling > 0 && (figures.agreement !== "unclear" || found.reverse.overlap >= OF_ONE_EVENT)) ||
    figures.isTold ||
    figures.apart.some(([one, other]) => [...one.fates].some((fate) => other.fates.has(fate))) ||
    opposition.denied;
  if (!related) return unrelated("little content in common");
  if ((opposition.denied || opposition.opposed) && isOfAnotherOccasion(claim) !== isOfAnotherOccasion(candidate))
    return neutral("told of another occasion");
  if (opposition.denied && when !== "differ")
    return contradiction(shared, figures, when, candidate, opposition.reasons);
  if (opposition.opposed && speaksOfTheSame(claim, found))
    return contradiction(shared, figures, when, candidate, opposition.reasons);
  if (opposition.opposed && opposition.settled && when !== "differ")
    return contradiction(shared, figures, when, candidate, opposition.reasons);
  // "Grew by 0.4 percent" and "shrank by 0.4 percent": the figure measures the movement.
  if (opposition.opposed && opposition.axis === "±direction" && figures.moves > 0 && when !== "differ")
    return contradiction(shared, figures, when, candidate, opposition.reasons);
  if (figures.differing > 0) {
    if (!isOneOccasion || isOfAnotherMonth(claim) !== isOfAnotherMonth(candidate))
      return neutral("told of another occasion");
    if (when === "differ" || names.agreement === "differ") return neutral("another figure, of another time or place");
    if (isRateOfAnother(claim, candidate, figures)) return neutral("a rate of another");
    if (areOfTwoIncidents(claim.words, candidate.words)) return neutral("it speaks of another misfortune");
    // Only in English can forecasts be told from outcomes, and parts from wholes.
    const isNamed = figures.apart.some(([one]) => one.indicator !== undefined);
    const isUnderstood =
      isNamed || !isForeign(claim)?.is || Math.min(shared.overlap, found.reverse.overlap) >= SAME_EVENT;
    if (!isUnderstood || !isOfOneCount(claim, candidate, figures, shared.pairs))
      return neutral("a figure of something else");
    return contradiction(shared, figures, when, candidate, figures.reasons);
  }
  const none = when !== "differ" && isOneOccasion;
  const nobody = none ? noneAgainst(claim, candidate) : undefined;
  if (nobody) return contradiction(shared, figures, when, candidate, [nobody]);
  const places = otherPlace(claim, candidate, found);
  if (places) return neutral(places);
  if (opposition.unclear || (opposition.opposed && figures.agreeing === 0))
    return neutral("it may say otherwise of something else");
  if (claim.negations.length > 0 && !saysNot(candidate)) return neutral("it does not say what the claim denies");
  if (claim.negations.length === 0 && deniesBeside(candidate, shared))
    return neutral("it denies something of the same");
  if (claim.quantities.length > 0) {
    if (figures.agreeing * 2 < claim.quantities.length || when === "differ")
      return neutral("the claim's figures are not there");
    if (figures.replaced > 0) return neutral("another figure stands in place of one of the claim's");
    const isHalf = figures.agreeing < claim.quantities.length && shared.overlap < HALF_TOLD;
    if (isHalf && !areOfTwoLanguages(claim, candidate)) return neutral("not all of the claim's figures are there");
    return supported(found, candidate, false, CONFIRMED_BY_FIGURE);
  }
  const said = borneOut(claim, candidate, found);
  if (said.stance === "support" || when === "differ" || names.agreement === "differ") return said;
  const state = areOfTwoIncidents(claim.words, candidate.words) ? undefined : samePole(claim, candidate, later);
  if (!state) return said;
  const inOtherWords = supported(found, candidate, true);
  return { ...inOtherWords, reasons: [state, ...inOtherWords.reasons] };
}

/** Whether the words of a claim without figures are there, of the same event. */
function borneOut(claim: Statement, candidate: Statement, found: Bearing): Verdict {
  const { shared, telling, names, when } = found;
  const fewest = Math.min(FEWEST_SHARED_CONCEPTS, claim.senses.filter(({ weight }) => weight >= 1).length);
  const isDated = when === "agree" && claim.dates.some(({ month, day }) => month !== undefined && day !== undefined);
  if (when === "differ" || shared.overlap < RELATED || telling + (isDated ? 1 : 0) < fewest)
    return neutral("not all that the claim says is there");
  if (shared.besideNames < SUPPORTED_BESIDE_NAMES) return neutral("little in common beside names");
  if (!isDated && sharesOneThing(claim, shared)) return neutral("it says something else of the same");
  if (names.agreement === "differ" && (shared.overlap < NAMED_APART || otherSubject(claim, candidate, shared)))
    return neutral(names.reason);
  if (areOfTwoIncidents(claim.words, candidate.words)) return neutral("it speaks of another misfortune");
  return supported(found, candidate, otherVerb(claim, candidate, shared));
}

/** Of what a claim says beside names, a sentence has one word alone: whom it speaks of, and not what it says of them. */
const sharesOneThing = (claim: Statement, { pairs }: Alignment): boolean =>
  claim.senses.filter(({ weight }) => weight === 1).length > 1 &&
  pairs.filter((pair) => pair.claim.weight === 1).length <= 1;

const RATES = /^(?:percent|point)$/;
/** "Inflation in Norland" and "in Vestria": both have names, and share none. */
const isRateOfAnother = (claim: Statement, candidate: Statement, { apart }: Figures): boolean =>
  apart.every(([{ quantity }]) => RATES.test(quantity.unit)) && areOfOthers(claim, candidate);

/**
 * Whether the opposition concerns the matter of both: agreeing figures, or figures of the claim alone, are another
 * matter.
 */
const speaksOfTheSame = (claim: Statement, { shared, reverse, when, figures, opposition }: Bearing): boolean =>
  [shared, reverse].some(
    ({ overlap, besideNames }) => overlap >= OPPOSED_IN_ONE_EVENT && besideNames >= RELATED_BESIDE_NAMES,
  ) &&
  when !== "differ" &&
  figures.agreeing === 0 &&
  (claim.quantities.length === 0 || figures.differing > 0 || opposition.negated);

function acrossEvents(claim: Statement, candidate: Statement, found: Bearing, event: StanceOptions["event"]): Verdict {
  const { shared, telling } = found;
  if (
    shared.overlap < RELATED_BY_FIGURE ||
    telling < FEWEST_SHARED_CONCEPTS ||
    shared.besideNames < RELATED_BESIDE_NAMES
  )
    return unrelated("little content in common");
  const { names, when } = found;
  if (names.agreement === "differ" || (names.foreign && shared.overlap < BESIDE_OTHER_NAMES))
    return unrelated(names.reason);
  const { figures } = found;
  const measured = figures.agreement !== "unclear" || (claim.quantities.length > 0 && candidate.quantities.length > 0);
  if (when === "differ" && (measured || found.opposition.opposed)) return unrelated("it speaks of another time");
  const { opposition } = found;
  const apart = event === "other" && (shared.overlap < ACROSS_EVENTS || names.agreement !== "agree");

  if (opposition.opposed && shared.overlap >= RELATED)
    return apart
      ? neutral("told of another event")
      : contradiction(shared, figures, when, candidate, opposition.reasons);
  if (figures.agreement === "differ") {
    if (names.agreement !== "agree" && otherSubject(claim, candidate, shared))
      return unrelated("it speaks of another subject");
    return apart ? neutral("told of another event") : contradiction(shared, figures, when, candidate, figures.reasons);
  }
  if (when === "differ") {
    return shared.overlap >= SAME_EVENT && !apart
      ? contradiction(shared, figures, when, candidate, ["another time is given for the same event"])
      : unrelated("it speaks of another time");
  }
  if (opposition.unclear) return neutral("one of them denies something");
  if (claim.quantities.length > 0 && figures.agreement !== "agree") return neutral("the claim's figures are not there");
  if (claim.negations.length > 0 && !saysNot(candidate)) return neutral("it does not say what the claim denies");
  if (apart) return neutral("told of another event");
  if (shared.overlap < enough(claim, shared)) return unrelated("little content in common");
  if (shared.overlap < BESIDE_OTHER_NAMES && otherSubject(claim, candidate, shared))
    return neutral("it may speak of another subject");
  if (figures.agreement !== "agree" && when !== "agree" && sharesOneThing(claim, shared))
    return neutral("it says something else of the same");
  return supported(found, candidate, figures.agreement !== "agree" && otherVerb(claim, candidate, shared));
}

/** The overlap that makes support: more where the claim's axis is not shared. */
function enough(claim: Statement, { pairs }: Alignment): number {
  const moves = claim.senses.some(({ pole }) => pole !== undefined);
  return moves && !pairs.some((pair) => pair.claim.pole !== undefined) ? UNCONFIRMED_AXIS : RELATED;
}

/**
 * Whether each has a past verb that the other lacks: it may be a paraphrase, or another statement about the same thing.
 */
function otherVerb(claim: Statement, candidate: Statement, { pairs }: Alignment): boolean {
  const lacks = (side: Statement, senseOf: (pair: Alignment["pairs"][number]) => Sense) =>
    side.senses.some(
      (sense) =>
        sense.weight === 1 && isPastVerb(sense.word) && !pairs.some((pair) => senseOf(pair).concept === sense.concept),
    );
  return lacks(claim, (pair) => pair.claim) && lacks(candidate, (pair) => pair.candidate);
}

/** Both begin with something the other lacks: "Google agreed to pay ..." and "Microsoft agreed to pay ...". */
function otherSubject(claim: Statement, candidate: Statement, { pairs }: Alignment): boolean {
  const first = ({ senses }: Statement) => senses.find(({ weight }) => weight >= 1)?.concept;
  const shared = (concept: string | undefined) => pairs.some((pair) => pair.claim.concept === concept);
  return !shared(first(claim)) && !shared(first(candidate));
}
