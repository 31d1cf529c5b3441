import { hashOf, mixed, tokenHashes, tokensOf } from "../../../../core/text/words/token-hashes.ts";
import { hammingDistance, hex, shinglesOf, simhashOf } from "./simhash.ts";
import { containment, hashesIn, sketchOf } from "./sketch.ts";
import { normalizedOf, type Normalized, type Wording } from "./wording.ts";

/** Texts of at least this many tokens are recognised by their simhash, shorter ones by their titles. */
const LONG = 50;
/** From here on a text has a sketch: a wire report is cut to its first two sentences. */
const SKETCHED = 24;
/**
 * Simhashes of long texts at most this far apart are of one report; with titles alike it may be as far as LOOSE. Copies
 * of one report with new headlines, agency lines, sentences dropped or added lie 4 to 9 apart on average, reports of
 * different events on one subject 20 and more (test/news/identity.test.ts).
 */
export const CLOSE = 12;
const LOOSE = 20;
/**
 * With titles that have nothing in common an equal text must be at least this long, in tokens: shorter ones may be a
 * notice that a source puts under everything.
 */
const BEYOND_NOTICE = 120;
const UNLIKE = 0.1;
/** Simhashes at most this far apart are found by their bands for certain. */
export const NEAR = 3;
/**
 * Share of the shorter text that stands in the other when they are copies, whatever was cut, added or replaced. Reports
 * of one event in words of their own share its quotations, a tenth to a fifth.
 */
const COPIED = 0.4;
/** Where the titles are alike too. */
const COPIED_ALIKE = 0.25;
/** From here on another number in the headline is an update of the same text, and no other issue of a series. */
const COPIED_WHOLE = 0.7;
/** Different shingles that titles with nothing in common ask for: a notice repeats itself, and is short. */
const LEAST_COMMON = 26;
/** Keys from the sample of shingles: a copy of half the text shares one all but certainly, of a fifth in five of six. */
const SKETCH_KEYS = 8;
/** Share of tokens that titles have in common when they are alike; what is too short to tell is not compared. */
const ALIKE = 0.8;
const LEAST_TITLE = 4;
const MOST_TITLE = 16;
const MOST_NUMBERS = 16;
/** Texts with so many numbers each and a third in common at most follow one pattern: two storms, two market days. */
const FEWEST_NUMBERS = 2;
/** Shorter texts say nothing. */
const LEAST_TEXT = 8;

/**
 * Beginnings of differently mixed orders: the least under an order is the same for two sets as often as they overlap
 * (MinHash, Broder 1997).
 */
const TEXT_ORDERS = [0x2545f491, 0x9e3779b9, 0x7f4a7c15, 0x94d049bb];
const TITLE_ORDERS = [0x1b873593, 0xcc9e2d51, 0xe6546b64];

/** A token's mark within a title, 16 bits. */
const markOf = (token: string): string => (hashOf(token) & 0xffff).toString(16).padStart(4, "0");

/** Marks of the first different numbers of a text. */
const numbersOf = (text: string): string =>
  [...new Set(text.match(/\p{N}+(?:[.,:]\p{N}+)*/gu))].slice(0, MOST_NUMBERS).map(markOf).join("");

const leastOf = (hashes: Uint32Array, order: number): number => {
  let least = 0xffffffff;
  for (let at = 0; at < hashes.length; at++) {
    const hash = mixed(hashes[at]! ^ order);
    if (hash < least) least = hash;
  }
  return least;
};

/**
 * Keys that titles alike share: the two least of their telling words, three times over; of titles with fewer the words
 * themselves.
 */
function titleKeys(tokens: readonly string[]): string[] {
  if (tokens.length < LEAST_TITLE) return [];
  const telling: number[] = [];
  for (const token of tokens) if (token.length > 4 || /\p{N}/u.test(token)) telling.push(hashOf(token));
  if (!telling.some((hash) => hash !== telling[0])) return [hex(hashOf(tokens.join(" ")))];
  return TITLE_ORDERS.map((order) => {
    const [least, next] = twoLeast(telling, order);
    return hex(mixed(least ^ Math.imul(next, 0x9e3779b1)));
  });
}

