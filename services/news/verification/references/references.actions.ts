import { z } from "zod";
import { asSystem, type Ctx } from "../../../../core/access/caller.ts";
import { bare, success } from "../../../../core/contract/answer.ts";
import { endpoint } from "../../../../core/contract/endpoint.ts";
import { NumberId } from "../../../../core/records/entity.ts";
import { articlesOf } from "../../articles/client.ts";
import type { BatchView } from "../work/batch.ts";
import { Claim } from "../claims/claim.ts";
import { batchLimit, contentPath, NO_ARTICLE } from "../claims/claims.actions.ts";
import { contentOf, recordOf } from "../content.ts";
import { check, checkAll, checkedContentView, checkedView } from "./corroboration.ts";
import { extract } from "../claims/extraction.ts";
import type { Verifier } from "../host.ts";
import { RELIABILITY_WORDS } from "../reliability/reliability.ts";
import { unknown } from "../reliability/source-records.ts";
import { referenceStatistics, type ReferenceCount } from "./statistics.ts";
import {
  CheckedClaim,
  CheckedContent,
  ClaimReference,
  Contradiction,
  FoundReferences,
  ReferenceStats,
} from "./reference.ts";
import { referencesOf, settle } from "../claims/settlement.ts";
import { spending } from "../model/spending.ts";
import { BATCH, BATCH_ANSWER, isUnderWay, undertake } from "../work/work.ts";

const daysBack = z
  .int()
  .min(1)
  .max(3_650)
  .optional()
  .describe("Search only articles published in this many last days; without it, of any age.");

/** More than a briefing can show. */
const MOST_CONTRADICTIONS = 1_000;
/** More than a page can show, and as many articles as can be asked for by id. */
const MOST_REFERENCES = 500;

/** Stored references of an article's claims, with what names their articles. */
async function foundReferences(host: Verifier, ctx: Ctx<unknown>, contentId: number) {
  const found = (await referencesOf(host, ctx, contentId)).slice(0, MOST_REFERENCES);
  const ids = [...new Set(found.map(({ articleId }) => articleId))];
  const articles = new Map((ids.length ? await articlesOf(host, ids) : []).map((article) => [article.id, article]));
  return found.map((reference) => ({
    ...reference,
    reliabilityMeaning: RELIABILITY_WORDS[reference.reliability],
    articleTitle: articles.get(reference.articleId)?.title ?? null,
    articleUrl: articles.get(reference.articleId)?.url ?? null,
  }));
}

