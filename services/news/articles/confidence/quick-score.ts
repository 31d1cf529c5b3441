import { unitsOf } from "../../../../core/text/words/units.ts";

const START = 40;
const QUICK_CHARACTERS = 3_000;

/** What is counted in a text: from one place on, so many points each, and so many at most. */
interface Sign {
  pattern: RegExp;
  each: number;
  most: number;
}
const SAYING: Sign = {
  pattern:
    /(?<!\b(?:sources?|insiders?|people familiar|friends?|somebody|they) )\b(?:said|told|according to|announced|reported|confirmed)\b(?! (?:anonymous|unnamed|sources?|insiders?)\b)/iy,
  each: 3,
  most: 12,
};
const QUOTE: Sign = { pattern: /["“”]/y, each: 1, most: 6 };
const FIGURE: Sign = {
  pattern: /\d[.,]?\s?(?:%|percent|per cent|million|billion|thousand|km|people|euros|dollars)|[$€£]\d/y,
  each: 2,
  most: 8,
};
const DAY: Sign = {
  pattern: /\b(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day\b|\b20\d\d\b/y,
  each: 2,
  most: 4,
};
const DOCUMENT: Sign = { pattern: /\b(?:documents?|report|study|data|survey|audit|census)\b/y, each: 1, most: 5 };
const SHOUT: Sign = { pattern: /!/y, each: -2, most: -8 };
const HEARSAY: Sign = {
  pattern: /\b(?:some say|critics say|experts say|many believe|sources say|allegedly|reportedly)\b/iy,
  each: -3,
  most: -9,
};
const SIGNS = [SAYING, QUOTE, FIGURE, DAY, DOCUMENT, SHOUT, HEARSAY];

/** Each pattern begins with one of these marks, with a digit, or with a word that these three letters begin. */
const MARKS: readonly [string, Sign][] = [
  ['"“”', QUOTE],
  ["!", SHOUT],
  ["$€£", FIGURE],
];
const WORDS: readonly [string, Sign][] = [
  ["said told according announced reported confirmed", SAYING],
  ["monday tuesday wednesday thursday friday saturday sunday", DAY],
  ["document report study data survey audit census", DOCUMENT],
  ["some critics experts many sources allegedly reportedly", HEARSAY],
];

const LETTER = 1,
  DIGIT = 2,
  LINE = 4,
  MARK = 8;
/** What a code unit is, of what words are made in a pattern (`\w`), and of the marks. */
const KINDS = new Uint8Array(0x10000);
for (const letter of "abcdefghijklmnopqrstuvwxyz") {
  KINDS[letter.charCodeAt(0)] = LETTER;
  KINDS[letter.toUpperCase().charCodeAt(0)] = LETTER;
}
for (const digit of "0123456789") KINDS[digit.charCodeAt(0)] = DIGIT;
KINDS["_".charCodeAt(0)] = LINE;
for (const [marks] of MARKS) for (const mark of marks) KINDS[mark.charCodeAt(0)] = MARK;

/** Three letters of either case as one number; other signs may share it. */
const begun = (first: number, second: number, third: number): number =>
  ((first & 31) << 10) | ((second & 31) << 5) | (third & 31);
/** Which signs may begin with three letters, as bits in the order of `SIGNS`. */
const BEGUN = new Uint8Array(2 ** 15);
for (const [words, sign] of WORDS)
  for (const word of words.split(" "))
    BEGUN[begun(word.charCodeAt(0), word.charCodeAt(1), word.charCodeAt(2))]! |= 1 << SIGNS.indexOf(sign);

const bitOf = (sign: Sign): number => 1 << SIGNS.indexOf(sign);
const MARKED = new Map(MARKS.flatMap(([marks, sign]) => [...marks].map((mark) => [mark.charCodeAt(0), bitOf(sign)])));
const OF_DIGIT = bitOf(FIGURE),
  OF_NUMBER = bitOf(FIGURE) | bitOf(DAY);

/** For each sign, how often it was found and where the last one ended. */
const found = new Uint16Array(SIGNS.length),
  ends = new Uint16Array(SIGNS.length);

/** Tries the signs of these bits at a place. */
function tryAt(text: string, at: number, bits: number): void {
  for (let left = bits; left !== 0; left &= left - 1) {
    const sign = 31 - Math.clz32(left & -left),
      { pattern } = SIGNS[sign]!;
    pattern.lastIndex = at;
    if (at < ends[sign]! || !pattern.test(text)) continue;
    ends[sign] = pattern.lastIndex;
    found[sign]!++;
  }
}

/** Counts all signs in one pass: most places of a text begin none, which is seen without asking a pattern. */
function count(text: string): void {
  const units = unitsOf(text);
  found.fill(0);
  ends.fill(0);
  for (let at = 0, before = 0; at < text.length; at++) {
    const unit = units[at]!,
      kind = KINDS[unit]!;
    const isInWord = (before & (LETTER | DIGIT | LINE)) !== 0;
    before = kind;
    if (kind === 0) continue;
    if (kind === LETTER) {
      if (isInWord) continue;
      const bits = BEGUN[begun(unit, units[at + 1]!, units[at + 2]!)]!;
      if (bits !== 0) tryAt(text, at, bits);
    } else if (kind === DIGIT) tryAt(text, at, isInWord ? OF_DIGIT : OF_NUMBER);
    else if (kind === MARK) tryAt(text, at, MARKED.get(unit)!);
  }
}

/** A first, cheap impression for ingestion, 0..100, by what is counted in the first 3,000 characters. */
export function quickScore(title: string, text: string): number {
  const head = text.slice(0, QUICK_CHARACTERS);
  let score = START + (head.length >= 1_200 ? 4 : head.length < 350 ? -8 : 0);
  count(head);
  for (const [at, { each, most }] of SIGNS.entries()) {
    const points = each * Math.min(found[at]!, Math.ceil(most / each));
    score += each > 0 ? Math.min(most, points) : Math.max(most, points);
  }
  if (/[!?][!?]|!$|\b(?:you won't believe|shocking|what happened next)\b/i.test(title)) score -= 10;
  if (title.length > 12 && title === title.toUpperCase() && /[A-Z]{4,}/.test(title)) score -= 8;
  return Math.min(100, Math.max(0, score));
}
