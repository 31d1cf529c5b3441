import { z } from "zod";
import { data } from "../../../../core/contract/answer.ts";
import { endpoint } from "../../../../core/contract/endpoint.ts";
import { TextId } from "../../../../core/records/entity.ts";
import { memberOf } from "../../../../core/access/access.ts";
import { ENTITY_TYPES } from "../statements/vocabulary.ts";
import type { GraphNode } from "../view.ts";
import { viewsFor } from "../views/views.actions.ts";
import { reading } from "../workspaces/workspaces.actions.ts";
import { Workspace } from "../workspaces/workspaces.ts";
import { MEASURES, type MeasureName } from "./centrality.ts";
import { Compared, withNames, Place } from "./comparison.ts";
import { compared, limits } from "./measuring.ts";
import { EXACT_COST } from "./paths.ts";
import { MOST_SHOWN } from "./ranking.ts";

const places = Object.fromEntries(MEASURES.map((name) => [name, Place])) as Record<MeasureName, typeof Place>;
const Entity = z.object({ id: TextId, name: z.string(), type: z.enum(ENTITY_TYPES), ...places });
const Answer = Compared.omit({ ranked: true })
  .extend({
    status: z.literal("done"),
    entities: z.array(Entity).describe(`The first by any of the measures; at most ${MOST_SHOWN}.`),
  })
  .meta({ id: "CentralityComparison" });
const Begun = z
  .object({ status: z.literal("measuring"), jobId: z.string().describe("`GET /api/jobs/{id}` shows its progress.") })
  .meta({ id: "CentralityBegun" });

export const centralityActions = {
  "centralities.get": endpoint({
    rest: "GET /centrality-comparison",
    summary: "Calculate several centrality measures",
    permit: "signed-in",
    within: reading,
    query: {
      problemSetId: TextId.optional().describe("From this problem set; without it, from all of yours, side by side."),
      workspaceId: TextId.optional().describe("Within this workspace."),
      weighted: z
        .boolean()
        .default(false)
        .describe("The strength of an edge is the number of independent sources for it."),
      limit: z.int().min(1).max(MOST_SHOWN).default(20).describe("How many of the most central entities to return."),
    },
    returns: data(z.discriminatedUnion("status", [Answer, Begun])),
    accepted: ({ status }) => status === "measuring",
    tool: "compare_centrality",
    description:
      `Degree, betweenness (Brandes, normalised), closeness (Wasserman and Faust), eigenvector and ` +
      `PageRank (.85) as defined by networkx, on the graph that you see, taken as simple and ` +
      `undirected; an edge of strength w has length 1/w. If entities times relations exceed ` +
      `${limits.atOnce}, the answer is 202 with a job, and the result is available here once it is ` +
      `done; above ${EXACT_COST}, shortest paths start from a sample of entities only, and \`exact\` is ` +
      `false.`,
    async handler(ctx) {
      const { workspaceId, weighted, limit } = ctx.params;
      const workspace = workspaceId === undefined ? undefined : await this.store(Workspace).get(ctx, workspaceId);
      if (workspace) memberOf(ctx.meta.actor, workspace.problemSetId, reading.may);
      const problemSetId = workspace?.problemSetId ?? ctx.params.problemSetId;
      const views = await viewsFor(this, ctx, { problemSetId });
      const found = await compared(this, ctx, views, { weighted, workspaceId });
      if ("jobId" in found) return { status: "measuring" as const, jobId: found.jobId };
      const nodes = new Map(views.flatMap((view) => [...view.nodes] as [string, GraphNode][]));
      const { entities, ...rest } = withNames(found, nodes);
      return { status: "done" as const, ...rest, entities: entities.slice(0, limit) };
    },
  }),
};
