import { z } from "zod";
import type { ClaimStatus, Reference } from "../references/cross-reference.ts";

export interface ReviewedClaim {
  id: number;
  text: string;
  status: ClaimStatus;
  /** 0..100 */
  score: number;
  /** ISO 8601: when the status was settled. */
  reviewedAt: string;
  supporting: readonly Pick<Reference, "articleId" | "sourceName">[];
  contradicting: readonly Pick<Reference, "articleId" | "sourceName">[];
}

export interface ReviewedArticle {
  id: number;
  title: string;
  url: string;
  publishedAt: string;
  sourceName: string;
  /** Addresses of cited articles by id; an article without one is not cited. */
  urls: ReadonlyMap<number, string>;
}

/** The reviewer, and the address of the review. */
export interface Reviewer {
  name: string;
  url: string;
  claimUrl: (claimId: number) => string;
}

type Verdict = Exclude<ClaimStatus, "unverified">;
const RATING: Record<Verdict, string> = {
  corroborated: "Corroborated",
  contradicted: "Contradicted",
  disputed: "Disputed",
};
const LOWEST = 1;
const HIGHEST = 5;

const Organization = z.object({ "@type": z.literal("Organization"), name: z.string(), url: z.string().optional() });
/** https://schema.org/ClaimReview in the form that is sent. */
export const ClaimReview = z
  .object({
    "@context": z.literal("https://schema.org"),
    "@type": z.literal("ClaimReview"),
    "@id": z.string(),
    url: z.string(),
    datePublished: z.iso.date(),
    claimReviewed: z.string(),
    author: Organization,
    itemReviewed: z.object({
      "@type": z.literal("Claim"),
      datePublished: z.iso.date(),
      author: Organization,
      appearance: z.object({
        "@type": z.literal("CreativeWork"),
        url: z.string(),
        headline: z.string(),
        identifier: z.string().describe("Id of the article on this platform."),
      }),
    }),
    reviewRating: z.object({
      "@type": z.literal("Rating"),
      ratingValue: z.int().min(LOWEST).max(HIGHEST),
      worstRating: z.literal(LOWEST),
      bestRating: z.literal(HIGHEST),
      alternateName: z.string(),
      ratingExplanation: z.string(),
    }),
    citation: z.array(z.string()).optional(),
  })
  .meta({ id: "ClaimReview" });
export type ClaimReview = z.output<typeof ClaimReview>;

/**
 * schema.org ClaimReview (JSON-LD) of a claim that other sources settled or dispute; undefined for an unverified one,
 * since a review without a verdict would mislead its collectors. The rating maps the score 0..100 to 1..5.
 */
export function claimReview(
  claim: ReviewedClaim,
  article: ReviewedArticle,
  reviewer: Reviewer,
): ClaimReview | undefined {
  if (claim.status === "unverified") return undefined;
  const cited = [...claim.supporting, ...claim.contradicting].flatMap(
    ({ articleId }) => article.urls.get(articleId) ?? [],
  );
  return {
    "@context": "https://schema.org",
    "@type": "ClaimReview",
    "@id": reviewer.claimUrl(claim.id),
    url: reviewer.claimUrl(claim.id),
    datePublished: claim.reviewedAt.slice(0, 10),
    claimReviewed: claim.text,
    author: { "@type": "Organization", name: reviewer.name, url: reviewer.url },
    itemReviewed: {
      "@type": "Claim",
      datePublished: article.publishedAt.slice(0, 10),
      author: { "@type": "Organization", name: article.sourceName },
      appearance: {
        "@type": "CreativeWork",
        url: article.url,
        headline: article.title,
        identifier: String(article.id),
      },
    },
    reviewRating: {
      "@type": "Rating",
      ratingValue: Math.round(LOWEST + ((HIGHEST - LOWEST) * Math.min(100, Math.max(0, claim.score))) / 100),
      worstRating: LOWEST,
      bestRating: HIGHEST,
      alternateName: RATING[claim.status],
      ratingExplanation: explanation(claim),
    },
    ...(cited.length > 0 && { citation: [...new Set(cited)] }),
  };
}

function explanation({ supporting, contradicting }: ReviewedClaim): string {
  const sources = (references: ReviewedClaim["supporting"]) => [
    ...new Set(references.map(({ sourceName }) => sourceName)),
  ];
  const [pro, contra] = [sources(supporting), sources(contradicting)];
  const said = [
    ["supported by", pro.filter((name) => !contra.includes(name))] as const,
    ["contradicted by", contra.filter((name) => !pro.includes(name))] as const,
    ["reported both ways by", pro.filter((name) => contra.includes(name))] as const,
  ]
    .flatMap(([how, names]) => (names.length > 0 ? [`${how} ${names.join(", ")}`] : []))
    .join("; ");
  return `${said.charAt(0).toUpperCase()}${said.slice(1)}.`;
}
