import fc from "fast-check";
import { confidenceLevel, trail, type TrailInput } from "../../../services/news/verification/trail/trail.ts";

const base: TrailInput = {
  version: 1,
  contentId: 7,
  contentTitle: "Ferry capsizes",
  asOf: "2026-03-03T10:00:00Z",
  publishedAt: "2026-03-02T10:00:00Z",
  source: { id: 3, name: "Herald", letter: "B", estimate: 0.86, evidence: 40 },
  groundTruth: [{ claimId: 1, articleId: 21, sourceName: "Gazette", stance: "support" }],
  claims: { ids: [1, 2], method: "heuristic" },
  crossReferences: [
    {
      claimId: 1,
      status: "corroborated",
      credibility: 1,
      score: 82.5,
      supporting: [21, 22],
      contradicting: [],
      independentSources: 2,
    },
    {
      claimId: 2,
      status: "disputed",
      credibility: 4,
      score: 45,
      supporting: [23],
      contradicting: [24],
      independentSources: 1,
    },
  ],
  bias: { score: 22, method: "heuristic", lexiconVersion: "x@1", loadedLanguage: 2, unsupportedClaims: 1 },
  llm: { score: 71.25, model: "m", promptVersion: "verification-1", citedIds: [21] },
  heuristic: {
    score: 66,
    findings: [
      { label: "names its sources", points: 12 },
      { label: "shouts", points: -2 },
    ],
  },
  manual: null,
  comparison: { sourceAverage: 61.5, domainAverage: 55, below: 30, equal: 4, total: 50 },
};

const points = (input: TrailInput) =>
  trail(input).steps.reduce((sum, { scoreContribution }) => sum + scoreContribution, 0);
const contribution = (input: TrailInput, type: string) =>
  trail(input).steps.find((step) => step.type === type)?.scoreContribution;

const id = fc.nat(50);
const score = fc.double({ min: 0, max: 100, noNaN: true });
const moment = fc
  .date({ min: new Date("2000-01-01"), max: new Date("2030-01-01"), noInvalidDate: true })
  .map((date) => date.toISOString());
const anyInput: fc.Arbitrary<TrailInput> = fc.record({
  version: fc.constant(1 as const),
  contentId: id,
  contentTitle: fc.string(),
  asOf: moment,
  publishedAt: moment,
  source: fc.record({
    id,
    name: fc.string(),
    letter: fc.constantFrom("A" as const, "C" as const, "F" as const),
    estimate: fc.double({ min: 0, max: 1, noNaN: true }),
    evidence: fc.double({ min: 0, max: 500, noNaN: true }),
  }),
  groundTruth: fc.array(
    fc.record({
      claimId: id,
      articleId: id,
      sourceName: fc.string(),
      stance: fc.constantFrom("support" as const, "contradict" as const),
    }),
    { maxLength: 4 },
  ),
  claims: fc.option(
    fc.record({ ids: fc.array(id, { maxLength: 8 }), method: fc.constantFrom("heuristic" as const, "llm" as const) }),
  ),
  crossReferences: fc.array(
    fc.record({
      claimId: id,
      status: fc.constantFrom(
        "unverified" as const,
        "corroborated" as const,
        "contradicted" as const,
        "disputed" as const,
      ),
      credibility: fc.integer({ min: 1, max: 6 }),
      score,
      supporting: fc.array(id, { maxLength: 3 }),
      contradicting: fc.array(id, { maxLength: 3 }),
      independentSources: fc.nat(5),
    }),
    { maxLength: 6 },
  ),
  bias: fc.option(
    fc.record({
      score,
      method: fc.constant("heuristic" as const),
      lexiconVersion: fc.string(),
      loadedLanguage: fc.nat(9),
      unsupportedClaims: fc.nat(9),
    }),
  ),
  llm: fc.option(
    fc.record({ score, model: fc.string(), promptVersion: fc.string(), citedIds: fc.array(id, { maxLength: 3 }) }),
  ),
  heuristic: fc.option(
    fc.record({
      score,
      findings: fc.array(fc.record({ label: fc.string(), points: fc.integer({ min: -20, max: 20 }) }), {
        maxLength: 4,
      }),
    }),
  ),
  manual: fc.option(
    fc.record({ verified: fc.boolean(), by: fc.string({ minLength: 1 }), at: moment, notes: fc.string() }),
  ),
  comparison: fc.record({
    sourceAverage: fc.option(score),
    domainAverage: fc.option(score),
    below: fc.nat(50),
    equal: fc.nat(50),
    total: fc.integer({ min: 100, max: 300 }),
  }),
});

