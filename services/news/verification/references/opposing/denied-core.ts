import { isSameAct } from "../../../../../core/text/statements/deeds.ts";
import type { Sense } from "../../../../../core/text/statements/meaning.ts";
import { isOfAnotherOccasion, isSupposed } from "../../../../../core/text/statements/occasion.ts";
import type { Negation } from "../../../../../core/text/statements/polarity.ts";
import type { Statement } from "../../../../../core/text/statements/statement.ts";
import { isDeniedOfAnother } from "./axes.ts";
import { isContrast, turnedFrom } from "./denial.ts";
import { isAccusation, isLacking, meantBy } from "./negated.ts";

/** Cues that stand before a subject; its verb follows. */
const OF_SUBJECTS = /^(?:no|not a single|not one)$/;
const LARGEST_CORE = 5;
const FEWEST_OF_CORE = 2;

/** What one sentence denies and the other, which denies nothing, states: at least two of its words, and half of it. */
export function deniedCore(denying: Statement, stating: Statement, shared: ReadonlySet<string>): string | undefined {
  if (stating.negations.length > 0 || isLacking(stating, shared) || isAccusation(stating, shared)) return undefined;
  for (const one of denying.negations) {
    const { at: cueAt, from, to, cue } = one;
    if (
      from === 0 ||
      cue === "without" ||
      isContrast(denying, one) ||
      isDeniedOfAnother(denying, one, stating) ||
      turnedFrom(denying, one) === undefined ||
      isUnderNegation(denying.negations, cueAt)
    )
      continue;
    const core = denying.senses
      .filter(({ at, weight }) => at >= from && at <= to && weight === 1)
      .slice(0, LARGEST_CORE);
    const stated = core.filter(({ concept, pole }) =>
      stating.senses.some(
        (other) =>
          other.concept === concept &&
          other.pole === pole &&
          !stating.negations.some((own) => other.at >= own.from && other.at <= own.to),
      ),
    );
    if (!OF_SUBJECTS.test(cue) && !stated.includes(core[0]!)) continue;
    if (stated.length >= FEWEST_OF_CORE && stated.length * 2 >= core.length)
      return `${cue.replaceAll("*", "")} … ${stated.map(({ word }) => word).join(" ")}`;
  }
  return undefined;
}

/** "Has not ruled out". */
const isUnderNegation = (negations: readonly Negation[], at: number): boolean =>
  negations.some(({ from, to }) => from > 0 && at >= from && at <= to);

/** Whether the other sentence states what one denies: its verb and half of its clause. */
export function isDeniedOutright(denying: Statement, stating: Statement): boolean {
  if (isOfAnotherOccasion(denying) !== isOfAnotherOccasion(stating)) return false;
  const isThere = (sense: Sense): boolean =>
    stating.senses.some(
      (other) =>
        !isSupposed(stating, other.at) &&
        (meantBy(other) === meantBy(sense) || (sense.weight === 1 && isSameAct(other.word, sense.word))),
    );
  return denying.negations.some(({ at, from, to, cue }) => {
    const first = from === 0 ? at : clauseStart(denying, at);
    const clause = denying.senses.filter((sense) => sense.weight >= 1 && sense.at >= first && sense.at <= to);
    const held = clause.filter((sense) => sense.at > at);
    const verb = OF_SUBJECTS.test(cue) ? (held[1] ?? held[0]) : held[0];
    const there = clause.filter(isThere);
    return (
      verb !== undefined &&
      (from === 0 || there.includes(verb)) &&
      there.length >= FEWEST_OF_CORE &&
      there.length * 2 >= clause.length
    );
  });
}

/** Index of the first word of a word's clause. */
function clauseStart({ text, start, words }: Statement, at: number): number {
  let first = at;
  while (first > 0 && !/[,;:()–—“”"]/.test(text.slice(words[first - 1]!.end - start, words[first]!.start - start)))
    first -= 1;
  return first;
}
