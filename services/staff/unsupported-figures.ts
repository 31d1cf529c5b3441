import { compareDates, dates, type DateMention } from "../../core/text/statements/dates.ts";
import { numbersIn, numeralAt } from "../../core/text/statements/figures/numerals.ts";
import { lazily } from "../../core/text/lexicon.ts";
import { sentences } from "../../core/text/words/sentences.ts";
import { words, type Span } from "../../core/text/words/words.ts";

const MOST = 20;
/** The numbers of sources, and of the lines of a list, count nothing. */
const MARKS = /\[\d{1,3}\]|^[ \t]*\d{1,2}[.)](?=\s)/gm;
const CITED = /\[(\d{1,3})\]/g;
/** "COVID-19", "F-35": part of a name. */
const NAMED = /\p{L}[-–]?$/u;
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

/** The figures that a text writes in digits. */
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
    if (number.digits && !NAMED.test(plain.slice(Math.max(0, start - 2), start)))
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
