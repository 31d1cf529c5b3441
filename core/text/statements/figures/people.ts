import { lazily, lexicon } from "../../lexicon.ts";
import { words } from "../../words/words.ts";
import type { Numeral } from "./numerals.ts";

const groups = lazily(
  () =>
    new Map(
      Object.entries(lexicon.quantities.counted).flatMap(([name, forms]) => forms.map((form) => [form, name] as const)),
    ),
);

/** The group that a folded word counts: `deaths` for "killed", `people` for "workers". */
export const countedAs = (word: string): string | undefined => groups().get(word);

/** What a predicate says of people who are not named, up to the end of its clause or the next number. */
const PREDICATE =
  /^ (?:of (?:those|the|its|their|our) (?!victims|dead|injured|wounded|missing|bodies|arrested)(?:[\p{L}'’-]{1,20} ){1,4})?((?:are|were|was|is|have|had|has|remain(?:s|ed)?|died|perished|drowned)\b[^,.;:–—()\d]{0,60})/u;
const FEWEST = 2;
/** "Killing eight.", "injured six and": the verb stands right before, and no noun behind. */
const BEFALLS = /(?<!\p{L})\p{L}{3,15} $/u;
const LONGEST_VERB = 20;
const ENDED = /^(?:[,.;:–—]|$| and\b)/;

/**
 * Whether a number in words that no noun follows counts people: "Seventeen are now known to have died", "eight were
 * confirmed dead", "three of the patients have died", "killing eight". Its predicate must say what befell them.
 */
export function countsPeople(text: string, { digits, value, end }: Numeral, start: number): boolean {
  if (digits || value < FEWEST) return false;
  const [verb] = BEFALLS.exec(text.slice(Math.max(0, start - LONGEST_VERB), start)) ?? [];
  if (verb !== undefined && ENDED.test(text.slice(end)) && befalls(verb.trim())) return true;
  const predicate = PREDICATE.exec(text.slice(end))?.[1];
  if (predicate === undefined) return false;
  return words(predicate).some(({ text: word }) => befalls(word));
}

/** Whether a word tells what happened to people. */
function befalls(word: string): boolean {
  const group = countedAs(word);
  return group !== undefined && group !== "people";
}

const TAIL =
  /\b(?:to|at|now|stands|stood|reach(?:es|ed)|pass(?:es|ed)|cross(?:es|ed)|exceed(?:s|ed)|hits?|tops|topped) $/i;
const LONGEST_TAIL = 12;

/** Whether a number is told as where a count has got to: "has climbed to 26,000". */
export const isArrived = (text: string, start: number): boolean =>
  TAIL.test(text.slice(Math.max(0, start - LONGEST_TAIL), start));

const IS = /\b(?:is|was) $/i;
const HEAD = /\b(?:number|count|tally|toll)\b/iu;
const APART = /[.;:\d–—]/u;
const BEFORE = 90;

/** Whether a clause that ends before a number counts, and leads to it. */
function isOfCount(text: string, start: number): boolean {
  const before = text.slice(Math.max(0, start - BEFORE), start);
  return (isArrived(text, start) || IS.test(before)) && HEAD.test(before.split(APART).at(-1)!);
}

/** "Brought to nine the number of people killed". */
const REACHED_FIRST = /^ the (?:number|count|tally|toll|total) of /iu;

/**
 * Whether a number tells where a count has got to, so that it needs no noun: "taking the number of dead to four",
 * "brought to nine the number of dead".
 */
export const isCountReached = (text: string, start: number, end: number): boolean =>
  isOfCount(text, start) || (text.slice(0, start).endsWith("to ") && REACHED_FIRST.test(text.slice(end)));
