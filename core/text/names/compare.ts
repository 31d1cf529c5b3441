import { besideEachOther, type Beside } from "./beside.ts";
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
/** What parts that are not the same cost, by kind of name. */
const COSTS = {
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
/** From here on two names are taken for the same. */
export const SAME: Readonly<Record<PreparedName["kind"], number>> = {
  person: 0.77,
  organisation: 0.76,
  designation: 0.76,
};

const isAcronymOf = ({ tokens: [first, ...rest] }: PreparedName, { acronyms, tokens }: PreparedName): boolean =>
  first !== undefined &&
  rest.length === 0 &&
  tokens.length > 1 &&
  first.text.length >= SHORTEST_ACRONYM &&
  acronyms.includes(first.text);

const weigh = (tokens: readonly NamePart[]): number => tokens.reduce((sum, { weight }) => sum + weight, 0);

const weighKinds = (tokens: readonly NamePart[]): number =>
  tokens.reduce((sum, { weight }) => sum + (weight === WEIGHTS.generic ? COSTS.otherKind : weight), 0);

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

/** With its number a thing is told without its kind: "Christoph 31", "helicopter Christoph 31". */
const extraOf = (tokens: readonly NamePart[], hasSameMarks: boolean): number =>
  tokens.reduce(
    (sum, { weight, isMark }) =>
      sum +
      (isMark ? 0 : weight * (weight === WEIGHTS.generic && !hasSameMarks ? COSTS.extraKind : COSTS.extra.designation)),
    0,
  );

const differ = (one: unknown, other: unknown): boolean => one !== undefined && other !== undefined && one !== other;

/** Whether what both have of one kind tells them apart: generations, addresses, formations, numbers of a rank. */
const isOtherOne = (one: PreparedName, other: PreparedName): boolean =>
  differ(one.generation, other.generation) ||
  differ(one.address, other.address) ||
  differ(one.formation, other.formation) ||
  [...(one.numbered ?? [])].some(([rank, number]) => differ(number, other.numbered?.get(rank)));

function byParts(one: PreparedName, other: PreparedName): NameComparison {
  const isOther = isOtherOne(one, other);
  if (one.key === other.key && !isOther)
    return {
      ...NOTHING_APART,
      score: 1,
      pairs: one.tokens.map(({ text }) => ({ one: text, other: text, likeness: 1 })),
    };
  const beside = besideEachOther(one, other);
  const numbersDiffer = beside.marks[0] !== beside.marks[1];
  const joined = isOther ? 0 : writtenAsOne(one, other);
  if (joined > LEAST_JOINED) return { ...NOTHING_APART, numbersDiffer, score: joined * OF_JOINED };
  const held = beside.pairs.reduce((sum, pair) => sum + weightOf(pair) * pair.likeness, 0);
  const lost = lossOf(beside) + (isOther ? COSTS.apart : 0);
  return {
    score: held > 0 ? held / (held + lost) : 0,
    pairs: beside.pairs.map((pair) => ({ ...pair, one: pair.one.text, other: pair.other.text })),
    onlyOne: beside.onlyOne.map(({ text }) => text),
    onlyOther: beside.onlyOther.map(({ text }) => text),
    numbersDiffer,
    isAcronym: false,
  };
}

const NOTHING_APART = { pairs: [], onlyOne: [], onlyOther: [], numbersDiffer: false, isAcronym: false };

const LEAST_JOINED = 0.85;
const OF_JOINED = 0.97;
const SHORTEST_JOINED = 8;
/** How alike two names are without their blanks, where only one of them has some. */
function writtenAsOne(one: PreparedName, other: PreparedName): number {
  const [ours, theirs] = [one, other].map(({ tokens }) => tokens.map(({ text }) => text).join("")) as [string, string];
  if (ours === theirs) return 1;
  const isOneWord = (one.tokens.length === 1) !== (other.tokens.length === 1);
  const isLong = Math.min(ours.length, theirs.length) >= SHORTEST_JOINED;
  return isOneWord && isLong ? partLikeness(tokenOf(ours, 1), tokenOf(theirs, 1)) : 0;
}

const weightOf = ({ one, other }: Beside["pairs"][number]): number => (one.weight + other.weight) / 2;

/** What two names lose by parts that are not quite alike, that only one has, and by their numbers. */
function lossOf({ kind, pairs, onlyOne, onlyOther, marks: [left, right] }: Beside): number {
  const single = [...onlyOne, ...onlyOther];
  let lost = pairs.reduce((sum, pair) => sum + weightOf(pair) * (1 - pair.likeness) * COSTS.unlike[kind], 0);
  const weighed = kind === "designation" && onlyOne.length > 0 && onlyOther.length > 0 ? weighKinds : weigh;
  const [mine, yours] = [weighed(onlyOne), weighed(onlyOther)];
  const both = Math.min(mine, yours);
  lost += COSTS.conflict[kind] * 2 * both;
  if (kind === "designation" && both === 0) lost += extraOf(single, left !== "" && left === right);
  else lost += COSTS.extra[kind] * (Math.max(mine, yours) - both);
  if (mine === 0 || yours === 0) lost += single.filter(({ isDivision }) => isDivision).length * COSTS.division;
  if (left !== right) lost += left && right ? COSTS.apart : WEIGHTS.number;
  return lost;
}
