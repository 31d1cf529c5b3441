import type { Measure } from "../objectives/objectives.ts";

const KEEPS =
  /\b(?:keep(?:s|ing)?|kept|maintain(?:s|ed|ing)?|hold(?:s|ing)?|sustain(?:s|ed|ing)?|stay(?:s|ing)?|remain(?:s|ing)?|preserv(?:e[sd]?|ing)|never|not (?:to )?(?:exceed|fall|drop|rise))\b/i;
const AT_MOST =
  /\b(?:below|under|beneath|less than|fewer than|at most|no more than|not more than|up to|exceed(?:s|ing)?|rise(?:s)? above|within|maximum of)\b/i;
/** What changes is on its way to the target. */
const CHANGES =
  /\b(?:rais|increas|reduc|lower|cut|grow|reach|restor|expand|bring|doubl|halv)(?:e[sd]?|ing|s|ting|ed)?\b/i;
const AT_LEAST = /\b(?:(?:fall|drop|sink)s? (?:below|under))\b/i;

/**
 * On which side of its target words say that a measure is kept: "keep 85 percent ready", "stay below 5". Undefined
 * where they speak of something that is to be reached. A time is kept from above: "keep response at 8 minutes".
 */
export function keepingIn(text: string, unit?: string): Measure["keep"] {
  if (!KEEPS.test(text) || CHANGES.test(text)) return undefined;
  if (AT_LEAST.test(text)) return "at-least";
  return AT_MOST.test(text) || unit === "s" ? "at-most" : "at-least";
}

export const isKept = (value: number, { keep, target }: Pick<Measure, "keep" | "target">): boolean =>
  keep === "at-most" ? value <= target : value >= target;
