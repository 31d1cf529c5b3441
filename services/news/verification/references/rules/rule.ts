import type { Statement } from "../../../../../core/text/statements/statement.ts";
import type { Bearing } from "../alignment.ts";
import type { Verdict } from "../outcome/verdicts.ts";

/** A claim and a sentence that is held against it, with what they have in common and where they differ. */
export interface Compared {
  claim: Statement;
  candidate: Statement;
  found: Bearing;
}

/** One ground on which two sentences are judged: its verdict, or undefined where it says nothing and the next is asked. */
export type StanceRule<T extends Compared> = (two: T) => Verdict | undefined;

/** The verdict of the first rule that has one, in the order given. */
export function firstOf<T extends Compared>(rules: readonly StanceRule<T>[], two: T): Verdict | undefined {
  for (const rule of rules) {
    const verdict = rule(two);
    if (verdict) return verdict;
  }
  return undefined;
}
