import { readFileSync } from "node:fs";
import { references } from "../../../services/news/verification/references/cross-reference.ts";
import { stance } from "../../../services/news/verification/references/stance.ts";
import type { StanceKind } from "../../../services/news/verification/references/outcome/verdicts.ts";
import { sentences } from "../../../core/text/words/sentences.ts";
import { statement } from "../../../core/text/statements/statement.ts";

interface Labelled {
  claim: string;
  candidate: string;
  stance: StanceKind;
  split: "tune" | "held-out";
}
const labelled = JSON.parse(readFileSync("test/fixtures/verification/stance.json", "utf8")) as Labelled[];

/** What settles nothing is unrelated here: the pairs were labelled before the two were told apart. */
const settled = (kind: StanceKind): StanceKind => (kind === "neutral" ? "unrelated" : kind);

function quality(split: Labelled["split"]) {
  const judged = labelled
    .filter((one) => one.split === split)
    .map((one) => ({ ...one, given: settled(stance(one.claim, one.candidate).stance) }));
  const of = (kind: StanceKind) => {
    const right = judged.filter((one) => one.given === kind && one.stance === kind).length;
    return {
      precision: right / judged.filter((one) => one.given === kind).length,
      recall: right / judged.filter((one) => one.stance === kind).length,
    };
  };
  const reversed = judged.filter(
    (one) =>
      (one.given === "support" && one.stance === "contradict") ||
      (one.given === "contradict" && one.stance === "support"),
  ).length;
  return {
    support: of("support"),
    contradict: of("contradict"),
    unrelated: of("unrelated"),
    reversed: reversed / judged.length,
  };
}

describe("stance on labelled pairs", () => {
  it("has sixty and more of them", () => {
    expect(labelled.length).toBeGreaterThanOrEqual(180);
    for (const kind of ["support", "contradict", "unrelated"] as const)
      expect(labelled.filter((one) => one.stance === kind).length).toBeGreaterThanOrEqual(50);
  });
  it.each([
    ["tune", 0.9],
    ["held-out", 0.9],
  ] as const)("reaches its floors on %s", (split, floor) => {
    const { support, contradict, unrelated, reversed } = quality(split);
    for (const { precision, recall } of [support, contradict, unrelated]) {
      expect(precision).toBeGreaterThanOrEqual(floor);
      expect(recall).toBeGreaterThanOrEqual(floor);
    }
    // The costly mistake: taking a contradiction for support or the other way round.
    expect(reversed).toBeLessThanOrEqual(0.02);
  });
});

describe("a stance", () => {
  const claim = "The company cut 4,500 jobs in Ohio in March.";

  it("shows its evidence and says why", () => {
    const found = stance(claim, "In March the firm slashed about 4,500 posts in Ohio.");
    expect(found).toMatchObject({
      stance: "support",
      evidence: { text: "In March the firm slashed about 4,500 posts in Ohio.", start: 0 },
    });
    expect(found.score).toBeGreaterThan(70);
    expect(found.reasons.join("; ")).toMatch(/same figure: 4,500 and 4,500; same time; same names/);
  });
  it.each([
    ["The company cut 900 jobs in Ohio in March.", /different figure: 4,500 against 900/],
    ["The company did not cut 4,500 jobs in Ohio in March.", /negates.*not/],
    ["The company added 4,500 jobs in Ohio in March, a rise it had announced.", /opposites: cut and rise/],
    ["The company denied that it cut 4,500 jobs in Ohio in March.", /negates.*denied/],
  ])("contradicts: %s", (candidate, reason) => {
    const found = stance(claim, candidate);
    expect(found.stance).toBe("contradict");
    expect(found.reasons.join("; ")).toMatch(reason);
  });
  it.each([
    ["The company cut 4,500 jobs in Texas in March.", /it speaks of Texas, not of Ohio/],
    ["The company cut 900 jobs in Ohio in July.", /another time/],
    ["The company moved its seat to Dublin.", /little content/],
  ])("is none: %s", (candidate, reason) => {
    const found = stance(claim, candidate);
    expect(found).toMatchObject({ stance: "unrelated", score: 0 });
    expect(found.reasons.join("; ")).toMatch(reason);
  });
  it.each([
    ["The dam at Lipno holds.", "The dam at Lipno has failed."],
    ["The shelter at Sternberk is full.", "The shelter at Sternberk has room for 40 people."],
    ["The Calder bridge stands.", "The Calder bridge was opened to lorries in 1931."],
  ])("%s is not borne out by what says something else of the same: %s", (said, candidate) => {
    for (const event of ["same", undefined] as const)
      expect(stance(said, candidate, event && { event }).stance).not.toBe("support");
  });
  it("turns twice where both are denied, or a denial meets an opposite", () => {
    expect(
      stance("Russia has not exported grain since May.", "Russia did not export any grain since May.").stance,
    ).toBe("support");
    expect(
      stance("The shops stopped selling tobacco to children.", "The shops no longer sell tobacco to children.").stance,
    ).toBe("support");
  });
  it("weakens when the sentence hedges", () => {
    const plain = stance(claim, "The company cut 4,500 jobs in Ohio in March.");
    const hedged = stance(claim, "The company reportedly cut 4,500 jobs in Ohio in March.");
    expect(hedged.stance).toBe("support");
    expect(hedged.score).toBeLessThan(plain.score);
  });
  it("takes names from the text around", () => {
    const text = "Norway sells. It cut 4,500 jobs, the company said in March.";
    const second = statement(text, sentences(text)[1]!);
    expect(stance(claim, second, { context: ["ohio"] }).stance).toBe("support");
    expect(stance(claim, second).evidence).toEqual({
      text: "It cut 4,500 jobs, the company said in March.",
      start: 14,
      end: text.length,
    });
  });
  it("of any sentence with itself is support or nothing, never contradiction", () => {
    for (const { candidate } of labelled) expect(stance(candidate, candidate).stance).not.toBe("contradict");
  });
});

