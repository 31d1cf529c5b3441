import type { Statement } from "../../../../../core/text/statements/statement.ts";
import { isNamed, isOfAnotherNumber, names, namesAnother } from "./anchors.ts";
import { hasCue } from "./factual.ts";
import { thingOf, type Hypothesis } from "./hypothesis.ts";

const relative = ({ words, start }: Statement) =>
  words.map((word) => ({ ...word, start: word.start - start, end: word.end - start }));

const PRONOUN =
  /^["“'‘]?(?:it|its|they|their|she|he|her|his|we|our|none|nobody|nothing|not|both|all|i|that|this|these|those|each|one|the)\b/i;

export const namesAny = ({ anchors }: Hypothesis, one: Statement): boolean => isNamed(anchors, one.text, relative(one));

/** Whether a sentence speaks of what is asked about, by its names, its thing, or a pronoun for either. */
export function isOf(asked: Hypothesis, one: Statement, before: readonly Statement[]): boolean {
  const spoken = relative(one);
  if (isOfAnotherNumber(asked.numbered, one.text)) return false;
  if (hasCue(one, "wholes") && !hasCue(asked.stated, "wholes")) return false;
  const own = isNamed(asked.anchors, one.text, spoken);
  const isElsewhere = namesAnother(asked.anchors, one.text, spoken);
  if (hasCue(one, "elsewhere") && !own) return false;
  if (own) {
    const named = asked.anchors.filter((anchor) => names(anchor, one.text, spoken)).length;
    return !isElsewhere || named >= Math.min(2, asked.anchors.length);
  }
  if (isElsewhere) return false;
  const isThing = one.words.some((word) => asked.subject.has(thingOf(word.text)));
  const isHeld = asked.anchors.length === 0 || before.some((other) => namesAny(asked, other));
  return isHeld || isThing || PRONOUN.test(one.text);
}
