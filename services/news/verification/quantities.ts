import { withoutTrailing } from "../../../core/text/trailing.ts";
import lexicon from "../../../data/lexicons/units.json" with { type: "json" };
import type { Agreement } from "./dates.ts";
import { conceptOf } from "./meaning.ts";
import { isFunctionWord, stem, type Word } from "./words.ts";

/** A number with what it counts or measures. */
export interface Quantity {
  text: string;
  start: number;
  end: number;
  /** In the base unit: metres, kilograms, watts, seconds; of a range its lower end. */
  value: number;
  /** Upper end of a range ("5 to 7 percent"). */
  to?: number;
  /** Base unit, ISO 4217 currency, `percent`, `count`, or `number` where nothing is said. */
  unit: string;
  /** What is counted: stems of the words behind the number, or a group of the lexicon (`people`, `deaths`). */
  of: string[];
  bound?: "about" | "over" | "under";
  /** Half of what the last written digit is worth: 50 for "4,500". */
  precision: number;
}

type Span = { start: number; end: number };

const MAGNITUDES = new Map(Object.entries(lexicon.magnitudes));
const CURRENCIES = new Map(Object.entries(lexicon.currencies));
const NUMERALS = new Map(Object.entries(lexicon.numerals));
const UNITS = new Map(Object.entries(lexicon.units).flatMap(([name, { factor, forms }]) =>
  forms.map((form) => [form, { unit: name.split("*")[0]!, factor }] as const)));
