import type { Span } from "../words/words.ts";

/** A point or period of time in a text, as precise as it is given: a month without a year has no year. */
export interface DateMention extends Span {
  text: string;
  year?: number;
  /** 1..12 */
  month?: number;
  /** 1..31 */
  day?: number;
  /** 0 (Sunday) .. 6 */
  weekday?: number;
  /** 1..4 */
  quarter?: number;
}

export type Agreement = "agree" | "differ" | "unclear";

/** In English, January first. */
export const MONTHS = [
  "january",
  "february",
  "march",
  "april",
  "may",
  "june",
  "july",
  "august",
  "september",
  "october",
  "november",
  "december",
];
const WEEKDAYS = ["sunday", "monday", "tuesday", "wednesday", "thursday", "friday", "saturday"];
const QUARTERS: Record<string, number> = { first: 1, second: 2, third: 3, fourth: 4, q1: 1, q2: 2, q3: 3, q4: 4 };

const MONTH =
  "(?:January|February|March|April|May|June|July|August|September|October|November|December|Jan|Feb|Mar|Apr|Jun|Jul|Aug|Sept|Sep|Oct|Nov|Dec)\\.?";
const YEAR = "(?:1[89]|20)\\d\\d";
const BEFORE_TIME =
  "(?:in|of|since|until|till|by|from|to|and|between|during|before|after|early|late|mid|last|next|this|year|the|through|for|on)";

/** Tried in order; text matched by one form is not read by later ones. */
const FORMS: readonly [RegExp, (groups: Record<string, string | undefined>) => Partial<DateMention> | undefined][] = [
  [
    /\b(?<y>\d{4})-(?<m>0[1-9]|1[0-2])-(?<d>0[1-9]|[12]\d|3[01])\b/g,
    ({ y, m, d }) => ({ year: Number(y), month: Number(m), day: Number(d) }),
  ],
  [
    new RegExp(
      `\\b(?<d>[12]?\\d|3[01])(?:st|nd|rd|th)?(?: of)? (?<m>${MONTH})(?:,? (?<y>${YEAR})\\b)?(?!\\p{L})`,
      "gu",
    ),
    calendarDay,
  ],
  [
    new RegExp(
      `\\b(?<m>${MONTH}) (?<d>[12]?\\d|3[01])(?:st|nd|rd|th)?\\b(?![\\d%]|[.,]\\d)(?:,? (?<y>${YEAR})\\b)?`,
      "gu",
    ),
    calendarDay,
  ],
  [new RegExp(`\\b(?<m>${MONTH}),? (?<y>${YEAR})\\b`, "gu"), ({ m, y }) => ({ month: monthOf(m!), year: Number(y) })],
  [
    new RegExp(`\\b(?:(?<q>first|second|third|fourth) quarter|(?<Q>Q[1-4]))(?:(?: of)? (?<y>${YEAR})\\b)?`, "gu"),
    ({ q, Q, y }) => ({ quarter: QUARTERS[(q ?? Q)!.toLowerCase()], ...(y && { year: Number(y) }) }),
  ],
  // "May" and "March" are words too: months only after a word of time.
  [
    new RegExp(`(?<=\\b${BEFORE_TIME} )(?<m>May|March)\\b(?! \\d)`, "giu"),
    ({ m }) => (/^[MJ]/.test(m!) ? { month: monthOf(m!) } : undefined),
  ],
  [
    /\b(?<m>January|February|April|June|July|August|September|October|November|December)\b/g,
    ({ m }) => ({ month: monthOf(m!) }),
  ],
  [new RegExp(`(?<=\\b${BEFORE_TIME} |\\()(?<y>${YEAR})\\b(?![\\d,.]\\d|%)`, "gi"), ({ y }) => ({ year: Number(y) })],
  [
    /\b(?<w>Sunday|Monday|Tuesday|Wednesday|Thursday|Friday|Saturday)\b/g,
    ({ w }) => ({ weekday: WEEKDAYS.indexOf(w!.toLowerCase()) }),
  ],
];

