import { z } from "zod";
import { VERSION } from "../../../config/version.ts";
import { published } from "../../../core/contract/catalogue.ts";
import { bare } from "../../../core/contract/answer.ts";
import { endpoint, type MeshService } from "../../../core/contract/endpoint.ts";
import { paging } from "../../../core/records/entity.ts";
import { commonsOf, domain } from "../../../mixins/domain.mixin.ts";
import { digestOf } from "../briefings/client.ts";
import { Domain } from "../sources/events.ts";
import { DomainSummary, LatestArticles, LatestBriefing, Manifest, manifest, Results, summaryOf } from "./v1.ts";

/** Agents poll: an answer this fresh is fresh enough, and they are told so. */
const FRESH_SECONDS = 60;
/** A domain's summary looks back over this many hours, and at this many articles at the most. */
const SUMMARY_HOURS = 48;
const SUMMARY_ARTICLES = 120;

interface Listed {
  id: number;
  title: string;
  summary: string;
  url: string;
  source: { name: string };
  domain: string;
  confidence: number;
  publishedAt: string;
}

export default {
  name: "v1",
  metadata: { description: "News for programs with an API key, as specified in Document 1." },
  settings: { rest: "/v1" },
  mixins: [domain({})],
  actions: {
    "briefings.getLatest": endpoint({
      tool: "briefings",
      description:
        "The text alone, as Markdown, with its time and how much was read for it. Others, and the records behind " +
        "one: `GET /api/briefings`.",
      rest: "GET /briefing/latest",
      summary: "Read the newest briefing",
      permit: "briefings:read",
      returns: bare(LatestBriefing),
      cacheSeconds: FRESH_SECONDS,
      errors: { 404: "There is no completed briefing yet." },
      async handler(ctx) {
        const { content, generatedAt, stats } = await ctx.call<
          { content: string; generatedAt: string; stats: { sources: number; articles: number } },
          object
        >("briefings.getLatest", {});
        return { briefing: content, generatedAt, stats };
      },
    }),

    search: endpoint({
      tool: "search",
      description:
        "The short form: titles, addresses, confidence and a summary of the best matches, without ids. To narrow by " +
        "time or domain, or to go on with an article by its id, use `GET /api/search`.",
      rest: "GET /search",
      summary: "Search the articles",
      permit: "search:read",
      query: {
        q: z.string().min(1).max(1_000).describe('Words, "phrases", a | b, -excluded, title: source: domain:'),
        limit: paging.limit,
      },
      returns: bare(Results),
      cacheSeconds: FRESH_SECONDS,
      async handler(ctx) {
        const found = await ctx.call<
          { data: { id: number; title: string; url: string; confidence: number; snippet: string }[] },
          object
        >("search.search", ctx.params);
        return {
          results: found.data.map(({ title, url, confidence, snippet }) => ({
            title,
            url,
            confidence,
            summary: plain(snippet),
          })),
        };
      },
    }),

    "domains.getSummary": endpoint({
      tool: "domain_summaries",
      rest: "GET /domains/:domain/summary",
      summary: "Read what currently matters in a domain",
      permit: "articles:read",
      path: { domain: Domain.describe("What the news is about.") },
      returns: bare(DomainSummary),
      cacheSeconds: FRESH_SECONDS,
      description:
        `Covers the last ${SUMMARY_HOURS} hours, limited by the active source list. Stories are assigned ` +
        `to a domain by their texts, whatever domain their outlets have. Every sentence of the summary is ` +
        `in the cited articles; it says so where others disagree.`,
      async handler(ctx) {
        const wanted = ctx.params.domain;
        const { articles, statements, stories } = await digestOf(this, {
          domain: wanted,
          hours: SUMMARY_HOURS,
          limit: SUMMARY_ARTICLES,
        });
        return {
          domain: wanted,
          summary: summaryOf(statements),
          statements,
          articleCount: articles,
          topStories: stories.slice(0, 10),
        };
      },
    }),

    "articles.listLatest": endpoint({
      rest: "GET /articles/latest",
      summary: "List the newest articles",
      permit: "articles:read",
      query: { limit: paging.limit },
      returns: bare(LatestArticles),
      cacheSeconds: FRESH_SECONDS,
      async handler(ctx) {
        const { data } = await ctx.call<{ data: Listed[] }, object>("articles.list", {
          limit: ctx.params.limit,
          sort: "-publishedAt",
        });
        return { articles: data.map(({ source, ...article }) => ({ ...article, source: source.name })) };
      },
    }),

    getManifest: endpoint({
      rest: "GET /manifest",
      summary: "Read the description by which agents use this platform as a REST source",
      permit: "public",
      beyond: true,
      returns: bare(Manifest),
      cacheSeconds: 3_600,
      handler() {
        const { PUBLIC_URL, HOST, PORT } = this.world.env;
        const own = commonsOf(this.broker).services.find(({ name }) => name === this.name)!;
        return manifest(PUBLIC_URL ?? `http://${HOST}:${PORT}`, VERSION, [...published(own)]);
      },
    }),
  },
} satisfies MeshService;

const ENTITIES: Record<string, string> = { "&lt;": "<", "&gt;": ">", "&amp;": "&", "&quot;": '"', "&#39;": "'" };
/** A snippet as plain text: without marks and entities. */
const plain = (snippet: string): string =>
  snippet.replace(/<\/?mark>/g, "").replace(/&(?:lt|gt|amp|quot|#39);/g, (entity) => ENTITIES[entity]!);
