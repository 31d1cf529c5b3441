import { figuresIn } from "./figures.ts";
import type { Sayings } from "./growth.ts";
import { isCount, type Series } from "./series.ts";
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

/** Whether a headline of one event gives a count that the other tells on. */
const isContinued = ({ sayings }: Profile, { series }: Profile): boolean =>
  sayings.some(({ article, texts: [headline] }) =>
    figuresIn(headline!).some(
      (figure) =>
        isCount(figure) &&
        Number.isInteger(figure.value) &&
        series.laterThan(figure, article.publishedAt) !== undefined,
    ),
  );

/**
 * Which events go on in which: one's headline gives a count that the other has moved on, and their headlines share a
 * name. Grouping holds such reports apart where their words have changed; the reader would be told the old count beside
 * the new.
 * @returns of each event the first of its group, and those that share a name with its headlines
 */
export function continued(profiles: readonly Profile[]): { roots: number[]; rivals: readonly number[][] } {
  const roots = profiles.map((_, at) => at);
  const rivals = profiles.map((): number[] => []);
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
        roots[Math.max(first, second)] = Math.min(first, second);
      }
  }
  return { roots: roots.map((_, at) => rootOf(at)), rivals };
}
