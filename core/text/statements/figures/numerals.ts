import { lazily, lexicon } from "../../lexicon.ts";
import { words, type Word } from "../../words/words.ts";

/**
 * A number in digits or in words, with the magnitude after it: "2.5 million", "twenty-five", "one hundred and two",
 * "$3bn".
 */
export interface Numeral {
  value: number;
  /** The number before its magnitude: 2.5 of "2.5 million". */
  bare: number;
  /** The value of its last written digit: 100,000 for "2.5 million", 1 for "4,500" and "two". */
  step: number;
  /** Half of the rounding step: two or more zeros at the end of a whole number count as rounding. */
  precision: number;
  /** Offset after it in the text, magnitude included. */
  end: number;
  /**
   * Index of its last word. Where a unit follows the digits without a space ("5km"), that word continues after `end`.
   */
  last: number;
  /** Digits, not words. */
  digits: boolean;
  /** A magnitude follows the number. */
  scaled: boolean;
}

const NUMBERS = lazily(() => new Map(Object.entries(lexicon.quantities.numerals)));
const MAGNITUDES = lazily(() => new Map<string, number>(Object.entries(lexicon.quantities.magnitudes)));

/** Blanks separate thousands too: non-breaking ones, and others before three zeros ("45 000"). */
const DIGITS = /\d{1,3}(?:[\u00a0\u2009\u202f]\d{3})+(?!\d)|\d{1,3}(?: \d{3})* 000(?!\d)|\d+(?:[.,]\d+)*/y;
const isDigit = (code: number): boolean => code >= 48 && code <= 57;

/** "190.000" and "1.250.000" of other languages: no decimal ends in three zeros, and none has two points. */
const POINTED = /^[1-9]\d{0,2}(?:(?:\.\d{3})*\.000|(?:\.\d{3}){2,})$/;

/** Commas separate thousands, a point the decimals; any other single comma ("3,5") is a decimal one. */
function parsed(written: string): Pick<Numeral, "bare" | "step" | "precision"> {
  const isGrouped = /^\d{1,3}(?:,\d{3})+(?:\.\d+)?$/.test(written);
  const plain = isGrouped
    ? written.replaceAll(",", "")
    : POINTED.test(written)
      ? written.replaceAll(".", "")
      : written.replace(/\s/g, "").replace(",", ".");
  const bare = Number.parseFloat(plain);
  const decimals = plain.split(".")[1]?.length ?? 0;
  const step = 10 ** -decimals;
  let rounded = 1;
  if (bare > 0) while (bare % (10 * rounded) === 0) rounded *= 10;
  return { bare, step, precision: 0.5 * (rounded >= 100 ? rounded : step) };
}

/** Index of the last word that begins before `end`. */
function lastBefore(spoken: readonly Word[], from: number, end: number): number {
  let last = from;
  while (last + 1 < spoken.length && spoken[last + 1]!.start < end) last += 1;
  return last;
}

/** The number that begins at a word; `spoken` are the words of `text`. */
export function numeralAt(text: string, spoken: readonly Word[], at: number): Numeral | undefined {
  const word = spoken[at];
  if (!word) return undefined;
  if (isDigit(word.text.charCodeAt(0))) {
    DIGITS.lastIndex = word.start;
    const digits = DIGITS.exec(text)?.[0] ?? word.text;
    const end = word.start + digits.length;
    return scaled(text, spoken, { ...parsed(digits), end, last: lastBefore(spoken, at, end), digits: true });
  }
  const part = partAt(text, spoken[at]!, spoken, at);
  if (part) return part;
  const whole = smallAt(text, spoken, at);
  if (!whole) return undefined;
  const isSpan = spoken[at - 1]?.text === "between";
  return composed(text, spoken, scaled(text, spoken, { ...whole, step: 1, precision: 0.5, digits: false }), isSpan);
}

const PARTS =
  /(?:(?<half>half)(?: an?)?|(?<quarters>three[ -])?quarters?(?: of)? an?|(?<whole>\p{L}+) and a half) (?<name>thousand|million|billion|trillion)\b/iuy;
/** "A hundred homes", "a million tonnes". */
const ONE_OF =
  /(?<=\ban? )(?<name>hundred|thousand|million|billion|trillion)(?= \p{L}{3,})(?! (?:and|times|miles away|to one)\b)/iuy;
/** Not meant as an exact number. */
const ROUGHLY = 0.05;

/** "Half a million", "three quarters of a billion", "two and a half thousand", "a hundred": parts and wholes of magnitudes. */
function partAt(text: string, { start }: Word, spoken: readonly Word[], at: number): Numeral | undefined {
  PARTS.lastIndex = ONE_OF.lastIndex = start;
  const found = PARTS.exec(text) ?? ONE_OF.exec(text);
  if (!found) return undefined;
  const { half, quarters, whole, name } = found.groups!;
  const factor = MAGNITUDES().get(name!.toLowerCase());
  const isOne = half === undefined && whole === undefined && found[0].toLowerCase() === name!.toLowerCase();
  const ones = whole === undefined ? undefined : NUMBERS().get(whole.toLowerCase());
  if (factor === undefined || (whole !== undefined && ones === undefined)) return undefined;
  const bare = isOne ? 1 : ones !== undefined ? ones + 0.5 : half ? 0.5 : quarters ? 0.75 : 0.25;
  const value = bare * factor;
  const end = start + found[0].length;
  return {
    ...{ value, bare, step: factor, precision: ROUGHLY * value },
    ...{ end, last: lastBefore(spoken, at, end), digits: false, scaled: true },
  };
}

