import { once } from "../../../../../core/once.ts";
import { sameName } from "../../../../../core/text/statements/names.ts";
import type { Statement } from "../../../../../core/text/statements/statement.ts";

const VOTE = /\b(?:elect|presiden|mayor|vote|votes|voters|poll|ballot|run-?off|governor|chancellor|premiership)/i;
/** What stands behind the name of who won, and what stands before it. */
const HAS_WON =
  /^ (?:has |had )?(?:won|wins|(?:narrowly |clearly )?(?:beaten|beat|defeated|defeats)|declared (?:him|her)self (?:the )?(?:winner|president|victor)|is the winner|was declared (?:the )?winner|claimed victory|(?:has been|was) elected|is (?:the )?president-elect)\b/;
const WON_BY = /\b(?:(?:winner|victor)(?: (?:of|in) [^,;.]{1,60})? (?:is|was)|(?:victory|win) (?:of|for|by)) $/;
const OPEN = new RegExp(
  String.raw`\b(?:(?:if|could|would|may|might|should|lead(?:s|ing)?|ahead|seats?|district|constituency)\b|expect|forecast|` +
    String.raw`poll(?:s|sters?) (?:show|see|put)|in (?:19|20)\d\d|first round|last time|previous)`,
  "i",
);

/** Who has won an election, by a sentence that says so outright. */
const winnerIn = once((stated: Statement): { name: string } | undefined => {
  const { text, start, negations, entities } = stated;
  if (negations.length > 0 || !VOTE.test(text) || OPEN.test(text)) return undefined;
  const winner = entities.find(
    (one) => HAS_WON.test(text.slice(one.end - start)) || WON_BY.test(text.slice(0, one.start - start)),
  );
  return winner && { name: winner.key };
});

/** One election with two winners. */
export function otherWinner(claim: Statement, candidate: Statement): string | undefined {
  const one = winnerIn(claim);
  const other = one && winnerIn(candidate);
  return one && other && !sameName(one.name, other.name) ? "won by another" : undefined;
}
