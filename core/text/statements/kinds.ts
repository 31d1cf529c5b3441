import { lazily, lexicon } from "../lexicon.ts";
import { phraseIndex, type Hit, type PhraseIndex } from "../words/phrases.ts";
import { baseOf } from "../words/stem.ts";
import type { Word } from "../words/words.ts";
import { conceptOf } from "./meaning.ts";

/** An act or a state that a sentence names, in any words: indexes of its first and last word. */
export interface Kind {
  kind: string;
  /** Its end, for a state. */
  pole?: string;
  first: number;
  last: number;
}

const deeds = lazily(() => phraseIndex(lexicon.kinds.deeds));
type Ends = Readonly<Record<string, readonly string[]>>;
/** The forms of the ends of several axes, each under the names of both. */
const endsOf = (axes: readonly (readonly [axis: string, ends: Ends])[]): PhraseIndex<string> =>
  phraseIndex(
    Object.fromEntries(
      axes.flatMap(([axis, ends]) => Object.entries(ends).map(([end, forms]) => [`${axis}/${end}`, forms] as const)),
    ),
  );
function endOf({ label, first, last }: Hit): Required<Kind> {
  const [kind, pole] = label.split("/") as [string, string];
  return { kind, pole, first, last };
}

const states = lazily(() => endsOf(Object.entries(lexicon.kinds.states)));

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
    .map(endOf);
}

const ways = lazily(() => {
  const all = Object.entries(lexicon.kinds.ways);
  return {
    about: new Map(all.map(([axis, { of }]) => [axis, phraseIndex({ about: of })] as const)),
    ends: endsOf(all.map(([axis, { ends }]) => [axis, ends as Ends] as const)),
  };
});
const came = new WeakMap<readonly Word[], readonly Required<Kind>[]>();

/**
 * How something of the event came about, by a sentence that says what: `ignition` by `arson`. Their kind is what came
 * about, their pole how.
 */
export function waysIn(spoken: readonly Word[]): readonly Required<Kind>[] {
  let found = came.get(spoken);
  if (!found) {
    const named = ways().ends.find("", spoken).map(endOf);
    const told = new Set(named.map(({ kind }) => kind));
    for (const axis of told) if (ways().about.get(axis)!.find("", spoken).length === 0) told.delete(axis);
    came.set(spoken, (found = named.filter(({ kind }) => told.has(kind))));
  }
  return found;
}

const nature = lazily(
  () =>
    new Set(
      [...lexicon.kinds.counted.animals, ...lexicon.kinds.counted.trees, ...lexicon.kinds.nature].map((form) =>
        conceptOf(baseOf(form)),
      ),
    ),
);
/** Whether a concept is of animals, trees or waters, and no people. */
export const isNature = (concept: string): boolean => nature().has(concept);

/** Whether an act of this kind belongs to the event itself, so that nothing else need be named. */
export const isWhole = (kind: string): boolean => (lexicon.kinds.whole as readonly string[]).includes(kind);

/** What holds of a state's axis, by the lexicon. */
export const isAxis = (axis: string, trait: keyof typeof lexicon.kinds.axes): boolean =>
  (lexicon.kinds.axes[trait] as readonly string[]).includes(axis);

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
