/** Words of an index that a misspelt one may have been meant as. */
import { setImmediate as nextTurn } from "node:timers/promises";
import { editsBetween } from "../../core/text/words/spelling/edits.ts";
import { FORM } from "../../core/text/words/vocabulary.ts";
import type { Segment } from "./postings/segment.ts";
import { termOf } from "./postings/segment.ts";
import { utf8At } from "./postings/bytes.ts";
import { slice } from "./prepared-documents.ts";

/** Letters from which one edit, and two edits, may lie between a word and what was meant (Lucene's fuzziness AUTO). */
export const ONE_EDIT = 3;
const TWO_EDITS = 6;
export const editsOf = (word: string): number => (word.length < ONE_EDIT ? 0 : word.length < TWO_EDITS ? 1 : 2);
/** Words that are suggested for one. */
export const MOST_SPELLINGS = 5;
const BETWEEN_LOOKS = 256;

export interface Spelling {
  word: string;
  edits: number;
  /** Articles that hold it. */
  count: number;
}
/** Fewer edits first, then what more articles hold. */
export const isLikelier = (one: Spelling, other: Spelling): number =>
  one.edits - other.edits || other.count - one.count || (one.word < other.word ? -1 : 1);

/**
 * Words and roots that begin with the same letter and lie at most `editsOf` away, the likeliest first. Gives the event
 * loop back in between.
 */
export async function spellings(segments: readonly Segment[], word: string, most: number): Promise<Spelling[]> {
  const allowed = editsOf(word),
    initial = String.fromCodePoint(word.codePointAt(0) ?? 0);
  const found = new Map<string, Spelling>();
  if (allowed === 0) return [];
  let isTime = slice(),
    looks = 0;
  for (const segment of segments)
    for (const { lists, termFrom, termTo, count } of segment.beginning(termOf(initial))) {
      if (++looks % BETWEEN_LOOKS === 0 && isTime()) {
        await nextTurn();
        isTime = slice();
      }
      // A character takes one to three bytes, and a form has its sign behind.
      if (termTo - termFrom < word.length - allowed) continue;
      const term = utf8At(lists, termFrom, termTo),
        text = term.endsWith(FORM) ? term.slice(0, -FORM.length) : term;
      const known = found.get(text);
      if (known) known.count += count;
      else if (Math.abs(text.length - word.length) <= allowed) {
        const edits = editsBetween(word, text, allowed);
        if (edits <= allowed) found.set(text, { word: text, edits, count });
      }
    }
  return [...found.values()].sort(isLikelier).slice(0, most);
}
