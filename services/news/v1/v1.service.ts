import { z } from "zod";
import { VERSION } from "../../../config/version.ts";
import { bare } from "../../../core/contract/answer.ts";
import { iso } from "../../../core/clock.ts";
import { endpoint, type Host, type MeshService } from "../../../core/contract/endpoint.ts";
import { paging } from "../../../core/records/entity.ts";
import { inTurns } from "../../../core/work/turns.ts";
import { domain } from "../../../mixins/domain.mixin.ts";
import { composing } from "../briefings/writing/compose.ts";
import type { BriefingArticle, BriefingInput } from "../briefings/model.ts";
import { Domain } from "../sources/domains.ts";
import { DomainSummary, LatestArticles, LatestBriefing, Manifest, manifest, Results } from "./v1.ts";

/** Agents poll: an answer this fresh is fresh enough, and they are told so. */
const FRESH_SECONDS = 60;
/** A domain's summary looks back over this many hours, and at this many articles at the most. */
const SUMMARY_HOURS = 48;
const SUMMARY_ARTICLES = 120;

interface Listed { id: number; title: string; summary: string; url: string; source: { name: string }; domain: string; confidence: number; publishedAt: string }

export default {
  name: "v1",
  settings: { rest: "/v1" },
  mixins: [domain({})],
  actions: {
    "briefings.getLatest": endpoint({
      rest: "GET /briefing/latest", summary: "The newest briefing", permit: "briefings:read", returns: bare(LatestBriefing), cacheSeconds: FRESH_SECONDS, errors: { 404: "There is no completed briefing yet." },
      async handler(ctx) {
        const { content, generatedAt, stats } = await ctx.call<{ content: string; generatedAt: string; stats: { sources: number; articles: number } }, object>("briefings.getLatest", {});
        return { briefing: content, generatedAt, stats };
      },
    }),

    search: endpoint({
      rest: "GET /search", summary: "Search the articles", permit: "search:read", query: { q: z.string().min(1).max(1_000), limit: paging.limit }, returns: bare(Results), cacheSeconds: FRESH_SECONDS,
      async handler(ctx) {
        const found = await ctx.call<{ data: { id: number; title: string; url: string; confidence: number; snippet: string }[] }, object>("search.search", ctx.params);
        return { results: found.data.map(({ title, url, confidence, snippet }) => ({ title, url, confidence, summary: plain(snippet) })) };
      },
    }),

    "domains.getSummary": endpoint({
      rest: "GET /domains/:domain/summary", summary: "What matters in a domain now", permit: "articles:read", path: { domain: Domain }, returns: bare(DomainSummary), cacheSeconds: FRESH_SECONDS,
      description: `Of the last ${SUMMARY_HOURS} hours, narrowed by the active source list. Every sentence of the summary stands in an article.`,
      async handler(ctx) {
        const wanted = ctx.params.domain;
        const input = await inputOf(this, wanted);
        const byId = new Map(input.articles.map((article) => [article.id, article]));
        const { stories, stats, summary } = await inTurns(composing(input));
        return {
          domain: wanted, articleCount: stats.articles, summary: summary.map(({ text }) => text).join(" "),
          topStories: stories.slice(0, 10).map(({ headline, articleIds, confidence, independentSources }) => {
            const lead = byId.get(articleIds[0]!)!;
            return { title: headline, url: lead.url, confidence, sources: independentSources, publishedAt: lead.publishedAt };
          }),
        };
      },
    }),

    "articles.listLatest": endpoint({
      rest: "GET /articles/latest", summary: "The newest articles", permit: "articles:read", query: { limit: paging.limit }, returns: bare(LatestArticles), cacheSeconds: FRESH_SECONDS,
      async handler(ctx) {
        const { data } = await ctx.call<{ data: Listed[] }, object>("articles.list", { limit: ctx.params.limit, sort: "-publishedAt" });
        return { articles: data.map(({ source, ...article }) => ({ ...article, source: source.name })) };
      },
    }),

    getManifest: endpoint({
      rest: "GET /manifest", summary: "What an agent reads to use this platform as a REST source", permit: "public", beyond: true, returns: bare(Manifest), cacheSeconds: 3_600,
      handler() {
        const { PUBLIC_URL, HOST, PORT } = this.world.env;
        return manifest(PUBLIC_URL ?? `http://${HOST}:${PORT}`, VERSION);
      },
    }),
  },
} satisfies MeshService;

const ENTITIES: Record<string, string> = { "&lt;": "<", "&gt;": ">", "&amp;": "&", "&quot;": '"', "&#39;": "'" };
/** A snippet as plain text: without marks and entities. */
const plain = (snippet: string): string => snippet.replace(/<\/?mark>/g, "").replace(/&(?:lt|gt|amp|quot|#39);/g, (entity) => ENTITIES[entity]!);

async function inputOf(host: Host, wanted: z.output<typeof Domain>): Promise<BriefingInput> {
  const now = host.world.clock.now();
  const period = { from: iso(now - SUMMARY_HOURS * 3_600_000), to: iso(now) };
  const visible = await host.ask<{ sourceIds: number[] } | null>("source-lists.visible");
  const articles = await host.ask<BriefingArticle[]>("articles.forBriefing", { ...period, domains: [wanted], sourceIds: visible?.sourceIds, limit: SUMMARY_ARTICLES });
  return { articles, period, now: iso(now), sources: new Map(articles.map(({ sourceId, sourceName }) => [sourceId, { name: sourceName }])), domains: [wanted] };
}
