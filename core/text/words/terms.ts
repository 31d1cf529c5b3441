import { stem } from "./stem.ts";
import { remembering } from "./remembered.ts";
import { isStopWord } from "./stop-words.ts";
import { UNSPACED, words, type Word } from "./words.ts";

const LAST_ASCII = 127;

/** A word of one character: two adjacent ones together are a term, as in search engines. */
export const isSign = (word: string): boolean =>
  word.length <= 2 && word.charCodeAt(0) > LAST_ASCII && UNSPACED.test(word);

/** Whether a folded word has content: no stop word, no bare number, no single letter. */
export const isContent = (word: string): boolean => word.length > 1 && !isStopWord(word) && !/^[\p{Nd}.]+$/u.test(word);

/**
 * The content stems of a text in order, repeated as often as they occur; no stop words, no bare numbers, no single
 * letters.
 */
export const terms = (text: string): string[] => termsOf(words(text));

/** The stem of a word with content, empty for any other. */
const contentStem = remembering((word) => (isContent(word) ? stem(word) : ""));

/** The same for words that are already split. */
export function termsOf(spoken: readonly Word[]): string[] {
  const found: string[] = [];
  let before: Word | undefined;
  for (const word of spoken) {
    if (isSign(word.text)) {
      if (before?.end === word.start && isSign(before.text)) found.push(before.text + word.text);
    } else {
      const term = contentStem(word.text);
      if (term) found.push(term);
    }
    before = word;
  }
  return found;
}

/** A capital inside a sentence: a name, in most languages with capitals. */
const INNER_CAPITAL = /(?<=[\p{Ll}\p{N},;:)’'"”] )\p{Lu}[\p{L}\p{M}’'-]+(?: \p{Lu}[\p{L}\p{M}’'-]+)*/gu;

/** The names in a running text of any language: capitalised words that do not begin a sentence. */
export const namesIn = (text: string): string[] => text.match(INNER_CAPITAL) ?? [];
/** The terms of these names. */
export const nameTerms = (text: string): Set<string> => new Set(namesIn(text).flatMap(terms));
