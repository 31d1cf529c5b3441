import { STOPWORDS } from "./stopwords.ts";

/** Controls, zero-width spaces and bidirectional overrides: invisible, and able to make a text read otherwise than it is. Joiners stay: scripts need them. */
const INVISIBLE = /[\p{Cc}\p{Cs}\u00ad\u200b\u200e\u200f\u2028-\u202e\u2060-\u2069\ufeff\ufff9-\ufffb]/gu;

/** One line of text as it may be shown: invisible characters gone, every run of white space one space. */
export const plain = (text: string): string => text.replace(/[\t\n\r\v\f\u2028\u2029]/g, " ").replace(INVISIBLE, "").replace(/\s+/g, " ").trim();

/** Lower case, without accents, compatibility forms resolved. */
export const fold = (word: string): string => {
  const lower = word.toLowerCase();
  return /^[\x00-\x7f]*$/.test(lower) ? lower : lower.normalize("NFKD").replace(/\p{M}/gu, "");
};

const VOWEL = /[aeiouy]/;

/**
 * A light English stemmer: plurals as Harman's S-stemmer (1991), then -ing, -ed and a final -e where a stem with a vowel and three
 * letters remains, so that "killing", "killed" and "kills" meet. It need not give words, only the same string for the same idea.
 */
export function stem(word: string): string {
  if (word.length < 4 || !/^[a-z]+$/.test(word)) return word;
  let root = word;
  if (root.endsWith("ies") && root.length > 4) root = `${root.slice(0, -3)}y`;
  else if (/(?:ss|x|ch|sh)es$/.test(root)) root = root.slice(0, -2);
  else if (root.endsWith("s") && !/(?:ss|us|is)$/.test(root)) root = root.slice(0, -1);
  const bare = root.replace(/(?:ing|ed)$/, "");
  if (bare !== root && bare.length >= 3 && VOWEL.test(bare)) root = bare.replace(/([bdfgmnprt])\1$/, "$1");
  return root.length > 3 && root.endsWith("e") ? root.slice(0, -1) : root;
}

// Scripts written without spaces: a run of them is indexed as overlapping pairs of characters, as search engines do.
const UNSPACED = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]/u;
const WORD = /[\p{L}\p{N}\p{M}]+(?:['’][\p{L}]+)*/gu;

function pairs(run: string): string[] {
  const characters = Array.from(run);
  return characters.length < 2 ? characters : characters.slice(1).map((character, index) => characters[index]! + character);
}

/** The content stems of a text in order, repeated as often as they occur; no stop words, no bare numbers, no single letters. */
export function terms(text: string): string[] {
  const found: string[] = [];
  for (const [word] of text.matchAll(WORD)) {
    if (UNSPACED.test(word)) { found.push(...pairs(word)); continue; }
    const folded = fold(word).replace(/['’].*$/, "");
    if (folded.length < 2 || STOPWORDS.has(folded) || /^\d+$/.test(folded)) continue;
    found.push(stem(folded));
  }
  return found;
}
