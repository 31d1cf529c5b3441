import type { Steps } from "../../../../core/work/turns.ts";
import { bounded, pieceOf, those, type Bounded, type GraphNode, type GraphView } from "../view.ts";
import { withinWorkspace, type WorkspacePart, type Workspace } from "../workspaces/workspaces.ts";
import { askedFor, type ViewQuery } from "./view-query.ts";
import { graphShown } from "./shapes.ts";

const added = (parts: readonly Bounded[], { nodes, edges }: { nodes: number; edges: number }): Bounded => {
  const all = parts.flatMap((part) => part.nodes);
  const kept = all.slice(0, nodes);
  const ids = new Set(kept.map(({ id }) => id));
  const inside = parts.flatMap((part) => part.edges).filter(({ from, to }) => ids.has(from) && ids.has(to));
  return {
    nodes: kept,
    edges: inside.slice(0, edges),
    truncated: parts.some(({ truncated }) => truncated) || kept.length < all.length || inside.length > edges,
  };
};

function* edgesAmong(view: GraphView, nodes: readonly GraphNode[]): Steps<number> {
  if (nodes.length === view.nodes.size) return view.edges.length;
  const ids = new Set(nodes.map(({ id }) => id));
  return (yield* those(view.edges, ({ from, to }) => ids.has(from) && ids.has(to))).length;
}

export function* wholeOf(view: GraphView): Steps<readonly GraphNode[]> {
  yield;
  return [...view.nodes.values()];
}

const listed = (id: string | undefined): string[] => (id === undefined ? [] : [id]);

/** What a question is about, within a workspace, and of what a document or a story names where it asks for these. */
export function* askedIn(
  view: GraphView,
  workspace: Workspace | undefined,
  { documentId, storyId, ...asked }: ViewQuery & { documentId?: string | undefined; storyId?: string | undefined },
): Steps<readonly GraphNode[]> {
  const within = yield* workspace ? withinWorkspace(workspace, view) : wholeOf(view);
  if (documentId === undefined && storyId === undefined) return yield* askedFor(view, within, asked);
  const named: WorkspacePart = { documentIds: listed(documentId), storyIds: listed(storyId), entityIds: [], types: [] };
  const inside = new Set(yield* withinWorkspace(named, view));
  return yield* askedFor(view, yield* those(within, (node) => inside.has(node)), asked);
}

/** What is answered of several graphs: of each what is chosen, within limits that hold for all of them. */
export function* answerOf(
  views: readonly GraphView[],
  limits: { nodes: number; edges: number },
  chosenFrom: (view: GraphView) => Steps<readonly GraphNode[]>,
) {
  const parts: Bounded[] = [];
  const total = { nodes: 0, edges: 0 };
  for (const view of views) {
    const among = yield* chosenFrom(view);
    parts.push(yield* bounded(view, { among, ...limits }));
    total.nodes += among.length;
    total.edges += yield* edgesAmong(view, among);
  }
  return { ...graphShown(added(parts, limits)), total };
}

/** One piece of a workspace's graph. */
export function* pieceIn(
  view: GraphView,
  workspace: Workspace,
  limits: { piece: number; nodes: number; edges: number },
) {
  const among = yield* withinWorkspace(workspace, view);
  const shown = graphShown(yield* pieceOf(view, among, limits));
  return { ...shown, total: { nodes: among.length, edges: yield* edgesAmong(view, among) } };
}
