import { scoreAt } from "./unmeasured.ts";

const OPENING = 1_200;
const SCORE = /(?<![\d.,-])\d{1,2}[-–]\d{1,2}(?![\d-])/g;
const PLAYED =
  /\b(?:beat|beaten|wins?|won|victory|defeat(?:ed)?|draw|drew|match|derby|league|cup|final|goals?|scored|penalt(?:y|ies)|shoot-out|innings|tournament|champion(?:s|ship)?)\b/i;

/** The scores at the beginning of a match report: they identify the match. */
export function scoresIn(text: string): ReadonlySet<string> {
  const opening = text.slice(0, OPENING);
  const scores = [...opening.matchAll(SCORE)].flatMap(({ index }) => scoreAt(opening, index)?.text ?? []);
  return new Set(scores.length > 0 && PLAYED.test(opening) ? scores : []);
}

/** Whether two reports are about two matches: both have scores, and share none. */
export const areOfTwoMatches = (one: ReadonlySet<string>, other: ReadonlySet<string>): boolean =>
  one.size > 0 && other.size > 0 && ![...one].some((score) => other.has(score));

/** Whose match or race a text tells of, as bits. */
export const WOMEN = 1,
  MEN = 2;
/** "Rovers women win": of men that is said by "men's" alone, since two men may be told of anywhere. */
const OF_WOMEN =
    /(?<!\p{L})(?:women|f[eé]m[ei]nin[aoe]?s?|femenin[ao]s?|femminil[ei]|(?:frauen|damen)(?:finale|pokal|derby|liga|mannschaft|fußball|turnier)\p{L}*)(?!\p{L})|(?<!\p{L})женск\p{L}+|(?:النسائي|للسيدات)/iu,
  OF_MEN =
    /(?<!\p{L})(?:men['’]s|masculin[ao]?s?|maschil[ei]|(?:männer|herren)(?:finale|pokal|derby|liga|mannschaft|fußball|turnier)\p{L}*)(?!\p{L})|(?<!\p{L})мужск\p{L}+|للرجال/iu;
export const sexesIn = (text: string): number => (OF_WOMEN.test(text) ? WOMEN : 0) | (OF_MEN.test(text) ? MEN : 0);
