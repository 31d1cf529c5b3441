import { z } from "zod";
import { barrier, Compartments } from "../../../../core/access/place.ts";
import { conflict } from "../../../../core/problem.ts";
import { entity, TextId, type Item } from "../../../../core/records/entity.ts";
import type { Row } from "../statements/statements.ts";
import { ENTITY_TYPES } from "../statements/vocabulary.ts";
import type { Steps } from "../../../../core/work/turns.ts";
import { those, type GraphNode, type GraphView } from "../view.ts";

/** A part of a problem set's graph that somebody works on: what it takes in is worked out for each reader. */
export const Workspace = entity("graph.workspaces", {
  title: "graph workspace",
  fields: {
    problemSetId: TextId,
    compartments: Compartments,
    name: z.string().trim().min(1).max(200),
    description: z.string().max(4_000).optional(),
    documentIds: z
      .array(TextId)
      .max(500)
      .default([])
      .describe("What these documents name belongs to it. Without these, stories, entities: all of the set."),
    storyIds: z.array(z.string().min(1).max(64)).max(500).default([]).describe("What these stories of the news name."),
    entityIds: z.array(TextId).max(500).default([]).describe("These entities, and what is joined with them."),
    types: z.array(z.enum(ENTITY_TYPES)).max(20).default([]).describe("Of all that, these types alone; all without."),
  },
  immutable: ["problemSetId", "compartments"],
  sort: ["name"],
  filter: ["problemSetId"],
  barrier,
  most: {
    count: 500,
    per: ["problemSetId"],
    refusal: (count) => conflict(`A problem set has at most ${count} graph workspaces in the same compartments.`),
  },
  lists: [{ by: ["problemSetId"] }],
  indexes: [{ fields: ["createdBy"] }],
});
export type Workspace = Item<typeof Workspace>;

/** What a part of a graph is made of. */
export type WorkspacePart = Pick<Workspace, "documentIds" | "storyIds" | "entityIds" | "types">;

const isOf = ({ documentIds, storyIds }: WorkspacePart, { source }: Row): boolean => {
  const [kind, id] = [source.slice(0, source.indexOf(":")), source.slice(source.indexOf(":") + 1)];
  if (kind === "document") return documentIds.includes(id);
  return kind === "story" && storyIds.includes(id.split("@")[0]!);
};

/** What a workspace takes in of a graph: the rest of it is the reader's view as ever. */
export function* withinWorkspace(workspace: WorkspacePart, view: GraphView): Steps<readonly GraphNode[]> {
  const { documentIds, storyIds, entityIds, types } = workspace;
  const all = [...view.nodes.values()];
  const isWhole = !documentIds.length && !storyIds.length && !entityIds.length;
  const pinned = new Set(entityIds.flatMap((id) => view.canonicalOf(id) ?? []));
  const around = new Set([...pinned].flatMap((id) => [id, ...view.edgesOf(id).flatMap(({ from, to }) => [from, to])]));
  const inside = isWhole
    ? all
    : yield* those(all, ({ id, rows }) => around.has(id) || rows.some((row) => isOf(workspace, row)));
  return types.length ? yield* those(inside, ({ type }) => types.includes(type)) : inside;
}
