import { z } from "zod";
import { memberOf, type Actor } from "../../../../core/access/access.ts";
import { MODES, modeOf } from "../../../../core/access/training-mode.ts";
import { data, list } from "../../../../core/contract/answer.ts";
import { actorOf, asSystem, type Caller } from "../../../../core/access/caller.ts";
import type { Collection } from "../../../../core/records/documents.ts";
import { endpoint, type Host } from "../../../../core/contract/endpoint.ts";
import { MOST_ROWS, TextId } from "../../../../core/records/entity.ts";
import { forbidden, invalidTransition, isProblem, notFound } from "../../../../core/problem.ts";
import type { Window } from "../../../../core/records/store.ts";
import { nextId } from "../../../../core/contract/repeatable.ts";
import { primaryDid } from "../../../identity/identity/client.ts";
import { above, below, refuseCycle } from "./hierarchy.ts";
import { Member } from "../members/members.ts";
import { FIRST_PANELS, PanelConfig } from "../panels/panels.ts";
import type { AccessChanges } from "../members/access-changes.ts";
import type { MembershipsByPerson } from "../members/memberships.ts";
import { join, joinedFact, ownRole } from "../members/roster.ts";
import { tellAccess } from "../members/telling-access.ts";
import {
  MySetView,
  onBehalfOf,
  ProblemSet,
  ProblemSetArchived,
  ProblemSetChanged,
  ProblemSetCreated,
  ProblemSetRestored,
  ProblemSetView,
} from "./sets.ts";

export interface SetsHost extends Host {
  memberships: MembershipsByPerson;
  counted: AccessChanges;
  /** User id and mode → the set they chose as their primary one. */
  primaries: Collection;
}

const keyOf = (userId: string, mode: (typeof MODES)[number]): string => `${userId}/${mode}`;
const primaryKey = (caller: Caller): string => keyOf(actorOf(caller), modeOf(caller.meta.actor ?? {}));

/** A set as one of the caller's own. */
const asOwn = (caller: Caller, set: ProblemSet, primary: unknown): z.input<typeof MySetView> => ({
  ...set,
  role: ownRole(caller, set.id) ?? "observer",
  primary: set.id === primary,
});

/** What a person chose as primary, deleted with the person. */
export async function gatherPrimaries(
  this: SetsHost,
  userId: string,
): Promise<{ mode: string; problemSetId: string }[]> {
  const chosen = await Promise.all(
    MODES.map(async (mode) => ({
      mode,
      problemSetId: (await this.primaries.findById(keyOf(userId, mode)))?.["problemSetId"] as string,
    })),
  );
  return chosen.filter(({ problemSetId }) => problemSetId);
}
export async function erasePrimaries(this: SetsHost, userId: string): Promise<void> {
  await Promise.all(MODES.map((mode) => this.primaries.removeById(keyOf(userId, mode))));
}

const CYCLE = { 422: "The set would be below itself (`HIERARCHY_CYCLE`), or too deep (`HIERARCHY_TOO_DEEP`)." };
const Hierarchy = z
  .object({
    above: z.array(ProblemSetView).describe("From the parent upward."),
    below: z.array(ProblemSetView).describe("All levels below; `parentId` gives the parent of each."),
  })
  .meta({ id: "ProblemSetHierarchy" });

/** The permission that is needed in the parent. */
const ABOVE = "set:edit";

/** A parent takes a child only by somebody who may edit both. */
function refuseParent(caller: Caller, parentId: string | null | undefined): void {
  if (typeof parentId !== "string") return;
  const { actor } = caller.meta;
  const role = actor?.memberships?.[parentId]?.role;
  try {
    memberOf(actor, parentId, ABOVE, { writes: true });
  } catch (error) {
    if (!isProblem(error) || error.code !== 403) throw error;
    const why = `Your role in the set that it would stand below (\`parentId\`), ${role}, does not allow ${ABOVE}.`;
    throw forbidden(why, { role, permit: ABOVE });
  }
}

