import { numbersIn, numeralAt } from "./numerals.ts";
import type { Statement } from "../statement.ts";
import { words } from "../../words/words.ts";

/** "Five of the wounded died, taking the number of dead to 14". */
const SUM = /\b(?:tak|bring|rais|push|lift|driv)ing (?:the|its|their) [^,;.]{0,60}?\bto (?:at least |about |some )?/i;

/** A later total that includes a count of the claim and its increase, whatever the words for it. */
export function sumBeyond({ quantities }: Statement, told: string): { text: string } | undefined {
  const leading = SUM.exec(told);
  if (!leading) return undefined;
  const [added] = numbersIn(told.slice(0, leading.index));
  const behind = told.slice(leading.index + leading[0].length);
  const sum = numeralAt(behind, words(behind), 0);
  if (!added || !sum || sum.value <= added) return undefined;
  const before = quantities.some(({ unit, value }) => COUNTS.has(unit) && value === sum.value - added);
  return before ? { text: behind.slice(0, sum.end) } : undefined;
}
const COUNTS = new Set(["count", "number"]);
