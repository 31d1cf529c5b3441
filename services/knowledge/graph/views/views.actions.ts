import { z } from "zod";
import { memberOf } from "../../../../core/access/access.ts";
import type { Ctx } from "../../../../core/access/caller.ts";
import { data } from "../../../../core/contract/answer.ts";
import { endpoint, type Host } from "../../../../core/contract/endpoint.ts";
import { invalid } from "../../../../core/problem.ts";
import { Instant, TextId } from "../../../../core/records/entity.ts";
import { fold } from "../../../../core/text/words/words.ts";
import { inTurns, type Steps } from "../../../../core/work/turns.ts";
import { graphOf } from "../memory.ts";
import { ENTITY_TYPES, labelOf, RELATION_NAMES } from "../statements/vocabulary.ts";
import { bounded, MOST_EDGES, MOST_NODES, those, type GraphNode, type GraphView } from "../view.ts";
import { onWorkspace, reading } from "../workspaces/workspaces.actions.ts";
import { withinWorkspace, Workspace } from "../workspaces/workspaces.ts";
import { answerOf, askedIn, pieceIn, wholeOf } from "./answering.ts";
import { GraphData, nodeShown, NodeView } from "./shapes.ts";

/** More problem sets are not looked through in one answer. */
const MOST_SETS = 100;

const at = Instant.optional().describe("The graph at that moment, as far as it was known then.");
const room = {
  nodes: z.int().min(1).max(MOST_NODES).default(500).describe("Maximum number of entities."),
  edges: z.int().min(1).max(MOST_EDGES).default(2_500).describe("Maximum number of relations."),
};

const GraphAnswer = z
  .object({
    problemSetId: z.string().optional().describe("Where it is one set's."),
    workspaceId: z.string().optional(),
    ...GraphData,
    total: z.object({ nodes: z.int(), edges: z.int() }).describe("Of the request, as you see it."),
  })
  .meta({ id: "Graph" });

/** The problem sets of the caller whose graphs they may read. */
export const setsOf = (ctx: Ctx<unknown>): string[] =>
  Object.entries(ctx.meta.actor?.memberships ?? {})
    .filter(([, { permits }]) => permits.some((one) => one === "*" || one === "*:read" || one.startsWith("graph:")))
    .map(([id]) => id)
    .sort()
    .slice(0, MOST_SETS);

/** The graphs that a question is put to: of one set, or of all that the caller is a member of. */
export async function viewsFor(
  host: Host,
  ctx: Ctx<unknown>,
  { problemSetId, at: moment }: { problemSetId?: string | undefined; at?: string | undefined },
): Promise<GraphView[]> {
  const views: GraphView[] = [];
  for (const id of problemSetId === undefined ? setsOf(ctx) : [problemSetId])
    views.push(await graphOf(host, ctx, { problemSetId: id, at: moment }));
  return views;
}

const MOST_PIECES = 100_000;

const query = {
  workspaceId: TextId.optional().describe("Within this workspace."),
  problemSetId: TextId.optional().describe("From this problem set; without it and a workspace, from all of yours."),
  q: z.string().max(200).optional().describe("A part of a name."),
  type: z.enum(ENTITY_TYPES).optional(),
  relation: z.enum(RELATION_NAMES).optional(),
  entityId: TextId.optional().describe("What lies around this entity; any of its ids."),
  depth: z.int().min(1).max(4).default(1).describe("Steps around `entityId`."),
  documentId: TextId.optional().describe("Only what this document names."),
  storyId: z.string().min(1).max(64).optional().describe("Only what this story of the news names."),
  at,
  ...room,
};

const Branch = z.object({
  type: z.enum(ENTITY_TYPES),
  label: z.string(),
  total: z.int(),
  children: z.array(
    NodeView.extend({
      children: z
        .array(
          z.object({
            relation: z.enum(RELATION_NAMES),
            direction: z.enum(["out", "in"]),
            id: TextId,
            name: z.string(),
          }),
        )
        .describe("What it is connected to; the best supported first, at most 20."),
    }),
  ),
});
const Tree = z
  .object({ id: TextId, name: z.string(), children: z.array(Branch), truncated: z.boolean() })
  .meta({ id: "GraphTree" });

const MOST_LEAVES = 20;

/** A workspace as a tree: types, entities of each, and what each is joined with. */
function* treeOf(workspace: Workspace, view: GraphView, most: number): Steps<z.input<typeof Tree>> {
  const { nodes, truncated } = yield* bounded(view, { among: yield* withinWorkspace(workspace, view), nodes: most });
  const leaves = (node: GraphNode) =>
    view
      .edgesOf(node.id)
      .toSorted((one, other) => other.voices.size - one.voices.size || (one.id < other.id ? -1 : 1))
      .slice(0, MOST_LEAVES)
      .map(({ relation, from, to }) => {
        const other = view.nodes.get(from === node.id ? to : from)!;
        return {
          relation,
          direction: from === node.id ? ("out" as const) : ("in" as const),
          id: other.id,
          name: other.name,
        };
      });
  const children = ENTITY_TYPES.flatMap((type) => {
    const own = nodes.filter((node) => node.type === type);
    if (!own.length) return [];
    return {
      type,
      label: labelOf(type),
      total: own.length,
      children: own.map((node) => ({ ...nodeShown(node), children: leaves(node) })),
    };
  });
  return { id: workspace.id, name: workspace.name, children, truncated };
}

