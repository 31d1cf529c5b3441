import { unionOfCompartments } from "../../../../core/access/barrier.ts";
import type { Ctx } from "../../../../core/access/caller.ts";
import { iso } from "../../../../core/clock.ts";
import type { Host } from "../../../../core/contract/endpoint.ts";
import { isConflict, isNotFound, nullIf } from "../../../../core/problem.ts";
import { fold } from "../../../../core/text/words/words.ts";
import { inTurns } from "../../../../core/work/turns.ts";
import { sourcesOf } from "../../strategic-tools/client.ts";
import { graphOf } from "../memory.ts";
import { MESH } from "../statements/marks.ts";
import { chosenOf, pointOf, weighedIn } from "./choosing.ts";
import { sentencesByModel } from "./model.ts";
import {
  failedAgain,
  graphOfDocuments,
  inputsOf,
  stands,
  Summary,
  summaryId,
  type ContainerPlace,
  type Filed,
} from "./summaries.ts";

/** More documents of one container do not go into its summary: those placed last do. */
const MOST_DOCUMENTS = 40;

/** Where a container lies, whoever asks. Throws 404. */
export const containerPlace = async (host: Host, containerId: string): Promise<ContainerPlace> => ({
  ...(await host.ask<Pick<ContainerPlace, "problemSetId" | "compartments">>("strategic.containers.place", {
    containerId,
  })),
  ...{ id: containerId, rev: 0, createdAt: "", updatedAt: "", createdBy: "" },
});

async function documentsIn(ctx: Ctx<unknown>, containerId: string): Promise<Filed[]> {
  const page = await ctx.call<{ data: Filed[] }, object>("strategic.containers.listDocuments", {
    ...{ containerId, limit: MOST_DOCUMENTS },
  });
  return page.data;
}

/** The summary of a container for whoever asks, from the documents and the graph that they see. */
export async function summaryFor(host: Host, ctx: Ctx<unknown>, { id: containerId, problemSetId }: ContainerPlace) {
  const documents = await documentsIn(ctx, containerId);
  const view = await graphOf(host, ctx, { problemSetId });
  const told = await inTurns(graphOfDocuments(view, documents));
  const inputs = inputsOf(documents, told.entities, host.world.llm.configured);
  const held = unionOfCompartments(Object.values(ctx.meta.actor?.memberships ?? {}));
  const id = summaryId(containerId, held);
  const store = host.store(Summary);
  const known = await store.one(ctx, { _id: id });
  const now = host.world.clock.now();
  if (known && stands(known, inputs, now)) return { ...known, ...told, containerId, problemSetId };
  const ready = documents.filter(({ status }) => status === "ready");
  const sources = ready.length
    ? await sourcesOf(ctx, { problemSetId, documentIds: ready.map((one) => one.id), characters: 100_000 })
    : [];
  const most = Math.max(1, ...told.entities.map(({ mentions }) => mentions));
  const names = new Map(told.entities.map(({ name, mentions }) => [fold(name), mentions / most]));
  const candidates = await inTurns(weighedIn(sources, names), { signal: host.signal(ctx) });
  const { chosen, fault } = await sentencesByModel(host, candidates, host.signal(ctx));
  const made = {
    method: chosen.length ? ("llm" as const) : ("heuristic" as const),
    ...(fault !== undefined && { fault, ...failedAgain((known?.inputs === inputs && known.failures) || 0, now) }),
    madeAt: iso(now),
    documents: sources.length,
    unread: documents.length - sources.length,
    points: (chosen.length ? chosen : chosenOf(candidates)).map(pointOf),
  };
  const place = { problemSetId, compartments: unionOfCompartments([...documents]) };
  const fields = { ...place, containerId, inputs, documentIds: documents.map((one) => one.id), ...made };
  const isOvertaken = (error: unknown): boolean => isConflict(error) || isNotFound(error);
  if (known) await store.remove(MESH, known).catch(nullIf(isOvertaken));
  await store.createOnce(MESH, { id, ...fields });
  return { ...made, ...told, containerId, problemSetId };
}

/** Drops every variant of a container's summary. */
export const forgetSummaries = (host: Host, containerId: string): Promise<number> =>
  host.store(Summary).removeAll(MESH, { containerId });

/** Hears that a container, or a document, is gone: nothing of it stays in a summary. */
export async function forgetContainer(this: Host, { id }: { id: string }): Promise<void> {
  await forgetSummaries(this, id);
}
export async function forgetCited(this: Host, { id }: { id: string }): Promise<void> {
  await this.store(Summary).removeAll(MESH, { documentIds: id });
}
