import { lazily, lexicon } from "../lexicon.ts";
import type { NamePart } from "./parts.ts";
import { consonants } from "./skeleton.ts";

const nicknames = lazily(() => {
  const groups = new Map<string, Set<number>>();
  lexicon.nameParts.nicknames.forEach((forms, group) =>
    forms.forEach((form) => groups.set(form, (groups.get(form) ?? new Set()).add(group))),
  );
  return groups;
});

/** Whether two given names stand for each other ("Bill", "William"), are two names ("Ivan", "Ivana"), or are not known. */
function givenNames(one: string, other: string): "same" | "other" | "unknown" {
  const [left, right] = [nicknames().get(one), nicknames().get(other)];
  if (!left || !right) return "unknown";
  for (const group of left) if (right.has(group)) return "same";
  return "other";
}

/** Endings by which family names of one stem are two: "Kowalski", "Kowalczyk". */
const ENDINGS = [
  /(?:sk|ck)(?:i|y|iy|yi|yj|ij|a|aya)$/,
  /(?:czyk|chik|tschik)$/,
  /(?:w?icz|[eo]v?i[cć]h?|itch)$/,
  /enk[oa]$/,
  /(?:ch)?uk$/,
];
const endingOf = (word: string): number => ENDINGS.findIndex((ending) => ending.test(word));
const endOtherwise = (one: string, other: string): boolean => {
  const [here, there] = [endingOf(one), endingOf(other)];
  return here >= 0 && there >= 0 && here !== there;
};

/** "northern" and "southern" are alike and never the same. */
const directionOf = (word: string): string | undefined => /^(?:north|south|east|west)/.exec(word)?.[0];

const LONGEST = 32;
const WIDTH = LONGEST + 1;
const table = new Float64Array(WIDTH * WIDTH);
for (let at = 0; at < WIDTH; at += 1) table[at] = table[at * WIDTH] = at;

const VOWELS = new Set("aeiouy");
const ALIKE = new Set(["0o", "1i", "1l", "3e", "4a", "5s", "8b", "bp", "dt", "gk", "vw", "sz", "fv", "mn"]);
export const COSTS = { vowel: 0.7, alike: 0.6, swap: 0.8, double: 0.4, leftOut: 0.8 };

function costOfChange(one: string, other: string): number {
  if (VOWELS.has(one) && VOWELS.has(other)) return COSTS.vowel;
  return ALIKE.has(one + other) || ALIKE.has(other + one) ? COSTS.alike : 1;
}

/** Costs of letters of ASCII, looked up for each pair of letters: of one written as another, and of one put in or left out. */
const LETTERS = 128;
const change = Float64Array.from({ length: LETTERS * LETTERS }, (_, at) =>
  costOfChange(String.fromCharCode(Math.floor(at / LETTERS)), String.fromCharCode(at % LETTERS)),
);
const put = Float64Array.from({ length: LETTERS }, (_, code) =>
  VOWELS.has(String.fromCharCode(code)) ? COSTS.leftOut : 1,
);
const changing = (one: number, other: number): number =>
  one < LETTERS && other < LETTERS ? change[one * LETTERS + other]! : 1;
const putting = (code: number): number => (code < LETTERS ? put[code]! : 1);

/** What it costs to make one word of the other: letters put in, left out, changed, or two that changed places. */
export function edits(one: string, other: string): number {
  const [rows, columns] = [Math.min(one.length, LONGEST), Math.min(other.length, LONGEST)];
  for (let row = 1; row <= rows; row += 1) {
    const letter = one.charCodeAt(row - 1);
    for (let column = 1; column <= columns; column += 1) {
      const against = other.charCodeAt(column - 1);
      const above = table[(row - 1) * WIDTH + column]!;
      const left = table[row * WIDTH + column - 1]!;
      const before = table[(row - 1) * WIDTH + column - 1]!;
      if (letter === against) {
        table[row * WIDTH + column] = before;
        continue;
      }
      const dropped = row > 1 && one.charCodeAt(row - 2) === letter ? COSTS.double : putting(letter);
      const added = column > 1 && other.charCodeAt(column - 2) === against ? COSTS.double : putting(against);
      let least = Math.min(before + changing(letter, against), above + dropped, left + added);
      if (row > 1 && column > 1 && one.charCodeAt(row - 2) === against && other.charCodeAt(column - 2) === letter)
        least = Math.min(least, table[(row - 2) * WIDTH + column - 2]! + COSTS.swap);
      table[row * WIDTH + column] = least;
    }
  }
  return table[rows * WIDTH + columns]!;
}

const LIKENESS = { initial: 0.75, nickname: 0.9, sound: 0.95, shortened: 0.9 };

/** How alike two parts of names are, 0..1. */
export function partLikeness(one: NamePart, other: NamePart): number {
  if (one.text === other.text) return 1;
  if (one.isMark || other.isMark) return 0;
  const given = givenNames(one.text, other.text);
  if (given === "same") return LIKENESS.nickname;
  if (given === "other" || endOtherwise(one.text, other.text)) return 0;
  if (one.isAbjad !== other.isAbjad && consonants((one.isAbjad ? one : other).text).length > 1)
    return consonants(one.text) === consonants(other.text) ? LIKENESS.sound : 0;
  const [short, long] = one.text.length < other.text.length ? [one, other] : [other, one];
  if (short.text.length === 1) return long.text.startsWith(short.text) ? LIKENESS.initial : 0;
  if (one.skeleton === other.skeleton && short.text.length > 2) return LIKENESS.sound;
  if (short.isShortened && long.text.startsWith(short.text)) return LIKENESS.shortened;
  if (short.text.length < 3 || long.text.length > 2 * short.text.length) return 0;
  const [here, there] = [directionOf(one.text), directionOf(other.text)];
  if (here && there && here !== there) return 0;
  const byLetters = 1 - edits(one.text, other.text) / long.text.length;
  const bySound =
    one.skeleton.length > 2 && other.skeleton.length > 2
      ? 1 - edits(one.skeleton, other.skeleton) / Math.max(one.skeleton.length, other.skeleton.length)
      : 0;
  return Math.max(byLetters, bySound * LIKENESS.sound);
}
