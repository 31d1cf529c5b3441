import { once } from "../../../../../../core/once.ts";
import { DIFFERENT } from "../../../../../../core/text/statements/comparison.ts";
import type { Quantity } from "../../../../../../core/text/statements/figures/quantities.ts";
import { wholeOf, type Statement } from "../../../../../../core/text/statements/statement.ts";
import type { Pair } from "../../alignment.ts";

const REJECTED =
  /(?:\b(?:rather than|instead of)\s|(?:[,;–—(] ?|\band |\bbut |\bwas |\bwere |\bis |\bare )(?:certainly |definitely )?(?:not|never)\s)(?:the |an? |some |about |all |by |at |on |for )?$/i;
/** Whether the words before a figure reject it: "14 rather than ", "it was not ". */
export const isRejected = (before: string): boolean => REJECTED.test(before);
/** "Not 20 but 14" rejects the first; "not 200 metres away" nothing. */
const FEWEST = 2;
const MAGNITUDES = [1, 1_000, 1_000_000, 1_000_000_000];

/** A figure that a sentence puts in the place of another: "14 percent, not 22". */
const correctionsIn = once((stated: Statement): { wrong: Quantity; right: Quantity } | undefined => {
  const { text, start, quantities } = wholeOf(stated);
  if (quantities.length < FEWEST) return undefined;
  const wrong = quantities.filter((one) => isRejected(text.slice(0, one.start - start)));
  const right = quantities.filter((one) => !wrong.includes(one));
  const [only] = wrong;
  if (wrong.length !== 1 || !only) return undefined;
  const near = right.findLast(({ end }) => end <= only.start) ?? right.find(({ start: at }) => at >= only.end);
  return near && areAlike(near, only) ? { wrong: only, right: near } : undefined;
});

/** "Two million, not five": the unit is said once. */
const areAlike = (one: Quantity, other: Quantity): boolean =>
  one.unit === other.unit || [one, other].some(({ unit, of }) => unit === "number" || of.length === 0);

/** Whether a sentence gives, and does not reject, the figure that another rejects. */
function gives(stated: Statement, { wrong, right }: { wrong: Quantity; right: Quantity }): boolean {
  const { quantities, text, start } = wholeOf(stated);
  return quantities.some(
    (one) =>
      MAGNITUDES.some((times) => one.value === times * wrong.value && times <= Math.max(1, right.value)) &&
      areAlike(one, right) &&
      !isRejected(text.slice(0, one.start - start)),
  );
}

/** One says "14, not 22" where the other says 22. */
export function correctedFigure(claim: Statement, candidate: Statement, pairs: readonly Pair[]): string | undefined {
  for (const [correcting, giving] of [
    [claim, candidate],
    [candidate, claim],
  ] as const) {
    const one = correctionsIn(correcting);
    if (one && gives(giving, one) && pairs.some((pair) => pair.claim.weight >= 1))
      return `${DIFFERENT}: ${one.right.text} and not ${one.wrong.text}`;
  }
  return undefined;
}
