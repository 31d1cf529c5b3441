import { lazily, lexicon } from "../lexicon.ts";
import { latin } from "../words/spelling/latin.ts";
import { asKnown } from "./known.ts";
import { edits } from "./likeness.ts";
import { connective, lettersTogether, numbered, tokenOf, WEIGHTS, type NamePart } from "./parts.ts";

const one = (word: string): string => (word.length > 3 && /[^s]s$/.test(word) ? word.slice(0, -1) : word);

const words = lazily(
  () => new Map(Object.entries(lexicon.designations.words).map(([word, means]) => [word, means.split(" ")] as const)),
);
const SLIP = { least: 8, beginning: 3 };
/** Long ones by how they begin. */
const longWords = lazily(() =>
  Map.groupBy(
    [...words().keys()].filter((word) => word.length >= SLIP.least),
    (word) => word.slice(0, SLIP.beginning),
  ),
);

/** What a word stands for, one letter wrong in a long one: "feldlazaret" is a field hospital. */
function meant(word: string): readonly string[] {
  const known = words().get(word);
  if (known || word.length < SLIP.least - 1) return known ?? [word];
  const slip = longWords()
    .get(word.slice(0, SLIP.beginning))
    ?.find((other) => Math.abs(other.length - word.length) <= 1 && edits(word, other) <= 1);
  return slip ? words().get(slip)! : [word];
}

const lists = lazily(() => ({
  kinds: new Set(lexicon.designations.kinds.map(one)),
  formations: new Map(
    lexicon.designations.formations.flatMap((words, rank) => words.map((word) => [word, rank] as const)),
  ),
  tellingApart: new Set(lexicon.designations.tellingApart),
  letters: new Map(Object.entries(lexicon.designations.letters)),
}));

/** "3rd", "13eme": the ending of a number says nothing. */
const ORDINAL = /(?<=\d)(?:st|nd|rd|th|i?eme)(?![\p{L}\p{M}])/gu;
/** "2/7", "2-7": numbers one in the other, whose order tells. */
const WITHIN = /(?<=\d)[/-](?=\d)/g;
const DECIMAL = /(?<=\d)[.,](?=\d)/g;
/** "4 m x 6 m": by. */
/** "M/V", "w/o": letters with a stroke are one word. */
const STROKED = /(?<![\p{L}\d])(\p{L})\/(\p{L})(?![\p{L}\d])/gu;
const BY = /(?<=\d| m)\s?[x×]\s?(?=\d)/g;
/** A number with what is glued to it, or a word. */
const PARTS = /\d+(?:[.~]\d+)*|[\p{L}\p{M}]+/gu;
/** "B-04", "U5000", "2A6": letters beside a number. */
const GLUED_BEFORE = /\d-?$/;
const GLUED_BEHIND = /^-?\d/;

interface Word {
  text: string;
  /** Written together with a number. */
  isGlued: boolean;
}

function wordsOf(raw: string): Word[] {
  const line = latin(lettersTogether(raw))
    .replaceAll("&", " and ")
    .replace(STROKED, "$1$2")
    .replace(ORDINAL, "")
    .replace(BY, " ")
    .replace(DECIMAL, ".")
    .replace(WITHIN, "~");
  return [...line.matchAll(PARTS)].map(({ 0: text, index }) => ({
    text: /^\d/.test(text) ? text.replace(/^0+(?=\d)/, "") : text,
    isGlued: GLUED_BEFORE.test(line.slice(0, index)) || GLUED_BEHIND.test(line.slice(index + text.length)),
  }));
}

const DIRECTIONS = new Map([
  ["n", "north"],
  ["s", "south"],
  ["e", "east"],
  ["w", "west"],
]);
/** "Hill 417" and "Point 417" are one height. */
const HEIGHT = /^(?:hill|point|height|elevation|kota|peak)$/;
const HEIGHT_NUMBER = /^\d{3,4}$/;

/** Units of weight, of volume, of tension and of power, by how many of the first of each they are. */
const UNITS: ReadonlyMap<string, readonly [base: string, factor: number]> = new Map([
  ["mg", ["g", 0.001]],
  ["g", ["g", 1]],
  ["kg", ["g", 1_000]],
  ["t", ["g", 1_000_000]],
  ["ml", ["l", 0.001]],
  ["cl", ["l", 0.01]],
  ["l", ["l", 1]],
  ["v", ["v", 1]],
  ["kv", ["v", 1_000]],
  ["w", ["w", 1]],
  ["kw", ["w", 1_000]],
  ["mw", ["w", 1_000_000]],
]);

