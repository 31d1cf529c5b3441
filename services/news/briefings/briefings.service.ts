import { Cron } from "croner";
import { z } from "zod";
import { faultOf, LlmError, quoting } from "../../../adapters/llm/llm.ts";
import { data, file, list } from "../../../core/contract/answer.ts";
import { asSystem, type Caller } from "../../../core/access/caller.ts";
import { iso } from "../../../core/clock.ts";
import { endpoint, type Host, type MeshService } from "../../../core/contract/endpoint.ts";
import { Instant, paging } from "../../../core/records/entity.ts";
import type { Job, JobRun } from "../../../core/work/job.ts";
import { live } from "../../../core/contract/live.ts";
import { conflict, invalid, isNotFound, notFound, unprocessable } from "../../../core/problem.ts";
import { Repeatable } from "../../../core/contract/repeatable.ts";
import { Simulated, simulates } from "../../../core/access/training-mode.ts";
import { inTurns } from "../../../core/work/turns.ts";
import { domain } from "../../../mixins/domain.mixin.ts";
import { Briefing, BriefingRow, BriefingView, ofMode, Order, ordered } from "./briefings.ts";
import { BriefingCompleted, BriefingGenerated } from "./events.ts";
import { composing, preparing } from "./writing/compose.ts";
import { acceptDraft, BriefingDraft, groundedPrompt } from "./writing/draft.ts";
import { estimateSeconds } from "./estimate.ts";
import type { BriefingInput, BriefingSnapshot, Composed } from "./model.ts";
import { visibleSources } from "../source-lists/client.ts";
import { digestActions } from "./digest.ts";
import { articlesAbout } from "./reading.ts";
import { toHtml, toPdf } from "./render/render.ts";

const GENERATE = "briefings.generate";
const RECENT = 20;
/** Without a schedule the clock is still looked at once a day. */
const DAY_MS = 86_400_000;

const Delivery = z
  .object({
    delivered: z.boolean().describe("Whether every channel took it."),
    channels: z.array(
      z.object({
        channel: z.string(),
        success: z.boolean(),
        error: z.string().optional(),
        note: z.string().optional(),
      }),
    ),
    simulated: Simulated,
  })
  .meta({ id: "BriefingDelivery" });