it("what happens at another time of the day confirms nothing, and at the same it may", () => {
  const at = (hour: string) => `The first train to Kell left Brenn at ${hour} on Sunday.`;
  const said = (one: string, other: string) => stance(at(one), at(other), { event: "same" });
  expect(said("4.12 a.m.", "4:12")).toMatchObject({ stance: "support" });
  expect(said("16:12", "4.12 p.m.")).toMatchObject({ stance: "support" });
  expect(said("16:12", "16:10")).toMatchObject({ stance: "neutral", reasons: ["another time of day"] });
});

it("a number that a claim gives is there, or the claim is not borne out", () => {
  const said = (one: string, other: string) => stance(one, other, { event: "same" });
  const seven =
    "Police detained four more people over the plot against Lisle airport, bringing the number in custody to seven.";
  const nine =
    "Nine people are in custody over the plot against Lisle airport, police said, after two were met on a ferry.";
  expect(said(seven, nine).stance).not.toBe("support");
  // The count goes on: whoever tells of nine later does not contradict who told of seven.
  const told = (articleId: number, text: string, hour: number) => ({
    ...{ articleId, storyId: "plot", reportId: `r${articleId}`, sourceId: articleId, sourceName: `s${articleId}` },
    ...{ title: "Plot", url: "", reliability: "F" as const, text, publishedAt: `2026-03-04T0${hour}:00:00.000Z` },
  });
  const [first, second] = [told(1, seven, 1), told(2, nine, 6)];
  expect(references(seven, first, [second])).toMatchObject([{ stance: "neutral", reasons: ["counted since: Nine"] }]);
  expect(references(nine, second, [first])).toMatchObject([{ stance: "neutral" }]);
  const met =
    "The two ministers of Lisle, aged 41 and 57, met police over the plot against the airport on 3 March at 16:12.";
  expect(said(met, met.replace("The two ministers of Lisle, aged 41 and 57,", "Ministers of Lisle")).stance).not.toBe(
    "contradict",
  );
});

it("a figure that a sentence puts in the place of another contradicts the other, and bears it out never", () => {
  const eleven = "Eleven prisoners escaped from Greyholm in the early hours of Saturday, the prison service said.";
  const corrected =
    "The number of those who escaped from Greyholm was 14 rather than 11, for nobody had called the roll.";
  for (const [one, other] of [
    [eleven, corrected],
    [corrected, eleven],
  ] as const)
    expect(stance(one, other, { event: "same" })).toMatchObject({
      stance: "contradict",
      reasons: expect.arrayContaining(["different figure: 14 and not 11"]),
    });
});
