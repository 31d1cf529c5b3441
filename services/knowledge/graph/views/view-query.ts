import { fold } from "../../../../core/text/words/words.ts";
import type { Steps } from "../../../../core/work/turns.ts";
import { MOST_NODES, those, type GraphNode, type GraphView } from "../view.ts";

export interface ViewQuery {
  q?: string | undefined;
  type?: string | undefined;
  relation?: string | undefined;
  entityId?: string | undefined;
  depth: number;
}

/** Whatever is at most so many steps away. */
function around(view: GraphView, id: string, depth: number, relation: string | undefined): Set<string> {
  let rim = [id];
  const reached = new Set(rim);
  for (let step = 0; step < depth && reached.size <= MOST_NODES; step += 1) {
    rim = rim
      .flatMap((end) => view.edgesOf(end))
      .filter((edge) => relation === undefined || edge.relation === relation)
      .flatMap(({ from, to }) => [from, to])
      .filter((end) => !reached.has(end));
    for (const end of rim) reached.add(end);
  }
  return reached;
}

/** The entities of a graph that a question is about. */
export function* askedFor(
  view: GraphView,
  among: readonly GraphNode[],
  { q, type, relation, entityId, depth }: ViewQuery,
): Steps<readonly GraphNode[]> {
  const words = q === undefined ? "" : fold(q).trim();
  const centre = entityId === undefined ? undefined : view.canonicalOf(entityId);
  if (entityId !== undefined && centre === undefined) return [];
  const near = centre === undefined ? undefined : around(view, centre, depth, relation);
  const related =
    relation !== undefined && centre === undefined
      ? yield* those(view.edges, (edge) => edge.relation === relation)
      : undefined;
  const ends = related && new Set(related.flatMap(({ from, to }) => [from, to]));
  return yield* those(
    among,
    (node) =>
      (type === undefined || node.type === type) &&
      (!near || near.has(node.id)) &&
      (!ends || ends.has(node.id)) &&
      (words === "" || [node.name, ...node.aliases].some((name) => fold(name).includes(words))),
  );
}
