import { z } from "zod";
import { entity, Instant, NumberId, type Item } from "../../../../core/records/entity.ts";
import { ClaimStatuses, Cost, Method, Quantity, Score } from "../scales.ts";

/** A claim of an article, and what other articles say about it. */
export const Claim = entity("claims", {
  title: "claim",
  id: "number",
  fields: {
    articleId: NumberId,
    sourceId: NumberId,
    /** Month of the article, `2026-03`: a source's record counts by month. */
    month: z.string(),
    /** Made from the article and the sentence: the same sentence extracted again is the same claim. */
    key: z.string(),
    text: z.string(),
    start: z.int().describe("Offset in the article's text."),
    end: z.int(),
    checkWorthiness: Score,
    quantities: z.array(Quantity),
    entities: z.array(z.string()),
    dates: z.array(z.string()),
    negated: z.boolean(),
    hedged: z.boolean(),
    reasons: z.array(z.string()).describe("What raised and lowered its check-worthiness."),
    normalized: z.string(),
    method: Method,
    status: ClaimStatuses,
    credibility: z.int().min(1).max(6).describe("Admiralty code: 1 confirmed … 5 improbable, 6 cannot be judged."),
    score: Score.describe("How far the evidence speaks for it; 50 where nothing is known."),
    independentSources: z.int(),
    independentContradictions: z.int(),
    /** The later figure of the same outlet or agency, where there is one. */
    supersededBy: z
      .object({ articleId: NumberId, text: z.string(), value: z.number(), subject: z.string() })
      .nullable()
      .optional(),
    checkedAt: Instant.optional(),
    /** When the present verdict was reached; absent without one. */
    reviewedAt: Instant.optional(),
  },
  indexes: [
    { fields: ["key"], unique: true },
    { fields: ["articleId"] },
    { fields: ["sourceId", "month", "status"] },
    { fields: ["-reviewedAt"], sparse: true },
    { fields: ["status", "-reviewedAt"], having: "reviewedAt" },
    { fields: ["sourceId", "-reviewedAt"], having: "reviewedAt" },
    { fields: ["sourceId", "status", "-reviewedAt"], having: "reviewedAt" },
  ],
});
export type StoredClaim = Item<typeof Claim>;

export const ClaimView = Claim.view
  .pick({
    id: true,
    text: true,
    status: true,
    score: true,
    credibility: true,
    independentSources: true,
    independentContradictions: true,
    start: true,
    end: true,
    checkWorthiness: true,
    quantities: true,
    entities: true,
    dates: true,
    negated: true,
    hedged: true,
    reasons: true,
    method: true,
  })
  .extend({
    contentId: NumberId,
    verified: z.boolean().describe("Corroborated by an independent source."),
    supersededBy: z
      .object({ articleId: NumberId, text: z.string(), value: z.number(), subject: z.string() })
      .nullable()
      .describe("The later figure of the same outlet or agency, if any."),
    checkedAt: Instant.nullable(),
  })
  .meta({ id: "Claim" });

export const ClaimsView = z
  .object({
    contentId: NumberId,
    contentTitle: z.string(),
    extracted: z.boolean(),
    method: Method.nullable(),
    extractedAt: Instant.nullable(),
    claims: z.array(ClaimView),
  })
  .meta({ id: "ArticleClaims" });
export const ExtractedView = ClaimsView.extend({ cached: z.boolean(), cost: Cost }).meta({ id: "ClaimExtraction" });

export const claimView = ({ articleId, checkedAt, supersededBy = null, ...claim }: StoredClaim) => ({
  ...claim,
  supersededBy,
  contentId: articleId,
  verified: claim.status === "corroborated",
  checkedAt: checkedAt ?? null,
});

/** Claims counted by status. */
export function totals(claims: readonly { status: string }[]) {
  const count = (status: string) => claims.filter((claim) => claim.status === status).length;
  return {
    corroborated: count("corroborated"),
    contradicted: count("contradicted"),
    disputed: count("disputed"),
    unverified: count("unverified"),
  };
}
