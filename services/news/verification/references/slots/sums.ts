import { DIFFERENT } from "../../../../../core/text/statements/comparison.ts";
import { measuresOf, type Measure } from "../../../../../core/text/statements/figures/measures.ts";
import { sameValue } from "../../../../../core/text/statements/figures/quantities.ts";
import type { Statement } from "../../../../../core/text/statements/statement.ts";
import type { Pair } from "../alignment.ts";
import { once } from "../../../../../core/once.ts";

/** A figure that an event has only one of, and the words that identify it. */
interface Slot {
  /** Required anywhere in the sentence. */
  said: RegExp;
  /** Required directly before the figure. */
  before?: RegExp;
  /** Marks another figure. */
  not: RegExp;
  is: (measure: Measure) => boolean;
}

const LEAST_OF_MONEY = 1_000;
const isMoney = ({ quantity: { unit, value } }: Measure): boolean =>
  value >= LEAST_OF_MONEY && (/^[A-Z]{3}$/.test(unit) || unit === "count");
const isOfPeople = ({ quantity: { unit, of, value } }: Measure): boolean =>
  unit === "count" && value >= 10 && of.includes("people");

const SLOTS: Record<string, Slot> = {
  aboard: {
    said: new RegExp(
      String.raw`\b(?:aboard|on board|on the (?:ship|ferry|boat|vessel|plane|jet|aircraft|train|bus|coach|` +
        String.raw`flight)|were travell?ing|(?:ship|ferry|boat|vessel|plane|jet|aircraft|train|bus|coach) (?:had|` +
        String.raw`carried|was carrying))\b`,
      "i",
    ),
    not: new RegExp(
      String.raw`\b(?:rescu|sav(?:ed|ing)|missing|surviv|licen[cs]|allowed|permitted|capacity|bod(?:y|ies)|died|` +
        String.raw`dead|drown|kill|hurt|injur|hospital|brought|pulled|a year|a day|of them are|including)`,
      "i",
    ),
    is: isOfPeople,
  },
  step: {
    said: /\b(?:rates?|borrowing costs)\b/i,
    before: new RegExp(
      String.raw`\b(?:cut|cuts|lower(?:s|ed)?|slash(?:es|ed)?|rais(?:es|ed)|lift(?:s|ed)?|increas(?:es|ed)|` +
        String.raw`reduc(?:es|ed)|hik(?:es|ed))\b[^;]{0,80}$`,
      "i",
    ),
    not: /\b(?:expect|forecast|economists|analysts|wanted|called for|last (?:month|year|time)|previous|neighbour)/i,
    is: ({ quantity: { unit } }) => unit === "point",
  },
  fine: {
    said: /\b(?:fine[ds]?|(?:ordered|sentenced|told|has|have|had) to pay|must pay)\b/i,
    before: /\b(?:fine[ds]?|pay)\b[^;]{0,40}$/i,
    not: /\b(?:ransom|a (?:month|year|week|day)|debts?|costs|bail|up to|each)\b/i,
    is: isMoney,
  },
  worth: {
    said: /\b(?:haul|loot|booty|stolen|jewels?|damages?|contracts?|villa|painting)\b/i,
    before: new RegExp(
      String.raw`\b(?:worth|valued?(?: the \w+)? at|put (?:the )?(?:value|damage)(?: \w+)? at)\s(?:about |` +
        String.raw`some |around |nearly |almost |roughly |an? )?$`,
      "i",
    ),
    not: /\b(?:each|reward|insured for)\b/i,
    is: isMoney,
  },
};

type Filled = Readonly<Record<string, Measure>>;

const slotsIn = once((stated: Statement): Filled | undefined => {
  const { text, start, quantities, negations, words } = stated;
  if (quantities.length === 0) return undefined;
  const isDenied = ({ quantity }: Measure): boolean => negations.some(({ at }) => words[at]!.start < quantity.start);
  const filled = Object.entries(SLOTS).flatMap(([slot, { said, before, not, is }]) => {
    if (!said.test(text) || not.test(text)) return [];
    const found = measuresOf(stated).filter(
      (one) =>
        is(one) &&
        one.standing === "stated" &&
        !isDenied(one) &&
        (before?.test(text.slice(0, one.quantity.start - start)) ?? true),
    );
    return found.length === 1 ? [[slot, found[0]!] as const] : [];
  });
  return filled.length > 0 ? Object.fromEntries(filled) : undefined;
});

/**
 * Two values of a figure that an event has only one of: people on board, a fine, the step of a rate, the value of
 * stolen goods.
 */
export function otherSum(claim: Statement, candidate: Statement, pairs: readonly Pair[]): string | undefined {
  const mine = slotsIn(claim);
  const theirs = mine && slotsIn(candidate);
  if (!mine || !theirs) return undefined;
  for (const [slot, { quantity: one }] of Object.entries(mine)) {
    const other = theirs[slot]?.quantity;
    if (!other || one.unit !== other.unit || sameValue(one, other) !== "differ") continue;
    if (one.unit === "count" && !one.of.some((thing) => other.of.includes(thing))) continue;
    if (slot === "step" && !pairs.some((pair) => Math.max(pair.claim.weight, pair.candidate.weight) > 1)) continue;
    return `${DIFFERENT}: ${one.text} against ${other.text}`;
  }
  return undefined;
}
