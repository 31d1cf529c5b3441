import { isNature } from "../../../../../core/text/statements/kinds.ts";
import { sameName } from "../../../../../core/text/statements/names.ts";
import { isAbsolute, isApart, isDecisive, type Sense } from "../../../../../core/text/statements/meaning.ts";
import { isOfAnotherOccasion, isSupposed } from "../../../../../core/text/statements/occasion.ts";
import type { Statement } from "../../../../../core/text/statements/statement.ts";
import {
  agentOf,
  isByOthers,
  isOfOtherScope,
  likeness,
  subjectOf,
  themeOf,
  type Likeness,
  type Theme,
} from "../../../../../core/text/statements/themes.ts";
import type { Negation } from "../../../../../core/text/statements/polarity.ts";
import { isPastVerb } from "../../../../../core/text/words/stem.ts";
import { remembering } from "../../../../../core/text/words/remembered.ts";
import type { Pair } from "../alignment.ts";

/** How many words around an end of an axis may name its subject. */
const AROUND = 6;
const namedAround = ({ senses }: Statement, { at, concept }: Sense): ReadonlySet<string> =>
  new Set(
    senses
      .filter((one) => one.concept !== concept && isTelling(one, concept) && Math.abs(one.at - at) <= AROUND)
      .map((one) => one.concept),
  );

/** Much in a country rises and falls: what moves is identified by its own word alone. */
const isTelling = ({ weight }: Sense, axis: string): boolean => (axis === "±direction" ? weight === 1 : weight >= 1);

/** Whether two ends of an axis are said of something that both name beside them. */
export function isOfOneThing(claim: Statement, candidate: Statement, [one, other]: readonly [Sense, Sense]): boolean {
  const theirs = namedAround(candidate, other);
  return [...namedAround(claim, one)].some((concept) => theirs.has(concept));
}

const FEWEST_AROUND = 2;

/** Whether both ends are said of one thing: they share a name or two words beside them, and no other name. */
export function isSettled(claim: Statement, candidate: Statement, [one, other]: readonly [Sense, Sense]): boolean {
  if (!isDecisive(one.concept) || isOfAnotherOccasion(claim) !== isOfAnotherOccasion(candidate)) return false;
  const [mine, theirs] = [namesBeside(claim, one), namesBeside(candidate, other)];
  if (mine.length > 0 && theirs.length > 0) return mine.some((name) => theirs.some((it) => sameName(name, it)));
  if (isOfMoney(claim, candidate, [one, other])) return true;
  const around = namedAround(candidate, other);
  return [...namedAround(claim, one)].filter((concept) => around.has(concept)).length >= FEWEST_AROUND;
}

/** A profit and a loss, each of an amount in the same currency. */
export function isOfMoney(claim: Statement, candidate: Statement, [one, other]: readonly [Sense, Sense]): boolean {
  const money = one.concept === "±outcome" ? moneyBeside(claim, one) : undefined;
  return money !== undefined && money === moneyBeside(candidate, other);
}

/** "Lost 40 million": an amount without a currency. */
const LEAST_OF_MONEY = 100_000;

/** "A profit of 310 million euros", "lost 1.2 billion euros": the currency. */
const moneyBeside = ({ words, quantities }: Statement, { at }: Sense): string | undefined => {
  const [from, to] = [words[Math.max(0, at - 2)]!.start, words[Math.min(words.length - 1, at + AROUND)]!.end];
  const found = quantities.find(
    ({ start, end, unit, value }) =>
      start >= from && end <= to && (/^[A-Z]{3}$/.test(unit) || (unit === "number" && value >= LEAST_OF_MONEY)),
  );
  return found?.unit;
};

/** "In Tolva": the place, not the subject. */
const WHERE = /\b(?:in|at|near|off|outside|from|around)\s(?:the\s)?$/;

const namesBeside = ({ words, entities, text, start: first }: Statement, { at }: Sense): string[] => {
  const from = words[Math.max(0, at - AROUND)]!.start;
  const to = words[Math.min(words.length - 1, at + AROUND)]!.end;
  return entities
    .filter(({ start, end }) => start >= from && end <= to && !WHERE.test(text.slice(0, start - first)))
    .map(({ key }) => key);
};

/** What began may have stopped since: only what is still going on contradicts that it stopped. */
const BEGINS = /^(?:start|began|begin|begun|introduc)/;

/** Said of the subject (who is loyal or drunk), not of the object. */
const OF_SUBJECTS = /^±(?:loyalty|membership|drink|company|calm|attendance)$/;
const saidOf = (side: Statement, { at, word, concept }: Sense) =>
  OF_SUBJECTS.test(concept) ? subjectOf(side, at) : themeOf(side, at, word.split(" ").length);

/** Whether two ends of an axis are said of one thing, by the phrases that they belong to. */
export function likenessOf(claim: Statement, candidate: Statement, [one, other]: readonly [Sense, Sense]): Likeness {
  if (isAbsolute(one.concept)) return "same";
  if (isByOthers(agentOf(claim, one.at), agentOf(candidate, other.at))) return "apart";
  if (isOfOtherScope(claim, one.at, candidate, other.at)) return "apart";
  const found = likeness(saidOf(claim, one), saidOf(candidate, other));
  const isSequence = one.concept === "±course" && (BEGINS.test(one.word) || BEGINS.test(other.word));
  return found === "same" && (one.concept === "±direction" || isSequence) ? "unknown" : found;
}

