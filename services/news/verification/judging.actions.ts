import { success } from "../../../core/answer.ts";
import { endpoint } from "../../../core/endpoint.ts";
import type { Caller } from "../../../core/caller.ts";
import { appraiseBias, appraiseByModel, appraisePatterns, DAYS_BACK, groundwork } from "./appraisal.ts";
import { batch } from "./batches.ts";
import { batchLimit, contentPath, NO_ARTICLE } from "./claims.actions.ts";
import { contentOf, spending, type Content, type Spending } from "./content.ts";
import { checkAll, checkedContentView } from "./corroboration.ts";
import { claimsOf, extract } from "./extraction.ts";
import type { Verifier } from "./host.ts";
import { settle } from "./settlement.ts";
import { BatchView } from "./batch.ts";
import { claimView } from "./claim.ts";
import { DeepView, Judgement, PatternCheck } from "./verification.ts";

/** The whole of an article's verification, in one go or by its two ways: by the model, by patterns. */
export const judging = {
  deep: endpoint({
    rest: "POST /deep/:contentId", summary: "Run the whole verification of an article", permit: "articles:verify", path: contentPath, returns: success(DeepView), errors: NO_ARTICLE,
    description: "Claims, cross-references over the last 7 days, bias, patterns, the language model's judgement where one is configured, and the trail that sums them up, with a recommendation. Everything is kept. `cost` tells how often the model was asked and for how many tokens; its calls make this one costly. What the model does not answer within 20 seconds in all, the heuristics do.",
    handler(ctx) { return deep(this as Verifier, ctx, ctx.params.contentId); },
  }),

  llm: endpoint({
    rest: "POST /llm/:contentId", summary: "Have the language model judge an article by the evidence", permit: "articles:verify", path: contentPath, returns: success(Judgement), errors: NO_ARTICLE,
    description: "Claims and cross-references are made first where they are missing. The model's reasons stay only where they quote evidence that was found, and its score leaves the evidence's by ten points at most. Without a model, or when it fails, the evidence alone judges and `method` is `heuristic`.",
    async handler(ctx) {
      const host = this as Verifier;
      const spent = spending();
      const content = await contentOf(host, ctx.params.contentId);
      const { record, trail, verified } = await judge(host, ctx, content, spent);
      const { method, model, score, reasons, dropped } = record.llm!;
      return {
        contentId: content.id, contentTitle: content.title, score: trail.finalConfidenceScore, confidenceLevel: trail.confidenceLevel, verified, method, ...(model && { model }),
        judgement: score, reasons, dropped, recommendation: trail.summary.recommendation, cost: spent,
      };
    },
  }),

  llmBatch: endpoint({
    rest: "POST /llm/batch", summary: "Have the language model judge the newest articles", permit: "articles:verify", query: { limit: batchLimit }, returns: success(BatchView),
    description: "The newest articles that were not judged this way yet, so that asking again goes on. A person's verdict is never overwritten.",
    handler(ctx) {
      const host = this as Verifier;
      const spent = spending();
      return batch(host, {
        limit: ctx.params.limit, isDone: ({ llm }) => llm !== undefined,
        async work(content) {
          const { record, trail, verified } = await judge(host, ctx, content, spent);
          return { claims: record.extraction!.claims, score: trail.finalConfidenceScore, verified, method: record.llm!.method };
        },
      }, spent);
    },
  }),

  content: endpoint({
    rest: "POST /content/:contentId", summary: "Verify an article by patterns, without the language model", permit: "articles:verify", path: contentPath, returns: success(PatternCheck), errors: NO_ARTICLE,
    description: "How carefully the text is made: named sources, quotations, figures, links for it; hearsay, shouting, clickbait against it. What else is known already (claims, cross-references, bias) counts in the score too.",
    async handler(ctx) {
      const host = this as Verifier;
      const content = await contentOf(host, ctx.params.contentId);
      const { record, trail, verified } = await settle(host, ctx, content, await appraisePatterns(host, ctx, content), { tells: true });
      const { score, findings } = record.heuristic!;
      return {
        contentId: content.id, contentTitle: content.title, score: trail.finalConfidenceScore, confidenceLevel: trail.confidenceLevel, verified, method: "heuristic" as const,
        craft: score, findings, claims: record.extraction?.claims ?? 0, recommendation: trail.summary.recommendation,
      };
    },
  }),

  contentBatch: endpoint({
    rest: "POST /batch", summary: "Verify the newest articles by patterns", permit: "articles:verify", query: { limit: batchLimit }, returns: success(BatchView),
    description: "The newest articles that were not verified this way yet, so that asking again goes on. A person's verdict is never overwritten.",
    handler(ctx) {
      const host = this as Verifier;
      const spent = spending();
      return batch(host, {
        limit: ctx.params.limit, isDone: ({ heuristic }) => heuristic !== undefined,
        async work(content) {
          const { trail, verified } = await settle(host, ctx, content, await appraisePatterns(host, ctx, content), { tells: true });
          return { score: trail.finalConfidenceScore, verified, method: "heuristic" };
        },
      }, spent);
    },
  }),
};

async function judge(host: Verifier, caller: Caller, content: Content, spent: Spending) {
  const record = await appraiseByModel(host, caller, content, await groundwork(host, caller, content, spent), spent);
  return settle(host, caller, content, record, { tells: true });
}

async function deep(host: Verifier, caller: Caller, contentId: number) {
  const spent = spending();
  const content = await contentOf(host, contentId);
  const { claims } = await extract(host, caller, content, spent);
  const checked = await checkAll(host, caller, content, claims, DAYS_BACK, spent);
  await appraiseBias(host, caller, content, spent);
  const record = await appraisePatterns(host, caller, content);
  const { trail, record: kept } = await settle(host, caller, content, await appraiseByModel(host, caller, content, record, spent), { tells: true });
  const usedModel = [kept.extraction, kept.crossReference, kept.bias, kept.llm].some((part) => part?.method === "llm");
  return {
    contentId, contentTitle: content.title, method: usedModel ? "llm" as const : "heuristic" as const,
    finalConfidenceScore: trail.finalConfidenceScore, confidenceLevel: trail.confidenceLevel, recommendation: trail.summary.recommendation,
    claims: (await claimsOf(host, caller, contentId)).map(claimView), crossReference: checkedContentView(content, DAYS_BACK, checked),
    bias: kept.bias!, heuristic: kept.heuristic!, llm: kept.llm!, trail, cost: spent,
  };
}
