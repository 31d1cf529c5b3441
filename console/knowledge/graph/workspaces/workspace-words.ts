import type { ListRow } from "../../../api/client.ts";
import { many } from "../../../parts/texts.tsx";
import { kindWords, type EntityKind } from "../../vocabulary.ts";

export type GraphWorkspace = ListRow<"GET /graph/workspaces">;
/** What a workspace takes in. */
export type WorkspacePart = Pick<GraphWorkspace, "documentIds" | "storyIds" | "entityIds" | "types">;

export const workspaceAddress = (id: string): string => `/knowledge/workspaces/${id}`;
export const workspacesAddress = (setId: string): string => `/knowledge/workspaces?set=${setId}`;

/** "What 2 documents name, 1 entity with its neighbours; of that only: person". */
export function takesIn({ documentIds, storyIds, entityIds, types }: WorkspacePart): string {
  const named = [
    documentIds.length && many(documentIds.length, "document"),
    storyIds.length && many(storyIds.length, "story", "stories"),
  ].filter(Boolean);
  const parts = [
    named.length && `what ${named.join(" and ")} ${documentIds.length + storyIds.length === 1 ? "names" : "name"}`,
    entityIds.length && `${many(entityIds.length, "entity", "entities")} with all neighbours`,
  ].filter(Boolean);
  const whole = parts.join(", and ") || "the whole graph of the problem set";
  const kinds = types.map((type) => kindWords(type as EntityKind));
  return kinds.length ? `${whole}; of that only: ${kinds.join(", ")}` : whole;
}
