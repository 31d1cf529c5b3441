import { MONTHS } from "../../../core/text/statements/dates.ts";
import { lexicon } from "../../../core/text/lexicon.ts";
import type { Word } from "../../../core/text/words/words.ts";

// What a sentence must hold to answer a question for a number, a time, a reason: signs of the answer's form.

const DAYS = "monday|tuesday|wednesday|thursday|friday|saturday|sunday";
const MONTH = MONTHS.map((month) => month.slice(0, 3)).join("|");
const CLOCK = String.raw`\b0\d[0-5]\d\b|\b(?:at|by|update|until|since|from|time:?) [12]\d[0-5]\d\b|\b[0-2]?\d[:.h][0-5]\d\b|\b\d{1,2} ?(?:a\.?m\b|p\.?m\b|o['’]clock|hrs\b|hours\b)|\b[0-2]\d[0-5]\d ?(?:hrs|hours|z)\b`;
const DATE = String.raw`\b\d{1,2}(?:st|nd|rd|th)?(?: of)? (?:${MONTH})[a-z]*\b|\b(?:${MONTH})[a-z]* \d{1,2}\b|\bthe \d{1,2}(?:st|nd|rd|th)\b|\b(?:19|20)\d\d\b|\b\d{4}-\d\d-\d\d\b`;
const SPELT =
  "(?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|fifteen|twenty|thirty|forty|fifty|sixty|half an?|an?)";

const TIME = new RegExp(
  [
    CLOCK,
    DATE,
    String.raw`\b(?:${DAYS})\b|\b(?:jan|febr)uary\b|\bmarch\b|\bapril\b|\bjune\b|\bjuly\b|\baugust\b|\b(?:septem|octo|novem|decem)ber\b`,
    String.raw`\b(?:noon|midday|midnight|dawn|dusk|daybreak|sunrise|sunset|nightfall|tonight|tomorrow|yesterday|today|overnight|weekend|morning|afternoon|evening|night)\b`,
    String.raw`\b(?:once|until|till|as soon as|no later than|immediately|at once|shortly|not before|at the latest)\b`,
    String.raw`\b(?:since|after|before|when|while|during|within|by) \w`,
    String.raw`\b(?:\d+|${SPELT}) (?:more )?(?:minutes?|hours?|days?|weeks?|months?|years?)\b`,
    String.raw`\bat \d{1,2}\b|\bat (?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve)\b|\bfrom \d+ to \d+\b`,
    String.raw`\b(?:first|second|third|fourth|fifth|sixth|seventh|last|next|same) (?:day|night|hour|week)\b`,
    String.raw`\b(?:next|last|this) (?:week|month|year|spring|summer|autumn|winter)\b`,
  ].join("|"),
  "i",
);
const DURATION = new RegExp(
  String.raw`(?:\d|\b(?:${SPELT}|several|some|many)) (?:\w{1,12} )?(?:seconds?|minutes?|hours?|days?|weeks?|months?|years?|nights?)\b|\b(?:until|till|since|lasts?|lasted|for ever|indefinitely|without end)\b|\bfrom .{1,30} to `,
  "i",
);
const FREQUENCY =
  /\b(?:every|each|daily|hourly|weekly|monthly|yearly|nightly|twice|once an?|times an?|per|a (?:day|week|month|year)|an hour|constantly|continuously|round the clock|regularly)\b/i;
const REASON =
  /\b(?:because|since|due to|owing to|as a result|so that|in order to|on account of|thanks to|therefore|thus|hence|caused|causes|reason|for fear|for lack|for want|following|prompted|led to|to avoid|to prevent|in case|given that|which is why|that is why|out of (?:fear|concern))\b|[,;] (?:so|as|for) |\bas (?:the|an?|it|they|he|she|we|there|no|nobody|nothing|their|his|her|its|our|all|some|both|most|many) |\bafter (?!\d)\p{L}+ |\bover an? \w+|\bby an? \w+/iu;
/** What may be a reason without saying so: what held something up, what was done by what, what stands behind a colon. */
const MAYBE_REASON =
  /\b(?:stuck|held up|delayed|blocked|trapped|stranded|hampered|hindered|lacked|lacking|having|lost|broken?|failed|failure|shortage|fell ill|off duty|off sick)\b|\bwith(?: a| an)? (?!the\b)\p{Ll}|\bby (?!the\b|now\b|then\b)\p{Ll}/iu;
/** Where something is brought: the end of a way. */
const WAY_TO = /\b(?:to|into|onto|towards?|for|at|in) (?:the |an? |our |its |their )?\p{L}/iu;
const MOVED =
  /\b(?:flown|taken|brought|sent|moved|transferred|driven|carried|evacuated|went|gone|fled|shipped|towed|escorted|relocated|go(?:es)?|received|referred|directed|housed|led|marched|travell?ed|returned|withdrawn|delivered|lifted)\b/i;
/** What stands in something. */
const CONTENTS =
  /\b(?:inside (?:were|was|are|is)|contain(?:s|ed|ing)?|filled with|full of|packed with|loaded with|in it|consist(?:s|ed) of|included?|came to)\b|, (?:an? |\d\S* )?\p{L}+(?: \p{L}+){0,2} and (?:an? |\d)/iu;
