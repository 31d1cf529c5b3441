import type { Agreement } from "../dates.ts";
import { lazily, lexicon } from "../../lexicon.ts";
import { countedAs, countsPeople, isCountReached } from "./people.ts";
import { conceptOf } from "../meaning.ts";
import { numeralAt, type Numeral } from "./numerals.ts";
import { currencyOf, symbolBehind, unitBehind } from "./units.ts";
import { isAge, isInName, isYear, pointsAt, scoreAt } from "./unmeasured.ts";
import { baseOf } from "../../words/stem.ts";
import { isFunctionWord } from "../../words/stop-words.ts";
import type { Span, Word } from "../../words/words.ts";

/** A number with what it counts or measures: `text` is the part from `start` to `end`. */
export interface Quantity extends Span {
  text: string;
  /** In the base unit: metres, kilograms, watts, seconds; for a range its lower end. */
  value: number;
  /** Upper end of a range ("5 to 7 percent", "dozens"). */
  to?: number;
  /** Base unit, ISO 4217 currency, `percent`, `count`, or `number` where none is given. */
  unit: string;
  /** What is counted: stems of the words after the number, or a group of the lexicon (`people`, `deaths`). */
  of: string[];
  bound?: "about" | "over" | "under";
  /** Where the words of the bound begin. */
  boundStart?: number;
  /** The value of its last written digit, in the base unit. */
  step: number;
  /** Half of the rounding step: 50 for "4,500". */
  precision: number;
}

