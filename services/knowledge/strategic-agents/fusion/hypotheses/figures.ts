import { lexicon } from "../../../../../core/text/lexicon.ts";
import { dates } from "../../../../../core/text/statements/dates.ts";
import { conceptOf } from "../../../../../core/text/statements/meaning.ts";
import { quantities, type Quantity } from "../../../../../core/text/statements/figures/quantities.ts";
import type { Statement } from "../../../../../core/text/statements/statement.ts";
import { baseOf } from "../../../../../core/text/words/stem.ts";
import { compared, intervalOf, type Interval } from "./intervals.ts";
import { isOneMeasure, type MeasuredPlace, type Naming } from "./measured.ts";
import { isFunctionWord } from "../../../../../core/text/words/stop-words.ts";
import { words } from "../../../../../core/text/words/words.ts";

/** The figure that a hypothesis asserts: from `least` to `most`, of a unit, and what is counted. */
export interface AssertedFigure extends Interval {
  unit: string;
  /** What is measured: concepts of the words around it. */
  of: ReadonlySet<string>;
  /** What became of those who are counted: dead, hurt. */
  fates: ReadonlySet<string>;
  text: string;
  place: MeasuredPlace;
}

const FATES = Object.entries(lexicon.measures.fates).map(
  ([fate, forms]) => [fate, new Set((forms as readonly string[]).map(baseOf))] as const,
);
const fatesIn = (text: string): ReadonlySet<string> => {
  const bases = new Set(words(text).map((word) => baseOf(word.text)));
  if (/\b(?:dead|deaths?|died|dies|killed)\b/i.test(text)) bases.add("dead");
  return new Set(FATES.flatMap(([fate, forms]) => ([...forms].some((form) => bases.has(form)) ? [fate] : [])));
};

const ONES = "one|two|three|four|five|six|seven|eight|nine";
const TENS = "twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety";
const TEENS = "ten|eleven|twelve|thirteen|fourteen|fifteen|sixteen|seventeen|eighteen|nineteen";
const OF_MANY = new RegExp(
  String.raw`\b(?<part>\d{1,3}|(?:${TENS})-(?:${ONES})|${TENS}|${TEENS}|${ONES}) (?:in|out of|of) (?:every |each )?` +
    `(?<whole>two|three|four|five|six|seven|eight|nine|ten|hundred|a hundred|100|10)\\b`,
  "giu",
);
const SMALL: Record<string, number> = Object.fromEntries(
  Object.entries(lexicon.quantities.numerals).map(([name, value]) => [name, value]),
);
const numberOf = (said: string): number => {
  const [tens = "", ones] = said.toLowerCase().split("-");
  const value = Number(said);
  if (!Number.isNaN(value)) return value;
  if (/hundred/.test(said)) return 100;
  return (SMALL[tens] ?? Number.NaN) + (ones === undefined ? 0 : (SMALL[ones] ?? Number.NaN));
};
const UNIT_NAMES = "day|week|fortnight|month|year|hour|minute|dozen|hundred|thousand|million";
const ONE = new RegExp(String.raw`\b(?:an?) (${UNIT_NAMES})\b`, "gi");
const SECONDS: Record<string, number> = {
  minute: 60,
  hour: 3600,
  day: 86_400,
  week: 604_800,
  fortnight: 1_209_600,
  month: 2_629_800,
  year: 31_557_600,
};

