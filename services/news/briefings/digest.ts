import { z } from "zod";
import { bare } from "../../../core/contract/answer.ts";
import { iso, steadily, type Clock } from "../../../core/clock.ts";
import { endpoint, type Host } from "../../../core/contract/endpoint.ts";
import { sha256 } from "../../../core/ids.ts";
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
class Digests {
  readonly #made = new Map<string, { since: number; digest: Promise<Digest> }>();

  of(key: string, clock: Clock, make: () => Promise<Digest>): Promise<Digest> {
    const known = this.#made.get(key);
    if (known && steadily(clock) - known.since < FRESH_MS) return known.digest;
    const made = { since: steadily(clock), digest: make() };
    this.#made.delete(key);
    if (this.#made.size >= MOST_KEPT) this.#made.delete(this.#made.keys().next().value!);
    this.#made.set(key, made);
    made.digest.catch(() => this.#made.get(key) === made && this.#made.delete(key));
    return made.digest;
  }
}
const digests = new WeakMap<Host["broker"], Digests>();

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
      const known = digests.get(this.broker) ?? new Digests();
      digests.set(this.broker, known);
      const key = sha256(JSON.stringify([ctx.params, newest?.id, visible?.sourceIds]));
      return known.of(key, this.world.clock, () => digest(this, ctx.params, visible?.sourceIds));
    },
  }),
};
