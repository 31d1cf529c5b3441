import { isReportingWord } from "../../../../../core/text/words/stop-words.ts";

const DAYS = ["Mon", "Tues", "Wednes", "Thurs", "Fri", "Satur", "Sun"];
const DAY = /\b(Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day\b/g;
/** So many words before a day tell what was on it: "the agency said on Sunday" is the day of the saying. */
const BEFORE_DAY = 4;
const FAR = 48;
/** "The state railways": a word of saying that is mostly another. */
const STATE = "state";
/** Since when, until when: that day is no day of the event. */
const BOUNDS = new Set("from until till by next since before after".split(" "));
/** "Will walk out again on Wednesday": what is announced is told of before its day, and by some alone. */
const AHEAD = /\b(?:will|shall|due|scheduled|(?:is|are|was|were) to)\b/;
const CLAUSE = /[.;:!?]/;

/** The days of the week on which something happened, as bits, Monday's the lowest. */
export function daysIn(text: string): number {
  let found = 0;
  if (!text.includes("day")) return found;
  for (const day of text.matchAll(DAY)) {
    const before = text.slice(Math.max(0, day.index - FAR), day.index).toLowerCase();
    const spoken = (before.match(/\p{L}+/gu) ?? []).slice(-BEFORE_DAY);
    const isOfSaying = spoken.some((word) => (isReportingWord(word) && word !== STATE) || word === "reporters");
    if (!isOfSaying && !AHEAD.test(before.split(CLAUSE).at(-1)!) && !BOUNDS.has(spoken.at(-1) ?? ""))
      found |= 1 << DAYS.indexOf(day[1]!);
  }
  return found;
}
