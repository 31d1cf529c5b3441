import { z } from "zod";
import { entity, Instant, NumberId, type Item } from "../../../core/entity.ts";
import { Domain } from "../sources/domains.ts";
import { TrailInput } from "./trail.ts";

export const Method = z.enum(["heuristic", "llm"]);
export const ClaimStatuses = z.enum(["unverified", "corroborated", "contradicted", "disputed"]);
const Letter = z.enum(["A", "B", "C", "D", "E", "F"]).describe("Reliability of the source by its own record (Admiralty code).");
const Score = z.number().min(0).max(100);
const Level = z.enum(["low", "medium", "high"]);
const PoliticalBias = z.enum(["left", "center-left", "center", "center-right", "right", "unknown"]);

/** A place in a text: `text` is what stands from `start` to `end`. */
const Place = z.object({ text: z.string(), start: z.int(), end: z.int() });
const Span = Place.extend({ lexicon: z.string().describe("The list or rule that found it."), field: z.enum(["title", "text"]), quoted: z.boolean().optional() }).meta({ id: "BiasSpan" });
const Quantity = z.object({ text: z.string(), value: z.number(), to: z.number().optional(), unit: z.string(), of: z.array(z.string()), bound: z.string().optional() });

/** A claim of an article, and what other articles make of it. */
export const Claim = entity("claims", {
  title: "claim",
  id: "number",
  fields: {
    articleId: NumberId,
    sourceId: NumberId,
    /** Month of the article, `2026-03`: a source's record counts by it. */
    month: z.string(),
    /** Of the article and the sentence: the same sentence extracted again is the same claim. */
    key: z.string(),
    text: z.string(),
    start: z.int(),
    end: z.int(),
    checkWorthiness: Score,
    quantities: z.array(Quantity),
    entities: z.array(z.string()),
    dates: z.array(z.string()),
    negated: z.boolean(),
    hedged: z.boolean(),
    reasons: z.array(z.string()),
    normalized: z.string(),
    method: Method,
    status: ClaimStatuses,
    credibility: z.int().min(1).max(6),
    score: Score,
    independentSources: z.int(),
    independentContradictions: z.int(),
    checkedAt: Instant.optional(),
  },
  indexes: [{ fields: ["key"], unique: true }, { fields: ["articleId"] }, { fields: ["sourceId", "month", "status"] }],
});
export type StoredClaim = Item<typeof Claim>;

/** What one article says of one claim. */
export const ClaimReference = entity("claim_references", {
  title: "reference",
  fields: {
    claimId: NumberId,
    /** The claim's article. */
    contentId: NumberId,
    articleId: NumberId,
    storyId: z.string(),
    sourceId: NumberId,
    sourceName: z.string(),
    publishedAt: z.string(),
    reliability: Letter,
    stance: z.enum(["support", "contradict", "unrelated"]),
    score: Score,
    evidence: Place,
    reasons: z.array(z.string()),
    independent: z.boolean(),
    method: Method,
    /** The source has letter A, or a person verified the article. */
    groundTruth: z.boolean(),
    /** Source, stance and the claim's status in one: statistics count by it. */
    tally: z.string(),
  },
  indexes: [{ fields: ["claimId"] }, { fields: ["contentId"] }, { fields: ["tally"] }],
});
export type StoredReference = Item<typeof ClaimReference>;

export const BiasView = z.object({
  contentId: NumberId,
  politicalBias: PoliticalBias,
  politicalConfidence: Score,
  emotionalLevel: Level,
  sensationalismLevel: Level,
  indicators: z.object({
    loadedLanguage: z.array(Span), unsupportedClaims: z.array(Span), cherryPicking: z.boolean(), adHominem: z.boolean(), falseBalance: z.boolean(), omission: z.array(z.string()),
  }),
  overallBiasScore: Score.describe("The sum of `contributions`."),
  summary: z.string(),
  recommendations: z.array(z.string()),
  contributions: z.array(z.object({ label: z.string(), points: z.number() })),
  evidence: z.object({ cherryPicking: z.array(Span), adHominem: z.array(Span), falseBalance: z.array(Span), framing: z.array(Span), sensationalism: z.array(Span) }),
  method: Method,
  lexiconVersion: z.string(),
}).meta({ id: "BiasAnalysis" });

const Finding = z.object({ kind: z.string(), label: z.string(), points: z.number(), spans: z.array(Span) });
const Heuristic = z.object({ score: Score, findings: z.array(Finding), at: Instant });
const Model = z.object({
  score: Score, method: Method, model: z.string().optional(), promptVersion: z.string().optional(),
  reasons: z.array(z.object({ text: z.string(), articleId: NumberId.optional(), quote: z.string().optional() })), dropped: z.int(), at: Instant,
});
const Extraction = z.object({ key: z.string(), method: Method, model: z.string().optional(), promptVersion: z.string(), claims: z.int(), at: Instant });
const CrossReferenced = z.object({ method: Method, daysBack: z.int(), claims: z.int(), at: Instant });

