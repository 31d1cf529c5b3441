import { lazily, lexicon } from "../lexicon.ts";
import { latin } from "../words/spelling/latin.ts";
import { skeleton } from "./skeleton.ts";

/** A part of a name, and how much it tells. */
export interface NamePart {
  text: string;
  skeleton: string;
  weight: number;
  /** A number, or what else tells two of one kind apart: nothing else is like it. */
  isMark: boolean;
  /** With it a name is another body's: "Kestrel Maritime Insurance" is no "Kestrel Maritime". */
  isDivision?: true;
  /** Written without most vowels: only consonants are compared. */
  isAbjad: boolean;
  /** It has a full stop behind it: "Dev." may be "Development". */
  isShortened?: true;
}

export const WEIGHTS = {
  part: 1,
  family: 1.3,
  initial: 0.4,
  particle: 0.1,
  generic: 0.45,
  number: 1,
  telling: 0.6,
} as const;

const lists = lazily(() => ({
  connectives: new Set([...lexicon.nameParts.particles, ...lexicon.nameParts.connectives]),
  numerals: new Map(Object.entries(lexicon.nameParts.numerals)),
}));

export const connective = (word: string): boolean => lists().connectives.has(word);

export const tokenOf = (text: string, weight: number): NamePart => ({
  text,
  isAbjad: false,
  skeleton: skeleton(text),
  weight,
  isMark: /^\d+$/.test(text),
});

/** "AlisherUsmanov", "SiemensAG": words that were run together. */
const JOINED = /(?<=\p{Ll}{2})(?=\p{Lu})/gu;

/** "L.P.", "o.o.": letters with a dot behind each are one word, and no more than these. */
const DOTTED = /(?<![\p{L}\p{M}\d])(?:\p{L}\.){2,}\p{L}?(?![\p{L}\p{M}])/gu;

export const lettersTogether = (raw: string): string =>
  raw.replace(DOTTED, (letters) => `${letters.replaceAll(".", "")} `);

export function wordsOf(raw: string): string[] {
  const apart = raw.includes(" ") ? raw : raw.replace(JOINED, " ");
  return latin(lettersTogether(apart))
    .replaceAll("&", " and ")
    .replaceAll("%", " percent")
    .split(/[^a-z0-9\p{L}]+/u)
    .filter(Boolean);
}

/** "3rd" and "third" are 3, "forty four" and "forty 4" are 44; "40 4" is not. */
export function numbered(words: readonly string[]): string[] {
  const { numerals } = lists();
  const found: string[] = [];
  for (const [at, word] of words.entries()) {
    const number = numerals.get(word) ?? /^(\d+)(?:st|nd|rd|th)?$/.exec(word)?.[1];
    const before = found.at(-1);
    const isInWords = at > 0 && !/^\d/.test(words[at - 1]!);
    if (number?.length === 1 && before && isInWords && /^[2-9]0$/.test(before))
      found[found.length - 1] = `${Number(before) + Number(number)}`;
    else found.push(number ?? word);
  }
  return found;
}
