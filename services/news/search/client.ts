import type { Host } from "../../../core/contract/endpoint.ts";

export interface RankedArticle {
  id: number;
  /** 0..1 */
  relevance: number;
}

/** The best articles for a query, published at this moment or later where one is given, best first. */
export const rankedArticles = (
  host: Host,
  wanted: { q: string; from?: string; limit: number },
): Promise<RankedArticle[]> => host.ask("search.ranked", wanted);
