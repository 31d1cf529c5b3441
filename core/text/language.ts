import { lazily, lexicon } from "./lexicon.ts";
import { fold, words, type Word } from "./words/words.ts";

const SCRIPTS: readonly [string, RegExp][] = [
  ["cyrillic", /\p{Script=Cyrillic}/u],
  ["arabic", /\p{Script=Arabic}/u],
  ["greek", /\p{Script=Greek}/u],
  ["hebrew", /\p{Script=Hebrew}/u],
  ["han", /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/u],
  ["hangul", /\p{Script=Hangul}/u],
];
const LOOKED_AT = 400;

const ANY_SCRIPT = new RegExp(SCRIPTS.map(([, script]) => script.source).join("|"), "u");

const grammars = lazily((): [string, ReadonlySet<string>][] => [
  ["en", new Set(lexicon.functionWords.stop)],
  ...Object.entries(lexicon.functionWords.foreign).map(
    ([language, listed]) => [language, new Set((listed as string[]).map(fold))] as [string, ReadonlySet<string>],
  ),
]);

/** For each function word, the numbers of the languages that have it. */
const grammarOf = lazily(() => {
  const found = new Map<string, number[]>();
  for (const [at, [, listed]] of grammars().entries())
    for (const word of listed) {
      const languages = found.get(word);
      if (languages) languages.push(at);
      else found.set(word, [at]);
    }
  return found;
});

const NONE: readonly number[] = [];

/** How many languages have lists of function words. */
export const LANGUAGES = 1 + Object.keys(lexicon.functionWords.foreign).length;

/** The numbers of the languages that list a folded word. */
export const languagesListing = (word: string): readonly number[] => grammarOf().get(word) ?? NONE;

/**
 * The language of a running text: by its script if that identifies one, else the one with most of its function words;
 * "en" without any. `least`: how many words a language other than English must have, since a name may bring in one.
 */
export function languageOf(
  text: string,
  spoken: readonly Word[] = words(text.slice(0, LOOKED_AT)),
  least: number = 1,
): string {
  const counts = new Uint32Array(LANGUAGES);
  for (const word of spoken) for (const at of languagesListing(word.text)) counts[at]!++;
  return languageBy(text, counts, least);
}

/** As `languageOf`, with the number of function words of each language already counted. */
export function languageBy(text: string, listed: Uint32Array, least: number = 1): string {
  const script = scriptOf(text.slice(0, LOOKED_AT));
  if (script) return script;
  let best = 0;
  for (let at = 1; at < listed.length; at++) if (listed[at]! > listed[best]! && listed[at]! >= least) best = at;
  return grammars()[best]![0];
}

/** The script of more than half of the letters, if it identifies a language. */
function scriptOf(head: string): string | undefined {
  if (!ANY_SCRIPT.test(head)) return undefined;
  const letters = head.match(/\p{L}/gu) ?? [];
  return SCRIPTS.find(([, script]) => letters.filter((letter) => script.test(letter)).length * 2 > letters.length)?.[0];
}