const CLOCK =
  /\b\d{1,2}[:.]\d\d\b(?! ?(?:%|percent|m\b|metres|million|tonnes))|\b\d{3,4} ?(?:h|hrs|hours)\b|\bat \d{1,2} ?(?:a\.?m|p\.?m|o'clock)/gi;
const clocksIn = (text: string) =>
  [...text.matchAll(CLOCK)]
    .map(({ 0: said, index }) => ({ start: index, end: index + said.length }))
    .filter(({ start, end }) => /[:h]|at /.test(text.slice(start, end)));

/** The quantities of a text, with those that only reports about one thing write: "83 in every hundred", "a month". */
export function figuresIn(text: string): Quantity[] {
  const shares: Quantity[] = [...text.matchAll(OF_MANY)].flatMap(({ 0: said, groups, index }) => {
    const [part, whole] = [numberOf(groups!.part!), numberOf(groups!.whole!)];
    if (!(part > 0) || !(whole >= part)) return [];
    const value = (100 * part) / whole;
    const before = text.slice(0, index);
    const bound = /\b(?:almost|nearly|about|some|around|roughly)\s$/i.test(before)
      ? ("about" as const)
      : /\b(?:only|just)\s$/i.test(before) || !/\b(?:over|more than|under|less than|fewer than) $/i.test(before)
        ? undefined
        : /\b(?:over|more than) $/i.test(before)
          ? ("over" as const)
          : ("under" as const);
    return [
      {
        ...{
          text: said,
          start: index,
          end: index + said.length,
          unit: "percent",
          of: [],
          value,
          step: 0,
          precision: whole >= 100 ? 0.5 : 0.02 * value,
        },
        ...(bound && { bound }),
      },
    ];
  });
  const taken = [...dates(text), ...clocksIn(text)];
  const plain = quantities(text, words(text), taken).filter(
    (one) => !shares.some(({ start, end }) => one.start < end && start < one.end),
  );
  const ones: Quantity[] = [...text.matchAll(ONE)].flatMap(({ 0: said, 1: unit = "", index }) => {
    const value = SECONDS[unit.toLowerCase()];
    if (value === undefined || plain.some(({ start, end }) => index < end && start < index + said.length)) return [];
    const before = text.slice(0, index);
    const bound = /\b(?:less|fewer|under|shorter) (?:than )?$/i.test(before)
      ? ("under" as const)
      : /\b(?:more|over|longer) (?:than )?$/i.test(before)
        ? ("over" as const)
        : undefined;
    if (!bound) return [];
    return [
      {
        ...{ text: said, start: index, end: index + said.length, unit: "s", of: [], value, step: 0, precision: 0 },
        bound,
      },
    ];
  });
  return [...shares, ...plain, ...ones].sort((a, b) => a.start - b.start);
}

const conceptsAround = (text: string): Set<string> =>
  new Set(
    words(text)
      .filter(
        (word) =>
          !isFunctionWord(word.text) && !/^\d/.test(word.text) && !/^[A-Z]/.test(text.slice(word.start, word.end)),
      )
      .map((word) => conceptOf(baseOf(word.text))),
  );

/** "The offer of 4.5 percent", "trucks over 40 tonnes", "planned for": a figure that tells which one is meant. */
const isGiven = (text: string, { start }: Quantity, verbAt: number): boolean => {
  const before = text.slice(0, start);
  if (/\b(?:offer|plan|budget|loan|contract|deal|grant|fine|order|rise|cut|fall|increase) of $/i.test(before))
    return true;
  // "All 12 miners", "the two presidents": who is meant is known.
  if (/(?:^|\s)(?:all|all the|the|both|these|those|its|their|his|her) $/i.test(before) && start < verbAt) return true;
  return (
    start < verbAt &&
    /\p{L}s (?:over|above|under|below|of|with|aged) (?:the )?$/iu.test(before) &&
    !/^(?:more|at|over|about|some|fewer|less)/i.test(text)
  );
};

/** The figure that a hypothesis asserts; undefined where it has none, or only one that tells what it is of. */
export function assertedFigure(stated: Statement, verb: number): AssertedFigure | undefined {
  const { text, words: spoken, dates: when } = stated;
  const verbAt = spoken[verb]?.start ?? 0;
  const found = figuresIn(text).filter(
    (one) =>
      !when.some(({ start, end }) => one.start < end && start < one.end) &&
      one.unit !== "number-of-name" &&
      !/\b(?:line|reactor|unit|lock|berth|pier|gate|exercise|the first|article|section|sector|zone|no\.|number|highway|route|road|flight|terminal) $/i.test(
        text.slice(0, one.start),
      ) &&
      !(one.start < verbAt && /\S [A-Z]\p{L}+ $/u.test(text.slice(0, one.start))) &&
      !isGiven(text, one, verbAt),
  );
  const [figure] = found;
  if (!figure || found.length > 2) return undefined;
  return {
    ...intervalOf(figure, text),
    ...{ unit: figure.unit, of: conceptsAround(text), fates: fatesIn(text), text: figure.text },
    place: { stated, quantity: figure, verb },
  };
}

const isCount = (unit: string): boolean => unit === "count" || unit === "number";

export interface FigureSaid {
  sign: 1 | -1;
  text: string;
  start: number;
  /** It may be of a part. */
  isLess: boolean;
}

/** What a sentence says of the asserted figure: within it, outside of it, or nothing. */
export function figureSaid(
  asked: AssertedFigure,
  one: Statement,
  thing: (word: string) => string,
  naming: Naming,
): FigureSaid | undefined {
  const { text } = one;
  const fates = fatesIn(text);
  if (asked.fates.size > 0 && ![...asked.fates].some((fate) => fates.has(fate))) return undefined;
  if (asked.fates.size === 0 && fates.size > 0 && isCount(asked.unit)) return undefined;
  const mine = new Set([...asked.place.quantity.of, ...asked.of].map(thing));
  const verdicts = figuresIn(text).flatMap((told): FigureSaid[] => {
    if (!isOneUnit(asked, told, text)) return [];
    const counted = told.of.map(thing);
    const isOther = counted.length > 0 && !counted.some((of) => mine.has(of));
    if (isCount(asked.unit) && asked.fates.size === 0 && isOther) return [];
    // A count that many times apart counts something else: ages, rooms.
    if (isCount(asked.unit) && told.value > 0 && isFarApart(asked.place.quantity.value, told.value)) return [];
    if (!isOneMeasure(asked, one, told, thing, naming)) return [];
    const interval = intervalOf(told, text);
    const sign = compared(asked, interval);
    return sign === 0 ? [] : [{ sign, text: told.text, start: told.start, isLess: interval.most <= asked.least }];
  });
  const signs = new Set(verdicts.map(({ sign }) => sign));
  return signs.size === 1 ? verdicts[0] : undefined;
}

const MOST_APART = 30;
const isFarApart = (one: number, other: number): boolean => one > MOST_APART * other || other > MOST_APART * one;

function isOneUnit(asked: AssertedFigure, told: Quantity, text: string): boolean {
  if (asked.unit === "magnitude")
    return (
      told.unit === "magnitude" ||
      (isCount(told.unit) && /\b(?:M|magnitude|Mw|measur\w+) ?(?:of )?$/.test(text.slice(0, told.start)))
    );
  return told.unit === asked.unit || (isCount(told.unit) && isCount(asked.unit));
}
