import { z } from "zod";
import { PersonId } from "../../../core/access/person-reference.ts";
import { entity, Instant, NumberId, type Item } from "../../../core/records/entity.ts";
import { Domain } from "../sources/events.ts";
import { BiasView } from "./bias/view.ts";
import { ClaimView, totals } from "./claims/claim.ts";
import { CheckedContent } from "./references/reference.ts";
import { Cost, Level, Method, PoliticalBias, Score, Span } from "./scales.ts";
import { TrailInput } from "./trail/trail.ts";

const Finding = z.object({ kind: z.string(), label: z.string(), points: z.number(), spans: z.array(Span) });
const Heuristic = z.object({ score: Score, findings: z.array(Finding), at: Instant });
const Model = z.object({
  score: Score,
  method: Method,
  model: z.string().optional(),
  promptVersion: z.string().optional(),
  reasons: z.array(z.object({ text: z.string(), articleId: NumberId.optional(), quote: z.string().optional() })),
  dropped: z.int(),
  at: Instant,
});
const Extraction = z.object({
  key: z.string(),
  method: Method,
  model: z.string().optional(),
  promptVersion: z.string(),
  claims: z.int(),
  at: Instant,
});
const CrossReferenced = z.object({
  method: Method,
  daysBack: z.int().nullable(),
  claims: z.int(),
  at: Instant,
  /** Nobody asked for it: by rules alone, also where a model is set up. */
  unasked: z.literal(true).optional(),
  /** Of the others that tell of the event a person rejected each. */
  alone: z.literal(true).optional(),
});

/**
 * All that was found out about one article; its id is the article's. Parts speak of `edition` of the text and go with
 * it.
 */
export const Verification = entity("verifications", {
  title: "verification",
  id: "number",
  fields: {
    title: z.string(),
    sourceId: NumberId,
    sourceName: z.string(),
    domain: Domain,
    edition: z.string(),
    extraction: Extraction.optional(),
    crossReference: CrossReferenced.optional(),
    bias: BiasView.extend({ at: Instant }).optional(),
    heuristic: Heuristic.optional(),
    llm: Model.optional(),
    /** The trail's input, and the machine's score. */
    input: TrailInput.optional(),
    score: Score.optional(),
    verified: z.boolean().optional(),
    /** Names of the independent sources that support a claim. */
    supporters: z.array(z.string()).optional(),
  },
  indexes: [{ fields: ["sourceId", "score"] }, { fields: ["domain", "score"] }, { fields: ["score"], sparse: true }],
});
export type Verification = Item<typeof Verification>;
export type Parts = Partial<
  Pick<
    Verification,
    "extraction" | "crossReference" | "bias" | "heuristic" | "llm" | "input" | "score" | "verified" | "supporters"
  >
>;
export const PARTS = [
  "extraction",
  "crossReference",
  "bias",
  "heuristic",
  "llm",
  "input",
  "score",
  "verified",
  "supporters",
] as const;

export const TrailView = z
  .object({
    contentId: NumberId,
    contentTitle: z.string(),
    finalConfidenceScore: Score.describe("The sum of the contributions."),
    confidenceLevel: Level,
    steps: z.array(
      z.object({
        type: z.enum([
          "source",
          "ground_truth",
          "claims",
          "cross_reference",
          "bias",
          "llm",
          "heuristic",
          "recency",
          "manual",
        ]),
        label: z.string(),
        description: z.string(),
        impact: z.enum(["positive", "negative", "neutral"]),
        scoreContribution: z.number(),
        parts: z
          .array(z.object({ label: z.string(), points: z.number() }))
          .optional()
          .describe("What the points of the source's step are made of; absent elsewhere, and where it is not known."),
        cites: z.object({
          articles: z.array(NumberId).optional(),
          claims: z.array(NumberId).optional(),
          sources: z.array(NumberId).optional(),
          by: PersonId.optional(),
        }),
      }),
    ),
    summary: z.object({
      positiveFactors: z.array(z.string()),
      negativeFactors: z.array(z.string()),
      recommendation: z.string(),
    }),
    comparison: z.object({ sourceAverage: Score, domainAverage: Score, percentileRank: Score }),
    citedArticles: z.array(NumberId),
    asOf: Instant,
  })
  .meta({ id: "VerificationTrail" });

