import { isPoleAxis, thingOf } from "../../../../../core/text/statements/states/poles.ts";
import { sameName } from "../../../../../core/text/statements/names.ts";
import type { Statement } from "../../../../../core/text/statements/statement.ts";
import { isByOthers, isOfOtherScope, likeness } from "../../../../../core/text/statements/themes.ts";
import { givenStates, type GivenState } from "./given-states.ts";
import { areOfOthers } from "./guards.ts";

/** Hours in which what passes does not change. */
const ONE_TIME = 6;

type States = readonly GivenState[];

/** On each axis that both sides give a state on, and that can be compared at their times: the states of each. */
function* shared(
  claim: Statement,
  candidate: Statement,
  later: number | undefined,
): Generator<{ axis: string; ones: States; others: States }> {
  const mine = givenStates(claim);
  const theirs = mine && givenStates(candidate);
  if (!mine || !theirs) return;
  const isOneTime = later !== undefined && Math.abs(later) <= ONE_TIME;
  for (const axis of new Set(mine.map((it) => it.axis))) {
    const of = (all: States): States => all.filter((it) => it.axis === axis);
    const [ones, others] = [of(mine), of(theirs)];
    if (others.length > 0 && (isOneTime || !isPoleAxis(axis, "passing"))) yield { axis, ones, others };
  }
}

/** What both sides give a state of, on one axis. */
const commonTo = (ones: States, others: States, claim: Statement, candidate: Statement): string | undefined =>
  ones.flatMap((one) => others.flatMap((other) => commonOf(one, other, claim, candidate) ?? []))[0];

/** One thing in two exclusive states. `later`: by how many hours the candidate is, where that is known. */
export function otherPole(claim: Statement, candidate: Statement, later?: number): string | undefined {
  for (const { ones, others } of shared(claim, candidate, later)) {
    const thing = areApart(ones, others) ? commonTo(ones, others, claim, candidate) : undefined;
    if (thing) return `two states of ${worded(thing, claim)}: ${ones[0]!.pole} and ${others[0]!.pole}`;
  }
  return undefined;
}

/** One thing in one state, in other words perhaps: "gave way" is what "broke" says. */
export function samePole(claim: Statement, candidate: Statement, later?: number): string | undefined {
  for (const { axis, ones, others } of shared(claim, candidate, later)) {
    if (!isOne([...ones, ...others]) || !isPoleAxis(axis, "thing")) continue;
    const thing = commonTo(ones, others, claim, candidate);
    if (thing) return `one state of ${worded(thing, claim)}: ${ones[0]!.pole}`;
  }
  return undefined;
}

/** A thing by the claim's own word for it, where that is a word and no key. */
const worded = (thing: string, { senses }: Statement): string =>
  senses.find(({ concept }) => thingOf(concept) === thing)?.word ?? (thing.includes(" ") ? thing : "one thing");

const isOne = (states: States): boolean => new Set(states.map(({ pole }) => pole)).size === 1;
/** Whether each side gives one end alone, and not the same. */
const areApart = (ones: States, others: States): boolean =>
  isOne(ones) && isOne(others) && ones[0]!.pole !== others[0]!.pole;

const ANY =
  /^(?:people|person|man|woman|±.*|two|three|group|company|firm|govern|country|party|side|villager|city|town|day|week|year)$/;
const sharedBy = (one: ReadonlySet<string>, other: ReadonlySet<string>): string[] =>
  [...one].filter((thing) => other.has(thing) && !ANY.test(thing));

/** Whether what one says holds of some of them, elsewhere, or by others' doing. */
const areOfTwo = (one: GivenState, other: GivenState, claim: Statement, candidate: Statement): boolean =>
  one.isOfSome !== other.isOfSome ||
  isOfOtherScope(claim, one.last, candidate, other.last) ||
  (one.places.length > 0 && other.places.length > 0 && !shareName(one.places, other.places)) ||
  (isPoleAxis(one.axis, "agent") && isByOthers(one.agent, other.agent));

/** What both are said of; undefined where it may be two things. */
function commonOf(one: GivenState, other: GivenState, claim: Statement, candidate: Statement): string | undefined {
  if (areOfTwo(one, other, claim, candidate)) return undefined;
  if (isPoleAxis(one.axis, "event")) return "the event";
  const like = likeness(one.theme, other.theme);
  const [own] = sharedBy(one.own, other.own);
  if (own && like !== "apart") return own;
  if (isPoleAxis(one.axis, "any") && one.own.size > 0 && other.own.size > 0) return "one thing";
  return like === "apart" || areOfOthers(claim, candidate) ? undefined : themeOfBoth(one, other, like === "same");
}

const FEWEST_COMMON = 2;

function themeOfBoth(one: GivenState, other: GivenState, isSame: boolean): string | undefined {
  const [mine, theirs] = [one, other].map(({ theme }) => (theme ? thingOf(theme.head) : undefined));
  if (isPoleAxis(one.axis, "person") && shareName(one.subject?.names, other.subject?.names)) return "one person";
  if (isSame || (mine !== undefined && mine === theirs && !ANY.test(mine))) return mine;
  const things = sharedBy(one.things, other.things);
  return things.length >= FEWEST_COMMON ? things[0] : undefined;
}

const shareName = (one: readonly string[] = [], other: readonly string[] = []): boolean =>
  one.some((name) => other.some((it) => sameName(name, it)));
