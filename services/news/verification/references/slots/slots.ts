import type { Statement } from "../../../../../core/text/statements/statement.ts";
import type { Pair } from "../alignment.ts";
import type { Between } from "../pairs/between.ts";
import { deniedAct } from "./acts.ts";
import { otherCount, otherCrowd, otherPrice } from "./figures/amounts.ts";
import { otherHead, otherHolder, otherParty } from "./holders.ts";
import { otherState } from "./states.ts";
import { correctedFigure } from "./figures/corrected.ts";
import { otherNumber } from "./figures/counted.ts";
import { otherPole } from "./poles.ts";
import { otherNumbered } from "./figures/numbered.ts";
import { otherSum } from "./figures/sums.ts";
import { notBefore, otherDay, otherHour, otherTime } from "./times.ts";
import { otherPerson } from "./persons.ts";
import { otherAnswer } from "./questions.ts";
import { otherWay } from "./ways.ts";
import { linkDenied, splitVote } from "./votes.ts";

/**
 * As `otherFilling`, by denials, of which the learned judge knows more: what one denies may be another thing than what
 * the other states.
 */
export const deniedFilling = (
  claim: Statement,
  candidate: Statement,
  later?: number,
  between?: Between,
): string | undefined =>
  linkDenied(claim, candidate) ??
  deniedAct(claim, candidate) ??
  otherPole(claim, candidate, later) ??
  otherAnswer(claim, candidate, between, later, true);

type Filling = (
  claim: Statement,
  candidate: Statement,
  pairs: readonly Pair[],
  later: number | undefined,
  between: Between | undefined,
) => string | undefined;

/** The slots of an event, in the order in which they are asked. */
export const FILLINGS: readonly Filling[] = [
  splitVote,
  otherParty,
  otherHolder,
  otherHead,
  otherTime,
  otherPrice,
  otherCrowd,
  otherCount,
  otherSum,
  correctedFigure,
  otherNumber,
  otherNumbered,
  otherPerson,
  otherDay,
  notBefore,
  otherHour,
  otherWay,
  (claim, candidate, _pairs, later) => otherState(claim, candidate, later),
  (claim, candidate, _pairs, later) => otherPole(claim, candidate, later),
  (claim, candidate, _pairs, later, between) => otherAnswer(claim, candidate, between, later, false),
];

/**
 * Why two sentences about one event exclude each other without opposite words: one slot of the event has two values.
 * `later`: by how many hours the candidate is, where that is known. Undefined where nothing is found.
 */
export function otherFilling(
  claim: Statement,
  candidate: Statement,
  pairs: readonly Pair[],
  later: number | undefined,
  between?: Between,
): string | undefined {
  for (const filling of FILLINGS) {
    const found = filling(claim, candidate, pairs, later, between);
    if (found !== undefined) return found;
  }
  return undefined;
}
