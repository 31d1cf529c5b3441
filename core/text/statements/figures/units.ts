import { lazily, lexicon } from "../../lexicon.ts";
import { isFunctionWord } from "../../words/stop-words.ts";
import type { Word } from "../../words/words.ts";

const LONGEST_UNIT_WORDS = 2;

const units = lazily(
  () =>
    new Map(
      Object.entries(lexicon.quantities.units).flatMap(([name, { factor, forms }]) =>
        forms.map((form) => [form, { unit: name.split("*")[0]!, factor }] as const),
      ),
    ),
);
const currencies = lazily(
  () =>
    new Map(
      Object.entries(lexicon.quantities.currencies).flatMap(([code, forms]) =>
        forms.map((form) => [form, code] as const),
      ),
    ),
);

/** The ISO 4217 code of a currency by a word or sign for it. */
export const currencyOf = (form: string): string | undefined => currencies().get(form);
/** The name of a currency, by its code. */
export const currencyName = (code: string): string | undefined =>
  (lexicon.quantities.currencies as Record<string, string[]>)[code]?.[0];

/** A unit behind a number, which is so many of its base unit, and where it ends. */
export interface Unit {
  unit: string;
  factor: number;
  end: number;
}

/** The unit in the words behind a number that ends at `end`, within the word `last`: "5km", "20 tonnes", "4.2 %". */
export function unitBehind(text: string, spoken: readonly Word[], last: number, end: number): Unit | undefined {
  const degrees = /^\s?°\s?([fF]?)/.exec(text.slice(end, end + 4));
  if (degrees) return { unit: degrees[1] ? "degree-f" : "degree", factor: 1, end };
  // "5km": the unit is the rest of the number's word.
  const stuck = spoken[last]!.end > end;
  const known = (form: string) => {
    const currency = currencyOf(form);
    return units().get(form) ?? (currency ? { unit: currency, factor: 1 } : undefined);
  };
  if (stuck) {
    const unit = known(text.slice(end, spoken[last]!.end).toLowerCase());
    return unit && { ...unit, end: spoken[last]!.end };
  }
  for (let count = LONGEST_UNIT_WORDS; count > 0; count -= 1) {
    const next = spoken.slice(last + 1, last + 1 + count);
    if (next.length < count || !/^[\s-]?$/.test(text.slice(end, next[0]!.start))) continue;
    const unit = known(next.map((word) => word.text).join(" "));
    if (unit) return { ...unit, end: next.at(-1)!.end };
  }
  return undefined;
}

const SYMBOLS: Readonly<Record<string, Omit<Unit, "end">>> = {
  m: { unit: "m", factor: 1 },
  t: { unit: "kg", factor: 1_000 },
};
const DIMENSIONS = new Set(["high", "deep", "wide", "long", "tall", "thick"]);

/**
 * "4.92 m" and "20 t", by themselves: a letter after a blank is no magnitude, and before a noun ("5 m people") it is
 * meant as one.
 */
export function symbolBehind(text: string, spoken: readonly Word[], last: number, end: number): Unit | undefined {
  const [symbol, next] = [spoken[last + 1], spoken[last + 2]];
  if (!symbol || !/^[ \u00a0\u202f]$/.test(text.slice(end, symbol.start))) return undefined;
  const found = SYMBOLS[text.slice(symbol.start, symbol.end)];
  const isOfNoun =
    next && /^\s$/.test(text.slice(symbol.end, next.start)) && !isFunctionWord(next.text) && !DIMENSIONS.has(next.text);
  return found && !isOfNoun ? { ...found, end: symbol.end } : undefined;
}