/** All that was found out about one article; its id is the article's. Parts speak of `edition` of the text and go with it. */
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
    /** What the trail is made from, and its machine score. */
    input: TrailInput.optional(),
    score: Score.optional(),
    verified: z.boolean().optional(),
    /** Names of the independent sources that support a claim. */
    supporters: z.array(z.string()).optional(),
  },
  indexes: [{ fields: ["sourceId", "score"] }, { fields: ["domain", "score"] }, { fields: ["score"], sparse: true }],
});
export type Verification = Item<typeof Verification>;
export type Parts = Partial<Pick<Verification, "extraction" | "crossReference" | "bias" | "heuristic" | "llm" | "input" | "score" | "verified" | "supporters">>;
export const PARTS = ["extraction", "crossReference", "bias", "heuristic", "llm", "input", "score", "verified", "supporters"] as const;

export const Cost = z.object({ llmCalls: z.int(), tokens: z.int() }).meta({ id: "VerificationCost" });

export const ClaimView = z.object({
  id: NumberId,
  contentId: NumberId,
  text: z.string(),
  verified: z.boolean().describe("Corroborated by an independent source."),
  status: ClaimStatuses,
  score: Score.describe("How far the evidence speaks for it; 50 where nothing is known."),
  credibility: z.int().min(1).max(6).describe("Admiralty code: 1 confirmed … 5 improbable, 6 cannot be judged."),
  independentSources: z.int(),
  independentContradictions: z.int(),
  start: z.int().describe("Offset in the article's text."),
  end: z.int(),
  checkWorthiness: Score,
  quantities: z.array(Quantity),
  entities: z.array(z.string()),
  dates: z.array(z.string()),
  negated: z.boolean(),
  hedged: z.boolean(),
  reasons: z.array(z.string()).describe("What raised and lowered its check-worthiness."),
  method: Method,
  checkedAt: Instant.nullable(),
}).meta({ id: "Claim" });

export const ClaimsView = z.object({
  contentId: NumberId, contentTitle: z.string(), extracted: z.boolean(), method: Method.nullable(), extractedAt: Instant.nullable(), claims: z.array(ClaimView),
}).meta({ id: "ArticleClaims" });
export const ExtractedView = ClaimsView.extend({ cached: z.boolean(), cost: Cost }).meta({ id: "ExtractedClaims" });

const ReferenceView = z.object({
  articleId: NumberId, sourceId: NumberId, sourceName: z.string(), publishedAt: Instant, reliability: Letter, score: Score, evidence: Place, reasons: z.array(z.string()),
  independent: z.boolean().describe("Neither of the claim's source nor a copy of its story."), method: Method,
}).meta({ id: "ClaimReference" });
export const CheckedClaim = z.object({
  claimId: NumberId, contentId: NumberId, text: z.string(), status: ClaimStatuses, credibility: z.int().min(1).max(6), score: Score,
  supporting: z.array(ReferenceView), contradicting: z.array(ReferenceView),
  independentSources: z.int(), independentContradictions: z.int(), candidates: z.int().describe("Articles that were read."), reasons: z.array(z.string()), method: Method,
}).meta({ id: "CheckedClaim" });
export const CheckedContent = z.object({
  contentId: NumberId, contentTitle: z.string(), daysBack: z.int(), method: Method,
  totals: z.object({ corroborated: z.int(), contradicted: z.int(), disputed: z.int(), unverified: z.int() }), claims: z.array(CheckedClaim),
}).meta({ id: "CheckedContent" });

export const ReferenceStats = z.object({
  totalReferences: z.int(), accurateReferences: z.int().describe("Those that point where their claim was settled."), accuracyRate: Score.describe("Percent."),
  topCorroboratingSources: z.array(z.object({ sourceId: NumberId, sourceName: z.string(), reliability: Letter, corroborations: z.int(), accuracyRate: Score })),
  groundTruthSources: z.array(z.string()).describe("Names of the sources with letter A that gave references."),
}).meta({ id: "CrossReferenceStats" });

export const SourceBias = z.object({
  sourceId: NumberId, sourceName: z.string(), articles: z.int().describe("That were analysed."), averageBiasScore: Score, politicalBias: PoliticalBias.describe("The most frequent that is not `unknown`."),
  politicalConfidence: Score, politicalDistribution: z.record(z.string(), z.int()), emotionalLevels: z.record(z.string(), z.int()), sensationalismLevels: z.record(z.string(), z.int()),
  indicators: z.object({ cherryPicking: z.int(), adHominem: z.int(), falseBalance: z.int() }).describe("Articles that show it."),
  reliability: z.object({ letter: Letter, estimate: z.number(), evidence: z.number() }),
}).meta({ id: "SourceBias" });

