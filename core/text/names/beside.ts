import { partLikeness } from "./likeness.ts";
import { tokenOf, type NamePart } from "./parts.ts";
import type { PreparedName } from "./prepared.ts";

/** How alike two parts must be to stand for each other. */
const LEAST_ALIKE = 0.6;

/** Two names, part by part. */
export interface Beside {
  /** As what both are compared. */
  kind: PreparedName["kind"];
  /** Parts that stand for each other. */
  pairs: readonly { one: NamePart; other: NamePart; likeness: number }[];
  onlyOne: readonly NamePart[];
  onlyOther: readonly NamePart[];
  /** What tells each from others of its kind; empty where nothing does. */
  marks: readonly [string, string];
}

/** Where one is a person's name and the other is not, or a body's and a thing's, both are compared as bodies' names. */
const kindOfBoth = (one: PreparedName, other: PreparedName): PreparedName["kind"] =>
  one.kind === other.kind ? one.kind : "organisation";

/** Lays two names side by side, in whatever order and form their parts are written. */
export function besideEachOther(one: PreparedName, other: PreparedName): Beside {
  const kind = kindOfBoth(one, other);
  const [all, others] = inOneForm(one.tokens, other.tokens);
  const marks = [marksOf(all), marksOf(others)] as const;
  let [ours, theirs] = [joinedAs(all, others), joinedAs(others, all)];
  if (kind === "designation") [ours, theirs] = [shortenedAs(ours, theirs), shortenedAs(theirs, ours)];
  const likeness = kind === "designation" ? likenessOf(marks[0] !== "" && marks[0] === marks[1]) : partLikeness;
  const pairs = aligned(ours, theirs, likeness);
  const [inOne, inOther] = [new Set(pairs.map((pair) => pair.one)), new Set(pairs.map((pair) => pair.other))];
  return {
    kind,
    pairs: pairs.map((pair) => ({ ...pair, one: ours[pair.one]!, other: theirs[pair.other]! })),
    onlyOne: ours.filter((_, at) => !inOne.has(at)),
    onlyOther: theirs.filter((_, at) => !inOther.has(at)),
    marks,
  };
}

interface Aligned {
  one: number;
  other: number;
  likeness: number;
}

/** The best partner for each part, the surest pairs first; no part twice. */
function aligned(one: readonly NamePart[], other: readonly NamePart[], likeness: typeof partLikeness): Aligned[] {
  const candidates: Aligned[] = [];
  for (let at = 0; at < one.length; at += 1)
    for (let against = 0; against < other.length; against += 1) {
      const value = likeness(one[at]!, other[against]!);
      if (value >= LEAST_ALIKE) candidates.push({ one: at, other: against, likeness: value });
    }
  candidates.sort((a, b) => b.likeness - a.likeness || Math.abs(a.one - a.other) - Math.abs(b.one - b.other));
  const [left, right] = [new Set<number>(), new Set<number>()];
  return candidates.filter((pair) => {
    if (left.has(pair.one) || right.has(pair.other)) return false;
    left.add(pair.one);
    right.add(pair.other);
    return true;
  });
}

/** Two words of one that the other writes as one: "J.P. Morgan", "JPMorgan". */
function joinedAs(one: readonly NamePart[], other: readonly NamePart[]): readonly NamePart[] {
  for (let at = 0; at + 1 < one.length; at += 1) {
    const [left, right] = [one[at]!, one[at + 1]!];
    const length = left.text.length + right.text.length;
    const same = other.find(
      ({ text }) => text.length === length && text.startsWith(left.text) && text.endsWith(right.text),
    );
    if (same && !same.isMark) return joinedAs([...one.slice(0, at), same, ...one.slice(at + 2)], other);
  }
  return one;
}

const SHORTEST_INITIALS = 2,
  LONGEST_INITIALS = 5;

/** Words of one that the other writes by their initials: "Forward Operating Base Harrier", "FOB Harrier". */
function shortenedAs(one: readonly NamePart[], other: readonly NamePart[]): readonly NamePart[] {
  for (const token of other) {
    const { text, isMark } = token;
    if (isMark || text.length < SHORTEST_INITIALS || text.length > LONGEST_INITIALS) continue;
    if (one.some((own) => own.text === text)) continue;
    for (let at = 0; at + text.length <= one.length; at += 1) {
      const run = one.slice(at, at + text.length);
      if (run.every((own, place) => own.text.length > 1 && own.text[0] === text[place]))
        return shortenedAs([...one.slice(0, at), token, ...one.slice(at + text.length)], other);
    }
  }
  return one;
}

/** Of the same number and kind a word's beginning says enough: "Leo 2A6", "Leopard 2A6". */
const isCut = (one: NamePart, other: NamePart): boolean => {
  const [short, long] = one.text.length < other.text.length ? [one, other] : [other, one];
  return !one.isMark && !other.isMark && short.text.length >= SHORTEST_CUT && long.text.startsWith(short.text);
};
const SHORTEST_CUT = 3,
  CUT = 0.9;

/** "engr", "mtn": the first letter and consonants of a word in their order, as services shorten. */
function isContracted(one: string, other: string): boolean {
  const [short, long] = one.length < other.length ? [one, other] : [other, one];
  if (short.length < 2 || long.length < short.length + 2 || short[0] !== long[0] || /[aeiou]/.test(short.slice(1)))
    return false;
  let at = 0;
  for (const letter of long) if (letter === short[at]) at += 1;
  return at === short.length;
}

const isWithin = ({ text, isMark }: NamePart): boolean => isMark && text.includes("~");

/** Numbers one in the other ("3/21") apart, where the other has them so ("3rd Battalion, 21st Infantry"). */
function inOneForm(one: readonly NamePart[], other: readonly NamePart[]): [readonly NamePart[], readonly NamePart[]] {
  if (one.some(isWithin) === other.some(isWithin)) return [one, other];
  const apart = (tokens: readonly NamePart[]): NamePart[] =>
    tokens.flatMap((token) =>
      isWithin(token) ? token.text.split("~").map((text) => ({ ...token, ...tokenOf(text, token.weight) })) : [token],
    );
  return [apart(one), apart(other)];
}

/** What tells it from others of its kind. */
const marksOf = (tokens: readonly NamePart[]): string =>
  tokens
    .filter(({ isMark }) => isMark)
    .map(({ text }) => text)
    .sort()
    .join(" ");

const likenessOf =
  (hasSameMarks: boolean): typeof partLikeness =>
  (one, other) =>
    isContracted(one.text, other.text) || (hasSameMarks && isCut(one, other)) ? CUT : partLikeness(one, other);
