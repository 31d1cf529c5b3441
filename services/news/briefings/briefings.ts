import { z } from "zod";
import type { Caller } from "../../../core/access/caller.ts";
import type { Query } from "../../../core/records/documents.ts";
import { entity, Instant, NumberId, type Item } from "../../../core/records/entity.ts";
import { simulates } from "../../../core/access/training-mode.ts";
import { Domain, DOMAINS } from "../sources/events.ts";
import { METHODS, type BriefingSnapshot } from "./model.ts";

export const Period = z.object({ from: Instant, to: Instant }).meta({ id: "Period" });
export const Stats = z.object({ sources: z.int(), articles: z.int(), verified: z.int() }).meta({ id: "BriefingStats" });

/** What a briefing is asked for; every field has a default, so that an empty body makes the usual morning briefing. */
export const Order = {
  hours: z.number().min(1).max(720).default(24).describe("How far back, in hours."),
  domains: z
    .array(Domain)
    .min(1)
    .max(DOMAINS.length)
    .optional()
    .describe("Only stories whose text is about these domains; all when absent."),
  minConfidence: z.number().min(0).max(1).default(0).describe("Leaves out articles below this confidence, 0 to 1."),
  maxArticles: z
    .int()
    .min(1)
    .max(2_000)
    .default(1_000)
    .describe("Maximum number of articles read; if domains are named, as many again from other outlets."),
  sourceListId: NumberId.optional().describe("Only sources of this list; wins over the active list."),
};

export const Briefing = entity("briefings", {
  id: "number",
  title: "briefing",
  fields: {
    title: z.string(),
    /** Markdown; absent until it is completed. */
    content: z.string().optional(),
    generatedAt: Instant.optional(),
    period: Period,
    stats: Stats,
    /** Cited articles, in the order of their first citation. */
    articles: z.array(NumberId).optional(),
    status: z.enum(["generating", "completed", "failed"]).default("generating"),
    /** Why it failed, in words. */
    error: z.string().optional(),
    method: z.enum(METHODS).optional(),
    modelFault: z
      .string()
      .optional()
      .describe("Why the model's text was not used: it failed, or its text did not pass the checks."),
    estimatedSeconds: z.number().optional(),
    order: z.object(Order),
    /** The sources it was narrowed to when it was asked for; absent: all. */
    sourceIds: z.array(NumberId).optional(),
    /** The list they were of: the one it was asked for with, or the active one. */
    listId: NumberId.optional(),
    /** Channels it goes to by itself when it is completed. */
    channels: z.array(z.string()).optional(),
    durationMs: z.number().optional(),
    /** Asked for in training: kept apart from operational ones, and told to nobody outside. */
    training: z.literal(true).optional(),
    snapshot: z.custom<BriefingSnapshot>(() => true).optional(),
  },
  hidden: ["snapshot", "channels", "durationMs"],
  sort: ["generatedAt"],
  lists: [
    { by: ["status"], filter: ["training"], sort: ["-generatedAt"] },
    { by: ["status"], filter: ["training"], sort: ["-createdAt"] },
  ],
  // The last one of the same order, which may be the first.
  indexes: [{ fields: ["order.hours", "order.minConfidence", "-generatedAt"] }],
});
export type Briefing = Item<typeof Briefing>;

/** The kind of job that makes briefings, and the job of one. */
export const GENERATE = "briefings.generate";
export const jobOf = (id: number): string => `${GENERATE}:${id}`;

/** While it is being made, who reads it can follow the work. */
const jobId = z
  .string()
  .optional()
  .describe("While it is being made: `GET /api/jobs/{id}` and `/events` show how far it is.");
/** A row of the list. */
export const BriefingRow = Briefing.view
  .pick({ id: true, title: true, generatedAt: true, period: true, stats: true, status: true })
  .extend({ jobId })
  .meta({ id: "BriefingSummary" });
/** One briefing in full, and while it is being made what is known of it. */
export const BriefingView = Briefing.view
  .pick({
    id: true,
    title: true,
    content: true,
    generatedAt: true,
    period: true,
    stats: true,
    articles: true,
    status: true,
    error: true,
    method: true,
    modelFault: true,
    estimatedSeconds: true,
    rev: true,
  })
  .extend({ jobId })
  .meta({ id: "Briefing" });

/** Which briefings a caller's lists hold: those of their mode. */
export const ofMode = (caller: Pick<Caller, "meta">): Query => ({ training: simulates(caller) ? true : { $ne: true } });

const NOTHING = { sources: 0, articles: 0, verified: 0 };

/** The record of a briefing that was just asked for. */
export function ordered(
  order: z.output<z.ZodObject<typeof Order>>,
  now: number,
  narrowed: { listId: number; sourceIds: readonly number[] } | null,
  estimatedSeconds: number,
): Record<string, unknown> {
  const to = new Date(now).toISOString();
  return {
    title: "Briefing in the making",
    period: { from: new Date(now - order.hours * 3_600_000).toISOString(), to },
    stats: NOTHING,
    order,
    estimatedSeconds,
    ...narrowed,
  };
}
