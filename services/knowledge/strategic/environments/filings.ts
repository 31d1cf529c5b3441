import { z } from "zod";
import { sees } from "../../../../core/access/barrier.ts";
import { actorOf, asSystem, type Caller } from "../../../../core/access/caller.ts";
import { iso } from "../../../../core/clock.ts";
import type { Host } from "../../../../core/contract/endpoint.ts";
import { live, liveType } from "../../../../core/contract/live.ts";
import { invalid, isConflict, isNotFound, notFound, nullIf } from "../../../../core/problem.ts";
import { retryOnConflict } from "../../../../core/records/conflict-retry.ts";
import type { Query } from "../../../../core/records/documents.ts";
import { documentRecord, type Document } from "../../documents/client.ts";
import {
  Category,
  Container,
  Filing,
  jointPlace,
  keyOf,
  Placement,
  placementId,
  filingFields,
} from "./environments.ts";
import { DocumentPlaced, DocumentTakenOut } from "./events.ts";

export const MESH = asSystem("strategic");

export const EnvironmentChanged = liveType("environment.changed", {
  domain: "strategic",
  summary: "A category, a container or the place of a document that you see changed",
  payload: z.object({
    problemSetId: z.string(),
    what: z.enum(["category", "container", "placement"]),
    id: z.string().describe("Of the category, the container or the document."),
  }),
  may: "environment:read",
});
type Changed = {
  problemSetId: string;
  compartments: string[];
  what: "category" | "container" | "placement";
  id: string;
};
export const tellEnvironment = (host: Host, { problemSetId, compartments, what, id }: Changed): Promise<unknown> =>
  live(host, { event: EnvironmentChanged, to: { problemSetId, compartments }, data: { problemSetId, what, id } });

/** A document's filing, created on first use; null where the document is gone. */
async function filingOf(host: Host, document: Document): Promise<Filing | null> {
  if (document.status === "withdrawn") return null;
  const { id, problemSetId, compartments } = document;
  const given = { id, problemSetId, compartments, placings: [], containerIds: [], isFiled: false, narrow: [] };
  return (await host.store(Filing).createOnce(MESH, given)).record;
}

/** A document's filing, even before its event arrived. Throws 404 where there is no such document. */
export async function filingFor(host: Host, id: string): Promise<Filing> {
  const known = await host.store(Filing).one(MESH, { _id: id });
  const filing = known ?? (await filingOf(host, await documentRecord(host, id)));
  if (!filing) throw notFound(Filing.title, id);
  return filing;
}

/** Follows added and removed documents. */
export async function follow(this: Host, { id }: { id: string }): Promise<void> {
  const document = await documentRecord(this, id).catch(nullIf(isNotFound));
  if (document && (await filingOf(this, document))) return;
  const filing = await this.store(Filing).one(MESH, { _id: id });
  if (filing) await this.store(Filing).remove(MESH, filing);
  await this.store(Placement).removeAll(MESH, { documentId: id });
}

/** These containers, as the caller sees them, in this order. Throws 400 where one is missing for them. */
async function demandContainers(host: Host, caller: Caller, filing: Filing, ids: readonly string[]) {
  const found = await host.store(Container).many(caller, ids);
  const known = new Set(found.filter((one) => one.problemSetId === filing.problemSetId).map(({ id }) => id));
  const missing = ids.flatMap((id, at) =>
    known.has(id) ? [] : [{ path: `containerIds.${at}`, message: "There is no such container in its environment." }],
  );
  if (missing.length) throw invalid(missing);
}

/** The new list of the containers that the caller sees. */
type Wish = (visible: readonly string[]) => readonly string[];

/** Puts a document into the requested containers. Containers that the caller does not see stay unchanged. */
async function refile(host: Host, caller: Caller, filing: Filing, wish: Wish): Promise<Filing> {
  const [filings, containers] = [host.store(Filing), host.store(Container)];
  const by = actorOf(caller);
  const filed = await retryOnConflict(async () => {
    const before = await filings.get(caller, filing.id);
    const all = await containers.many(MESH, before.containerIds);
    const visible = all.filter((one) => sees(Container.barrier, caller.meta.actor, one)).map(({ id }) => id);
    const wanted = new Set(wish(visible));
    const stays = before.placings.filter(
      ({ containerId }) => wanted.has(containerId) || !visible.includes(containerId),
    );
    const added = [...wanted].filter((id) => !before.containerIds.includes(id));
    const at = iso(host.world.clock.now());
    const placings = [...stays, ...added.map((containerId) => ({ containerId, by, at }))];
    const held = await containers.many(
      MESH,
      placings.map(({ containerId }) => containerId),
    );
    const after = filingFields(before, placings, held);
    if (after.containerIds.join() === before.containerIds.join()) return before;
    const told = (type: typeof DocumentPlaced, one: Container) =>
      type.fact(before.id, { ...jointPlace(before, one), id: one.id, documentId: before.id, name: one.name, by });
    const facts = [
      ...held.filter(({ id }) => added.includes(id)).map((one) => told(DocumentPlaced, one)),
      ...all.filter(({ id }) => !after.containerIds.includes(id)).map((one) => told(DocumentTakenOut, one)),
    ];
    return filings.revise(caller, before, after, { facts });
  });
  await settlePlacements(host, filing.id);
  return filed;
}

