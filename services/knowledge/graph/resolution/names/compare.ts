import { partLikeness } from "./likeness.ts";
import { tokenOf, WEIGHTS, type PreparedName, type NamePart } from "./tokens.ts";

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
  extra: { person: 0.22, organisation: 0.7 },
  conflict: { person: 1, organisation: 0.9 },
  /** What a part costs that makes another body of a name. */
  division: 0.9,
  /** How much a pair counts that is not quite alike. */
  unlike: { person: 1.6, organisation: 1.5 },
};
/** From here on two names are taken for the same. */
export const SAME: Readonly<Record<PreparedName["kind"], number>> = { person: 0.77, organisation: 0.76 };

interface Aligned {
  one: number;
  other: number;
  likeness: number;
}

/** The best partner for each part, the surest pairs first; no part twice. */
function aligned(one: readonly NamePart[], other: readonly NamePart[]): Aligned[] {
  const candidates: Aligned[] = [];
  for (let at = 0; at < one.length; at += 1)
    for (let against = 0; against < other.length; against += 1) {
      const value = partLikeness(one[at]!, other[against]!);
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
    if (same && !same.isNumber) return joinedAs([...one.slice(0, at), same, ...one.slice(at + 2)], other);
  }
  return one;
}

const weigh = (tokens: readonly NamePart[]): number => tokens.reduce((sum, { weight }) => sum + weight, 0);

const JOINED: NameComparison["pairs"] = [];

/** Two names, part by part, in whatever order: 1 for the same words. */
export function compareNames(one: PreparedName, other: PreparedName): NameComparison {
  const isAcronym = isAcronymOf(one, other) || isAcronymOf(other, one);
  const told = byParts(one, other);
  return isAcronym ? { ...told, score: Math.max(told.score, ACRONYM), isAcronym } : told;
}

function byParts(one: PreparedName, other: PreparedName): NameComparison {
  const numbers = (name: PreparedName) =>
    name.tokens
      .filter(({ isNumber }) => isNumber)
      .map(({ text }) => text)
      .sort()
      .join(" ");
  const [left, right] = [numbers(one), numbers(other)];
  const numbersDiffer = left !== right;
  if (one.key === other.key)
    return {
      score: 1,
      pairs: one.tokens.map(({ text }) => ({ one: text, other: text, likeness: 1 })),
      onlyOne: [],
      onlyOther: [],
      numbersDiffer: false,
      isAcronym: false,
    };
  const [ourTokens, theirTokens] = [joinedAs(one.tokens, other.tokens), joinedAs(other.tokens, one.tokens)];
  const pairs = aligned(ourTokens, theirTokens);
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
  if (joined > 0.85) return { ...told, pairs: JOINED, onlyOne: [], onlyOther: [], score: joined * 0.97 };
  const { kind } = one;
  let [held, lost] = [0, 0];
  for (const pair of pairs) {
    const weight = (ourTokens[pair.one]!.weight + theirTokens[pair.other]!.weight) / 2;
    held += weight * pair.likeness;
    lost += weight * (1 - pair.likeness) * RULES.unlike[kind];
  }
  const [mine, yours] = [weigh(onlyOne), weigh(onlyOther)];
  const both = Math.min(mine, yours);
  lost += RULES.conflict[kind] * 2 * both + RULES.extra[kind] * (Math.max(mine, yours) - both);
  if (mine === 0 || yours === 0)
    lost += [...onlyOne, ...onlyOther].filter(({ isDivision }) => isDivision).length * RULES.division;
  if (numbersDiffer) lost += left && right ? 2 : WEIGHTS.number;
  return { ...told, score: held > 0 ? held / (held + lost) : 0 };
}
