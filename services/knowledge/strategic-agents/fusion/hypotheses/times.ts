import {
  compareDates,
  dates,
  MONTHS,
  type Agreement,
  type DateMention,
} from "../../../../../core/text/statements/dates.ts";

const ORDINALS =
  "first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth thirteenth fourteenth fifteenth sixteenth seventeenth eighteenth nineteenth twentieth twenty-first twenty-second twenty-third twenty-fourth twenty-fifth twenty-sixth twenty-seventh twenty-eighth twenty-ninth thirtieth thirty-first".split(
    " ",
  );
const MONTH = MONTHS.map((month) => month[0]!.toUpperCase() + month.slice(1)).join("|");
const IN_WORDS = new RegExp(
  String.raw`\b(?:the )?(${ORDINALS.toReversed().join("|")})(?: day)? of (?=(?:${MONTH})\b)`,
  "gi",
);
const CAPITALS = new RegExp(String.raw`\b(?:${MONTH}|JAN|FEB|MAR|APR|JUN|JUL|AUG|SEPT?|OCT|NOV|DEC)\b`, "gi");
/** "The 18th", "the morning of the 20th": of a month that is known. */
const DAY_ALONE = /\bthe ([12]?\d|3[01])(?:st|nd|rd|th)\b(?! (?:of )?[A-Z])/g;
const OF_WORD = /\b(?:the|of|on) (\d\d?)(?:st|nd|rd|th) of (?=[A-Z])/g;

/** Days and months that a text names, also in words, in capitals, or as a day alone. */
export function timesIn(text: string): DateMention[] {
  const written = text
    .replace(IN_WORDS, (_, name: string) => `${ORDINALS.indexOf(name.toLowerCase()) + 1} `)
    .replace(OF_WORD, (_, day: string) => `on ${day} `)
    .replace(/\b0(?=[1-9] ?\p{L}{3})/gu, "")
    .replace(CAPITALS, (month) => (month === month.toUpperCase() ? month[0] + month.slice(1).toLowerCase() : month));
  const alone = [...written.matchAll(DAY_ALONE)].map(({ 0: said, 1: day, index }) => ({
    ...{ text: said, start: index, end: index + said.length, day: Number(day) },
  }));
  return [...dates(written), ...alone];
}

/** Whether what is told is of the time that is asked about; `unclear` where either names none. */
export function timeOf(asked: readonly DateMention[], told: readonly DateMention[]): Agreement {
  if (asked.length === 0 || told.length === 0) return "unclear";
  // "Monday 6 May" is asked about: "Monday" alone agrees, and the 7th does not.
  const dayed = told.filter(({ day }) => day !== undefined);
  const askedDays = asked.filter(({ day }) => day !== undefined);
  if (dayed.length > 0 && askedDays.length > 0) return compareDates(askedDays, dayed);
  return compareDates(asked, told);
}
