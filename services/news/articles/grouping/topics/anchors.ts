import { lazily, lexicon } from "../../../../../core/text/lexicon.ts";
import { remembering } from "../../../../../core/text/words/remembered.ts";
import { soundOf } from "../../../../../core/text/words/spelling/sound.ts";
import { isStopWord } from "../../../../../core/text/words/stop-words.ts";
import { hashOf } from "../../../../../core/text/words/token-hashes.ts";
import { fold } from "../../../../../core/text/words/words.ts";

export const MOST_ANCHORS = 32;

/** Capitals begin names; scripts without them are looked through word by word. */
const NAME = /\p{Lu}[\p{L}\p{M}]{2,}|\p{Lo}{3,}/gu;
const ARTICLE = /^(?:و|ب|ل|ك)?ال/u;

/** What a name is known by in whatever language, below zero for a word that is none. */
const anchorOf = remembering((name) => {
  const sound = isCommon(fold(name)) ? "" : soundOf(name.replace(ARTICLE, ""));
  return sound === "" ? NO_ANCHOR : anchorHash(sound.length > 3 ? sound.replace(/s$/, "") : sound);
}, 20_000);

const NO_ANCHOR = -1;

const anchorsFound = new Uint32Array(MOST_ANCHORS);
/** Hashes of the names of a text by their sound, and of these numbers, ascending; the next call overwrites the answer. */
export function anchorsOf(text: string, numbers: readonly string[]): Uint32Array {
  const found = new Set(numbers.map(anchorHash));
  for (const name of text.match(NAME) ?? []) {
    const anchor = anchorOf(name);
    if (anchor !== NO_ANCHOR) found.add(anchor);
  }
  let count = 0;
  for (const anchor of found) {
    if (count === MOST_ANCHORS) break;
    anchorsFound[count++] = anchor;
  }
  return anchorsFound.subarray(0, count).sort();
}

/** The lowest bit tells numbers from names. */
const anchorHash = (anchor: string): number =>
  anchor.startsWith("#") ? numbered(hashOf(anchor)) : (hashOf(anchor) & ~1) >>> 0;
/** The anchor of a number by its hash among the terms. */
export const numbered = (hash: number): number => (hash | 1) >>> 0;
export const isNumber = (anchor: number): boolean => (anchor & 1) === 1;

const calendar = lazily(() => new Set<string>(lexicon.names.calendar));
/** A capital at the head of a sentence, or a day's, is no name. */
const isCommon = (word: string): boolean => isStopWord(word) || calendar().has(word);

const NUMBER = /(?<![\p{L}\p{Nd}.,:-])\p{Nd}+(?:[.,:]\p{Nd}+)*(?!\p{L})/gu;

/** Numbers that an event may be known by, in whatever language: of two digits at least, and no year. */
export const anchoringNumbers = (text: string): string[] =>
  (text.match(NUMBER) ?? [])
    .map((number) => number.replace(/[.,](?=\p{Nd}{3}(?!\p{Nd}))/gu, "").replace(/[,:]/g, "."))
    .filter((number) => number.length > 1 && !/^(?:19|20)\d\d$/.test(number))
    .map((number) => `#${number}`);
