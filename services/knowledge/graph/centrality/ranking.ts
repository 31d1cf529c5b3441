import { createHash } from "node:crypto";
import { derivedId } from "../../../../core/ids.ts";
import type { Steps } from "../../../../core/work/turns.ts";
import { MEASURES, type Centralities, type MeasureName } from "./centrality.ts";
import type { Compared } from "./comparison.ts";
import type { WeightedEdge } from "./network.ts";

/** Entities of which a comparison tells the measures: the most central by any of them. */
export const MOST_SHOWN = 100;
const STEP = 2_048;

/** Names a comparison by all that it is made of; entities and lines in the view's own order. */
export function* comparisonId(
  ids: readonly string[],
  edges: readonly WeightedEdge[],
  weighted: boolean,
): Steps<string> {
  const hash = createHash("sha256").update(String(weighted));
  for (let from = 0; from < ids.length; from += STEP) {
    hash.update(ids.slice(from, from + STEP).join());
    yield;
  }
  for (let from = 0; from < edges.length; from += STEP) {
    const slice = edges.slice(from, from + STEP);
    hash.update(slice.map(({ source, target, weight }) => `;${source} ${target} ${weight}`).join(""));
    yield;
  }
  return derivedId(`graph.comparisons/${hash.digest("hex")}`);
}

/** The rank of each node, from 1 for the highest value. */
function ranksOf(values: Float64Array): Uint32Array {
  const order = Uint32Array.from(values.keys()).sort((one, other) => values[other]! - values[one]!);
  const ranks = new Uint32Array(values.length);
  for (let at = 0; at < order.length; at += 1) {
    const [node, before] = [order[at]!, order[at - 1]];
    const isEqual = before !== undefined && values[before]! - values[node]! <= 1e-12;
    ranks[node] = isEqual ? ranks[before]! : at + 1;
  }
  return ranks;
}

const rounded = (value: number): number => Number(value.toPrecision(12));

/** What is told of the measures of a network: of the first by each measure, each with all of them. */
export function* comparedOf(
  ids: readonly string[],
  { measures, exact, sources, correlations }: Centralities,
  { edges, weighted }: { edges: number; weighted: boolean },
): Steps<Compared> {
  const ranks = {} as Record<MeasureName, Uint32Array>;
  for (const name of MEASURES) {
    ranks[name] = ranksOf(measures[name].values);
    yield;
  }
  const best = Uint32Array.from(ids, (_, node) => Math.min(...MEASURES.map((name) => ranks[name][node]!)));
  yield;
  const all = Uint32Array.from(ids.keys()).sort((one, other) => best[one]! - best[other]! || one - other);
  return {
    ...{ nodes: ids.length, edges, weighted, exact, sources },
    correlations: correlations.map((one) => ({ ...one, value: one.value === null ? null : rounded(one.value) })),
    ranked: [...all.slice(0, MOST_SHOWN)].map((node) => {
      const placeIn = (name: MeasureName) => {
        const { values, low, high } = measures[name];
        const bounds = low && high ? { low: rounded(low[node]!), high: rounded(high[node]!) } : {};
        return [name, { value: rounded(values[node]!), rank: ranks[name][node]!, ...bounds }] as const;
      };
      const places = Object.fromEntries(MEASURES.map(placeIn)) as Omit<Compared["ranked"][number], "id">;
      return { id: ids[node]!, ...places };
    }),
  };
}
