import fc from "fast-check";
import {
  claimReview,
  type ReviewedArticle,
  type ReviewedClaim,
  type Reviewer,
} from "../../../services/news/verification/claims/claim-review.ts";
import {
  betaDistribution,
  reliability,
  reliabilityChange,
  type SourceRecord,
} from "../../../services/news/verification/reliability/reliability.ts";

const asOf = "2026-06-15T00:00:00Z";
const record = (corroborated: number, contradicted: number, extra: Partial<SourceRecord> = {}): SourceRecord => ({
  months: [{ month: "2026-06", corroborated, contradicted }],
  since: "2025-01-01T00:00:00Z",
  asOf,
  ...extra,
});

describe("the beta distribution", () => {
  it.each([
    [0.5, 2, 3, 0.6875],
    [0.3, 0.5, 0.5, 0.36901011956554],
    [0.5, 10, 10, 0.5],
    [0.2, 1, 1, 0.2],
    [0.9, 3, 1, 0.729],
    [0.1, 1, 5, 0.40951],
  ])("I_%d(%d, %d) is %d", (x, a, b, expected) => {
    expect(betaDistribution(x, a, b)).toBeCloseTo(expected, 10);
  });
  it("rises from 0 to 1 and mirrors", () => {
    fc.assert(
      fc.property(
        fc.double({ min: 0.01, max: 0.99, noNaN: true }),
        fc.double({ min: 0.5, max: 400, noNaN: true }),
        fc.double({ min: 0.5, max: 400, noNaN: true }),
        (x, a, b) => {
          expect(betaDistribution(x, a, b) + betaDistribution(1 - x, b, a)).toBeCloseTo(1, 9);
          expect(betaDistribution(Math.min(1, x + 0.01), a, b)).toBeGreaterThanOrEqual(
            betaDistribution(x, a, b) - 1e-12,
          );
        },
      ),
    );
  });
});

describe("a source's rating", () => {
  it.each<[string, SourceRecord, string]>([
    ["no record", record(0, 0), "F"],
    ["seven claims that held", record(7, 0), "F"],
    ["nine that held", record(9, 0), "B"],
    ["a hundred, two failed", record(98, 2), "A"],
    ["forty, six failed", record(34, 6), "B"],
    ["thirty, ten failed", record(20, 10), "C"],
    ["thirty, half failed", record(15, 15), "D"],
    ["thirty, most failed", record(5, 25), "E"],
  ])("with %s", (_, given, rating) => expect(reliability(given).rating).toBe(rating));

  it("never falls by a claim that held, nor rises by one that failed", () => {
    fc.assert(
      fc.property(fc.nat(200), fc.nat(200), (held, failed) => {
        const {
          estimate,
          interval: [low, high],
        } = reliability(record(held, failed));
        expect(reliability(record(held + 1, failed)).estimate).toBeGreaterThanOrEqual(estimate);
        expect(reliability(record(held, failed + 1)).estimate).toBeLessThanOrEqual(estimate);
        expect(low).toBeLessThanOrEqual(estimate);
        expect(high).toBeGreaterThanOrEqual(estimate);
      }),
      { numRuns: 50 },
    );
  });
  it("forgets: a claim of a year ago counts half", () => {
    const old = reliability(record(0, 0, { months: [{ month: "2025-06", corroborated: 20, contradicted: 0 }] }));
    expect(old.evidence).toBe(10);
  });
  it("holds a mistake that the source put right for half of one", () => {
    const silent = reliability(record(30, 10));
    const mended = reliability(
      record(30, 10, { months: [{ month: "2026-06", corroborated: 30, contradicted: 10, corrected: 8 }] }),
    );
    expect(mended.estimate).toBeGreaterThan(silent.estimate);
    expect(mended.reasons.join("; ")).toMatch(/8 of the contradicted it corrected itself/);
  });
  it("is at most C in its first month", () => {
    const young = reliability(record(98, 2, { since: "2026-06-01T00:00:00Z" }));
    expect(young.rating).toBe("C");
    expect(young.reasons.join("; ")).toMatch(/known for 14 days only/);
  });
  it("gives its reasons in words and numbers", () => {
    expect(reliability(record(34, 6)).reasons.join("; ")).toMatch(
      /34 of its claims were corroborated and 6 contradicted.*expected to hold, at least \d+ %/,
    );
    expect(reliability(record(2, 0)).reasons.join("; ")).toMatch(/fewer than 8 settled claims/);
  });
  it("leaves an entry in the history when it moves, and none when it does not", () => {
    const before = reliability(record(34, 6));
    expect(reliabilityChange({ rating: "F", estimate: 0.67 }, before, asOf)).toMatchObject({
      from: "F",
      to: "B",
      at: asOf,
      reasons: before.reasons,
    });
    expect(reliabilityChange(before, before, asOf)).toBeUndefined();
    expect(reliabilityChange(before, reliability(record(34, 20)), asOf)).toMatchObject({ from: "B", to: "C" });
  });
});