/** Problem sets themselves. */
export const setActions = {
  create: endpoint({
    rest: "POST /",
    summary: "Open a problem set",
    permit: "signed-in",
    returns: data(ProblemSetView),
    status: 201,
    errors: { ...CYCLE, 404: "You are no member of the set `parentId`." },
    description:
      "You become its commander. In training mode it is a training set, otherwise an operational one; " +
      "this cannot be changed. It can be created below another set by somebody who may edit that set.",
    body: {
      name: ProblemSet.create.name,
      description: ProblemSet.create.description,
      parentId: ProblemSet.create.parentId,
    },
    example: { name: "Flood on the upper river" },
    async handler(ctx) {
      const { parentId } = ctx.params;
      refuseParent(ctx, parentId);
      const [id, userId, training] = [nextId(ctx, ProblemSet.name), actorOf(ctx), ctx.meta.actor?.mode === "training"];
      if (parentId) await refuseCycle(this.store(ProblemSet), id, parentId);
      const founder = { problemSetId: id, userId, did: await primaryDid(this, userId), role: "commander" } as const;
      // Layout and commander are stored first: a kill in between leaves a membership of no set, never a set without a
      // commander.
      const [, member] = await Promise.all([
        this.store(PanelConfig).create(ctx, { id, panels: FIRST_PANELS }),
        join(this, ctx, founder, { isTold: true }),
      ]);
      const facts = [
        joinedFact(ctx, member, founder),
        ProblemSetCreated.fact(id, {
          problemSetId: id,
          name: ctx.params.name,
          training,
          by: userId,
          ...(parentId && { parentId }),
        }),
      ];
      const made = await this.store(ProblemSet).create(ctx, { ...ctx.params, id, training }, { facts });
      await tellAccess(this, { userId, problemSetId: id });
      return made;
    },
  }),

  get: endpoint({
    rest: "GET /:id",
    summary: "Read a problem set",
    tool: "show_problem_set",
    description:
      "Its name, description, parent and state, and your role in it. Missions, gates, documents and the like are " +
      "listed by its id, as `problemSetId`.",
    permit: "signed-in",
    on: ProblemSet,
    within: { set: "id", may: "set:read" },
    returns: data(MySetView),
    async handler(ctx, set) {
      const primary = await (this as unknown as SetsHost).primaries.findById(primaryKey(ctx));
      return asOwn(ctx, set, primary?.["problemSetId"]);
    },
  }),

  update: endpoint({
    rest: "PATCH /:id",
    summary: "Change a problem set",
    permit: "signed-in",
    on: ProblemSet,
    within: { set: "id", may: "set:edit" },
    returns: data(ProblemSetView),
    errors: CYCLE,
    description:
      "`parentId` moves it below another set that you may edit too; null detaches it from its parent. " +
      "Cycles are refused.",
    body: {
      name: ProblemSet.update.name,
      description: z.string().max(10_000).nullable().optional(),
      parentId: TextId.nullable().optional(),
    },
    example: { description: "Keep the dams standing." },
    async handler(ctx, set) {
      const { parentId } = ctx.params;
      if (!Object.values(ctx.params).some((value) => value !== undefined)) return set;
      const moves = parentId !== undefined && parentId !== (set.parentId ?? null);
      if (moves) refuseParent(ctx, parentId);
      if (moves && parentId) await refuseCycle(this.store(ProblemSet), set.id, parentId);
      const facts = [
        ProblemSetChanged.fact(set.id, { problemSetId: set.id, fields: Object.keys(ctx.params), by: actorOf(ctx) }),
      ];
      return this.store(ProblemSet).revise(ctx, set, ctx.params, {
        facts,
        ...(moves && parentId && { where: { links: set.links } }),
      });
    },
  }),

  archive: endpoint({
    rest: "DELETE /:id",
    summary: "Archive a problem set",
    permit: "signed-in",
    on: ProblemSet,
    within: { set: "id", may: "set:archive" },
    returns: data(ProblemSetView),
    description: "Nothing is deleted: an archived set is read-only until an administrator restores it.",
    async handler(ctx, set) {
      const facts = [ProblemSetArchived.fact(set.id, { problemSetId: set.id, by: actorOf(ctx) })];
      const archived = await this.store(ProblemSet).revise(ctx, set, { status: "archived" }, { facts });
      await accessOfAllChanged(this, set.id);
      return archived;
    },
  }),

  restore: endpoint({
    rest: "POST /:id/restore",
    summary: "Restore an archived problem set",
    permit: "platform:administer",
    beyond: true,
    path: { id: TextId },
    description: "Requires an administrator, who needs no membership for it and gains no view of the set.",
    returns: data(z.object({ id: TextId, status: ProblemSet.record.shape.status })),
    async handler(ctx) {
      const mesh = onBehalfOf(ctx);
      const set = await this.store(ProblemSet).get(mesh, ctx.params.id);
      if (set.status !== "archived") throw invalidTransition("restore", set.status, ["archived"]);
      const { id, status } = await this.store(ProblemSet).revise(
        mesh,
        set,
        { status: "active" },
        { facts: [ProblemSetRestored.fact(set.id, { problemSetId: set.id, by: actorOf(ctx) })] },
      );
      await accessOfAllChanged(this, id);
      return { id, status };
    },
  }),

  listMine: endpoint({
    rest: "GET /me",
    summary: "List the problem sets you are a member of",
    tool: "list_problem_sets",
    permit: "signed-in",
    query: ProblemSet.query,
    returns: list(MySetView),
    description: "Those of your current mode, including archived ones: filter by `status`.",
    async handler(ctx) {
      const { sort } = ctx.params;
      const isByAge = sort === "createdAt" || sort === "-createdAt";
      const [{ data: sets, meta }, primary] = await Promise.all([
        isByAge ? ownByAge(this, ctx, ctx.params) : this.store(ProblemSet).page(ctx, ctx.params),
        (this as unknown as SetsHost).primaries.findById(primaryKey(ctx)),
      ]);
      return {
        data: sets.map((set) => asOwn(ctx, set, primary?.["problemSetId"])),
        meta,
      };
    },
  }),

  choosePrimary: endpoint({
    rest: "PUT /me/primary",
    summary: "Choose your primary problem set",
    permit: "signed-in",
    within: { set: "problemSetId", may: "set:read", own: true },
    description: "One for each mode; null clears the choice. An archived set can be chosen too.",
    body: { problemSetId: TextId.nullable() },
    returns: data(z.object({ problemSetId: TextId.nullable() })),
    example: { problemSetId: null },
    async handler(ctx) {
      const { problemSetId } = ctx.params;
      const { primaries } = this as unknown as SetsHost;
      if (problemSetId === null) await primaries.removeById(primaryKey(ctx));
      else await primaries.bulk([{ update: { _id: primaryKey(ctx) }, with: { $set: { problemSetId } }, upsert: true }]);
      return { problemSetId };
    },
  }),

  getHierarchy: endpoint({
    rest: "GET /:id/hierarchy",
    summary: "Read the parents and children of a problem set",
    permit: "signed-in",
    on: ProblemSet,
    within: { set: "id", may: "set:read" },
    returns: data(Hierarchy),
    description:
      "Lists only sets that you are a member of and that are connected without a gap, so that nothing " +
      "reveals others.",
    async handler(ctx, set) {
      const sets = this.store(ProblemSet);
      const [up, down] = await Promise.all([above(sets, ctx, set.parentId), below(sets, ctx, set.id)]);
      return { above: up, below: down };
    },
  }),
};

