import type { Measure } from "../objectives/objectives.ts";

const KEEPS =
  /\b(?:keep(?:s|ing)?|kept|maintain(?:s|ed|ing)?|hold(?:s|ing)?|sustain(?:s|ed|ing)?|stay(?:s|ing)?|remain(?:s|ing)?|preserv(?:e[sd]?|ing)|never|not (?:to )?(?:exceed|fall|drop|rise))\b/i;
const AT_MOST =
  /\b(?:below|under|beneath|less than|fewer than|at most|no more than|not more than|up to|exceed(?:s|ing)?|rise(?:s)? above|within|maximum of)\b/i;
/** "Limit spending to 240 million": the figure is the most that may be. */
const CAPS = /^\W{0,3}(?:limit|cap|restrict|confine)\b(?![^.;]{0,60}\b(?:by|from)\s+[\d€$£])/i;
/** What is stored lasts for a time: more of it is better. */
const STORED = /\b(?:stock(?:s|piles?)?|reserves?|suppl(?:y|ies)|rations?|provisions?|endurance|autonomy)\b/i;
/** What changes is on its way to the target. */
const CHANGES =
  /\b(?:rais|increas|reduc|lower|cut|grow|reach|restor|expand|bring|doubl|halv)(?:e[sd]?|ing|s|ting|ed)?\b/i;
const AT_LEAST = /\b(?:(?:fall|drop|sink)s? (?:below|under))\b/i;

/**
 * On which side of its target words say that a measure is kept: "keep 85 percent ready", "stay below 5". Undefined
 * where they speak of something that is to be reached. A time is kept from above ("keep response at 8 minutes"), unless
 * it is how long a store lasts.
 */
export function keepingIn(text: string, unit?: string): Measure["keep"] {
  if (CAPS.test(text)) return "at-most";
  if (!KEEPS.test(text) || CHANGES.test(text)) return undefined;
  if (AT_LEAST.test(text)) return "at-least";
  return AT_MOST.test(text) || (unit === "s" && !STORED.test(text)) ? "at-most" : "at-least";
}

export const isKept = (value: number, { keep, target }: Pick<Measure, "keep" | "target">): boolean =>
  keep === "at-most" ? value <= target : value >= target;
