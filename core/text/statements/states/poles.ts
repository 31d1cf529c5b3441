import { lazily, lexicon } from "../../lexicon.ts";
import { phraseIndex, type Hit } from "../../words/phrases.ts";
import { baseOf } from "../../words/stem.ts";
import type { Word } from "../../words/words.ts";
import { conceptOf } from "../meaning.ts";

/** One of two exclusive states that a sentence names: indexes of its first and last word. */
export interface Pole {
  axis: string;
  pole: string;
  first: number;
  last: number;
}

/** A thing that a state may be of. */
export interface Thing {
  axis: string;
  term: string;
  first: number;
  last: number;
}

interface Axis {
  /** What it is said of; without it, of anything. */
  of?: readonly string[];
  traits?: readonly string[];
  ends: Readonly<Record<string, readonly string[]>>;
}

const axes = lexicon.poles.axes as Readonly<Record<string, Axis>>;

const index = lazily(() => ({
  poles: phraseIndex(
    Object.fromEntries(
      Object.entries(axes).flatMap(([axis, { ends }]) =>
        Object.entries(ends).map(([pole, forms]) => [`${axis}/${pole}`, forms] as const),
      ),
    ),
  ),
  things: phraseIndex(
    Object.fromEntries(Object.entries(axes).flatMap(([axis, { of }]) => (of ? [[axis, of] as const] : []))),
  ),
  groups: new Map(
    lexicon.poles.things.flatMap((group) => group.map((word) => [conceptOf(baseOf(word)), group[0]!] as const)),
  ),
}));

/** A concept, or the first of those that news uses for the same thing: "levee" for "dyke". */
export const thingOf = (concept: string): string => index().groups.get(concept) ?? concept;

/** What holds of an axis: `thing` if of one thing alone, `person`, `any`, `passing` if it changes within hours. */
export const isPoleAxis = (axis: string, trait: string): boolean => axes[axis]!.traits?.includes(trait) ?? false;

/** The other of two states. */
export const oppositeOf = (axis: string, pole: string): string =>
  Object.keys(axes[axis]!.ends).find((it) => it !== pole)!;

export interface Poles {
  poles: readonly Pole[];
  things: readonly Thing[];
}

const known = new WeakMap<readonly Word[], Poles>();

/** The states that the words of a sentence name, beside a thing that they may be of. */
export function polesIn(spoken: readonly Word[]): Poles {
  let found = known.get(spoken);
  if (!found) known.set(spoken, (found = readPoles(spoken)));
  return found;
}

const NOTHING: Poles = { poles: [], things: [] };

function readPoles(spoken: readonly Word[]): Poles {
  const hits = index().poles.find("", spoken);
  if (hits.length === 0) return NOTHING;
  const named = hits.map(poleOf);
  const things = index()
    .things.find("", spoken)
    .map(({ label, term, first, last }) => ({ axis: label, term, first, last }));
  const poles = named.filter(
    (one) =>
      !named.some((other) => other.axis === one.axis && isInside(one, other)) &&
      (!axes[one.axis]!.of || things.some((thing) => thing.axis === one.axis && !areOneWord(thing, one))),
  );
  return poles.length > 0 ? { poles, things } : NOTHING;
}

function poleOf({ label, first, last }: Hit): Pole {
  const [axis, pole] = label.split("/") as [string, string];
  return { axis, pole, first, last };
}

/** "Not a scratch" is longer than "scratch": it wins. */
const isInside = (one: Pole, other: Pole): boolean =>
  other.first <= one.first && other.last >= one.last && other.last - other.first > one.last - one.first;

const areOneWord = (one: Pick<Pole, "first" | "last">, other: Pick<Pole, "first" | "last">): boolean =>
  one.first >= other.first && one.last <= other.last;
