import { partLikeness } from "./likeness.ts";
import { tokenOf, WEIGHTS, type NamePart } from "./parts.ts";
import type { PreparedName } from "./prepared.ts";

/** Two parts that stand for each other. */
interface Pair {
  one: string;
  other: string;
  likeness: number;
}

export interface NameComparison {
  /** 0..1. */
  score: number;
  pairs: readonly Pair[];
  /** Parts that only one of them has. */
  onlyOne: readonly string[];
  onlyOther: readonly string[];
  /** Numbers tell them apart: "Fund VIII" and "Fund IX". */
  numbersDiffer: boolean;
  /** One is the initials of the other. */
  isAcronym: boolean;
}

/** What a name and its initials are worth. */
const ACRONYM = 0.85;
const SHORTEST_ACRONYM = 3;
export const RULES = {
  least: 0.6,
  /** What a part that only one has costs, where the other has none of its own; and where both have. */
  extra: { person: 0.22, organisation: 0.7, designation: 0.3 },
  /** The same of a kind of things: "Lhota" is not "Lhota bridge". */
  extraKind: 0.85,
  conflict: { person: 1, organisation: 0.9, designation: 0.9 },
  /** What a part costs that makes another body of a name. */
  division: 0.9,
  /** How much a pair counts that is not quite alike. */
  unlike: { person: 1.6, organisation: 1.5, designation: 2 },
  /** What a kind of things weighs where each has its own. */
  otherKind: 0.8,
  /** Two things of one kind, two formations, two generations. */
  apart: 2,
};
/** Where one is a person's name and the other is not, or a body's and a thing's, both are compared as bodies' names. */
const kindOfBoth = (one: PreparedName, other: PreparedName): PreparedName["kind"] =>
  one.kind === other.kind ? one.kind : "organisation";

/** From here on two names are taken for the same. */
export const SAME: Readonly<Record<PreparedName["kind"], number>> = {
  person: 0.77,
  organisation: 0.76,
  designation: 0.76,
};

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
      if (value >= RULES.least) candidates.push({ one: at, other: against, likeness: value });
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

const isAcronymOf = ({ tokens: [first, ...rest] }: PreparedName, { acronyms, tokens }: PreparedName): boolean =>
  first !== undefined &&
  rest.length === 0 &&
  tokens.length > 1 &&
  first.text.length >= SHORTEST_ACRONYM &&
  acronyms.includes(first.text);

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

const weigh = (tokens: readonly NamePart[]): number => tokens.reduce((sum, { weight }) => sum + weight, 0);

const weighKinds = (tokens: readonly NamePart[]): number =>
  tokens.reduce((sum, { weight }) => sum + (weight === WEIGHTS.generic ? RULES.otherKind : weight), 0);

const JOINED: NameComparison["pairs"] = [];

/** Two names, part by part, in whatever order: 1 for the same words. */
export function compareNames(one: PreparedName, other: PreparedName): NameComparison {
  let best = compareTwo(one, other);
  for (const mine of [one, ...(one.also ?? [])])
    for (const theirs of [other, ...(other.also ?? [])]) {
      if ((mine === one && theirs === other) || best.score === 1) continue;
      const told = compareTwo(mine, theirs);
      if (told.score > best.score) best = told;
    }
  return best;
}

