import { readdirSync, readFileSync } from "node:fs";
import fc from "fast-check";
import { analyseBias } from "../../../services/news/verification/bias/bias.ts";
import type { BiasAnalysis, Span } from "../../../services/news/verification/bias/analysis.ts";
import { verifyHeuristically } from "../../../services/news/verification/heuristic.ts";
import { quickScore } from "../../../services/news/articles/confidence/quick-score.ts";
import { isFunctionWord } from "../../../core/text/words/stop-words.ts";

const plain = {
  contentId: 1,
  title: "Unemployment in Spain falls to 11.2 percent",
  text: [
    "Unemployment in Spain fell to 11.2 percent in June, the statistics office said on Tuesday. It had been 12.1 percent a year before.",
    "The minister of labour, Ana Ruiz, said the fall was due to tourism. “We are not where we want to be”, she told reporters in Madrid.",
    "However, the union UGT said that 40 percent of the new jobs were seasonal, according to data published in its annual report.",
    "The figures are in line with those of Portugal, where unemployment fell to 6.4 percent in May.",
  ].join("\n\n"),
};
const lurid = {
  contentId: 2,
  title: "You won't believe what this CORRUPT regime did next!!",
  text: [
    "The so-called minister, a pathetic liar, slammed the radical mob in a disgusting rampage.",
    "Critics say taxes rose 40 percent. Prices rose 12 percent. Rents rose 30 percent.",
    "It is a catastrophic nightmare! Everyone knows that both sides are the same. The official was accused of fraud and embezzlement by insiders.",
    "Absolutely nobody is surprised by the most shocking scandal, an outrageous betrayal that leaves honest people desperate and furious.",
    "The elites destroyed everything, and the shameless puppet laughs at the chaos he made. Nothing like it was ever seen in this land before, truly.",
  ].join("\n\n"),
};

const allSpans = ({ indicators, evidence }: BiasAnalysis): Span[] => [
  ...indicators.loadedLanguage,
  ...indicators.unsupportedClaims,
  ...Object.values(evidence).flat(),
];

describe("bias", () => {
  it("finds little in a plain report", () => {
    const found = analyseBias(plain);
    expect(found).toMatchObject({
      contentId: 1,
      politicalBias: "unknown",
      emotionalLevel: "low",
      sensationalismLevel: "low",
      method: "heuristic",
    });
    expect(found.indicators).toEqual({
      loadedLanguage: [],
      unsupportedClaims: expect.any(Array),
      cherryPicking: false,
      adHominem: false,
      falseBalance: false,
      omission: [],
    });
    expect(found.overallBiasScore).toBeLessThan(15);
  });

  it("finds much in a lurid one, each thing where it stands", () => {
    const found = analyseBias(lurid);
    expect(found).toMatchObject({ emotionalLevel: "high", sensationalismLevel: "high" });
    expect(found.indicators).toMatchObject({ adHominem: true, falseBalance: true });
    expect(found.indicators.loadedLanguage.length).toBeGreaterThan(8);
    expect(found.overallBiasScore).toBeGreaterThan(60);
    expect(found.indicators.omission.join(" ")).toMatch(/no answer of those accused.*when it happened/i);
    expect(found.recommendations.length).toBeGreaterThan(3);
    expect(found.summary).toMatch(/^Strong sign of bias/);
    for (const span of allSpans(found)) {
      expect(lurid[span.field].slice(span.start, span.end)).toBe(span.text);
      expect(span.lexicon).toMatch(/^[a-z-]+\/[a-zA-Z-]+$/);
    }
  });

  it("sees cherry-picking where all figures point one way and nothing is set against them", () => {
    const oneWay = "Prices rose 12 percent. Rents rose 30 percent. Fares rose 40 percent.";
    expect(analyseBias({ contentId: 1, title: "Prices", text: oneWay }).indicators.cherryPicking).toBe(true);
    expect(
      analyseBias({ contentId: 1, title: "Prices", text: `${oneWay} However, wages rose 9 percent.` }).indicators
        .cherryPicking,
    ).toBe(false);
    expect(
      analyseBias({ contentId: 1, title: "Prices", text: oneWay.replace("Rents rose", "Rents fell") }).indicators
        .cherryPicking,
    ).toBe(false);
  });

  it("does not hold a speaker's words against the writer", () => {
    const said = analyseBias({
      contentId: 1,
      title: "Debate",
      text: "“He is a liar and a pathetic crook”, Mr Brown said of Mr Green on Monday.",
    });
    expect(said.indicators.adHominem).toBe(false);
    expect(said.indicators.loadedLanguage.every(({ quoted }) => quoted)).toBe(true);
    const written = analyseBias({
      contentId: 1,
      title: "Debate",
      text: "Mr Green is a liar and a pathetic crook, as Mr Brown knows since Monday.",
    });
    expect(written.indicators.adHominem).toBe(true);
    expect(written.overallBiasScore).toBeGreaterThan(said.overallBiasScore);
  });

  it("places a text by several terms of one camp, and never by a topic", () => {
    const of = (text: string) => analyseBias({ contentId: 1, title: "Opinion", text });
    expect(
      of("Corporate greed hurts working families; a living wage and a wealth tax are social justice."),
    ).toMatchObject({ politicalBias: "left" });
    expect(of("Job creators need tax relief, not big government, red tape and a nanny state.")).toMatchObject({
      politicalBias: "right",
    });
    expect(of("The wealth tax, the living wage, tax relief and red tape were debated.")).toMatchObject({
      politicalBias: "center",
    });
    expect(of("Parliament debated taxes, abortion, migration, weapons and the climate.")).toMatchObject({
      politicalBias: "unknown",
      politicalConfidence: 0,
    });
  });

  it("mirrors: what is said of the left with left terms is said of the right with right ones", () => {
    const { left, right } = JSON.parse(readFileSync("data/lexicons/political-framing.json", "utf8")) as {
      left: string[];
      right: string[];
    };
    const of = (terms: string[]) =>
      analyseBias({
        contentId: 1,
        title: "",
        text: terms
          .filter((term) => !term.endsWith("*"))
          .slice(0, 6)
          .join(", "),
      });
    expect(of(left)).toMatchObject({ politicalBias: "left", politicalConfidence: of(right).politicalConfidence });
    expect(of(right)).toMatchObject({ politicalBias: "right" });
  });

  it("sums to its parts, on its scale, for any mixture of texts", () => {
    const piece = fc.constantFrom(
      ...lurid.text.split(/(?<=\.)\s/),
      ...plain.text.split(/(?<=\.)\s/),
      "!!!",
      "“",
      "”",
      "\n\n",
      "",
    );
    fc.assert(
      fc.property(
        fc.array(piece, { maxLength: 40 }),
        fc.constantFrom(lurid.title, plain.title, ""),
        (pieces, title) => {
          const found = analyseBias({ contentId: 3, title, text: pieces.join(" ") });
          expect(found.contributions.reduce((sum, { points }) => sum + points, 0)).toBe(found.overallBiasScore);
          expect(found.overallBiasScore).toBeGreaterThanOrEqual(0);
          expect(found.overallBiasScore).toBeLessThanOrEqual(100);
        },
      ),
      { numRuns: 60 },
    );
  });
});

