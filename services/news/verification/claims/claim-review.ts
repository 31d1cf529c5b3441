import { z } from "zod";
import type { ClaimStatus, Reference } from "../references/cross-reference.ts";
import { ClaimStatuses } from "../scales.ts";

export interface ReviewedClaim {
  id: number;
  text: string;
  status: ClaimStatus;
  /** 0..100 */
  score: number;
  /** ISO 8601: when the status was settled. */
  reviewedAt: string;
  supporting: readonly Witness[];
  contradicting: readonly Witness[];
}
/** What another article says of it, and in which sentence. */
type Witness = Pick<Reference, "articleId" | "sourceName" | "evidence">;

/** An article that a review cites. */
export interface CitedArticle {
  id: number;
  title: string;
  url: string;
  publishedAt: string;
}

export interface ReviewedArticle {
  id: number;
  title: string;
  url: string;
  publishedAt: string;
  sourceName: string;
  /** Cited articles by id; one that was removed is not cited. */
  cited: ReadonlyMap<number, CitedArticle>;
}

/** The reviewer, and the address of the review. */
export interface Reviewer {
  name: string;
  url: string;
  claimUrl: (claimId: number) => string;
}

export const Verdicts = ClaimStatuses.exclude(["unverified"]);
const RATING: Record<z.output<typeof Verdicts>, string> = {
  corroborated: "Corroborated",
  contradicted: "Contradicted",
  disputed: "Disputed",
};
const LOWEST = 1;
const HIGHEST = 5;

const Work = z.object({
  url: z.string(),
  headline: z.string(),
  identifier: z.string().describe("Id of the article on this platform."),
});
const Organization = z.object({ "@type": z.literal("Organization"), name: z.string(), url: z.string().optional() });
/** https://schema.org/Quotation: the sentence of another article that a verdict rests on. */
const Quotation = z.object({
  "@type": z.literal("Quotation"),
  text: z.string(),
  keywords: z.enum(["supports", "contradicts"]).describe("What it does to the claim."),
  isPartOf: Work.extend({
    "@type": z.literal("NewsArticle"),
    datePublished: z.string().describe("ISO 8601."),
    publisher: Organization,
  }),
});
type Quotation = z.output<typeof Quotation>;

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
      appearance: Work.extend({ "@type": z.literal("CreativeWork") }),
    }),
    reviewRating: z.object({
      "@type": z.literal("Rating"),
      ratingValue: z.int().min(LOWEST).max(HIGHEST),
      worstRating: z.literal(LOWEST),
      bestRating: z.literal(HIGHEST),
      alternateName: z.string(),
      ratingExplanation: z.string(),
    }),
    citation: z.array(Quotation).optional().describe("What others say of it: first what contradicts it."),
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
  const quoted = (witnesses: readonly Witness[], keywords: Quotation["keywords"]): Quotation[] =>
    witnesses.flatMap((witness) => quotation(witness, keywords, article.cited.get(witness.articleId)) ?? []);
  const citation = [...quoted(claim.contradicting, "contradicts"), ...quoted(claim.supporting, "supports")];
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
    ...(citation.length > 0 && { citation }),
  };
}

const quotation = (
  { evidence, sourceName }: Witness,
  keywords: Quotation["keywords"],
  article: CitedArticle | undefined,
): Quotation | undefined =>
  article && {
    "@type": "Quotation",
    text: evidence.text,
    keywords,
    isPartOf: {
      "@type": "NewsArticle",
      url: article.url,
      headline: article.title,
      identifier: String(article.id),
      datePublished: article.publishedAt,
      publisher: { "@type": "Organization", name: sourceName },
    },
  };

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
