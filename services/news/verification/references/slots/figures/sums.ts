import { DIFFERENT } from "../../../../../../core/text/statements/comparison.ts";
import { measuresOf, type Measure } from "../../../../../../core/text/statements/figures/measures.ts";
import { sameValue, type Quantity } from "../../../../../../core/text/statements/figures/quantities.ts";
import type { Statement } from "../../../../../../core/text/statements/statement.ts";
import type { Pair } from "../../alignment.ts";
import { once } from "../../../../../../core/once.ts";
import { areOfOthers } from "../guards.ts";
import { SLOTS } from "./single-figures.ts";

type Filled = Readonly<Record<string, Measure>>;

/** What will be done, and nobody only wants or expects. */
const HOPED = /\b(?:expect|forecast|hop(?:e|es|ed|ing)|demand|want|ask|(?:could|may|might|should|if)\b)/i;
const isDecided = ({ standing }: Measure, text: string): boolean =>
  standing === "planned" || (standing === "forecast" && !HOPED.test(text));

/** "Barely half of them, 54 percent": few, and not none. */
const FEW = /^(?:barely|hardly|scarcely|only)$/;

const slotsIn = once((stated: Statement): Filled | undefined => {
  const { text, start, quantities, negations, words } = stated;
  if (quantities.length === 0) return undefined;
  const isDenied = ({ quantity }: Measure): boolean =>
    negations.some(({ at, cue }) => !FEW.test(cue) && words[at]!.start < quantity.start);
  const filled = Object.entries(SLOTS).flatMap(([slot, { said, before, not, notIs, is, ahead }]) => {
    if (!said.test(text) || (!notIs && not.test(text))) return [];
    const found = measuresOf(stated).filter((one) => {
      const leading = text.slice(0, one.quantity.start - start);
      return (
        is(one) &&
        (one.standing === "stated" || (ahead && isDecided(one, text))) &&
        !isDenied(one) &&
        (before?.test(leading) ?? true) &&
        !(notIs && not.test(leading))
      );
    });
    return found.length === 1 ? [[slot, found[0]!] as const] : [];
  });
  return filled.length > 0 ? Object.fromEntries(filled) : undefined;
});

/** A bare number counts what the slot does. */
const areOfOneUnit = ({ unit: one }: Quantity, { unit: other }: Quantity): boolean =>
  one === other || [one, other].every((unit) => unit === "count" || unit === "number");

/**
 * Two values of a figure that an event has only one of: people on board, a fine, the step of a rate, the value of
 * stolen goods.
 */
export function otherSum(claim: Statement, candidate: Statement, pairs: readonly Pair[]): string | undefined {
  const mine = slotsIn(claim);
  const theirs = mine && slotsIn(candidate);
  if (!mine || !theirs || areOfOthers(claim, candidate)) return undefined;
  for (const [slot, { quantity: one }] of Object.entries(mine)) {
    const other = theirs[slot]?.quantity;
    if (!other || !areOfOneUnit(one, other) || sameValue(one, other) !== "differ") continue;
    const { apart = 1, isOfOneNoun, isBeside } = SLOTS[slot]!;
    if (isOfOneNoun && one.unit === "count" && !one.of.some((thing) => other.of.includes(thing))) continue;
    const [least, most] = [one.value, other.value].sort((x, y) => x - y) as [number, number];
    if (most < apart * least) continue;
    if (isBeside && !pairs.some((pair) => Math.max(pair.claim.weight, pair.candidate.weight) > 1)) continue;
    return `${DIFFERENT}: ${one.text} against ${other.text}`;
  }
  return undefined;
}
