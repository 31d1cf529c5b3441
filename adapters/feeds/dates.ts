import { MONTHS } from "../../core/text/statements/dates.ts";

/**
 * Time zones that feeds name, minutes east of Greenwich (RFC 822 and what is met beyond it; IST is India's, the
 * commonest).
 */
const zones = new Map(
  Object.entries({
    z: 0,
    gmt: 0,
    ut: 0,
    utc: 0,
    wet: 0,
    west: 60,
    bst: 60,
    cet: 60,
    mez: 60,
    cest: 120,
    mesz: 120,
    eet: 120,
    eest: 180,
    msk: 180,
    trt: 180,
    gst: 240,
    pkt: 300,
    ist: 330,
    ict: 420,
    wib: 420,
    sgt: 480,
    hkt: 480,
    awst: 480,
    jst: 540,
    kst: 540,
    acst: 570,
    aest: 600,
    aedt: 660,
    nzst: 720,
    nzdt: 780,
    est: -300,
    edt: -240,
    et: -300,
    cst: -360,
    cdt: -300,
    ct: -360,
    mst: -420,
    mdt: -360,
    mt: -420,
    pst: -480,
    pdt: -420,
    pt: -480,
    akst: -540,
    akdt: -480,
    hst: -600,
    ast: -240,
    adt: -180,
    nst: -210,
    ndt: -150,
    brt: -180,
    art: -180,
    clt: -240,
    cot: -300,
    pet: -300,
  }),
);
const otherLanguages = [
  "de",
  "fr",
  "es",
  "it",
  "pt",
  "nl",
  "sv",
  "da",
  "nb",
  "fi",
  "pl",
  "cs",
  "sk",
  "hu",
  "ro",
  "hr",
  "ru",
  "uk",
  "bg",
  "el",
  "tr",
  "id",
  "et",
  "lv",
  "lt",
];

/** Lower case without accents and dots. */
const plain = (word: string) =>
  word
    .toLowerCase()
    .normalize("NFD")
    .replace(/[\p{M}.]/gu, "");

const months = new Map<string, number>(
  MONTHS.flatMap(
    (name, month) =>
      [
        [name, month],
        [name.slice(0, 3), month],
        [name.slice(0, 4), month],
      ] as [string, number][],
  ),
);

let foreign: Map<string, number> | undefined;
/**
 * Month names of other languages, which RFC 822 forbids and publishers use; from the locale data of the runtime, when
 * first needed.
 */
function foreignMonths(): Map<string, number> {
  if (foreign) return foreign;
  foreign = new Map();
  for (const locale of otherLanguages) {
    // "day month" gives the genitive that dates are written with in Slavic languages.
    for (const style of [
      { month: "long" },
      { month: "short" },
      { day: "numeric", month: "long" },
      { day: "numeric", month: "short" },
    ] as const) {
      const format = new Intl.DateTimeFormat(locale, { ...style, timeZone: "UTC" });
      for (let month = 0; month < 12; month += 1) {
        const name = plain(
          format.formatToParts(Date.UTC(2023, month, 15)).find((part) => part.type === "month")?.value ?? "",
        );
        if (/^\p{L}+$/u.test(name) && !foreign.has(name)) foreign.set(name, month);
      }
    }
  }
  return foreign;
}

interface Day {
  year: number;
  month: number;
  day: number;
}

const fullYear = (digits: string) =>
  digits.length > 2 ? Number(digits) : Number(digits) + (Number(digits) < 70 ? 2000 : 1900);

/** 2003-06-10, 2003/6/10, 20030610, 2003-06, 2003. */
function yearFirst(text: string): Day | undefined {
  const match = /^(\d{4})(?:[-/.](\d{1,2})(?:[-/.](\d{1,2}))?)?$/.exec(text) ?? /^(\d{4})(\d{2})(\d{2})$/.exec(text);
  return match ? { year: Number(match[1]), month: Number(match[2] ?? 1) - 1, day: Number(match[3] ?? 1) } : undefined;
}

/**
 * 10.06.2003 and 10-6-2003 begin with the day; 06/10/2003 with the month, as in the United States, unless that is
 * impossible.
 */
function yearLast(text: string): Day | undefined {
  const match = /^(\d{1,2})([-/.])(\d{1,2})\2(\d{4}|\d{2})$/.exec(text);
  if (!match) return undefined;
  const [first, second] = [Number(match[1]), Number(match[3])];
  const monthFirst = match[2] === "/" && first <= 12;
  return { year: fullYear(match[4]!), month: (monthFirst ? first : second) - 1, day: monthFirst ? second : first };
}

/** "Tue, 10 Jun 2003", "June 10th, 2003", "10-juin-03": one word is a month, the numbers are day and year. */
function namedMonth(text: string): Day | undefined {
  const words = (text.match(/\p{L}+\.?/gu) ?? []).map(plain);
  // The last word that fits: a weekday before it may look like a month ("mar" is Tuesday in Spanish).
  const name = words.findLast((word) => months.has(word)) ?? words.findLast((word) => foreignMonths().has(word));
  const numbers = text.match(/\d+/g);
  if (name === undefined || numbers?.length !== 2) return undefined;
  const [day, year] = numbers[0].length === 4 ? [numbers[1]!, numbers[0]] : [numbers[0], numbers[1]!];
  return { year: fullYear(year), month: (months.get(name) ?? foreignMonths().get(name))!, day: Number(day) };
}

