import { once } from "../../once.ts";
import { lazily, lexicon } from "../lexicon.ts";
import type { DateMention } from "./dates.ts";
import type { Statement } from "./statement.ts";
import { baseOf, isPastVerb } from "../words/stem.ts";
import type { Word } from "../words/words.ts";

const lists = lazily(() => ({
  wished: new Set(lexicon.polarity.wishes.map(baseOf)),
  supposed: new Set(lexicon.polarity.supposed),
  elsewhere: new Set(lexicon.measures.elsewhere),
}));

const REACH = 9;
const isBreak = (text: string, from: Word, to: Word): boolean => /[,;:–—“”"]/.test(text.slice(from.end, to.start));

/** Whether the statement at a word is only wanted, feared or supposed: "called on her to resign", "if she resigned". */
export function isSupposed({ text, start, words }: Statement, at: number): boolean {
  for (let back = at - 1; back >= Math.max(0, at - REACH); back -= 1) {
    const word = words[back]!;
    const next = words[back + 1]!;
    if (isBreak(text, { ...word, end: word.end - start }, { ...next, start: next.start - start })) return false;
    if (lists().supposed.has(word.text) || lists().wished.has(baseOf(word.text))) return true;
  }
  return false;
}

/** "Has made paper there since 1871": still true now. */
const EVER_SINCE = /\b(?:has|have)\b[^,;.]{0,50}\bsince (?:18|19|20)\d\d\b/gi;
/** "A truce in July held for six hours": an earlier one. */
const OF_MONTH =
  /^An? \p{L}+(?: \p{L}+)? (?:in|of) (?:January|February|March|April|May|June|July|August|September|October|November|December)\b/u;
/** "The hall, built in 1974": said of the thing besides, and no time of what happened. */
const BESIDES = new RegExp(
  String.raw`(?<!\b(?:was|were|is|are|be|been|being|has|have|had)\s(?:\p{L}+ly\s)?)\b(?:built|opened|founded|agreed|` +
    String.raw`launched|introduced|installed|signed|made|born)\s(?:\p{L}+\s){0,3}(?:in|of|since)\s(?:18|19|20)\d\d\b`,
  "giu",
);
/** "When it opens in 2029": ahead. */
const AHEAD =
  /\b(?:will|is to|are to|would|shall|plans? to|opens|until|by)\b[^.;]{0,60}\b(?:in|of|from|until) 20\d\d\b/gi;
const YEAR = /\b(?:in|of|since|from|until) (?:18|19|20)\d\d\b/i;

/** Whether a statement is about another occasion than the event: "a similar blast in 2011". */
export const isOfAnotherOccasion = once(({ text, words, dates }: Statement): boolean => {
  if (dates.some(({ weekday }) => weekday !== undefined)) return false;
  return (
    YEAR.test(text.replace(EVER_SINCE, "").replace(BESIDES, "").replace(AHEAD, "")) ||
    words.some((word) => lists().elsewhere.has(word.text)) ||
    /\blast (?:time|year)\b|\bnext door\b/.test(text) ||
    OF_MONTH.test(text)
  );
});

/**
 * "Killed 31 in May": daily news is not dated by its month alone. Future and continuing events are not past occasions.
 */
const isBareMonth = ({ month, day, year }: DateMention): boolean =>
  month !== undefined && day === undefined && year === undefined;
const IN_MONTH = /\bin (?:early |late |mid-?)?$/;

/** Whether something before the offset, in the same clause, is stated as done. */
const isTold = ({ text, start, words }: Statement, until: number): boolean => {
  const before = text.slice(0, until - start);
  const from = start + Math.max(...[",", ";", "."].map((mark) => before.lastIndexOf(mark)));
  return words.some((word) => word.start > from && word.end <= until && isPastVerb(word.text));
};

/** "In August a bomb killed six", "the largest so far, in January, killed two": the month stands by itself. */
const isFronted = ({ text, start, words }: Statement, date: DateMention): boolean =>
  FRONTED.test(text.slice(0, Math.max(0, date.start - start))) &&
  words.some((word) => word.start > date.end && isPastVerb(word.text));
const FRONTED = /(?:^|, )[Ii]n (?:early |late |mid-?)?$/;

/** Whether a statement is about an event in another month. */
export function isOfAnotherMonth(stated: Statement): boolean {
  const { text, dates, start } = stated;
  if (dates.some(({ weekday }) => weekday !== undefined)) return false;
  return dates.some(
    (date) =>
      isBareMonth(date) &&
      ((IN_MONTH.test(text.slice(0, Math.max(0, date.start - start))) && isTold(stated, date.start)) ||
        isFronted(stated, date)),
  );
}