function compareTwo(one: PreparedName, other: PreparedName): NameComparison {
  const isAcronym = isAcronymOf(one, other) || isAcronymOf(other, one);
  const told = byParts(one, other);
  return isAcronym ? { ...told, score: Math.max(told.score, ACRONYM), isAcronym } : told;
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

/** With its number a thing is told without its kind: "Christoph 31", "helicopter Christoph 31". */
const extraOf = (tokens: readonly NamePart[], hasSameMarks: boolean): number =>
  tokens.reduce(
    (sum, { weight, isMark }) =>
      sum +
      (isMark ? 0 : weight * (weight === WEIGHTS.generic && !hasSameMarks ? RULES.extraKind : RULES.extra.designation)),
    0,
  );

const differ = (one: unknown, other: unknown): boolean => one !== undefined && other !== undefined && one !== other;

function byParts(one: PreparedName, other: PreparedName): NameComparison {
  const [all, others] = inOneForm(one.tokens, other.tokens);
  const [left, right] = [marksOf(all), marksOf(others)];
  const numbersDiffer = left !== right;
  const isOtherOne =
    differ(one.generation, other.generation) ||
    differ(one.address, other.address) ||
    differ(one.formation, other.formation) ||
    [...(one.numbered ?? [])].some(([rank, number]) => differ(number, other.numbered?.get(rank)));
  if (one.key === other.key && !isOtherOne)
    return {
      score: 1,
      pairs: one.tokens.map(({ text }) => ({ one: text, other: text, likeness: 1 })),
      onlyOne: [],
      onlyOther: [],
      numbersDiffer: false,
      isAcronym: false,
    };
  const kind = kindOfBoth(one, other);
  let [ourTokens, theirTokens] = [joinedAs(all, others), joinedAs(others, all)];
  if (kind === "designation")
    [ourTokens, theirTokens] = [shortenedAs(ourTokens, theirTokens), shortenedAs(theirTokens, ourTokens)];
  const pairs = aligned(
    ourTokens,
    theirTokens,
    kind === "designation" ? likenessOf(left !== "" && !numbersDiffer) : partLikeness,
  );
  const [inOne, inOther] = [new Set(pairs.map((pair) => pair.one)), new Set(pairs.map((pair) => pair.other))];
  const onlyOne = ourTokens.filter((_, at) => !inOne.has(at));
  const onlyOther = theirTokens.filter((_, at) => !inOther.has(at));
  const told = {
    pairs: pairs.map((pair) => ({
      one: ourTokens[pair.one]!.text,
      other: theirTokens[pair.other]!.text,
      likeness: pair.likeness,
    })),
    onlyOne: onlyOne.map(({ text }) => text),
    onlyOther: onlyOther.map(({ text }) => text),
    numbersDiffer,
    isAcronym: false,
  };
  const whole = (name: PreparedName) => name.tokens.map(({ text }) => text).join("");
  const [ours, theirs] = [whole(one), whole(other)];
  const isJoined =
    (one.tokens.length === 1) !== (other.tokens.length === 1) && Math.min(ours.length, theirs.length) > 7;
  const joined = ours === theirs ? 1 : isJoined ? partLikeness(tokenOf(ours, 1), tokenOf(theirs, 1)) : 0;
  if (joined > 0.85 && !isOtherOne) return { ...told, pairs: JOINED, onlyOne: [], onlyOther: [], score: joined * 0.97 };
  let [held, lost] = [0, 0];
  for (const pair of pairs) {
    const weight = (ourTokens[pair.one]!.weight + theirTokens[pair.other]!.weight) / 2;
    held += weight * pair.likeness;
    lost += weight * (1 - pair.likeness) * RULES.unlike[kind];
  }
  const weighed = kind === "designation" && onlyOne.length > 0 && onlyOther.length > 0 ? weighKinds : weigh;
  const [mine, yours] = [weighed(onlyOne), weighed(onlyOther)];
  const both = Math.min(mine, yours);
  lost += RULES.conflict[kind] * 2 * both;
  if (kind === "designation" && both === 0) lost += extraOf([...onlyOne, ...onlyOther], left !== "" && !numbersDiffer);
  else lost += RULES.extra[kind] * (Math.max(mine, yours) - both);
  if (mine === 0 || yours === 0)
    lost += [...onlyOne, ...onlyOther].filter(({ isDivision }) => isDivision).length * RULES.division;
  if (numbersDiffer) lost += left && right ? RULES.apart : WEIGHTS.number;
  if (isOtherOne) lost += RULES.apart;
  return { ...told, score: held > 0 ? held / (held + lost) : 0 };
}
