import { z } from "zod";
import { data, list } from "../../../core/contract/answer.ts";
import type { Ctx } from "../../../core/access/caller.ts";
import { iso } from "../../../core/clock.ts";
import { endpoint, type Host } from "../../../core/contract/endpoint.ts";
import { CursorMeta, feeding, TextId } from "../../../core/records/entity.ts";
import { conflict } from "../../../core/problem.ts";
import { crud } from "../../../mixins/crud.ts";
import {
  Acknowledgement,
  acknowledgementId,
  ContextChange,
  Direction,
  Inherited,
  CONTEXT_KINDS,
  NO_VERSION,
  VERSION,
  versionOf,
} from "./context.ts";
import { ContextAcknowledged, DirectionChanged } from "./events.ts";
import { inheritAll, offersOf } from "./inheriting.ts";

export const inPath = {
  path: { id: TextId.describe("The problem set.") },
  within: { set: "id", may: "inheritance:read" },
} as const;

const Version = z.string().regex(VERSION, "A version that `inherited-context` gave.");
const Context = z
  .object({
    problemSetId: z.string(),
    version: Version.describe("Of what you may see; send it back to acknowledge it."),
    acknowledged: Version.nullable().describe("The version that you took note of last."),
    changes: z.int().describe("Changes since then."),
    items: z.array(Inherited.view),
    truncated: z.boolean().describe("Whether there are more items than are answered."),
  })
  .meta({ id: "InheritedContext" });
const MOST_ITEMS = 1_000;

const moved =
  ({ removed = false, changed = false }) =>
  ({ id, problemSetId, compartments, kind, title }: Direction, ctx: Ctx<unknown>) =>
    DirectionChanged.fact(id, {
      ...{ id, problemSetId, compartments, kind, title, removed, changed },
      by: ctx.meta.actor!.userId,
    });
const directions = crud(Direction, {
  at: "/directions",
  list: "signed-in",
  create: "signed-in",
  update: "signed-in",
  remove: "signed-in",
  via: "PATCH",
  beyond: true,
  within: { set: "problemSetId", read: "inheritance:read", write: "inheritance:direct" },
  tells: { created: moved({}), updated: moved({ changed: true }), removed: moved({ removed: true }) },
  says: { create: "An intent, objective or constraint of the problem set, which its children inherit." },
  example: {
    problemSetId: "the problem set's id",
    kind: "constraint",
    title: "No movement by night",
    text: "Convoys rest between 20:00 and 05:00 local time.",
  },
});

