import type { z } from "zod";
import { asSystem } from "../../../core/caller.ts";
import type { Article } from "../articles/articles.ts";
import { ask, editionOf, type Content, type Spending } from "./content.ts";
import type { Verifier } from "./host.ts";
import type { BatchView, Outcome } from "./batch.ts";
import { Verification } from "./verification.ts";

const PAGE = 200;
/** A batch looks through this many of the newest articles for those that are not done. */
const MOST_LOOKED = 10_000;
/** Then it answers, well before the call of the action times out; the next one goes on where it ended. */
const LONGEST_MS = 15_000;

export interface BatchOrder {
  limit: number;
  /** Of the article, 0..1. */
  minConfidence?: number;
  isDone(record: Verification): boolean;
  work(content: Content): Promise<Partial<Outcome>>;
}

/** Works on the newest articles that are not done yet, each by itself: one that fails is told in its own result. */
export async function batch(host: Verifier, order: BatchOrder, spent: Spending): Promise<z.input<typeof BatchView>> {
  const began = performance.now();
  const found = await undone(host, order);
  const results: Outcome[] = [];
  for (const article of found.slice(0, order.limit)) {
    if (performance.now() - began > LONGEST_MS) break;
    results.push(await one(host, article, order));
  }
  const failed = results.filter(({ success }) => !success).length;
  return { processed: results.length, succeeded: results.length - failed, failed, more: found.length > results.length, results, cost: { llmCalls: spent.llmCalls, tokens: spent.tokens } };
}

async function one(host: Verifier, { id, title }: Article, { work }: BatchOrder): Promise<Outcome> {
  const about = { contentId: id, title };
  try {
    const [content] = await ask<Content[]>(host, "articles.many", { ids: [id], text: true });
    return content ? { ...about, success: true, ...(await work(content)) } : { ...about, success: false, error: "The article was removed meanwhile." };
  } catch (error) {
    host.logger.warn(`Verification of article ${id}: ${(error as Error).message}`);
    return { ...about, success: false, error: (error as { code?: number }).code === undefined ? "It failed inside of the server; the log says why." : (error as Error).message };
  }
}

/** One more than wanted, where there is one, so that the answer can tell whether anything is left. */
async function undone(host: Verifier, { limit, minConfidence, isDone }: BatchOrder): Promise<Article[]> {
  const found: Article[] = [];
  for (let offset = 0; offset < MOST_LOOKED && found.length <= limit; offset += PAGE) {
    const page = await ask<Article[]>(host, "articles.newest", { offset, limit: PAGE, ...(minConfidence !== undefined && { minConfidence }) });
    const records = new Map((await host.store(Verification).many(asSystem("verification"), page.map(({ id }) => id))).map((record) => [record.id, record]));
    found.push(...page.filter((article) => {
      const record = records.get(article.id);
      return !record || record.edition !== editionOf(article) || !isDone(record);
    }));
    if (page.length < PAGE) break;
  }
  return found.slice(0, limit + 1);
}
