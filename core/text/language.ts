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

/** Which languages list a word among those of grammar, by their numbers. */
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

/**
 * The language of a running text, by its words of grammar, as far as they are listed; else its script; "en" where
 * nothing tells. `least`: so many words another language than English takes, where a name may bring one.
 */
export function languageOf(
  text: string,
  spoken: readonly Word[] = words(text.slice(0, LOOKED_AT)),
  least: number = 1,
): string {
  const script = scriptOf(text.slice(0, LOOKED_AT));
  if (script) return script;
  const counts = new Uint32Array(grammars().length);
  for (const word of spoken) for (const at of grammarOf().get(word.text) ?? NONE) counts[at]!++;
  let best = 0;
  for (let at = 1; at < counts.length; at++) if (counts[at]! > counts[best]! && counts[at]! >= least) best = at;
  return grammars()[best]![0];
}

const NONE: readonly number[] = [];

/** The script of most letters, of those that tell languages apart. */
function scriptOf(head: string): string | undefined {
  if (!ANY_SCRIPT.test(head)) return undefined;
  const letters = head.match(/\p{L}/gu) ?? [];
  return SCRIPTS.find(([, script]) => letters.filter((letter) => script.test(letter)).length * 2 > letters.length)?.[0];
}
