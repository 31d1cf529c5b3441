/**
 * The key of an article inside the embedded index: the day it was published, newest first, and a slot within that day. Ascending keys are
 * descending days, so the index yields the newest matches first and stops there, and a period is a range of keys that
 * costs nothing outside it. Days (not seconds) keep the differences between neighbouring keys, of which the index is made, small.
 */
import { DAY_MS } from "./ranking.ts";

/** Articles one day can hold. */
const SLOTS = 2 ** 22;
const LAST_DAY = 65_535;

/** Days since 1970-01-01 UTC, from there to the year 2149; dates outside count as the nearest. */
const dayOf = (ms: number): number => Math.min(LAST_DAY, Math.max(0, Math.floor(ms / DAY_MS)));
export const dayOfKey = (key: number): number => LAST_DAY - Math.floor(key / SLOTS);

export interface KeyRange { first: number; last: number }
/** All keys of the day of a moment. */
export function keysOfDay(ms: number): KeyRange {
  const first = (LAST_DAY - dayOf(ms)) * SLOTS;
  return { first, last: first + SLOTS - 1 };
}
export const WHOLE: KeyRange = { first: 0, last: (LAST_DAY + 1) * SLOTS - 1 };

export interface Period {
  /** Every key that can be of the period. */
  range: KeyRange;
  /** Keys surely of the period; those of its first and last day must be checked by their exact time. Absent where none is in doubt. */
  sure?: KeyRange;
}

/** The keys of articles published from `from` to `to` (milliseconds since the epoch, both inclusive, either may be open). */
export function periodKeys(from: number | undefined, to: number | undefined): Period {
  const newest = to === undefined ? WHOLE : keysOfDay(to);
  const oldest = from === undefined ? WHOLE : keysOfDay(from);
  const range = { first: newest.first, last: oldest.last };
  const doubt = from !== undefined || to !== undefined;
  return doubt ? { range, sure: { first: to === undefined ? WHOLE.first : newest.last + 1, last: from === undefined ? WHOLE.last : oldest.first - 1 } } : { range };
}

/** The first of `count` keys in a row for more articles of a day whose lowest key in use is `lowest`: what comes later stands before it. */
export function nextKeys(day: KeyRange, lowest: number | null, count: number): number {
  const key = (lowest ?? day.last + 1) - count;
  if (key < day.first) throw new RangeError(`More than ${SLOTS} articles of one day.`);
  return key;
}

/** The month of a key's day, as "2026-11". */
export const monthOfKey = (key: number): string => new Date(dayOfKey(key) * DAY_MS).toISOString().slice(0, 7);
