import type { Figures } from "../../../../../core/text/statements/comparison.ts";
import { areOfTwoIncidents } from "../../../../../core/text/statements/kinds.ts";
import { isOfAnotherMonth, isOfAnotherOccasion } from "../../../../../core/text/statements/occasion.ts";
import type { Statement } from "../../../../../core/text/statements/statement.ts";
import type { Bearing } from "../alignment.ts";
import { deniesBeside, nobodyAgainst, noneAgainst, saysNot } from "../opposing/denial.ts";
import { contradiction, neutral, supported, unrelated, type Verdict } from "../outcome/verdicts.ts";
import type { Two } from "../pairs/features.ts";
import { otherPlace } from "../opposing/roles.ts";
import {
  areOfOthers,
  areOfTwoLanguages,
  deniesOfSpan,
  deniesOfUnnamed,
  isCalledOffInOne,
  isForeign,
  isOfOneCount,
} from "../slots/guards.ts";
import { samePole } from "../slots/poles.ts";
import { deniedFilling, otherFilling } from "../slots/slots.ts";
import { statesAtAnyTime } from "../slots/states.ts";
import { firstOf, type Compared, type StanceRule } from "./rule.ts";
import { borneOut } from "./words-shared.ts";

/** Two sentences about one event. */
interface OfOneEvent extends Compared, Partial<Pick<Two, "later" | "between">> {
  /** Whether both or neither speak of another occasion than the event's: "a similar storm". */
  isOneOccasion: boolean;
}

/** The verdict on two sentences about one event, which already establishes what is measured and who acts. */
export const withinEvent = (two: Omit<OfOneEvent, "isOneOccasion">): Verdict => {
  const ofOne = { ...two, isOneOccasion: isOfAnotherOccasion(two.claim) === isOfAnotherOccasion(two.candidate) };
  return firstOf(RULES, ofOne) ?? inWords(ofOne);
};

/** One slot of the event is filled in two ways, or filled by one and denied by the other. */
const slots: StanceRule<OfOneEvent> = ({ claim, candidate, found, later, between, isOneOccasion }) => {
  const { shared, when, opposition } = found;
  const slot = isOneOccasion
    ? (otherFilling(claim, candidate, shared.pairs, later, between) ??
      (when === "differ" ? undefined : nobodyAgainst(claim, candidate)))
    : undefined;
  const filled = slot ?? (isOneOccasion ? deniedFilling(claim, candidate, later, between) : undefined);
  if ((filled || opposition.denied || opposition.opposed) && deniesOfSpan(claim, candidate))
    return neutral("denied of a span of time");
  if (deniesOfUnnamed(claim, candidate)) return neutral("denied of something that it does not name");
  if (!filled) return undefined;
  return { ...contradiction(found, candidate, [filled]), ...(slot && { isOfSlot: true as const }) };
};

/** Within one event less must be shared: who and where are given, and a figure of the same measure says the rest. */
const OF_ONE_EVENT = 0.25;
const relatedness: StanceRule<OfOneEvent> = ({ found }) =>
  found.shared.overlap >= OF_ONE_EVENT ||
  (found.telling > 0 && (found.figures.agreement !== "unclear" || found.reverse.overlap >= OF_ONE_EVENT)) ||
  found.figures.isTold ||
  found.figures.apart.some(([one, other]) => [...one.fates].some((fate) => other.fates.has(fate))) ||
  found.opposition.denied
    ? undefined
    : unrelated("little content in common");

/** A denial, or ends of one axis. */
const opposites: StanceRule<OfOneEvent> = ({ claim, candidate, found, isOneOccasion }) => {
  const { when, figures, opposition } = found;
  if (!opposition.denied && !opposition.opposed) return undefined;
  if (!isOneOccasion) return neutral("told of another occasion");
  // "Grew by 0.4 percent" and "shrank by 0.4 percent": the figure measures the movement.
  const isMovement = opposition.axis === "±direction" && figures.moves > 0;
  const isOfBoth = opposition.denied || opposition.settled || isMovement || speaksOfTheSame(claim, found);
  return isOfBoth && when !== "differ" ? contradiction(found, candidate, opposition.reasons) : undefined;
};

const OPPOSED_IN_ONE_EVENT = 0.45;
const OPPOSED_BESIDE_NAMES = 0.4;
/**
 * Whether the opposition concerns the matter of both: agreeing figures, or figures of the claim alone, are another
 * matter.
 */
const speaksOfTheSame = (claim: Statement, { shared, reverse, figures, opposition }: Bearing): boolean =>
  [shared, reverse].some(
    ({ overlap, besideNames }) => overlap >= OPPOSED_IN_ONE_EVENT && besideNames >= OPPOSED_BESIDE_NAMES,
  ) &&
  figures.agreeing === 0 &&
  (claim.quantities.length === 0 || figures.differing > 0 || opposition.negated);