describe("a trail", () => {
  it("never stands above what the article came in with where nothing was found for it", () =>
    fc.assert(
      fc.property(anyInput, score, (input, came) => {
        const nothing: TrailInput = {
          ...input,
          initial: { score: came, record: 0 },
          groundTruth: input.groundTruth.filter(({ stance }) => stance === "contradict"),
          crossReferences: input.crossReferences.map((one) => ({ ...one, score: Math.min(50, one.score) })),
          llm: input.llm && { ...input.llm, score: Math.min(50, input.llm.score) },
          manual: null,
        };
        expect(trail(nothing).finalConfidenceScore).toBeLessThanOrEqual(came + 0.005);
      }),
    ));
  it("has Document 1's fields and a step for each layer, with what it cites", () => {
    const made = trail(base);
    expect(made).toMatchObject({
      contentId: 7,
      contentTitle: "Ferry capsizes",
      comparison: { sourceAverage: 61.5, domainAverage: 55, percentileRank: 64 },
      citedArticles: [7, 21, 22, 23, 24],
    });
    expect(made.steps.map(({ type }) => type)).toEqual([
      "source",
      "ground_truth",
      "claims",
      "cross_reference",
      "bias",
      "heuristic",
      "llm",
      "recency",
    ]);
    // Claims by themselves are worth nothing, and craft can only take away.
    expect(made.steps.map(({ impact }) => impact)).toEqual([
      "positive",
      "positive",
      "neutral",
      "positive",
      "negative",
      "neutral",
      "positive",
      "neutral",
    ]);
    expect(made.steps[0]!.cites).toEqual({ sources: [3] });
    expect(made.summary.positiveFactors.length).toBe(4);
    expect(made.summary.negativeFactors).toEqual([expect.stringMatching(/bias 22 of 100/)]);
    expect(made.summary.recommendation).toMatch(/Sources disagree/);
    for (const step of made.steps)
      expect(step).toEqual({
        type: expect.any(String),
        label: expect.any(String),
        description: expect.any(String),
        impact: expect.any(String),
        scoreContribution: expect.any(Number),
        cites: expect.any(Object),
      });
  });

  it("sums exactly to its score, on the scale, whatever it is made from", () => {
    fc.assert(
      fc.property(anyInput, (input) => {
        const made = trail(input);
        const sum = made.steps.reduce((total, { scoreContribution }) => total + scoreContribution, 0);
        expect(Math.abs(sum - made.finalConfidenceScore)).toBeLessThan(1e-9);
        expect(made.finalConfidenceScore).toBeGreaterThanOrEqual(0);
        expect(made.finalConfidenceScore).toBeLessThanOrEqual(100);
        expect(made.confidenceLevel).toBe(confidenceLevel(made.finalConfidenceScore));
        expect(made.comparison.percentileRank).toBeLessThanOrEqual(100);
      }),
    );
  });

  it("is the same to the byte when it is made again from what was stored, in any order of fields", () => {
    fc.assert(
      fc.property(anyInput, (input) => {
        const bytes = JSON.stringify(trail(input));
        const stored = JSON.parse(JSON.stringify(input)) as TrailInput;
        const turned = Object.fromEntries(Object.entries(stored).reverse()) as unknown as TrailInput;
        expect(JSON.stringify(trail(stored))).toBe(bytes);
        expect(JSON.stringify(trail(turned))).toBe(bytes);
      }),
    );
  });

  it("cites only ids it was given", () => {
    fc.assert(
      fc.property(anyInput, (input) => {
        const given = new Set([
          input.contentId,
          ...input.groundTruth.map(({ articleId }) => articleId),
          ...input.crossReferences.flatMap(({ supporting, contradicting }) => [...supporting, ...contradicting]),
          ...(input.llm?.citedIds ?? []),
        ]);
        expect(trail(input).citedArticles.every((article) => given.has(article))).toBe(true);
      }),
    );
  });

  it("says when it had to cut at the end of the scale", () => {
    const best: TrailInput = {
      ...base,
      source: { ...base.source, estimate: 1, evidence: 500 },
      crossReferences: Array.from({ length: 5 }, (_, at) => ({ ...base.crossReferences[0]!, claimId: at, score: 100 })),
      heuristic: { score: 100, findings: [] },
      llm: { ...base.llm!, score: 100 },
      bias: { ...base.bias!, score: 0 },
    };
    const made = trail(best);
    expect(made.finalConfidenceScore).toBe(100);
    expect(made.steps.find(({ label }) => label === "Limit of the scale")).toMatchObject({ impact: "neutral" });
    expect(points(best)).toBeCloseTo(100, 9);
  });

  it("lets a person's verdict outrank the machine's, both ways, and says whose", () => {
    const by = { by: "ana", at: "2026-03-03T09:00:00Z", notes: "called the coast guard" };
    const verified = trail({ ...base, manual: { verified: true, ...by } });
    expect(verified.finalConfidenceScore).toBeGreaterThanOrEqual(90);
    expect(verified.steps.at(-1)).toMatchObject({
      type: "manual",
      impact: "positive",
      cites: { by: "ana" },
      description: "a person verified it on 2026-03-03: called the coast guard",
    });
    expect(verified.summary.recommendation).toBe("A person verified it: it can be used as verified.");
    const refused = trail({ ...base, manual: { verified: false, ...by } });
    expect(refused.finalConfidenceScore).toBeLessThanOrEqual(40);
    expect(refused.steps.at(-1)).toMatchObject({ impact: "negative" });
  });

  it("tells from which points the source starts, and that they were moved only where they were", () => {
    const initial = { score: 44.95, record: 0 };
    const start = ({ letter, evidence }: { letter: "A" | "F"; evidence: number }) =>
      trail({ ...base, initial, source: { ...base.source, letter, estimate: 0.5, evidence } }).steps[0]!.description;
    expect(start({ letter: "F", evidence: 1 })).toMatch(
      /is rated F \(reliability cannot be judged yet.*\); .*; from the 44.95 points that the article came in with$/,
    );
    expect(trail({ ...base, initial: { score: 44.95, record: 99 } }).steps[0]!.description).toMatch(
      /came in with, moved by -[\d.]+ points$/,
    );
  });

  it("says what the start is made of, and what came to it since", () => {
    const parts = [
      { label: "starting point of any report", points: 34 },
      { label: "source of reliability A", points: 26 },
    ];
    const [first] = trail({ ...base, initial: { score: 60, record: 26, parts } }).steps;
    expect(first!.parts!.slice(0, 2)).toEqual(parts);
    const points = first!.parts!.reduce((sum, one) => sum + one.points, 0);
    expect(points).toBeCloseTo(first!.scoreContribution, 10);
    expect(trail({ ...base, initial: { score: 60, record: 26 } }).steps[0]).not.toHaveProperty("parts");
  });

  it("moves with the evidence", () => {
    const [first] = base.crossReferences;
    expect(contribution({ ...base, crossReferences: [{ ...first!, score: 95 }] }, "cross_reference")).toBeGreaterThan(
      contribution({ ...base, crossReferences: [first!] }, "cross_reference")!,
    );
    expect(contribution({ ...base, bias: { ...base.bias!, score: 80 } }, "bias")).toBe(-15);
    expect(contribution({ ...base, publishedAt: "2024-01-01T00:00:00Z" }, "recency")).toBe(-3);
    expect(contribution({ ...base, publishedAt: base.asOf }, "recency")).toBe(-2);
    expect(contribution({ ...base, source: { ...base.source, evidence: 0 } }, "source")).toBe(50);
  });

  it("of an article that nothing is known of stands in the middle", () => {
    const bare: TrailInput = {
      ...base,
      source: { ...base.source, letter: "F", estimate: 0.67, evidence: 0 },
      groundTruth: [],
      claims: null,
      crossReferences: [],
      bias: null,
      llm: null,
      heuristic: null,
      comparison: { sourceAverage: null, domainAverage: null, below: 0, equal: 0, total: 0 },
    };
    expect(trail(bare)).toMatchObject({
      finalConfidenceScore: 50,
      confidenceLevel: "medium",
      comparison: { sourceAverage: 50, domainAverage: 50, percentileRank: 50 },
    });
  });

  it("refuses an input of another version or shape, naming the field", () => {
    expect(() => trail({ ...base, version: 2 as 1 })).toThrow(/version/);
    expect(() => trail({ ...base, crossReferences: [{ ...base.crossReferences[0]!, score: 101 }] })).toThrow(
      /crossReferences/,
    );
  });
});
