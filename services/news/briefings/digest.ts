import { z } from "zod";
import { bare } from "../../../core/contract/answer.ts";
import { iso } from "../../../core/clock.ts";
import { endpoint, type Host } from "../../../core/contract/endpoint.ts";
import { sha256 } from "../../../core/ids.ts";
import { once } from "../../../core/once.ts";
import { Remembered } from "../../../core/remembered.ts";
import { inTurns } from "../../../core/work/turns.ts";
import { newestArticles } from "../articles/client.ts";
import { visibleSources } from "../source-lists/client.ts";
import { Domain } from "../sources/events.ts";
import { Digest } from "./client.ts";
import { articlesAbout } from "./reading.ts";
import { asLabelled, headlineOf } from "./stories/headlines.ts";
import { composing } from "./writing/compose.ts";

/** Who asks again so soon is given what was made before, unless an article was published since. */
const FRESH_MS = 60_000;
const MOST_KEPT = 64;

interface Wanted {
  domain: Domain;
  hours: number;
  limit: number;
}

/** Digests as they were made last; several who ask at once wait for the same one. */
const digestsOf = once(
  ({ clock }: Host["world"]) => new Remembered<Digest>(clock, { forMs: FRESH_MS, most: MOST_KEPT }),
);

async function digest(host: Host, { domain, hours, limit }: Wanted, sourceIds: number[] | undefined): Promise<Digest> {
  const now = host.world.clock.now();
  const period = { from: iso(now - hours * 3_600_000), to: iso(now) };
  const { articles } = await articlesAbout(host, {
    ...period,
    domains: [domain],
    sourceIds,
    limit,
  });
  const sources = new Map(articles.map(({ sourceId, sourceName }) => [sourceId, { name: sourceName }]));
  const input = { articles, period, now: iso(now), sources, domains: [domain] };
  const { stories, stats, summary } = await inTurns(composing(input));
  const byId = new Map(articles.map((article) => [article.id, article]));
  const cited = (ids: readonly number[]) =>
    ids.map((id) => {
      const { title, url, sourceName } = byId.get(id)!;
      return { articleId: id, title, url, source: sourceName };
    });
  return {
    articles: stats.articles,
    statements: summary.map(({ text, spokenBy, later, contested, cites }) => ({
      text: `${spokenBy === undefined ? text : `“${text}” (${spokenBy})`}${later === undefined ? "" : ` (later: ${later})`}`,
      cites: cited(cites),
      ...(contested && { contested: { text: contested.text, cites: cited(contested.articleIds) } }),
    })),
    stories: stories.map(({ headlineOf: lead, later, headlineConfidence, independentSources, disagreement }) => {
      const article = byId.get(lead!)!;
      const { url, publishedAt, sourceName } = article;
      return {
        title: asLabelled(article, headlineOf(article)),
        ...(later !== undefined && { later }),
        url,
        source: sourceName,
        confidence: headlineConfidence,
        sources: independentSources,
        contested: disagreement !== undefined,
        publishedAt,
      };
    }),
  };
}

/** What other domains ask of briefings. */
export const digestActions = {
  digest: endpoint({
    summary: "What matters in a domain now, by extraction alone",
    permit: "internal",
    returns: bare(Digest),
    body: { domain: Domain, hours: z.number().min(1).max(720), limit: z.int().min(1).max(500) },
    async handler(ctx) {
      const [visible, [newest]] = await Promise.all([
        visibleSources(this),
        newestArticles(this, { offset: 0, limit: 1 }),
      ]);
      const key = sha256(JSON.stringify([ctx.params, newest?.id, visible?.sourceIds]));
      return digestsOf(this.world).of(key, () => digest(this, ctx.params, visible?.sourceIds));
    },
  }),
};
