import { otherCause } from "../../../../../core/text/statements/causes.ts";
import { actsOf, undoes, type Deed } from "../../../../../core/text/statements/deeds.ts";
import type { Statement } from "../../../../../core/text/statements/statement.ts";
import type { Pair } from "../alignment.ts";
import { isSettled } from "./axes.ts";
import { setAside } from "./denial.ts";
import { deniedCore, isDeniedOutright } from "./denied-core.ts";
import { endsBetween } from "./ends.ts";
import { meantBy, negatedBetween } from "./negated.ts";
import { otherWinner, rolesTurned } from "./roles.ts";

export interface Opposition {
  opposed: boolean;
  /** One denies word for word what the other states. */
  denied: boolean;
  /** One negates what the other states. */
  negated: boolean;
  /** One of them contains a negation, and it is unknown whether the other says the same in other words. */
  unclear: boolean;
  /** The axis at whose opposite ends they stand. */
  axis?: string | undefined;
  /** Its ends exclude each other for the one thing that both name beside them, whatever else they say. */
  settled: boolean;
  reasons: string[];
}

/**
 * Whether one says the opposite of the other: an odd number of negations between them, or opposite poles of an axis,
 * not both.
 */
export function opposed(claim: Statement, candidate: Statement, { pairs }: { pairs: readonly Pair[] }): Opposition {
  const shared = new Set(pairs.flatMap((pair) => [meantBy(pair.claim), meantBy(pair.candidate)]));
  const negated = negatedBetween(claim, candidate, pairs, shared);
  const { heard, opposite, themes, isMarket } = endsBetween(claim, candidate, pairs);
  const turned = rolesTurned(claim, candidate, pairs) ?? otherWinner(claim, candidate, pairs);
  const core = deniedCore(claim, candidate, shared) ?? deniedCore(candidate, claim, shared);
  const cause = otherCause(claim, candidate) ?? setAside(claim, candidate) ?? setAside(candidate, claim);
  const mayBeUndone = !heard && !negated.isTurned && !isMarket;
  const undone = mayBeUndone ? undoneBetween(claim, candidate) : undefined;
  const isNegated = negated.reason !== undefined;
  const isAtEnds = opposite !== undefined;
  // Ends that are said of two things, or are hearsay, do not show what a negation covers.
  const isTurnedRound = (isNegated && (isAtEnds || !heard)) !== (isAtEnds || undone !== undefined);
  return {
    denied: core !== undefined || cause !== undefined,
    negated: isNegated,
    axis: opposite?.[0].concept,
    settled: isNegated
      ? !isAtEnds && isDeniedOutright(negated.denying, negated.stating)
      : isAtEnds && (themes === "same" || isSettled(claim, candidate, opposite)),
    unclear: (negated.mayBeTurned && !isNegated && core === undefined) || themes === "apart",
    opposed: isTurnedRound !== (turned !== undefined),
    reasons: [
      negated.reason,
      opposite && `opposites: ${opposite[0].word} and ${opposite[1].word}`,
      turned && `roles turned round: ${turned}`,
      cause && `another cause or author: ${cause}`,
      core && !isNegated ? `one denies what the other states ("${core}")` : undefined,
      undone && `one undoes the other: ${undone}`,
    ].filter((reason) => reason !== undefined),
  };
}

/** Acts on one thing that undo each other: a town is held, or given up. */
function undoneBetween(claim: Statement, candidate: Statement): string | undefined {
  const mine = actsOf(claim);
  if (mine.length === 0) return undefined;
  const theirs = actsOf(candidate);
  const isOfBoth = ({ verb }: Deed): boolean =>
    mine.some((deed) => deed.verb === verb) && theirs.some((deed) => deed.verb === verb);
  for (const one of mine) {
    const other = theirs.find((it) => !it.isDenied && !one.isDenied && undoes(one, it));
    if (other && !isOfBoth(one) && !isOfBoth(other)) return `${one.verb} and ${other.verb}`;
  }
  return undefined;
}