/** Sets all containers of a document that the caller sees. */
export async function setContainers(host: Host, caller: Caller, filing: Filing, ids: readonly string[]) {
  await demandContainers(host, caller, filing, ids);
  await refile(host, caller, filing, () => ids);
}

/** Takes a document out of one container that the caller sees; harmless where it is not in it. */
export async function takeOut(host: Host, caller: Caller, filing: Filing, containerId: string) {
  await host.store(Container).get(caller, containerId);
  await refile(host, caller, filing, (visible) => visible.filter((id) => id !== containerId));
}

/**
 * Makes the placements match the document's filing. Called with the change, and again by its event: that completes what
 * a kill interrupted.
 */
async function settlePlacements(host: Host, documentId: string): Promise<void> {
  const [filings, placements] = [host.store(Filing), host.store(Placement)];
  const filing = await filings.one(MESH, { _id: documentId });
  if (!filing) return void (await placements.removeAll(MESH, { documentId }));
  const held = await host.store(Container).many(MESH, filing.containerIds);
  // Its container was removed between read and write.
  if (held.length < filing.containerIds.length) {
    await filings.revise(MESH, filing, filingFields(filing, filing.placings, held)).catch(nullIf(isConflict));
    return settlePlacements(host, documentId);
  }
  const there = await placements.find(MESH, { documentId });
  const changed = there.filter(({ containerId }) => !filing.containerIds.includes(containerId));
  for (const { id } of changed) await placements.removeAll(MESH, { _id: id });
  for (const { containerId, by, at } of filing.placings.filter(
    (one) => !there.some((placement) => placement.containerId === one.containerId),
  )) {
    const place = jointPlace(
      filing,
      held.find(({ id }) => id === containerId)!,
    );
    const given = { ...place, documentId, containerId, placedBy: by, placedAt: at };
    const { record } = await placements.createOnce(MESH, { id: placementId(documentId, containerId), ...given });
    changed.push(record);
  }
  for (const { problemSetId, compartments } of changed)
    await tellEnvironment(host, { problemSetId, compartments, what: "placement", id: documentId });
  const now = await filings.one(MESH, { _id: documentId });
  if (now?.rev !== filing.rev) await settlePlacements(host, documentId);
}

/** Runs it again after a placement or removal was announced. */
export async function settleTold(this: Host, { documentId }: { documentId: string }): Promise<void> {
  await settlePlacements(this, documentId);
}

/** Removes placements of a removed container. */
export async function empty(this: Host, { id }: { id: string }): Promise<void> {
  for await (const slice of this.store(Filing).slices(MESH, { containerIds: id }, { fields: ["rev"] }))
    for (const filing of slice) await settlePlacements(this, filing.id);
  await this.store(Placement).removeAll(MESH, { containerId: id });
}

/** Moves containers of a removed category to the one named, or to none. */
export async function regroup(
  this: Host,
  { id, problemSetId, moveTo }: { id: string; problemSetId: string; moveTo?: string | undefined },
) {
  const containers = this.store(Container);
  const target = moveTo === undefined ? null : await this.store(Category).one(MESH, { _id: moveTo });
  for (const container of await containers.find(MESH, { problemSetId, categoryId: id })) {
    const fits = target?.compartments.every((one) => container.compartments.includes(one));
    await containers
      .amend(MESH, container.id, ({ categoryId }) =>
        categoryId === id ? { categoryId: fits ? target!.id : null } : null,
      )
      .catch(nullIf(isNotFound));
  }
}

/** Documents of a set that are in no container visible to the caller. */
export async function unorganizedFor(host: Host, caller: Caller, problemSetId: string): Promise<Query> {
  const places = await host.store(Container).collection.groups({ query: { problemSetId }, by: "compartments" });
  const unseen = places
    .map(({ key }) => key as string[])
    .filter((compartments) => !sees(Container.barrier, caller.meta.actor, { problemSetId, compartments }))
    .map(keyOf);
  return { problemSetId, isFiled: false, narrow: { $not: { $elemMatch: { $nin: unseen } } } };
}
