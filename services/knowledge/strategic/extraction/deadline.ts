import { dates, type DateMention } from "../../../../core/text/statements/dates.ts";
import { words, type Span } from "../../../../core/text/words/words.ts";

/** A deadline; `at` where the words name one moment. */
export interface StatedDeadline extends Span {
  at?: string;
}

const MONTHS = ["JAN", "FEB", "MAR", "APR", "MAY", "JUN", "JUL", "AUG", "SEP", "OCT", "NOV", "DEC"];
const LIMIT =
  "(?:by|before|until|till|no later than|not later than|nlt|within|prior to|on or " +
  "before|due|latest|deadline:?|on|in|for|at)";
const BEFORE = new RegExp(
  `(?:^|[\\s(])(?<word>${LIMIT})(?: the)?(?: end of| close of| morning of| night of| start of)?\\s*$`,
  "i",
);
/** Date-time group: day, hour, minute, zone, month, year (AAP-6; ATP 6-0.5). */
const GROUP =
  /\b(?<d>0[1-9]|[12]\d|3[01])(?<h>[01]\d|2[0-3])(?<m>[0-5]\d)\s?Z?\s?(?<mon>JAN|FEB|MAR|APR|MAY|JUN|JUL|AUG|SEP|OCT|NOV|DEC)\s?(?<y>(?:20)?\d\d)\b/gi;
/** Days and hours counted from the operation's own. */
const COUNTED = /\b[DHCGM][+\-–]\d{1,3}\b|\b[DH][ -](?:day|hour)\b/g;
const CLOCK = /\b(?<h>[01]?\d|2[0-3])(?::(?<m>[0-5]\d)(?!\d)|(?<mm>[0-5]\d)(?=\s?(?:hrs?|hours|[ZzLl])\b))/g;
const LAPSE =
  /\b(?:\d{1,3}|one|two|three|four|five|six|seven|eight|nine|ten|twelve|twenty-four|forty-eight|seventy-two|thirty|sixty|ninety)\s?(?:-\s?)?(?:hours?|hrs?|days?|weeks?|months?|years?)\b/gi;

const isoOf = (year: number, month: number, day: number, hour = 23, minute = 59, second = 59): string | undefined => {
  const at = new Date(Date.UTC(year, month - 1, day, hour, minute, second));
  return at.getUTCMonth() === month - 1 && at.getUTCFullYear() === year ? at.toISOString() : undefined;
};
const lastDay = (year: number, month: number): number => new Date(Date.UTC(year, month, 0)).getUTCDate();

/** The end of the named period; undefined without a year. */
function endOf({ year, month, day, quarter }: DateMention): string | undefined {
  if (year === undefined) return undefined;
  const last = month ?? (quarter ? quarter * 3 : 12);
  return isoOf(year, last, day ?? lastDay(year, last));
}

/** "Before 2027", not "on or before", "not before", "before the end of 2027": the named date itself is too late. */
const TOO_LATE = /(?<!\b(?:or|not|no) )\b(?:before|prior to)(?: the)?(?: start of)?\s*$/i;

/** The last moment before the named period; undefined without a year. */
function lastBefore({ year, month, day, quarter }: DateMention): string | undefined {
  if (year === undefined) return undefined;
  const begins = isoOf(year, month ?? (quarter ? quarter * 3 - 2 : 1), day ?? 1, 0, 0, 0);
  return begins && new Date(Date.parse(begins) - 1_000).toISOString();
}

/** The word that makes the following time a deadline. */
const limitBefore = (text: string, start: number): string | undefined =>
  BEFORE.exec(text.slice(Math.max(0, start - 40), start))?.groups?.["word"]?.toLowerCase();

function groupsIn(text: string): StatedDeadline[] {
  return [...text.matchAll(GROUP)].map((match) => {
    const { d, h, m, mon, y } = match.groups as Record<string, string>;
    const month = MONTHS.indexOf(mon!.toUpperCase()) + 1;
    const at = isoOf(Number(y!.length === 2 ? `20${y}` : y), month, Number(d), Number(h), Number(m), 0);
    return { start: match.index, end: match.index + match[0].length, ...(at && { at }) };
  });
}

const spansOf = (text: string, form: RegExp): Span[] =>
  [...text.matchAll(form)].map(({ index, 0: words }) => ({ start: index, end: index + words.length }));

/** Words between a day and its hour. */
const BETWEEN = new Set(["hr", "hrs", "hour", "hours", "z", "l", "local", "utc", "on", "at", "of", "by", "the"]);

/** Adds the hour beside a day, if any: it turns the end of the day into a moment. */
function withHour(text: string, day: StatedDeadline, clocks: readonly RegExpMatchArray[]): StatedDeadline {
  const beside = clocks.find(({ index = 0, 0: { length } }) => {
    const between = index > day.end ? text.slice(day.end, index) : text.slice(index + length, day.start);
    return between.length < 20 && words(between).every(({ text: word }) => BETWEEN.has(word));
  });
  if (!beside || !day.at) return day;
  const { h, m, mm } = beside.groups!;
  const start = Math.min(day.start, beside.index!);
  const end = Math.max(day.end, beside.index! + beside[0].length);
  return { start, end, at: `${day.at.slice(0, 10)}T${h!.padStart(2, "0")}:${m ?? mm}:00.000Z` };
}

/** "From 1 March 2027 to 31 December 2028": the second day is the last. */
const isLastOf = (text: string, { start }: Span, before: Span | undefined): boolean =>
  before !== undefined &&
  /^\s*(?:to|through|and)(?: the)?(?: end of)?\s*$/i.test(text.slice(before.end, start)) &&
  /\b(?:from|between)(?: the)?(?: (?:start|beginning) of)?\s*$/i.test(
    text.slice(Math.max(0, before.start - 30), before.start),
  );

/** The deadlines in a sentence. A date with another role ("of 3 May") is none. */
export function deadlinesIn(text: string): StatedDeadline[] {
  const clocks = [...text.matchAll(CLOCK)];
  const days = dates(text).map((mention): StatedDeadline => {
    const { start, end } = mention;
    const at = endOf(mention);
    const whole = { start, end, ...(at && { at }) };
    const one = withHour(text, whole, clocks);
    const last = one === whole && TOO_LATE.test(text.slice(Math.max(0, start - 40), start)) && lastBefore(mention);
    return last ? { ...one, at: last } : one;
  });
  const dated = [...groupsIn(text), ...days];
  const free = (span: Span): boolean => !dated.some((one) => span.start < one.end && one.start < span.end);
  const counted = spansOf(text, COUNTED).filter(free);
  const hours = clocks.map(({ index, 0: words }) => ({ start: index, end: index + words.length })).filter(free);
  const lapses = spansOf(text, LAPSE).filter(({ start }) => limitBefore(text, start) === "within");
  const inOrder = dated.toSorted((one, other) => one.start - other.start);
  const last = inOrder.filter((one, n) => !limitBefore(text, one.start) && isLastOf(text, one, inOrder[n - 1]));
  const limited = [...[...dated, ...hours].filter(({ start }) => limitBefore(text, start)), ...last];
  return [...limited, ...counted, ...lapses].sort((a, b) => a.start - b.start);
}
