import { figuresIn } from "../figures/figures.ts";
import type { Sayings } from "../figures/growth.ts";
import { isCount, type Series } from "../figures/series.ts";
import { dot, type Vector } from "./vectors.ts";

/** What one event is compared with others by. */
export interface Profile {
  /** Of each voice, oldest first. */
  sayings: readonly Sayings[];
  series: Series;
  centroid: Vector;
}

/** Two reports of one event are at least so near. */
const NEAR = 0.12;
/** Whom so many events have in their headlines is a country or an office, and tells no event. */
const MOST_NAMED = 6;
const CAPITAL = /(?<!\p{L})\p{Lu}\p{L}{2,}/gu;

/** Words of the headlines that are written with a capital wherever the event's texts have them. */
function namesOf({ sayings }: Profile): Set<string> {
  const found = new Set(sayings.flatMap(({ texts }) => texts[0]!.match(CAPITAL) ?? []));
  const spoken = new Set(sayings.flatMap(({ texts }) => texts.flatMap((text) => text.match(LOWER) ?? [])));
  return new Set([...found].filter((name) => !spoken.has(name.toLowerCase())));
}
const LOWER = /(?<!\p{L})\p{Ll}{3,}/gu;

/** What comes after an event has its own count. */
const ANOTHER =
  /(?<!\p{L})(?:aftershocks?|(?:second|another|new|fresh|renewed) (?:attack|strike|blast|explosion|quake|earthquake|tremor|shock|wave|raid|shooting)|nachbeben|répliques?|réplicas?|scossa di assestamento|афтершок\p{L}*)(?!\p{L})|هزة ارتدادية/iu;

/** Whether an event is told as one that came after another. */
const isAnother = ({ sayings }: Profile): boolean =>
  2 * sayings.filter(({ texts: [headline] }) => ANOTHER.test(headline!)).length >= sayings.length;

/** Whether a headline of one event gives a count that the other tells on. */
const isContinued = (one: Profile, { series }: Profile): boolean =>
  one.sayings.some(({ article, texts: [headline] }) =>
    figuresIn(headline!).some(
      (figure) =>
        isCount(figure) &&
        Number.isInteger(figure.value) &&
        series.laterThan(figure, article.publishedAt) !== undefined,
    ),
  );

/** How events hang together. */
export interface Folding {
  /** Of each event the first of its group. */
  roots: number[];
  /** Those that share a name with its headlines. */
  rivals: readonly number[][];
  /** Those of its aftermath that tell on its count: an aftershock has its own dead, and knows of the earthquake's. */
  sequels: readonly number[][];
}

/**
 * Which events go on in which: one's headline gives a count that the other has moved on, and their headlines share a
 * name. Grouping holds such reports apart where their words have changed; the reader would be told the old count beside
 * the new.
 */
export function continued(profiles: readonly Profile[]): Folding {
  const roots = profiles.map((_, at) => at);
  const rivals = profiles.map((): number[] => []);
  const sequels = profiles.map((): number[] => []);
  const another = profiles.map(isAnother);
  const rootOf = (at: number): number => (roots[at] === at ? at : rootOf(roots[at]!));
  const named = new Map<string, number[]>();
  for (const [at, profile] of profiles.entries())
    for (const name of namesOf(profile)) named.set(name, [...(named.get(name) ?? []), at]);
  for (const together of named.values()) {
    if (together.length > MOST_NAMED) continue;
    for (const one of together)
      for (const other of together) {
        if (one === other) continue;
        rivals[one]!.push(other);
        const [a, b] = [profiles[one]!, profiles[other]!];
        if (rootOf(one) === rootOf(other) || dot(a.centroid, b.centroid) < NEAR || !isContinued(a, b)) continue;
        const [first, second] = [rootOf(one), rootOf(other)];
        if (another[one] === another[other]) roots[Math.max(first, second)] = Math.min(first, second);
        else if (another[other]) sequels[one]!.push(other);
      }
  }
  return { roots: roots.map((_, at) => rootOf(at)), rivals, sequels };
}
