import { once } from "./once.ts";
import { causesOf } from "../../../../../core/text/statements/causes.ts";
import type { Statement } from "../../../../../core/text/statements/statement.ts";

const NUMBER = "(?:\\d+|one|two|three|four|five|six|seven|eight|nine|ten|several|some)";
const UNANIMOUS =
  /\bunanim|\bwith one voice\b|\ball (?:of )?(?:the |its |their )?(?:\w+ )?(?:of the \w+ )?(?:members|judges|deputies|lawmakers|councillors|directors|ministers|states|countries|jurors)\b[^,;.]{0,30}\b(?:voted for|voted in favou?r|agreed|backed|approved)\b/i;
const SPLIT = new RegExp(
  `\\b${NUMBER}\\b[^,;.]{0,50}\\b(?:voted against|dissented|abstained)\\b|\\band ${NUMBER} (?:voted )?against\\b|` +
    `\\b${NUMBER} (?:votes? )?(?:to|against) ${NUMBER}\\b|\\bdissent(?:ed|ing|s)?\\b|\\bsplit vote\\b`,
  "i",
);
const NOT_UNANIMOUS = /\b(?:not|never|n['’]t|without|far from|less than)(?: \w+)? unanim/i;
const VOTE = /\bvot|\bdissent|\bunanim|\bdecision|\bjudges?\b|\bmembers?\b|\bcouncil|\bboard\b/i;

const voteIn = once(({ text }) => {
  if (!VOTE.test(text)) return undefined;
  if (NOT_UNANIMOUS.test(text)) return { isWhole: false };
  if (UNANIMOUS.test(text)) return { isWhole: true };
  return SPLIT.test(text) ? { isWhole: false } : undefined;
});

/** A vote that all agreed in, against one that some did not. */
export function splitVote(claim: Statement, candidate: Statement): string | undefined {
  const one = voteIn(claim);
  const other = one && voteIn(candidate);
  return one && other && one.isWhole !== other.isWhole ? "all of them against a part" : undefined;
}

const linkIn = once(({ text, negations }) =>
  negations.length > 0 && LINK.test(text) ? { isDenied: true } : undefined,
);

const LINK = /\b(?:link|connection|relationship|relation|causal)\b/i;

/** "A causal link has not been shown" against what is given as the cause. */
export function linkDenied(claim: Statement, candidate: Statement): string | undefined {
  for (const [denying, stating] of [
    [claim, candidate],
    [candidate, claim],
  ] as const) {
    if (!linkIn(denying) || stating.negations.length > 0) continue;
    const isGiven = causesOf(stating).some(({ isDenied }) => !isDenied) || /\bcauses\b/.test(stating.text);
    if (isGiven) return "no link against a cause";
  }
  return undefined;
}