export const contextActions = {
  "contexts.get": endpoint({
    rest: "GET /:id/inherited-context",
    summary: "Read the context that a problem set receives from its parent",
    tool: "show_inherited_context",
    permit: "signed-in",
    ...inPath,
    query: { kind: z.enum(CONTEXT_KINDS).optional() },
    returns: data(Context),
    description:
      "The parent's current intent, objectives, constraints and gates. What lies in a compartment of " +
      "the parent is visible to members of the child who are read into it.",
    async handler(ctx) {
      const { id, kind } = ctx.params;
      const [items, version, acknowledgement] = await Promise.all([
        this.store(Inherited).find(
          ctx,
          { problemSetId: id, withdrawn: false, ...(kind && { kind }) },
          { sort: ["kind", "-createdAt"], limit: MOST_ITEMS + 1 },
        ),
        newestVersion(this, ctx, id),
        acknowledged(this, ctx, id),
      ]);
      return {
        problemSetId: id,
        version,
        acknowledged: acknowledgement?.version ?? null,
        changes: await changesSince(this, ctx, id, acknowledgement?.version),
        items: items.slice(0, MOST_ITEMS),
        truncated: items.length > MOST_ITEMS,
      };
    },
  }),

  "contexts.acknowledge": endpoint({
    rest: "POST /:id/inherited-context/acknowledge",
    summary: "Acknowledge a version of the inherited context",
    permit: "signed-in",
    ...inPath,
    body: { version: Version.optional().describe("The version that you have read; the present one when absent.") },
    returns: data(Acknowledgement.view.pick({ problemSetId: true, userId: true, version: true, acknowledgedAt: true })),
    errors: { 409: "There is a newer version than the one named; read it first." },
    async handler(ctx) {
      const { id } = ctx.params;
      const { userId } = ctx.meta.actor!;
      const newest = await newestVersion(this, ctx, id);
      const version = ctx.params.version ?? newest;
      if (version !== newest) throw conflict("The context changed meanwhile; read it again.", { version: newest });
      const facts = [ContextAcknowledged.fact(id, { problemSetId: id, version, by: userId })];
      const before = await acknowledged(this, ctx, id);
      if (before?.version === version) return before;
      const mark = { version, acknowledgedAt: iso(this.world.clock.now()) };
      return before
        ? this.store(Acknowledgement).revise(ctx, before, mark, { facts })
        : this.store(Acknowledgement).create(
            ctx,
            { id: acknowledgementId(id, userId), problemSetId: id, userId, ...mark },
            { facts },
          );
    },
  }),

  "contexts.listChanges": endpoint({
    rest: "GET /:id/inherited-context/changelog",
    summary: "List how the inherited context changed, field by field",
    permit: "signed-in",
    ...inPath,
    query: feeding,
    returns: list(ContextChange.view.extend({ version: Version }), CursorMeta),
    async handler(ctx) {
      const { id, ...window } = ctx.params;
      const { data: changes, meta } = await this.store(ContextChange).feed(ctx, window, { problemSetId: id });
      return { data: changes.map((change) => ({ ...change, version: versionOf(change) })), meta };
    },
  }),

  ...directions,

  backfill: endpoint({
    rest: "POST /backfill",
    summary: "Set up inheritance for existing problem sets",
    permit: "platform:administer",
    body: {
      limit: z.int().min(1).max(500).default(100),
      after: TextId.optional().describe("Continue after this problem set: `next` of the last answer."),
    },
    description:
      "Makes each child inherit what its parent now offers. Repeating it changes nothing. Call it until " +
      "`next` is null.",
    returns: data(
      z.object({
        sets: z.int(),
        created: z.int(),
        updated: z.int(),
        withdrawn: z.int(),
        unchanged: z.int(),
        next: z.string().nullable(),
      }),
    ),
    example: {},
    async handler(ctx) {
      const { limit, after } = ctx.params;
      const children = await this.ask<{ id: string; parentId: string }[]>("problem-sets.childrenAfter", {
        limit,
        ...(after && { after }),
      });
      const total = { created: 0, updated: 0, withdrawn: 0, unchanged: 0 };
      for (const { id, parentId } of children) {
        const counts = await inheritAll(this, id, parentId, await offersOf(this, parentId));
        for (const name of Object.keys(total) as (keyof typeof total)[]) total[name] += counts[name];
      }
      return { sets: children.length, ...total, next: children.length === limit ? children.at(-1)!.id : null };
    },
  }),
};

async function newestVersion(host: Host, ctx: Ctx<unknown>, problemSetId: string): Promise<string> {
  const [newest] = await host.store(ContextChange).find(ctx, { problemSetId }, { sort: ["-createdAt"], limit: 1 });
  return newest ? versionOf(newest) : NO_VERSION;
}

const acknowledged = (host: Host, ctx: Ctx<unknown>, problemSetId: string) =>
  host.store(Acknowledgement).one(ctx, { _id: acknowledgementId(problemSetId, ctx.meta.actor!.userId) });

function changesSince(
  host: Host,
  ctx: Ctx<unknown>,
  problemSetId: string,
  version: string = NO_VERSION,
): Promise<number> {
  if (version === NO_VERSION) return host.store(ContextChange).count(ctx, { problemSetId });
  const [createdAt, id] = version.split("_") as [string, string];
  return host
    .store(ContextChange)
    .count(ctx, { problemSetId, $or: [{ createdAt: { $gt: createdAt } }, { createdAt, _id: { $gt: id } }] });
}
