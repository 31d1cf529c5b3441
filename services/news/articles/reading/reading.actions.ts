import { z } from "zod";
import { bare, data, list } from "../../../../core/contract/answer.ts";
import type { Ctx } from "../../../../core/access/caller.ts";
import { iso } from "../../../../core/clock.ts";
import { endpoint } from "../../../../core/contract/endpoint.ts";
import { cursorAt } from "../../../../core/records/reading/cursor.ts";
import { MOST_ROWS, NumberId } from "../../../../core/records/entity.ts";
import type { BriefingArticle } from "../client.ts";
import { visibleSources } from "../../source-lists/client.ts";
import { Domain, DOMAINS } from "../../sources/events.ts";
import {
  Article,
  ArticleDetail,
  ArticleRow,
  ArticleStats,
  detailOf,
  isRejected,
  reportOf,
  rowOf,
} from "../articles.ts";
import type { Articles } from "../host.ts";
import { refuseBackwards, period } from "./periods.ts";
import { fieldOf, Listing, queryOf, type Filters } from "./queries.ts";
import { briefingArticle, selectForBriefing } from "./selection.ts";

const HOUR_MS = 3_600_000;
const WEEK_HOURS = 168;
/** A briefing of a period with more articles is made from its newest. */
const MOST_CANDIDATES = 5_000;
const MOST_CORROBORATING = 50;
const MOST_BY_ID = 500;
/** A briefing reads so many articles at the most. */
const MOST_READ = 2_000;

/** Names of the other sources that tell of the same event in words of their own. */
async function corroborating(articles: Articles, ctx: Ctx<unknown>, article: Article): Promise<string[]> {
  const { storyId, sourceId } = article;
  const others = await articles
    .store(Article)
    .find(
      ctx,
      { storyId, sourceId: { $ne: sourceId } },
      { sort: ["-publishedAt"], limit: MOST_CORROBORATING, fields: ["sourceName", "storyId", "reportId", "verdict"] },
    );
  const own = others.filter((other) => reportOf(other) !== reportOf(article) && !isRejected(other));
  return [...new Set(own.map(({ sourceName }) => sourceName))];
}

async function withTexts(articles: Articles, found: readonly Article[]): Promise<(Article & { text: string })[]> {
  const texts = await articles.texts.plain(found.map(({ textId }) => textId));
  return found.map((article) => ({ ...article, text: texts.get(article.textId) ?? "" }));
}

