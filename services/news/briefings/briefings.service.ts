import { z } from "zod";
import { data, file, list } from "../../../core/contract/answer.ts";
import { endpoint, type MeshService } from "../../../core/contract/endpoint.ts";
import { paging } from "../../../core/records/entity.ts";
import { conflict, Problem } from "../../../core/problem.ts";
import { simulates } from "../../../core/access/training-mode.ts";
import { domain } from "../../../mixins/domain.mixin.ts";
import { period, refuseBackwards, withinPeriod } from "../articles/client.ts";
import { Briefing, BriefingRow, BriefingView, GENERATE, jobOf, ofMode, Order } from "./briefings.ts";
import { BriefingCompleted, BriefingFailed } from "./events.ts";
import { digestActions } from "./digest.ts";
import { toHtml, toPdf } from "./render/render.ts";
import { deliver, DELIVER, DeliveredBriefing, DELIVERING, Delivery, finished } from "./delivering.ts";
import { orderBriefing, sourcesWanted, sweepOrders } from "./ordering.ts";
import { generate, giveUp } from "./briefing-job.ts";
import { examineChannels, scheduled, untilNext } from "./scheduling.ts";

/** How soon an order is made that a kill left behind. */
const SWEEP_MS = 30_000;

/** While it is being made, with the job that can be followed. */
const followed = <B extends { id: number; status: string }>(briefing: B): B & { jobId?: string } =>
  briefing.status === "generating" ? { ...briefing, jobId: jobOf(briefing.id) } : briefing;

export default {
  name: "briefings",
  metadata: { description: "Summaries of what happened, made from articles, every sentence with its source." },
  settings: { rest: "/briefings" },
  mixins: [
    domain({
      entities: [Briefing],
      live: [BriefingCompleted, BriefingFailed],
      sends: [DeliveredBriefing],
      jobs: { [GENERATE]: { concurrency: 2, attempts: 3, run: generate, failed: giveUp }, [DELIVER]: DELIVERING },
      schedules: {
        scheduled: { everyMs: untilNext, run: scheduled },
        sweep: { everyMs: SWEEP_MS, run: sweepOrders },
      },
    }),
  ],

  actions: {
    ...digestActions,

    list: endpoint({
      tool: "list_briefings",
      rest: "GET /",
      summary: "List the stored briefings, newest first",
      permit: "briefings:read",
      description:
        "Completed briefings. `from` and `to` bound `generatedAt`. `status` (beyond Document 1) shows those " +
        "in the making or failed.",
      query: {
        from: period.from.describe("Created at or after this moment or day (ISO 8601)."),
        to: period.to.describe("Created at or before this moment or day (ISO 8601); a day is included whole."),
        status: z.enum(["generating", "completed", "failed"]).default("completed"),
        ...paging,
      },
      returns: list(BriefingRow),
      async handler(ctx) {
        const { from, to, status, page, limit } = ctx.params;
        refuseBackwards({ from, to });
        const rows = await this.store(Briefing).page(
          ctx,
          { page, limit, sort: status === "completed" ? "-generatedAt" : "-createdAt" },
          { status, ...ofMode(ctx), ...withinPeriod({ from, to }, "generatedAt") },
        );
        return { data: rows.data.map(followed), meta: rows.meta };
      },
    }),

    getLatest: endpoint({
      rest: "GET /latest",
      summary: "Read the newest completed briefing",
      permit: "briefings:read",
      returns: data(BriefingView),
      errors: { 404: "There is no completed briefing yet." },
      async handler(ctx) {
        const [latest] = await this.store(Briefing).find(
          ctx,
          { status: "completed", ...ofMode(ctx) },
          { sort: ["-generatedAt"], limit: 1 },
        );
        if (!latest)
          throw new Problem(404, "NOT_FOUND", "There is no briefing yet: POST /api/briefings/generate makes one.");
        return latest;
      },
    }),

    get: endpoint({
      tool: "read_briefing",
      rest: "GET /:id",
      summary: "Read a briefing or its progress",
      permit: "briefings:read",
      on: Briefing,
      returns: data(BriefingView),
      description:
        "`status` is `generating`, `completed` or `failed` (then `error` says why). `content` is Markdown, " +
        "present once completed.",
      handler: (_ctx, briefing) => followed(briefing),
    }),

    generate: endpoint({
      tool: "generate_briefing",
      rest: "POST /generate",
      summary: "Generate a briefing in the background",
      permit: "briefings:make",
      body: Order,
      returns: data(
        z
          .object({ id: z.int(), status: z.literal("generating"), estimatedSeconds: z.number(), jobId: z.string() })
          .meta({ id: "BriefingOrder" }),
      ),
      status: 202,
      description:
        "Returns immediately; poll `GET /api/briefings/{id}`, or follow `GET /api/jobs/{jobId}/events` (beyond " +
        "Document 1). The sources are those of `sourceListId`, " +
        "else of the active source list, else all. Generation continues after a restart.",
      errors: { 422: "There is no such source list." },
      example: { hours: 24, domains: ["security", "energy"], minConfidence: 0.4, maxArticles: 100 },
      async handler(ctx) {
        const narrowed = await sourcesWanted(this, ctx.params.sourceListId);
        const briefing = await orderBriefing(this, ctx, ctx.params, narrowed);
        const { id, estimatedSeconds } = briefing;
        return { id, status: "generating" as const, estimatedSeconds: estimatedSeconds!, jobId: jobOf(id) };
      },
    }),

    deliver: endpoint({
      rest: "POST /:id/deliver",
      summary: "Send a completed briefing to channels",
      permit: "briefings:make",
      on: Briefing,
      description:
        "Channels: `email` or `email:<address>`, `slack`, `telegram`, `webhook:<name>`; `GET " +
        "/api/briefings/channels` lists which are configured. `delivered` is true if every channel " +
        "accepted it; each is tried up to three times.",
      body: { channels: z.array(z.string().min(1).max(300)).min(1).max(20) },
      returns: data(Delivery),
      example: { channels: ["email", "slack"] },
      errors: { 409: "The briefing is not completed." },
      async handler(ctx, briefing) {
        if (briefing.status !== "completed")
          throw conflict(`A briefing that is ${briefing.status} cannot be delivered.`, { status: briefing.status });
        return deliver(this, briefing, ctx.params.channels, simulates(ctx));
      },
    }),

    "channels.list": endpoint({
      rest: "GET /channels",
      summary: "List the delivery channels and what each needs",
      permit: "briefings:read",
      beyond: true,
      returns: data(z.array(z.object({ name: z.string(), configured: z.boolean(), needs: z.string() }))),
      handler() {
        return this.world.channels.known();
      },
    }),

    getHtml: endpoint({
      rest: "GET /:id/html",
      summary: "Read a completed briefing as an HTML page",
      permit: "briefings:read",
      beyond: true,
      on: Briefing,
      returns: file("text/html; charset=utf-8"),
      errors: { 409: "The briefing is not completed." },
      handler(ctx, briefing) {
        ctx.meta.$responseHeaders = {
          "Content-Security-Policy": "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'",
        };
        return toHtml(finished(briefing));
      },
    }),

    getPdf: endpoint({
      rest: "GET /:id/pdf",
      summary: "Read a completed briefing as PDF",
      permit: "briefings:read",
      beyond: true,
      on: Briefing,
      returns: file("application/pdf"),
      errors: { 409: "The briefing is not completed." },
      handler: (_ctx, briefing) => toPdf(finished(briefing)),
    }),
  },

  async started() {
    examineChannels(this);
  },
} satisfies MeshService;
