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

const grammars = lazily((): [string, ReadonlySet<string>][] => [
  ["en", new Set(lexicon.functionWords.stop)],
  ...Object.entries(lexicon.functionWords.foreign).map(
    ([language, listed]) => [language, new Set((listed as string[]).map(fold))] as [string, ReadonlySet<string>],
  ),
]);

/**
 * The language of a running text, by its words of grammar, as far as they are listed; else its script; "en" where
 * nothing tells. `least`: so many words another language than English takes, where a name may bring one.
 */
export function languageOf(
  text: string,
  spoken: readonly Word[] = words(text.slice(0, LOOKED_AT)),
  least: number = 1,
): string {
  const letters = text.slice(0, LOOKED_AT).match(/\p{L}/gu) ?? [];
  for (const [name, script] of SCRIPTS)
    if (letters.filter((letter) => script.test(letter)).length * 2 > letters.length) return name;
  let [best, most] = ["en", 0];
  for (const [language, listed] of grammars()) {
    const count = spoken.reduce((sum, word) => sum + Number(listed.has(word.text)), 0);
    if (count > most && (language === "en" || count >= least)) [best, most] = [language, count];
  }
  return best;
}
