import { DIFFERENT } from "../../../../../core/text/statements/comparison.ts";
import { fateOf, measuresOf, type Measure } from "../../../../../core/text/statements/figures/measures.ts";
import { isNature, kindsIn } from "../../../../../core/text/statements/kinds.ts";
import { conceptOf, type Sense } from "../../../../../core/text/statements/meaning.ts";
import type { Negation } from "../../../../../core/text/statements/polarity.ts";
import type { Statement } from "../../../../../core/text/statements/statement.ts";
import type { Alignment } from "../alignment.ts";

/** "No evidence that", "no sign of": everything that follows is denied. */
const EVIDENCE = /^(?:evidence|proof|signs?|indications?|traces?|hints?)$/;
const OF_EVIDENCE = 2;
const EVIDENCE_REACH = 12;

/**
 * Whether the other sentence says what a negation denies first: "did not strike the clinic" denies nothing else about
 * the clinic.
 */
export function turnsShared(side: Statement, one: Negation, isShared: (sense: Sense) => boolean): boolean {
  const { words, senses } = side;
  const from = turnedFrom(side, one);
  if (from === undefined) return false;
  const within = (last: number): Sense[] => senses.filter(({ weight, at }) => weight === 1 && at >= from && at <= last);
  const [first] = within(one.to);
  if (!first) return from === one.from;
  return EVIDENCE.test(words[first.at]!.text)
    ? within(first.at + EVIDENCE_REACH)
        .slice(1, 1 + OF_EVIDENCE)
        .every(isShared)
    : isShared(first);
}

/** "No other people": about those whom the rest of the sentence leaves out. */
const NARROWED = /^(?:other|others|further|more|new|additional|longer)$/;
const FINITE = /^(?:is|are|was|were|has|have|had)$/;

/**
 * Index of the first word that a negation covers; undefined where it is about others. "None of the wounded is in
 * danger": the subject stands before the verb.
 */
export function turnedFrom({ words }: Statement, { cue, at, from }: Negation): number | undefined {
  if (cue === "no" && NARROWED.test(words[from]?.text ?? "")) return undefined;
  if (words[at + 1]?.text !== "of") return from;
  const verb = words.findIndex(({ text }, word) => word > at && FINITE.test(text));
  return verb < 0 ? undefined : verb;
}

const CONTRASTED = /,\s(?:and\s|but\s)?not\s$/i;

/** Whether a negation only contrasts one thing with another: "an error, and not a leak", "not food but the tax". */
export const isContrast = ({ words, text, start }: Statement, { at, from, to }: Negation): boolean =>
  from === at + 1 &&
  words[at]!.text === "not" &&
  words[from] !== undefined &&
  (CONTRASTED.test(text.slice(0, words[from].start - start)) || words[to + 1]?.text === "but");

const GIVEN_AS_CAUSE =
  /\b(?:reasons?|blam\w+|because|due to|caus(?:e|ed|es)|after|triggered|sparked|behind|set off|led to|it was)\b/i;
const FEWEST_BY_THEMSELVES = 2;

/** A cause that one sentence rejects, and that the other, which denies nothing, gives. */
export function setAside(denying: Statement, stating: Statement): string | undefined {
  if (stating.negations.length > 0) return undefined;
  for (const one of denying.negations) {
    if (!isContrast(denying, one)) continue;
    const aside = asideOf(denying, one);
    const isStated = aside.every(({ concept }) => stating.senses.some((other) => other.concept === concept));
    const isEnough =
      aside.length >= FEWEST_BY_THEMSELVES || GIVEN_AS_CAUSE.test(stating.text) || areOfOneKind(denying, stating);
    if (aside.length > 0 && isStated && isEnough) return `not ${aside.map(({ word }) => word).join(" ")}`;
  }
  return undefined;
}

/** "Told in person, and not by letter", "learned of it from a letter": one act, in two ways. */
const areOfOneKind = (one: Statement, other: Statement): boolean => {
  const theirs = kindsIn(other.words).deeds;
  return kindsIn(one.words).deeds.some(({ kind }) => theirs.some((it) => it.kind === kind));
};

/** Up to the next comma: what follows is about the alternative. */
function asideOf({ words, senses, text, start }: Statement, { from, to }: Negation): Sense[] {
  let last = from;
  while (last < to && !text.slice(words[last]!.end - start, words[last + 1]!.start - start).includes(",")) last += 1;
  return senses.filter(({ at, weight }) => weight >= 1 && at >= from && at <= last);
}

