import { languageOf } from "../../../../../core/text/language.ts";
import { conceptOf } from "../../../../../core/text/statements/meaning.ts";
import type { Figures } from "../../../../../core/text/statements/comparison.ts";
import { kindsIn } from "../../../../../core/text/statements/kinds.ts";
import { measuresOf, type Measure } from "../../../../../core/text/statements/figures/measures.ts";
import { sameName } from "../../../../../core/text/statements/names.ts";
import { numbersIn } from "../../../../../core/text/statements/figures/numerals.ts";
import { wholeOf, type Statement } from "../../../../../core/text/statements/statement.ts";
import type { Pair } from "../alignment.ts";
import { once } from "../../../../../core/once.ts";

/** Whether a statement contains a number anywhere, as a figure or a word: "46 people, six of them seriously". */
function states(stated: Statement, { quantity }: Measure): boolean {
  if (stated.quantities.some(({ value }) => value === quantity.value)) return true;
  const { text, words } = wholeOf(stated);
  return quantity.value === 0
    ? words.some((word) => word.text === "no")
    : numbersIn(text, words).includes(quantity.value);
}

/**
 * Whether differing figures count one thing: neither side also has the other's figure, and two words for people share a
 * word beside them.
 */
export const isOfOneCount = (
  claim: Statement,
  candidate: Statement,
  { apart }: Figures,
  pairs: readonly Pair[],
): boolean =>
  apart.some(([one, other]) => {
    if (states(candidate, one) || states(claim, other)) return false;
    if (!one.quantity.of.includes("people") || one.fates.size > 0) return true;
    // Customers and customers, but not employees and workers.
    const isOneWord = one.quantity.of.some((thing) => !/^peopl/.test(thing) && other.quantity.of.includes(thing));
    if (isOneWord) return true;
    const things = new Set([...one.quantity.of, ...other.quantity.of].map(conceptOf));
    return pairs.some(({ claim: { concept, weight } }) => weight >= 1 && !things.has(concept));
  });

const SPAN = /\bsince (?:\p{Lu}\p{L}+|yesterday|midnight|noon|dawn|the)\b/u;

/** Whether a sign stands between a word and an offset: they are of two clauses. */
const isParted = ({ text, start }: Statement, word: { start: number; end: number }, offset: number): boolean =>
  /[,;:]/.test(text.slice(Math.min(word.end - start, offset), Math.max(word.start - start, offset)));

/** A count that goes on is told with it, whose latest figure must not be trusted less for what else is said. */
export const tellsOfACount = (stated: Statement): boolean => measuresOf(stated).some(({ fates }) => fates.size > 0);

/** "Nobody has died since Friday" denies nothing earlier: one of them covers only such a span. */
export const deniesOfSpan = (claim: Statement, candidate: Statement): boolean =>
  [claim, candidate].some((side) => {
    const span = side.negations.length > 0 ? SPAN.exec(side.text) : null;
    return span !== null && side.negations.some(({ at }) => !isParted(side, side.words[at]!, span.index));
  });

const UNNAMED = /\b(?:by|in|from|during) (?:it|this|that)[.,]?(?:$|\s)/;

/** "Nobody was hurt by it": the sentence does not say by what, and the rest of it is one word. */
export const deniesOfUnnamed = (claim: Statement, candidate: Statement): boolean =>
  [claim, candidate].some(
    ({ negations, senses, text }) =>
      negations.length > 0 && UNNAMED.test(text) && senses.filter(({ weight }) => weight >= 1).length < 2,
  );

const ACCENTED = /[àâáãäçéèêëíîïñóôõöúûùüßæœ]/iu;

/** Whether a sentence is not English: two function words of another language, or one and accents. */
export const isForeign = once((stated: Statement): { is: boolean } => {
  const { text, words } = wholeOf(stated);
  return { is: languageOf(text, words, ACCENTED.test(text) ? 1 : 2) !== "en" };
});

/** Words of two languages cannot be compared: what looks alike means something else. */
export const areOfTwoLanguages = (claim: Statement, candidate: Statement): boolean =>
  isForeign(claim)?.is !== isForeign(candidate)?.is;

export const sharesName = ({ entities: one }: Statement, { entities: other }: Statement): boolean =>
  one.some(({ key }) => other.some((it) => sameName(it.key, key)));

/** Whether each names somebody or something, and they share no name. */
export const areOfOthers = (claim: Statement, candidate: Statement): boolean =>
  claim.entities.length > 0 && candidate.entities.length > 0 && !sharesName(claim, candidate);

/** Whether it says in any words that something will not go ahead. */
const isCalledOff = ({ words, senses, negations, lacking }: Statement): boolean | undefined =>
  kindsIn(words).deeds.some(({ kind }) => kind === "cancel") ||
  (senses.some(({ concept }) => concept === "±course") || negations.length > 0 || lacking.length > 0
    ? undefined
    : false);

/** A strike is called, and called off: what one of them says no more holds by the other. */
export function isCalledOffInOne(claim: Statement, candidate: Statement): boolean {
  const isOff = [isCalledOff(claim), isCalledOff(candidate)];
  return isOff.includes(true) && isOff.includes(false);
}
