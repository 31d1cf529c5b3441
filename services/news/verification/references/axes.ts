import { sameName } from "../../../../core/text/statements/names.ts";
import { isApart, isDecisive, type Sense } from "../../../../core/text/statements/meaning.ts";
import { isOfAnotherOccasion } from "../../../../core/text/statements/occasion.ts";
import type { Statement } from "../../../../core/text/statements/statement.ts";
import type { Pair } from "./alignment.ts";

/** Words around an end of an axis that may say what it is said of. */
const AROUND = 6;
const namedAround = ({ senses }: Statement, { at, concept }: Sense): ReadonlySet<string> =>
  new Set(
    senses
      .filter((one) => one.concept !== concept && isTelling(one, concept) && Math.abs(one.at - at) <= AROUND)
      .map((one) => one.concept),
  );

/** A country has much that rises and falls: what moves is told by its word. */
const isTelling = ({ weight }: Sense, axis: string): boolean => (axis === "±direction" ? weight === 1 : weight >= 1);

/** Whether two ends of an axis are said of something that both have beside them. */
export function isOfOneThing(claim: Statement, candidate: Statement, [one, other]: readonly [Sense, Sense]): boolean {
  const theirs = namedAround(candidate, other);
  return [...namedAround(claim, one)].some((concept) => theirs.has(concept));
}

const FEWEST_AROUND = 2;

/** Whether both say it of one thing: a name or two words beside it are the same, and no other name stands there. */
export function isSettled(claim: Statement, candidate: Statement, [one, other]: readonly [Sense, Sense]): boolean {
  if (!isDecisive(one.concept) || isOfAnotherOccasion(claim) !== isOfAnotherOccasion(candidate)) return false;
  const [mine, theirs] = [namesBeside(claim, one), namesBeside(candidate, other)];
  if (mine.length > 0 && theirs.length > 0) return mine.some((name) => theirs.some((it) => sameName(name, it)));
  if (isOfMoney(claim, candidate, [one, other])) return true;
  const around = namedAround(candidate, other);
  return [...namedAround(claim, one)].filter((concept) => around.has(concept)).length >= FEWEST_AROUND;
}

/** A profit and a loss of so much each, in one currency. */
export function isOfMoney(claim: Statement, candidate: Statement, [one, other]: readonly [Sense, Sense]): boolean {
  const money = one.concept === "±outcome" ? moneyBeside(claim, one) : undefined;
  return money !== undefined && money === moneyBeside(candidate, other);
}

/** "A profit of 310 million euros", "lost 1.2 billion euros": the currency. */
const moneyBeside = ({ words, quantities }: Statement, { at }: Sense): string | undefined => {
  const [from, to] = [words[Math.max(0, at - 2)]!.start, words[Math.min(words.length - 1, at + AROUND)]!.end];
  return quantities.find(({ start, end, unit }) => /^[A-Z]{3}$/.test(unit) && start >= from && end <= to)?.unit;
};

/** "In Tolva": where it happened to somebody. */
const WHERE = /\b(?:in|at|near|off|outside|from|around)\s(?:the\s)?$/;

const namesBeside = ({ words, entities, text, start: first }: Statement, { at }: Sense): string[] => {
  const from = words[Math.max(0, at - AROUND)]!.start;
  const to = words[Math.min(words.length - 1, at + AROUND)]!.end;
  return entities
    .filter(({ start, end }) => start >= from && end <= to && !WHERE.test(text.slice(0, start - first)))
    .map(({ key }) => key);
};

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
