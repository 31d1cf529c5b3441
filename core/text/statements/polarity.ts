import { lazily, lexicon } from "../lexicon.ts";
import { phraseIndex } from "../words/phrases.ts";
import { isContractedNot, type Word } from "../words/words.ts";

/** A cue that negates its scope: word indexes `from` to `to`, both included. */
export interface Negation {
  cue: string;
  at: number;
  from: number;
  to: number;
  /** The cue is a verb itself: "refused to". */
  isVerb?: boolean;
}

export interface Polarity {
  negations: Negation[];
  /** Hedging words in the order of the text. */
  hedges: string[];
  /** Indexes of words that deny without a negation: "lacked", "halted", "only". */
  lacking: number[];
}

const index = lazily(() => {
  const { negators, refusals, denials, cessations, spared, hedges, lacking } = lexicon.polarity;
  return phraseIndex({
    negator: negators,
    refusal: refusals,
    denial: denials,
    cessation: cessations,
    spared,
    hedge: hedges,
    lacking,
  });
});
/** The most words a cue affects (the window of NegEx, Chapman et al. 2001, is five to six words). */
const SCOPE = 7;
const CLAUSE_END = /[,;:()–—"“”]|--/;
const CLAUSE_WORDS = new Set([
  "but",
  "although",
  "though",
  "while",
  "whereas",
  "because",
  "and",
  "despite",
  "after",
  "when",
]);

/** Negations with their scopes, and hedges, of one sentence; word indexes count within `spoken`. */
export function polarity(text: string, spoken: readonly Word[]): Polarity {
  const hits = index().find(text, spoken);
  const spared = hits.filter(({ label }) => label === "spared");
  const negations: Negation[] = [];
  const hedges: string[] = [];
  const lacking: number[] = [];
  for (const { label, term, first, last } of hits) {
    if (label === "hedge" && !isMonth(spoken, first)) hedges.push(term);
    if (label === "lacking" && !isTheOnly(spoken, first)) lacking.push(first);
    if (
      label === "lacking" ||
      label === "hedge" ||
      label === "spared" ||
      spared.some((hit) => first >= hit.first && first <= hit.last)
    )
      continue;
    // "stopped selling" means "no longer sells"; "stopped the train" denies nothing.
    if (label === "cessation" && !spoken[last + 1]?.text.endsWith("ing")) continue;
    if (negations.some((other) => other.at <= first && first < other.from)) continue;
    if (isNumbered(text, spoken, last) || (term === "nor" && negations.length > 0)) continue;
    // A denial covers the whole statement, wherever it stands ("..., the firm denied"; "the report is false").
    const scope =
      label === "denial"
        ? { from: 0, to: spoken.length - 1 }
        : { from: last + 1, to: contrastEnd(text, spoken, last + 1, clauseEnd(text, spoken, last + 1)) };
    const isVerb = label === "refusal" || label === "cessation";
    negations.push({ cue: term, at: first, ...scope, ...(isVerb && { isVerb }) });
  }
  for (const [at, word] of spoken.entries()) {
    if (isContractedNot(text, word))
      negations.push({ cue: "n't", at, from: at + 1, to: clauseEnd(text, spoken, at + 1) });
  }
  return { negations, hedges, lacking };
}

/** "No. 3", "declined to 573": an abbreviation, and a figure that falls. */
const isNumbered = (text: string, spoken: readonly Word[], last: number): boolean =>
  /^\.?\s?\d/.test(text.slice(spoken[last]!.end, spoken[last]!.end + 3));

/** "The only hospital of the district" identifies one; nothing is lacking. */
const isTheOnly = (spoken: readonly Word[], at: number): boolean =>
  spoken[at]!.text === "only" && /^(?:the|an|its|their|his|her)$/.test(spoken[at - 1]?.text ?? "");

/** "in May": a capital inside a sentence. */
const isMonth = (spoken: readonly Word[], at: number) => at > 0 && spoken[at]!.capital && spoken[at]!.text === "may";

const CONTRASTED = /,\s(?:and\s|but\s)?not\s$/i;
/** "It, and not the Progress Party, had won the election": what follows is denied of the contrasted party. */
function contrastEnd(text: string, spoken: readonly Word[], from: number, to: number): number {
  const [first, last, next] = [spoken[from], spoken[to], spoken[to + 1]];
  if (!first || !last || !next || text.slice(last.end, next.start) !== ", ") return to;
  return CONTRASTED.test(text.slice(0, first.start)) ? clauseEnd(text, spoken, to + 1) : to;
}

function clauseEnd(text: string, spoken: readonly Word[], from: number): number {
  let to = from - 1;
  while (to + 1 < spoken.length && to + 1 < from + SCOPE) {
    const next = spoken[to + 1]!;
    if (to + 1 > from && (CLAUSE_END.test(text.slice(spoken[to]!.end, next.start)) || CLAUSE_WORDS.has(next.text)))
      break;
    to += 1;
  }
  return to;
}