/** How articles are read. */
export const readingActions = {
  list: endpoint({
    tool: "list_articles",
    rest: "GET /",
    summary: "List articles",
    description:
      "Newest first by default. `from` and `to` are inclusive bounds on `publishedAt`. There is one " +
      "article for each source and item: a wire report that ten sources carry is ten articles with one " +
      "`reportId`; articles on the same event, however worded, share a `storyId`. An active source list " +
      "limits the answer to its sources as soon as it is activated.",
    permit: "articles:read",
    query: Listing,
    returns: list(ArticleRow),
    async handler(ctx) {
      const { page, limit, sort, ...filters } = ctx.params;
      refuseBackwards(filters);
      const visible = await visibleSources(this);
      const rows = await this.store(Article).page(
        ctx,
        { page, limit, sort: fieldOf(sort) },
        queryOf(filters, visible?.sourceIds),
      );
      return { data: rows.data.map(rowOf), meta: rows.meta };
    },
  }),

  get: endpoint({
    tool: "read_article",
    rest: "GET /:id",
    summary: "Read an article",
    description:
      "Includes the whole text. `verification.score` and `verification.claims` are those of the last " +
      "verification; before the first one, the score is the article's initial confidence and there are " +
      "no claims. `verification.sources` also names the other sources that carry the same story.",
    permit: "articles:read",
    on: Article,
    returns: data(ArticleDetail),
    async handler(ctx, found) {
      const articles = this as Articles;
      const [{ article, body }, sources] = await Promise.all([
        articles.texts.of(found, () => this.store(Article).get(ctx, found.id)),
        corroborating(articles, ctx, found),
      ]);
      return detailOf(article, body, sources);
    },
  }),

  getStats: endpoint({
    tool: "article_statistics",
    rest: "GET /stats",
    summary: "Count articles over a period",
    description:
      "`hours` limits `total`, `verified` and `byDomain` by `publishedAt`; `last24h` always covers 24 " +
      "hours. `sourceListId` overrides the active list; `isFiltered` says whether either narrowed the " +
      "figures.",
    permit: "articles:read",
    query: {
      hours: z.number().min(1).max(8_760).default(24).describe("1 to 8,760."),
      sourceListId: NumberId.optional(),
    },
    returns: data(ArticleStats),
    errors: { 404: "There is no source list `sourceListId`." },
    async handler(ctx) {
      const { hours, sourceListId } = ctx.params;
      const visible = await visibleSources(this, sourceListId);
      const store = this.store(Article);
      const count = (filters: Filters) => store.count(ctx, queryOf(filters, visible?.sourceIds));
      const since = (hoursAgo: number) => iso(this.world.clock.now() - hoursAgo * HOUR_MS);
      const from = since(hours);
      // Each is read from an index alone; grouping would read the records.
      const [verified, last24h, ...domains] = await Promise.all([
        count({ from, verified: true }),
        count({ from: since(24) }),
        ...DOMAINS.map((domain) => count({ from, domain })),
      ]);
      const byDomain = Object.fromEntries(DOMAINS.map((domain, at) => [domain, domains[at]])) as Record<Domain, number>;
      return {
        total: domains.reduce((sum, one) => sum + one, 0),
        verified,
        last24h,
        byDomain,
        isFiltered: visible !== null,
      };
    },
  }),

  statsOfSource: endpoint({
    summary: "Get figures about one source",
    permit: "internal",
    body: { sourceId: NumberId },
    returns: bare(
      z.object({ articleCount: z.int(), verifiedCount: z.int(), lastWeekArticles: z.int(), avgConfidence: z.number() }),
    ),
    async handler(ctx) {
      const { sourceId } = ctx.params;
      const store = this.store(Article);
      const [[all], verifiedCount, lastWeekArticles] = await Promise.all([
        store.collection.groups({ query: { sourceId }, avg: { confidence: "confidence" } }),
        store.count(ctx, { sourceId, verified: true }),
        store.count(ctx, queryOf({ sourceId, from: iso(this.world.clock.now() - WEEK_HOURS * HOUR_MS) })),
      ]);
      return {
        articleCount: all?.count ?? 0,
        verifiedCount,
        lastWeekArticles,
        avgConfidence: (all?.["confidence"] as number | undefined) ?? 0,
      };
    },
  }),

  forBriefing: endpoint({
    summary: "What a briefing of a period reads, with texts",
    permit: "internal",
    description:
      "Event by event, those of many, trusted and late reports first; copies of a report stand behind all reports. What " +
      "a person did not verify is left out: whoever reads a briefing does not see their notes.",
    body: {
      from: period.from.unwrap(),
      to: period.to.unwrap(),
      domains: z.array(Domain).optional(),
      minConfidence: z.number().min(0).max(1).optional(),
      sourceIds: z.array(NumberId).optional(),
      // One beyond what a briefing reads tells it that there are more.
      limit: z
        .int()
        .min(1)
        .max(MOST_READ + 1),
    },
    returns: bare(z.custom<BriefingArticle[]>(Array.isArray)),
    async handler(ctx) {
      const { domains, sourceIds, limit, ...filters } = ctx.params;
      const query = { ...queryOf(filters, sourceIds), ...(domains && { domain: { $in: domains } }) };
      const candidates = await this.store(Article).find(ctx, query, { sort: ["-publishedAt"], limit: MOST_CANDIDATES });
      const chosen = selectForBriefing(
        candidates.filter((article) => !isRejected(article)),
        limit,
      );
      const bodies = await (this as Articles).texts.many(chosen.map(({ textId }) => textId));
      return chosen.map((article) => briefingArticle(article, bodies.get(article.textId)?.text ?? ""));
    },
  }),

  ofStory: endpoint({
    summary: "The newest articles of one event, with their texts",
    permit: "internal",
    body: { storyId: z.string().max(64), limit: z.int().min(1).max(MOST_BY_ID) },
    returns: bare(z.custom<(Article & { text: string })[]>(Array.isArray)),
    async handler(ctx) {
      const { storyId, limit } = ctx.params;
      const found = await this.store(Article).find(ctx, { storyId }, { sort: ["-publishedAt"], limit });
      return withTexts(this as Articles, found);
    },
  }),

  arrived: endpoint({
    summary: "What was stored behind an article, with texts, in the order in which it came",
    permit: "internal",
    body: { at: z.iso.datetime(), id: z.int().min(0), limit: z.int().min(1).max(MOST_ROWS) },
    returns: bare(z.custom<(Article & { text: string })[]>(Array.isArray)),
    async handler(ctx) {
      const { at, id, limit } = ctx.params;
      const cursor = cursorAt({ _id: id, createdAt: at }, "createdAt");
      const { data: found } = await this.store(Article).feed(ctx, { cursor, limit, order: "createdAt" });
      return withTexts(this as Articles, found);
    },
  }),

  arrivedLate: endpoint({
    summary: "What was stored between two moments and is not known, with texts; none where it is too much to compare",
    permit: "internal",
    body: { from: z.iso.datetime(), to: z.iso.datetime(), known: z.array(NumberId).max(MOST_CANDIDATES) },
    returns: bare(z.custom<(Article & { text: string })[]>(Array.isArray)),
    async handler(ctx) {
      const { from, to, known } = ctx.params;
      const store = this.store(Article);
      const query = { createdAt: { $gte: from, $lte: to } };
      const rows = await store.find(ctx, query, { sort: ["createdAt"], limit: MOST_CANDIDATES, fields: ["createdAt"] });
      const isKnown = new Set(known);
      const ids = rows.flatMap(({ id }) => (isKnown.has(id) ? [] : [id]));
      if (rows.length === MOST_CANDIDATES || !ids.length) return [];
      return withTexts(this as Articles, await store.many(ctx, ids.slice(0, MOST_BY_ID)));
    },
  }),

  many: endpoint({
    summary: "Articles by id, those that exist, with their texts where asked",
    permit: "internal",
    body: { ids: z.array(NumberId).max(MOST_BY_ID), text: z.boolean().default(false) },
    returns: bare(z.custom<(Article & { text?: string })[]>(Array.isArray)),
    async handler(ctx) {
      const found = await this.store(Article).many(ctx, ctx.params.ids);
      return ctx.params.text ? withTexts(this as Articles, found) : found;
    },
  }),
};
