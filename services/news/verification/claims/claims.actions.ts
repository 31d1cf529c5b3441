import { z } from "zod";
import { success } from "../../../../core/contract/answer.ts";
import { endpoint } from "../../../../core/contract/endpoint.ts";
import { NumberId } from "../../../../core/records/entity.ts";
import type { BatchView } from "../work/batch.ts";
import { claimView, ClaimsView, ExtractedView } from "./claim.ts";
import { contentOf, recordOf } from "../content.ts";
import { claimsOf, extract } from "./extraction.ts";
import type { Verifier } from "../host.ts";
import { settle } from "./settlement.ts";
import { costOf, spending } from "../model/spending.ts";
import { BATCH, BATCH_ANSWER, isUnderWay, undertake } from "../work/work.ts";

export const contentPath = { contentId: NumberId.describe("Id of an article.") };
export const NO_ARTICLE = { 404: "There is no article `contentId`." };
export const batchLimit = z.int().min(1).max(200).default(20).describe("1 to 200 articles.");

/** Endpoints that extract claims from articles. */
export const claims = {
  "claims.extract": endpoint({
    tool: "extract_claims",
    rest: "POST /verify-claims/:contentId",
    summary: "Extract the checkable claims of an article",
    permit: "articles:verify",
    path: contentPath,
    description:
      "Uses the language model if one is configured and answers, else heuristics; `method` says which. " +
      "The result is stored for the text, the method and the prompt's version: asking again returns it " +
      "(`cached`), `force=true` extracts again. A sentence that was already a claim keeps its id and " +
      "results. New claims are `unverified`.",
    query: { force: z.boolean().default(false).describe("Extract again even if a result is stored.") },
    returns: success(ExtractedView),
    errors: NO_ARTICLE,
    async handler(ctx) {
      const host = this as Verifier;
      const spent = spending(host);
      const content = await contentOf(host, ctx.params.contentId);
      const { claims: found, record, cached } = await extract(host, ctx, content, spent, { force: ctx.params.force });
      if (!cached) await settle(host, ctx, content, record, { tells: false });
      return {
        contentId: content.id,
        contentTitle: content.title,
        extracted: true,
        method: record.extraction!.method,
        extractedAt: record.extraction!.at,
        claims: found.map(claimView),
        cached,
        cost: costOf(spent),
      };
    },
  }),

  "claims.list": endpoint({
    tool: "read_claims",
    rest: "GET /claims/:contentId",
    summary: "Read the claims of an article",
    permit: "verification:read",
    path: contentPath,
    returns: success(ClaimsView),
    errors: NO_ARTICLE,
    description: "Most check-worthy first. `extracted` is false if the current text has not been processed yet.",
    async handler(ctx) {
      const content = await contentOf(this, ctx.params.contentId);
      const extraction = (await recordOf(this, content))?.extraction;
      const found = extraction ? await claimsOf(this, ctx, content.id) : [];
      return {
        contentId: content.id,
        contentTitle: content.title,
        extracted: extraction !== undefined,
        method: extraction?.method ?? null,
        extractedAt: extraction?.at ?? null,
        claims: found.map(claimView),
      };
    },
  }),

  "claims.extractRecent": endpoint({
    rest: "POST /claims/extract-recent",
    summary: "Extract claims from the newest articles",
    permit: "articles:verify",
    description:
      "Processes the newest articles whose claims were not extracted yet, so that repeating it " +
      "continues. Results are per article. A batch that takes longer than two thirds of " +
      "`REQUEST_TIMEOUT_MS` continues in the background: 202 returns its `job`.",
    query: {
      limit: batchLimit,
      minConfidence: z.number().min(0).max(100).optional().describe("Least confidence of the article, 0 to 100."),
    },
    returns: BATCH_ANSWER,
    accepted: isUnderWay,
    handler(ctx) {
      const { limit, minConfidence } = ctx.params;
      return undertake<z.input<typeof BatchView>>(this as Verifier, ctx, BATCH, {
        what: "claims",
        limit,
        ...(minConfidence !== undefined && { minConfidence: minConfidence / 100 }),
      });
    },
  }),
};
