import { each, type Steps } from "../../../../core/work/turns.ts";
import type { Network } from "./network.ts";
import { pathMeasures, type NodeMeasure } from "./paths.ts";
import { degrees, eigenvector, pageRank } from "./spectral.ts";

export const MEASURES = ["degree", "betweenness", "closeness", "eigenvector", "pagerank"] as const;
export type MeasureName = (typeof MEASURES)[number];

export interface Centralities {
  measures: Record<MeasureName, NodeMeasure>;
  /** Every node was a source of paths; otherwise betweenness and closeness are estimates within bounds. */
  exact: boolean;
  sources: number;
  correlations: RankCorrelation[];
}

export interface RankCorrelation {
  of: MeasureName;
  with: MeasureName;
  /** Spearman's, -1..1; null where one of the two tells nothing apart. */
  value: number | null;
}

/** All measures of a network, as networkx defines them. `weighted`: a weight is strength, a path costs 1/weight. */
export function* centralitiesOf(network: Network, weighted: boolean, exactCost?: number): Steps<Centralities> {
  const { betweenness, closeness, exact, sources } = yield* pathMeasures(network, weighted, exactCost);
  const measures = {
    degree: { values: degrees(network, weighted) },
    ...{ betweenness, closeness },
    eigenvector: { values: yield* eigenvector(network, weighted) },
    pagerank: { values: yield* pageRank(network, weighted) },
  };
  return { measures, exact, sources, correlations: yield* rankCorrelations(measures) };
}

/** Values nearer than this are equal: rounding is no order. */
const SAME = 1e-12;

/** The rank of each value, from 1 for the least; equal ones share the mean of theirs. */
function ranks(values: Float64Array): Float64Array {
  const order = Uint32Array.from(values.keys()).sort((one, other) => values[one]! - values[other]!);
  const ranked = new Float64Array(values.length);
  for (let from = 0; from < order.length;) {
    let to = from + 1;
    while (to < order.length && values[order[to]!]! - values[order[to - 1]!]! <= SAME) to += 1;
    for (let at = from; at < to; at += 1) ranked[order[at]!] = (from + to + 1) / 2;
    from = to;
  }
  return ranked;
}

function correlation(one: Float64Array, other: Float64Array): number | null {
  const mean = (one.length + 1) / 2;
  let [both, first, second] = [0, 0, 0];
  for (let at = 0; at < one.length; at += 1) {
    const [x, y] = [one[at]! - mean, other[at]! - mean];
    both += x * y;
    first += x * x;
    second += y * y;
  }
  return first && second ? both / Math.sqrt(first * second) : null;
}

/** How alike the measures rank, each pair once. */
function* rankCorrelations(measures: Centralities["measures"]): Steps<RankCorrelation[]> {
  const ranked = yield* each(MEASURES, (name) => ranks(measures[name].values));
  return MEASURES.flatMap((name, at) =>
    MEASURES.slice(at + 1).map((other, behind) => ({
      of: name,
      with: other,
      value: correlation(ranked[at]!, ranked[at + 1 + behind]!),
    })),
  );
}
