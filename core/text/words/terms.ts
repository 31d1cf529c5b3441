import { stem } from "./stem.ts";
import { remembering } from "./remembered.ts";
import { isStopWord } from "./stop-words.ts";
import { UNSPACED, words, type Word } from "./words.ts";

const LAST_ASCII = 127;

/** A word of one character: two such neighbours together are a term, as in search engines. */
const isSign = ({ text }: Word): boolean => text.length <= 2 && text.charCodeAt(0) > LAST_ASCII && UNSPACED.test(text);

/**
 * The content stems of a text in order, repeated as often as they occur; no stop words, no bare numbers, no single
 * letters.
 */
export const terms = (text: string): string[] => termsOf(words(text));

/** The stem of a word that carries content, empty for any other. */
const contentStem = remembering((word) =>
  word.length > 1 && !isStopWord(word) && !/^[\p{Nd}.]+$/u.test(word) ? stem(word) : "",
);

/** The same of words that are there already. */
export function termsOf(spoken: readonly Word[]): string[] {
  const found: string[] = [];
  let before: Word | undefined;
  for (const word of spoken) {
    if (isSign(word)) {
      if (before?.end === word.start && isSign(before)) found.push(before.text + word.text);
    } else {
      const term = contentStem(word.text);
      if (term) found.push(term);
    }
    before = word;
  }
  return found;
}

/** A capital inside a sentence: in most languages that have capitals, a name. */
const INNER_CAPITAL = /(?<=[\p{Ll}\p{N},;:)’'"”] )\p{Lu}[\p{L}\p{M}’'-]+(?: \p{Lu}[\p{L}\p{M}’'-]+)*/gu;

/** The terms of a running text that are names in whatever language: capitalised words that do not begin a sentence. */
export const nameTerms = (text: string): Set<string> => new Set((text.match(INNER_CAPITAL) ?? []).flatMap(terms));