/** What every single verification of an article answers. */
const verified = {
  contentId: NumberId,
  contentTitle: z.string(),
  score: Score.describe("After this verification, with all that is known."),
  confidenceLevel: Level,
  verified: z.boolean(),
  method: Method,
};
export const Judgement = z
  .object({
    ...verified,
    model: z.string().optional(),
    judgement: Score.describe("The result of this verification alone."),
    reasons: Model.shape.reasons,
    dropped: z.int().describe("Reasons of the model without evidence."),
    recommendation: z.string(),
    cost: Cost,
  })
  .meta({ id: "VerificationJudgement" });
export const PatternCheck = z
  .object({
    ...verified,
    craft: Score.describe("How carefully the text is written; the sum of the findings."),
    findings: z.array(Finding),
    claims: z.int(),
    recommendation: z.string(),
  })
  .meta({ id: "PatternVerification" });

export const SummaryView = z
  .object({
    contentId: NumberId,
    contentTitle: z.string(),
    verified: z.boolean(),
    score: Score,
    confidenceLevel: Level,
    claims: z.object({
      total: z.int(),
      corroborated: z.int(),
      contradicted: z.int(),
      disputed: z.int(),
      unverified: z.int(),
    }),
    sources: z.array(z.string()).describe("Independent sources that support a claim."),
    bias: z.object({ overallBiasScore: Score, politicalBias: PoliticalBias, summary: z.string() }).nullable(),
    humanVerdict: z
      .object({
        verified: z.boolean(),
        notes: z.string(),
        by: PersonId,
        at: Instant,
        beforeChange: z.literal(true).optional().describe("The outlet has changed the text since."),
      })
      .nullable(),
    steps: z
      .object({
        claims: Instant.nullable(),
        crossReference: Instant.nullable(),
        bias: Instant.nullable(),
        heuristic: Instant.nullable(),
        llm: Instant.nullable(),
      })
      .describe("When each was last done; null: never, or only for an earlier text."),
    methods: z.array(Method),
    recommendation: z.string(),
  })
  .meta({ id: "VerificationSummary" });

export const DeepView = z
  .object({
    contentId: NumberId,
    contentTitle: z.string(),
    method: Method,
    finalConfidenceScore: Score,
    confidenceLevel: Level,
    recommendation: z.string(),
    claims: z.array(ClaimView),
    crossReference: CheckedContent,
    bias: BiasView,
    heuristic: Heuristic,
    llm: Model,
    trail: TrailView,
    cost: Cost,
  })
  .meta({ id: "DeepVerification" });

export const ModelView = z
  .object({
    configured: z.boolean(),
    model: z.string().optional(),
    circuit: z
      .enum(["closed", "open", "half-open"])
      .describe("Open: it failed repeatedly and is not called for a while."),
    today: z.object({
      calls: z.int(),
      tokens: z.int(),
      cost: z.number().optional().describe("By `LLM_PRICE_IN` and `LLM_PRICE_OUT`."),
      budget: z.int().optional().describe("`LLM_DAILY_TOKENS`."),
      costBudget: z.number().optional().describe("`LLM_DAILY_COST`."),
    }),
  })
  .meta({ id: "LanguageModel" });

export const OverviewView = z
  .object({
    verified: z.int(),
    unverified: z.int(),
    averageConfidence: Score,
    distribution: z.object({ high: z.int(), medium: z.int(), low: z.int() }),
  })
  .meta({ id: "VerificationOverview" });

const VERIFIED_FROM = 75;
/** A machine calls an article verified if its score is high, a claim is confirmed and none is in doubt. */
export function isVerified(score: number, claims: readonly { status: string }[]): boolean {
  const { corroborated, contradicted, disputed } = totals(claims);
  return score >= VERIFIED_FROM && corroborated > 0 && contradicted + disputed === 0;
}
