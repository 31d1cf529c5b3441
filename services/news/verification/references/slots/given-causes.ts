import { once } from "../../../../../core/once.ts";
import { causesNamed } from "../../../../../core/text/statements/states/poles.ts";
import type { Statement } from "../../../../../core/text/statements/statement.ts";

/** A sentence that says what brought something about. */
const GIVEN = new RegExp(
  String.raw`\b(?:caus(?:e|es|ed|ing)|blam\w+|because|due to|trigger\w*|set off|spark(?:ed|s)|ignited|origin\w*|` +
    String.raw`trac(?:ed|es) to|result(?:ed)? (?:of|from)|reasons?|to blame|at fault|responsible for|explain\w*|` +
    String.raw`stem(?:s|med) from|down to|(?:is|was|were) behind|led to|brought (?:down|about)|knocked out|driven by|` +
    String.raw`what (?:killed|drove|cost)|cost (?:him|her|them)|sank|made the)\b`,
  "i",
);
/** Of what may also only have gone along with it. */
const HAPPENED = new RegExp(
  String.raw`\b(?:fail(?:ed|ure)|broke|broken|burst|snapped|jammed|clogg\w+|tripped|shorted|caught fire|gave (?:way|out)|` +
    String.raw`struck|hit|tore open|ate|eaten|overheated|derailed|exploded|loosened|fell|fallen|stopped|sent)\b`,
  "i",
);
const REJECTED =
  /\b(?:rul(?:ed?|ing) out|not (?:the|to blame|at fault|responsible|because|due)|nothing to do with|no (?:sign|trace) of|dismiss\w*|denie[sd]|unlikely)\b/i;

interface Given {
  causes: ReadonlySet<string>;
  isOutright: boolean;
}

const givenIn = once((stated: Statement): Given | undefined => {
  const { text, words, negations } = stated;
  const isOutright = GIVEN.test(text);
  if (!isOutright && !HAPPENED.test(text)) return undefined;
  if (REJECTED.test(text)) return undefined;
  const causes = causesNamed(words).filter(
    ({ first }) => !negations.some(({ from, to }) => first >= from && first <= to),
  );
  return causes.length > 0 ? { causes: new Set(causes.map(({ pole }) => pole)), isOutright } : undefined;
});

/** How surely two sentences give two causes: 2 if both say outright that they do, 1 if one does; -1 if they share one. */
export function causesApart(one: Statement, other: Statement): number {
  const mine = givenIn(one);
  const theirs = mine && givenIn(other);
  if (!mine || !theirs) return 0;
  if ([...mine.causes].some((cause) => theirs.causes.has(cause))) return -1;
  return mine.isOutright && theirs.isOutright ? 2 : mine.isOutright || theirs.isOutright ? 1 : 0;
}