/** The two least under an order of hashes that are not all the same. */
function twoLeast(hashes: readonly number[], order: number): [least: number, next: number] {
  let [least, next] = [Infinity, Infinity];
  for (const hash of hashes) {
    const value = mixed(hash ^ order);
    if (value < least) [least, next] = [value, least];
    else if (value > least && value < next) next = value;
  }
  return [least, next];
}

/**
 * What a report is recognised by, as one line: `simhash.length.keys.words.numbers.sketch.figures`. The simhash is of the text
 * alone, so that a new headline does not change it; keys are for the index; words and numbers are the title's, as
 * marks; the sketch tells what of a text stands in another, the figures are marks of its numbers.
 */
export function fingerprint(given: Wording | Normalized): string {
  const { title, text } = normalizedOf(given);
  const tokens = tokenHashes(text);
  const shingles = shinglesOf(tokens);
  const titled = tokensOf(title).slice(0, MOST_TITLE);
  const sketch = tokens.length < LONG ? [] : TEXT_ORDERS.map((order) => hex(leastOf(shingles, order)));
  let [words, numbers] = ["", ""];
  for (const token of titled)
    if (/\p{N}/u.test(token)) numbers += markOf(token);
    else words += markOf(token);
  return [
    simhashOf(shingles),
    tokens.length.toString(36),
    [...sketch, ...titleKeys(titled)].join(""),
    words,
    numbers,
    ...(tokens.length < SKETCHED ? [] : [sketchOf(shingles), numbersOf(text)]),
  ].join(".");
}

/** Marks stand one after the other. */
const marksIn = (text: string | undefined): string[] => text?.match(/.{4}/g) ?? [];
const MARK = 4,
  KEY = 8;

/** The number that so many hexadecimal digits stand for. */
function hexAt(text: string, from: number, digits: number): number {
  let value = 0;
  for (let at = from; at < from + digits; at++) {
    const code = text.charCodeAt(at);
    value = (value << 4) | (code <= DIGIT_9 ? code - DIGIT_0 : code - LETTER_A + 10);
  }
  return value >>> 0;
}
const DIGIT_0 = 48,
  DIGIT_9 = 57,
  LETTER_A = 97;

/**
 * Index keys, as numbers above 0: reports that may be the same share at least one, so that they are found by index. Four
 * bands of 16 bits of the simhash (two at most three bits apart share one for certain: Manku et al. 2007), the keys of a
 * whole fingerprint, and the first of its sketch. Two that fall together cost a comparison, for what shares a band is
 * compared whole.
 */
export function bands(print: string): number[] {
  const [simhash = "", length, keys = "", , , sketch = ""] = print.split(".", 6);
  const found: number[] = [];
  // A text as short as "Read more" would bring together all that end with it.
  if (length === undefined || Number.parseInt(length, 36) >= LEAST_TEXT)
    for (let at = 0; at + MARK <= simhash.length; at += MARK)
      found.push((at / MARK) * 2 ** 16 + hexAt(simhash, at, MARK) + 1);
  for (const hash of hashesIn(sketch, SKETCH_KEYS)) found.push((hash >>> 1) + 1);
  // Keys of the orders found copies of fingerprints without a sketch; its own find more for less.
  // Of texts that have a sketch the shorter ones have none of the orders.
  const hasOrders = sketch !== "" && Number.parseInt(length!, 36) >= LONG;
  for (let at = hasOrders ? KEY * TEXT_ORDERS.length : 0; at + KEY <= keys.length; at += KEY)
    found.push((hexAt(keys, at, KEY) >>> 1) + 1);
  return found;
}

/** Share of the shorter text that stands in the other when they are one text, cut or with a line of the site's added. */
const ONE_TEXT = 0.9;

