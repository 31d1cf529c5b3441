import { z } from "zod";
import type { Actor } from "../../../../core/access/access.ts";
import type { Ctx } from "../../../../core/access/caller.ts";
import { data } from "../../../../core/contract/answer.ts";
import { endpoint, type Host } from "../../../../core/contract/endpoint.ts";
import { notFound, Problem } from "../../../../core/problem.ts";
import { Instant, textId } from "../../../../core/records/entity.ts";
import { Device } from "../devices/devices.ts";
import { askedPlace, inspecting, placeQuery } from "../reach.ts";
import { topologyOf, type Graph } from "./graph.ts";
import { Link } from "./links.ts";
import { topologyFigures, shortestPath } from "./paths.ts";

const MOST_DEVICES = 5_000;
const MOST_LINKS = 10_000;

const NodeView = z.object({
  id: z.string(),
  kind: z.enum(["device", "platform", "unidentified"]),
  name: z.string().optional().describe("Of a device without one its model or an address."),
  state: z.string().optional(),
  compartments: z.array(z.string()).readonly().optional().describe("Those that a device lies in."),
});
const EdgeView = z
  .object({
    from: z.string(),
    to: z.string(),
    evidence: z.array(z.string()),
    confidence: z.number().describe("0 to 1: that of all the evidence together."),
    cost: z.number(),
    lastSeenAt: Instant,
    isOneSided: z.boolean().describe("Only one of the two ends reports it."),
    isManual: z.boolean().describe("Entered by hand: overrides observations."),
  })
  .meta({ id: "TopologyEdge" });
const Topology = z
  .object({
    nodes: z.array(NodeView),
    edges: z.array(EdgeView),
    more: z
      .literal(true)
      .optional()
      .describe(`Beyond ${MOST_DEVICES} devices or ${MOST_LINKS} links, those seen last.`),
  })
  .meta({ id: "Topology" });
const PathView = z
  .object({
    nodes: z.array(z.string()),
    edges: z.array(EdgeView),
    length: z.int().describe("Steps; 0 from a node to itself."),
    cost: z.number(),
  })
  .meta({ id: "TopologyPath" });
const FiguresView = z
  .object({
    nodes: z.int(),
    edges: z.int(),
    oneSided: z.int(),
    manual: z.int(),
    isolated: z.int(),
    components: z.int(),
    largestComponent: z.int(),
    meanDegree: z.number(),
    maxDegree: z.int(),
    byEvidence: z.record(z.string(), z.int()),
  })
  .meta({ id: "TopologyStats" });
const NodeId = textId(512);

/** The graph of what the caller sees, and of nothing else: what is hidden is no step of a path. */
async function graphFor(host: Host, ctx: Ctx<{ problemSetId?: string | undefined }>): Promise<Graph & { more?: true }> {
  const place = askedPlace(ctx.meta.actor as Actor, ctx.params);
  const [devices, links] = await Promise.all([
    host.store(Device).find(ctx, place, {
      sort: ["-lastSeenAt"],
      limit: MOST_DEVICES,
      fields: ["name", "model", "did", "state", "macs", "addresses", "compartments", "problemSetId", "audience"],
    }),
    host.store(Link).find(ctx, place, { sort: ["-lastSeenAt"], limit: MOST_LINKS }),
  ]);
  const isCut = devices.length === MOST_DEVICES || links.length === MOST_LINKS;
  return { ...topologyOf(devices, links), ...(isCut && { more: true as const }) };
}

export const topologyActions = {
  "topologies.get": endpoint({
    rest: "GET /topology",
    summary: "Show the network as a graph",
    permit: "signed-in",
    within: inspecting,
    query: placeQuery,
    returns: data(Topology),
    tool: "show_topology",
    description:
      "Devices, and the links between them as reported by collectors and the scanner. An end of a link " +
      "is the device with any of its hardware addresses; the network address is used last.",
    handler(ctx) {
      return graphFor(this, ctx);
    },
  }),

  "topologies.getStats": endpoint({
    rest: "GET /topology/stats",
    summary: "Show figures about the network",
    permit: "signed-in",
    within: inspecting,
    query: placeQuery,
    returns: data(FiguresView),
    async handler(ctx) {
      return topologyFigures(await graphFor(this, ctx));
    },
  }),

  "topologies.getPath": endpoint({
    rest: "GET /topology/path/:from/:to",
    summary: "Find the shortest path between two nodes",
    permit: "signed-in",
    within: inspecting,
    path: { from: NodeId.describe("Where the path begins."), to: NodeId.describe("Where it ends.") },
    query: placeQuery,
    returns: data(PathView),
    errors: { 404: "There is no such node, or no path." },
    description:
      "Finds the path with the lowest cost; among equal paths the choice is always the same. From a " +
      "node to itself, the path has no steps.",
    async handler(ctx) {
      const { from, to } = ctx.params;
      const graph = await graphFor(this, ctx);
      const unknown = [from, to].find((id) => !graph.nodes.some((node) => node.id === id));
      if (unknown !== undefined) throw notFound("node of the network", unknown);
      const path = shortestPath(graph, from, to);
      if (!path) throw new Problem(404, "NO_PATH", `No link seen so far leads from ${from} to ${to}.`);
      return { ...path, length: path.edges.length };
    },
  }),
};
