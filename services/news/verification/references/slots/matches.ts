import { scoreAt } from "../../../../../core/text/statements/figures/unmeasured.ts";

const OPENING = 1_200;
const SCORE = /(?<![\d.,-])\d{1,2}[-–]\d{1,2}(?![\d-])/g;
const PLAYED =
  /\b(?:beat|beaten|wins?|won|victory|defeat(?:ed)?|draw|drew|match|derby|league|cup|final|goals?|scored|penalt(?:y|ies)|shoot-out|innings|tournament|champion(?:s|ship)?)\b/i;

/** The scores in the opening of a report of a match: they tell which one it is. */
export function scoresIn(text: string): ReadonlySet<string> {
  const opening = text.slice(0, OPENING);
  const scores = [...opening.matchAll(SCORE)].flatMap(({ index }) => scoreAt(opening, index)?.text ?? []);
  return new Set(scores.length > 0 && PLAYED.test(opening) ? scores : []);
}

/** Whether two reports tell of two matches: both have scores, and none is in both. */
export const areOfTwoMatches = (one: ReadonlySet<string>, other: ReadonlySet<string>): boolean =>
  one.size > 0 && other.size > 0 && ![...one].some((score) => other.has(score));