describe("ClaimReview", () => {
  const claim: ReviewedClaim = {
    id: 5,
    text: "A ferry capsized, killing 38 people.",
    status: "corroborated",
    score: 82.5,
    reviewedAt: "2026-03-03T10:00:00Z",
    supporting: [
      { articleId: 21, sourceName: "Gazette", evidence: { text: "The ferry took 38 lives.", start: 0, end: 24 } },
      { articleId: 22, sourceName: "Post", evidence: { text: "All 38 aboard died.", start: 0, end: 19 } },
    ],
    contradicting: [],
  };
  const article: ReviewedArticle = {
    id: 7,
    title: "Ferry capsizes",
    url: "https://herald.example/1",
    publishedAt: "2026-03-02T10:00:00Z",
    sourceName: "Herald",
    cited: new Map([
      [21, { id: 21, title: "Ferry lost", url: "https://gazette.example/9", publishedAt: "2026-03-02T11:00:00Z" }],
    ]),
  };
  const reviewer: Reviewer = {
    name: "Signalmesh",
    url: "https://mesh.example",
    claimUrl: (id) => `https://mesh.example/claims/${id}`,
  };

  it("has what schema.org asks for", () => {
    expect(claimReview(claim, article, reviewer)).toEqual({
      "@context": "https://schema.org",
      "@type": "ClaimReview",
      "@id": "https://mesh.example/claims/5",
      url: "https://mesh.example/claims/5",
      datePublished: "2026-03-03",
      claimReviewed: claim.text,
      author: { "@type": "Organization", name: "Signalmesh", url: "https://mesh.example" },
      itemReviewed: {
        "@type": "Claim",
        datePublished: "2026-03-02",
        author: { "@type": "Organization", name: "Herald" },
        appearance: {
          "@type": "CreativeWork",
          url: "https://herald.example/1",
          headline: "Ferry capsizes",
          identifier: "7",
        },
      },
      reviewRating: {
        "@type": "Rating",
        ratingValue: 4,
        worstRating: 1,
        bestRating: 5,
        alternateName: "Corroborated",
        ratingExplanation: "Supported by Gazette, Post.",
      },
      // The other article was removed since.
      citation: [
        {
          "@type": "Quotation",
          text: "The ferry took 38 lives.",
          keywords: "supports",
          isPartOf: {
            "@type": "NewsArticle",
            url: "https://gazette.example/9",
            headline: "Ferry lost",
            identifier: "21",
            datePublished: "2026-03-02T11:00:00Z",
            publisher: { "@type": "Organization", name: "Gazette" },
          },
        },
      ],
    });
  });
  it("names a source that reports it both ways once, as that", () => {
    const [first] = claim.supporting;
    const both = { ...claim, contradicting: [{ ...first!, articleId: 77 }] };
    expect(claimReview(both, article, reviewer)!.reviewRating.ratingExplanation).toBe(
      "Supported by Post; reported both ways by Gazette.",
    );
  });
  it("is not given for what nobody has settled", () =>
    expect(claimReview({ ...claim, status: "unverified" }, article, reviewer)).toBeUndefined());
  it.each([
    [0, 1],
    [50, 3],
    [100, 5],
  ])("maps score %d to rating %d", (score, rating) => {
    expect(claimReview({ ...claim, score }, article, reviewer)).toMatchObject({
      reviewRating: { ratingValue: rating },
    });
  });
});
