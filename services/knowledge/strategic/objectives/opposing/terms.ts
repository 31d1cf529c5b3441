import { lazily, lexicon } from "../../../../../core/text/lexicon.ts";
import { conceptOf } from "../../../../../core/text/statements/meaning.ts";
import type { Statement } from "../../../../../core/text/statements/statement.ts";
import { phraseIndex, type PhraseIndex } from "../../../../../core/text/words/phrases.ts";
import { baseOf, stem } from "../../../../../core/text/words/stem.ts";
import { nearnessOf, placeOf } from "../../../../../core/text/words/vectors.ts";
import { words, type Word } from "../../../../../core/text/words/words.ts";

/** A content word, as it is compared with another's. */
export interface ContentWord {
  at: number;
  /** As written, folded. */
  word: string;
  concept: string;
  /** Of its vector. */
  place: number;
  isName: boolean;
}

/** From here on, two words are taken for names of one thing, if something else is shared too. */
const NEAR = 0.62;
const LONG = 5;
const isDerived = (one: string, other: string): boolean =>
  (one.length >= LONG && other.startsWith(one)) || (other.length >= LONG && one.startsWith(other));

/** Whether two words are the same, synonyms, or derived from one another: "clear" and "clearance". */
export const same = (one: ContentWord, other: ContentWord): boolean =>
  one.concept === other.concept || isDerived(one.concept, other.concept);

export const alike = (one: ContentWord, other: ContentWord): boolean =>
  same(one, other) ||
  (!one.isName && !other.isName && nearnessOf(one.place, other.place) >= NEAR && !isGrade(one) && !isGrade(other));

export const among = (one: ContentWord, others: readonly ContentWord[]): boolean =>
  others.some((other) => alike(one, other));

/** The share of the fewer terms that are among the others. */
export function share(one: readonly ContentWord[], other: readonly ContentWord[]): number {
  const [fewer, more] = one.length <= other.length ? [one, other] : [other, one];
  if (fewer.length === 0) return 0;
  const back = one.length === other.length ? more.filter((term) => among(term, fewer)).length : Infinity;
  return Math.min(fewer.filter((term) => among(term, more)).length, back) / fewer.length;
}

const basesOf = (all: readonly string[]): ReadonlySet<string> => new Set(all.map(baseOf));
const grades = lazily(() => new Set<string>(lexicon.courses.grades));
const amounts = lazily(() => basesOf(lexicon.courses.amounts));
const light = lazily(() => basesOf(lexicon.courses.light));
const whole = lazily(() => new Set<string>(lexicon.courses.whole));
const groups = lazily(
  () =>
    new Map<string, string>(lexicon.courses.things.flatMap((group) => group.map((one) => [baseOf(one), group[0]!]))),
);
const seasons = lazily(() => new Set<string>(lexicon.courses.seasons));

/** Whether a word tells two things of one kind apart: the upper from the lower, the first from the second. */
export const isGrade = ({ word }: ContentWord): boolean => grades().has(word) || grades().has(word.replace(/s$/, ""));
/** What is measured of a thing, and is not the thing: its cost. */
export const isAmount = ({ concept }: ContentWord): boolean => amounts().has(concept);
export const isLight = ({ concept }: ContentWord): boolean => light().has(concept);
export const isWhole = (word: string): boolean => whole().has(word);
export const isSeason = (word: string): boolean => seasons().has(word);

/** Words by their bases, in their places. */
export const inBases = (spoken: readonly Word[]): Word[] =>
  spoken.map((word) => ({ ...word, text: baseOf(word.text) }));

/** An index of phrases for words by their bases. */
export function baseIndex<Label extends string>(lists: Readonly<Record<Label, readonly string[]>>): PhraseIndex<Label> {
  const inForm = (form: string): string =>
    form
      .split(" ")
      .flatMap((part) => (part === "…" ? [part] : words(part).map(({ text }) => baseOf(text))))
      .join(" ");
  return phraseIndex(
    Object.fromEntries(
      Object.entries<readonly string[]>(lists).map(([label, forms]) => [label, [...new Set(forms.map(inForm))]]),
    ) as Record<Label, string[]>,
  );
}

/** What a word names, for comparing things: of an axis the word itself, since its ends are two things. */
export function nounOf(text: string): string {
  const base = baseOf(text);
  const concept = conceptOf(base);
  return groups().get(base) ?? (concept.startsWith("±") ? base : concept);
}

const MIXED = /^(?:\d+\p{L}+|\p{L}+\d+)$/u;
const TIME =
  /^(?:days?|weeks?|months?|years?|hours?|minutes?|terms?|quarter|tonight|today|tomorrow|end|beginning|start|harvest|deadline|date|time|period|moment|notice|once|soon|later|now|immediately)$/;
export const isTime = (word: string): boolean => TIME.test(word) || isSeason(word);

/** The content words of a statement; numbers only where they name: "Hill 402", "class 5C". */
export function termsOf({ words: spoken, senses, dates }: Statement): ContentWord[] {
  const found: ContentWord[] = senses.map(({ at, concept, word }) => {
    const { capital, text } = spoken[at]!;
    return {
      at,
      word: text,
      concept: word.includes(" ") ? (groups().get(concept) ?? concept) : nounOf(text),
      place: placeOf(stem(text)),
      isName: capital && at > 0,
    };
  });
  for (const [at, { text, start }] of spoken.entries()) {
    if (dates.some((date) => start >= date.start && start < date.end)) continue;
    const named = MIXED.test(text) || (/^\d+$/.test(text) && at > 1 && spoken[at - 1]!.capital);
    if (named && !/^(?:\d+(?:am|pm|th|km|m))$/.test(text))
      found.push({ at, word: text, concept: text, place: -1, isName: true });
    else if (/^\d+(?:st|nd|rd|th)$/.test(text)) found.push({ at, word: text, concept: text, place: -1, isName: true });
  }
  return found.sort((one, other) => one.at - other.at);
}
