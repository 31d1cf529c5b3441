/** A piece of a text, in UTF-16 code units: from `start` up to `end`. */
export interface Span {
  start: number;
  end: number;
}

/**
 * The bounds of words, and their folding. The rules follow Unicode Standard Annex 29 (word boundaries) where searchers
 * expect it, and differ where news text needs it: "U.S." is one word, "1,000" one number, a possessive 's is no part of
 * its word, hyphens and other apostrophes separate. Scripts without spaces (Chinese, Japanese, Korean, Thai, Lao,
 * Khmer, Burmese) give one word a character: a run of them is then searched as a phrase, which is exactly a search for
 * the substring.
 */
export interface Word extends Span {
  /** Folded: compatibility forms resolved (NFKD), lower case, without accents. */
  text: string;
  /** Begins with a capital letter. */
  capital: boolean;
}

/** Folded words are cut here (code units): a pasted base64 block must not become a term of a megabyte. */
export const LONGEST_WORD = 64;

const OTHER = 0,
  LETTER = 1,
  DIGIT = 2,
  MARK = 3,
  IDEOGRAPH = 4;
type CharClass = typeof OTHER | typeof LETTER | typeof DIGIT | typeof MARK | typeof IDEOGRAPH;

/** Scripts without blanks between words, except Hangul, which has some. */
export const UNSPACED = /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}\p{sc=Myanmar}]/u;
const CHARACTER_WORDS =
  /[\p{scx=Han}\p{scx=Hira}\p{scx=Kana}\p{scx=Hang}\p{scx=Thai}\p{scx=Lao}\p{scx=Khmer}\p{scx=Mymr}]/u;
/** Marks, and invisible characters inside a word: soft hyphen, joiners, word joiner, half-width sound marks. */
const INSIDE = /[\p{M}\u00ad\u200c\u200d\u2060\uff9e\uff9f]/u;

function classify(char: string): CharClass {
  if (INSIDE.test(char)) return MARK;
  if (/[\p{L}\p{Nl}\p{No}]/u.test(char)) return CHARACTER_WORDS.test(char) ? IDEOGRAPH : LETTER;
  return /\p{Nd}/u.test(char) ? DIGIT : OTHER;
}

const UNKNOWN = 255;
/** Classes of the basic plane, filled in as characters occur: a property lookup costs a hundred times a table read. */
const classes = new Uint8Array(0x10000).fill(UNKNOWN);
for (let code = 0; code < 128; code++) classes[code] = classify(String.fromCharCode(code));

function classAt(text: string, at: number): CharClass {
  const unit = text.charCodeAt(at);
  const known = classes[unit]!;
  if (known !== UNKNOWN) return known as CharClass;
  if (unit >= 0xd800 && unit <= 0xdfff) return classify(String.fromCodePoint(text.codePointAt(at)!));
  return (classes[unit] = classify(String.fromCharCode(unit))) as CharClass;
}

/** Whether a word may continue with the character there. */
export const isWordAt = (text: string, at: number): boolean => at < text.length && classAt(text, at) !== OTHER;
const widthAt = (text: string, at: number): number =>
  text.charCodeAt(at) >= 0xd800 && text.codePointAt(at)! > 0xffff ? 2 : 1;
const DOT = 46,
  COMMA = 44,
  APOSTROPHE = 39,
  RIGHT_QUOTE = 0x2019,
  SMALL_S = 115,
  SMALL_T = 116,
  SPACE = 32,
  DIGIT_9 = 57,
  LAST_ASCII = 127;

/** The end of a single letter with its marks, or -1 where none stands. */
function letterEnd(text: string, at: number): number {
  if (at >= text.length || classAt(text, at) !== LETTER) return -1;
  let end = at + widthAt(text, at);
  while (end < text.length && classAt(text, end) === MARK) end += widthAt(text, end);
  return end;
}

