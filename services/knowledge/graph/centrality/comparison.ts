import { z } from "zod";
import { barrier, Compartments } from "../../../../core/access/place.ts";
import { entity, TextId, type Item } from "../../../../core/records/entity.ts";
import type { GraphNode } from "../view.ts";
import { MEASURES, type MeasureName } from "./centrality.ts";

export const Place = z.object({
  value: z.number(),
  rank: z.int().describe("From 1; equal values share it."),
  low: z.number().optional().describe("With `high`, for an estimate: the 95 % interval of the true value."),
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
    .describe("Spearman's, for each pair of measures; null if one of them is constant."),
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

/** With the names that the reader sees them by. */
export const withNames = ({ ranked, ...rest }: Compared, nodes: ReadonlyMap<string, GraphNode>) => ({
  ...rest,
  entities: ranked.flatMap(({ id, ...places }) => {
    const node = nodes.get(id);
    return node ? [{ id, name: node.name, type: node.type, ...places }] : [];
  }),
});