/** With most of the words shared, what a foreign sentence counts is understood. */
const UNDERSTOOD = 0.75;
/** Two figures of one measure. */
const figuresApart: StanceRule<OfOneEvent> = ({ claim, candidate, found, isOneOccasion }) => {
  const { shared, names, when, figures } = found;
  if (figures.differing === 0) return undefined;
  if (!isOneOccasion || isOfAnotherMonth(claim) !== isOfAnotherMonth(candidate))
    return neutral("told of another occasion");
  if (when === "differ" || names.agreement === "differ") return neutral("another figure, of another time or place");
  if (isRateOfAnother(claim, candidate, figures)) return neutral("a rate of another");
  if (areOfTwoIncidents(claim.words, candidate.words)) return neutral("it speaks of another misfortune");
  // Only in English can forecasts be told from outcomes, and parts from wholes.
  const isNamed = figures.apart.some(([one]) => one.indicator !== undefined);
  const isUnderstood =
    isNamed || !isForeign(claim)?.is || Math.min(shared.overlap, found.reverse.overlap) >= UNDERSTOOD;
  return isUnderstood && isOfOneCount(claim, candidate, figures, shared.pairs)
    ? contradiction(found, candidate, figures.reasons)
    : neutral("a figure of something else");
};

const RATES = /^(?:percent|point)$/;
/** "Inflation in Norland" and "in Vestria": both have names, and share none. */
const isRateOfAnother = (claim: Statement, candidate: Statement, { apart }: Figures): boolean =>
  apart.every(([{ quantity }]) => RATES.test(quantity.unit)) && areOfOthers(claim, candidate);

/** "None were hurt" against a number of them. */
const nobodyAndSome: StanceRule<OfOneEvent> = ({ claim, candidate, found, isOneOccasion }) => {
  const nobody = found.when !== "differ" && isOneOccasion ? noneAgainst(claim, candidate) : undefined;
  return nobody ? contradiction(found, candidate, [nobody]) : undefined;
};

/** What keeps a sentence from bearing a claim out, whatever words they share. */
const withheld: StanceRule<OfOneEvent> = ({ claim, candidate, found }) => {
  const { shared, figures, opposition } = found;
  const places = otherPlace(claim, candidate, found);
  if (places) return neutral(places);
  if (opposition.unclear || (opposition.opposed && figures.agreeing === 0))
    return neutral("it may say otherwise of something else");
  if (isCalledOffInOne(claim, candidate)) return neutral("one says that it is called off");
  const states = statesAtAnyTime(claim, candidate);
  if (states) return neutral(states);
  const denies = claim.negations.length > 0;
  if (denies && !saysNot(candidate)) return neutral("it does not say what the claim denies");
  return !denies && deniesBeside(candidate, shared) ? neutral("it denies something of the same") : undefined;
};

/** A shared figure of the same measure, about the same event, counts as much as most of the words. */
const CONFIRMED_BY_FIGURE = 62;
/** Where some figures of a claim are missing, this much of its words must be shared. */
const HALF_TOLD = 0.25;
/** A claim with figures is borne out by them. */
const figuresTold: StanceRule<OfOneEvent> = ({ claim, candidate, found }) => {
  const { shared, when, figures } = found;
  const claimed = claim.quantities.length;
  if (claimed === 0) return undefined;
  if (figures.agreeing * 2 < claimed || when === "differ") return neutral("the claim's figures are not there");
  if (figures.replaced > 0) return neutral("another figure stands in place of one of the claim's");
  const isHalf = figures.agreeing < claimed && shared.overlap < HALF_TOLD;
  if (isHalf && !areOfTwoLanguages(claim, candidate)) return neutral("not all of the claim's figures are there");
  return supported(found, candidate, false, CONFIRMED_BY_FIGURE);
};

const RULES: readonly StanceRule<OfOneEvent>[] = [
  slots,
  relatedness,
  opposites,
  figuresApart,
  nobodyAndSome,
  withheld,
  figuresTold,
];

/** A claim without figures is borne out by its words, or by another word for the state that it tells. */
function inWords(two: OfOneEvent): Verdict {
  const { claim, candidate, found, later } = two;
  const said = borneOut(two);
  if (said.stance === "support" || found.when === "differ" || found.names.agreement === "differ") return said;
  const state = areOfTwoIncidents(claim.words, candidate.words) ? undefined : samePole(claim, candidate, later);
  if (!state) return said;
  const inOtherWords = supported(found, candidate, true);
  return { ...inOtherWords, reasons: [state, ...inOtherWords.reasons] };
}
