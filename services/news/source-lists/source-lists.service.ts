import { bare, data, list, nothing } from "../../../core/contract/answer.ts";
import { asSystem } from "../../../core/access/caller.ts";
import { iso } from "../../../core/clock.ts";
import type { Collection } from "../../../core/records/documents.ts";
import { endpoint, type Host, type MeshService } from "../../../core/contract/endpoint.ts";
import { NumberId } from "../../../core/records/entity.ts";
import { on } from "../../../core/events/event.ts";
import { unprocessable } from "../../../core/problem.ts";
import { domain } from "../../../mixins/domain.mixin.ts";
import { SourceRemoved } from "../sources/events.ts";
import { SourceList, SourceListChanged, SourceListView, unknownSources } from "./source-lists.ts";
import { Visible } from "./client.ts";
import { knownSources } from "../sources/client.ts";

interface SourceLists extends Host {
  /** One record: which list is in force. One pointer, not a flag on each list, so that there can be no second one. */
  activation: Collection;
}

const POINTER = "active";

const UNKNOWN = { 422: "`sourceIds` names sources that do not exist (`UNKNOWN_SOURCES`); `details` lists them." };

export default {
  name: "source-lists",
  metadata: { description: "Named lists of sources, to filter reading and briefings." },
  settings: { rest: "/sources/lists" },
  mixins: [domain({ entities: [SourceList], hears: [on(SourceRemoved, dropSource)] })],

  actions: {
    list: endpoint({
      rest: "GET /",
      summary: "List the source lists",
      permit: "lists:read",
      query: SourceList.query,
      returns: list(SourceListView),
      async handler(ctx) {
        const [{ data: lists, meta }, active] = await Promise.all([
          this.store(SourceList).page(ctx, ctx.params),
          activeId(this),
        ]);
        return { data: lists.map((one) => ({ ...one, active: one.id === active })), meta };
      },
    }),

    create: endpoint({
      rest: "POST /",
      summary: "Save a source list",
      permit: "lists:curate",
      body: SourceList.create,
      returns: data(SourceListView),
      status: 201,
      errors: UNKNOWN,
      description:
        "The list has no effect until it is activated. Naming a source twice counts once; a list may be " +
        "empty, and then shows nothing while active.",
      example: { name: "Energy desk", sourceIds: [1, 2] },
      async handler(ctx) {
        await refuseUnknown(this, ctx.params.sourceIds);
        const made = await this.store(SourceList).create(ctx, ctx.params);
        await SourceListChanged.emit(ctx, { listId: made.id });
        return { ...made, active: false };
      },
    }),

    get: endpoint({
      rest: "GET /:id",
      summary: "Read a source list",
      permit: "lists:read",
      on: SourceList,
      returns: data(SourceListView),
      handler(_ctx, item) {
        return seen(this, item);
      },
    }),

    update: endpoint({
      rest: "PUT /:id",
      summary: "Change a source list",
      permit: "lists:curate",
      on: SourceList,
      body: SourceList.update,
      returns: data(SourceListView),
      errors: UNKNOWN,
      description:
        "Takes `name`, `sourceIds` or both; `sourceIds` replaces the whole list. A change of the active " +
        "list is in force once it is acknowledged.",
      async handler(ctx, item) {
        await refuseUnknown(this, ctx.params.sourceIds ?? []);
        const revised = await this.store(SourceList).revise(ctx, item, ctx.params);
        await SourceListChanged.emit(ctx, { listId: item.id });
        return seen(this, revised);
      },
    }),

    remove: endpoint({
      rest: "DELETE /:id",
      summary: "Remove a source list",
      permit: "lists:curate",
      on: SourceList,
      returns: nothing(),
      status: 204,
      description: "Removing the active list ends its filter: all sources show again.",
      async handler(ctx, item) {
        // A pointer to a list that is gone points nowhere, so a kill between the two leaves the same state.
        await this.store(SourceList).remove(ctx, item);
        await (this as unknown as SourceLists).activation.removeMany({ _id: POINTER, listId: item.id });
        await SourceListChanged.emit(ctx, { listId: item.id });
        return null;
      },
    }),

    activate: endpoint({
      rest: "POST /:id/activate",
      summary: "Activate a source list",
      permit: "lists:curate",
      on: SourceList,
      returns: data(SourceListView),
      description:
        "At most one list is active, for everybody: activating this one deactivates the other. Once this " +
        "is acknowledged, dashboard, statistics and briefings on every node use only its sources.",
      async handler(ctx, item) {
        const { activation, world } = this as unknown as SourceLists;
        await activation.bulk([
          {
            update: { _id: POINTER },
            with: { $set: { listId: item.id, since: iso(world.clock.now()) } },
            upsert: true,
          },
        ]);
        await SourceListChanged.emit(ctx, { listId: item.id });
        return { ...item, active: true };
      },
    }),

    getActive: endpoint({
      rest: "GET /active",
      summary: "Read the active source list",
      permit: "lists:read",
      returns: data(SourceListView.nullable()),
      description: "`data` is null while no list is active.",
      async handler() {
        const inForce = await active(this);
        return inForce && { ...inForce, active: true };
      },
    }),

    deactivate: endpoint({
      rest: "DELETE /active",
      summary: "Deactivate the active source list",
      permit: "lists:curate",
      returns: nothing(),
      status: 204,
      description: "All sources are shown again; the list itself is kept. Succeeds even if no list was active.",
      async handler(ctx) {
        const ended = await (this as unknown as SourceLists).activation.removeById(POINTER);
        await SourceListChanged.emit(ctx, { listId: ended?.["listId"] ?? null });
        return null;
      },
    }),

    visible: endpoint({
      summary: "The sources that a list, or else the active one, lets through",
      permit: "internal",
      body: { sourceListId: NumberId.optional() },
      returns: bare(Visible.nullable()),
      description:
        "Read from the store at every call: two reads by id. An explicit list wins over the active one, and " +
        "is 404 where there is none; null where no list is in force.",
      async handler(ctx) {
        const { sourceListId } = ctx.params;
        const chosen =
          sourceListId === undefined ? await active(this) : await this.store(SourceList).get(ctx, sourceListId);
        return chosen && { listId: chosen.id, sourceIds: chosen.sourceIds };
      },
    }),
  },

  async started(this: SourceLists) {
    this.activation = await this.world.documents.collection("source_list_activation");
  },
} satisfies MeshService;

