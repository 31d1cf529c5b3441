import { lazily, lexicon } from "../lexicon.ts";
import { phraseIndex } from "../words/phrases.ts";
import type { Word } from "../words/words.ts";

/** An act or a state that a sentence names, in any words: indexes of its first and last word. */
export interface Kind {
  kind: string;
  /** Its end, for a state. */
  pole?: string;
  first: number;
  last: number;
}

const deeds = lazily(() => phraseIndex(lexicon.kinds.deeds));
const states = lazily(() =>
  phraseIndex(
    Object.fromEntries(
      Object.entries(lexicon.kinds.states).flatMap(([axis, poles]) =>
        Object.entries(poles).map(([pole, forms]) => [`${axis} ${pole}`, forms] as const),
      ),
    ),
  ),
);

export interface Kinds {
  deeds: readonly Kind[];
  states: readonly Kind[];
}

const known = new WeakMap<readonly Word[], Kinds>();

/** The kinds of acts and states that the words of a sentence name. */
export function kindsIn(spoken: readonly Word[]): Kinds {
  let found = known.get(spoken);
  if (!found) known.set(spoken, (found = { deeds: deedsIn(spoken), states: statesIn(spoken) }));
  return found;
}

const deedsIn = (spoken: readonly Word[]): Kind[] =>
  deeds()
    .find("", spoken)
    .map(({ label, first, last }) => ({ kind: label, first, last }));

/** "Talk of overloading": the longer of two phrases at one place wins. */
function statesIn(spoken: readonly Word[]): Kind[] {
  const hits = states().find("", spoken);
  return hits
    .filter(
      (hit) =>
        !hits.some(
          (other) =>
            other.first <= hit.first && other.last >= hit.last && other.last - other.first > hit.last - hit.first,
        ),
    )
    .map(({ label, first, last }) => {
      const [kind, pole] = label.split(" ") as [string, string];
      return { kind, pole, first, last };
    });
}

/** How something of the event came about, by a sentence: what it is about, and what it names of it. */
export interface Way {
  /** What came about: "ignition". */
  of: string;
  /** Its ends: "arson". */
  ends: readonly Kind[];
}

const ways = lazily(() => {
  const all = Object.entries(lexicon.kinds.ways);
  return {
    about: new Map(all.map(([of, { of: about }]) => [of, phraseIndex({ about })] as const)),
    ends: phraseIndex(
      Object.fromEntries(
        all.flatMap(([of, { ends }]) =>
          Object.entries<readonly string[]>(ends).map(([end, forms]) => [`${of}/${end}`, forms] as const),
        ),
      ),
    ),
  };
});
const told = new WeakMap<readonly Word[], readonly Way[]>();

/** The ways that a sentence names for what it says came about. */
export function waysIn(spoken: readonly Word[]): readonly Way[] {
  let found = told.get(spoken);
  if (!found)
    told.set(
      spoken,
      (found = [...Map.groupBy(ways().ends.find("", spoken), ({ label }) => label.split("/")[0]!)].flatMap(
        ([of, named]): Way[] =>
          ways().about.get(of)!.find("", spoken).length === 0
            ? []
            : [
                {
                  of,
                  ends: named.map(({ label, first, last }) => ({ kind: of, pole: label.split("/")[1]!, first, last })),
                },
              ],
      )),
    );
  return found;
}

/** Whether an act of this kind belongs to the event itself, so that nothing else need be named. */
export const isWhole = (kind: string): boolean => (lexicon.kinds.whole as readonly string[]).includes(kind);

/** Of these an event has several: something near them must be common. */
const PARTIAL = new Set([
  "repair",
  "seat",
  "verdict",
  "bill",
  "result",
  "arms",
  "access",
  "custody",
  "integrity",
  "running",
]);
/** These change within hours: only what is reported at one time excludes each other. */
const PASSING = new Set(["contact", "custody", "access", "hostages", "walkout", "safety", "class", "study"]);
export const isPassingState = (axis: string): boolean => PASSING.has(axis);

/** States of an event's subject, so that nothing else need be named: two ships in one event are rare. */
export const isWholeState = (axis: string): boolean => !PARTIAL.has(axis);

/** The other end of a state. */
export const otherPole = (axis: string, pole: string): string =>
  Object.keys(lexicon.kinds.states[axis as keyof typeof lexicon.kinds.states]).find((other) => other !== pole)!;

const incidents = lazily(() => phraseIndex(lexicon.kinds.incidents));
const happened = new WeakMap<readonly Word[], ReadonlySet<string>>();

/** The sort of accident that a sentence names: a crash and an earthquake are two. */
function incidentsIn(spoken: readonly Word[]): ReadonlySet<string> {
  let found = happened.get(spoken);
  if (!found)
    happened.set(
      spoken,
      (found = new Set(
        incidents()
          .find("", spoken)
          .map(({ label }) => label),
      )),
    );
  return found;
}

/** Whether each names a sort of accident, and they share none. */
export function areOfTwoIncidents(one: readonly Word[], other: readonly Word[]): boolean {
  const mine = incidentsIn(one);
  if (mine.size === 0) return false;
  const theirs = incidentsIn(other);
  return theirs.size > 0 && ![...mine].some((sort) => theirs.has(sort));
}

/** Keys to find a sentence by: one word for each kind that it names. */
export const kindKeys = (spoken: readonly Word[]): string[] => {
  const { deeds, states } = kindsIn(spoken);
  return [...deeds, ...states].map(({ kind }) => `#${kind}`);
};
