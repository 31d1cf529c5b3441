/** Something told by a source in a story; a story is all copies of one report. */
export interface SourcedStory {
  storyId: string;
  sourceId: number;
}

/**
 * The heaviest set of items of which no two share a story or a source: ten papers with one wire report are one voice,
 * and so is one paper with ten reports. It is a matching of stories with sources (augmenting paths, Kuhn 1955; stories
 * by falling weight, which is optimal for weights on stories since the matchable sets of one side are a matroid).
 */
export function independentPairs<T extends SourcedStory>(items: readonly T[], weight: (item: T) => number): T[] {
  const byStory = Map.groupBy(
    [...items].sort((a, b) => weight(b) - weight(a)),
    ({ storyId }) => storyId,
  );
  const takenBy = new Map<number, T>();

  function place(storyId: string, tried: Set<number>): boolean {
    for (const item of byStory.get(storyId)!) {
      if (tried.has(item.sourceId)) continue;
      tried.add(item.sourceId);
      const holder = takenBy.get(item.sourceId);
      if (holder && !place(holder.storyId, tried)) continue;
      takenBy.set(item.sourceId, item);
      return true;
    }
    return false;
  }

  for (const storyId of byStory.keys()) place(storyId, new Set());
  return [...takenBy.values()].sort((a, b) => weight(b) - weight(a));
}
