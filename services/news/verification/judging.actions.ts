import { z } from "zod";
import { success } from "../../../core/contract/answer.ts";
import { endpoint } from "../../../core/contract/endpoint.ts";
import { notFound } from "../../../core/problem.ts";
import { textId } from "../../../core/records/entity.ts";
import { appraisePatterns } from "./model/appraisal.ts";
import { BatchView } from "./work/batch.ts";
import { batchLimit, contentPath, NO_ARTICLE } from "./claims/claims.actions.ts";
import { contentOf } from "./content.ts";
import type { DeepInput } from "./work/deep.ts";
import type { Verifier } from "./host.ts";
import { judge } from "./model/judgement.ts";
import { settle } from "./claims/settlement.ts";
import { costOf, spending } from "./model/spending.ts";
import { DeepView, Judgement, ModelView, PatternCheck, Verification } from "./verification.ts";
import { BATCH, BATCH_ANSWER, DEEP, isUnderWay, undertake, workView, WorkView } from "./work/work.ts";

/** Endpoints for the whole verification of an article, or for one of its two ways: by the model, or by patterns. */
export const judging = {
  "contents.verifyDeeply": endpoint({
    tool: "verify_article",
    rest: "POST /deep/:contentId",
    summary: "Run the whole verification of an article",
    permit: "articles:verify",
    path: contentPath,
    returns: success(z.union([DeepView, WorkView])),
    accepted: isUnderWay,
    errors: NO_ARTICLE,
    description:
      "Runs claims, cross-references over the last 7 days, bias, patterns, the language model's " +
      "judgement if one is configured, and the trail that combines them, with a recommendation. " +
      "Everything is stored. It runs in the background: if it finishes within two thirds of " +
      "`REQUEST_TIMEOUT_MS`, the answer is 200, otherwise 202 with its `job` to poll " +
      "(`GET /api/verification/jobs/{job}`). It resumes after a restart. `cost` gives the calls, tokens and price of the model, which make this endpoint " +
      "expensive. Simultaneous requests share one run.",
    async handler(ctx) {
      const host = this as Verifier;
      const { id } = await contentOf(host, ctx.params.contentId);
      ctx.locals.trail?.({ type: Verification.name, id });
      return undertake<z.input<typeof DeepView>>(host, ctx, DEEP, { contentId: id } satisfies DeepInput, String(id));
    },
  }),

  "jobs.get": endpoint({
    tool: "verification_progress",
    description:
      "For a verification that was answered 202: its stage, how far it is, and the whole result once it has ended.",
    rest: "GET /jobs/:job",
    summary: "Read the progress and result of a background verification",
    permit: "verification:read",
    beyond: true,
    path: { job: textId(200).describe("`job` of the answer that began it.") },
    returns: success(
      WorkView.extend({ result: z.union([DeepView, BatchView]).nullable() }).meta({ id: "VerificationJobResult" }),
    ),
    errors: { 404: "There is no such work, or it ended more than 30 days ago." },
    async handler(ctx) {
      const job = await this.jobs.get(ctx.params.job);
      if (!job || (job.kind !== DEEP && job.kind !== BATCH)) throw notFound("verification job", ctx.params.job);
      return { ...workView(job), result: (job.result as z.input<typeof BatchView> | undefined) ?? null };
    },
  }),

  "contents.judge": endpoint({
    rest: "POST /llm/:contentId",
    summary: "Have the language model judge an article against the evidence",
    permit: "articles:verify",
    path: contentPath,
    returns: success(Judgement),
    errors: NO_ARTICLE,
    description:
      "Claims and cross-references are created first if they are missing. The model's reasons are kept " +
      "only if they quote evidence that was found, and its score can move the evidence's score by at " +
      "most ten points. Without a model, or when it fails, the evidence alone decides and `method` is " +
      "`heuristic`.",
    async handler(ctx) {
      const host = this as Verifier;
      const spent = spending(host);
      const content = await contentOf(host, ctx.params.contentId);
      const { record, trail, verified } = await judge(host, ctx, content, spent);
      const { method, model, score, reasons, dropped } = record.llm!;
      return {
        contentId: content.id,
        contentTitle: content.title,
        score: trail.finalConfidenceScore,
        confidenceLevel: trail.confidenceLevel,
        verified,
        method,
        ...(model && { model }),
        judgement: score,
        reasons,
        dropped,
        recommendation: trail.summary.recommendation,
        cost: costOf(spent),
      };
    },
  }),

  "models.get": endpoint({
    rest: "GET /model",
    summary: "Read the language model's availability, performance and cost today",
    permit: "verification:read",
    beyond: true,
    returns: success(ModelView),
    description:
      "`today` counts since midnight UTC, over all nodes. Once a budget is used up, heuristics do the " +
      "work until midnight.",
    handler() {
      return this.world.llm.status();
    },
  }),

  "contents.judgeBatch": endpoint({
    rest: "POST /llm/batch",
    summary: "Have the language model judge the newest articles",
    permit: "articles:verify",
    query: { limit: batchLimit },
    returns: BATCH_ANSWER,
    accepted: isUnderWay,
    description:
      "Processes the newest articles that were not judged this way yet, so that repeating it continues. " +
      "A person's verdict is never overwritten.",
    handler(ctx) {
      return undertake<z.input<typeof BatchView>>(this as Verifier, ctx, BATCH, {
        what: "llm",
        limit: ctx.params.limit,
      });
    },
  }),

  "contents.verify": endpoint({
    rest: "POST /content/:contentId",
    summary: "Verify an article by text patterns, without the language model",
    permit: "articles:verify",
    path: contentPath,
    returns: success(PatternCheck),
    errors: NO_ARTICLE,
    description:
      "Rates how carefully the text is written: named sources, quotations, figures and links count for " +
      "it; hearsay, capitals and exclamation marks, and clickbait against it. Other results already " +
      "known (claims, cross-references, bias) also count in the score.",
    async handler(ctx) {
      const host = this as Verifier;
      const content = await contentOf(host, ctx.params.contentId);
      const { record, trail, verified } = await settle(host, ctx, content, await appraisePatterns(host, ctx, content), {
        tells: true,
      });
      const { score, findings } = record.heuristic!;
      return {
        contentId: content.id,
        contentTitle: content.title,
        score: trail.finalConfidenceScore,
        confidenceLevel: trail.confidenceLevel,
        verified,
        method: "heuristic" as const,
        craft: score,
        findings,
        claims: record.extraction?.claims ?? 0,
        recommendation: trail.summary.recommendation,
      };
    },
  }),

  "contents.verifyBatch": endpoint({
    rest: "POST /batch",
    summary: "Verify the newest articles by text patterns",
    permit: "articles:verify",
    query: { limit: batchLimit },
    returns: BATCH_ANSWER,
    accepted: isUnderWay,
    description:
      "Processes the newest articles that were not verified this way yet, so that repeating it " +
      "continues. A person's verdict is never overwritten.",
    handler(ctx) {
      return undertake<z.input<typeof BatchView>>(this as Verifier, ctx, BATCH, {
        what: "patterns",
        limit: ctx.params.limit,
      });
    },
  }),
};
