import { compareDates, dates, type DateMention } from "../../core/text/statements/dates.ts";
import { numbersIn, numeralAt } from "../../core/text/statements/figures/numerals.ts";
import { languageOf } from "../../core/text/language.ts";
import { lazily } from "../../core/text/lexicon.ts";
import { stem } from "../../core/text/words/stem.ts";
import { namesIn } from "../../core/text/words/terms.ts";
import { isWord, placeOf } from "../../core/text/words/vectors.ts";
import { sentences } from "../../core/text/words/sentences.ts";
import { words, type Span } from "../../core/text/words/words.ts";

const MOST = 20;
/** The numbers of sources, and of the lines of a list, count nothing. */
const MARKS = /\[\d{1,3}\]|^[ \t]*\d{1,2}[.)](?=\s)/gm;
const CITED = /\[(\d{1,3})\]/g;
/** "COVID-19", "F-35": part of a name. */
const NAMED = /\p{L}[-–]?$/u;
/** Smaller numbers in words often count what the answer itself tells. */
const LEAST_IN_WORDS = 10;
const BEHIND = /^(?:\s*\[\d{1,3}\])+/;

/** What an answer may have its figures from. */
export interface ReadText {
  /** As `[n]` in the answer. */
  n: number;
  text: string;
}
interface Figure extends Span {
  value: number;
  digits: string;
  date?: DateMention | undefined;
}

/** However thousands and decimals are separated, in whatever language. */
const digitsOf = (text: string): string => text.replaceAll(/\D/g, "");
const RUN = /\d+(?:[.,'’\u00a0\u2009\u202f ]\d{3})*(?:[.,]\d+)?/g;

/** Whether the one date says no more than the other. */
const isIn = (one: DateMention, other: DateMention): boolean =>
  (one.day === undefined || other.day !== undefined) &&
  (one.month === undefined || other.month !== undefined) &&
  compareDates([one], [other]) === "agree";

/**
 * Whether a text says a figure: in the same digits, or as a number in words. A day is said as that day, in whatever form,
 * where the text's days can be read at all: its number stands for much else.
 */
function saysIn(text: string): (figure: Figure) => boolean {
  const runs = lazily(
    () => new Set((text.match(RUN) ?? []).flatMap((run) => [digitsOf(run), ...(run.match(/\d+/g) ?? [])])),
  );
  const values = lazily(() => new Set(numbersIn(text)));
  const named = lazily(() => dates(text));
  return ({ digits, value, date }) => {
    if (date !== undefined && named().some((other) => isIn(date, other))) return true;
    const isDay = date?.day !== undefined && named().some(({ day }) => day !== undefined);
    return !isDay && (runs().has(digits) || values().has(value));
  };
}

/** The figures that a text writes in digits, and the larger ones in words. */
function figuresIn(text: string): Figure[] {
  const plain = text.replaceAll(MARKS, (mark) => " ".repeat(mark.length));
  const spoken = words(plain);
  const told = dates(plain);
  const found: Figure[] = [];
  for (let at = 0; at < spoken.length; at += 1) {
    const number = numeralAt(plain, spoken, at);
    if (!number) continue;
    const { start } = spoken[at]!;
    const { end, value } = number;
    const date = told.find((one) => start >= one.start && start < one.end);
    const isTold = number.digits || value >= LEAST_IN_WORDS;
    if (isTold && !NAMED.test(plain.slice(Math.max(0, start - 2), start)))
      found.push({ start, end, value, digits: digitsOf(plain.slice(start, end)), date });
    at = number.last;
  }
  return found;
}

/** The sources that a sentence cites, within it or directly behind it. */
function citedIn(text: string, { start, end }: Span): Set<number> {
  const behind = BEHIND.exec(text.slice(end))?.[0] ?? "";
  const own = text.slice(start, end).replace(BEHIND, "");
  return new Set([...`${own}${behind}`.matchAll(CITED)].map(([, n]) => Number(n)));
}

/**
 * Figures that a model wrote and that stand nowhere in what its sentence cites, or, where it cites nothing, in anything
 * that was read: each once, as it is written. A figure that is worked out is among them: nobody has checked the sum.
 */
export function unsupportedFigures(text: string, read: readonly ReadText[]): string[] {
  const figures = figuresIn(text);
  if (!figures.length) return [];
  const known = read.map(({ n, text: own }) => ({ n, says: saysIn(own) }));
  const found = sentences(text).flatMap((sentence) => {
    const cited = citedIn(text, sentence);
    const from = cited.size ? known.filter(({ n }) => cited.has(n)) : known;
    return figures
      .filter(({ start }) => start >= sentence.start && start < sentence.end)
      .filter((figure) => !from.some(({ says }) => says(figure)))
      .map(({ start, end, date }) => date?.text ?? text.slice(start, end));
  });
  return [...new Set(found)].slice(0, MOST);
}

/** Words that no dictionary has are names; so is what is written large beside one. */
const isNamed = (word: string): boolean => !isWord(placeOf(stem(word))) && word.length > 2;

/**
 * Names that a model wrote in English and that stand nowhere in what its sentence cites, nor in the question, or, where
 * it cites nothing, in anything that was read: each once. In other languages common words are written large, too.
 */
export function unsupportedNames(text: string, read: readonly ReadText[], question: string): string[] {
  if (languageOf(text, undefined, LEAST_ENGLISH) !== "en") return [];
  const wordsOf = (own: string): ReadonlySet<string> => new Set(words(own).map((word) => word.text));
  const asked = wordsOf(question);
  const known = read.map(({ n, text: own }) => ({ n, has: wordsOf(own) }));
  const found = sentences(text).flatMap((sentence) => {
    const cited = citedIn(text, sentence);
    const from = cited.size ? known.filter(({ n }) => cited.has(n)) : known;
    const named = namesIn(text.slice(sentence.start, sentence.end)).map((name) => name.replace(/['’]s?$/, ""));
    return named.filter((name) => {
      const last = words(name).at(-1)?.text ?? "";
      return isNamed(last) && name !== name.toUpperCase() && !asked.has(last) && !from.some(({ has }) => has.has(last));
    });
  });
  return [...new Set(found)].slice(0, MOST);
}
const LEAST_ENGLISH = 2;

/** What a model's answer says and nothing that it rests on does. */
export const unsupportedIn = (text: string, read: readonly ReadText[], question: string): string[] => [
  ...unsupportedFigures(text, read),
  ...unsupportedNames(text, read, question),
];