/** The end of "U.S" in "U.S." from its first letter, or -1 where no second single letter follows a full stop. */
function acronymEnd(text: string, start: number): number {
  let end = -1;
  for (let at = letterEnd(text, start); text.charCodeAt(at) === DOT;) {
    at = letterEnd(text, at + 1);
    if (at < 0 || isWordAt(text, at)) break;
    end = at;
  }
  return end;
}

/** Whether a full stop or comma at `at` stands inside a number: "3.5", "1,000", but not "3,5" or "2024.Then". */
function joinsNumber(text: string, at: number): boolean {
  const mark = text.charCodeAt(at);
  const digits = (count: number) => {
    for (let step = 1; step <= count; step++)
      if (at + step >= text.length || classAt(text, at + step) !== DIGIT) return false;
    return true;
  };
  if (mark === DOT) return digits(1);
  return mark === COMMA && digits(3) && !isWordAt(text, at + 4);
}

/** The end of the word that begins there. */
export function wordEnd(text: string, start: number): number {
  const first = classAt(text, start);
  const second = text.charCodeAt(start + 1);
  if (first === LETTER && (second === DOT || second > 127)) {
    const acronym = acronymEnd(text, start);
    if (acronym > 0) return acronym;
  }
  let numeric = first === DIGIT;
  let at = start + widthAt(text, start);
  // Nearly every character of nearly every text is read here.
  if (first === LETTER) while (classes[text.charCodeAt(at)] === LETTER) at++;
  for (; at < text.length; at++) {
    const unit = text.charCodeAt(at);
    const kind = classAt(text, at);
    if (kind === OTHER && !(numeric && joinsNumber(text, at))) break;
    if (kind !== MARK && (first === IDEOGRAPH || kind === IDEOGRAPH)) break;
    if (kind === LETTER) numeric = false;
    if (unit >= 0xd800 && unit <= 0xdbff) at += widthAt(text, at) - 1;
  }
  return at;
}

/** Where to look for the next word: after a possessive 's, also of an acronym ("U.S.'s"). */
export function afterWord(text: string, end: number): number {
  const next = text.charCodeAt(end);
  if (next === SPACE) return end;
  const at = next === DOT ? end + 1 : end;
  const unit = text.charCodeAt(at);
  if (unit !== APOSTROPHE && unit !== RIGHT_QUOTE) return end;
  return (text.charCodeAt(at + 1) | 32) === SMALL_S && !isWordAt(text, at + 2) ? at + 2 : end;
}

/** Whether a word begins at a character that does not continue one. */
export function startsWord(text: string, at: number): boolean {
  const kind = classAt(text, at);
  return kind !== OTHER && kind !== MARK;
}

/**
 * Calls `visit` with the bounds of each word, in order, until it answers false. Linear in the text; allocates nothing,
 * so that a reader of few words (a snippet) pays for those alone. `from` and `to` must be ends of the text or blanks.
 */
export function scanWords(
  text: string,
  visit: (start: number, end: number) => boolean | void,
  from = 0,
  to = text.length,
): void {
  for (let at = from; at < to;) {
    if (text.charCodeAt(at) === SPACE || !startsWord(text, at)) {
      at++;
      continue;
    }
    const end = wordEnd(text, at);
    if (visit(at, end) === false) return;
    at = afterWord(text, end);
  }
}

/** Whether a word stands between two places that are ends of the text or blanks. */
export function hasWord(text: string, from: number, to: number): boolean {
  let found = false;
  scanWords(
    text,
    () => {
      found = true;
      return false;
    },
    from,
    to,
  );
  return found;
}

/** Letters that Unicode does not decompose, and that searchers type without their stroke or ligature. */
const PLAIN: Record<string, string> = {
  ß: "ss",
  æ: "ae",
  œ: "oe",
  ø: "o",
  ł: "l",
  đ: "d",
  ð: "d",
  þ: "th",
  ħ: "h",
  ı: "i",
  ŋ: "n",
  ς: "σ",
  ĸ: "k",
  ŧ: "t",
};
const SPECIAL = new RegExp(`[${Object.keys(PLAIN).join("")}]`, "gu");
/** Accents of Latin, Greek and Cyrillic, the points of Hebrew and Arabic, and invisible characters inside words. */
const ACCENTS =
  /[\u0300-\u036f\u0591-\u05c7\u0610-\u061a\u0640\u064b-\u065f\u0670\u00ad\u200c\u200d\u2060\ufe00-\ufe0f\u{e0100}-\u{e01ef}]/gu;
