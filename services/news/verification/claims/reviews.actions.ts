import { z } from "zod";
import { bare, type Answer } from "../../../../core/contract/answer.ts";
import type { Caller } from "../../../../core/access/caller.ts";
import { iso } from "../../../../core/clock.ts";
import { endpoint } from "../../../../core/contract/endpoint.ts";
import { feeding, NumberId } from "../../../../core/records/entity.ts";
import { notFound } from "../../../../core/problem.ts";
import { claimReview, ClaimReview, Verdicts, type Reviewer } from "./claim-review.ts";
import { Claim, type StoredClaim } from "./claim.ts";
import { articlesOf } from "../../articles/client.ts";
import type { Verifier } from "../host.ts";
import { ClaimReference } from "../references/reference.ts";

const LD_JSON = "application/ld+json";
const linkedData = <V extends z.ZodType>(value: V): Answer<V> => ({
  ...bare(value),
  contentType: `${LD_JSON}; charset=utf-8`,
  errors: "success",
});

const Feed = z
  .object({
    "@context": z.literal("https://schema.org"),
    "@type": z.literal("DataFeed"),
    name: z.string(),
    dateModified: z.string(),
    dataFeedElement: z.array(ClaimReview),
  })
  .meta({ id: "ClaimReviewFeed" });

/** Verdicts on claims in the exchange format of fact-checks. */
export const reviews = {
  "claimReviews.get": endpoint({
    tool: "claim_review",
    rest: "GET /claims/:claimId/claim-review",
    summary: "Read a settled or disputed claim as a schema.org ClaimReview",
    permit: "verification:read",
    beyond: true,
    on: Claim,
    by: "claimId",
    returns: linkedData(ClaimReview),
    description:
      "JSON-LD. The rating maps the score of 0 to 100 to 1 to 5; `citation` quotes the sentences of other articles that it " +
      "rests on, first those that contradict it.",
    errors: { 404: "There is no such claim, or no other source settled or disputes it yet." },
    async handler(ctx, claim) {
      const [review] = await reviewsOf(this as Verifier, ctx, [claim]);
      if (!review) throw notFound("review of claim", claim.id);
      return review;
    },
  }),

  "claimReviews.list": endpoint({
    rest: "GET /claim-reviews",
    summary: "Read reviewed claims as a schema.org DataFeed, newest verdict first",
    permit: "verification:read",
    beyond: true,
    query: {
      ...feeding,
      verdict: Verdicts.optional().describe("Only claims with this verdict."),
      sourceId: NumberId.optional().describe("Only claims of this source."),
    },
    returns: linkedData(Feed),
    description: 'Follow `Link: rel="next"` for earlier ones.',
    async handler(ctx) {
      const { limit, cursor, verdict, sourceId } = ctx.params;
      const { data, meta } = await this.store(Claim).feed(
        ctx,
        { limit, order: "-reviewedAt", ...(cursor && { cursor }) },
        { ...(sourceId && { sourceId }), ...(verdict && { status: verdict }), reviewedAt: { $exists: true } },
      );
      if (meta.next) {
        const next = new URLSearchParams({
          limit: String(meta.limit),
          ...(verdict && { verdict }),
          ...(sourceId && { sourceId: String(sourceId) }),
          cursor: meta.next,
        });
        ctx.meta.$responseHeaders = { Link: `</api/verification/claim-reviews?${next}>; rel="next"` };
      }
      return {
        "@context": "https://schema.org" as const,
        "@type": "DataFeed" as const,
        name: "Signalmesh: reviewed claims",
        dateModified: data[0]?.reviewedAt ?? iso(this.world.clock.now()),
        dataFeedElement: await reviewsOf(this as Verifier, ctx, data),
      };
    },
  }),
};

function reviewer({
  world: {
    env: { PUBLIC_URL, HOST, PORT },
  },
}: Verifier): Reviewer {
  const url = (PUBLIC_URL ?? `http://${HOST}:${PORT}`).replace(/\/$/, "");
  return { name: "Signalmesh", url, claimUrl: (id) => `${url}/api/verification/claims/${id}/claim-review` };
}

/** The reviews of the claims that have a verdict and whose article still exists, in the same order. */
async function reviewsOf(host: Verifier, caller: Caller, claims: readonly StoredClaim[]): Promise<ClaimReview[]> {
  const references = await host
    .store(ClaimReference)
    .find(caller, { claimId: { $in: claims.map(({ id }) => id) } }, { sort: ["claimId", "-score"] });
  const ids = [...new Set([...claims, ...references].map(({ articleId }) => articleId))];
  const articles = new Map((ids.length ? await articlesOf(host, ids) : []).map((article) => [article.id, article]));
  const by = reviewer(host);
  return claims.flatMap((claim) => {
    const article = articles.get(claim.articleId);
    const said = (stance: string) =>
      references.filter((one) => one.claimId === claim.id && one.stance === stance && one.independent);
    const review =
      article &&
      claimReview(
        {
          ...claim,
          reviewedAt: claim.reviewedAt ?? claim.updatedAt,
          supporting: said("support"),
          contradicting: said("contradict"),
        },
        { ...article, cited: articles },
        by,
      );
    return review ?? [];
  });
}
