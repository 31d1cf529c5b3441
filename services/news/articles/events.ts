import { z } from "zod";
import { Instant, NumberId } from "../../../core/records/entity.ts";
import { event } from "../../../core/events/event.ts";

/** Articles changed in what search shows: a hint to the index feed and to open lists. */
export const ArticlesChanged = event(
  "news.articles.changed",
  z.object({ sourceId: NumberId.optional(), created: z.int().optional(), updated: z.int().optional() }),
);
export const ArticleVerified = event(
  "news.article.verified",
  z.object({ id: NumberId, verified: z.boolean(), by: z.string(), at: Instant }),
);
export const ArticleRemoved = event("news.article.removed", z.object({ id: NumberId, sourceId: NumberId }));