/** How much both must name besides the thing itself and what is said of it. */
const FEWEST_BESIDE_OWNED = 1;

/** "The church has opened its doors": whose doors is unknown, unless both sentences share more than the doors. */
export function isOfOwnThings(
  claim: Statement,
  candidate: Statement,
  [one, other]: readonly [Sense, Sense],
  pairs: readonly Pair[],
): boolean {
  const [mine, theirs] = [saidOf(claim, one), saidOf(candidate, other)];
  if (!mine || !theirs || mine.isOwned === theirs.isOwned || mine.head !== theirs.head) return false;
  const beside = pairs.filter(
    ({ claim: { weight, concept } }) => weight >= 1 && concept !== one.concept && concept !== mine.head,
  );
  return beside.length < FEWEST_BESIDE_OWNED;
}

const PREFIXED =
  /^(?:un|non)(?<un>\p{L}{4,})$|^(?:in|im|ir|il|dis)(?<inn>\p{L}{3,}(?:ent|ant|ible|able|ate|ct|al|ive|ary|plet|lete|ure))$/u;
/** Empty where there is none. */
const baseWithout = remembering((concept: string): string => {
  const found = PREFIXED.exec(concept)?.groups;
  return found?.["un"] ?? found?.["inn"] ?? "";
});

/** A word and its opposite by a prefix: "solvent" and "insolvent", "harmed" and "unharmed". */
export function prefixedOpposites(claim: readonly Sense[], candidate: readonly Sense[]): [Sense, Sense] | undefined {
  for (const one of claim) {
    const base = one.weight === 1 && one.pole === undefined ? baseWithout(one.concept) : "";
    const other = base ? candidate.find(({ concept }) => concept === base) : undefined;
    if (other && !claim.some(({ concept }) => concept === base)) return [one, other];
  }
  return undefined;
}

/** The first axis on which the two share no pole. */
export function oppositePoles(
  claim: readonly Sense[],
  candidate: readonly Sense[],
  pairs: readonly Pair[],
): [Sense, Sense] | undefined {
  for (const { claim: one } of pairs) {
    if (one.pole === undefined || isApart(one.concept)) continue;
    const poles = (side: readonly Sense[]) =>
      side.filter(({ concept, pole }) => concept === one.concept && pole !== undefined);
    const mine = poles(claim);
    const theirs = poles(candidate);
    if (
      mine.length > 0 &&
      theirs.length > 0 &&
      !mine.some((sense) => theirs.some((other) => other.pole === sense.pole))
    )
      return [mine[0]!, theirs[0]!];
  }
  return undefined;
}

/** Whether each has a name, and not the same one. */
export const areOfTwoNames = (one: Theme | undefined, other: Theme | undefined): boolean =>
  one !== undefined &&
  other !== undefined &&
  one.names.length > 0 &&
  other.names.length > 0 &&
  !one.names.some((name) => other.names.some((it) => sameName(name, it)));

const NOBODY = /^(?:nobody|no one)$/;
/** "Nobody died" is said of people, and not of dead fish: what the other says befell an animal, a wood or a river. */
export const isOfNoPerson = (cue: string, stating: Statement, at: number): boolean =>
  NOBODY.test(cue) &&
  [themeOf(stating, at), subjectOf(stating, at)].some((one) => one !== undefined && isNature(one.head));

const CEASED = /^(?:stop|ceas|quit)/;
const GOES_ON = /\b(?:still|continu\w+|keeps?|kept|go(?:es)? on|again|resum\w+|will|never|remains?|every day)\b/i;

/** Whether one denies of somebody or something what the other says of another: other agents, or other objects. */
export function isDeniedOfAnother(denying: Statement, { cue, from, to }: Negation, stating: Statement): boolean {
  if (from === 0) return false;
  // What was stopped had been done before: only a statement that it continues, or will, contradicts that.
  if (CEASED.test(cue) && !GOES_ON.test(stating.text)) return true;
  const turned = denying.senses.find((sense) => sense.weight === 1 && sense.at >= from && sense.at <= to);
  const said = turned && stating.senses.find(({ concept }) => concept === turned.concept);
  if (!turned || !said) return false;
  if (isOfNoPerson(cue, stating, said.at)) return true;
  // "Demanded that she resign": only wanted or supposed.
  if (said.pole === turned.pole && isSupposed(stating, said.at) && !isSupposed(denying, turned.at)) return true;
  if (isByOthers(agentOf(denying, turned.at), agentOf(stating, said.at))) return true;
  const isTheirOwn = !themeOf(denying, turned.at)?.isObject && !themeOf(stating, said.at)?.isObject;
  if (isTheirOwn && areOfTwoNames(subjectOf(denying, turned.at), subjectOf(stating, said.at))) return true;
  if (!isPastVerb(stating.words[said.at]!.text)) return false;
  const [mine, theirs] = [themeOf(denying, turned.at), themeOf(stating, said.at)];
  if (isOfOtherScope(denying, turned.at, stating, said.at)) return true;
  return mine !== undefined && theirs !== undefined && mine.isObject && theirs.isObject && isByOthers(mine, theirs);
}