/** A number in words below a hundred. */
function smallAt(
  text: string,
  spoken: readonly Word[],
  at: number,
): Pick<Numeral, "bare" | "end" | "last"> | undefined {
  const word = spoken[at];
  const first = word && NUMBERS().get(word.text);
  if (first === undefined) return undefined;
  const next = spoken[at + 1];
  const ones = next && text[word!.end] === "-" ? NUMBERS().get(next.text) : undefined;
  return first >= 20 && ones !== undefined && ones < 10
    ? { bare: first + ones, end: next!.end, last: at + 1 }
    : { bare: first, end: word!.end, last: at };
}

const THOUSANDS = new Set(["thousand", "million", "billion", "trillion"]);

/**
 * A number in words with all its parts: "one hundred and twelve", "four hundred thousand", "two million three hundred
 * thousand and five". In a span ("between one hundred and two") nothing after "and" belongs to it.
 */
function composed(text: string, spoken: readonly Word[], head: Numeral, isSpan: boolean): Numeral {
  const name = spoken[head.last]!.text;
  if (!head.scaled || !(name === "hundred" || THOUSANDS.has(name))) return head;
  /** The total of the completed groups, the smallest magnitude so far, and the group being read. */
  let [total, least, group] = name === "hundred" ? [0, Infinity, head.value] : [head.value, head.step, 0];
  let { last } = head;
  for (;;) {
    const behind = (at: number): string =>
      /^[\s-]$/.test(text.slice(spoken[at]!.end, spoken[at + 1]?.start)) ? (spoken[at + 1]?.text ?? "") : "";
    const next = behind(last);
    const worth = THOUSANDS.has(next) ? MAGNITUDES().get(next)! : 0;
    if (worth && group && worth < least) {
      [total, least, group] = [total + group * worth, worth, 0];
      last += 1;
      continue;
    }
    const isJoined = next === "and" && !isSpan;
    const small = smallAt(text, spoken, last + (isJoined && behind(last + 1) ? 2 : 1));
    if (!small || !next || !small.bare || group % 100) break;
    const after = behind(small.last);
    const isHundreds = after === "hundred";
    if (isHundreds ? isJoined || group > 0 : isJoined && !group && THOUSANDS.has(after)) break;
    group += isHundreds ? small.bare * 100 : small.bare;
    last = small.last + (isHundreds ? 1 : 0);
  }
  if (last === head.last) return head;
  const value = total + group;
  const step = group % 100 ? 1 : group ? 100 : least;
  const { end } = spoken[last]!;
  return { ...head, value, bare: value, step, precision: step / 2, end, last };
}

function scaled(text: string, spoken: readonly Word[], number: Omit<Numeral, "value" | "scaled">): Numeral {
  const { bare, end, last } = number;
  const same = spoken[last]!;
  // A suffix on the digits is part of their word.
  const stuck = same.end > end;
  const next = stuck ? same : spoken[last + 1];
  const name = stuck ? text.slice(end, same.end).toLowerCase() : (next?.text ?? "");
  const factor = MAGNITUDES().get(name);
  // A single letter is a magnitude only directly after the number: "9.7m", not "5 m".
  const isBehind = stuck || (name.length > 1 && /^[\s-]$/.test(text.slice(end, next?.start)));
  // "A dozen" is a number and a magnitude.
  if (factor === undefined || !isBehind || (bare === factor && !number.digits))
    return { ...number, value: bare, scaled: false };
  const [step, precision] = [number.step * factor, number.precision * factor];
  return {
    ...number,
    value: exact(bare * factor),
    step,
    precision,
    end: next!.end,
    last: stuck ? last : last + 1,
    scaled: true,
  };
}

/** 4.1 billion instead of 4,099,999,999.9999995: no written number has more digits. */
const exact = (value: number): number => Number(value.toPrecision(15));

/** What numbers of a text are written as: each plain, and with its magnitude. */
function* written(text: string, spoken: readonly Word[]): Generator<number> {
  for (let at = 0; at < spoken.length; at += 1) {
    const number = numeralAt(text, spoken, at);
    if (!number) continue;
    yield number.bare;
    if (number.bare !== number.value) yield number.value;
    at = number.last;
  }
}

/**
 * Every number in a text, plain and with its magnitude: the numbers that a derived statement may use. What is too large
 * to be told from others is none of them.
 */
export const numbersIn = (text: string, spoken: readonly Word[] = words(text)): number[] =>
  [...written(text, spoken)].filter(Number.isFinite);

/** Whether a text writes a number that is too large to be told from others, so that nothing bears it out. */
export const isBeyondNumbers = (text: string): boolean =>
  [...written(text, words(text))].some((number) => !Number.isFinite(number));