const BOUND_NAMES = ["over", "under", "about"] as const;
const NOUNS_BEHIND = 3;
const MINUS = /(?:^|[\s(])(?:minus\s|[-−])$/i;
const CURRENCY_SIGN = /(?:\b(?:US|A|C|NZ|HK)\s?)?[$€£¥₹₽₩₴₺]\s?$/;
const escaped = (words: string): string => words.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");

const lists = lazily(() => {
  const { vague } = lexicon.quantities;
  return {
    vague: new Map(Object.entries(vague)),
    bounds: BOUND_NAMES.map((bound) => {
      const written = lexicon.quantities[bound].map(escaped).join("|");
      return [bound, new RegExp(`(?:^|(?<=[\\s(]))(?:${written})(?:\\s+an?)?\\s*$`, "i")] as const;
    }),
  };
});

/** Quantities that one sentence states: a table without full stops states none of any more. */
const MOST_QUANTITIES = 40;

/** The quantities of a sentence, the first 40; `spoken` are its words with offsets into `text`, `taken` are spans (dates) to skip. */
export function quantities(text: string, spoken: readonly Word[], taken: readonly Span[] = []): Quantity[] {
  const found: Quantity[] = [];
  for (let at = 0; at < spoken.length && found.length < MOST_QUANTITIES; at += 1) {
    const { start } = spoken[at]!;
    if (taken.some((span) => start >= span.start && start < span.end)) continue;
    const quantity =
      vagueAt(text, spoken, at) ??
      shareAt(text, spoken[at]!) ??
      pointsAt(text, spoken[at]!) ??
      measuredAt(text, spoken, at);
    // Hundreds of digits are a number to no one.
    if (!quantity || !Number.isFinite(quantity.value) || !Number.isFinite(quantity.to ?? 0)) continue;
    found.push(quantity);
    while (at + 1 < spoken.length && spoken[at + 1]!.start < quantity.end) at += 1;
  }
  return found;
}

/** "Dozens", "hundreds of thousands": not meant as an exact number. */
function vagueAt(text: string, spoken: readonly Word[], at: number): Quantity | undefined {
  const name = spoken[at]!.text;
  const range = name.endsWith("s") ? lists().vague.get(name) : undefined;
  const before = spoken[at - 1];
  // "Test scores", "the hundreds place".
  const isNoun =
    before &&
    (before.text === "the" || !isFunctionWord(before.text)) &&
    text.slice(before.end, spoken[at]!.start) === " ";
  if (!range || isNoun) return undefined;
  const of = spoken[at + 1]?.text === "of" ? spoken[at + 2] : undefined;
  const times = of ? ((lexicon.quantities.magnitudes as Record<string, number>)[of.text.replace(/s$/, "")] ?? 1) : 1;
  const last = times > 1 ? at + 2 : at;
  const things = thingsBehind(text, spoken, last, spoken[last]!.end);
  const { start } = spoken[at]!,
    { end } = spoken[last]!;
  const interval = { value: range[0]! * times, to: range[1]! * times, step: times, precision: 0 };
  return {
    text: text.slice(start, end),
    start,
    end,
    unit: "count",
    of: things,
    ...interval,
    ...boundBefore(text, start),
  };
}

const FRACTIONS: Record<string, number> = {
  half: 50,
  third: 100 / 3,
  quarter: 25,
  fifth: 20,
  sixth: 100 / 6,
  eighth: 12.5,
  tenth: 10,
};
const SHARE =
  /(?<!\b(?:the|first|second|this|last|every|his|her|its|another) )(?:(?:(?<=\b(?:an?|one|than|about|almost|nearly|over) )|(?<times>two|three|four)[ -])(?<part>third|quarter|fifth|sixth|eighth|tenth)s?|(?<half>half)) of (?!an? |(?:\p{L}+ ){0,2}(?:century|decade|year|way|month|match|game)\b)/iuy;
const EVERY = /every (?<part>third|quarter|fifth|sixth|eighth|tenth) (?!(?:day|week|month|year|time|hour)\b)/iuy;
const TIMES: Record<string, number> = { two: 2, three: 3, four: 4 };
/** A share in words is rounded. */
const OF_SHARE = 0.02;

/** "A third of voters", "three quarters of them", "every fifth branch", "half of the seats". */
function shareAt(text: string, { start }: Word): Quantity | undefined {
  SHARE.lastIndex = EVERY.lastIndex = start;
  const found = SHARE.exec(text) ?? EVERY.exec(text);
  if (!found) return undefined;
  const { times, part, half } = found.groups!;
  const value = (times ? TIMES[times.toLowerCase()]! : 1) * FRACTIONS[(part ?? half)!.toLowerCase()]!;
  if (value >= 100) return undefined;
  const written = found[0].replace(/ (?:of )?$/, "");
  const end = start + written.length;
  return {
    ...{ text: written, start, end, unit: "percent", of: [], value, step: 0, precision: OF_SHARE * value },
    ...boundBefore(text, start),
  };
}

/** "COVID-19", "F-35", "1990s", "10:30" and the rest of a date with slashes are no quantities. */
const isPartOfName = (text: string, start: number, end: number): boolean =>
  /(?:\p{L}[-–]?|\d[:/])$/u.test(text.slice(Math.max(0, start - 2), start)) ||
  /^(?:s\b|:\d|\/\d|st\b|nd\b|rd\b|th\b)/.test(text.slice(end, end + 3));

/** The quantity that begins at a word: its currency, unit or counted things, range and bound. */
function measuredAt(text: string, spoken: readonly Word[], at: number): Quantity | undefined {
  const number = numeralAt(text, spoken, at);
  if (!number || (number.digits && isPartOfName(text, spoken[at]!.start, number.end))) return undefined;
  const score = number.digits ? scoreAt(text, spoken[at]!.start) : undefined;
  if (score) return score;
  if (!number.scaled && isAge(text, { ...number, start: spoken[at]!.start })) return undefined;
  const sign = CURRENCY_SIGN.exec(text.slice(Math.max(0, spoken[at]!.start - 5), spoken[at]!.start))?.[0];
  const start = spoken[at]!.start - (sign?.length ?? 0);
  const below = MINUS.test(text.slice(Math.max(0, start - 7), start)) ? -1 : 1;

  // "One in five": a share.
  const isShare = !number.digits && number.value > 0 && spoken[number.last + 1]?.text === "in";
  const whole = isShare ? numeralAt(text, spoken, number.last + 2) : undefined;
  if (whole && !whole.digits && whole.value > number.value) {
    const share = (100 * number.value) / whole.value;
    return made(whole.end, "percent", [], { value: share, step: 0, precision: share * 0.02 });
  }

  const upper = rangeEnd(text, spoken, number);
  // "By 41,000 to 1.3 million" is no range: each number has its own magnitude.
  const isSaidOnce = upper?.scaled === true && !number.scaled && number.value < upper.bare;
  const isMove = spoken[at - 1]?.text === "by" && upper?.scaled === true && !number.scaled && !isSaidOnce;
  const isRange = upper !== undefined && upper.value > number.value && !isMove;
  const { last, end } = isRange ? upper : number;
  // "5 to 7 million": the magnitude is given once.
  const factor = isRange && isSaidOnce ? upper.value / upper.bare : 1;
  const bare = { value: below * number.value, step: number.step, precision: number.precision };
  const read: Values = { ...inBase(bare, factor), ...(isRange && { to: upper.value }) };

  const percent = /^\s?%/.exec(text.slice(end, end + 2));
  if (percent) return made(end + percent[0].length, "percent", [], read);
  if (sign) return made(end, currencyOf(sign.trim().slice(-1)) ?? "USD", [], read);
  const isOfMoney = currencyOf(spoken[at - 1]?.text ?? "") !== undefined;
  const unit = unitBehind(text, spoken, last, end) ?? (isOfMoney ? undefined : symbolBehind(text, spoken, last, end));
  if (unit) return made(unit.end, unit.unit, [], inBase(read, unit.factor));
  if (isNamed(spoken, at, "magnitude")) return made(end, "magnitude", [], read);

  const things = thingsBehind(text, spoken, last, end);
  const isBare = things.length === 0 || things[0] === "remain";
  const of = isBare && countsPeople(text, number, start) ? ["people"] : things;
  if (
    !number.scaled &&
    ((isPronoun(number, of) && !isCountReached(text, start, end)) || isInName(text, spoken, at, number))
  )
    return undefined;
  if (!number.scaled && of.length === 0 && isYear(text.slice(start, end))) return undefined;
  return made(end, of.length > 0 ? "count" : "number", of, read);

  function made(behind: number, unit: string, of: string[], values: Values): Quantity {
    return { text: text.slice(start, behind), start, end: behind, unit, of, ...values, ...boundBefore(text, start) };
  }
}

type Values = Pick<Quantity, "value" | "to" | "step" | "precision">;
const inBase = ({ value, to, step, precision }: Values, factor: number): Values => ({
  value: value * factor,
  step: step * factor,
  precision: precision * factor,
  ...(to !== undefined && { to: to * factor }),
});

/** A bare "one" or "two" that counts nothing. */
const isPronoun = ({ digits }: Numeral, of: readonly string[]): boolean => !digits && of.length === 0;

/** "A magnitude of 6.5": the measure is named before the number. */
const isNamed = (spoken: readonly Word[], at: number, name: string): boolean =>
  spoken[at - 1]?.text === name || (spoken[at - 1]?.text === "of" && spoken[at - 2]?.text === name);

function rangeEnd(text: string, spoken: readonly Word[], { last, end }: Numeral): Numeral | undefined {
  const next = spoken[last + 1];
  if (!next) return undefined;
  const upper = /^\s?[-–]\s?$/.test(text.slice(end, next.start))
    ? numeralAt(text, spoken, last + 1)
    : // "Rose $2 to $46" is no range: what stands between the two is "to" alone.
      next.text === "to" && /^ to $/.test(text.slice(end, spoken[last + 2]?.start))
      ? numeralAt(text, spoken, last + 2)
      : undefined;
  return upper?.digits ? upper : undefined;
}

function thingsBehind(text: string, spoken: readonly Word[], last: number, end: number): string[] {
  const things: string[] = [];
  for (const word of spoken.slice(last + 1, last + 1 + NOUNS_BEHIND)) {
    // "US" folds to a function word.
    const isGrammar = isFunctionWord(word.text) && word.text !== "of" && !word.capital;
    if (isGrammar || /^\d/.test(word.text) || /[,.;:()"”“]/.test(text.slice(end, word.start))) break;
    end = text.slice(word.start, word.end).includes(".") ? word.end + 1 : word.end;
    if (word.text === "of") continue;
    things.push(baseOf(word.text));
    const group = countedAs(word.text);
    if (group) things.push(group);
    if (group === "people") break;
  }
  return things;
}

function boundBefore(text: string, start: number): Pick<Quantity, "bound" | "boundStart"> {
  const from = Math.max(0, start - 24);
  const before = text.slice(from, start);
  // "No more than" holds "more than": the one that begins first.
  const found = lists().bounds.flatMap(([bound, pattern]) => {
    const index = pattern.exec(before)?.index;
    return index === undefined ? [] : [{ bound, boundStart: from + index }];
  });
  return found.sort((one, other) => one.boundStart - other.boundStart)[0] ?? {};
}

const ROUNDING = 0.08;
const ABOUT = 0.1;
/** A figure up to this many times a "more than" may be the same. */
const OPEN_END = 1.25;

const PARTICULAR = 100;
const isCount = ({ unit }: Quantity) => unit === "count" || unit === "number";

/** Whether two quantities are of the same kind, so that their values can be compared. */
export function comparable(a: Quantity, b: Quantity): boolean {
  // A figure as particular as 1,204 is recognised whatever it seems to count.
  if (a.value === b.value && a.value >= PARTICULAR && a.value % 100 !== 0 && isCount(a) && isCount(b)) return true;
  if (a.unit !== b.unit)
    return (a.unit === "number" && b.unit === "count") || (a.unit === "count" && b.unit === "number");
  return a.unit !== "count" || a.of.some((thing) => b.of.some((other) => conceptOf(thing) === conceptOf(other)));
}

/** Whether two comparable values are the same, allowing for rounding, "about", ranges and "more than". */
export function sameValue(a: Quantity, b: Quantity): Agreement {
  const slack = Math.max(
    Math.min(Math.max(a.precision, b.precision), ROUNDING * Math.max(Math.abs(a.value), Math.abs(b.value))),
    Math.max(roughness(a), roughness(b)),
  );
  if (a.bound === "over" || b.bound === "over")
    return openAbove(...(a.bound === "over" ? ([a, b] as const) : ([b, a] as const)), slack);
  if (a.bound === "under" || b.bound === "under")
    return openBelow(...(a.bound === "under" ? ([a, b] as const) : ([b, a] as const)), slack);
  const apart = Math.max(a.value, b.value) - Math.min(a.to ?? a.value, b.to ?? b.value);
  return apart <= slack * (1 + 1e-9) ? "agree" : "differ";
}

const roughness = (quantity: Quantity) => (quantity.bound === "about" ? ABOUT * Math.abs(quantity.value) : 0);

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
