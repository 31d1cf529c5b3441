import { z } from "zod";
import { bare } from "../../../core/contract/answer.ts";
import { endpoint } from "../../../core/contract/endpoint.ts";
import { Article } from "./articles.ts";
import { topicOf } from "./grouping/topics/topic.ts";
import type { Articles } from "./host.ts";

const HIGH = 0.75;
const MEDIUM = 0.5;

/** What verification asks of all articles: which are newest, and how they stand. */
export const verifying = {
  newest: endpoint({
    summary: "The newest articles, without their texts",
    permit: "internal",
    body: {
      minConfidence: z.number().min(0).max(1).optional(),
      offset: z.int().min(0),
      limit: z.int().min(1).max(500),
    },
    returns: bare(z.custom<Article[]>(Array.isArray)),
    handler(ctx) {
      const { minConfidence, offset, limit } = ctx.params;
      return this.store(Article).find(
        ctx,
        minConfidence === undefined ? {} : { confidence: { $not: { $lt: minConfidence } } },
        { sort: ["-publishedAt"], offset, limit },
      );
    },
  }),

  kindred: endpoint({
    summary: "Other events that an article most likely tells of too, by the ids of their stories",
    permit: "internal",
    body: {
      storyId: z.string().max(64),
      title: z.string(),
      summary: z.string(),
      opening: z.string(),
      publishedAt: z.string(),
    },
    returns: bare(z.array(z.string())),
    handler(ctx) {
      const { storyId, title, summary, opening, publishedAt } = ctx.params;
      return (this as Articles).stories.kindred(storyId, topicOf({ title, summary, text: opening }), publishedAt);
    },
  }),

  overview: endpoint({
    summary: "How many articles are verified, and how confidence is spread",
    permit: "internal",
    returns: bare(
      z.object({
        verified: z.int(),
        unverified: z.int(),
        averageConfidence: z.number(),
        high: z.int(),
        medium: z.int(),
        low: z.int(),
      }),
    ),
    async handler(ctx) {
      const store = this.store(Article);
      const [[all], verified, high, known] = await Promise.all([
        store.collection.groups({ avg: { confidence: "confidence" } }),
        store.count(ctx, { verified: true }),
        store.count(ctx, { confidence: { $gte: HIGH } }),
        store.count(ctx, { confidence: { $gte: MEDIUM } }),
      ]);
      const total = all?.count ?? 0;
      return {
        verified,
        unverified: Math.max(0, total - verified),
        averageConfidence: (all?.["confidence"] as number | undefined) ?? 0,
        high,
        medium: Math.max(0, known - high),
        low: Math.max(0, total - known),
      };
    },
  }),
};
