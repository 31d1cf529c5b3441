import { sentences } from "./sentences.ts";
import { words } from "./words.ts";

export interface Place { start: number; end: number }

const NEAR = 0.85;
const FEWEST_WORDS = 4;
const LONGEST_QUOTE = 2_000;

/**
 * Where a model's quotation stands in a text: to the letter, or but for white space, quotation marks and invisible characters, or
 * as a sentence with nearly the same words (Dice coefficient of at least 0.85). Undefined: the text does not say it.
 */
export function locate(text: string, quote: string): Place | undefined {
  const wanted = quote.trim();
  if (wanted.length === 0 || wanted.length > LONGEST_QUOTE) return undefined;
  const exact = text.indexOf(wanted);
  if (exact >= 0) return { start: exact, end: exact + wanted.length };
  return locatePlain(text, wanted) ?? locateNear(text, wanted);
}

/** Search in plain form, with a map from each plain character to its place in the text. */
function locatePlain(text: string, wanted: string): Place | undefined {
  const { plain, places } = plainForm(text);
  const { plain: quote } = plainForm(wanted);
  const at = quote.trim() === "" ? -1 : plain.indexOf(quote.trim());
  if (at < 0) return undefined;
  return { start: places[at]!, end: places[at + quote.trim().length - 1]! + 1 };
}

function plainForm(text: string): { plain: string; places: number[] } {
  let plain = "";
  const places: number[] = [];
  for (let at = 0; at < text.length; at += 1) {
    const character = plainCharacter(text[at]!);
    if (character === "" || (character === " " && plain.endsWith(" "))) continue;
    plain += character;
    places.push(at);
  }
  return { plain, places };
}

function plainCharacter(character: string): string {
  if (/\s/.test(character)) return " ";
  if (/[\p{Cc}\p{Cf}]/u.test(character)) return "";
  if (/[“”„«»]/.test(character)) return '"';
  if (/[‘’‚]/.test(character)) return "'";
  if (/[‐-―]/.test(character)) return "-";
  const lower = character.toLowerCase();
  return lower.length === 1 ? lower : character;
}

function locateNear(text: string, wanted: string): Place | undefined {
  const quoted = words(wanted).map((word) => word.text);
  if (quoted.length < FEWEST_WORDS) return undefined;
  let best: Place | undefined;
  let closeness = NEAR;
  for (const sentence of sentences(text)) {
    const close = dice(quoted, sentence.words.map((word) => word.text));
    if (close >= closeness) { closeness = close; best = { start: sentence.start, end: sentence.end }; }
  }
  return best;
}

/** Twice the common words over all words, repetitions counted (Dice 1945). */
function dice(one: readonly string[], other: readonly string[]): number {
  const left = new Map<string, number>();
  for (const word of one) left.set(word, (left.get(word) ?? 0) + 1);
  let common = 0;
  for (const word of other) {
    const count = left.get(word) ?? 0;
    if (count > 0) { common += 1; left.set(word, count - 1); }
  }
  return one.length + other.length === 0 ? 0 : (2 * common) / (one.length + other.length);
}
