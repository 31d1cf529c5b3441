import type { Quantity } from "../../../../../core/text/statements/figures/quantities.ts";

/** What a figure may be: from `least` to `most`. */
export interface Interval {
  least: number;
  most: number;
  /** The ends themselves do not count: "more than". */
  isOpen: boolean;
}

const OPENING =
  /\b(?:exceed\w*|above|over|beyond|more than|greater than|higher than|north of|surpass\w*|topp\w*|past) (?:the )?(?:an? )?$/i;
const CLOSING =
  /\b(?:below|under|less than|fewer than|lower than|short of|no more than|not more than|at most|up to) (?:the )?(?:an? )?$/i;
const AT_LEAST = /\b(?:at least|no fewer than|no less than|not less than|a minimum of|as many as) (?:an? )?$/i;
const NEARLY = /\b(?:almost|nearly|just under|close to|not quite|barely|hardly|little under|shy of) (?:an? )?$/i;
const ABOUT =
  /\b(?:about|around|some|roughly|approximately|approx\.?|circa|ca\.|an estimated|in the region of) (?:an? )?$/i;
const DENIED = /\b(?:no|not|never|at no (?:point|time|stage)|nor)\b[^.;:]{0,60}$/i;

const ROUGH = 0.1;
/** What a figure may be: exact ones within their rounding, "more than" without an upper end. */
export function intervalOf({ value, to, bound, precision, start }: Quantity, text: string): Interval {
  const before = text.slice(0, start);
  const isDenied = DENIED.test(before) && (OPENING.test(before) || CLOSING.test(before));
  if (AT_LEAST.test(before)) return { least: value, most: Infinity, isOpen: false };
  if ((bound === "over" && !CLOSING.test(before)) || OPENING.test(before))
    return isDenied && !/\bno (?:more|fewer|less) than $/i.test(before)
      ? { least: -Infinity, most: value, isOpen: false }
      : { least: value, most: Infinity, isOpen: true };
  if (bound === "under" || CLOSING.test(before)) return { least: -Infinity, most: value, isOpen: true };
  if (NEARLY.test(before)) return { least: value * (1 - ROUGH), most: value, isOpen: false };
  const slack =
    bound === "about" || ABOUT.test(before) ? ROUGH * Math.abs(value) : Math.min(precision, 0.05 * Math.abs(value));
  return { least: value - slack, most: (to ?? value) + slack, isOpen: false };
}

/** Whether what is told lies within what is asked for (1), outside (-1), or may do either (0). */
export function compared(asked: Interval, told: Interval): 1 | -1 | 0 {
  const isAbove = told.least > asked.most || (told.least === asked.most && (asked.isOpen || told.isOpen));
  const isBelow = told.most < asked.least || (told.most === asked.least && (asked.isOpen || told.isOpen));
  if (isAbove || isBelow) return -1;
  if (told.least >= asked.least && told.most <= asked.most) return 1;
  // Both rounded: 41 and "about 40".
  const isExact =
    Number.isFinite(asked.least) &&
    Number.isFinite(asked.most) &&
    Number.isFinite(told.least) &&
    Number.isFinite(told.most);
  return isExact ? 1 : 0;
}
