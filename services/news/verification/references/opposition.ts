import { otherCause } from "../../../../core/text/statements/causes.ts";
import { compareDates } from "../../../../core/text/statements/dates.ts";
import { actsOf, isSameAct, undoes, type Deed } from "../../../../core/text/statements/deeds.ts";
import { isQuote } from "../../../../core/text/statements/figures/measures.ts";
import type { Sense } from "../../../../core/text/statements/meaning.ts";
import { isOfAnotherOccasion, isSupposed } from "../../../../core/text/statements/occasion.ts";
import type { Negation } from "../../../../core/text/statements/polarity.ts";
import {
  isDeniedOfAnother,
  isOfMoney,
  isOfOneThing,
  isOfOwnThings,
  isSettled,
  likenessOf,
  oppositePoles,
  prefixedOpposites,
} from "./axes.ts";
import { isContrast, setAside, turnedFrom, turnsShared } from "./denial.ts";
import { otherWinner, rolesTurned } from "./roles.ts";
import type { Pair } from "./alignment.ts";
import { isPastVerb } from "../../../../core/text/words/stem.ts";
import { isFunctionWord, isReportingWord } from "../../../../core/text/words/stop-words.ts";
import type { Word } from "../../../../core/text/words/words.ts";
import type { Statement } from "../../../../core/text/statements/statement.ts";

/** "There is no agreement, the ministry said, dismissing false reports": denied twice, but only once. */
function isDenied(negations: readonly Negation[]): boolean {
  const whole = negations.filter(({ from }) => from === 0).length;
  const partial = negations.length - whole;
  return partial > 0 ? partial % 2 === 1 : whole > 0;
}

export interface Opposition {
  opposed: boolean;
  /** One denies word for word what the other states. */
  denied: boolean;
  /** One negates what the other states. */
  negated: boolean;
  /** One of them contains a negation, and it is unknown whether the other says the same in other words. */
  unclear: boolean;
  /** The axis at whose opposite ends they stand. */
  axis?: string | undefined;
  /** Its ends exclude each other for the one thing that both name beside them, whatever else they say. */
  settled: boolean;
  reasons: string[];
}

const LARGEST_CORE = 5;
const FEWEST_OF_CORE = 2;

/** What one sentence denies and the other, which denies nothing, states: at least two of its words, and half of it. */
function deniedCore(denying: Statement, stating: Statement, shared: ReadonlySet<string>): string | undefined {
  if (stating.negations.length > 0 || isLacking(stating, shared) || isAccusation(stating, shared)) return undefined;
  for (const one of denying.negations) {
    const { at: cueAt, from, to, cue } = one;
    if (
      from === 0 ||
      cue === "without" ||
      isContrast(denying, one) ||
      isDeniedOfAnother(denying, one, stating) ||
      turnedFrom(denying, one) === undefined ||
      isUnderNegation(denying.negations, cueAt)
    )
      continue;
    const core = denying.senses
      .filter(({ at, weight }) => at >= from && at <= to && weight === 1)
      .slice(0, LARGEST_CORE);
    const stated = core.filter(({ concept, pole }) =>
      stating.senses.some(
        (other) =>
          other.concept === concept &&
          other.pole === pole &&
          !stating.negations.some((own) => other.at >= own.from && other.at <= own.to),
      ),
    );
    if (!OF_SUBJECTS.test(cue) && !stated.includes(core[0]!)) continue;
    if (stated.length >= FEWEST_OF_CORE && stated.length * 2 >= core.length)
      return `${cue.replaceAll("*", "")} … ${stated.map(({ word }) => word).join(" ")}`;
  }
  return undefined;
}

/** "Has not ruled out". */
const isUnderNegation = (negations: readonly Negation[], at: number): boolean =>
  negations.some(({ from, to }) => from > 0 && at >= from && at <= to);

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
const meantBy = ({ concept, pole }: Sense): string => `${concept} ${pole ?? ""}`;

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
function isAccusation({ words, senses }: Statement, shared: ReadonlySet<string>): boolean {
  const at = words.findIndex(({ text }) => ACCUSING.test(text));
  return at >= 0 && senses.some((sense) => sense.at > at && sense.pole !== undefined && shared.has(meantBy(sense)));
}

/** Whether a statement says in other words that something is not so: its negations then do not show what it denies. */
const isLacking = ({ senses, lacking }: Statement, shared: ReadonlySet<string>): boolean =>
  lacking.some((at) => !senses.some((sense) => sense.at === at && shared.has(meantBy(sense))));

