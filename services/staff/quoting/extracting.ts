import { sentences } from "../../../core/text/words/sentences.ts";
import { terms } from "../../../core/text/words/terms.ts";
import { words } from "../../../core/text/words/words.ts";
import { speaksOfAnother } from "../designations.ts";
import { PLACE, type NumberedPassage } from "../passages.ts";
import { asked } from "./asking.ts";
import { answersIn, chosen, readable } from "./quoting.ts";

/** Asks for what a record says as a whole. */
export const SUMMARY = /\b(?:summari[sz]e|summari[sz]ing|summary|sum up|overview|gist|outline)\b/i;

/** Asks for a place, which a record says in other words than the question. */
const WHERE = /\bwhere\b/i;

/** A closing bracket without an opening one is the end of a link's mark-up, not a sentence. */
const TORN = /^[^[]*\]/;

/** A heading answers nothing: at most two words, without a mark at its end. */
const isHeading = (text: string): boolean => words(text).length < 3 && !/[.!?…。？！]["'”’)]*$/u.test(text);

/**
 * An answer by quotation: the operations that do what was asked, else the sentences that match the question best, each
 * with its source's number.
 */
export function extracted(question: string, sources: readonly NumberedPassage[], said: string = question): string {
  const operations = sources.filter(({ type }) => type === "operation");
  if (operations.length) return operations.map(({ n, text }) => `${text} [${n}]`).join("\n");
  if (SUMMARY.test(question) && sources.every(({ id }) => id === sources[0]?.id)) return summed(sources);
  const isTold = toldFor(question);
  const what = asked(question, said);
  const found = answersIn(what, sources, isTold);
  // A sentence that stands in two records, as an objective's does in its document, is quoted once, with both.
  const once = [...Map.groupBy(found, ({ line }) => line.text).values()];
  const all = new Map(once.map(([first, ...others]) => [first!, [first!, ...others].map(({ line }) => line.n)]));
  const close = [...all.keys()];
  const places = WHERE.test(question) ? close.filter(({ line }) => line.text.startsWith(`${PLACE} of `)) : [];
  const best = chosen(what, places.length ? places : close).map((one) => {
    const { text, n } = readable(one, isTold);
    return { text, of: [...n, ...(all.get(one) ?? [])] };
  });
  return best.map(({ of, text }) => `${plain(text)} ${numbers(of)}`).join("\n");
}

/** Where nothing answers: the sentence that comes closest, behind a line that says what it does not speak of. */
export function closest(question: string, sources: readonly NumberedPassage[], said: string = question): string {
  const isTold = toldFor(question);
  const [best] = answersIn(asked(question, said), sources, isTold);
  if (!best || best.isSure || best.whole < LEAST_CLOSE) return "";
  const { text, n } = readable(best, isTold);
  const names = best.missing.filter(({ isName }) => isName).map(({ written }) => written);
  const lead = names.length
    ? `Nothing that you may read says this of ${names.join(" ")}.`
    : "Nothing that you may read answers this for certain.";
  return `${lead} What comes closest:\n${plain(text)} ${numbers(n)}`;
}

/** How much of what was asked must be spoken of by what comes closest. */
const LEAST_CLOSE = 0.45;

/** Bracketed numbers within a text name none of our sources. */
const plain = (text: string): string => text.replace(/\[(\d{1,3})\]/g, "($1)");
const numbers = (of: readonly number[]): string => [...new Set(of)].map((n) => `[${n}]`).join(" ");

function toldFor(question: string): (text: string) => boolean {
  const isOther = speaksOfAnother(question);
  return (text) => !TORN.test(text) && !isHeading(text) && !isOther(text);
}

const MOST_SUMMED = 6;

/** The sentences that say most of what a text speaks of, in its own order: each by how often its terms occur. */
function summed(sources: readonly NumberedPassage[]): string {
  const said = new Map<string, { n: number; terms: string[] }>();
  for (const { n, text } of sources)
    for (const sentence of sentences(text)) {
      const line = sentence.text.replace(/\s+/g, " ").trim();
      if (!TORN.test(line) && !isHeading(line) && !said.has(line)) said.set(line, { n, terms: terms(line) });
    }
  const often = new Map<string, number>();
  for (const one of said.values()) for (const term of new Set(one.terms)) often.set(term, (often.get(term) ?? 0) + 1);
  const weight = (found: readonly string[]): number =>
    [...new Set(found)].reduce((sum, term) => sum + often.get(term)!, 0) / Math.sqrt(found.length + LEVELLED);
  return [...said]
    .map(([text, one], at) => ({ text, n: one.n, at, weight: weight(one.terms) }))
    .sort((one, other) => other.weight - one.weight || one.at - other.at)
    .slice(0, MOST_SUMMED)
    .sort((one, other) => one.at - other.at)
    .map(({ text, n }) => `${plain(text)} ${numbers([n])}`)
    .join("\n");
}
/** Terms that a sentence is counted longer by, so that short ones do not win for being short. */
const LEVELLED = 4;
