import { lazily, lexicon } from "../lexicon.ts";
import { words, type Word } from "../words/words.ts";

/**
 * A number in digits or in words, with the magnitude behind it: "2.5 million", "twenty-five", "two hundred", "$3bn".
 */
export interface Numeral {
  value: number;
  /** The number before its magnitude: 2.5 of "2.5 million". */
  bare: number;
  /** What its last written digit is worth: 100,000 of "2.5 million", 1 of "4,500" and "two". */
  step: number;
  /** Half of what it is rounded to: of whole numbers two and more noughts at the end are taken for rounding. */
  precision: number;
  /** Offset behind it in the text, magnitude included. */
  end: number;
  /** Index of its last word. Where a unit sticks to the digits ("5km"), that word goes on behind `end`. */
  last: number;
  /** Digits, not words. */
  digits: boolean;
  /** A magnitude stands behind the number. */
  scaled: boolean;
}

const NUMBERS = lazily(() => new Map(Object.entries(lexicon.quantities.numerals)));
const MAGNITUDES = lazily(() => new Map<string, number>(Object.entries(lexicon.quantities.magnitudes)));

const DIGITS = /\d+(?:[.,]\d+)*/y;
const isDigit = (code: number): boolean => code >= 48 && code <= 57;

/** Commas set off thousands, a point the decimals; a single comma otherwise ("3,5") is a decimal one. */
function parsed(written: string): Pick<Numeral, "bare" | "step" | "precision"> {
  const isGrouped = /^\d{1,3}(?:,\d{3})+(?:\.\d+)?$/.test(written);
  const plain = isGrouped ? written.replaceAll(",", "") : written.replace(",", ".");
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

/** The number that begins at a word; `spoken` are words of `text`. */
export function numeralAt(text: string, spoken: readonly Word[], at: number): Numeral | undefined {
  const word = spoken[at];
  if (!word) return undefined;
  if (isDigit(word.text.charCodeAt(0))) {
    DIGITS.lastIndex = word.start;
    const digits = DIGITS.exec(text)?.[0] ?? word.text;
    const end = word.start + digits.length;
    return scaled(text, spoken, { ...parsed(digits), end, last: lastBefore(spoken, at, end), digits: true });
  }
  const first = NUMBERS().get(word.text);
  if (first === undefined) return undefined;
  const next = spoken[at + 1];
  const ones = next && text[word.end] === "-" ? NUMBERS().get(next.text) : undefined;
  const joined = first >= 20 && ones !== undefined && ones < 10;
  const whole = joined
    ? { bare: first + ones, end: next!.end, last: at + 1 }
    : { bare: first, end: word.end, last: at };
  return scaled(text, spoken, { ...whole, step: 1, precision: 0.5, digits: false });
}

function scaled(text: string, spoken: readonly Word[], number: Omit<Numeral, "value" | "scaled">): Numeral {
  const { bare, end, last } = number;
  const same = spoken[last]!;
  // What sticks to the digits is a part of their word.
  const stuck = same.end > end;
  const next = stuck ? same : spoken[last + 1];
  const name = stuck ? text.slice(end, same.end).toLowerCase() : (next?.text ?? "");
  const factor = MAGNITUDES().get(name);
  // One letter is a magnitude only where it sticks to the number: "9.7m", not "5 m".
  const isBehind = stuck || (name.length > 1 && /^[\s-]$/.test(text.slice(end, next?.start)));
  // "A dozen" is a number and a magnitude.
  if (factor === undefined || !isBehind || (bare === factor && !number.digits))
    return { ...number, value: bare, scaled: false };
  const [step, precision] = [number.step * factor, number.precision * factor];
  return {
    ...number,
    value: bare * factor,
    step,
    precision,
    end: next!.end,
    last: stuck ? last : last + 1,
    scaled: true,
  };
}

/** Every number that stands in a text, plain and with its magnitude: what a statement drawn from it may say. */
export function numbersIn(text: string, spoken: readonly Word[] = words(text)): number[] {
  const found: number[] = [];
  for (let at = 0; at < spoken.length; at += 1) {
    const number = numeralAt(text, spoken, at);
    if (!number) continue;
    found.push(...(number.scaled ? [number.bare, number.value] : [number.value]));
    at = number.last;
  }
  return found;
}
