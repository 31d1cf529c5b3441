import { z } from "zod";
import { NumberId } from "../../../../core/records/entity.ts";
import { Level, Method, PoliticalBias, ReliabilityRating, Score, Span } from "../scales.ts";

export const BiasView = z
  .object({
    contentId: NumberId,
    politicalBias: PoliticalBias,
    politicalConfidence: Score,
    emotionalLevel: Level,
    sensationalismLevel: Level,
    indicators: z.object({
      loadedLanguage: z.array(Span),
      unsupportedClaims: z.array(Span),
      cherryPicking: z.boolean(),
      adHominem: z.boolean(),
      falseBalance: z.boolean(),
      omission: z.array(z.string()),
    }),
    overallBiasScore: Score.describe("The sum of `contributions`."),
    summary: z.string(),
    recommendations: z.array(z.string()),
    contributions: z.array(z.object({ label: z.string(), points: z.number() })),
    evidence: z.object({
      cherryPicking: z.array(Span),
      adHominem: z.array(Span),
      falseBalance: z.array(Span),
      framing: z.array(Span),
      sensationalism: z.array(Span),
      voice: z.array(Span),
    }),
    method: Method,
    lexiconVersion: z.string(),
  })
  .meta({ id: "BiasAnalysis" });

export const SourceBias = z
  .object({
    sourceId: NumberId,
    sourceName: z.string(),
    articles: z.int().describe("That were analysed."),
    averageBiasScore: Score,
    politicalBias: PoliticalBias.describe("The most frequent that is not `unknown`."),
    politicalConfidence: Score,
    politicalDistribution: z.record(z.string(), z.int()),
    emotionalLevels: z.record(z.string(), z.int()),
    sensationalismLevels: z.record(z.string(), z.int()),
    indicators: z
      .object({ cherryPicking: z.int(), adHominem: z.int(), falseBalance: z.int() })
      .describe("Articles that show it."),
    reliability: z.object({
      rating: ReliabilityRating,
      meaning: z.string(),
      estimate: z.number(),
      evidence: z.number(),
    }),
  })
  .meta({ id: "SourceBias" });
