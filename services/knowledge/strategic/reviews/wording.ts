import { dates } from "../../../../core/text/statements/dates.ts";
import type { Sentence } from "../../../../core/text/words/sentences.ts";
import { hasWord, words, type Span } from "../../../../core/text/words/words.ts";
import type { Signs } from "../extraction/signs.ts";

export const CATEGORIES = [
  "placeholder",
  "date",
  "weekday",
  "range",
  "vague-time",
  "vague-measure",
  "no-measure",
  "tentative",
  "repeated-word",
  "abbreviation",
  "addressed-to-programs",
  "wording",
] as const;
export type FindingCategory = (typeof CATEGORIES)[number];
export const FINDING_SEVERITIES = ["high", "medium", "low"] as const;

/** A fault in some words, and a replacement where one is known. */
export interface Remark extends Span {
  category: FindingCategory;
  severity: (typeof FINDING_SEVERITIES)[number];
  message: string;
  with?: string;
}

const WEEKDAYS = ["Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"];
const MONTH_DAYS = [31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];

/** Dates that do not exist, and wrong weekdays. */
export function* wrongDates(text: string): Generator<Remark> {
  const found = dates(text);
  for (const [at, { start, end, year, month, day, text: said }] of found.entries()) {
    if (day === undefined || month === undefined) continue;
    const isLeap = year === undefined || new Date(Date.UTC(year, 1, 29)).getUTCMonth() === 1;
    if (day > MONTH_DAYS[month - 1]! || (month === 2 && day === 29 && !isLeap)) {
      yield { start, end, category: "date", severity: "high", message: `There is no ${said}.` };
      continue;
    }
    const named = found[at - 1];
    if (
      year === undefined ||
      named?.weekday === undefined ||
      !/^,?\s{1,2}(?:the\s)?$/.test(text.slice(named.end, start))
    )
      continue;
    const right = WEEKDAYS[new Date(Date.UTC(year, month - 1, day)).getUTCDay()]!;
    if (right === WEEKDAYS[named.weekday]) continue;
    const message = `${said} is a ${right}.`;
    yield { start: named.start, end: named.end, category: "weekday", severity: "high", message, with: right };
  }
}

const PLACEHOLDER =
  /\b(?:TBD|TBC|TBA|XXX|to be (?:determined|confirmed|announced))\b|\[(?:insert|name|date|unit)[^[\]]{0,60}\]|\?\?/gi;
const VAGUE_TIME =
  /\b(?:as soon as possible|asap|in due course|in good time|when ready|when convenient|at an early date|soonest|in the near future)\b/gi;
const VAGUE_MEASURE =
  /\b(?:adequate|adequately|sufficient|sufficiently|as appropriate|as necessary|as required|an appropriate number|a number of|reasonable)\b/gi;
const BETWEEN = /\bbetween (?<low>\d{1,9}(?:\.\d{1,3})?) and (?<high>\d{1,9}(?:\.\d{1,3})?)\b(?![:.\d])/gi;

function* matched(text: string, form: RegExp, remark: Omit<Remark, keyof Span>): Generator<Remark> {
  for (const { index, 0: found } of text.matchAll(form)) yield { start: index, end: index + found.length, ...remark };
}

export const placeholders = (text: string): Iterable<Remark> =>
  matched(text, PLACEHOLDER, { category: "placeholder", severity: "high", message: "Something was left open here." });

export function* reversedRanges(text: string): Generator<Remark> {
  for (const { index, 0: found, groups } of text.matchAll(BETWEEN)) {
    const { low, high } = groups as { low: string; high: string };
    // Years and hours may wrap around: such ranges are not reversed.
    if (Number(low) <= Number(high) || (low.length === 4 && high.length === 4)) continue;
    const message = "The range ends before it begins.";
    yield {
      start: index,
      end: index + found.length,
      category: "range",
      severity: "medium",
      message,
      with: `between ${high} and ${low}`,
    };
  }
}

/** Words that may be repeated. */
const TWICE = new Set(["had", "that", "very", "so", "no"]);