/** "Reports of his death": hearsay, not the writer's own statement. */
const HEARSAY = new Set("report reports rumour rumours rumor rumors claim claims fear fears speculation".split(" "));
const HEARSAY_REACH = 4;
const isHearsay = ({ words }: Statement, { at }: Sense): boolean =>
  words.slice(Math.max(0, at - HEARSAY_REACH), at).some(({ text }) => HEARSAY.has(text));

/** Senses of a statement without ends of an axis that are only supposed, or hearsay. */
function outrightOf(side: Statement): readonly Sense[] {
  let known = outright.get(side);
  if (!known) {
    known = side.senses.filter((sense) => !sense.pole || !(isHearsay(side, sense) || isSupposed(side, sense.at)));
    outright.set(side, known);
  }
  return known;
}
/** One sentence is compared with many claims. */
const outright = new WeakMap<Statement, readonly Sense[]>();

/** Whether what both say is negated in one of them, whatever verb the negation covers. */
const isTouched = (side: Statement, other: Statement, shared: ReadonlySet<string>): boolean =>
  isDenied(bearingNegations(side, shared, false).filter((one) => turns(side, one, other)));

/** "A resignation would bring an election": says nothing of whether there is one. */
const WHAT_IF = /^(?:an?|any|such an?) (?:\w+ ){1,3}(?:would|could|might)\b/i;

/**
 * Whether one says the opposite of the other: an odd number of negations between them, or opposite poles of an axis,
 * not both.
 */
export function opposed(claim: Statement, candidate: Statement, { pairs }: { pairs: readonly Pair[] }): Opposition {
  const shared = new Set(pairs.flatMap((pair) => [meantBy(pair.claim), meantBy(pair.candidate)]));
  const denials = (side: Statement, other: Statement): Negation[] =>
    bearingNegations(side, shared).filter((one) => one.cue !== "without" && turns(side, one, other));
  const [claimDenied, candidateDenied] = [denials(claim, candidate), denials(candidate, claim)];
  const isClaimDenied = isDenied(claimDenied);
  // A sentence that denies something else may deny the same in other words: then nothing follows.
  const isTurned = isClaimDenied !== isDenied(candidateDenied);
  const mayBeTurned = isTurned || isTouched(claim, candidate, shared) !== isTouched(candidate, claim, shared);
  const [denying, stating] = isClaimDenied ? [claim, candidate] : [candidate, claim];
  const bearing = isClaimDenied ? claimDenied : candidateDenied;
  const negationFlips =
    isTurned &&
    pairs.some(isOfMatter) &&
    isStating(stating, shared) &&
    !WHAT_IF.test(stating.text) &&
    !isAccusation(stating, shared) &&
    !bearing.some((one) => isDeniedOfAnother(denying, one, stating));
  const isMarket = isQuote(claim) && isQuote(candidate) && compareDates(claim.dates, candidate.dates) !== "agree";
  const ends = isMarket
    ? undefined
    : (oppositePoles(predicated(claim, outrightOf(claim)), predicated(candidate, outrightOf(candidate)), pairs) ??
      prefixedBetween(claim, candidate));
  const heard =
    ends ??
    (isMarket
      ? undefined
      : oppositePoles(predicated(claim, claim.senses), predicated(candidate, candidate.senses), pairs));
  const themes = ends && likenessOf(claim, candidate, ends);
  const opposites =
    ends &&
    themes !== "apart" &&
    !isOfOwnThings(claim, candidate, ends, pairs) &&
    (themes === "same" || isOfOneThing(claim, candidate, ends) || isOfMoney(claim, candidate, ends))
      ? ends
      : undefined;
  const turned = rolesTurned(claim, candidate, pairs) ?? otherWinner(claim, candidate, pairs);
  const reasons: string[] = [];
  if (negationFlips) {
    const [side, cue] =
      candidateDenied.length > 0 ? ["the sentence", candidateDenied[0]!.cue] : ["the claim", claimDenied[0]!.cue];
    reasons.push(`${side} negates what the other states ("${cue.replaceAll("*", "")}")`);
  }
  if (opposites) reasons.push(`opposites: ${opposites[0].word} and ${opposites[1].word}`);
  if (turned) reasons.push(`roles turned round: ${turned}`);
  const core = deniedCore(claim, candidate, shared) ?? deniedCore(candidate, claim, shared);
  const aside = setAside(claim, candidate) ?? setAside(candidate, claim);
  const cause = otherCause(claim, candidate) ?? aside;
  if (cause) reasons.push(`another cause or author: ${cause}`);
  if (core && !negationFlips) reasons.push(`one denies what the other states ("${core}")`);
  const undone = heard || isTurned || isMarket ? undefined : undoneBetween(claim, candidate);
  if (undone) reasons.push(`one undoes the other: ${undone}`);
  return {
    denied: core !== undefined || cause !== undefined,
    negated: negationFlips,
    axis: opposites?.[0].concept,
    settled: negationFlips
      ? opposites === undefined &&
        isDeniedOutright(isClaimDenied ? claim : candidate, isClaimDenied ? candidate : claim)
      : opposites !== undefined && (themes === "same" || isSettled(claim, candidate, opposites)),
    unclear: (mayBeTurned && !negationFlips && core === undefined) || themes === "apart",
    // Ends that are said of two things, or are hearsay, do not show what a negation covers.
    opposed:
      ((heard && !opposites ? false : negationFlips) !== (opposites !== undefined || undone !== undefined)) !==
      (turned !== undefined),
    reasons,
  };
}

