import { success } from "../../../../core/contract/answer.ts";
import { endpoint } from "../../../../core/contract/endpoint.ts";
import { totals, type StoredClaim } from "../claims/claim.ts";
import { contentPath, NO_ARTICLE } from "../claims/claims.actions.ts";
import { contentOf, recordOf } from "../content.ts";
import { isJudgedBeforeChange, type Content } from "../../articles/client.ts";
import { claimsOf } from "../claims/extraction.ts";
import type { Verifier } from "../host.ts";
import { trailOf } from "../claims/settlement.ts";
import type { Trail } from "./trail.ts";
import { OverviewView, SummaryView, TrailView, type Verification } from "../verification.ts";

interface ArticleFigures {
  verified: number;
  unverified: number;
  averageConfidence: number;
  high: number;
  medium: number;
  low: number;
}

/** What verification found, to be read. */
export const trails = {
  "trails.get": endpoint({
    tool: "confidence_trail",
    rest: "GET /trail/:contentId",
    summary: "Read an article's confidence, step by step",
    permit: "verification:read",
    path: contentPath,
    returns: success(TrailView),
    errors: NO_ARTICLE,
    description:
      "Derived from what the last verification stored, so it can be reproduced at any time: the " +
      "contributions add up to the score. A person's verdict is a separate step, with who gave it and " +
      "why. Before any verification, the score rests on the source alone.",
    async handler(ctx) {
      const content = await contentOf(this, ctx.params.contentId);
      return trailOf(this as Verifier, content, await recordOf(this, content));
    },
  }),

  getSummary: endpoint({
    tool: "verification_summary",
    description:
      "The confidence, the recommendation and the figures of what was found, for an overview; every step behind it " +
      "is in `GET /api/verification/trail/{contentId}`.",
    rest: "GET /summary/:contentId",
    summary: "Read a summary of an article's verification",
    permit: "verification:read",
    path: contentPath,
    returns: success(SummaryView),
    errors: NO_ARTICLE,
    async handler(ctx) {
      const content = await contentOf(this, ctx.params.contentId);
      const record = await recordOf(this, content);
      const [trail, claims] = await Promise.all([
        trailOf(this as Verifier, content, record),
        record?.extraction ? claimsOf(this, ctx, content.id) : [],
      ]);
      return summaryOf(content, record, trail, claims);
    },
  }),

  getOverview: endpoint({
    tool: "verification_overview",
    rest: "GET /stats/overview",
    summary: "Get verification figures over the stored articles",
    permit: "verification:read",
    returns: success(OverviewView),
    description:
      "Covers all stored articles. `averageConfidence` ranges from 0 to 100; `high` is 75 and above, " +
      "`medium` 50 and above.",
    async handler() {
      const { verified, unverified, averageConfidence, high, medium, low } =
        await this.ask<ArticleFigures>("articles.overview");
      return {
        verified,
        unverified,
        averageConfidence: Math.round(averageConfidence * 10_000) / 100,
        distribution: { high, medium, low },
      };
    },
  }),
};

function summaryOf(
  content: Content,
  record: Verification | null,
  { finalConfidenceScore, confidenceLevel, summary }: Trail,
  claims: readonly StoredClaim[],
) {
  const { id, title, verdict } = content;
  const { extraction, crossReference, bias, heuristic, llm, verified = false, supporters = [] } = record ?? {};
  return {
    contentId: id,
    contentTitle: title,
    verified: verdict?.verified ?? verified,
    score: finalConfidenceScore,
    confidenceLevel,
    claims: { total: claims.length, ...totals(claims) },
    sources: supporters,
    bias: bias
      ? { overallBiasScore: bias.overallBiasScore, politicalBias: bias.politicalBias, summary: bias.summary }
      : null,
    humanVerdict: verdict
      ? { ...verdict, ...(isJudgedBeforeChange(content) && { beforeChange: true as const }) }
      : null,
    steps: {
      claims: extraction?.at ?? null,
      crossReference: crossReference?.at ?? null,
      bias: bias?.at ?? null,
      heuristic: heuristic?.at ?? null,
      llm: llm?.at ?? null,
    },
    methods: [
      ...new Set(
        [extraction, crossReference, bias, llm]
          .flatMap((part) => part?.method ?? [])
          .concat(heuristic ? ["heuristic"] : []),
      ),
    ].sort(),
    recommendation: summary.recommendation,
  };
}