type Memberships = NonNullable<Actor["memberships"]>;
/** A person's sets, the oldest first. Which these are, and how old each is, never changes: other memberships are others. */
const byAge = new WeakMap<Memberships, Promise<readonly string[]>>();

async function oldestFirst(host: Host, ctx: Caller, memberships: Memberships): Promise<readonly string[]> {
  const sets = await host
    .store(ProblemSet)
    .find(ctx, { _id: { $in: Object.keys(memberships) } }, { fields: ["createdAt"], sort: ["createdAt"] });
  return sets.map(({ id }) => id);
}

/** A page of the caller's own sets by age. Reads only the sets of the page, however many there are. */
async function ownByAge(host: Host, ctx: Caller, { page, limit, sort, status }: Window & { status?: string }) {
  const memberships = ctx.meta.actor?.memberships ?? {};
  let order = byAge.get(memberships);
  if (!order) {
    byAge.set(memberships, (order = oldestFirst(host, ctx, memberships)));
    order.catch(() => byAge.delete(memberships));
  }
  const most = Math.min(limit, MOST_ROWS);
  const isArchived = status === undefined ? undefined : status === "archived";
  const fitting = (await order).filter(
    (id) => isArchived === undefined || (memberships[id]!.archived === true) === isArchived,
  );
  if (sort === "-createdAt") fitting.reverse();
  const ids = fitting.slice((page - 1) * most, page * most);
  const found = new Map((await host.store(ProblemSet).many(ctx, ids)).map((set) => [set.id, set]));
  return { data: ids.flatMap((id) => found.get(id) ?? []), meta: { total: fitting.length, page, limit: most } };
}

async function accessOfAllChanged(host: Host, problemSetId: string): Promise<void> {
  const members = await host.store(Member).find(asSystem("problem-sets"), { problemSetId }, { fields: ["userId"] });
  await Promise.all(members.map(({ userId }) => tellAccess(host, { userId, problemSetId })));
}

/** A set for the mesh's own work. Throws 404. */
export async function setOf(host: Host, id: string): Promise<ProblemSet> {
  const set = await host.store(ProblemSet).one(asSystem("problem-sets"), { _id: id });
  if (!set) throw notFound("problem set", id);
  return set;
}
