import type { Figures } from "../../../../../core/text/statements/comparison.ts";
import type { Statement } from "../../../../../core/text/statements/statement.ts";
import type { Alignment } from "../alignment.ts";

/** A clause behind the main one, which says when, why or despite what it happened. */
const BEHIND = /,\s+(?:when|where|after|before|while|because|although|though)\b/iu;
const FEWEST_CONCEPTS = 2;

/**
 * "Rates rose by a fifth since Wednesday, when a dredger sank": of a sentence about the dredger alone nobody learns
 * anything about the rates. True where all that is shared stands in the clause behind.
 */
export function bearsOnAsideAlone(claim: Statement, { pairs }: Alignment, { agreeing }: Figures): boolean {
  const behind = BEHIND.exec(claim.text);
  if (!behind || agreeing > 0) return false;
  const from = claim.start + behind.index;
  const isOfMain = ({ at, weight }: { at: number; weight: number }): boolean =>
    weight >= 1 && claim.words[at]!.start < from;
  return (
    claim.senses.filter(isOfMain).length >= FEWEST_CONCEPTS &&
    pairs.length > 0 &&
    // That rates rose is not said by what sank.
    !pairs.some((pair) => isOfMain(pair.claim) && pair.claim.pole === pair.candidate.pole)
  );
}
