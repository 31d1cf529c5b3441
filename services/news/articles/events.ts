import { z } from "zod";
import { liveType } from "../../../core/contract/live.ts";
import { Instant, NumberId } from "../../../core/records/entity.ts";
import { event } from "../../../core/events/event.ts";
import { Domain } from "../sources/events.ts";

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

const Arrived = z.object({ sourceId: NumberId, domain: Domain, created: z.int() });
export type Arrived = z.output<typeof Arrived>;
/** Told on the topic `articles`, in both modes. */
export const ArticlesArrived = liveType("articles.arrived", {
  domain: "articles",
  summary: "New articles came in: how many, and from which sources, of all that was stored within a second",
  permit: "articles:read",
  topics: ["articles"],
  payload: z.object({
    created: z.int().describe("All of them; updated ones are not counted."),
    sources: z.array(Arrived).describe("By source, a hundred at most; an active source list does not narrow them."),
  }),
});
