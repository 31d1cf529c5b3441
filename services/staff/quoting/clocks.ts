import type { Word } from "../../../core/text/words/words.ts";

// Times of day, asked in words and told in figures: "half past six" is 18:30, and 09:30 is in the morning.

/** A part of the day by its first and last minute. */
export type DayPart = readonly [from: number, to: number];
const HOUR = 60;
const DAY = 24 * HOUR;

const PARTS: Readonly<Record<string, readonly DayPart[]>> = {
  ...{ morning: [[5 * HOUR, 12 * HOUR]], afternoon: [[12 * HOUR, 18 * HOUR]], evening: [[17 * HOUR, 23 * HOUR]] },
  night: [
    [20 * HOUR, DAY],
    [0, 6 * HOUR],
  ],
  ...{ noon: [[12 * HOUR, 12 * HOUR]], midday: [[12 * HOUR, 12 * HOUR]], midnight: [[0, 0]] },
};

const HOURS = "one two three four five six seven eight nine ten eleven twelve".split(" ");
const hourOf = (word: string | undefined): number => {
  const hour = HOURS.indexOf(word ?? "") + 1 || Number(word);
  return hour >= 1 && hour <= 24 ? hour : NaN;
};
/** In the first half of the day and in the second. */
const twice = (minute: number): DayPart[] => [minute % DAY, (minute + DAY / 2) % DAY].map((one) => [one, one] as const);

/** What time of day stands in words from a place on, and the place of its last word. */
export function spanAt(spoken: readonly Word[], at: number): { spans: readonly DayPart[]; last: number } | undefined {
  const [word, next, third] = [spoken[at]?.text, spoken[at + 1]?.text, spoken[at + 2]?.text];
  if (!word) return undefined;
  if (Object.hasOwn(PARTS, word)) return { spans: PARTS[word]!, last: at };
  const past = { half: HOUR / 2, quarter: HOUR / 4 }[word];
  if (past && (next === "past" || next === "to") && hourOf(third)) {
    const minute = hourOf(third) * HOUR + (next === "to" ? -past : past);
    return { spans: twice(minute), last: at + 2 };
  }
  if (next === "o'clock" || next === "oclock")
    return hourOf(word) ? { spans: twice(hourOf(word) * HOUR), last: at + 1 } : undefined;
  return undefined;
}

const CLOCK =
  /\b([01]?\d|2[0-4])[:.h]([0-5]\d)\b(?! ?(?:%|per|m\b|km\b))|\b(0\d|1\d|2[0-3])([0-5]\d)\b(?= ?(?:hrs|hours|z\b|[,.:;]|$))/gi;

/** The minutes of the day that a text tells in figures. */
export const minutesIn = (text: string): number[] =>
  [...text.matchAll(CLOCK)].map(
    ([, hour, minute, other, rest]) => Number(hour ?? other) * HOUR + Number(minute ?? rest),
  );

export const isWithin = (minute: number, spans: readonly DayPart[]): boolean =>
  spans.some(([from, to]) => minute >= from && minute <= to);
