import type { Statement } from "../../../../../core/text/statements/statement.ts";
import type { Alignment } from "../alignment.ts";
import { saysNot } from "../opposing/denial.ts";
import { contradiction, neutral, RELATED, supported, unrelated, type Verdict } from "../outcome/verdicts.ts";
import { firstOf, type Compared, type StanceRule } from "./rule.ts";
import { FEWEST_SHARED_CONCEPTS, otherSubject, otherVerb, sharesOneThing } from "./words-shared.ts";

/** Two sentences that may be about two events. */
interface OfTwoEvents extends Compared {
  /** Whether they are known to be, and neither words nor names say otherwise: then nothing follows for either. */
  isApart: boolean;
}

/** Across events, names, time and nearly all else must be the same before two figures exclude each other. */
const ACROSS_EVENTS = 0.7;

/** The verdict on two sentences whose articles are of different events, or of ones that are not known. */
export function acrossEvents(two: Compared, areOfTwo: boolean): Verdict {
  const { shared, names } = two.found;
  const isApart = areOfTwo && (shared.overlap < ACROSS_EVENTS || names.agreement !== "agree");
  return firstOf(RULES, { ...two, isApart }) ?? inWords({ ...two, isApart });
}

const RELATED_BY_FIGURE = 0.45;
/** Names alone are no common content: two sentences about one country may say different things about it. */
const RELATED_BESIDE_NAMES = 0.4;
/** With names that the claim does not have, the rest must match better: it may be another case of the same kind. */
const BESIDE_OTHER_NAMES = 0.8;

const relatedness: StanceRule<OfTwoEvents> = ({ found: { shared, telling } }) =>
  shared.overlap < RELATED_BY_FIGURE || telling < FEWEST_SHARED_CONCEPTS || shared.besideNames < RELATED_BESIDE_NAMES
    ? unrelated("little content in common")
    : undefined;

/** Who and when. */
const frame: StanceRule<OfTwoEvents> = ({ claim, candidate, found }) => {
  const { shared, names, when, figures } = found;
  if (names.agreement === "differ" || (names.foreign && shared.overlap < BESIDE_OTHER_NAMES))
    return unrelated(names.reason);
  const isMeasured =
    figures.agreement !== "unclear" || (claim.quantities.length > 0 && candidate.quantities.length > 0);
  return when === "differ" && (isMeasured || found.opposition.opposed)
    ? unrelated("it speaks of another time")
    : undefined;
};

const apartOr = (two: OfTwoEvents, reasons: string[]): Verdict =>
  two.isApart ? neutral("told of another event") : contradiction(two.found, two.candidate, reasons);

const SAME_EVENT = 0.75;
/** Opposites, other figures or another time: each excludes where both are of one event. */
const excluded: StanceRule<OfTwoEvents> = (two) => {
  const { claim, candidate, found } = two;
  const { shared, names, when, figures, opposition } = found;
  if (opposition.opposed && shared.overlap >= RELATED) return apartOr(two, opposition.reasons);
  if (figures.agreement === "differ")
    return names.agreement !== "agree" && otherSubject(claim, candidate, shared)
      ? unrelated("it speaks of another subject")
      : apartOr(two, figures.reasons);
  if (when !== "differ") return undefined;
  return shared.overlap >= SAME_EVENT && !two.isApart
    ? contradiction(found, candidate, ["another time is given for the same event"])
    : unrelated("it speaks of another time");
};

/** What keeps a sentence from bearing a claim out, whatever words they share. */
const withheld: StanceRule<OfTwoEvents> = ({ claim, candidate, found: { figures, opposition } }) => {
  if (opposition.unclear) return neutral("one of them denies something");
  if (claim.quantities.length > 0 && figures.agreement !== "agree") return neutral("the claim's figures are not there");
  return claim.negations.length > 0 && !saysNot(candidate)
    ? neutral("it does not say what the claim denies")
    : undefined;
};

const RULES: readonly StanceRule<OfTwoEvents>[] = [relatedness, frame, excluded, withheld];

function inWords({ claim, candidate, found, isApart }: OfTwoEvents): Verdict {
  const { shared, when, figures } = found;
  if (isApart) return neutral("told of another event");
  if (shared.overlap < enough(claim, shared)) return unrelated("little content in common");
  if (shared.overlap < BESIDE_OTHER_NAMES && otherSubject(claim, candidate, shared))
    return neutral("it may speak of another subject");
  const hasFigures = figures.agreement === "agree";
  if (!hasFigures && when !== "agree" && sharesOneThing(claim, shared))
    return neutral("it says something else of the same");
  return supported(found, candidate, !hasFigures && otherVerb(claim, candidate, shared));
}

/** Support by words alone, where the claim's axis is not confirmed. */
const UNCONFIRMED_AXIS = 0.75;
/** The overlap that makes support: more where the claim's axis is not shared. */
function enough(claim: Statement, { pairs }: Alignment): number {
  const moves = claim.senses.some(({ pole }) => pole !== undefined);
  return moves && !pairs.some((pair) => pair.claim.pole !== undefined) ? UNCONFIRMED_AXIS : RELATED;
}
