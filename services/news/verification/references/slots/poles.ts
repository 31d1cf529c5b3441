import { isPoleAxis, thingOf } from "../../../../../core/text/statements/states/poles.ts";
import { sameName } from "../../../../../core/text/statements/names.ts";
import type { Statement } from "../../../../../core/text/statements/statement.ts";
import { isByOthers, isOfOtherScope, likeness } from "../../../../../core/text/statements/themes.ts";
import { givenStates, type GivenState } from "./given-states.ts";
import { areOfOthers } from "./guards.ts";

/** Hours in which what passes does not change. */
const ONE_TIME = 6;

/** How surely two states are of one thing: 3 by its word, 2 by what the axis is said of, 1 by a word beside both. */
export interface PolesApart {
  sure: 1 | 2 | 3;
  reason: string;
}
type Sure = readonly [sure: PolesApart["sure"], of: string];

/** One thing in two exclusive states. `later`: by how many hours the candidate is, where that is known. */
export function polesApart(claim: Statement, candidate: Statement, later?: number): PolesApart | undefined {
  const mine = givenStates(claim);
  const theirs = mine && givenStates(candidate);
  if (!mine || !theirs) return undefined;
  const isOneTime = later !== undefined && Math.abs(later) <= ONE_TIME;
  const found = [...new Set(mine.map(({ axis }) => axis))].flatMap((axis) => {
    const of = (all: States): States => all.filter((it) => it.axis === axis);
    const [ones, others] = [of(mine), of(theirs)];
    return areApart(ones, others) && (isOneTime || !isPoleAxis(axis, "passing"))
      ? ones.flatMap((one) => others.flatMap((other) => apart(one, other, claim, candidate) ?? []))
      : [];
  });
  return found.sort((a, b) => b.sure - a.sure)[0];
}
type States = readonly GivenState[];

function apart(one: GivenState, other: GivenState, claim: Statement, candidate: Statement): PolesApart | undefined {
  const found = sureOf(one, other, claim, candidate);
  return found && { sure: found[0], reason: `two states of ${found[1]}: ${one.pole} and ${other.pole}` };
}

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

/** What both are said of, and how surely it is one. */
function sureOf(one: GivenState, other: GivenState, claim: Statement, candidate: Statement): Sure | undefined {
  if (areOfTwo(one, other, claim, candidate)) return undefined;
  if (isPoleAxis(one.axis, "event")) return [2, "the event"];
  const like = likeness(one.theme, other.theme);
  const [own] = sharedBy(one.own, other.own);
  if (own && like !== "apart") return [3, own];
  if (isPoleAxis(one.axis, "any") && one.own.size > 0 && other.own.size > 0) return [2, "one thing"];
  return like === "apart" || areOfOthers(claim, candidate) ? undefined : sureOfThing(one, other, like === "same");
}

function sureOfThing(one: GivenState, other: GivenState, isSame: boolean): Sure | undefined {
  const [mine, theirs] = [one, other].map(({ theme }) => (theme ? thingOf(theme.head) : undefined));
  if (isPoleAxis(one.axis, "person") && shareName(one.subject?.names, other.subject?.names)) return [3, "one person"];
  if (isSame || (mine !== undefined && mine === theirs && !ANY.test(mine))) return [3, mine!];
  const things = sharedBy(one.things, other.things);
  return things.length > 0 ? [things.length > 1 ? 2 : 1, things[0]!] : undefined;
}

const shareName = (one: readonly string[] = [], other: readonly string[] = []): boolean =>
  one.some((name) => other.some((it) => sameName(name, it)));

/** Whether both give one thing the same state. */
export function polesAlike(one: Statement, other: Statement): boolean {
  const mine = givenStates(one);
  const theirs = mine && givenStates(other);
  if (!mine || !theirs) return false;
  return mine.some((it) =>
    theirs.some(
      ({ axis, pole, own }) =>
        axis === it.axis && pole === it.pole && (own.size === 0 || sharedBy(own, it.own).length > 0),
    ),
  );
}

/** As `polesApart`, where that is sure enough for a rule. */
export function otherPole(claim: Statement, candidate: Statement, later?: number): string | undefined {
  const found = polesApart(claim, candidate, later);
  return found && found.sure > 1 ? found.reason : undefined;
}
