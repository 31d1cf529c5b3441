import { z } from "zod";
import { success } from "../../../core/contract/answer.ts";
import { endpoint } from "../../../core/contract/endpoint.ts";
import { notFound } from "../../../core/problem.ts";
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

/** The whole of an article's verification, in one go or by its two ways: by the model, by patterns. */
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
      "Claims, cross-references over the last 7 days, bias, patterns, the language model's judgement where " +
      "one is configured, and the trail that sums them up, with a recommendation. Everything is kept. It " +
      "runs in the background: ready within two thirds of `REQUEST_TIMEOUT_MS` it is answered with 200, " +
      "else 202 tells its `job`, to be asked for again. A restart goes on where it was. `cost` tells how " +
      "often the model was asked, for how many tokens and at what price; its calls make this one costly. " +
      "Asked for twice at once, it runs once.",
    async handler(ctx) {
      const host = this as Verifier;
      const { id } = await contentOf(host, ctx.params.contentId);
      ctx.locals.trail?.({ type: Verification.name, id });
      return undertake<z.input<typeof DeepView>>(host, ctx, DEEP, { contentId: id } satisfies DeepInput, String(id));
    },
  }),

  "jobs.get": endpoint({
    tool: "verification_progress",
    rest: "GET /jobs/:job",
    summary: "How far a verification in the background is, and its result",
    permit: "verification:read",
    beyond: true,
    path: { job: z.string().max(200).describe("`job` of the answer that began it.") },
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
    summary: "Have the language model judge an article by the evidence",
    permit: "articles:verify",
    path: contentPath,
    returns: success(Judgement),
    errors: NO_ARTICLE,
    description:
      "Claims and cross-references are made first where they are missing. The model's reasons stay only " +
      "where they quote evidence that was found, and its score leaves the evidence's by ten points at most. " +
      "Without a model, or when it fails, the evidence alone judges and `method` is `heuristic`.",
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
    summary: "The language model: whether it is there, how it fares, and what it cost today",
    permit: "verification:read",
    beyond: true,
    returns: success(ModelView),
    description:
      "`today` counts since midnight UTC, over all nodes. Once a budget is used up the heuristics do the " +
      "work until then.",
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
      "The newest articles that were not judged this way yet, so that asking again goes on. A person's " +
      "verdict is never overwritten.",
    handler(ctx) {
      return undertake<z.input<typeof BatchView>>(this as Verifier, ctx, BATCH, {
        what: "llm",
        limit: ctx.params.limit,
      });
    },
  }),

  "contents.verify": endpoint({
    rest: "POST /content/:contentId",
    summary: "Verify an article by patterns, without the language model",
    permit: "articles:verify",
    path: contentPath,
    returns: success(PatternCheck),
    errors: NO_ARTICLE,
    description:
      "How carefully the text is made: named sources, quotations, figures, links for it; hearsay, shouting, " +
      "clickbait against it. What else is known already (claims, cross-references, bias) counts in the " +
      "score too.",
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
    summary: "Verify the newest articles by patterns",
    permit: "articles:verify",
    query: { limit: batchLimit },
    returns: BATCH_ANSWER,
    accepted: isUnderWay,
    description:
      "The newest articles that were not verified this way yet, so that asking again goes on. A person's " +
      "verdict is never overwritten.",
    handler(ctx) {
      return undertake<z.input<typeof BatchView>>(this as Verifier, ctx, BATCH, {
        what: "patterns",
        limit: ctx.params.limit,
      });
    },
  }),
};
