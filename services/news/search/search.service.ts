import { z } from "zod";
import type { Ctx } from "../../../core/access/caller.ts";
import { bare, data, list } from "../../../core/contract/answer.ts";
import { iso } from "../../../core/clock.ts";
import { endpoint, type Host, type MeshService } from "../../../core/contract/endpoint.ts";
import { MOST_ROWS, NumberId } from "../../../core/records/entity.ts";
import type { JobRun } from "../../../core/work/job.ts";
import { nameTokens } from "../../../core/text/words/analysis.ts";
import { parseQuery } from "../../../core/text/searching/query-language.ts";
import type { SearchDocument, SearchRequest } from "../../../core/records/reading/search.ts";
import { commonsOf, domain } from "../../../mixins/domain.mixin.ts";
import { markIndexed, refuseBackwards, unindexed, type Confirmed } from "../articles/client.ts";
import { spelledOperators, suggestion, unknownDomains, unknownFields, type AdviceIndex } from "./advice.ts";
import { SearchQuery, FoundArticles, Hit, hitOf, offsetOf, ORDERS } from "./hits.ts";
import { IndexFeed } from "./index-feed.ts";
import { Syntax, syntax } from "./syntax.ts";

interface Search extends Host {
  feed: IndexFeed;
  /** The index was asked once whether it is whole. */
  checked: boolean;
  /** What the index feed last failed for, so that an outage is logged once and not with every look. */
  ailment: string | undefined;
}

/** Between two looks for marks that no hint told of. */
const POLL_MS = 2_000;
/** Articles a pass of the index feed, and a page of a rebuild: as many as the embedded index makes one segment of. */
const PASS = 500;
/** A hundred articles of a feed tell of a stream, whose next ones wait for a second; a few wait for nobody. */
const PACE = { full: PASS, eachMs: 10, mostMs: 1_000 };
const LEASE_MS = 30_000;
const REINDEX = "search.reindex";

const State = z
  .object({
    engine: z.enum(["embedded", "elastic"]),
    indexed: z.int().describe("Articles in the index."),
    stored: z.int().describe("Articles in the store."),
    waiting: z.int().describe("Changes that the index does not show yet."),
    lagSeconds: z.number().describe("Age of the oldest of them."),
    outdated: z.boolean().describe("The index was never built whole, or by another version of the analysis."),
    reindex: z
      .object({ jobId: z.string(), status: z.string(), done: z.int().optional(), error: z.string().optional() })
      .nullable()
      .describe("The last rebuild."),
  })
  .meta({ id: "SearchStatus" });
const Queued = z.object({ jobId: z.string(), status: z.string() });

interface Waiting {
  stored: number;
  waiting: number;
  oldest: string | null;
  last: number;
}

/** One node of the mesh feeds the index at a time. */
const LEASE = "search.feed";
const release = (search: Search): Promise<void> => commonsOf(search.broker).leases.release(LEASE);
const held = (search: Search, work: () => Promise<void>): Promise<unknown> =>
  commonsOf(search.broker).leases.under(LEASE, LEASE_MS, async () => {
    await work();
    await release(search);
  });

/** Every article there is now, as the index has it, in pages. Those that come later are the index feed's. */
async function* allDocuments(search: Search, run: JobRun): AsyncGenerator<SearchDocument> {
  const { last } = await search.ask<Waiting>("articles.waiting");
  for (let after = 0, done = 0; after < last;) {
    const { documents, next } = await search.ask<{ documents: SearchDocument[]; next: number | null }>(
      "articles.documents",
      { after, upTo: last, limit: PASS },
    );
    yield* documents;
    done += documents.length;
    await run.progress("reading", done);
    after = next ?? last;
  }
}

/**
 * Builds the index anew from the store; the present one answers until then. What changes meanwhile the index feed puts
 * into both.
 */
async function reindex(this: Search, run: JobRun): Promise<{ indexed: number }> {
  return { indexed: await this.world.search.rebuild(allDocuments(this, run)) };
}

const startReindex = (search: Search, by: string) =>
  search.jobs.add(REINDEX, {}, { by, key: "index", onlookers: "everybody" });

/**
 * Whether the index differs from the store by more than marks will mend: it was never whole, is of another version, or
 * its files or the store's were lost or taken back.
 */
async function isDeficient(search: Search): Promise<boolean> {
  const { search: index } = search.world;
  if (await index.outdated()) return true;
  const { stored, waiting } = await search.ask<Waiting>("articles.waiting");
  return Math.abs((await index.count()) - stored) > waiting;
}

/** Looks for what no hint told of; once, at the start, also whether the index is whole at all. */
async function poll(this: Search): Promise<void> {
  // Where nothing waits for the index nothing else would notice that it is away.
  await this.world.search.ping();
  if (!this.broker.registry.actions.isAvailable("articles.waiting")) return;
  if (!this.checked && (await isDeficient(this))) await startReindex(this, "system:search");
  this.checked = true;
  await this.feed.drain();
}

function ailing(search: Search, error: Error): void {
  if (search.ailment !== error.message) search.logger.warn(`The index is not up to date: ${error.message}`);
  search.ailment = error.message;
}

type Narrowed = Pick<SearchRequest, "domain" | "from" | "to">;
type Searching = z.output<z.ZodObject<typeof SearchQuery>>;

/** How advice asks the index: how many a tree finds, with or without the bounds of the request. */
const asking = (search: Search, bounds: Narrowed, now: string): AdviceIndex => ({
  total: async (tree, bounded) =>
    (await search.world.search.search({ tree, ...(bounded && bounds), limit: 0, now })).total,
  spellings: (word) => search.world.search.spellings(nameTokens(word).join(" ")),
});