/** Whether two texts are one, nearly word for word and with the same numbers: more than what copies have in common. */
export function sameText(a: string, b: string): boolean {
  if (a === b) return true;
  const [one, other] = [a.split("."), b.split(".")];
  if (!one[5] || !other[5]) return false;
  const [fewer, more] = [marksIn(one[6]), marksIn(other[6])].sort((x, y) => x.length - y.length);
  if (!fewer!.every((number) => more!.includes(number))) return false;
  return hammingDistance(a, b) <= NEAR || containment(one[5], other[5]).share >= ONE_TEXT;
}

const overlap = (one: readonly string[], other: readonly string[]): number => {
  const union = new Set([...one, ...other]).size;
  return union === 0 ? 0 : (new Set(one).size + new Set(other).size - union) / union;
};

interface Title {
  words: string[];
  numbers: string[];
}

/**
 * Titles with the same words but other numbers head two issues of a series: "index 0.4 percent higher", "earthquake of
 * 5.2".
 */
const inSeries = (one: Title, other: Title): boolean =>
  one.numbers.length > 0 &&
  other.numbers.length > 0 &&
  overlap(one.numbers, other.numbers) < 1 &&
  overlap(one.words, other.words) >= ALIKE / 2;

/**
 * Titles of one pattern, filled in with other words: "Orlava win 1-0 at home", "Brenn win 1-0 at home"; what machines
 * write of each match, market and district.
 */
function inPattern({ words: one }: Title, { words: other }: Title): boolean {
  if (one.length !== other.length || one.length < LEAST_TITLE) return false;
  const differing = one.filter((word, at) => word !== other[at]).length;
  return differing > 0 && 2 * differing <= one.length;
}

const otherNumbers = (one: readonly string[], other: readonly string[]): boolean =>
  Math.min(one.length, other.length) >= FEWEST_NUMBERS &&
  3 * one.filter((number) => other.includes(number)).length <= Math.min(one.length, other.length);

/**
 * Whether two fingerprints, or two bare simhashes, are of the same report: long texts by their simhash, short ones by
 * their titles. Says nothing of when they were published, which is for the caller to bound. Of one source little less
 * than the whole must be the same (`atHome`): it sets the same words under much of what it prints.
 */
export function sameStory(a: string, b: string, atHome = false): boolean {
  const distance = hammingDistance(a, b);
  const [one, other] = [a.split("."), b.split(".")];
  if (one.length === 1 || other.length === 1) return distance <= NEAR;
  const length = Math.min(...[one, other].map((fields) => Number.parseInt(fields[1]!, 36)));
  const enough = atHome || length < LONG ? COPIED_WHOLE : COPIED;
  const { share: copied, common } = containment(one[5] ?? "", other[5] ?? "");
  // Most of what shares a band by chance goes here.
  if (length >= LONG && distance > LOOSE && copied < enough) return false;
  const titles = [one, other].map((fields) => ({ words: marksIn(fields[3]), numbers: marksIn(fields[4]) }));
  if (copied < COPIED_WHOLE && inSeries(titles[0]!, titles[1]!)) return false;
  if (length < LONG && copied < 1 && distance > NEAR && inPattern(titles[0]!, titles[1]!)) return false;
  const [mine, theirs] = titles.map(({ words, numbers }) => [...words, ...numbers]);
  const likeness = overlap(mine!, theirs!);
  if ((copied < COPIED_WHOLE || length < LONG) && otherNumbers(marksIn(one[6]), marksIn(other[6]))) return false;
  if (copied >= enough && (likeness >= UNLIKE || common >= LEAST_COMMON)) return true;
  const alike = likeness >= ALIKE && Math.min(mine!.length, theirs!.length) >= LEAST_TITLE;
  if (one[5] && other[5]) return alike && copied >= (atHome ? COPIED : COPIED_ALIKE);
  if (length >= (likeness < UNLIKE ? BEYOND_NOTICE : LONG)) return distance <= (alike ? LOOSE : CLOSE);
  return alike || (length >= LEAST_TEXT && distance <= NEAR && likeness >= ALIKE / 2);
}
