import { upTo } from "../../../../core/text/cutting.ts";
import type { Quantity } from "../../../../core/text/statements/figures/quantities.ts";
import { isFunctionWord } from "../../../../core/text/words/stop-words.ts";
import { words } from "../../../../core/text/words/words.ts";
import { keepingIn } from "../assessments/keeping.ts";
import { Measure } from "../objectives/objectives.ts";

/** Without line breaks and double blanks. */
export const plain = (text: string): string => text.replaceAll(/\s+/g, " ").trim();

/** "From 9 hours to 3 hours": two quantities of one unit, of which the second is the target. */
function baselineBefore(text: string, first: Quantity, second: Quantity | undefined): second is Quantity {
  if (second?.unit !== first.unit || first.to !== undefined || second.to !== undefined) return false;
  const before = text.slice(Math.max(0, first.start - 12), first.boundStart ?? first.start);
  const between = text.slice(first.end, second.boundStart ?? second.start);
  return /\bfrom\s*$/i.test(before) && /^[^,;.]{0,40}\bto\s*$/i.test(between);
}

const baselineOf = (text: string, { start, value, to }: Quantity): { baseline?: number; target: number } =>
  to === undefined
    ? { target: value }
    : /\bfrom\s*$/i.test(text.slice(Math.max(0, start - 8), start))
      ? { baseline: value, target: to }
      : { target: to };

const ENDS_BEFORE = /^(?:by|before|until|from|no|not|nlt|within|and|or|on)$/;

/** Undefined as well where a person could not have written it: beyond all amounts. */
export function measureOf(sentence: string, [quantity, next]: readonly Quantity[]): Measure | undefined {
  if (!quantity) return undefined;
  const isPair = baselineBefore(sentence, quantity, next);
  const { end } = isPair ? next : quantity;
  const behind = words(sentence.slice(end)).slice(0, 4);
  const last = behind.findIndex(({ text }) => ENDS_BEFORE.test(text));
  const told = last < 0 ? behind : behind.slice(0, last);
  // "Three crossing points over", "80 percent of households in the": cut at the end of a whole phrase.
  const whole = told.findLastIndex(({ text }) => !isFunctionWord(text)) + 1;
  const indicator = plain(sentence.slice(quantity.start, end + (told[whole - 1]?.end ?? 0)));
  const amounts = isPair ? { baseline: quantity.value, target: next.value } : baselineOf(sentence, quantity);
  const keep = "baseline" in amounts ? undefined : keepingIn(sentence, quantity.unit);
  const found = Measure.safeParse({
    indicator: upTo(300, indicator),
    ...(quantity.unit !== "count" && { unit: quantity.unit }),
    ...amounts,
    ...(keep && { keep }),
  });
  return found.data;
}
