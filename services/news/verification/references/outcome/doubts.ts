import { clockTimes } from "../../../../../core/text/statements/dates.ts";
import { measuresOf } from "../../../../../core/text/statements/figures/measures.ts";
import { wholeOf, type Statement } from "../../../../../core/text/statements/statement.ts";
import type { Bearing } from "../alignment.ts";
import { bearsOnAsideAlone } from "../pairs/subordinate.ts";
import { lacksNumbers } from "./numbers.ts";

/** Whether both sides give some, and none in common. */
function areOthers<T>(claim: Statement, candidate: Statement, given: (side: Statement) => readonly T[]): boolean {
  const [mine, theirs] = [given(claim), given(candidate)];
  return mine.length > 0 && theirs.length > 0 && !mine.some((one) => theirs.includes(one));
}

const hoursOf = (side: Statement): number[] => clockTimes(wholeOf(side).text);
const ratesOf = (side: Statement): string[] => measuresOf(side).flatMap(({ indicator }) => indicator ?? []);

/** Why what would bear out a claim by its words does not; undefined where it does. */
export function doubtOf(claim: Statement, candidate: Statement, { shared, figures }: Bearing): string | undefined {
  if (bearsOnAsideAlone(claim, shared, figures)) return "it bears out a subordinate clause alone";
  // "Seven are in custody" is not confirmed by "nine are", however many words both share.
  if (figures.agreement !== "agree" && lacksNumbers(claim, candidate)) return "the claim's number is not there";
  // 4.2 percent inflation does not confirm 4.2 percent unemployment, where each names its rate.
  if (areOthers(claim, candidate, ratesOf)) return "a figure of another rate";
  // An event at 16:12 is not confirmed by one at 16:10.
  return areOthers(claim, candidate, hoursOf) ? "another time of day" : undefined;
}
