import type { Host } from "../../../core/contract/endpoint.ts";

/** The ids of the best articles for a query, published at this moment or later where one is given, best first. */
export const rankedArticles = (host: Host, wanted: { q: string; from?: string; limit: number }): Promise<number[]> =>
  host.ask("search.ranked", wanted);
