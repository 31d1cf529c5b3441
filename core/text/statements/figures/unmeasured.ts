import { lazily, lexicon } from "../../lexicon.ts";
import { countedAs } from "./people.ts";
import type { Numeral } from "./numerals.ts";
import type { Quantity } from "./quantities.ts";
import { isFunctionWord } from "../../words/stop-words.ts";
import type { Word } from "../../words/words.ts";

/** Nobody is older. */
const OLDEST = 120;
const BEFORE = 24;
const BEHIND = 16;
const AGED = /\b(?:aged (?:about |only |just )?|at the age of |\b(?:who|he|she) (?:is|was|turned) )$/;
/** "Aldous Reeve, 58, ...", "Aldous Reeve (58)". */
const NAMED = /\p{Lu}[\p{L}'’.-]{1,20}(?:,\s|\s\()$/u;
const NAMED_BEHIND = /^\s?[,.;)]/;
const OLD = /^(?:-year-olds?\b|\s?years? old\b|\s?years? of age\b|-Jährige)/;

/** Whether a number is somebody's age: it stands beside a name, and measures nothing of the matter. */
export function isAge(text: string, { start, end, value }: Numeral & { start: number }): boolean {
  if (value > OLDEST) return false;
  const behind = text.slice(end, end + BEHIND);
  if (OLD.test(behind)) return true;
  const before = text.slice(Math.max(0, start - BEFORE), start);
  return NAMED_BEHIND.test(behind) && (AGED.test(before) || NAMED.test(before));
}

const names = lazily(() => ({
  clock: new Set(lexicon.quantities.clock),
  numbered: new Set(lexicon.quantities.numbered),
}));

/** "Flight 370 left", "tank 7", "the Russell 2000 index", "10 a.m.": what follows is not counted. */
export function isInName(text: string, spoken: readonly Word[], at: number, { digits, last, end }: Numeral): boolean {
  const before = spoken[at - 1],
    next = spoken[last + 1];
  if (next && names().clock.has(next.text) && text.slice(end, next.start).trim() === "") return true;
  if (!digits || !before || isFunctionWord(before.text)) return false;
  if (!/^(?:['’]s)? \d+$/.test(text.slice(before.end, end))) return false;
  if (!next || !/^\s$/.test(text.slice(end, next.start)) || isFunctionWord(next.text))
    return before.capital || names().numbered.has(before.text);
  return before.capital && !(next.text.endsWith("s") || countedAs(next.text));
}

const YEAR = /^(?:19|20)\d\d$/;

/** "D'ici à la fin de 2027": a year, in any language, where nothing is counted. */
export const isYear = (written: string): boolean => YEAR.test(written);

const SCORE = /(\d{1,2})[-–:](\d{1,2})(?![\d-]|[.,:]\d|\s?%)(?!\s(?:percent|per cent|million|billion)\b)/y;
const THOUSAND = 1_000;

/**
 * "2-1", "4-3 on penalties", "a 6-3 vote": the two numbers are one score, the larger first. "5-7 people" is a range.
 */
export function scoreAt(text: string, start: number): Quantity | undefined {
  SCORE.lastIndex = start;
  const found = SCORE.exec(text);
  if (!found) return undefined;
  const [one, other] = [Number(found[1]), Number(found[2])];
  if (one < other || found[0].includes(":")) return undefined;
  const end = start + found[0].length;
  return { text: found[0], start, end, value: THOUSAND * one + other, unit: "score", of: [], step: 0, precision: 0 };
}

const POINTS = /(half|quarter|three[- ]quarters|third)(?: of)?[ -](?:an? )?(?:percentage[ -])?point\b/iy;
const FRACTIONS: Record<string, number> = { half: 0.5, quarter: 0.25, third: 1 / 3 };
/** The value of the last digit if it were written as 0.25. */
const STEP = 0.01;

/** "Half a percentage point", "a quarter of a point". */
export function pointsAt(text: string, { start, text: word }: Word): Quantity | undefined {
  if (!(word in FRACTIONS) && word !== "three") return undefined;
  POINTS.lastIndex = start;
  const found = POINTS.exec(text)?.[0];
  if (!found) return undefined;
  const value = FRACTIONS[word] ?? 0.75;
  const end = start + found.length;
  return { text: found, start, end, value, unit: "point", of: [], step: STEP, precision: STEP / 2 };
}
