import { once } from "../../../../../core/once.ts";
import { areNear } from "../../../../../core/text/statements/comparison.ts";
import { numeralAt } from "../../../../../core/text/statements/figures/numerals.ts";
import { isAge } from "../../../../../core/text/statements/figures/unmeasured.ts";
import { wholeOf, type Statement } from "../../../../../core/text/statements/statement.ts";
import { words } from "../../../../../core/text/words/words.ts";
import { isRejected } from "../slots/figures/corrected.ts";

/** "One" is a pronoun more often than a number. */
const LEAST = 2;
const ROUNDED = 20;
/** "The two sides", "his three children": known before, and not what is told. */
const GIVEN = /\b(?:the|these|those|both|all|its|his|her|their|our|other|last|next|first|past|every|some)\s*$/i;
const MINUTES = /\d:$/;
const CLOCK = /^(?::\d\d|\.\d\d (?:a|p)\.?m| ?(?:a|p)\.?m\b| ?o'clock)/i;

/** The numbers that a sentence gives beside days, hours and ages, without those it rejects ("14 rather than 11"). */
const numbersGiven = once((stated: Statement): number[] => {
  const { text, start, dates } = wholeOf(stated);
  const spoken = words(text);
  const found: number[] = [];
  for (let at = 0; at < spoken.length; at++) {
    const numeral = numeralAt(text, spoken, at);
    if (!numeral) continue;
    const [from, to] = [spoken[at]!.start, numeral.end];
    at = numeral.last;
    const before = text.slice(0, from);
    const isDate = dates.some((date) => date.start - start < to && date.end - start > from);
    if (
      numeral.value < LEAST ||
      isDate ||
      isAge(text, { ...numeral, start: from }) ||
      GIVEN.test(before) ||
      MINUTES.test(before) ||
      CLOCK.test(text.slice(to))
    )
      continue;
    if (!isRejected(before)) found.push(numeral.value);
  }
  return found;
});

/** Few are counted, many rounded. */
const isSame = (one: number, other: number): boolean =>
  one === other || (Math.min(one, other) >= ROUNDED && areNear(one, other));

/** Whether a claim gives numbers of which a sentence has none: it cannot bear out what it does not say. */
export function lacksNumbers(claim: Statement, candidate: Statement): boolean {
  const [mine, theirs] = [numbersGiven(claim), numbersGiven(candidate)];
  return mine.length > 0 && !mine.some((one) => theirs.some((other) => isSame(one, other)));
}
