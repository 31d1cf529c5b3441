import { isPastVerb } from "../../../../../core/text/words/stem.ts";
import { isReportingWord } from "../../../../../core/text/words/stop-words.ts";
import type { Sense } from "../../../../../core/text/statements/meaning.ts";
import type { Negation } from "../../../../../core/text/statements/polarity.ts";
import type { Statement } from "../../../../../core/text/statements/statement.ts";
import type { Word } from "../../../../../core/text/words/words.ts";
import type { Pair } from "../alignment.ts";
import { isDeniedOfAnother } from "./axes.ts";
import { turnsShared } from "./denial.ts";

/** What the negations of two sentences make of what both say. */
export interface Negated {
  /** An odd number of negations lies between them. */
  isTurned: boolean;
  /** That, or one touches what both say, and it is not known whether the other says the same in other words. */
  mayBeTurned: boolean;
  /** The one that denies, and the other. */
  denying: Statement;
  stating: Statement;
  /** Why one negates what the other states, where it does. */
  reason: string | undefined;
}

export function negatedBetween(
  claim: Statement,
  candidate: Statement,
  pairs: readonly Pair[],
  shared: ReadonlySet<string>,
): Negated {
  const denials = (side: Statement, other: Statement): Negation[] =>
    bearingNegations(side, shared).filter((one) => one.cue !== "without" && turns(side, one, other));
  const [claimDenied, candidateDenied] = [denials(claim, candidate), denials(candidate, claim)];
  const isClaimDenied = isDenied(claimDenied);
  const isTurned = isClaimDenied !== isDenied(candidateDenied);
  const [denying, stating] = isClaimDenied ? [claim, candidate] : [candidate, claim];
  const isNegating =
    isTurned &&
    pairs.some(isOfMatter) &&
    isStating(stating, shared) &&
    !WHAT_IF.test(stating.text) &&
    !isAccusation(stating, shared) &&
    !(isClaimDenied ? claimDenied : candidateDenied).some((one) => isDeniedOfAnother(denying, one, stating));
  const [side, cue] =
    candidateDenied.length > 0 ? ["the sentence", candidateDenied[0]?.cue] : ["the claim", claimDenied[0]?.cue];
  return {
    isTurned,
    // A sentence that denies something else may deny the same in other words: then nothing follows.
    mayBeTurned: isTurned || isTouched(claim, candidate, shared) !== isTouched(candidate, claim, shared),
    denying,
    stating,
    reason: isNegating ? `${side} negates what the other states ("${cue!.replaceAll("*", "")}")` : undefined,
  };
}

/** "There is no agreement, the ministry said, dismissing false reports": denied twice, but only once. */
function isDenied(negations: readonly Negation[]): boolean {
  const whole = negations.filter(({ from }) => from === 0).length;
  const partial = negations.length - whole;
  return partial > 0 ? partial % 2 === 1 : whole > 0;
}

/** "Has not been freed", "did not say": the main statement of the sentence, not an aside. */
const FINITE = new Set(
  "is are was were be been has have had do does did will would shall should can could may might must".split(" "),
);
/** A negation after a verb, or before the subject: "held no cocaine", "said no one was killed". */
function isOfPredicate(words: readonly Word[], at: number): boolean {
  const before = words[at - 1]?.text;
  return (
    before === undefined || FINITE.has(before) || before === "that" || isPastVerb(before) || isReportingWord(before)
  );
}
/** "If the subsidies are not repealed": denies nothing. */
const SUPPOSED = new Set(["if", "unless", "whether", "until", "lest"]);
const SUPPOSED_REACH = 6;

/** The key of a shared concept, with its end of an axis. */
export const meantBy = ({ concept, pole }: Sense): string => `${concept} ${pole ?? ""}`;

/** Cues that are themselves a subject. */
const SUBJECTS = /^(?:nobody|no one|nothing|none|neither)$/;

/**
 * The negations that affect what both say: those that cover half of it, or the verb that both sentences have; and
 * negations of those.
 */
