import fc from "fast-check";
import { initialConfidence, type ConfidenceInput } from "../../../services/news/articles/confidence/confidence.ts";

const usual: ConfidenceInput = {
  source: { reliability: "C", successRate: 0.95, verifiedShare: 0.3 },
  corroboratingSources: 1,
  ageHours: 48,
  heuristicScore: 60,
};
const of = (change: Partial<ConfidenceInput>) => initialConfidence({ ...usual, ...change }).confidence;
const anything = fc.record({
  source: fc.record({
    reliability: fc.constantFrom(
      "A" as const,
      "B" as const,
      "C" as const,
      "D" as const,
      "E" as const,
      "F" as const,
      undefined,
    ),
    successRate: fc.double(),
    verifiedShare: fc.option(fc.double(), { nil: undefined }),
  }),
  corroboratingSources: fc.double(),
  ageHours: fc.double(),
  heuristicScore: fc.double(),
  dateInferred: fc.boolean(),
});

describe("initial confidence", () => {
  it("is the exact sum of its named factors, within 0 and 1, whatever comes in", () => {
    fc.assert(
      fc.property(anything, (input) => {
        const { confidence, factors } = initialConfidence(input);
        expect(confidence).toBeGreaterThanOrEqual(0);
        expect(confidence).toBeLessThanOrEqual(1);
        expect(Math.abs(factors.reduce((sum, { contribution }) => sum + contribution, 0) - confidence)).toBeLessThan(
          1e-12,
        );
        expect(new Set(factors.map(({ name }) => name)).size).toBe(factors.length);
        expect(factors.every(({ label }) => label.length > 0)).toBe(true);
      }),
      { numRuns: 300 },
    );
  });
  it("names what it rests on", () => {
    expect(initialConfidence(usual).factors).toEqual([
      { name: "prior", label: "starting point of any report", contribution: 0.34 },
      { name: "source-record", label: "source of reliability C", contribution: 0.09 },
      { name: "source-verified-share", label: "30 % of its articles are verified", contribution: 0.018 },
      { name: "source-health", label: "95 % of its fetches succeed", contribution: 0.027 },
      { name: "corroboration", label: "1 other source tells the story", contribution: 0.088 },
      { name: "recency", label: "settled and current", contribution: 0 },
      { name: "text", label: "the text is made in the usual way", contribution: 0.032 },
    ]);
  });
  it("is no constant: every factor moves it in its direction", () => {
    const sourced = (reliability: ConfidenceInput["source"]["reliability"]) =>
      of({ source: { ...usual.source, reliability } });
    expect(["A", "B", "C", "D", "E"].map((letter) => sourced(letter as "A"))).toEqual(
      ["A", "B", "C", "D", "E"].map((letter) => sourced(letter as "A")).sort((a, b) => b - a),
    );
    expect(sourced("F")).toBe(sourced(undefined));
    expect(of({ corroboratingSources: 0 })).toBeLessThan(of({ corroboratingSources: 1 }));
    expect(of({ corroboratingSources: 1 })).toBeLessThan(of({ corroboratingSources: 5 }));
    expect(of({ heuristicScore: 20 })).toBeLessThan(of({ heuristicScore: 90 }));
    expect(of({ ageHours: 0 })).toBeLessThan(of({ ageHours: 48 }));
    expect(of({ ageHours: 10_000 })).toBeLessThan(of({ ageHours: 48 }));
    expect(of({ ageHours: -5 })).toBeLessThan(of({ ageHours: 0 }));
    expect(of({ dateInferred: true })).toBeLessThan(of({}));
    expect(of({ source: { ...usual.source, successRate: 0.2 } })).toBeLessThan(of({}));
  });
  it("keeps the best above 0.9 and the worst below 0.2", () => {
    expect(
      of({
        source: { reliability: "A", successRate: 1, verifiedShare: 1 },
        corroboratingSources: 6,
        heuristicScore: 95,
      }),
    ).toBeGreaterThan(0.9);
    expect(
      of({
        source: { reliability: "E", successRate: 0.3, verifiedShare: 0 },
        corroboratingSources: 0,
        heuristicScore: 10,
        ageHours: 0,
      }),
    ).toBeLessThan(0.2);
  });
});
