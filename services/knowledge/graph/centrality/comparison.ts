import { z } from "zod";
import { barrier, Compartments } from "../../../../core/access/place.ts";
import { derivedId, sha256 } from "../../../../core/ids.ts";
import { entity, TextId, type Item } from "../../../../core/records/entity.ts";
import type { GraphNode, GraphView } from "../view.ts";
import { MEASURES, type Centralities, type MeasureName } from "./centrality.ts";
import type { Edge } from "./network.ts";

/** Entities of which a comparison tells the measures: the most central by any of them. */
export const MOST_SHOWN = 100;

export const Place = z.object({
  value: z.number(),
  rank: z.int().describe("From 1; equal values share it."),
  low: z
    .number()
    .optional()
    .describe("With `high`, where it is an estimate: the true value lies within, 95 of 100 times."),
  high: z.number().optional(),
});
const Ranked = z.object({ id: TextId, ...Object.fromEntries(MEASURES.map((name) => [name, Place])) } as {
  id: typeof TextId;
} & Record<MeasureName, typeof Place>);

export const Compared = z.object({
  nodes: z.int(),
  edges: z.int().describe("Pairs that are joined, by however many relations."),
  weighted: z.boolean(),
  exact: z.boolean().describe("Otherwise betweenness and closeness are estimates, with their bounds."),
  sources: z.int().describe("Entities from which paths were sought."),
  correlations: z
    .array(z.object({ of: z.enum(MEASURES), with: z.enum(MEASURES), value: z.number().nullable() }))
    .describe("Spearman's, of each two measures; null where one of them tells nothing apart."),
  ranked: z.array(Ranked),
});
export type Compared = z.output<typeof Compared>;

/** The comparison of a large graph, under a name that is made of that graph: whoever sees the same finds it. */
export const Comparison = entity("graph.comparisons", {
  title: "comparison of centrality",
  fields: { problemSetId: TextId, compartments: Compartments, compared: Compared },
  immutable: ["problemSetId", "compartments"],
  barrier,
});
export type Comparison = Item<typeof Comparison>;

/** The lines of a view among some of its entities; one line's strength is how many voices tell of it. */
export function edgesOf(view: GraphView, among: ReadonlySet<string>): Edge[] {
  return view.edges
    .filter(({ from, to }) => among.has(from) && among.has(to))
    .map(({ from, to, voices }) => ({ source: from, target: to, weight: voices.size }));
}

export const comparisonId = (ids: readonly string[], edges: readonly Edge[], weighted: boolean): string =>
  derivedId(
    `graph.comparisons/${weighted}/${sha256(ids.join())}/${sha256(
      edges
        .map(({ source, target, weight }) => `${source} ${target} ${weight}`)
        .sort()
        .join(),
    )}`,
  );

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
export function comparedOf(
  ids: readonly string[],
  { measures, exact, sources, correlations }: Centralities,
  { edges, weighted }: { edges: number; weighted: boolean },
): Compared {
  const ranks = Object.fromEntries(MEASURES.map((name) => [name, ranksOf(measures[name].values)])) as Record<
    MeasureName,
    Uint32Array
  >;
  const best = (node: number): number => Math.min(...MEASURES.map((name) => ranks[name][node]!));
  const all = Uint32Array.from(ids.keys()).sort((one, other) => best(one) - best(other) || one - other);
  return {
    ...{ nodes: ids.length, edges, weighted, exact, sources },
    correlations: correlations.map((one) => ({ ...one, value: one.value === null ? null : rounded(one.value) })),
    ranked: [...all.slice(0, MOST_SHOWN)].map((node) => {
      const places = MEASURES.map((name) => {
        const { values, low, high } = measures[name];
        const bounds = low && high ? { low: rounded(low[node]!), high: rounded(high[node]!) } : {};
        return [name, { value: rounded(values[node]!), rank: ranks[name][node]!, ...bounds }] as const;
      });
      return { id: ids[node]!, ...(Object.fromEntries(places) as Record<MeasureName, z.output<typeof Place>>) };
    }),
  };
}

/** With the names that the reader sees them by. */
export const named = ({ ranked, ...rest }: Compared, nodes: ReadonlyMap<string, GraphNode>) => ({
  ...rest,
  entities: ranked.flatMap(({ id, ...places }) => {
    const node = nodes.get(id);
    return node ? [{ id, name: node.name, type: node.type, ...places }] : [];
  }),
});
