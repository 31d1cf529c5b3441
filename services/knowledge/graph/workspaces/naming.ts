import type { Caller, Ctx } from "../../../../core/access/caller.ts";
import type { Host } from "../../../../core/contract/endpoint.ts";
import { invalid, type Detail } from "../../../../core/problem.ts";
import { MOST_ROWS } from "../../../../core/records/entity.ts";
import { documentRows } from "../../documents/client.ts";
import { graphOf } from "../memory.ts";
import type { Workspace } from "./workspaces.ts";

type Named = Pick<Workspace, "problemSetId" | "compartments" | "documentIds" | "entityIds">;

/** Somebody who is read into the compartments of a place and no others: what they see, all see who see the place. */
function readerOf(ctx: Ctx<unknown>, { problemSetId, compartments }: Named): Caller {
  const actor = ctx.meta.actor!;
  const membership = actor.memberships?.[problemSetId];
  const memberships = membership ? { [problemSetId]: { ...membership, compartments } } : {};
  return { meta: { actor: { ...actor, memberships } }, locals: {} };
}

async function documentsIn(host: Host, { problemSetId, compartments }: Named, ids: readonly string[]) {
  const found = new Set<string>();
  for (let from = 0; from < ids.length; from += MOST_ROWS)
    for (const row of await documentRows(host, ids.slice(from, from + MOST_ROWS)))
      if (row.problemSetId === problemSetId && row.compartments.every((id) => compartments.includes(id)))
        found.add(row.id);
  return found;
}

/**
 * Throws 400 where a workspace would name a document or an entity that not all see who see it; what it named before
 * stays.
 */
export async function demandNameable(host: Host, ctx: Ctx<unknown>, named: Named, before?: Workspace): Promise<void> {
  const fresh = (field: "documentIds" | "entityIds") => named[field].filter((id) => !before?.[field].includes(id));
  const [documentIds, entityIds] = [fresh("documentIds"), fresh("entityIds")];
  const documents = await documentsIn(host, named, documentIds);
  const view = entityIds.length ? await graphOf(host, readerOf(ctx, named), named) : undefined;
  const missing = (field: "documentIds" | "entityIds", ids: readonly string[], what: string): Detail[] =>
    ids.map((id) => ({
      path: `${field}.${named[field].indexOf(id)}`,
      message: `There is no such ${what} for everybody who sees the workspace.`,
    }));
  const wrong = [
    ...missing(
      "documentIds",
      documentIds.filter((id) => !documents.has(id)),
      "document",
    ),
    ...missing(
      "entityIds",
      entityIds.filter((id) => view!.canonicalOf(id) === undefined),
      "entity",
    ),
  ];
  if (wrong.length) throw invalid(wrong);
}
