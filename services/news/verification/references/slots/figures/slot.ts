import type { Measure } from "../../../../../../core/text/statements/figures/measures.ts";

/** A figure that an event has only one of, and the words that identify it. */
export interface Slot {
  /** Required anywhere in the sentence. */
  said: RegExp;
  /** Required directly before the figure. */
  before?: RegExp;
  /** Marks another figure: anywhere in the sentence, or before the figure alone. */
  not: RegExp;
  notIs?: "before";
  is: (measure: Measure) => boolean;
  /** Of what is ahead, too: what will be cut, or served. */
  ahead?: true;
  /** Counts of a crowd are estimates: the larger is at least so many times the smaller. */
  apart?: number;
  /** Money by the name of its currency, and not a number of something else. */
  isOfOneNoun?: true;
  /** Something particular must be common beside it: several have one. */
  isBeside?: true;
}

/** Any of these words, phrases or beginnings of words. */
export const any = (...words: string[]): RegExp => new RegExp(`\\b(?:${words.join("|")})`, "i");

const LEAST_OF_MONEY = 1_000;
export const isMoney = ({ quantity: { unit, value } }: Measure): boolean =>
  value >= LEAST_OF_MONEY && (/^[A-Z]{3}$/.test(unit) || unit === "count");
export const isCurrency = ({ quantity: { unit, value } }: Measure): boolean =>
  value >= LEAST_OF_MONEY && /^[A-Z]{3}$/.test(unit);
export const isOfPeople = ({ quantity: { unit, of, value } }: Measure): boolean =>
  unit === "count" && value >= 10 && of.includes("people");
export const isCounted =
  (least: number, things: RegExp) =>
  ({ quantity: { unit, of, value } }: Measure): boolean =>
    unit === "count" && value >= least && of.some((thing) => things.test(thing));
export const isPercent = ({ quantity: { unit, value } }: Measure): boolean =>
  unit === "percent" && value >= 5 && value <= 100;
export const YEAR_S = 31_556_952;
export const isTerm = ({ quantity: { unit, value } }: Measure): boolean => unit === "s" && value >= YEAR_S / 12;

/** "The attendance was given as 36,800": a number whose noun stands elsewhere. */
export function isBareCount({ quantity: { unit, value, of } }: Measure): boolean {
  return value >= 1_000 && (unit === "number" || (unit === "count" && !of.includes("people") && of.length <= 1));
}