const Master = z
  .object({
    graphs: z.array(
      z.object({ problemSetId: z.string(), nodes: z.int(), edges: z.int(), statements: z.int(), workspaces: z.int() }),
    ),
    ...GraphData,
    shared: z
      .array(z.object({ name: z.string(), entities: z.array(z.object({ id: TextId, problemSetId: z.string() })) }))
      .describe("Names that occur in several graphs; people decide whether they are the same. At most 200."),
  })
  .meta({ id: "MasterGraph" });
const MOST_SHARED = 200;

function* sharedAmong(views: readonly GraphView[]): Steps<z.input<typeof Master>["shared"]> {
  const named = new Map<string, { name: string; entities: { id: string; problemSetId: string }[] }>();
  for (const { nodes, problemSetId } of views)
    for (const { id, name, type } of nodes.values()) {
      const key = `${type} ${fold(name)}`;
      const known = named.get(key) ?? { name, entities: [] };
      known.entities.push({ id, problemSetId });
      named.set(key, known);
      yield;
    }
  const several = yield* those(
    named.values(),
    ({ entities }) => entities.length > 1 && new Set(entities.map((one) => one.problemSetId)).size > 1,
  );
  return several
    .sort((one, other) => other.entities.length - one.entities.length || (one.name < other.name ? -1 : 1))
    .slice(0, MOST_SHARED);
}

export const viewActions = {
  search: endpoint({
    rest: "GET /",
    summary: "Query the graph, within one workspace or all of it",
    permit: "signed-in",
    within: reading,
    query,
    returns: data(GraphAnswer),
    tool: "query_graph",
    description:
      `A graph is a view of the statements and judgements that you may see. At most ${MOST_NODES} ` +
      `entities and ${MOST_EDGES} relations; \`truncated\` says that there is more.`,
    async handler(ctx) {
      const { workspaceId, problemSetId, at: moment, nodes, edges, ...asked } = ctx.params;
      const workspace = workspaceId === undefined ? undefined : await this.store(Workspace).get(ctx, workspaceId);
      if (workspace) {
        memberOf(ctx.meta.actor, workspace.problemSetId, reading.may);
        if (problemSetId !== undefined && problemSetId !== workspace.problemSetId)
          throw invalid([{ path: "workspaceId", message: "This workspace lies in another problem set." }]);
      }
      const place = workspace?.problemSetId ?? problemSetId;
      const views = await viewsFor(this, ctx, { problemSetId: place, at: moment });
      const answered = inTurns(
        answerOf(views, { nodes, edges }, (view) => askedIn(view, workspace, asked)),
        { signal: this.signal(ctx) },
      );
      return {
        ...(place !== undefined && { problemSetId: place }),
        ...(workspace && { workspaceId: workspace.id }),
        ...(await answered),
      };
    },
  }),

  getMasterView: endpoint({
    rest: "GET /master-view",
    summary: "Read one view across all graphs",
    permit: "signed-in",
    query: room,
    returns: data(Master),
    description: `The graphs of all problem sets that you are a member of, side by side, at most ${MOST_SETS}.`,
    async handler(ctx) {
      const views = await viewsFor(this, ctx, {});
      const workspaces = await Promise.all(
        views.map(({ problemSetId }) => this.store(Workspace).count(ctx, { problemSetId })),
      );
      const { total: _total, ...shown } = await inTurns(answerOf(views, ctx.params, wholeOf));
      return {
        graphs: views.map((view, which) => ({
          problemSetId: view.problemSetId,
          nodes: view.nodes.size,
          edges: view.edges.length,
          statements: view.statements,
          workspaces: workspaces[which]!,
        })),
        ...shown,
        shared: await inTurns(sharedAmong(views)),
      };
    },
  }),

  "workspaces.getTree": endpoint({
    rest: "GET /workspaces/:id/tree",
    summary: "Read a workspace as a tree",
    permit: "signed-in",
    within: reading,
    ...onWorkspace,
    query: { at, nodes: room.nodes },
    returns: data(Tree),
    description: "Types, the entities of each, and the relations of each entity.",
    async handler(ctx, workspace) {
      const view = await graphOf(this, ctx, { problemSetId: workspace.problemSetId, at: ctx.params.at });
      return inTurns(treeOf(workspace, view, ctx.params.nodes));
    },
  }),

  "workspaces.getGraph": endpoint({
    rest: "GET /workspaces/:id/graph",
    summary: "Read the whole graph of a workspace",
    permit: "signed-in",
    within: reading,
    ...onWorkspace,
    query: {
      at,
      nodes: room.nodes.default(MOST_NODES),
      edges: room.edges.default(MOST_EDGES),
      piece: z.int().min(1).max(MOST_PIECES).default(1).describe("The page, by `nodes` entities."),
    },
    returns: data(GraphAnswer),
    description:
      "In pages of `nodes` entities, best connected first; while `truncated`, there is more. A relation " +
      "is in the page of its later end, so that all pages together contain each once.",
    async handler(ctx, workspace) {
      const { id, problemSetId } = workspace;
      const { at: moment, ...limits } = ctx.params;
      const view = await graphOf(this, ctx, { problemSetId, at: moment });
      const answered = await inTurns(pieceIn(view, workspace, limits));
      return { problemSetId, workspaceId: id, ...answered };
    },
  }),
};
