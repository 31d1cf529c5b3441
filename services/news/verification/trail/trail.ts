import { z } from "zod";
import { articleIds, steps, type TrailStep } from "./steps.ts";

const id = z.number();
const ids = z.array(id);
const score = z.number().min(0).max(100);
const moment = z.iso.datetime({ offset: true });

const TrailPart = z.strictObject({ label: z.string(), points: z.number() });

/**
 * All a trail is made from, as it is stored: `trail(input)` gives the same bytes today and in a year. A change of the
 * arithmetic needs a new version.
 */
export const TrailInput = z.strictObject({
  version: z.literal(1),
  contentId: id,
  contentTitle: z.string(),
  /** The moment of the score. */
  asOf: moment,
  publishedAt: moment,
  source: z.strictObject({
    id,
    name: z.string(),
    /** The rating, under its name in this version of the stored form. */
    letter: z.enum(["A", "B", "C", "D", "E", "F"]),
    /** Expected share of its claims that hold, 0..1, and the settled claims behind it. */
    estimate: z.number().min(0).max(1),
    evidence: z.number().min(0),
  }),
  /**
   * The article's confidence on arrival, the part of it that came from its source's record, and all its parts, 0..100;
   * older inputs lack it, or the parts.
   */
  initial: z.strictObject({ score, record: z.number(), parts: z.array(TrailPart).optional() }).optional(),
  /** A person rejected what others told of the event; older inputs lack it. */
  alone: z.literal(true).optional(),
  /** References by sources of rating A, or by articles that a person has verified. */
  groundTruth: z.array(
    z.strictObject({ claimId: id, articleId: id, sourceName: z.string(), stance: z.enum(["support", "contradict"]) }),
  ),
  /** Null: not extracted. */
  claims: z.strictObject({ ids, method: z.enum(["heuristic", "llm"]) }).nullable(),
  crossReferences: z.array(
    z.strictObject({
      claimId: id,
      status: z.enum(["unverified", "corroborated", "contradicted", "disputed"]),
      credibility: z.int().min(1).max(6),
      score,
      supporting: ids,
      contradicting: ids,
      independentSources: z.int().min(0),
      /** Its own outlet retracted the report; older inputs lack it. */
      retracted: z.literal(true).optional(),
    }),
  ),
  bias: z
    .strictObject({
      score,
      method: z.enum(["heuristic", "llm"]),
      lexiconVersion: z.string(),
      loadedLanguage: z.int().min(0),
      unsupportedClaims: z.int().min(0),
    })
    .nullable(),
  llm: z.strictObject({ score, model: z.string(), promptVersion: z.string(), citedIds: ids }).nullable(),
  heuristic: z
    .strictObject({ score, findings: z.array(z.strictObject({ label: z.string(), points: z.number() })) })
    .nullable(),
  /** A person's verdict: it outranks all others. `beforeChange`: it is of a text that the outlet has changed since. */
  manual: z
    .strictObject({
      verified: z.boolean(),
      by: z.string(),
      at: moment,
      notes: z.string(),
      beforeChange: z.literal(true).optional(),
    })
    .nullable(),
  comparison: z.strictObject({
    /** Averages of final scores, 0..100; null where there is nothing to compare with. */
    sourceAverage: score.nullable(),
    domainAverage: score.nullable(),
    /** Number of articles with a lower score, with the same, and of all compared. */
    below: z.int().min(0),
    equal: z.int().min(0),
    total: z.int().min(0),
  }),
});
export type TrailInput = z.infer<typeof TrailInput>;

export type ConfidenceLevel = "low" | "medium" | "high";

export interface Trail {
  contentId: number;
  contentTitle: string;
  /** 0..100; the sum of the steps' contributions. */
  finalConfidenceScore: number;
  confidenceLevel: ConfidenceLevel;
  steps: TrailStep[];
  summary: { positiveFactors: string[]; negativeFactors: string[]; recommendation: string };
  comparison: { sourceAverage: number; domainAverage: number; percentileRank: number };
  /** Every article that a step cites. */
  citedArticles: number[];
  asOf: string;
  version: 1;
}

export const confidenceLevel = (final: number): ConfidenceLevel =>
  final >= 75 ? "high" : final >= 50 ? "medium" : "low";

/** The confidence of an article, step by step. Throws ZodError where a stored input has another version. */
export function trail(stored: TrailInput): Trail {
  const input = TrailInput.parse(stored);
  const taken = steps(input);
  // Contributions are whole hundredths; summing them as such keeps the last digit right.
  const final = taken.reduce((sum, { scoreContribution }) => sum + Math.round(scoreContribution * 100), 0) / 100;
  return {
    contentId: input.contentId,
    contentTitle: input.contentTitle,
    finalConfidenceScore: final,
    confidenceLevel: confidenceLevel(final),
    steps: taken,
    summary: {
      positiveFactors: taken.filter(({ impact }) => impact === "positive").map(({ description }) => description),
      negativeFactors: taken.filter(({ impact }) => impact === "negative").map(({ description }) => description),
      recommendation: recommendation(input, final),
    },
    comparison: comparison(input, final),
    citedArticles: articleIds(taken),
    asOf: input.asOf,
    version: 1,
  };
}

/** Without anything to compare with, an article is its own average and stands in the middle. */
function comparison(
  { comparison: { sourceAverage, domainAverage, below, equal, total } }: TrailInput,
  final: number,
): Trail["comparison"] {
  return {
    sourceAverage: sourceAverage ?? final,
    domainAverage: domainAverage ?? final,
    // Mid-rank percentile: equal scores count half (Roscoe 1975).
    percentileRank: total === 0 ? 50 : Math.round((1000 * (below + equal / 2)) / total) / 10,
  };
}

function recommendation({ manual, crossReferences }: TrailInput, final: number): string {
  const count = (status: string) => crossReferences.filter((one) => one.status === status).length;
  if (manual?.verified)
    return manual.beforeChange
      ? "A person verified an earlier text of it: read what its outlet changed since before you use it as verified."
      : "A person verified it: it can be used as verified.";
  if (manual) return "A person did not verify it: do not use it without what their notes ask for.";
  if (crossReferences.some(({ retracted }) => retracted)) return "Its own outlet took it back: do not use it.";
  if (count("contradicted") > 0) return "Do not use the contradicted claims; read the articles that contradict them.";
  if (count("disputed") > 0) return "Sources disagree: report both sides, with who says what.";
  if (count("unverified") === crossReferences.length) {
    return final >= 50
      ? "No other source has confirmed it yet: use it with attribution to this source."
      : "Nothing confirms it: wait for another source.";
  }
  return final >= 75
    ? "It can be used; cite the sources that confirm it."
    : "The claims are confirmed in part: use those, with attribution.";
}
