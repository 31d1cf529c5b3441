import { fold } from "../../../core/text/words.ts";

/** The words and signs of a sentence that speaks of numbers, in English notation. */
export interface Token {
  text: string;
  /** Folded. */
  word: string;
  start: number;
  end: number;
  isWord: boolean;
  /** The number it stands for, in digits or as a word. */
  value?: number;
  /** Digits behind the point. */
  decimals: number;
}

const SMALL = "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen".split(" ");
const TENS = "twenty thirty forty fifty sixty seventy eighty ninety".split(" ");
const NUMBER_WORDS = new Map<string, number>([
  ...SMALL.map((word, value) => [word, value] as const),
  ...TENS.map((word, index) => [word, 20 + index * 10] as const),
  ...TENS.flatMap((ten, tens) => SMALL.slice(1, 10).map((word, ones) => [`${ten}-${word}`, 21 + tens * 10 + ones] as const)),
  ["dozen", 12],
]);
const SCALES = new Map<string, number>([
  ["dozen", 12], ["hundred", 100], ["thousand", 1e3], ["k", 1e3], ["million", 1e6], ["mn", 1e6], ["m", 1e6],
  ["billion", 1e9], ["bn", 1e9], ["b", 1e9], ["trillion", 1e12], ["tn", 1e12],
]);
/** "Dozens" says between two dozen and some two hundred; nobody means an exact number. */
export const VAGUE = new Map<string, readonly [low: number, high: number]>([
  ["dozens", [24, 199]], ["scores", [40, 199]], ["hundreds", [200, 1_999]], ["thousands", [2_000, 19_999]],
]);

const TOKEN = /\d+(?:[.,]\d+)*|\p{L}+(?:['’.-]\p{L}+)*|\S/gu;

/** Comma for thousands, point for decimals; anything else ("3,5", "1.2.3") is no number we understand. */
function parse(digits: string): number | undefined {
  if (/^\d{1,3}(?:,\d{3})+(?:\.\d+)?$/.test(digits)) return Number(digits.replaceAll(",", ""));
  return /^\d+(?:\.\d+)?$/.test(digits) ? Number(digits) : undefined;
}

export function tokensOf(sentence: string): Token[] {
  return Array.from(sentence.matchAll(TOKEN), (match): Token => {
    const text = match[0];
    const word = fold(text).replace("’", "'");
    const digits = /^\d/.test(text);
    return {
      text, word, start: match.index, end: match.index + text.length,
      isWord: /^\p{L}/u.test(text),
      value: digits ? parse(text) : NUMBER_WORDS.get(word),
      decimals: digits ? /\.(\d+)$/.exec(text)?.[1]?.length ?? 0 : 0,
    };
  });
}

export interface Numeral {
  value: number;
  /** How finely the speaker counted: "3 million" to the million, "4.2" to the tenth, whole numbers exactly (0). */
  step: number;
  /** Index of its last token. */
  last: number;
}

/** The number that begins at a token, with the scale behind it: "2.5 million", "two hundred", "two dozen", "$3bn". */
export function numeralAt(tokens: readonly Token[], index: number): Numeral {
  const { value = 0, decimals, word } = tokens[index]!;
  const scale = word === "dozen" ? undefined : SCALES.get(tokens[index + 1]?.word ?? "");
  if (scale === undefined) return { value, step: decimals === 0 ? 0 : 10 ** -decimals, last: index };
  return { value: value * scale, step: scale * 10 ** -decimals, last: index + 1 };
}

/** Every number that stands in a text, in digits or words, plain and scaled: what a statement drawn from it may say. */
export function numbersIn(text: string): number[] {
  const tokens = tokensOf(text);
  return tokens.flatMap((token, index) => {
    if (token.value === undefined) return [];
    const { value } = numeralAt(tokens, index);
    return value === token.value ? [value] : [token.value, value];
  });
}
