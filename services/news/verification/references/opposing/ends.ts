import { compareDates } from "../../../../../core/text/statements/dates.ts";
import { isQuote } from "../../../../../core/text/statements/figures/measures.ts";
import type { Sense } from "../../../../../core/text/statements/meaning.ts";
import { isSupposed } from "../../../../../core/text/statements/occasion.ts";
import type { Statement } from "../../../../../core/text/statements/statement.ts";
import { isFunctionWord } from "../../../../../core/text/words/stop-words.ts";
import type { Pair } from "../alignment.ts";
import { isOfMoney, isOfOneThing, isOfOwnThings, likenessOf, oppositePoles, prefixedOpposites } from "./axes.ts";

/** An end of an axis in the claim, and the other end of it in the sentence. */
type Two = [Sense, Sense];

/** The ends of one axis at which two sentences stand. */
export interface Ends {
  /** Said outright, supposed or heard: what a negation covers is then unclear. */
  heard: Two | undefined;
  /** Said outright, and of one thing. */
  opposite: Two | undefined;
  /** Whether both ends are said of the same thing, of two, or that is unknown. */
  themes: ReturnType<typeof likenessOf> | undefined;
  /** Prices of two days, which may stand anywhere. */
  isMarket: boolean;
}

const NO_ENDS: Ends = { heard: undefined, opposite: undefined, themes: undefined, isMarket: false };

/** Prices of two days: what rose in one may have fallen in the other. */
const isOfTwoMarketDays = (claim: Statement, candidate: Statement): boolean =>
  isQuote(claim) && isQuote(candidate) && compareDates(claim.dates, candidate.dates) !== "agree";

export function endsBetween(claim: Statement, candidate: Statement, pairs: readonly Pair[]): Ends {
  if (isOfTwoMarketDays(claim, candidate)) return { ...NO_ENDS, isMarket: true };
  const between = (sensesOf: (side: Statement) => readonly Sense[]): Two | undefined =>
    oppositePoles(predicated(claim, sensesOf(claim)), predicated(candidate, sensesOf(candidate)), pairs);
  const outright = between(outrightOf) ?? prefixedBetween(claim, candidate);
  if (!outright) return { ...NO_ENDS, heard: between(({ senses }) => senses) };
  const themes = likenessOf(claim, candidate, outright);
  const isOfOne =
    themes !== "apart" &&
    !isOfOwnThings(claim, candidate, outright, pairs) &&
    (themes === "same" || isOfOneThing(claim, candidate, outright) || isOfMoney(claim, candidate, outright));
  return { heard: outright, opposite: isOfOne ? outright : undefined, themes, isMarket: false };
}

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
