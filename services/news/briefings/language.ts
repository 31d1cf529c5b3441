import { stem } from "../../../core/text/analysis.ts";
import { words, type Word } from "../../../core/text/words.ts";
import { STOPWORDS } from "./stopwords.ts";

/** Controls, zero-width spaces and bidirectional overrides: invisible, and able to make a text read otherwise than it is. Joiners stay: scripts need them. */
const INVISIBLE = /[\p{Cc}\p{Cs}\u00ad\u200b\u200e\u200f\u2028-\u202e\u2060-\u2069\ufeff\ufff9-\ufffb]/gu;

/** One line of text as it may be shown: invisible characters gone, every run of white space one space. */
export const plain = (text: string): string => text.replace(/[\t\n\r\v\f\u2028\u2029]/g, " ").replace(INVISIBLE, "").replace(/\s+/g, " ").trim();

// Scripts written without spaces give a word a character: two neighbours together are indexed, as search engines do.
const UNSPACED = /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]$/u;

/** A capital inside a sentence: in most languages that have capitals, a name. */
const INNER_CAPITAL = /(?<=[\p{Ll}\p{N},;:)’'"”] )\p{Lu}[\p{L}\p{M}’'-]+(?: \p{Lu}[\p{L}\p{M}’'-]+)*/gu;

/** The stems of the names in a running text: capitalised words that do not begin a sentence. */
export const names = (text: string): Set<string> => new Set((text.match(INNER_CAPITAL) ?? []).flatMap(terms));

/** The content stems of a text in order, repeated as often as they occur; no stop words, no bare numbers, no single letters. */
export function terms(text: string): string[] {
  const found: string[] = [];
  let before: Word | undefined;
  for (const word of words(text)) {
    if (UNSPACED.test(word.text)) {
      if (before?.end === word.start && UNSPACED.test(before.text)) found.push(before.text + word.text);
    } else if (word.text.length > 1 && !STOPWORDS.has(word.text) && !/^[\p{Nd}.]+$/u.test(word.text)) found.push(stem(word.text));
    before = word;
  }
  return found;
}