const PLACE_OF =
  /\b(?:in|at|on|to|from|near|behind|beside|under|above|beneath|inside|outside|along|opposite|between|into|across|towards?|off|around|by|via|past|beyond|next to|north of|south of|east of|west of|serves as|stands?|lies|located) (?!\d)(?:the |an? |our |its |their |his |her )?\p{L}/iu;
const MEANS = /\b(?:by|with|through|via|using|by means of|from|on foot|out of|thanks to|instead)\b/i;
const MONEY =
  /[$€£¥]|(?:\d|\b(?:million|billion|thousand|hundred)) ?(?:k |m )?(?:euros?|dollars?|pounds?|francs?|crowns?|yen|cents?|pence|kroner|kronor|roubles?|rupees?|shillings?|dinars?|usd|eur|gbp|chf)\b|\bfree of charge\b|\bat no cost\b|\bper cent\b|%/i;

const UNITS: Readonly<Record<string, RegExp>> = {
  length:
    /\d ?(?:m|cm|mm|km|ft|in|mi)\b|\b(?:met(?:er|re)s?|centimet(?:er|re)s?|millimet(?:er|re)s?|kilomet(?:er|re)s?|miles?|feet|foot|inch(?:es)?|yards?|minutes|hours?|nautical)\b/i,
  weight: /\d ?(?:kg|t|lb|g)\b|\b(?:kilos?|kilograms?|tons?|tonnes?|pounds?|grams?)\b/i,
  speed:
    /\b(?:km\/h|kph|mph|knots?|kilomet(?:er|re)s an hour|miles an hour|met(?:er|re)s a second|beaufort|an hour|per hour|a second)\b/i,
  age: /\b(?:aged?|years? old|years?|months? old|born|in (?:his|her|their) (?:\w+ties|teens))\b|, \d{1,2},/i,
  heat: /°|\b(?:degrees?|celsius|fahrenheit|below zero|minus)\b/i,
};
const MEASURED_IN: Readonly<Record<string, readonly string[]>> = {
  ...{ high: ["length"], tall: ["length"], deep: ["length"], far: ["length"], wide: ["length"], thick: ["length"] },
  ...{ heavy: ["weight"], old: ["age"], hot: ["heat"], cold: ["heat"], fast: ["speed"], strong: ["speed"] },
};
/** Whether a text holds a measure of a kind: "how deep" asks for a length. */
export const holdsMeasure = (measured: string, text: string): boolean =>
  MEASURED_IN[measured]?.some((unit) => UNITS[unit]!.test(text)) ?? true;

export const holdsTime = (text: string): boolean => TIME.test(text);
export const holdsDuration = (text: string): boolean => DURATION.test(text) || DATE_AT.test(text);
export const holdsFrequency = (text: string): boolean => FREQUENCY.test(text);
export const holdsReason = (text: string): boolean => REASON.test(text);
export const mayHoldReason = (text: string): boolean => MAYBE_REASON.test(text) || /[:;–—] ?\p{Ll}/u.test(text);
export const holdsWay = (text: string): boolean => MOVED.test(text) && WAY_TO.test(text);
export const holdsContents = (text: string): boolean => CONTENTS.test(text);
export const holdsLength = (text: string): boolean => UNITS["length"]!.test(text) && /\d/.test(text);
export const holdsPlace = (text: string): boolean => PLACE_OF.test(text);
export const holdsMeans = (text: string): boolean => MEANS.test(text);
export const holdsMoney = (text: string): boolean => MONEY.test(text);
const DATE_AT = new RegExp(DATE, "i");

/** Times and dates, whose figures count nothing. */
const TIMES = new RegExp(`${CLOCK}|${DATE}`, "gi");
const NUMERALS: ReadonlySet<string> = new Set([
  ...Object.keys(lexicon.quantities.numerals).filter((word) => word !== "one"),
  ...["hundred", "thousand", "million", "billion", "dozen", "dozens", "half", "both", "couple"],
]);
const NONE: ReadonlySet<string> = new Set(["no", "none", "nobody", "nothing", "neither", "zero"]);

export interface Count {
  /** The place of its last word. */
  at: number;
}

/** The numbers in words that count or measure something. */
export function countsIn(text: string, spoken: readonly Word[]): Count[] {
  const offset = spoken[0]?.start ?? 0;
  const blank = [...text.matchAll(TIMES)].map(({ 0: all, index }) => [offset + index, offset + index + all.length]);
  const isTime = ({ start, end }: Word): boolean => blank.some(([from, to]) => start >= from! && end <= to!);
  return spoken.flatMap((word, at) => {
    if (NONE.has(word.text)) return [{ at }];
    if (!isNumeral(word.text) || isTime(word) || isDesignated(spoken, at, text, offset)) return [];
    const next = spoken[at + 1];
    return next && isNumeral(next.text) ? [] : [{ at }];
  });
}
const isNumeral = (word: string): boolean => /^\d/.test(word) || NUMERALS.has(word);

/** "Channel 3", "Borehole 2": a short number right after a capital names something. */
function isDesignated(spoken: readonly Word[], at: number, text: string, offset: number): boolean {
  const before = spoken[at - 1];
  const { text: word, start, end } = spoken[at]!;
  if (!before?.capital || !/^\d{1,4}$/.test(word) || start - before.end !== 1) return false;
  return (
    !/^ \p{Ll}/u.test(text.slice(end - offset)) ||
    /^ (?:has|have|is|are|was|were|gives|stays|will|to|at|from|of|in)\b/.test(text.slice(end - offset))
  );
}