const clock = /(?:^|[\sT,])(\d{1,2}):(\d{1,2})(?::(\d{1,2})(?:[.,](\d{1,9}))?)?(?:\s*([ap])\.?m\b\.?)?/i;
const zone = /^\s*(?:([a-z]{1,5})(?=[\s+\-\d]|$))?\s*([+-]\d{1,2}(?::?\d{2})?(?!\d))?/i;

interface Clock {
  milliseconds: number;
  offsetMinutes: number;
  rest: string;
}

function offsetOf(name: string | undefined, shift: string | undefined): number {
  if (!shift) return zones.get(name?.toLowerCase() ?? "") ?? 0;
  // In "GMT+0200" and "EST-0500" the number is the whole offset.
  const [, sign, hours, minutes] = /^([+-])(\d{1,2}):?(\d{2})?$/.exec(shift)!;
  const east = (Number(hours) * 60 + Number(minutes ?? 0)) * (sign === "-" ? -1 : 1);
  return Math.abs(east) <= 15 * 60 ? east : 0;
}

/** Takes the time of day and the zone out of a date; undefined where the time is impossible. */
function clockOf(text: string): Clock | undefined {
  const match = clock.exec(text);
  if (!match) return { milliseconds: 0, offsetMinutes: 0, rest: text };
  const [all, hour, minute, second = "0", fraction = "0", half] = match;
  const hours = half ? (Number(hour) % 12) + (half.toLowerCase() === "p" ? 12 : 0) : Number(hour);
  // 60 is a leap second, 24:00 the end of the day.
  if (hours > 24 || Number(minute) > 59 || Number(second) > 60) return undefined;
  const after = text.slice(match.index + all.length);
  const [zoneText, name, shift] = zone.exec(after)!;
  const known = name === undefined || zones.has(name.toLowerCase()) || shift !== undefined;
  const milliseconds =
    ((hours * 60 + Number(minute)) * 60 + Number(second)) * 1000 + Math.floor(Number(`0.${fraction}`) * 1000);
  return {
    milliseconds,
    offsetMinutes: offsetOf(name, shift),
    rest: `${text.slice(0, match.index)} ${known ? after.slice(zoneText.length) : after.replace(name, " ")}`,
  };
}

/** Unix time, in seconds or milliseconds. */
function epoch(text: string): number | undefined {
  if (/^\d{9,10}$/.test(text)) return Number(text) * 1000;
  return /^\d{12,13}$/.test(text) ? Number(text) : undefined;
}

/**
 * Without comments in parentheses, ISO 8601's compact time with its colons, and the East Asian year, month and day as
 * 2024-1-2.
 */
const spelled = (text: string): string =>
  text
    .replace(/\([^()]*\)/g, " ")
    .replace(/^(\d{8})T(\d{2})(\d{2})(\d{2})/, "$1T$2:$3:$4")
    .replace(/(\d)\s*[年月년월]\s*(?=\d)/g, "$1-")
    .replace(/(\d)\s*[日일]/g, "$1 ");

/**
 * The two exact forms most feeds use, which the runtime reads ten times faster; the last days of a month are left to
 * the check below.
 */
const exact =
  /^(?:(?:[A-Z][a-z]{2}, )?(?:0?[1-9]|1\d|2[0-8]) (?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec) (?:19|20)\d\d [01]\d:[0-5]\d:[0-5]\d (?:GMT|[+-][01]\d[0-5]\d)|(?:19|20)\d\d-(?:0\d|1[0-2])-(?:0[1-9]|1\d|2[0-8])T[01]\d:[0-5]\d:[0-5]\d(?:\.\d{1,3})?(?:Z|[+-][01]\d:[0-5]\d))$/;

/**
 * Reads a date as feeds write it: RFC 822 (any zone, two-digit years, month names of other languages), ISO 8601,
 * asctime, JavaScript's own, numeric forms, Unix time. Without a zone it is taken for UTC. Answers milliseconds since
 * the epoch, or undefined where it is unreadable, impossible, or a placeholder (before 1900, or the epoch itself).
 */
export function parseDate(text: string | undefined): number | undefined {
  if (text !== undefined && exact.test(text)) return Date.parse(text) || undefined;
  const cleaned = spelled((text ?? "").slice(0, 100)).trim();
  if (!/\d/.test(cleaned)) return undefined;
  const time = clockOf(cleaned);
  if (!time) return undefined;
  const rest = time.rest.trim().replace(/,$/, "");
  const day = yearFirst(rest) ?? yearLast(rest) ?? namedMonth(rest);
  const at = day ? instant(day, time) : epoch(cleaned);
  return at === undefined || at === 0 || at < Date.UTC(1900, 0, 1) ? undefined : at;
}

function instant({ year, month, day }: Day, { milliseconds, offsetMinutes }: Clock): number | undefined {
  const midnight = new Date(0);
  midnight.setUTCFullYear(year, month, day);
  // 31 February rolls over: no such day.
  if (midnight.getUTCMonth() !== month || midnight.getUTCDate() !== day) return undefined;
  return midnight.getTime() + milliseconds - offsetMinutes * 60_000;
}