async function activeId(host: Host): Promise<number | undefined> {
  return (await (host as unknown as SourceLists).activation.findById(POINTER))?.["listId"];
}

/** The list in force; null where there is none, or where it was removed a moment ago. */
async function active(host: Host): Promise<SourceList | null> {
  const id = await activeId(host);
  return id === undefined ? null : host.store(SourceList).one(asSystem("source-lists"), { _id: id });
}

const seen = async (host: Host, item: SourceList) => ({ ...item, active: item.id === (await activeId(host)) });

async function refuseUnknown(host: Host, sourceIds: readonly number[]): Promise<void> {
  if (!sourceIds.length) return;
  const known = await knownSources(host, sourceIds);
  const details = unknownSources(sourceIds, new Set(known));
  if (details.length)
    throw unprocessable(
      "UNKNOWN_SOURCES",
      details.length === 1 ? details[0]!.message : `${details.length} of these sources do not exist.`,
      details,
    );
}

/** A removed source leaves every list; revisions rise, so that nobody writes an old list over the new one. */
async function dropSource(this: Host, { id }: { id: number }): Promise<void> {
  const at = iso(this.world.clock.now());
  const changed = await this.store(SourceList).collection.updateMany(
    { sourceIds: id },
    { $pull: { sourceIds: id }, $set: { updatedAt: at }, $inc: { rev: 1 } },
  );
  if (changed) await SourceListChanged.emit(this, { listId: null });
}