const NONE = /^(?:no|nobody|none|no one|not a single|not one)$/;
/** Words for people that add nothing. */
const ANYBODY = /^(?:people|person|persons|reports?|casualt(?:y|ies)|victims?|lives)$/;
/** What happened to nobody: "no survivors", "nobody was hurt". */
function fatesOfNobody(side: Statement): string[] {
  return side.negations.flatMap((one) => {
    const from = NONE.test(one.cue) ? turnedFrom(side, one) : undefined;
    if (from === undefined) return [];
    const first = side.senses.find(({ at, word }) => at >= from && at <= one.to && !ANYBODY.test(word));
    const fate = first && fateOf(first.concept);
    return fate ? [fate === "dead" && first.pole === "alive" ? "saved" : fate] : [];
  });
}

const ALL_WELL =
  /\b(?:all|every|everyone|everybody|both)\b[^,;.]{0,40}\b(?:survived|alive|rescued|saved|unhurt|unharmed|uninjured|safe|safely|to safety|without a scratch)\b/i;
/** "All passengers were rescued": what therefore happened to none of them. */
const fatesOfNone = ({ text, negations }: Statement): string[] =>
  negations.length === 0 && ALL_WELL.test(text)
    ? /un(?:hurt|harmed|injured)|scratch/i.test(text)
      ? ["dead", "hurt"]
      : ["dead"]
    : [];

const isCounted = ({ standing, quantity: { value, unit } }: Measure): boolean =>
  standing === "stated" && value > 0 && (unit === "count" || unit === "number");

/** "340 dead fish": of nobody. */
const countsNature = ({ quantity }: Measure): boolean => quantity.of.some((thing) => isNature(conceptOf(thing)));

/** What happened to some by one statement and to none by the other, told by `fatesOf`; counted by a measure that fits. */
function countedAgainst(
  claim: Statement,
  candidate: Statement,
  fatesOf: (side: Statement) => readonly string[],
  fits: (measure: Measure) => boolean = () => true,
): string | undefined {
  for (const [denying, counting] of [
    [claim, candidate],
    [candidate, claim],
  ] as const) {
    const fates = fatesOf(denying);
    if (fates.length === 0 || fates.includes("employed") || fatesOfNobody(counting).length > 0) continue;
    const isOfNature = denying.senses.some(({ concept }) => isNature(concept));
    const counted = measuresOf(counting).find(
      (one) =>
        isCounted(one) && fates.some((fate) => one.fates.has(fate)) && (isOfNature || !countsNature(one)) && fits(one),
    );
    if (counted) return `${DIFFERENT}: none against ${counted.quantity.text}`;
  }
  return undefined;
}

/** A number of people where the other sentence says that there are none. */
export const noneAgainst = (claim: Statement, candidate: Statement): string | undefined =>
  countedAgainst(claim, candidate, (side) => [...fatesOfNobody(side), ...fatesOfNone(side)]);

/** "Nobody was killed by the new tremor", "nobody fell ill at two homes": told of one of several. */
const OF_ONE_OF_SEVERAL = /\b(?:new|second|latest|other|others|there|where|since|yet|main|elsewhere|both)\b/i;
const areOfPeople = ({ quantity }: Measure): boolean => quantity.of.includes("people");

/** The same of people, where the other says "nobody" in so many words, and of the event itself. */
export const nobodyAgainst = (claim: Statement, candidate: Statement): string | undefined =>
  [claim, candidate].some(({ text }) => OF_ONE_OF_SEVERAL.test(text))
    ? undefined
    : countedAgainst(claim, candidate, fatesOfNobody, areOfPeople);

/** Most words between a shared subject and its negation. */
const DENIED_BEHIND = 3;
/** "The generators did not start": something is denied of the shared subject, whatever the claim says of it. */
export const deniesBeside = ({ negations, words }: Statement, { pairs }: Alignment): boolean =>
  negations.some(
    ({ at, from }) =>
      from > 0 &&
      AUXILIARY.test(words[at - 1]?.text ?? "") &&
      pairs.some(({ candidate }) => candidate.weight >= 1 && candidate.at < at && at - candidate.at <= DENIED_BEHIND),
  );
const AUXILIARY = /^(?:did|does|do|has|have|had|is|are|was|were|will|would|could|can)$/;

/** Only a denial confirms a denial, in whatever words. */
export const saysNot = ({ negations, lacking, senses }: Statement): boolean =>
  negations.length > 0 || lacking.length > 0 || senses.some(({ pole }) => pole !== undefined && ENDS.test(pole));
const ENDS = /^(?:off|no|closed|away|out)$/;
