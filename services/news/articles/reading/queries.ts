import { z } from "zod";
import type { Query } from "../../../../core/records/documents.ts";
import { NumberId, paging } from "../../../../core/records/entity.ts";
import { Domain } from "../../sources/events.ts";
import { period, withinPeriod, type Period } from "./periods.ts";

/** How lists may be ordered, and the field behind it. */
const ORDERS = {
  "-publishedAt": "-publishedAt",
  publishedAt: "publishedAt",
  "-confidence": "-confidence",
  confidence: "confidence",
  "-ingestedAt": "-createdAt",
  ingestedAt: "createdAt",
} as const;
export type ArticleOrder = keyof typeof ORDERS;
export const fieldOf = (order: ArticleOrder): string => ORDERS[order];

/** What the list takes. */
export const Listing = {
  domain: Domain.optional(),
  sourceId: NumberId.optional(),
  verified: z.boolean().optional(),
  minConfidence: z.number().min(0).max(1).optional().describe("At least this confidence, 0 to 1."),
  storyId: z.string().min(1).max(64).optional().describe("Only the articles of one story."),
  ...period,
  ...paging,
  sort: z.enum(Object.keys(ORDERS) as [ArticleOrder, ...ArticleOrder[]]).default("-publishedAt"),
};

export interface Filters extends Period {
  domain?: string;
  sourceId?: number;
  verified?: boolean;
  minConfidence?: number;
  storyId?: string;
}

/** `visible`: the sources of the list in force; absent: all. A source outside of it has no articles to show. */
export function queryOf(
  { domain, sourceId, verified, minConfidence, storyId, from, to }: Filters,
  visible?: readonly number[],
): Query {
  const sources = sourceId === undefined ? visible : !visible || visible.includes(sourceId) ? [sourceId] : [];
  return {
    ...(domain && { domain }),
    ...(sources && { sourceId: sources.length === 1 ? sources[0] : { $in: [...sources] } }),
    ...(verified !== undefined && { verified }),
    // Said this way it is a filter and no range: planners would read most articles by confidence and sort them, to show
    // twenty.
    ...(minConfidence && { confidence: { $not: { $lt: minConfidence } } }),
    ...(storyId && { storyId }),
    ...withinPeriod({ from, to }),
  };
}
