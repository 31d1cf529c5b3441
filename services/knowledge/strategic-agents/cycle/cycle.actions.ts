import { z } from "zod";
import { personOf } from "../../../../core/access/access.ts";
import { iso } from "../../../../core/clock.ts";
import type { Ctx } from "../../../../core/access/caller.ts";
import { data, list } from "../../../../core/contract/answer.ts";
import { endpoint, type Host } from "../../../../core/contract/endpoint.ts";
import { conflict, invalid } from "../../../../core/problem.ts";
import { TextId } from "../../../../core/records/entity.ts";
import { Collected } from "../collection/collected.ts";
import { CheckpointResolved, CYCLE_STATES, PRODUCT_STATES } from "../events.ts";
import { Product } from "../fusion/products.ts";
import { Alert, ALERT_STATES, isUsable, Monitor } from "../monitors/monitors.ts";
import { Checkpoint, Cycle, CycleDirection, Edits, RESOLUTIONS } from "./cycles.ts";
import { drive, goOn, resolutionTold } from "./running.ts";

const set = "problemSetId";
const USUAL_PATIENCE_HOURS = 72;

/** Throws for what a cycle could not work with: a query that nothing fits, a document that is not seen or lies wider. */
async function demandUsable(
  ctx: Ctx<unknown>,
  { queries, documentIds }: Pick<CycleDirection, "queries" | "documentIds">,
  { problemSetId, compartments }: { problemSetId: string; compartments: readonly string[] },
  prefix: string,
): Promise<void> {
  const wrong = (path: string, message: string) => invalid([{ path: `${prefix}.${path}`, message }]);
  if (!queries.length && !documentIds.length)
    throw wrong("queries", "Name a query or a document: there is nothing else.");
  for (const [at, q] of queries.entries()) {
    if (!isUsable(q)) throw wrong(`queries.${at}`, "Nothing fits this query.");
    // What the cycle will search in their name they may search themselves: a key that may not gains nothing by it.
    await ctx.call("search.search", { q, limit: 1 });
  }
  for (const [at, documentId] of documentIds.entries()) {
    const row = await ctx.call<{ problemSetId: string; compartments: string[] }, object>("documents.get", {
      documentId,
    });
    if (row.problemSetId !== problemSetId)
      throw wrong(`documentIds.${at}`, "The document lies in another problem set.");
    if (row.compartments.some((id) => !compartments.includes(id)))
      throw wrong(`documentIds.${at}`, "The document lies in a compartment that the cycle does not lie in.");
  }
}

const Counts = <const K extends readonly [string, ...string[]]>(keys: K) =>
  z.object(Object.fromEntries(keys.map((key) => [key, z.int()])) as Record<K[number], z.ZodInt>);

/** How many of each status somebody sees. */
async function countsOf<const K extends readonly string[]>(
  host: Host,
  ctx: Ctx<unknown>,
  entity: typeof Alert | typeof Product | typeof Cycle | typeof Monitor,
  statuses: K,
  query: object,
): Promise<Record<K[number], number>> {
  const store = host.store(entity as typeof Alert);
  const counts = await Promise.all(statuses.map((status) => store.total(ctx, { ...query, status })));
  return Object.fromEntries(statuses.map((status, at) => [status, counts[at]!.total])) as Record<K[number], number>;
}

const Status = z
  .object({
    monitors: Counts(["active", "ended"]),
    alerts: Counts(ALERT_STATES),
    products: Counts(PRODUCT_STATES),
    cycles: Counts(CYCLE_STATES),
    checkpoints: z.object({ pending: z.int(), nextExpiry: z.string().nullable() }),
    collection: z.object({
      stories: z.int(),
      last: z.string().nullable().describe("When a story was collected last."),
    }),
  })
  .meta({ id: "StrategicAgentsStatus" });