const ASCII = /^[\x00-\x7f]*$/;

const foldUnicode = (text: string): string =>
  text
    .normalize("NFKD")
    .toLowerCase()
    .replace(ACCENTS, "")
    .replace(SPECIAL, (letter) => PLAIN[letter]!)
    .normalize("NFC");

/**
 * A text in the form in which words are compared, without differences of case, accents and compatibility forms (full
 * width, ligatures).
 */
export const fold = (text: string): string => (ASCII.test(text) ? text.toLowerCase() : foldUnicode(text));

const clipped = (word: string): string =>
  word.length <= LONGEST_WORD
    ? word
    : word
        .slice(0, LONGEST_WORD)
        .toWellFormed()
        .replace(/\ufffd$/u, "");
const isAcronym = (word: string): boolean => word.includes(".") && classAt(word, 0) === LETTER;

/** "u.s" becomes "us" and "1,000" becomes "1000"; the points of "3.5" and "10.0.0.1" stay. */
function joined(word: string): string {
  if (isAcronym(word)) return clipped(word.replaceAll(".", ""));
  return clipped(word.includes(",") ? word.replaceAll(",", "") : word);
}

/** Folding can produce several words (the one character U+FDFA is a sentence) or none: the result is scanned again. */
function unicodeWords(raw: string): string[] {
  const folded = foldUnicode(raw);
  const found: string[] = [];
  scanWords(folded, (start, end) => {
    found.push(joined(folded.slice(start, end)));
  });
  return found;
}

/** The words of one scanned stretch, folded: nearly always one. */
export function wordsBetween(text: string, start: number, end: number): string[] {
  const raw = text.slice(start, end);
  return ASCII.test(raw) ? [joined(raw.toLowerCase())] : unicodeWords(raw);
}

function isCapitalAt(text: string, at: number): boolean {
  const code = text.charCodeAt(at);
  return code < 128 ? code >= 65 && code <= 90 : /^\p{Lu}/u.test(text.slice(at, at + 2));
}

/** Whether a scanned part of ASCII is one word except for its case: no acronym and no number with points or commas. */
function isPlainWord(text: string, start: number, end: number): boolean {
  if (end - start > LONGEST_WORD || text.charCodeAt(start) <= DIGIT_9 || text.charCodeAt(start + 1) === DOT)
    return false;
  for (let at = start; at < end; at++) if (text.charCodeAt(at) > LAST_ASCII) return false;
  return true;
}

/** All words of a text, folded, in order, with their places. */
export function words(text: string): Word[] {
  const found: Word[] = [];
  for (let start = 0; start < text.length;) {
    if (text.charCodeAt(start) === SPACE || !startsWord(text, start)) {
      start++;
      continue;
    }
    const end = wordEnd(text, start),
      capital = isCapitalAt(text, start);
    if (isPlainWord(text, start, end)) found.push({ text: text.slice(start, end).toLowerCase(), start, end, capital });
    else for (const word of wordsBetween(text, start, end)) found.push({ text: word, start, end, capital });
    start = afterWord(text, end);
  }
  return found;
}

/** Whether a possessive 's follows a word that ends there: it is no part of the word. */
export const isPossessive = (text: string, end: number): boolean => afterWord(text, end) > end;

/** Whether a word is the rest of a contracted negation: the "t" of "didn't". */
export const isContractedNot = (text: string, { start, end }: Word): boolean =>
  end === start + 1 &&
  (text.charCodeAt(start) | 32) === SMALL_T &&
  /n['\u2019]$/iu.test(text.slice(Math.max(0, start - 2), start));
