/** Something told by a source in a report; copies of one report, and what one agency wrote, are one. */
export interface Voice {
  reportId: string;
  sourceId: number;
}

/**
 * The heaviest set of items of which no two share a report or a source: ten papers with one wire report are one voice,
 * and so is one paper with ten reports. It is a matching of reports with sources (augmenting paths, Kuhn 1955; reports
 * by falling weight, which is optimal for weights on reports since the matchable sets of one side are a matroid).
 */
export function independentPairs<T extends Voice>(items: readonly T[], weight: (item: T) => number): T[] {
  const byReport = Map.groupBy(
    [...items].sort((a, b) => weight(b) - weight(a)),
    ({ reportId }) => reportId,
  );
  const takenBy = new Map<number, T>();

  function place(reportId: string, tried: Set<number>): boolean {
    for (const item of byReport.get(reportId)!) {
      if (tried.has(item.sourceId)) continue;
      tried.add(item.sourceId);
      const holder = takenBy.get(item.sourceId);
      if (holder && !place(holder.reportId, tried)) continue;
      takenBy.set(item.sourceId, item);
      return true;
    }
    return false;
  }

  for (const reportId of byReport.keys()) place(reportId, new Set());
  return [...takenBy.values()].sort((a, b) => weight(b) - weight(a));
}
