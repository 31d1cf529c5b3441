import type { Host } from "../../../core/contract/endpoint.ts";
import { articlesForBriefing, type BriefingArticle, type BriefingWanted } from "../articles/client.ts";

export interface ReadArticles {
  articles: BriefingArticle[];
  /** Not all articles that were published were read. */
  isCut: boolean;
}

async function best(host: Host, wanted: BriefingWanted): Promise<ReadArticles> {
  const found = await articlesForBriefing(host, { ...wanted, limit: wanted.limit + 1 });
  return { articles: found.slice(0, wanted.limit), isCut: found.length > wanted.limit };
}

/**
 * The articles that may be about the domains asked for: those of outlets that are filed there, and the best of all
 * others, for most outlets write about everything. The composition keeps what is about them by its text.
 */
export async function articlesAbout(host: Host, wanted: BriefingWanted): Promise<ReadArticles> {
  const filed = await best(host, wanted);
  if (!wanted.domains) return filed;
  const all = await best(host, { ...wanted, domains: undefined });
  const both = [...filed.articles, ...all.articles].map((article) => [article.id, article] as const);
  return { articles: [...new Map(both).values()], isCut: filed.isCut || all.isCut };
}