/** "the the": by words, across a line's end too. */
export function* repeatedWords(text: string, { words: spoken }: Pick<Sentence, "words">): Generator<Remark> {
  for (const [at, word] of spoken.entries()) {
    const next = spoken[at + 1];
    if (!next || next.text !== word.text || TWICE.has(word.text) || /\d/.test(word.text) || word.text.length < 2)
      continue;
    const [one, two] = [text.slice(word.start, word.end), text.slice(next.start, next.end)];
    // "Baden Baden", "Task Task Force" may be names.
    if (!/^\s+$/.test(text.slice(word.end, next.start)) || /^\p{Lu}/u.test(two)) continue;
    yield {
      start: word.start,
      end: next.end,
      category: "repeated-word",
      severity: "low",
      message: `"${two}" stands there twice.`,
      with: one,
    };
  }
}

const TENTATIVE = /\b(?<cue>try to|attempt to|seek to|endeavou?r to|strive to|aim to)\s(?=\p{Ll})/giu;

/** Words that weaken a directive. */
export function* weakDirectives(text: string, { directive, against }: Signs): Generator<Remark> {
  if (against || (!directive && text.search(TENTATIVE) < 0)) return;
  for (const { index, 0: found } of text.matchAll(TENTATIVE)) {
    const isFirst = index === 0;
    if (!isFirst && !/\b(?:will|shall|must|to)\s$/i.test(text.slice(0, index))) continue;
    // At the beginning, the letter after the cue becomes the capital.
    const end = index + found.length + (isFirst ? 1 : 0);
    const instead = isFirst ? text[index + found.length]!.toUpperCase() : "";
    yield {
      start: index,
      end,
      category: "tentative",
      severity: "medium",
      message: "A directive says what is done, not what is tried.",
      with: instead,
    };
  }
  yield* matched(text, VAGUE_TIME, {
    category: "vague-time",
    severity: "medium",
    message: "Nobody can tell when this is late: name a time.",
  });
  yield* matched(text, VAGUE_MEASURE, {
    category: "vague-measure",
    severity: "low",
    message: "Nobody can tell when this is enough: name a figure.",
  });
}

const IN_BRACKETS = /\((?<short>\p{Lu}{2,6})\)/gu;
const LONGEST_FORM = 200;

/** The words explained by a bracketed abbreviation: as many as it has letters, with these initials. */
function longForm(before: string, short: string): string | undefined {
  const parts = before.trim().split(" ").slice(-short.length);
  const fits = parts.length === short.length && parts.every((part, at) => part[0]?.toUpperCase() === short[at]);
  return fits ? parts.join(" ") : undefined;
}

/** Abbreviations used before their explanation; `told`: those already checked. */
export function* lateAbbreviations(text: string, { start, end }: Span, told: Set<string>): Generator<Remark> {
  for (const { index, groups } of text.slice(start, end).matchAll(IN_BRACKETS)) {
    const { short } = groups as { short: string };
    const at = start + index;
    const form = longForm(text.slice(Math.max(start, at - LONGEST_FORM), at), short);
    if (!form || told.has(short)) continue;
    told.add(short);
    const first = firstUse(text, short, at);
    if (first === undefined) continue;
    const message = `${short} is explained further down only.`;
    const instead = `${form} (${short})`;
    yield {
      start: first,
      end: first + short.length,
      category: "abbreviation",
      severity: "low",
      message,
      with: instead,
    };
  }
}

/** The first use of an abbreviation as a word of its own before a place. */
function firstUse(text: string, short: string, before: number): number | undefined {
  for (let at = text.indexOf(short); at >= 0 && at < before; at = text.indexOf(short, at + 1)) {
    const around = `${text[at - 1] ?? " "}${text[at + short.length] ?? " "}`;
    if (!/[\p{L}\d(]/u.test(around)) return at;
  }
  return undefined;
}

/** Whether a replacement may stand in a plan: one line, no address, no markup. */
export const isFit = (instead: string, quote: string): boolean =>
  instead.length <= 2 * quote.length + 200 &&
  !/[\p{Cc}\p{Cf}<>{}[\]`|]|https?:|www\./iu.test(instead) &&
  instead.isWellFormed() &&
  (instead === "" || hasWord(instead, 0, instead.length) || words(instead).length > 0);
