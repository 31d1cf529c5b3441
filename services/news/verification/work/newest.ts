import { newestArticles, type Article } from "../../articles/client.ts";
import type { Verifier } from "../host.ts";

const PAGE = 200;

/** The newest articles, so many at the most, a page at a time. */
export async function* newest(host: Verifier, most: number, minConfidence?: number): AsyncGenerator<Article[]> {
  for (let offset = 0; offset < most; offset += PAGE) {
    const page = await newestArticles(host, {
      offset,
      limit: PAGE,
      ...(minConfidence !== undefined && { minConfidence }),
    });
    yield page;
    if (page.length < PAGE) return;
  }
}