function bearingNegations(side: Statement, shared: ReadonlySet<string>, isVerbAsked = true): Negation[] {
  const { words, senses, negations } = side;
  const common = senses.filter((sense) => sense.weight === 1 && shared.has(meantBy(sense)));
  const bears = (one: Negation): boolean => {
    const { at, from, to, cue, isVerb } = one;
    if (words.slice(Math.max(0, at - SUPPOSED_REACH), at).some(({ text }) => SUPPOSED.has(text))) return false;
    const held = common.filter((sense) => sense.at >= from && sense.at <= to);
    if (
      held.length === 0 ||
      (isVerbAsked && from > 0 && !turnsShared(side, one, (sense) => shared.has(meantBy(sense))))
    )
      return false;
    if (SUBJECTS.test(cue) && !shared.has(meantBy(senses.find((sense) => sense.at >= from)!))) return false;
    if (held.length * 2 >= common.length) return true;
    const turned = senses.find((sense) => sense.at >= from && sense.at <= to);
    return (held[0] === turned || held.length > 1) && (isVerb || isOfPredicate(words, at));
  };
  const bearing = negations.filter(bears);
  return negations.filter(
    (one) => bearing.includes(one) || bearing.some(({ at }) => one.from > 0 && at >= one.from && at <= one.to),
  );
}

/** "The militia denied that it had attacked": denies only its own part, which the other does not mention. */
function isOfItsOwn({ words, senses, text, start }: Statement, { at, from }: Negation, other: Statement): boolean {
  if (from !== 0) return false;
  const behind = text.slice(words[at]!.end - start);
  if (!/^\s(?:that\s)?(?:(?:it|they|he|she)\b|\p{Ll}+ing\b)/u.test(behind)) return false;
  const subject = senses.filter((sense) => sense.at < at && sense.weight >= 1);
  return subject.length > 0 && !subject.some((sense) => other.senses.some((it) => it.concept === sense.concept));
}

const ALL = /^(?:all|every|each|both|everybody|everyone)$/;
/** "Not all of them have been freed" contradicts a statement about all. */
const turns = (side: Statement, negation: Negation, other: Statement): boolean =>
  !isOfItsOwn(side, negation, other) &&
  !(ALL.test(side.words[negation.from]?.text ?? "") && !other.words.some(({ text }) => ALL.test(text)));

/** Whether a statement asserts what both say, without anything that might deny it in other words. */
function isStating(side: Statement, shared: ReadonlySet<string>): boolean {
  const touches = ({ from, to }: Negation): boolean =>
    side.senses.some((sense) => sense.at >= from && sense.at <= to && sense.weight >= 1 && shared.has(meantBy(sense)));
  const own = side.negations.filter(touches);
  return !isDenied(own) && !isLacking(side, shared);
}

/** "You couldn't make it up": a negation of a word that any sentence may have denies nothing. */
const LIGHT =
  /^(?:ma[dk]e|makes|making|do|does|did|done|doing|get|gets|got|go|goes|going|gone|went|comes?|came|coming|takes?|took|taken|gives?|gave|given|know|knows|knew|known|sees?|saw|seen|thinks?|thought|says?|said|people|times?|years?|days?|things?|puts?|tells?|told|want|wants|wanted)$/;
const isOfMatter = ({ claim: { weight, word } }: Pair): boolean => weight >= 1 && !LIGHT.test(word);

const ACCUSING = /^accus(?:e|es|ed|ing)$/;
/** Whether a statement mentions what both say only as an accusation: then it does not assert it. */
export function isAccusation({ words, senses }: Statement, shared: ReadonlySet<string>): boolean {
  const at = words.findIndex(({ text }) => ACCUSING.test(text));
  return at >= 0 && senses.some((sense) => sense.at > at && sense.pole !== undefined && shared.has(meantBy(sense)));
}

/** Whether a statement says in other words that something is not so: its negations then do not show what it denies. */
export const isLacking = ({ senses, lacking }: Statement, shared: ReadonlySet<string>): boolean =>
  lacking.some((at) => !senses.some((sense) => sense.at === at && shared.has(meantBy(sense))));

/** Whether what both say is negated in one of them, whatever verb the negation covers. */
const isTouched = (side: Statement, other: Statement, shared: ReadonlySet<string>): boolean =>
  isDenied(bearingNegations(side, shared, false).filter((one) => turns(side, one, other)));

/** "A resignation would bring an election": says nothing of whether there is one. */
const WHAT_IF = /^(?:an?|any|such an?) (?:\w+ ){1,3}(?:would|could|might)\b/i;
