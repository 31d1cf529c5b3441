/** A run of signs without a space that is longer is no word: hex, base64, a long number. */
const LONGEST_WORD = 24;
const SPARE = 1.12;

const isDigit = (code: number): boolean => code >= 48 && code <= 57;
const isLower = (code: number): boolean => code >= 97 && code <= 122;
const isUpper = (code: number): boolean => code >= 65 && code <= 90;
const isSpace = (code: number): boolean => code === 32 || (code >= 9 && code <= 13) || code === 0xa0;
/** Han, kana and hangul: about a token each. */
const isWide = (code: number): boolean =>
  (code >= 0x3040 && code <= 0x9fff) || (code >= 0xac00 && code <= 0xd7af) || (code >= 0xf900 && code <= 0xfaff);

/** What one sign beyond Latin letters and digits is counted as. */
function weightOf(code: number): number {
  if (code < 128) return 0.6;
  // Letters with diacritics break the words that they stand in.
  if (code < 0x370) return 0.65;
  if (code < 0x590) return 0.4;
  if (isWide(code)) return 0.88;
  // Halves of signs beyond the first plane, emoji above all.
  if (code >= 0xd800 && code <= 0xdfff) return 1;
  return code < 0x1100 ? 0.5 : 0.9;
}

/**
 * Tokens of a text by its pieces, without a tokeniser: words by six letters of one case, numbers by three digits,
 * signs and other letters by their kind, spaces where they are more than one or stand before a number; of an unbroken
 * run of more than 24 signs at least a third of its length. An eighth more than that: an estimate that is too low overruns
 * a budget. Beside the vocabulary o200k it is 1.0 to 1.6 of the true count (`test/adapters/llm/llm-tokens.test.ts`).
 */
export function estimateText(text: string): number {
  let [tokens, ofRun, length] = [0, 0, 0];
  const endRun = (): void => {
    // Cases and digits that change with each sign are those of base64: none of its pieces is a word.
    const dense = ofRun > length * 0.45 ? 1.2 : 1;
    tokens += length > LONGEST_WORD ? Math.max(ofRun * dense, length / 3) : ofRun;
    [ofRun, length] = [0, 0];
  };
  for (let at = 0; at < text.length;) {
    const code = text.charCodeAt(at);
    const from = at++;
    if (isSpace(code)) {
      endRun();
      while (at < text.length && isSpace(text.charCodeAt(at))) at++;
      if (at - from > 1 || code !== 32 || (at < text.length && isDigit(text.charCodeAt(at)))) tokens += 1;
      continue;
    }
    if (isLower(code) || isUpper(code)) {
      if (isUpper(code)) while (at < text.length && isUpper(text.charCodeAt(at))) at++;
      // A capital begins the word that it stands before.
      if (at - from === 1) while (at < text.length && isLower(text.charCodeAt(at))) at++;
      ofRun += Math.ceil((at - from) / 6);
    } else if (isDigit(code)) {
      while (at < text.length && isDigit(text.charCodeAt(at))) at++;
      ofRun += Math.ceil((at - from) / 3);
    } else ofRun += weightOf(code);
    length += isWide(code) ? 0 : at - from;
  }
  endRun();
  return Math.ceil(tokens * SPARE);
}