const SURVIVORS = /^survivors?$/;
const BEFORE_NOUNS = new Set("by of from with the a an".split(" "));

/** Without mere modifiers of a noun: "by falling trees" does not say which way something went. */
const predicated = ({ words, text, start, negations }: Statement, senses: readonly Sense[]): readonly Sense[] =>
  senses.filter(({ at, pole, word }) => {
    // Others died.
    if (SURVIVORS.test(word) && !negations.some(({ from, to }) => at >= from && at <= to)) return false;
    if (!pole || !word.endsWith("ing") || !BEFORE_NOUNS.has(words[at - 1]?.text ?? "")) return true;
    const [own, next] = [words[at]!, words[at + 1]];
    return !next || isFunctionWord(next.text) || !/^\s$/.test(text.slice(own.end - start, next.start - start));
  });

function prefixedBetween(claim: Statement, candidate: Statement): [Sense, Sense] | undefined {
  const turned = prefixedOpposites(candidate.senses, claim.senses);
  return prefixedOpposites(claim.senses, candidate.senses) ?? (turned && [turned[1], turned[0]]);
}

/** Acts on one thing that undo each other: a town is held, or given up. */
function undoneBetween(claim: Statement, candidate: Statement): string | undefined {
  const mine = actsOf(claim);
  if (mine.length === 0) return undefined;
  const theirs = actsOf(candidate);
  const isOfBoth = ({ verb }: Deed): boolean =>
    mine.some((deed) => deed.verb === verb) && theirs.some((deed) => deed.verb === verb);
  for (const one of mine) {
    const other = theirs.find((it) => !it.isDenied && !one.isDenied && undoes(one, it));
    if (other && !isOfBoth(one) && !isOfBoth(other)) return `${one.verb} and ${other.verb}`;
  }
  return undefined;
}

/** Cues that stand before a subject; its verb follows. */
const OF_SUBJECTS = /^(?:no|not a single|not one)$/;
/** Cues that are themselves a subject. */
const SUBJECTS = /^(?:nobody|no one|nothing|none|neither)$/;

/** Whether the other sentence states what one denies: its verb and half of its clause. */
function isDeniedOutright(denying: Statement, stating: Statement): boolean {
  if (isOfAnotherOccasion(denying) !== isOfAnotherOccasion(stating)) return false;
  const isThere = (sense: Sense): boolean =>
    stating.senses.some(
      (other) =>
        !isSupposed(stating, other.at) &&
        (meantBy(other) === meantBy(sense) || (sense.weight === 1 && isSameAct(other.word, sense.word))),
    );
  return denying.negations.some(({ at, from, to, cue }) => {
    const first = from === 0 ? at : clauseStart(denying, at);
    const clause = denying.senses.filter((sense) => sense.weight >= 1 && sense.at >= first && sense.at <= to);
    const held = clause.filter((sense) => sense.at > at);
    const verb = OF_SUBJECTS.test(cue) ? (held[1] ?? held[0]) : held[0];
    const there = clause.filter(isThere);
    return (
      verb !== undefined &&
      (from === 0 || there.includes(verb)) &&
      there.length >= FEWEST_OF_CORE &&
      there.length * 2 >= clause.length
    );
  });
}

/** Index of the first word of a word's clause. */
function clauseStart({ text, start, words }: Statement, at: number): number {
  let first = at;
  while (first > 0 && !/[,;:()–—“”"]/.test(text.slice(words[first - 1]!.end - start, words[first]!.start - start)))
    first -= 1;
  return first;
}