/** Endpoints that compare claims with other articles. */
export const references = {
  "crossReferences.findForClaim": endpoint({
    tool: "cross_reference_claim",
    rest: "POST /cross-reference/claim/:claimId",
    summary: "Search stored articles for support or contradiction of a claim",
    permit: "articles:verify",
    on: Claim,
    by: "claimId",
    description:
      "Each reference shows the sentence it rests on, with its position in the article's text. " +
      "Candidates come from the whole index and from all articles on the same event (`storyId`, and kindred stories); " +
      "figures are compared if they measure the same thing. Only independent articles settle a claim: " +
      "not those of the same source, copies of one report (`reportId`), or of the same agency. " +
      "`supersededBy` names the later figure of the same outlet or agency. A claim of a report that its own outlet " +
      "retracted is contradicted by the retraction.",
    query: { daysBack },
    returns: success(CheckedClaim),
    async handler(ctx, claim) {
      const host = this as Verifier;
      const content = await contentOf(host, claim.articleId);
      const [checked] = await check(host, ctx, content, [claim], ctx.params.daysBack ?? null, spending(host));
      const record = await recordOf(host, content);
      if (record) await settle(host, ctx, content, record, { tells: true });
      return checkedView(checked!);
    },
  }),

  "crossReferences.findForContent": endpoint({
    tool: "cross_reference_article",
    rest: "POST /cross-reference/content/:contentId",
    summary: "Search stored articles for support or contradiction of an article's claims",
    permit: "articles:verify",
    path: contentPath,
    description:
      "Claims are extracted first if that has not been done. The article's own `verification` shows the outcome.",
    query: { daysBack },
    returns: success(CheckedContent),
    errors: NO_ARTICLE,
    async handler(ctx) {
      const host = this as Verifier;
      const spent = spending(host);
      const content = await contentOf(host, ctx.params.contentId);
      const { claims } = await extract(host, ctx, content, spent);
      const checked = await checkAll(host, ctx, content, claims, ctx.params.daysBack ?? null, spent);
      await settle(host, ctx, content, (await recordOf(host, content))!, { tells: true });
      return checkedContentView(content, ctx.params.daysBack ?? null, checked);
    },
  }),

  "crossReferences.getForContent": endpoint({
    rest: "GET /cross-reference/content/:contentId",
    summary: "Read what other articles were found to say about an article's claims",
    permit: "verification:read",
    beyond: true,
    path: contentPath,
    returns: success(FoundReferences),
    errors: NO_ARTICLE,
    description:
      "The result of the last cross-reference of the present text, without searching again: each reference with " +
      "its claim, its stance, the sentence it rests on, and title and address of its article; 500 at most, the " +
      "strongest of a claim first. The claims themselves are in `GET /api/verification/claims/{contentId}`.",
    async handler(ctx) {
      const content = await contentOf(this, ctx.params.contentId);
      const record = await recordOf(this, content);
      const { method, daysBack, at } = record?.crossReference ?? {};
      return {
        contentId: content.id,
        contentTitle: content.title,
        method: method ?? null,
        daysBack: daysBack ?? null,
        checkedAt: at ?? null,
        references: record ? await foundReferences(this as Verifier, ctx, content.id) : [],
      };
    },
  }),

  "crossReferences.findBatch": endpoint({
    rest: "POST /cross-reference/batch",
    summary: "Cross-reference the newest articles",
    permit: "articles:verify",
    description:
      "Processes the newest articles that are not cross-referenced yet, so that repeating it continues. " +
      "Results are per article. A batch that takes longer than two thirds of `REQUEST_TIMEOUT_MS` " +
      "continues in the background: 202 returns its `job`.",
    query: { limit: batchLimit, daysBack },
    returns: BATCH_ANSWER,
    accepted: isUnderWay,
    handler(ctx) {
      return undertake<z.input<typeof BatchView>>(this as Verifier, ctx, BATCH, {
        what: "cross-reference",
        ...ctx.params,
      });
    },
  }),

  contradictions: endpoint({
    summary: "What independent articles say against claims of these articles",
    permit: "internal",
    body: { ids: z.array(NumberId).max(1_000) },
    returns: bare(z.array(Contradiction)),
    async handler(ctx) {
      const system = asSystem("verification");
      const found = await this.store(ClaimReference).find(
        system,
        { contentId: { $in: ctx.params.ids }, stance: "contradict", independent: true },
        { sort: ["contentId", "claimId", "-score"], limit: MOST_CONTRADICTIONS },
      );
      const claims = await this.store(Claim).find(system, {
        _id: { $in: [...new Set(found.map(({ claimId }) => claimId))] },
      });
      const textOf = new Map(claims.map(({ id, text }) => [id, text]));
      return found.flatMap(({ claimId, contentId, articleId, evidence, score, reasons }) => {
        const text = textOf.get(claimId);
        return text === undefined ? [] : [{ contentId, text, articleId, against: evidence.text, score, reasons }];
      });
    },
  }),

  "crossReferences.getStats": endpoint({
    rest: "GET /cross-reference/stats",
    summary: "Get figures about all cross-references",
    permit: "verification:read",
    returns: success(ReferenceStats),
    description:
      "A reference is accurate if it agrees with the outcome of its claim: support for a corroborated " +
      "claim, contradiction of a contradicted one. The ten sources that corroborate most are listed.",
    async handler() {
      const { sources } = this as Verifier;
      const groups = (await this.store(ClaimReference).collection.groups({ by: "tally" })).map(({ key, count }) => ({
        at: String(key).split("/"),
        count,
      }));
      const standings = await sources.many(groups.map(({ at }) => Number(at[0])));
      return referenceStatistics(
        groups.map(({ at: [id, stance, claimStatus], count }) => {
          const standing = standings.get(Number(id));
          return {
            sourceId: Number(id),
            sourceName: standing?.name ?? `Source ${id}`,
            reliability: standing?.rating ?? unknown.rating,
            stance,
            claimStatus,
            count,
          } as ReferenceCount;
        }),
      );
    },
  }),
};
