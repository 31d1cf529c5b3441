import { z } from "zod";
import { entity, Instant, NumberId, type Item } from "../../../../core/records/entity.ts";
import { ReliabilityRating } from "../scales.ts";

const Entry = {
  at: Instant,
  from: ReliabilityRating,
  to: ReliabilityRating,
  estimate: z.number().min(0).max(1).describe("Expected share of its claims that hold."),
  evidence: z.number().describe("Settled claims it rests on, older ones counted less."),
  corroborated: z.int().describe("Its claims that independent sources corroborated by then."),
  contradicted: z.int(),
  reasons: z.array(z.string()),
};

/**
 * One change of a source's reliability: its id is `<source>:<number of the change>`, so that a repeated one is stored
 * once.
 */
export const StandingChange = entity("reliability_changes", {
  title: "change of reliability",
  fields: { sourceId: NumberId, ...Entry },
  indexes: [{ fields: ["sourceId", "-at"] }],
});
export type StandingChange = Item<typeof StandingChange>;

export const StandingView = z
  .object({
    sourceId: NumberId,
    sourceName: z.string(),
    rating: ReliabilityRating,
    meaning: z.string(),
    estimate: Entry.estimate,
    interval: z.tuple([z.number(), z.number()]).describe("The share lies within it with a certainty of 80 %."),
    evidence: Entry.evidence,
    corroborated: Entry.corroborated,
    contradicted: z.int(),
    reasons: Entry.reasons,
    since: Instant.nullable().describe("Of its first article with settled claims."),
    asOf: Instant.nullable(),
    months: z.array(z.object({ month: z.string(), corroborated: z.int(), contradicted: z.int() })),
    history: z
      .array(z.object(Entry))
      .describe("Newest first: every change of the rating, and of the estimate by two points of 100."),
    next: z.string().nullable().describe("Send it back as `cursor` for earlier history."),
  })
  .meta({ id: "SourceReliability" });
