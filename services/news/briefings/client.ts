import { z } from "zod";
import type { Host } from "../../../core/contract/endpoint.ts";
import { Instant } from "../../../core/records/entity.ts";
import type { Domain } from "../sources/events.ts";

const Story = z.object({
  title: z.string(),
  url: z.string(),
  confidence: z.number(),
  sources: z.int(),
  publishedAt: Instant,
});
/** What matters in one domain: a summary whose sentences stand in articles, and its stories, the weightiest first. */
export const Digest = z.object({ articles: z.int(), summary: z.string(), stories: z.array(Story) });
export type Digest = z.output<typeof Digest>;

/** The digest of a domain over the last hours, of at most so many articles, narrowed by the active source list. */
export const digestOf = (host: Host, wanted: { domain: Domain; hours: number; limit: number }): Promise<Digest> =>
  host.ask("briefings.digest", wanted);
