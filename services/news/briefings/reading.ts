import type { Host } from "../../../core/contract/endpoint.ts";
import { articlesForBriefing, type BriefingArticle, type BriefingWanted } from "../articles/client.ts";

/**
 * The articles that may be about the domains asked for: those of outlets that are filed there, and the best of all
 * others, for most outlets write about everything. The composition keeps what is about them by its text.
 */
export async function articlesAbout(host: Host, wanted: BriefingWanted): Promise<BriefingArticle[]> {
  const filed = await articlesForBriefing(host, wanted);
  if (!wanted.domains) return filed;
  const all = await articlesForBriefing(host, { ...wanted, domains: undefined });
  return [...new Map([...filed, ...all].map((article) => [article.id, article])).values()];
}
