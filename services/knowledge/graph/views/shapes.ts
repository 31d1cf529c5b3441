import { z } from "zod";
import { Instant, TextId } from "../../../../core/records/entity.ts";
import { ENTITY_TYPES, RELATION_NAMES } from "../statements/vocabulary.ts";
import type { Bounded, GraphEdge, GraphNode } from "../view.ts";

export const NodeView = z
  .object({
    id: TextId.describe("Canonical: of all that it is known as the oldest."),
    canonicalId: TextId.describe("The same; whatever of its ids you ask by."),
    name: z.string(),
    aliases: z.array(z.string()).describe("Other writings, the most frequent first; at most 20."),
    type: z.enum(ENTITY_TYPES),
    description: z.string().optional(),
    mentions: z.int(),
    sources: z.int().describe("Documents, stories and others that name it."),
    degree: z.int().describe("How many others it is joined with."),
    since: Instant,
    last: Instant,
  })
  .meta({ id: "GraphEntity" });

export const EdgeView = z
  .object({
    id: z.string(),
    from: TextId,
    to: TextId,
    relation: z.enum(RELATION_NAMES),
    sign: z.number().describe("-1 hostile … 1 friendly."),
    confidence: z.number().describe("0..1; one voice counts once, however often it is printed."),
    voices: z.int().describe("Sources that say so independently."),
    since: Instant,
    last: Instant,
  })
  .meta({ id: "GraphRelation" });

export const GraphData = {
  nodes: z.array(NodeView),
  edges: z.array(EdgeView),
  truncated: z.boolean().describe("There is more: the best connected and best supported are here."),
};

const MOST_ALIASES = 20;

export const nodeShown = (node: GraphNode): z.input<typeof NodeView> => ({
  id: node.id,
  canonicalId: node.id,
  name: node.name,
  aliases: node.aliases.slice(0, MOST_ALIASES),
  type: node.type,
  ...(node.description !== undefined && { description: node.description }),
  mentions: node.mentions,
  sources: node.sources.size,
  degree: node.degree,
  since: node.since,
  last: node.last,
});

const edgeShown = ({ voices, rows: _rows, ...edge }: GraphEdge): z.input<typeof EdgeView> => ({
  ...edge,
  voices: voices.size,
});

export const graphShown = ({ nodes, edges, truncated }: Bounded) => ({
  nodes: nodes.map(nodeShown),
  edges: edges.map(edgeShown),
  truncated,
});