export const cycleActions = {
  cycle: endpoint({
    rest: "POST /cycle",
    summary: "Run the intelligence cycle, from direction to dissemination",
    permit: "signed-in",
    within: { set, may: "intelligence:fuse" },
    body: {
      problemSetId: Cycle.create.problemSetId,
      compartments: Cycle.create.compartments,
      direction: CycleDirection,
      checkpoints: Cycle.create.checkpoints.default(["processing", "analysis"]),
      patienceHours: Cycle.create.patienceHours.default(USUAL_PATIENCE_HOURS),
    },
    returns: data(Cycle.view.extend({ jobId: z.string() })),
    status: 202,
    description:
      "Direction, collection, processing, analysis and dissemination run in the background on your " +
      "behalf, limited to what you may read. After each phase named in `checkpoints`, the cycle waits " +
      "until a person resolves the checkpoint; one that expires stops the cycle. At the end its " +
      "products wait for a reviewer other than you.",
    example: {
      problemSetId: "the problem set's id",
      direction: { question: "Will the dam hold?", queries: ["dam"] },
    },
    async handler(ctx) {
      const { problemSetId, compartments, direction, ...policy } = ctx.params;
      await demandUsable(ctx, direction, { problemSetId, compartments }, "direction");
      const begins = { phase: "direction", status: "running", step: 0, run: 0, outcomes: [] };
      const cycle = await this.store(Cycle).create(ctx, {
        problemSetId,
        compartments,
        direction,
        ...policy,
        ...begins,
      });
      return { ...cycle, jobId: (await drive(this, cycle)).id };
    },
  }),

  "cycles.list": endpoint({
    rest: "GET /cycles",
    summary: "List the intelligence cycles",
    permit: "signed-in",
    beyond: true,
    within: { set, may: "intelligence:read" },
    query: Cycle.query,
    returns: list(Cycle.view),
    handler(ctx) {
      return this.store(Cycle).page(ctx, ctx.params);
    },
  }),

  "cycles.get": endpoint({
    rest: "GET /cycles/:id",
    summary: "Read the progress of an intelligence cycle and the results of each phase",
    permit: "signed-in",
    beyond: true,
    on: Cycle,
    within: { set, may: "intelligence:read" },
    returns: data(Cycle.view),
    handler: (_ctx, cycle) => cycle,
  }),

  "checkpoints.list": endpoint({
    rest: "GET /checkpoints",
    summary: "List the checkpoints that intelligence cycles are waiting at",
    permit: "signed-in",
    within: { set, may: "intelligence:read" },
    query: { ...Checkpoint.query, status: Checkpoint.query.status.default("pending") },
    returns: list(Checkpoint.view),
    description: "Lists waiting ones, unless `status` says otherwise; from all your problem sets, or from one.",
    handler(ctx) {
      return this.store(Checkpoint).page(ctx, ctx.params as never);
    },
  }),

  "checkpoints.resolve": endpoint({
    rest: "POST /checkpoints/:id/resolve",
    summary: "Resolve a checkpoint: continue, repeat the phase, or stop",
    permit: "signed-in",
    on: Checkpoint,
    within: { set, may: "intelligence:steer" },
    body: {
      resolution: z.enum(RESOLUTIONS),
      edits: Edits.optional().describe("Changed fields of the direction, for what follows; the rest is kept."),
      note: z.string().trim().min(1).max(4_000).optional(),
    },
    returns: data(Checkpoint.view),
    description:
      "Only a person can do this, once. `continue` moves on to the next phase, `revise` repeats the " +
      "last one, both with your edits; `stop` ends the cycle.",
    example: { resolution: "continue" },
    errors: {
      403: "Your role may not, or you come with a key or as an agent.",
      409: "It is resolved or has expired.",
    },
    async handler(ctx, checkpoint) {
      const by = personOf(ctx.meta.actor);
      const { resolution, edits, note } = ctx.params;
      const { status, expiresAt, direction, resolvedBy, resolvedAt } = checkpoint;
      const now = iso(this.world.clock.now());
      if (status !== "pending")
        throw conflict(`It was ${status} already.`, { status, by: resolvedBy ?? null, at: resolvedAt ?? null });
      if (expiresAt <= now) throw conflict("It has expired.", { expiresAt });
      if (edits && resolution === "stop")
        throw invalid([{ path: "edits", message: "What is stopped has no use for edits." }]);
      if (edits) await demandUsable(ctx, { ...direction, ...edits }, checkpoint, "edits");
      const told = resolutionTold(checkpoint, resolution, by);
      const settled = await this.store(Checkpoint).revise(
        ctx,
        checkpoint,
        {
          ...{ status: "resolved", resolution, resolvedBy: by, resolvedAt: now },
          ...(edits && { edits }),
          ...(note !== undefined && { note }),
        },
        { where: { status: "pending" }, facts: [CheckpointResolved.fact(checkpoint.id, told)] },
      );
      await goOn.call(this, told);
      return settled;
    },
  }),

  getStatus: endpoint({
    rest: "GET /status",
    summary: "Summarise what the strategic agents are doing",
    permit: "signed-in",
    within: { set, may: "intelligence:read" },
    query: { problemSetId: TextId.optional() },
    returns: data(Status),
    description: "From all your problem sets, or from one: counts cover what you can see.",
    async handler(ctx) {
      const { problemSetId } = ctx.params;
      const query = problemSetId === undefined ? {} : { problemSetId };
      const checkpoints = this.store(Checkpoint);
      const stories = this.store(Collected);
      const pending = { ...query, status: "pending" };
      const [monitors, alerts, products, cycles, waiting, [next], collected, [last]] = await Promise.all([
        countsOf(this, ctx, Monitor, ["active", "ended"], query),
        countsOf(this, ctx, Alert, ALERT_STATES, query),
        countsOf(this, ctx, Product, PRODUCT_STATES, query),
        countsOf(this, ctx, Cycle, CYCLE_STATES, query),
        checkpoints.total(ctx, pending),
        checkpoints.find(ctx, pending, { sort: ["expiresAt"], limit: 1 }),
        stories.total(ctx, query),
        stories.find(ctx, query, { sort: ["-updatedAt"], limit: 1 }),
      ]);
      return {
        ...{ monitors, alerts, products, cycles },
        checkpoints: { pending: waiting.total, nextExpiry: next?.expiresAt ?? null },
        collection: { stories: collected.total, last: last?.updatedAt ?? null },
      };
    },
  }),
};
