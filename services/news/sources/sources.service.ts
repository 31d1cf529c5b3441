import { z } from "zod";
import { bare, data, file, list, nothing } from "../../../core/contract/answer.ts";
import { endpoint, type MeshService } from "../../../core/contract/endpoint.ts";
import { NumberId } from "../../../core/records/entity.ts";
import { withWords } from "../../../core/records/reading/by-words.ts";
import { on } from "../../../core/events/event.ts";
import { commonsOf, domain } from "../../../mixins/domain.mixin.ts";
import { Domain, SourceRemoved } from "./events.ts";
import { Fetch } from "./ingestion/fetches.ts";
import { CLAIM_MS } from "./ingestion/due-sources.ts";
import { articleStats, groundOf, type Sources } from "./host.ts";
import { adoptInterval } from "./ingestion/interval-change.ts";
import { Ingestion } from "./ingestion/ingestion.ts";
import { importOpml, OPML, OPML_BYTES, opmlOf } from "./opml.ts";
import { refresh, Refreshed, REFRESH_WAIT_MS } from "./ingestion/refresh.ts";
import { register, registerMany, Registered, refuseClosed, revise } from "./registration.ts";
import { Rounds } from "./ingestion/rounds.ts";
import {
  newSource,
  sourceQuery,
  sourceView,
  Source,
  sourceChange,
  SourceStats,
  SourceSummary,
  SourceView,
} from "./sources.ts";

/** How often the schedule looks for due sources: one read of an index. */
const LOOK_MS = 1_000;
const MOST_ENTRIES = 1_000;
const BULK_BYTES = 10 * 1024 * 1024;

const DUPLICATE = { 409: "Another source has this feed already; the message names it." };

