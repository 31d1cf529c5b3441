import type { Proposal, Step } from "../dao-types.ts";

/** How far a measure is; undefined before the close, and where the vote did not call for it. */
export function stepOf({ measures, steps, tally }: Proposal, at: number): Step | undefined {
  if (!steps || !tally) return undefined;
  const isCalled = ({ option }: { option?: number }): boolean => option === undefined || option === tally.winner;
  // Steps are those of the measures that were called for, in their order.
  return isCalled(measures[at]!) ? steps[measures.slice(0, at).filter(isCalled).length] : undefined;
}
