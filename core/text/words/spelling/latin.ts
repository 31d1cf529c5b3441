import { lexicon } from "../../lexicon.ts";
import { fold } from "../words.ts";

const LETTERS: Readonly<Record<string, string>> = lexicon.scripts.letters;
const [HANGUL, LAST_HANGUL] = [0xac00, 0xd7a3];
const LEADS = "g kk n d tt r m b pp s ss _ j jj ch k t p h".split(" ");
const VOWELS = "a ae ya yae eo e yeo ye o wa wae oe yo u wo we wi yu eu ui i".split(" ");
const TAILS = "_ k k k n n n t l k m l l l p l m p p t t ng t t k t p t".split(" ");

/** A syllable of Hangul by its letters (Revised Romanisation, without changes between syllables). */
function syllable(code: number): string {
  const at = code - HANGUL;
  const [lead, vowel, tail] = [Math.floor(at / 588), Math.floor((at % 588) / 28), at % 28];
  return `${LEADS[lead]}${VOWELS[vowel]}${TAILS[tail]}`.replaceAll("_", "");
}

const ALL_LATIN = /^[\x00-\x7f]*$/;
const SHORT_VOWEL: Readonly<Record<string, string>> = { ya: "a", yu: "u", yo: "o" };
const SMALL_KANA = /^[ャュョ]$/;

function romanised(text: string): string {
  let latin = "";
  for (const letter of text) {
    const code = letter.codePointAt(0)!;
    if (code >= HANGUL && code <= LAST_HANGUL) latin += syllable(code);
    // A small kana takes the vowel's place: "ki" and "ya" are "kya".
    else if (SMALL_KANA.test(letter) && latin.endsWith("i"))
      latin = latin.slice(0, -1) + (/(?:sh|ch|j)i$/.test(latin) ? SHORT_VOWEL[LETTERS[letter]!]! : LETTERS[letter]!);
    // Hiragana is Katakana, 96 code points further down.
    else if (code >= 0x3041 && code <= 0x3096) latin += LETTERS[String.fromCodePoint(code + 0x60)] ?? "";
    else latin += LETTERS[letter] ?? LETTERS[fold(letter)] ?? letter;
  }
  return latin;
}

const APOSTROPHES = /['`´ʹʺʻʼʾʿ‘’′]/gu;

/** A text in folded Latin letters, from any script; signs that no list has stay unchanged. */
export function latin(raw: string): string {
  // Composed first: folding alone would take й for и.
  const plain = raw.normalize("NFC").replace(APOSTROPHES, "");
  if (ALL_LATIN.test(plain)) return plain.toLowerCase();
  return fold(romanised(plain.toLowerCase())).replace(APOSTROPHES, "");
}

/** Scripts that leave most vowels out. */
export const isAbjad = (raw: string): boolean => /[\u0590-\u06ff]/.test(raw);

/**
 * A folded word in Latin letters, as far as its script writes vowels: "петров" becomes "petrov". Null for a Latin word,
 * or one with signs that no list has.
 */
export function latinOf(word: string): string | null {
  if (ALL_LATIN.test(word) || isAbjad(word)) return null;
  const written = latin(word);
  return /^[a-z0-9'-]+$/.test(written) ? written : null;
}