export default {
  name: "sources",
  metadata: { description: "The followed feeds, their health, and OPML import and export." },
  settings: { rest: "/sources" },
  mixins: [
    domain({
      entities: [Source],
      hears: [on(SourceRemoved, forgetFetches)],
      waits: [
        { of: Source, field: "dueAt", since: "lastFetch" },
        ...["claim", "lastFetch"].map((one) => ({
          of: Source,
          field: "dueAt",
          where: { [one]: { $exists: one === "claim" } },
          mostMs: CLAIM_MS,
        })),
      ],
      schedules: { ingest: { everyMs: LOOK_MS, everywhere: true, run: ingest } },
    }),
  ],

  actions: {
    list: endpoint({
      tool: "list_sources",
      rest: "GET /",
      summary: "List the sources",
      permit: "sources:read",
      query: sourceQuery,
      returns: list(SourceView),
      description:
        "`meta` carries `total`, and `page` and `limit` besides. `lastFetch` is null before the first " +
        "fetch. Filtering by `health` shows which sources need attention.",
      async handler(ctx) {
        const { data: rows, meta } = await this.store(Source).page(ctx, ctx.params, withWords(ctx.params.q));
        return { data: rows.map(sourceView), meta };
      },
    }),

    get: endpoint({
      rest: "GET /:id",
      summary: "Read a source",
      permit: "sources:read",
      on: Source,
      returns: data(SourceView),
      handler: (_ctx, item) => sourceView(item),
    }),

    create: endpoint({
      tool: "add_source",
      reachesOut: true,
      rest: "POST /",
      summary: "Add a feed as a source",
      permit: "sources:curate",
      body: newSource,
      returns: data(SourceSummary),
      status: 201,
      errors: DUPLICATE,
      description:
        "The feed is fetched within a second or two. The address may be that of a website: its feed is " +
        "then found at the first fetch (`feedUrl`). Addresses that differ only in scheme, a trailing " +
        "slash, fragment or tracking parameters count as one feed.",
      example: { name: "Example News", url: "https://example.org/feed.xml", domain: "technology" },
      async handler(ctx) {
        refuseClosed(this, ctx.params.url);
        return register(this, ctx, ctx.params);
      },
    }),

    update: endpoint({
      rest: "PUT /:id",
      summary: "Change a source, or enable or disable it",
      permit: "sources:curate",
      on: Source,
      body: sourceChange,
      returns: data(SourceView),
      errors: DUPLICATE,
      description:
        "Every field is optional. A disabled source is not fetched and keeps its articles; when it is " +
        "enabled, or gets another address, it is fetched immediately and its back-off ends. Its articles " +
        "take on a new name or domain within moments.",
      async handler(ctx, item) {
        refuseClosed(this, ctx.params.url);
        return sourceView(await revise(this, ctx, item, ctx.params));
      },
    }),

    remove: endpoint({
      rest: "DELETE /:id",
      summary: "Remove a source",
      permit: "sources:curate",
      on: Source,
      returns: nothing(),
      status: 204,
      query: {
        articles: z
          .enum(["keep", "remove"])
          .default("keep")
          .describe("`remove`: its articles are removed too, in the background, except those that a briefing cites."),
      },
      description:
        "By default its articles are kept: they keep the source's name, can be searched and read, and " +
        "count in statistics; `articleCount` of the source is their number. The source is dropped from " +
        "source lists, and its fetch history is removed.",
      async handler(ctx, item) {
        const { articles } = ctx.params;
        await this.store(Source).remove(ctx, item, { facts: [SourceRemoved.fact(item.id, { id: item.id, articles })] });
        return null;
      },
    }),

    createMany: endpoint({
      rest: "POST /bulk",
      summary: "Add several feeds",
      permit: "sources:curate",
      bodyLimit: BULK_BYTES,
      status: 201,
      returns: data(Registered),
      description:
        `Each entry is like that of a single create and is handled separately: valid ones are stored, the ` +
        `others are listed in \`failed\` with their index (from 0), a code (\`VALIDATION_ERROR\`, ` +
        `\`CONFLICT\`) and the reason. At most ${MOST_ENTRIES} entries.`,
      body: {
        sources: z
          .array(z.unknown().describe("`{name, url, domain, fullText?, active?}`; a wrong entry fails alone."))
          .min(1)
          .max(MOST_ENTRIES),
      },
      example: { sources: [{ name: "Example News", url: "https://example.org/feed.xml", domain: "technology" }] },
      handler(ctx) {
        return registerMany(this, ctx, ctx.params.sources);
      },
    }),

    getStats: endpoint({
      rest: "GET /:id/stats",
      summary: "Get figures about one source",
      permit: "sources:read",
      on: Source,
      returns: data(SourceStats),
      async handler(_ctx, { id, fetchErrors }) {
        const { avgConfidence, ...counts } = await articleStats(this, id);
        return { ...counts, fetchErrors, avgConfidence: Math.round(avgConfidence * 10_000) / 10_000 };
      },
    }),

    refresh: endpoint({
      rest: "POST /:id/refresh",
      summary: "Fetch a source now",
      permit: "sources:curate",
      beyond: true,
      on: Source,
      returns: data(Refreshed),
      accepted: ({ outcome }) => outcome === "running",
      errors: { 409: "The source is disabled." },
      description:
        `Fetches immediately, regardless of the schedule and without validators, and ends the source's ` +
        `back-off. Waits up to ${REFRESH_WAIT_MS / 1_000} seconds; a longer fetch continues and is ` +
        `answered 202 with \`outcome: "running"\`. A failing feed is an outcome, not an error.`,
      handler(ctx, item) {
        return refresh(this as unknown as Sources, ctx, item);
      },
    }),

    "fetches.list": endpoint({
      rest: "GET /:id/fetches",
      summary: "List the last fetches of a source, newest first",
      permit: "sources:read",
      beyond: true,
      on: Source,
      returns: data(z.array(Fetch)),
      description: "At most 50. `error` says why one failed.",
      async handler(_ctx, { id }) {
        const kept = await (this as unknown as Sources).fetches.findById(id);
        return ((kept?.["fetches"] ?? []) as Fetch[]).toReversed();
      },
    }),

    exportOpml: endpoint({
      rest: "GET /opml",
      summary: "Export the sources as OPML",
      permit: "sources:read",
      beyond: true,
      returns: file(OPML),
      description:
        "OPML 2.0, one folder for each domain; every feed reader can import it. What was set for a source (`fullText`, " +
        "or that it is switched off) stands in attributes of our own namespace, which an import takes over.",
      async handler(ctx) {
        ctx.meta.$responseHeaders = {
          ...ctx.meta.$responseHeaders,
          "Content-Disposition": 'attachment; filename="sources.opml"',
        };
        return opmlOf(this, ctx);
      },
    }),

    importOpml: endpoint({
      rest: "POST /opml",
      summary: "Import sources from OPML",
      permit: "sources:curate",
      beyond: true,
      consumes: OPML,
      bodyLimit: OPML_BYTES,
      body: z.string(),
      status: 201,
      returns: data(Registered),
      query: {
        domain: Domain.optional().describe(
          "Domain for feeds that are in no folder named after one; without it they fail.",
        ),
      },
      description:
        "Takes what feed readers export. The innermost folder, or else a category, that is named after a domain gives its " +
        "feeds that domain. Results are per feed, in document order, as with `bulk`.",
      errors: { 400: "The document is not OPML." },
      handler(ctx) {
        return importOpml(this, ctx, ctx.params.body, ctx.params.domain);
      },
    }),

    known: endpoint({
      summary: "Which of these sources exist",
      permit: "internal",
      body: { ids: z.array(NumberId) },
      returns: bare(z.array(NumberId)),
      async handler(ctx) {
        return (await this.store(Source).find(ctx, { _id: { $in: ctx.params.ids } }, { fields: ["_id"] })).map(
          ({ id }) => id,
        );
      },
    }),
  },

  async started(this: Sources) {
    this.fetches = await this.world.documents.collection("source_fetches");
    const ground = groundOf(this);
    const kept = await this.world.documents.collection("source_settings");
    if (!commonsOf(this.broker).isIdle) await adoptInterval(kept, ground.sources, ground.intervalMs, ground.random);
    this.ingestion = new Ingestion(ground);
    this.rounds = new Rounds(this.ingestion, commonsOf(this.broker).leases, (line) => this.logger.info(line));
  },

  async stopped(this: Sources) {
    await this.ingestion?.stop();
    await this.rounds?.stop();
  },
} satisfies MeshService;

/**
 * One turn of the schedule; without the articles' service, or while its circuit is open, there is no use in fetching.
 */
async function ingest(this: Sources): Promise<void> {
  if (this.broker.findNextActionEndpoint("articles.store") instanceof Error) return;
  await this.rounds?.turn();
}

async function forgetFetches(this: Sources, { id }: { id: number }): Promise<void> {
  await this.fetches.removeById(id);
}
