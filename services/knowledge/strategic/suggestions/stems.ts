import { terms } from "../../../../core/text/words/terms.ts";

/** Stems of a text with their frequencies. */
export type StemCounts = ReadonlyMap<string, number>;

export const countsOf = (text: string): Map<string, number> => counted(terms(text));

/** The most frequent stems: what a long text is about. */
export const frequent = (counts: StemCounts, most: number): [string, number][] =>
  [...counts].sort(([, one], [, other]) => other - one).slice(0, most);

export function counted(stems: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const one of stems) counts.set(one, (counts.get(one) ?? 0) + 1);
  return counts;
}

/** A word that occurs ten times counts more than once, but not ten times as much. */
export const weight = (count: number): number => 1 + Math.log(count);
/** The stems that a contribution names. */
export const MOST_STEMS = 6;
export const heaviest = (weights: ReadonlyMap<string, number>): string[] =>
  [...weights]
    .filter(([, one]) => one > 0)
    .sort(([a, x], [b, y]) => y - x || (a < b ? -1 : 1))
    .slice(0, MOST_STEMS)
    .map(([one]) => one);

/** How rare a stem is: rare ones count much, those of nearly all texts next to nothing. */
export type Rarity = (one: string) => number;
export function rarity(texts: readonly StemCounts[]): Rarity {
  const seen = counted(texts.flatMap((text) => [...text.keys()]));
  return (one) => Math.log(1 + texts.length / (1 + (seen.get(one) ?? 0)));
}

const sizeOf = (counts: StemCounts, rare: Rarity): number =>
  Math.sqrt([...counts].reduce((sum, [one, count]) => sum + (weight(count) * rare(one)) ** 2, 0));

export function cosine(
  one: StemCounts,
  other: StemCounts,
  rare: Rarity,
): { value: number; shared: Map<string, number> } {
  const shared = new Map<string, number>();
  let dot = 0;
  for (const [each, count] of one) {
    const theirs = other.get(each);
    if (!theirs) continue;
    const by = weight(count) * weight(theirs) * rare(each) ** 2;
    shared.set(each, by);
    dot += by;
  }
  return { value: dot && dot / (sizeOf(one, rare) * sizeOf(other, rare)), shared };
}
