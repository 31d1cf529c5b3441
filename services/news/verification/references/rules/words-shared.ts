import { areOfTwoIncidents } from "../../../../../core/text/statements/kinds.ts";
import type { Sense } from "../../../../../core/text/statements/meaning.ts";
import type { Statement } from "../../../../../core/text/statements/statement.ts";
import { isPastVerb } from "../../../../../core/text/words/stem.ts";
import type { Alignment } from "../alignment.ts";
import { neutral, RELATED, supported, type Verdict } from "../outcome/verdicts.ts";
import type { Compared } from "./rule.ts";

export const FEWEST_SHARED_CONCEPTS = 2;
/** Support needs common content beside names; and more where each sentence has other names. */
const SUPPORTED_BESIDE_NAMES = 0.34;
const NAMED_APART = 0.6;

/** Whether the words of a claim without figures are there, of the same event. */
export function borneOut({ claim, candidate, found }: Compared): Verdict {
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
export const sharesOneThing = (claim: Statement, { pairs }: Alignment): boolean =>
  claim.senses.filter(isBesideNames(claim)).length > 1 &&
  pairs.filter((pair) => isBesideNames(claim)(pair.claim)).length <= 1;

/** A name that begins its sentence has the weight of any word. */
const isBesideNames =
  ({ words, entities }: Statement) =>
  ({ at, weight }: Sense): boolean =>
    weight === 1 && !entities.some(({ start, end }) => words[at]!.start >= start && words[at]!.end <= end);

/**
 * Whether each has a past verb that the other lacks: it may be a paraphrase, or another statement about the same thing.
 */
export function otherVerb(claim: Statement, candidate: Statement, { pairs }: Alignment): boolean {
  const lacks = (side: Statement, senseOf: (pair: Alignment["pairs"][number]) => Sense) =>
    side.senses.some(
      (sense) =>
        sense.weight === 1 && isPastVerb(sense.word) && !pairs.some((pair) => senseOf(pair).concept === sense.concept),
    );
  return lacks(claim, (pair) => pair.claim) && lacks(candidate, (pair) => pair.candidate);
}

/** Both begin with something the other lacks: "Google agreed to pay ..." and "Microsoft agreed to pay ...". */
export function otherSubject(claim: Statement, candidate: Statement, { pairs }: Alignment): boolean {
  const first = ({ senses }: Statement) => senses.find(({ weight }) => weight >= 1)?.concept;
  const shared = (concept: string | undefined) => pairs.some((pair) => pair.claim.concept === concept);
  return !shared(first(claim)) && !shared(first(candidate));
}
