import { isAxis, kindsIn, otherPole, type Kind } from "../../../../../core/text/statements/kinds.ts";
import { areOfOthers, sharesName } from "./guards.ts";
import { isSupposed } from "../../../../../core/text/statements/occasion.ts";
import { isOfMatter, type Statement } from "../../../../../core/text/statements/statement.ts";
import { once } from "../../../../../core/once.ts";

const AROUND = 7;
/** "The limit" is a speed limit only near a word about speed. */
const OF_SPEED = /\b(?:speed\w*|fast\w*|slow\w*|km\w*|kph|mph|kilomet\w+|miles?|pace|driv\w+|travel\w+)\b/i;

/** "Moved to shelters", "remain in schools": only seats of organisations stay or move for good. */
const OF_SEAT = /\b(?:seats?|headquarter\w*|hq|head office|based|secretariat|capital)\b/i;

interface State extends Kind {
  pole: string;
  near: ReadonlySet<string>;
}

/** The words around a state, which name its subject. */
const nearOf = ({ senses }: Statement, { first, last }: Kind): ReadonlySet<string> =>
  new Set(
    senses
      .filter(
        ({ at, weight, pole }) =>
          weight === 1 && !pole && at >= first - AROUND && at <= last + AROUND && (at < first || at > last),
      )
      .map(({ concept }) => concept),
  );

/** "Would remain" is only predicted. */
const isOnlySupposed = (stated: Statement, at: number): boolean =>
  stated.words[at - 1]?.text !== "would" && isSupposed(stated, at);

const statesIn = once((stated: Statement): { states: State[] } | undefined => {
  const states = kindsIn(stated.words).states.flatMap((kind): State[] => {
    const { first, last, kind: axis } = kind;
    if (!isOfMatter(stated, stated.words[first]!) || isOnlySupposed(stated, first)) return [];
    if (axis === "speed" && !OF_SPEED.test(stated.text)) return [];
    if (axis === "seat" && !OF_SEAT.test(stated.text)) return [];
    const turned = stated.negations.filter(
      ({ at, from, to }) => (at < first || at > last) && first >= from && first <= to,
    ).length;
    // Who has not resigned was not dismissed.
    if (turned > 1 || (turned === 1 && isAxis(axis, "unturned"))) return [];
    const pole = turned === 1 ? otherPole(axis, kind.pole!) : kind.pole!;
    return [{ ...kind, pole, near: nearOf(stated, kind) }];
  });
  return states.length > 0 ? { states } : undefined;
});

/** Hours. */
const ONE_TIME = 6;
/** "A second suspect remains at large." */
const OTHERS =
  /\b(?:an?other|second|third|others?|accomplices?|(?:one|two|three|some|most|many|several) of|remaining|rest of)\b/i;

/**
 * One thing in two exclusive states: its load above what is allowed, and within it. `later`: by how many hours, where
 * that is known.
 */
export function otherState(claim: Statement, candidate: Statement, later?: number): string | undefined {
  const [mine, theirs] = [statesIn(claim)?.states, statesIn(candidate)?.states];
  if (!mine || !theirs || OTHERS.test(claim.text) !== OTHERS.test(candidate.text)) return undefined;
  for (const one of mine) {
    const same = theirs.filter(({ kind }) => kind === one.kind);
    if (isAxis(one.kind, "passing") && (later === undefined || Math.abs(later) > ONE_TIME)) continue;
    if (same.length === 0 || !areApart(one, mine, same)) continue;
    if (isAxis(one.kind, "named") && !sharesName(claim, candidate)) continue;
    if (isAxis(one.kind, "own") && areOfOthers(claim, candidate)) continue;
    const other = same.find(
      ({ near }) => !isAxis(one.kind, "partial") || [...one.near].some((concept) => near.has(concept)),
    );
    if (other) return `two states of one thing: ${one.pole} and ${other.pole}`;
  }
  return undefined;
}

/** The same whenever each was told: what has changed since bears nothing out, though it need not exclude it. */
export const statesAtAnyTime = (claim: Statement, candidate: Statement): string | undefined =>
  otherState(claim, candidate, 0);

/** Whether each side has one end, and not the same. Two copies of a text are one statement, with the same states. */
const areApart = (one: State, mine: readonly State[], theirs: readonly State[]): boolean =>
  mine.every(({ kind, pole }) => kind !== one.kind || pole === one.pole) &&
  theirs.every(({ pole }) => pole !== one.pole);
