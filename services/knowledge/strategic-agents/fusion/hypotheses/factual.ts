import { lazily, lexicon } from "../../../../../core/text/lexicon.ts";
import type { Statement } from "../../../../../core/text/statements/statement.ts";
import { phraseIndex, type Hit } from "../../../../../core/text/words/phrases.ts";

const index = lazily(() => {
  const { unreal, unverified, refused, elsewhere, wholes, bodies, partial } = lexicon.hypotheses;
  return phraseIndex({ unreal, unverified, refused, elsewhere, wholes, bodies, partial });
});

/** Words of a sentence that say how it is told: as no fact, as refused, of another, by part of a body, for the moment. */
export type Cue = Hit<"unreal" | "unverified" | "refused" | "elsewhere" | "wholes" | "bodies" | "partial">;
const known = new WeakMap<Statement, readonly Cue[]>();
export function cuesIn(stated: Statement): readonly Cue[] {
  let cues = known.get(stated);
  if (!cues) known.set(stated, (cues = index().find(stated.text, relative(stated))));
  return cues;
}
const relative = ({ words, start }: Statement) =>
  words.map((word) => ({ ...word, start: word.start - start, end: word.end - start }));

export interface Place {
  first: number;
  last: number;
}

const BREAK = /[;:—–()"“”]|, (?=but|and|while|which|who|so)/;
const CLAUSE = /^(?:but|while|and|after|because|since|when|as|although|though|who|which|where)$/;
const REACH = 9;

/** Whether nothing ends a clause between two words of a sentence. */
export function isOneClause({ words, text, start }: Statement, from: number, to: number): boolean {
  if (BREAK.test(text.slice(words[from]!.end - start, words[to]!.start - start))) return false;
  return !words.slice(from + 1, to).some((word) => CLAUSE.test(word.text));
}

/** The negations over a place that do not stand in it: before it, or of its object, "paid no ransom". */
export const turnsOver = ({ negations, words, text, start }: Statement, { first, last }: Place) =>
  negations.filter(
    ({ at, from, to }) =>
      ((at < first || at > last) && first >= from && first <= to) ||
      (at === last + 1 &&
        /^(?:no|nothing|nobody|none|neither)$/.test(words[at]!.text) &&
        text.slice(words[last]!.end - start, words[at]!.start - start) === " "),
  );

/** "Will not be handled there before spring": what will not be is not. */
const FUTURE = /^(?:will|would|shall|could|can|is to|are to|was to|were to)$/;
/** To + verb behind a verb of motion or purpose: "flown in to seal it". */
const PURPOSE = /(?:^|[^\p{L}])to(?: \p{Ll}+ly)?(?: be)? $/u;
const TO_A_STATE =
  /\b(?:continu|manag|help|began|begun|start|forced|compelled|made|able|enough|due|had|back|down|in order|came|come|up|has|have|used|going|led|contribut|returned|turned|restored|refus|fail|unable)\w*(?: \p{Ll}+)? to(?: \p{Ll}+ly)?(?: be)? $/u;

/** "5 May", "in May". */
const isMonth = (words: Statement["words"], at: number): boolean =>
  words[at]!.text === "may" && words[at]!.capital && at > 0;

/** Why nothing is told as a fact at a place of a sentence; undefined where it is. */
export function isUnreal(stated: Statement, place: Place): string | undefined {
  const { words, text, start } = stated;
  const { first, last } = place;
  const turned = turnsOver(stated, place).length > 0;
  for (const { label, term, first: from, last: to, start: at, end } of cuesIn(stated)) {
    if (label !== "unreal" || (from >= first && from <= last) || isMonth(words, from)) continue;
    if (turned && FUTURE.test(term)) continue;
    if (to < first && first - to <= REACH && isOneClause(stated, to, first)) return text.slice(at, end);
    if (from > last && /^(?:if|unless|awaited|pending|possib)/.test(term) && isOneClause(stated, last, from))
      return text.slice(at, end);
    if (from === last + 1 && /^(?:suspect|alleg|unclear|unconfirmed|rumou?r)/.test(term)) return text.slice(at, end);
  }
  if (
    /^(?:almost|nearly|narrowly|virtually|practically)$/.test(words[first - 1]?.text ?? "") &&
    !/^(?:all|every|no|half)/.test(words[first]!.text)
  )
    return words[first - 1]!.text;
  const before = text.slice(0, words[first]!.start - start);
  if (/^(?:to|for)$/.test(words[first]!.text)) return undefined;
  if (PURPOSE.test(before) && !TO_A_STATE.test(before)) return "to";
  if (/\?["'”’)\]]*$/.test(text.trimEnd()) || /, (?:[\p{L}-]+ ){0,4}asked\.?$/u.test(text)) return "?";
  return undefined;
}

/** The words by which what stands at a place is said to be untrue: "talk of a detention is nonsense". */
export const refusalOf = (stated: Statement, { first, last }: Place): Cue | undefined =>
  stated.negations.some(({ from, to }) => from === 0 && to === stated.words.length - 1)
    ? undefined
    : cuesIn(stated).find(
        ({ label, first: from, last: to }) =>
          label === "refused" &&
          (to < first ? isOneClause(stated, to, first) : from > last && isOneClause(stated, last, from)),
      );

export const hasCue = (stated: Statement, wanted: Cue["label"], before = Infinity): boolean =>
  cuesIn(stated).some(({ label, first }) => label === wanted && first < before);