export const TrailView = z.object({
  contentId: NumberId, contentTitle: z.string(), finalConfidenceScore: Score.describe("The sum of the contributions."), confidenceLevel: Level,
  steps: z.array(z.object({
    type: z.enum(["source", "ground_truth", "claims", "cross_reference", "bias", "llm", "heuristic", "recency", "manual"]), label: z.string(), description: z.string(),
    impact: z.enum(["positive", "negative", "neutral"]), scoreContribution: z.number(),
    cites: z.object({ articles: z.array(NumberId).optional(), claims: z.array(NumberId).optional(), sources: z.array(NumberId).optional(), by: z.string().optional() }),
  })),
  summary: z.object({ positiveFactors: z.array(z.string()), negativeFactors: z.array(z.string()), recommendation: z.string() }),
  comparison: z.object({ sourceAverage: Score, domainAverage: Score, percentileRank: Score }),
  citedArticles: z.array(NumberId), asOf: Instant,
}).meta({ id: "VerificationTrail" });

export const Judgement = z.object({
  contentId: NumberId, contentTitle: z.string(), score: Score.describe("After this verification, with all that is known."), confidenceLevel: Level, verified: z.boolean(), method: Method, model: z.string().optional(),
  judgement: Score.describe("What this verification alone says."), reasons: Model.shape.reasons, dropped: z.int().describe("Reasons of the model that no evidence stands behind."),
  recommendation: z.string(), cost: Cost,
}).meta({ id: "VerificationJudgement" });
export const PatternCheck = z.object({
  contentId: NumberId, contentTitle: z.string(), score: Score.describe("After this verification, with all that is known."), confidenceLevel: Level, verified: z.boolean(), method: Method,
  craft: Score.describe("How carefully the text is made; the sum of the findings."), findings: z.array(Finding), claims: z.int(), recommendation: z.string(),
}).meta({ id: "PatternVerification" });

export const SummaryView = z.object({
  contentId: NumberId, contentTitle: z.string(), verified: z.boolean(), score: Score, confidenceLevel: Level,
  claims: z.object({ total: z.int(), corroborated: z.int(), contradicted: z.int(), disputed: z.int(), unverified: z.int() }),
  sources: z.array(z.string()).describe("Independent sources that support a claim."),
  bias: z.object({ overallBiasScore: Score, politicalBias: PoliticalBias, summary: z.string() }).nullable(),
  humanVerdict: z.object({ verified: z.boolean(), notes: z.string(), by: z.string(), at: Instant }).nullable(),
  steps: z.object({ claims: Instant.nullable(), crossReference: Instant.nullable(), bias: Instant.nullable(), heuristic: Instant.nullable(), llm: Instant.nullable() }).describe("When each was done last; null: not yet, or of an earlier text."),
  methods: z.array(Method), recommendation: z.string(),
}).meta({ id: "VerificationSummary" });

export const DeepView = z.object({
  contentId: NumberId, contentTitle: z.string(), method: Method, finalConfidenceScore: Score, confidenceLevel: Level, recommendation: z.string(),
  claims: z.array(ClaimView), crossReference: CheckedContent, bias: BiasView, heuristic: Heuristic, llm: Model, trail: TrailView, cost: Cost,
}).meta({ id: "DeepVerification" });

export const OverviewView = z.object({
  verified: z.int(), unverified: z.int(), averageConfidence: Score, distribution: z.object({ high: z.int(), medium: z.int(), low: z.int() }),
}).meta({ id: "VerificationOverview" });

const Outcome = z.object({
  contentId: NumberId, title: z.string(), success: z.boolean(), error: z.string().optional(), method: Method.optional(), claims: z.int().optional(), score: Score.optional(), verified: z.boolean().optional(),
});
export type Outcome = z.output<typeof Outcome>;
export const BatchView = z.object({
  processed: z.int(), succeeded: z.int(), failed: z.int(), more: z.boolean().describe("Articles are left: ask again to go on."), results: z.array(Outcome), cost: Cost,
}).meta({ id: "VerificationBatch" });

export const claimView = ({ articleId, checkedAt, ...claim }: StoredClaim) => ({ ...claim, contentId: articleId, verified: claim.status === "corroborated", checkedAt: checkedAt ?? null });
export const tallyOf = (sourceId: number, stance: string, status: string): string => `${sourceId}/${stance}/${status}`;

/** Claims counted by what became of them. */
export function totals(claims: readonly { status: string }[]) {
  const count = (status: string) => claims.filter((claim) => claim.status === status).length;
  return { corroborated: count("corroborated"), contradicted: count("contradicted"), disputed: count("disputed"), unverified: count("unverified") };
}

const VERIFIED_FROM = 75;
/** A machine says verified of a score that is high, with a claim confirmed and none in doubt. */
export function isVerified(score: number, claims: readonly { status: string }[]): boolean {
  const { corroborated, contradicted, disputed } = totals(claims);
  return score >= VERIFIED_FROM && corroborated > 0 && contradicted + disputed === 0;
}
