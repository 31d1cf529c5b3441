import { sentences, type Sentence } from "./words/sentences.ts";
import { words, type Span } from "./words/words.ts";

const NEAR = 0.85;
const FEWEST_WORDS = 4;
const LONGEST_QUOTE = 2_000;

/**
 * Finds a model's quotations in a text: exactly, or except for case, white space, quotation marks and invisible
 * characters, or as a sentence with nearly the same words (Dice coefficient of at least 0.85). Undefined: the text does
 * not say it.
 */
export function locator(text: string): (quote: string) => Span | undefined {
  let plain: PlainForm | undefined;
  let split: readonly Sentence[] | undefined;
  return (quote) => {
    const wanted = quote.trim();
    if (wanted.length === 0 || wanted.length > LONGEST_QUOTE) return undefined;
    const exact = text.indexOf(wanted);
    if (exact >= 0) return { start: exact, end: exact + wanted.length };
    return plainly((plain ??= plainForm(text)), wanted) ?? nearly((split ??= sentences(text)), wanted);
  };
}

/** `locator` for a single quotation. */
export const locate = (text: string, quote: string): Span | undefined => locator(text)(quote);

/** A text in plain form, with each character's offset in the original. */
interface PlainForm {
  plain: string;
  places: number[];
}

function plainly({ plain, places }: PlainForm, wanted: string): Span | undefined {
  const quote = plainForm(wanted).plain.trim();
  const at = quote === "" ? -1 : plain.indexOf(quote);
  return at < 0 ? undefined : { start: places[at]!, end: places[at + quote.length - 1]! + 1 };
}

function plainForm(text: string): PlainForm {
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

function nearly(split: readonly Sentence[], wanted: string): Span | undefined {
  const quoted = words(wanted).map((word) => word.text);
  if (quoted.length < FEWEST_WORDS) return undefined;
  let best: Span | undefined;
  let closeness = NEAR;
  for (const sentence of split) {
    const close = dice(
      quoted,
      sentence.words.map((word) => word.text),
    );
    if (close >= closeness) {
      closeness = close;
      best = { start: sentence.start, end: sentence.end };
    }
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
    if (count > 0) {
      common += 1;
      left.set(word, count - 1);
    }
  }
  return one.length + other.length === 0 ? 0 : (2 * common) / (one.length + other.length);
}