export default {
  name: "briefings",
  settings: { rest: "/briefings" },
  mixins: [
    domain({
      entities: [Briefing],
      live: [BriefingCompleted],
      jobs: { [GENERATE]: { concurrency: 2, attempts: 3, run: generate, failed: giveUp } },
      schedules: { scheduled: { everyMs: untilNext, run: scheduled } },
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
        "Completed briefings. `from` and `to` bound `generatedAt`. `status` (beyond Document 1) shows those in the making or failed.",
      query: {
        from: Instant.optional(),
        to: Instant.optional(),
        status: z.enum(["generating", "completed", "failed"]).default("completed"),
        ...paging,
      },
      returns: list(BriefingRow),
      handler(ctx) {
        const { from, to, status, page, limit } = ctx.params;
        const within = (from || to) && { generatedAt: { ...(from && { $gte: from }), ...(to && { $lte: to }) } };
        return this.store(Briefing).page(
          ctx,
          { page, limit, sort: status === "completed" ? "-generatedAt" : "-createdAt" },
          { status, ...ofMode(ctx), ...within },
        );
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
        if (!latest) throw notFound("briefing", "latest");
        return latest;
      },
    }),

    get: endpoint({
      tool: "read_briefing",
      rest: "GET /:id",
      summary: "Read a briefing, or how far it is",
      permit: "briefings:read",
      on: Briefing,
      returns: data(BriefingView),
      description:
        "`status` is `generating`, `completed` or `failed` (then `error` says why). `content` is Markdown, present once completed.",
      handler: (_ctx, briefing) => briefing,
    }),

    generate: endpoint({
      tool: "generate_briefing",
      rest: "POST /generate",
      summary: "Have a briefing made in the background",
      permit: "briefings:make",
      body: Order,
      returns: data(
        z
          .object({ id: z.int(), status: z.literal("generating"), estimatedSeconds: z.number() })
          .meta({ id: "BriefingOrder" }),
      ),
      status: 202,
      description:
        "Answers at once; poll `GET /api/briefings/{id}`. The sources are those of `sourceListId`, else of the active source list, else all. The work survives a restart.",
      errors: { 422: "There is no such source list." },
      example: { hours: 24, domains: ["security", "energy"], minConfidence: 0.4, maxArticles: 100 },
      async handler(ctx) {
        const sourceIds = await sourcesWanted(this, ctx.params.sourceListId);
        const briefing = await order(this, ctx, ctx.params, sourceIds);
        return { id: briefing.id, status: "generating" as const, estimatedSeconds: briefing.estimatedSeconds! };
      },
    }),

    deliver: endpoint({
      rest: "POST /:id/deliver",
      summary: "Send a completed briefing to channels",
      permit: "briefings:make",
      on: Briefing,
      description:
        "Channels: `email` or `email:<address>`, `slack`, `telegram`, `webhook:<name>`; `GET /api/briefings/channels` tells which are configured. `delivered` is true when every channel took it; each is tried up to three times.",
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
      summary: "Which delivery channels there are, and what each needs",
      permit: "briefings:read",
      beyond: true,
      returns: data(z.array(z.object({ name: z.string(), configured: z.boolean(), needs: z.string() }))),
      handler() {
        return this.world.channels.known();
      },
    }),

    getHtml: endpoint({
      rest: "GET /:id/html",
      summary: "Read a completed briefing as a page",
      permit: "briefings:read",
      beyond: true,
      on: Briefing,
      returns: file("text/html; charset=utf-8"),
      errors: { 409: "The briefing is not completed." },
      handler(ctx, briefing) {
        ctx.meta.$responseHeaders = { "Content-Security-Policy": "default-src 'none'; style-src 'unsafe-inline'" };
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
} satisfies MeshService;

const finished = (briefing: Briefing) => {
  if (briefing.status !== "completed")
    throw conflict(`This briefing is ${briefing.status}.`, { status: briefing.status });
  return { ...briefing, content: briefing.content!, generatedAt: briefing.generatedAt! };
};

/** Sources of the named list, else of the active one; undefined for all. */
async function sourcesWanted(host: Host, sourceListId: number | undefined): Promise<number[] | undefined> {
  try {
    return (await visibleSources(host, sourceListId))?.sourceIds;
  } catch (error) {
    if (!isNotFound(error)) throw error;
    throw unprocessable("UNKNOWN_SOURCE_LIST", `There is no source list ${sourceListId}.`, [
      { path: "sourceListId", message: "There is no such source list." },
    ]);
  }
}

async function order(
  host: Host,
  caller: Caller,
  wanted: z.output<z.ZodObject<typeof Order>>,
  sourceIds: number[] | undefined,
  channels?: string[],
): Promise<Briefing> {
  const { hours, domains, minConfidence, maxArticles, sourceListId } = wanted;
  const recent = await host
    .store(Briefing)
    .find(
      asSystem("briefings"),
      { status: "completed" },
      { sort: ["-generatedAt"], limit: RECENT, fields: ["durationMs"] },
    );
  const seconds = estimateSeconds(
    recent.flatMap(({ durationMs }) => durationMs ?? []),
    maxArticles,
  );
  const record = ordered(
    { hours, domains, minConfidence, maxArticles, sourceListId },
    host.world.clock.now(),
    sourceIds,
    seconds,
  );
  const briefing = await host
    .store(Briefing)
    .create(caller, { ...record, ...(channels && { channels }), ...(simulates(caller) && { training: true }) });
  await host.jobs.add(
    GENERATE,
    { briefingId: briefing.id },
    { by: caller.meta.actor!.userId, key: String(briefing.id) },
  );
  return briefing;
}

/** A rating of the Admiralty code as a share; F, and no rating, cannot be judged. */
const shareOf = (rating: string | undefined): number | undefined =>
  rating === undefined || rating === "F" ? undefined : 1 - "ABCDE".indexOf(rating) / 4;

/**
 * The job: collect, compose, store; then tell, and send where a schedule wants it sent. Repeating it after a kill does
 * no harm.
 */
async function generate(this: Host, { job, progress, signal }: JobRun<{ briefingId: number }>): Promise<unknown> {
  const store = this.store(Briefing);
  const system = asSystem("briefings");
  const briefing = await store.get(system, job.input.briefingId);
  if (briefing.status === "completed") return finish(this, briefing);
  const began = performance.now();
  await progress("collecting", 0, 3);
  const { domains, minConfidence, maxArticles } = briefing.order;
  const found = await articlesAbout(this, {
    ...briefing.period,
    domains,
    minConfidence,
    sourceIds: briefing.sourceIds,
    limit: maxArticles,
  });
  signal.throwIfAborted();
  await progress("composing", 1, 3);
  const ids = [...new Set(found.map(({ sourceId }) => sourceId))];
  const standings = await this.ask<{ id: number; rating: string }[]>("verification.standings", { ids });
  const ratings = new Map(standings.map(({ id, rating }) => [id, rating]));
  const sources = new Map(
    found.map(({ sourceId, sourceName }) => [
      sourceId,
      { name: sourceName, reliability: shareOf(ratings.get(sourceId)) },
    ]),
  );
  const now = iso(this.world.clock.now());
  const input: BriefingInput = {
    articles: found,
    period: briefing.period,
    previous: await previousOf(this, briefing),
    now,
    sources,
    domains,
  };
  const draft = await drafted(this, input, signal);
  const composed = draft?.composed ?? (await inTurns(composing(input), { signal }));
  await progress("storing", 2, 3);
  // Cited articles are kept by retention; said before the briefing shows them, so that none it cites can be gone.
  if (composed.articles.length) await this.ask("articles.cited", { ids: composed.articles });
  const { title, content, stats, articles, method, snapshot } = composed;
  const completed = await store.revise(
    system,
    briefing,
    {
      title,
      content,
      stats,
      articles,
      method,
      ...(draft?.fault && { modelFault: draft.fault }),
      snapshot,
      status: "completed",
      generatedAt: now,
      durationMs: Math.round(performance.now() - began),
    },
    {
      facts: [
        BriefingGenerated.fact(briefing.id, {
          id: briefing.id,
          generatedAt: now,
          ...(briefing.training && { training: true }),
        }),
      ],
    },
  );
  await live(this, {
    event: BriefingCompleted,
    to: { topic: "briefings", training: completed.training === true },
    data: { id: completed.id, title, generatedAt: now },
  });
  return finish(this, completed);
}

/** What the last briefing of the same order told: another list or threshold would make stories seem to go quiet. */
async function previousOf(host: Host, { order, training }: Briefing): Promise<BriefingSnapshot | undefined> {
  const same = {
    status: "completed",
    training: training ?? { $ne: true },
    "order.minConfidence": order.minConfidence,
    ...(order.sourceListId === undefined
      ? { "order.sourceListId": { $exists: false } }
      : { "order.sourceListId": order.sourceListId }),
  };
  const [previous] = await host.store(Briefing).find(asSystem("briefings"), same, { sort: ["-generatedAt"], limit: 1 });
  return previous?.snapshot as BriefingSnapshot | undefined;
}

/** The model's draft with every citation checked, or in words why there is none; null without a model. */
async function drafted(
  { world: { llm }, logger }: Host,
  input: BriefingInput,
  signal: AbortSignal,
): Promise<{ composed: Composed | null; fault?: string } | null> {
  if (!llm.configured || !input.articles.length) return null;
  try {
    const prepared = await inTurns(preparing(input), { signal });
    const { value } = await llm.complete({
      messages: groundedPrompt(prepared, quoting()),
      schema: BriefingDraft,
      name: "briefing",
      maxTokens: 4_000,
      signal,
    });
    const { composed, dropped } = acceptDraft(value, prepared);
    if (dropped.length)
      logger.warn(`The model's draft lost ${dropped.length} statements or citations that do not hold.`);
    return composed ? { composed } : { composed, fault: "What the model wrote did not hold against the articles." };
  } catch (error) {
    if (!(error instanceof LlmError)) throw error;
    logger.warn(`The model gave no draft (${error.kind}); the briefing is extracted.`);
    return { composed: null, fault: faultOf(error) };
  }
}

async function finish(host: Host, briefing: Briefing): Promise<{ delivered?: unknown }> {
  return briefing.channels?.length ? { delivered: await deliver(host, briefing, briefing.channels) } : {};
}

async function giveUp(this: Host, job: Job<{ briefingId: number }>, reason: string): Promise<void> {
  await this.store(Briefing).amend(asSystem("briefings"), job.input.briefingId, ({ status }) =>
    status === "generating" ? { status: "failed", error: reason } : null,
  );
}

async function deliver(
  host: Host,
  briefing: Briefing,
  names: readonly string[],
  simulated = false,
): Promise<z.output<typeof Delivery>> {
  const { channels } = host.world;
  const unknown = names.flatMap((name, at) =>
    channels.knows(name) ? [] : [{ path: `channels.${at}`, message: `There is no channel ${name}.` }],
  );
  if (unknown.length) throw invalid(unknown);
  if (simulated || briefing.training)
    return {
      delivered: true,
      simulated: true,
      channels: [...new Set(names)].map((channel) => ({
        channel,
        success: true,
        note: "Simulated: in training nothing is sent.",
      })),
    };
  const results = await Promise.all([...new Set(names)].map((name) => channels.deliver(name, finished(briefing), {})));
  return {
    delivered: results.every(({ success }) => success),
    channels: results.map(({ channel, success, error, note }) => ({
      channel,
      success,
      ...(error && { error }),
      ...(note && { note }),
    })),
  };
}

/** Milliseconds until the schedule's next time. */
function untilNext({ world: { env, clock } }: Host): number {
  const next = env.BRIEFING_CRON && new Cron(env.BRIEFING_CRON, { timezone: "UTC" }).nextRun(new Date(clock.now()));
  return next ? Math.min(DAY_MS, Math.max(1_000, next.getTime() - clock.now())) : DAY_MS;
}

/**
 * Makes the scheduled briefing of this minute, once over all nodes and restarts: its record is seeded by the minute.
 */
async function scheduled(this: Host): Promise<void> {
  const { env, clock } = this.world;
  if (!env.BRIEFING_CRON) return;
  // A timer may be a little early or late; the minute is what counts.
  const now = new Date(Math.floor((clock.now() + 1_000) / 60_000) * 60_000);
  const due = new Cron(env.BRIEFING_CRON, { timezone: "UTC" }).match(now);
  if (!due) return;
  const caller: Caller = {
    ...asSystem("briefings"),
    locals: { repeatable: new Repeatable(`scheduled briefing ${now.toISOString()}`) },
  };
  await order(this, caller, z.object(Order).parse({}), await sourcesWanted(this, undefined), env.BRIEFING_CHANNELS);
}
