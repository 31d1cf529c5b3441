import { once } from "../../../../../../core/once.ts";
import { compareDates } from "../../../../../../core/text/statements/dates.ts";
import { DIFFERENT } from "../../../../../../core/text/statements/comparison.ts";
import { countedKind } from "../../../../../../core/text/statements/figures/counted.ts";
import { measuresOf, type Measure } from "../../../../../../core/text/statements/figures/measures.ts";
import { sameValue } from "../../../../../../core/text/statements/figures/quantities.ts";
import { wholeOf, type Statement } from "../../../../../../core/text/statements/statement.ts";
import { areOfOthers } from "../guards.ts";

/** Farther apart, one is a part of the other or counts something else. */
const MOST_APART = 6;
/** A part, an earlier count, or one that goes on. */
const OF_PART = new RegExp(
  String.raw`\b(?:of (?:them|these|those|whom|the \w+)|each|apiece|every|per|another|further|additional|more than|` +
    String.raw`remaining|rest of|still|so far|already|by now|until now|last (?:year|month|week|time)|ago|earlier|` +
    String.raw`previous\w*|since|including|among them|risen|rose|grown|grew|fell|fallen|increas\w+|doubled|at first|` +
    String.raw`original\w*|up to|maximum|capacity|room for|second|third|other|others|first|last|next|new|both)\b`,
  "i",
);

/** What a sentence counts once, by the kind of thing. */
const allIn = once((stated: Statement): ReadonlyMap<string, Measure> | undefined => {
  if (stated.quantities.length === 0) return undefined;
  const found = measuresOf(stated).flatMap((one) => {
    const kind = one.fates.size > 0 ? undefined : countedKind(one.quantity, wholeOf(stated));
    return kind === undefined || (one.standing !== "stated" && one.standing !== "planned")
      ? []
      : [[kind, one] as const];
  });
  const alone = found.filter(([kind]) => found.filter(([other]) => other === kind).length === 1);
  return alone.length > 0 ? new Map(alone) : undefined;
});

/** The same, where nothing makes it a part, or an earlier count. */
const countsIn = once((stated: Statement): ReadonlyMap<string, Measure> | undefined => {
  const { text, negations } = wholeOf(stated);
  return negations.length > 0 || OF_PART.test(text) ? undefined : allIn(stated);
});

/** Two counts of one kind of thing, of which the event has one number: monitors, doses, batches. */
export function otherNumber(claim: Statement, candidate: Statement): string | undefined {
  const mine = countsIn(claim);
  const theirs = mine && countsIn(candidate);
  if (!mine || !theirs || areOfOthers(claim, candidate)) return undefined;
  if (compareDates(claim.dates, candidate.dates) === "differ") return undefined;
  for (const [kind, { quantity: one }] of mine) {
    const other = theirs.get(kind)?.quantity;
    if (!other || sameValue(one, other) !== "differ") continue;
    const [least, most] = [one.value, other.value].sort((x, y) => x - y) as [number, number];
    if (most <= MOST_APART * least) return `${DIFFERENT}: ${one.text} against ${other.text}`;
  }
  return undefined;
}
