import type { Statement } from "../../../../../core/text/statements/statement.ts";
import { actsOf, hitsOf, type Act } from "./acts.ts";
import { polesOf } from "./ways.ts";
import { orderOf, type Order } from "./order.ts";
import { inBases, termsOf, type ContentWord } from "./terms.ts";
import { thingsOf, type Thing } from "./things.ts";

/** What an objective wants, as far as its words show it. */
export interface ObjectiveReading {
  statement: Statement;
  terms: readonly ContentWord[];
  things: readonly Thing[];
  acts: readonly Act[];
  poles: ReadonlyMap<string, ReadonlyMap<string, Pole>>;
  order: Order | undefined;
}
export interface Pole {
  isDenied: boolean;
  /** "Purely", "no ... at all". */
  isStrict: boolean;
  at: readonly number[];
}

const AUXILIARY = /^(?:must|will|shall|should|is|are|be|can|may|has|have|cannot)$/;
/** An objective begins with its verb, unless it has a subject: "Captain Brandt flies the mail". */
function verbOf({ words: spoken }: Statement): number[] {
  const [first, second, third] = spoken;
  if (!first || !second) return [];
  if (second.capital && third && !third.capital && /[^s]s$/.test(third.text)) return [2];
  const hasSubject = spoken.slice(1, 8).some(({ text }) => AUXILIARY.test(text));
  return hasSubject || /^\d/.test(first.text) || first.text.endsWith("s") ? [] : [0];
}

export function readingOf(statement: Statement): ObjectiveReading {
  const terms = termsOf(statement);
  const bases = inBases(statement.words);
  const hits = hitsOf(statement, bases);
  const things = thingsOf(statement, terms, new Set([...hits.flatMap(({ at }) => at), ...verbOf(statement)]));
  const acts = actsOf(statement, hits, things, terms);
  return { statement, terms, things, acts, poles: polesOf(statement, bases), order: orderOf(statement, terms) };
}