function calendarDay({ d, m, y }: Record<string, string | undefined>): Partial<DateMention> {
  return { day: Number(d), month: monthOf(m!), ...(y && { year: Number(y) }) };
}

const monthOf = (name: string) =>
  1 + MONTHS.findIndex((month) => month.startsWith(name.toLowerCase().replace(".", "").slice(0, 3)));

/** Whether any form can match at all: most sentences have no date, and this is cheaper than nine searches. */
const ANY = new RegExp(`\\d{4}|\\b(?:${MONTH})|quarter|Q[1-4]|day\\b`, "u");

/** Dates, months, quarters, years and weekdays named in a text; `offset` is added to their positions. */
export function dates(text: string, offset = 0): DateMention[] {
  if (!ANY.test(text)) return [];
  const found: DateMention[] = [];
  for (const [form, parse] of FORMS) {
    for (const match of text.matchAll(form)) {
      const start = match.index + offset;
      const end = start + match[0].length;
      if (found.some((other) => start < other.end && other.start < end)) continue;
      const fields = parse(match.groups ?? {});
      if (fields) found.push({ text: match[0], start, end, ...fields });
    }
  }
  return found.sort((a, b) => a.start - b.start);
}

/** Whether two mentions can be the same time, by the parts that both name. */
function sameTime(a: DateMention, b: DateMention): Agreement {
  const parts = [
    [a.year, b.year],
    [monthRange(a)?.[0], monthRange(b)?.[0]],
    [a.day, b.day],
  ] as const;
  let agreed = false;
  for (const [one, other] of parts) {
    if (one === undefined || other === undefined) continue;
    if (one !== other && !overlappingMonths(a, b)) return "differ";
    agreed = true;
  }
  if (agreed) return "agree";
  if (a.weekday !== undefined && b.weekday !== undefined) return a.weekday === b.weekday ? "agree" : "differ";
  return "unclear";
}

const monthRange = ({ month, quarter }: DateMention): readonly [number, number] | undefined =>
  month !== undefined ? [month, month] : quarter !== undefined ? [quarter * 3 - 2, quarter * 3] : undefined;

/** A month lies in its quarter although the numbers differ. */
function overlappingMonths(a: DateMention, b: DateMention): boolean {
  if (a.year !== undefined && b.year !== undefined && a.year !== b.year) return false;
  const one = monthRange(a);
  const other = monthRange(b);
  return (
    one !== undefined &&
    other !== undefined &&
    (a.quarter !== undefined) !== (b.quarter !== undefined) &&
    one[0] <= other[1] &&
    other[0] <= one[1]
  );
}

/** Two sentences' times: they agree if any pair agrees, and differ if pairs can be compared but none agrees. */
export function compareDates(claimed: readonly DateMention[], found: readonly DateMention[]): Agreement {
  let differ = false;
  for (const one of claimed) {
    const verdicts = found.map((other) => sameTime(one, other));
    if (verdicts.includes("agree")) return "agree";
    differ ||= verdicts.includes("differ");
  }
  return differ ? "differ" : "unclear";
}

const CLOCK = /(?<=\bat )(\d{1,2})(?:[:.](\d{2}))?(?:\s?([ap])\.?m\b)?(?![:.]?\d| percent|%)/gi;

/** Times of day, "at 16:12" or "at 4.12 a.m.", in minutes since midnight. */
export const clockTimes = (text: string): number[] =>
  [...text.matchAll(CLOCK)].flatMap(([, hour, minute, half]) => {
    if (minute === undefined && half === undefined) return [];
    const hours = half ? (Number(hour) % 12) + (half.toLowerCase() === "p" ? 12 : 0) : Number(hour);
    const all = 60 * hours + Number(minute ?? 0);
    return hours < 24 && Number(minute ?? 0) < 60 ? [all] : [];
  });
