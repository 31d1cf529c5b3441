import { z } from "zod";
import { entity, Instant, NumberId, type Item } from "../../../../core/records/entity.ts";
import { ClaimStatuses, ReliabilityRating, Method, TextSpan, Score } from "../scales.ts";

const Stances = z.enum(["support", "contradict", "neutral", "unrelated"]);

/** What one article says about one claim. */
export const ClaimReference = entity("claim_references", {
  title: "reference",
  fields: {
    claimId: NumberId,
    /** The claim's article. */
    contentId: NumberId,
    articleId: NumberId,
    storyId: z.string(),
    reportId: z.string().optional(),
    sourceId: NumberId,
    sourceName: z.string(),
    publishedAt: z.string(),
    reliability: ReliabilityRating,
    stance: Stances,
    score: Score,
    evidence: TextSpan,
    reasons: z.array(z.string()),
    independent: z.boolean(),
    method: Method,
    /** The source has rating A, or a person verified the article. */
    groundTruth: z.boolean(),
    /** Source, stance and the claim's status combined: statistics count by it. */
    tally: z.string(),
  },
  indexes: [{ fields: ["claimId"] }, { fields: ["contentId"] }, { fields: ["articleId"] }, { fields: ["tally"] }],
});
export type StoredReference = Item<typeof ClaimReference>;

export const tallyOf = (sourceId: number, stance: string, status: string): string => `${sourceId}/${stance}/${status}`;

/** A later figure that replaces the claim's. */
export const SupersededBy = z
  .object({ articleId: NumberId, text: z.string(), value: z.number(), subject: z.string() })
  .meta({ id: "SupersededBy" });

const ReferenceView = z
  .object({
    articleId: NumberId,
    sourceId: NumberId,
    sourceName: z.string(),
    publishedAt: Instant,
    reliability: ReliabilityRating,
    reliabilityMeaning: z.string(),
    score: Score,
    evidence: TextSpan,
    reasons: z.array(z.string()),
    independent: z
      .boolean()
      .describe("Neither of the claim's source nor a copy of its report, nor by the agency that it credits."),
    method: Method,
  })
  .meta({ id: "ClaimReference" });
export const CheckedClaim = z
  .object({
    claimId: NumberId,
    contentId: NumberId,
    text: z.string(),
    status: ClaimStatuses,
    credibility: z.int().min(1).max(6),
    score: Score,
    supporting: z.array(ReferenceView),
    contradicting: z.array(ReferenceView),
    neutral: z
      .array(ReferenceView)
      .describe("Articles that speak of the same and neither confirm nor contradict it, the nearest first."),
    supersededBy: SupersededBy.nullable().describe("The later figure of the same outlet or agency, if any."),
    independentSources: z.int(),
    independentContradictions: z.int(),
    candidates: z.int().describe("Articles that were read."),
    reasons: z.array(z.string()),
    method: Method,
  })
  .meta({ id: "ClaimCrossReference" });
export const CheckedContent = z
  .object({
    contentId: NumberId,
    contentTitle: z.string(),
    daysBack: z.int().nullable().describe("Null: articles of any age were looked through."),
    method: Method,
    totals: z.object({ corroborated: z.int(), contradicted: z.int(), disputed: z.int(), unverified: z.int() }),
    claims: z.array(CheckedClaim),
  })
  .meta({ id: "ContentCrossReference" });

/** What an article's cross-reference found, as it is stored. */
export const FoundReferences = z
  .object({
    contentId: NumberId,
    contentTitle: z.string(),
    method: Method.nullable().describe("Null: never cross-referenced, or only an earlier text."),
    daysBack: z.int().nullable().describe("Null: articles of any age were looked through."),
    checkedAt: Instant.nullable(),
    references: z.array(
      ReferenceView.extend({
        claimId: NumberId,
        stance: Stances,
        articleTitle: z.string().nullable().describe("Null: the article was removed since."),
        articleUrl: z.string().nullable(),
      }),
    ),
  })
  .meta({ id: "FoundReferences" });

/** A claim, and the sentence of another article that contradicts it. */
export const Contradiction = z.object({
  contentId: NumberId,
  text: z.string(),
  articleId: NumberId,
  against: z.string(),
  score: Score,
  reasons: z.array(z.string()),
});
export type Contradiction = z.output<typeof Contradiction>;

export const ReferenceStats = z
  .object({
    totalReferences: z.int(),
    accurateReferences: z.int().describe("Those that point where their claim was settled."),
    accuracyRate: Score.describe("Percent."),
    topCorroboratingSources: z.array(
      z.object({
        sourceId: NumberId,
        sourceName: z.string(),
        reliability: ReliabilityRating,
        corroborations: z.int(),
        accuracyRate: Score,
      }),
    ),
    groundTruthSources: z.array(z.string()).describe("Names of the sources with rating A that gave references."),
  })
  .meta({ id: "CrossReferenceStats" });