describe("the pattern check", () => {
  it("tells a careful report from a careless one, and why", () => {
    const careful = verifyHeuristically({ ...plain, links: ["https://example.org/data"] });
    const careless = verifyHeuristically(lurid);
    expect(careful.score).toBeGreaterThanOrEqual(70);
    expect(careless.score).toBeLessThanOrEqual(25);
    expect(careful.findings.map(({ kind }) => kind)).toEqual(
      expect.arrayContaining(["named-source", "quotation", "figure", "time", "document", "link"]),
    );
    expect(careless.findings.map(({ kind }) => kind)).toEqual(
      expect.arrayContaining(["clickbait", "loaded-language", "weasel", "response", "shouting"]),
    );
  });
  it.each([plain, lurid])("sums to its findings, each where it stands ($contentId)", (article) => {
    const { score, findings } = verifyHeuristically(article);
    expect(findings.reduce((sum, { points }) => sum + points, 0)).toBe(score);
    for (const { spans } of findings)
      for (const span of spans)
        if (span.lexicon !== "rule/link") expect(article[span.field].slice(span.start, span.end)).toBe(span.text);
  });
  it("is kept on its scale", () => {
    const { score, findings } = verifyHeuristically({
      contentId: 1,
      title: "SHOCKING!! You won't believe the most shocking truth about it",
      text: "Some say it. Critics say it! Insiders say so!! Vile liars, evil scum, idiotic traitors!!!",
    });
    expect(score).toBe(0);
    expect(findings.at(-1)).toMatchObject({ kind: "limit" });
  });
  it("has a quick form that ranks alike", () => {
    expect(quickScore(plain.title, plain.text)).toBeGreaterThan(quickScore(lurid.title, lurid.text) + 15);
    expect(quickScore("", "")).toBeGreaterThanOrEqual(0);
  });
});

describe("word lists", () => {
  const lists = readdirSync("data/lexicons")
    .filter((file) => file.endsWith(".json"))
    .map(
      (file) => [file, JSON.parse(readFileSync(`data/lexicons/${file}`, "utf8")) as Record<string, unknown>] as const,
    );
  const terms = (value: unknown): string[] =>
    Array.isArray(value)
      ? value.flatMap(terms)
      : typeof value === "string"
        ? [value]
        : value && typeof value === "object"
          ? Object.values(value).flatMap(terms)
          : [];

  it.each(lists)("%s has a version, a language, a purpose, and folded terms", (_, list) => {
    const { version, language, description, ...body } = list;
    expect(version).toMatch(/^\d+\.\d+\.\d+$/);
    expect(language).toMatch(/^en( [a-z]{2})*$/);
    expect(String(description).length).toBeGreaterThan(30);
    for (const term of terms(body))
      if (/^[a-z]/i.test(term) && !/^(?:[A-Z]{3}|Wh?|percent)/.test(term)) expect(term).toBe(term.toLowerCase());
  });
  it("give both political camps the same number of terms, none in both", () => {
    const { left, right } = lists.find(([file]) => file === "political-framing.json")![1] as {
      left: string[];
      right: string[];
    };
    expect(left).toHaveLength(right.length);
    expect(left.filter((term) => right.includes(term))).toEqual([]);
  });
  it("count no word as loaded that only carries grammar", () => {
    const { groups } = lists.find(([file]) => file === "loaded-language.json")![1] as {
      groups: Record<string, { terms: string[] }>;
    };
    expect(
      Object.values(groups)
        .flatMap((group) => group.terms)
        .filter(isFunctionWord),
    ).toEqual([]);
  });
});
