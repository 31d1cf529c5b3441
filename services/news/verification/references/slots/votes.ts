import { once } from "../../../../../core/once.ts";
import { causesOf } from "../../../../../core/text/statements/causes.ts";
import type { Statement } from "../../../../../core/text/statements/statement.ts";

const NUMBER = "(?:\\d+|one|two|three|four|five|six|seven|eight|nine|ten|several|some)";
const UNANIMOUS =
  /\bunanim|\bwith one voice\b|\ball (?:of )?(?:the |its |their )?(?:\w+ )?(?:of the \w+ )?(?:members|judges|deputies|lawmakers|councillors|directors|ministers|states|countries|jurors)\b[^,;.]{0,30}\b(?:voted for|voted in favou?r|agreed|backed|approved)\b/i;
const SPLIT = new RegExp(
  `\\b${NUMBER}\\b[^,;.]{0,50}\\b(?:voted against|dissented|abstained)\\b|\\band ${NUMBER} (?:voted |were )?against\\b|\\b${NUMBER} of (?:the |its )(?:\\w+ ){0,2}(?:members|judges|governors|directors|jurors)\\b[^,;.]{0,20}\\b(?:wanted|preferred|would have)\\b|` +
    `\\b${NUMBER} (?:votes? )?(?:to|against) ${NUMBER}\\b|\\bdissent(?:ed|ing|s)?\\b|\\bsplit vote\\b`,
  "i",
);
const NOT_UNANIMOUS = /\b(?:not|never|n['’]t|without|far from|less than)(?: \w+)? unanim/i;
const VOTE = /\bvot|\bdissent|\bunanim|\bdecision|\bjudges?\b|\bmembers?\b|\bcouncil|\bboard\b/i;

const voteIn = once(({ text }: Statement) => {
  if (!VOTE.test(text)) return undefined;
  if (NOT_UNANIMOUS.test(text)) return { isWhole: false };
  if (UNANIMOUS.test(text)) return { isWhole: true };
  return SPLIT.test(text) ? { isWhole: false } : undefined;
});

const COUNT = "(\\d{1,3}|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve)";
const COUNTS = "zero one two three four five six seven eight nine ten eleven twelve".split(" ");
const FOR = new RegExp(
  `\\b(?:backed|supported|approved|carried) by ${COUNT}\\b|\\b${COUNT} (?:[\\p{L}'’-]+ ){0,5}?(?:were |voted )?(?:in favou?r|for it|voted for)\\b`,
  "iu",
);
/** "The vote was five to four". */
const RESULT = new RegExp(
  `\\b(?:vote|decision|majority|ballot) (?:was|went|fell|passed|ended|of|stood at) (?:by )?${COUNT}(?: votes)?(?: to |[-–])${COUNT}\\b`,
  "iu",
);
/** "Split six to three", "carried by a single voice, five against four". */
const SPLIT_BY = new RegExp(
  `\\b(?:split|divided|carried|passed|approved|adopted|rejected|decided|won|lost|voted)\\b[^;.]{0,40}?\\b(?:by |, )?${COUNT}(?: votes)? (?:to|against) ${COUNT}\\b`,
  "iu",
);
const AGAINST = new RegExp(
  `\\b${COUNT} (?:of (?:the |its )?[\\p{L}-]+ )?(?:[\\p{L}-]+ ){0,3}?(?:(?:were |voted )?against|opposed it|dissented)\\b`,
  "iu",
);
const OF_ALL = new RegExp(
  `\\bof (?:the |its )?${COUNT} (?:[\\p{L}-]+ )?(?:members|judges|rate-setters|directors|governors)\\b`,
  "iu",
);

const countedBy = (form: RegExp, text: string): number | undefined => {
  const found = form.exec(text)?.slice(1).find(Boolean);
  return found ? numbered(found) : undefined;
};

function numbered(word: string): number {
  const named = COUNTS.indexOf(word.toLowerCase());
  return named < 0 ? Number(word) : named;
}

const OUTCOME = /\b(?:council|board|committee|court|judges|members|rate-setters|directors)\b/i;

const VOTED = /\b(?:decision|vote[ds]?|ruling|motion|majority|board|governor)\b/i;

/** The votes for and against, where a sentence is about a small body. */
const countIn = once(({ text }: Statement) => {
  const [, ...result] =
    RESULT.exec(text) ?? (OUTCOME.test(text) || VOTED.test(text) ? SPLIT_BY.exec(text) : null) ?? [];
  if (result.length === 2) {
    const [isFor, against] = result.map(numbered) as [number, number];
    return { isFor, against };
  }
  if (!OUTCOME.test(text)) return undefined;
  const all = countedBy(OF_ALL, text);
  const against = countedBy(AGAINST, text);
  const isFor = countedBy(FOR, text) ?? (all !== undefined && against !== undefined ? all - against : undefined);
  if (isFor === undefined) return undefined;
  return { isFor, against: against ?? (all === undefined ? undefined : all - isFor) };
});

function otherVotes(claim: Statement, candidate: Statement): string | undefined {
  const one = countIn(claim);
  const other = one && countIn(candidate);
  if (!one || !other || one.against === undefined || other.against === undefined) return undefined;
  const isOther = one.isFor !== other.isFor && one.isFor + one.against === other.isFor + other.against;
  return isOther
    ? `two counts of one vote: ${one.isFor} to ${one.against} and ${other.isFor} to ${other.against}`
    : undefined;
}

/** A unanimous vote against a split one; or two counts of one vote. */
export function splitVote(claim: Statement, candidate: Statement): string | undefined {
  const one = voteIn(claim);
  const other = one && voteIn(candidate);
  const [bodies, others] = [countedBy(OF_ALL, claim.text), countedBy(OF_ALL, candidate.text)];
  if (bodies !== undefined && others !== undefined && bodies !== others) return undefined;
  return one && other && one.isWhole !== other.isWhole ? "all of them against a part" : otherVotes(claim, candidate);
}

const linkIn = once(({ text, negations }: Statement) =>
  negations.length > 0 && LINK.test(text) ? { isDenied: true } : undefined,
);

const LINK = /\b(?:link|connection|relationship|relation|causal)\b/i;

/** "A causal link has not been shown" against a statement of the cause. */
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