const COUNTED = new Map(Object.entries(lexicon.counted).flatMap(([group, forms]) => forms.map((form) => [form, group] as const)));
const LONGEST_UNIT_WORDS = 2;
const NOUNS_BEHIND = 3;
const BOUNDS = (["over", "under", "about"] as const).map((bound) => [bound, new RegExp(`(?:^|[\\s(])(?:${lexicon[bound].map(escape).join("|")})\\s*$`, "i")] as const);
const MINUS = /(?:^|[\s(])(?:minus\s|[-−])$/i;
const CURRENCY_SIGN = /(?:\b(?:US|A|C|NZ|HK)\s?)?[$€£¥₹₽₩₴₺]\s?$/;

function escape(words: string): string { return words.replace(/[.*+?^${}()|[\]\\]/g, "\\$&"); }

/** The quantities of a sentence; `spoken` are its words with offsets into `text`, `taken` are spans (dates) that are none. */
export function quantities(text: string, spoken: readonly Word[], taken: readonly Span[] = []): Quantity[] {
  const found: Quantity[] = [];
  for (let at = 0; at < spoken.length; at += 1) {
    const number = numberAt(text, spoken, at);
    if (!number) continue;
    const { start } = spoken[at]!;
    if (taken.some((span) => start >= span.start && start < span.end)) continue;
    const quantity = measured(text, spoken, at, number);
    if (quantity) {
      found.push(quantity);
      while (at + 1 < spoken.length && spoken[at + 1]!.start < quantity.end) at += 1;
    }
  }
  return found;
}

interface Numeral { value: number; precision: number; last: number; written: boolean }

/** The bare number that begins at a word: digits, "two", "twenty-five", "two hundred", "one in five". */
function numberAt(text: string, spoken: readonly Word[], at: number): Numeral | undefined {
  const word = spoken[at];
  if (!word) return undefined;
  if (/^\d/.test(word.text)) return isPartOfName(text, word) ? undefined : { ...parse(word.text), last: at, written: false };
  const first = NUMERALS.get(word.text);
  if (first === undefined) return undefined;
  const joined = text[word.end] === "-" ? NUMERALS.get(spoken[at + 1]?.text ?? "") : undefined;
  if (first >= 20 && joined !== undefined && joined < 10) return { value: first + joined, precision: 0.5, last: at + 1, written: true };
  return { value: first, precision: 0.5, last: at, written: true };
}

/** "COVID-19", "G7", "F-35", "1990s", "10:30", and the rest of a date with slashes are no quantities. */
function isPartOfName(text: string, { start, end }: Word): boolean {
  const before = text.slice(Math.max(0, start - 2), start);
  return /\p{L}[-–]?$/u.test(before) && !/[$€£¥₹]$/.test(before) || /^(?:s\b|:\d|\/\d|st\b|nd\b|rd\b|th\b)/.test(text.slice(end, end + 3)) || /\d[:/]$/.test(before);
}

function parse(digits: string): { value: number; precision: number } {
  const grouped = /^\d{1,3}(?:,\d{3})+(?:\.\d+)?$/.test(digits);
  const plain = grouped ? digits.replaceAll(",", "") : digits.replace(",", ".");
  const value = Number.parseFloat(plain);
  const decimals = plain.split(".")[1]?.length ?? 0;
  if (decimals > 0) return { value, precision: 0.5 * 10 ** -decimals };
  const zeros = plain.length - withoutTrailing(plain, "0").length;
  return { value, precision: zeros >= 2 ? 0.5 * 10 ** zeros : 0.5 };
}

/** The quantity around a number: its currency, magnitude, unit or counted things, range and bound. */
function measured(text: string, spoken: readonly Word[], at: number, number: Numeral): Quantity | undefined {
  const sign = CURRENCY_SIGN.exec(text.slice(Math.max(0, spoken[at]!.start - 5), spoken[at]!.start))?.[0];
  const start = spoken[at]!.start - (sign?.length ?? 0);
  const below = MINUS.test(text.slice(Math.max(0, start - 7), start));
  let { value, precision, last } = below ? { ...number, value: -number.value } : number;
  let to: number | undefined;

  const inFive = number.written && value > 0 && spoken[last + 1]?.text === "in" ? numberAt(text, spoken, last + 2) : undefined;
  if (inFive?.written && inFive.value > value) {
    const share = 100 * value / inFive.value;
    return finish({ value: share, precision: share * 0.02, unit: "percent", of: [], last: inFive.last });
  }

  const upper = rangeEnd(text, spoken, last);
  if (upper && upper.value > value) { to = upper.value; last = upper.last; }

  const factor = magnitude(text, spoken, last);
  if (factor) { value *= factor.factor; precision *= factor.factor; last = factor.last; if (to !== undefined) to *= factor.factor; }

  const percent = /^\s?%/.exec(text.slice(spoken[last]!.end));
  if (percent) return finish({ value, precision, to, unit: "percent", of: [], last, extra: percent[0].length });
  if (sign) return finish({ value, precision, to, unit: CURRENCIES.get(sign.trim().slice(-1)) ?? "USD", of: [], last });

  const unit = unitBehind(text, spoken, last);
  if (unit) return finish({ value: value * unit.factor, precision: precision * unit.factor, to: to && to * unit.factor, unit: unit.unit, of: [], last: unit.last });

  const of = thingsBehind(text, spoken, last);
  // A bare "one" or "two" that counts nothing is a pronoun; "Boeing 737" is a name.
  if (number.written && of.length === 0 && !factor) return undefined;
  if (!number.written && !factor && of.length === 0 && spoken[at - 1]?.capital && at > 1) return undefined;
  return finish({ value, precision, to, unit: of.length > 0 ? "count" : "number", of, last });

  function finish(parts: { value: number; precision: number; to?: number; unit: string; of: string[]; last: number; extra?: number }): Quantity {
    const end = spoken[parts.last]!.end + (parts.extra ?? 0);
    const bound = boundBefore(text, start);
    return {
      text: text.slice(start, end), start, end,
      value: parts.value, unit: parts.unit, of: parts.of, precision: parts.precision,
      ...(parts.to !== undefined && { to: parts.to }), ...(bound && { bound }),
    };
  }
}

function rangeEnd(text: string, spoken: readonly Word[], last: number): Numeral | undefined {
  const next = spoken[last + 1];
  if (!next) return undefined;
  const between = text.slice(spoken[last]!.end, next.start);
  if (/^\s?[-–]\s?$/.test(between) && /^\d/.test(next.text)) return numberAt(text, spoken, last + 1) ?? { ...parse(next.text), last: last + 1, written: false };
  if (next.text !== "to" || !spoken[last + 2] || !/^\d/.test(spoken[last + 2]!.text)) return undefined;
  return numberAt(text, spoken, last + 2);
}

function magnitude(text: string, spoken: readonly Word[], last: number): { factor: number; last: number } | undefined {
  const next = spoken[last + 1];
  const factor = next && MAGNITUDES.get(next.text);
  if (!next || factor === undefined) return undefined;
  const between = text.slice(spoken[last]!.end, next.start);
  // One letter is a magnitude only when it sticks to the number: "9.7m", not "5 m".
  if (between === "" || (next.text.length > 1 && /^[\s-]$/.test(between))) return { factor, last: last + 1 };
  return undefined;
}

function unitBehind(text: string, spoken: readonly Word[], last: number): { unit: string; factor: number; last: number } | undefined {
  const behind = text.slice(spoken[last]!.end, spoken[last]!.end + 3);
  const celsius = /^\s?°/.test(behind) ? /^\s?°\s?[fF]/.test(behind) ? "degree-f" : "degree" : undefined;
  if (celsius) return { unit: celsius, factor: 1, last };
  for (let count = LONGEST_UNIT_WORDS; count > 0; count -= 1) {
    const next = spoken.slice(last + 1, last + 1 + count);
    if (next.length < count || !/^[\s-]?$/.test(text.slice(spoken[last]!.end, next[0]!.start))) continue;
    const form = next.map((word) => word.text).join(" ");
    const unit = UNITS.get(form);
    if (unit) return { ...unit, last: last + count };
    const currency = CURRENCIES.get(form);
    if (currency) return { unit: currency, factor: 1, last: last + count };
  }
  return undefined;
}

function thingsBehind(text: string, spoken: readonly Word[], last: number): string[] {
  const things: string[] = [];
  let end = spoken[last]!.end;
  for (const word of spoken.slice(last + 1, last + 1 + NOUNS_BEHIND)) {
    if (/[,.;:()"”“]/.test(text.slice(end, word.start)) || (isFunctionWord(word.text) && word.text !== "of") || /^\d/.test(word.text)) break;
    end = word.end;
    if (word.text === "of") continue;
    things.push(stem(word.text));
    const group = COUNTED.get(word.text);
    if (group) {
      things.push(group);
      break;
    }
  }
  return things;
}

function boundBefore(text: string, start: number): Quantity["bound"] {
  const before = text.slice(Math.max(0, start - 24), start);
  return BOUNDS.find(([, pattern]) => pattern.test(before))?.[0];
}

const ROUNDING = 0.08;
const ABOUT = 0.1;
/** How far above a "more than" another figure may be and still tell the same. */
const OPEN_END = 1.25;

const PARTICULAR = 100;
const isCount = ({ unit }: Quantity) => unit === "count" || unit === "number";

/** Whether two quantities speak of the same kind of thing, so that their values can be compared. */
export function comparable(a: Quantity, b: Quantity): boolean {
  // A figure as particular as 1,204 is recognised whatever it is said to count.
  if (a.value === b.value && a.value >= PARTICULAR && a.value % 100 !== 0 && isCount(a) && isCount(b)) return true;
  if (a.unit !== b.unit) return (a.unit === "number" && b.unit === "count") || (a.unit === "count" && b.unit === "number");
  return a.unit !== "count" || a.of.some((thing) => b.of.some((other) => conceptOf(thing) === conceptOf(other)));
}

/** Whether two comparable values are the same, within rounding, "about", ranges and "more than". */
export function sameValue(a: Quantity, b: Quantity): Agreement {
  const slack = Math.max(Math.min(Math.max(a.precision, b.precision), ROUNDING * Math.max(Math.abs(a.value), Math.abs(b.value))), Math.max(roughness(a), roughness(b)));
  if (a.bound === "over" || b.bound === "over") return openAbove(...(a.bound === "over" ? [a, b] as const : [b, a] as const), slack);
  if (a.bound === "under" || b.bound === "under") return openBelow(...(a.bound === "under" ? [a, b] as const : [b, a] as const), slack);
  const apart = Math.max(a.value, b.value) - Math.min(a.to ?? a.value, b.to ?? b.value);
  return apart <= slack * (1 + 1e-9) ? "agree" : "differ";
}

const roughness = (quantity: Quantity) => quantity.bound === "about" ? ABOUT * Math.abs(quantity.value) : 0;

function openAbove(floor: Quantity, other: Quantity, slack: number): Agreement {
  if (other.bound === "under" ? other.value <= floor.value : (other.to ?? other.value) < floor.value - slack) {
    return other.bound === "over" ? "unclear" : "differ";
  }
  return other.value <= floor.value * OPEN_END + slack ? "agree" : "unclear";
}

function openBelow(ceiling: Quantity, other: Quantity, slack: number): Agreement {
  if (other.value > ceiling.value + slack) return other.bound === "under" ? "unclear" : "differ";
  return other.value * OPEN_END + slack >= ceiling.value ? "agree" : "unclear";
}
