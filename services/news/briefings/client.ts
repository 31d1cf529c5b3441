import { z } from "zod";
import type { Host } from "../../../core/contract/endpoint.ts";
import { Instant, NumberId } from "../../../core/records/entity.ts";
import type { Domain } from "../sources/events.ts";

/** Title, address, outlet and time are of one article; `confidence` is of what the title says. */
const Story = z.object({
  title: z.string(),
  /** The later figure, where later reports count more than the title says. */
  later: z.string().optional(),
  url: z.string(),
  source: z.string(),
  confidence: z.number(),
  sources: z.int(),
  contested: z.boolean(),
  publishedAt: Instant,
});
const Cited = z.object({ articleId: NumberId, title: z.string(), url: z.string(), source: z.string() });
const Said = z.object({ text: z.string(), cites: z.array(Cited) });
/** What matters in one domain: sentences that stand in the articles cited, and its stories, the weightiest first. */
export const Digest = z.object({
  articles: z.int(),
  statements: z.array(Said.extend({ contested: Said.optional() })),
  stories: z.array(Story),
});
export type Digest = z.output<typeof Digest>;

/** The digest of a domain over the last hours, of at most so many articles, narrowed by the active source list. */
export const digestOf = (host: Host, wanted: { domain: Domain; hours: number; limit: number }): Promise<Digest> =>
  host.ask("briefings.digest", wanted);