/** "500 mg" and "0.5 g" are one amount. */
function inUnits(told: readonly string[]): string[] {
  return told.flatMap((word, at) => {
    const [number, unit] = [Number(word), UNITS.get(told[at + 1] ?? "")];
    if (/^\d/.test(word) && unit && Number.isFinite(number))
      return [`${Number((number * unit[1]).toPrecision(6))}${unit[0]}`];
    return UNITS.has(word) && /^[\d.]+$/.test(told[at - 1] ?? "") ? [] : [word];
  });
}

/** Words in English and in full, numbers in digits, names of several writings as one, letters that are spelt out. */
function read(raw: string): Word[] {
  const { formations, letters } = lists();
  const spoken = wordsOf(raw);
  const glued = new Set(spoken.filter(({ isGlued }) => isGlued).map(({ text }) => text));
  let told = asKnown(numbered(spoken.map(({ text }) => text))).flatMap(meant);
  told = inUnits(told);
  const within = told.length > 1;
  return told.map((word, at) => {
    const next = told[at + 1];
    const direction = at === 0 && within && !glued.has(word) && DIRECTIONS.get(word);
    if (direction && next && next.length > 1 && !formations.has(next) && !/^\d/.test(next))
      return { text: direction, isGlued: false };
    if (HEIGHT.test(word) && [told[at - 1], next].some((beside) => beside && HEIGHT_NUMBER.test(beside)))
      return { text: "point", isGlued: false };
    return { text: (within && letters.get(word)) || one(word), isGlued: glued.has(word) || letters.has(word) };
  });
}

const ROMAN = new Map([
  ["i", "1"],
  ["v", "5"],
  ["x", "10"],
]);

/**
 * Parts of what a unit, place, facility, vehicle, sensor or resource is called: numbers, letters that count ("B4", "Team
 * A") and words such as "upper" tell two of one kind apart, kinds weigh little. `formation`: how large the smallest one is
 * that is named, from a team to a corps.
 */
export function designationTokens(raw: string): {
  tokens: NamePart[];
  formation?: number;
  numbered?: ReadonlyMap<number, string>;
  acronyms: string[];
} {
  const { kinds, formations, tellingApart } = lists();
  const spoken = read(raw);
  const isKind = (word: Word | undefined): boolean => word !== undefined && kinds.has(word.text);
  const tokens = spoken.map(({ text, isGlued }, at): NamePart => {
    const isLast = at > 0 && at === spoken.length - 1;
    if (/^\d/.test(text)) return { ...tokenOf(text, WEIGHTS.number), isMark: true };
    if (text.length === 1 && /\p{L}/u.test(text)) {
      if (!isGlued && isLast && ROMAN.has(text)) return { ...tokenOf(ROMAN.get(text)!, WEIGHTS.number), isMark: true };
      const counts = isGlued || (isLast && spoken.length > 1) || isKind(spoken[at + 1]) || isKind(spoken[at - 1]);
      return counts ? { ...tokenOf(text, WEIGHTS.part), isMark: true } : tokenOf(text, WEIGHTS.initial);
    }
    if (tellingApart.has(text)) return { ...tokenOf(text, WEIGHTS.telling), isMark: true };
    if (connective(text)) return tokenOf(text, WEIGHTS.particle);
    return tokenOf(text, kinds.has(text) ? WEIGHTS.generic : WEIGHTS.part);
  });
  const numbered = new Map<number, string>();
  for (const [at, { text }] of spoken.entries()) {
    const rank = formations.get(text);
    const number = [spoken[at - 1], spoken[at - 2], spoken[at + 1]].find(
      (beside) => beside && /^\d+$/.test(beside.text),
    );
    if (rank !== undefined && number && !numbered.has(rank)) numbered.set(rank, number.text);
  }
  const ranks = spoken.flatMap(({ text }) => formations.get(text) ?? []);
  const initials = tokens
    .filter(({ weight, isMark }) => weight > WEIGHTS.particle && !isMark)
    .map(({ text }) => text[0])
    .join("");
  return {
    tokens,
    ...(ranks.length && { formation: Math.min(...ranks) }),
    ...(numbered.size > 1 && { numbered }),
    acronyms: initials.length > 1 ? [initials] : [],
  };
}