async function searched(search: Search, { q, page, limit, facets, copies, sort, ...bounds }: Searching) {
  const began = performance.now();
  refuseBackwards(bounds);
  const { tree, normalized, warnings } = parseQuery(q);
  const most = Math.min(limit, MOST_ROWS);
  const offset = offsetOf(page, most);
  const now = iso(search.world.clock.now());
  const request = { ...bounds, limit: most, offset, facets, fold: copies === "fold", order: ORDERS[sort], now };
  const answer = tree
    ? await search.world.search.search({ tree, ...request })
    : { hits: [], total: 0, ...(facets && { facets: { domain: {}, source: {}, month: {} } }) };
  const isNarrowed = Object.values(bounds).some((bound) => bound !== undefined);
  const instead = tree && answer.total === 0 && (await suggestion(tree, isNarrowed, asking(search, bounds, now)));
  const took = Math.round((performance.now() - began) * 100) / 100;
  return {
    data: answer.hits.map(hitOf),
    meta: {
      query: q,
      total: answer.total,
      took,
      page,
      limit: most,
      normalized,
      warnings: [
        ...warnings,
        ...(tree ? [...unknownDomains(tree), ...spelledOperators(tree)] : []),
        ...(tree && answer.total === 0 ? unknownFields(tree) : []),
      ],
      ...(instead && { suggestion: instead }),
      ...(answer.facets && { facets: answer.facets }),
    },
  };
}

export default {
  name: "search",
  metadata: { description: "Finding articles by words, phrases and fields." },
  settings: { rest: "/search" },
  mixins: [
    domain({
      jobs: { [REINDEX]: { run: reindex } },
      schedules: { "feed-index": { everyMs: POLL_MS, everywhere: true, firstMs: 0, run: poll } },
    }),
  ],

  actions: {
    search: endpoint({
      tool: "search_articles",
      rest: "GET /",
      summary: "Search the articles",
      description:
        "Ranked by relevance, unless `sort` says otherwise: the title weighs more than the text, numbers count like words, and newer " +
        "articles weigh a little more than older ones. Copies of one text are grouped under the first of " +
        "them. If nothing is found, `meta.suggestion` is the nearest query that has results. `domain`, " +
        "`from` and `to` narrow the result together with `q`, with inclusive bounds on `publishedAt`. The " +
        "active source list does not narrow search; it is for dashboard, statistics and briefings. An " +
        "article can be found a moment after it was stored.",
      permit: "search:read",
      query: SearchQuery,
      returns: list(Hit, FoundArticles),
      handler(ctx) {
        return searched(this as Search, ctx.params);
      },
    }),

    ranked: endpoint({
      summary: "The best articles for a query, for who reads no snippets: their numbers, best first",
      permit: "internal",
      body: { q: SearchQuery.q, from: SearchQuery.from, limit: z.int().min(1).max(MOST_ROWS) },
      returns: bare(z.array(z.object({ id: NumberId, relevance: z.number() }))),
      handler(ctx) {
        const { q, ...narrowed } = ctx.params;
        const { tree } = parseQuery(q);
        return tree ? this.world.search.ranked({ tree, ...narrowed, now: iso(this.world.clock.now()) }) : [];
      },
    }),

    getSyntax: endpoint({
      tool: "search_syntax",
      description:
        "Every form of a query of `GET /api/search`, with its meaning and an example that works, and the rules " +
        "behind them.",
      rest: "GET /syntax",
      summary: "Explain the query language by example",
      permit: "search:read",
      beyond: true,
      cacheSeconds: 3_600,
      returns: data(Syntax),
      handler: () => syntax(),
    }),

    getStatus: endpoint({
      rest: "GET /status",
      summary: "Read how far the index is behind the store",
      permit: "search:read",
      beyond: true,
      returns: data(State),
      async handler() {
        const search = this as Search;
        const { search: index, clock } = this.world;
        const [indexed, outdated, { stored, waiting, oldest }, [last]] = await Promise.all([
          index.count(),
          index.outdated(),
          search.ask<Waiting>("articles.waiting"),
          this.jobs.recent(1, { kind: REINDEX }),
        ]);
        return {
          engine: index.kind,
          indexed,
          stored,
          waiting,
          outdated,
          lagSeconds: oldest ? Math.max(0, clock.now() - Date.parse(oldest)) / 1_000 : 0,
          reindex: last
            ? {
                jobId: last.id,
                status: last.status,
                ...(last.done !== undefined && { done: last.done }),
                ...(last.error !== undefined && { error: last.error }),
              }
            : null,
        };
      },
    }),

    reindex: endpoint({
      rest: "POST /reindex",
      summary: "Rebuild the index from the store",
      description:
        "Runs in the background, one run at a time; the current index answers until the new one replaces " +
        "it. `GET /api/search/status` shows the progress.",
      permit: "search:administer",
      beyond: true,
      returns: data(Queued),
      status: 202,
      async handler(ctx) {
        const { id, status } = await startReindex(this as Search, ctx.meta.actor!.userId);
        return { jobId: id, status };
      },
    }),
  },

  events: {
    "news.articles.changed": {
      context: true,
      handler(this: Search, { params: { created = 0, updated = 0 } }: Ctx<{ created?: number; updated?: number }>) {
        this.feed.wake(created + updated);
      },
    },
  },

  created(this: Search) {
    this.checked = false;
    this.feed = new IndexFeed({
      index: this.world.search,
      pull: () => unindexed(this, PASS),
      confirm: async (confirmed: Confirmed) => {
        await markIndexed(this, confirmed);
        this.ailment = undefined;
      },
      held: (work) => held(this, work),
      onError: (error) => ailing(this, error as Error),
      pace: PACE,
    });
  },

  async stopped(this: Search) {
    await this.feed.stop();
    await release(this);
  },
} satisfies MeshService;
