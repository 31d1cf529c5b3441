import { tollsScore } from "../../../bench/judgement/tolls/score.ts";
import { statementOf } from "../../../core/text/statements/statement.ts";
import { Series } from "../../../services/news/briefings/figures/series.ts";
import { figuresTold } from "../../../services/news/briefings/figures/tolls.ts";
import { article } from "../../fixtures/briefings/articles.ts";

const tolls = (text: string): string[] =>
  figuresTold(text)
    .filter(({ specific }) => specific)
    .map(({ subject, value }) => `${subject}=${value}`);

describe("how many an event befell", () => {
  test.each([
    ["house", 0.9, 0.9],
    ["first", 0.8, 0.95],
    ["second", 0.8, 0.93],
    ["third", 0.75, 0.9],
  ])("is read from sentences by %s", (author, found, right) => {
    const score = tollsScore(author);
    expect(score.there).toBeGreaterThan(50);
    expect(score.found / score.there).toBeGreaterThan(found);
    expect(score.right / score.read).toBeGreaterThan(right);
  });

  test.each([
    ["Seventeen are now known to have died across Brannoch.", ["deaths=17"]],
    ["Two more bodies were found, taking the number of dead to four.", ["deaths=4"]],
    ["A fourth victim died in hospital on Sunday.", ["deaths=4"]],
    ["The number of people sick with cholera in the north has reached 310.", ["cases=310"]],
    ["Thirteen people, five of them children, burned to death.", ["deaths=13"]],
    ["Three of the patients have died.", ["deaths=3"]],
  ])("is told: %s", (text, told) => {
    expect(tolls(text)).toEqual(told);
  });

  test.each([
    "The police chief denied that nine people had been killed.",
    "Nobody was hurt, though 40 people were in the building.",
    "A drill simulated a train crash with 50 dead.",
    "The quake could kill 30,000.",
    "Thirty soldiers were sent to help the injured.",
    "None of the 13 captives has been released.",
    "The company released 12 photographs.",
  ])("is not told: %s", (text) => {
    expect(tolls(text)).toEqual([]);
  });

  test("numbers in words without a noun are counts of people to whoever compares claims, too", () => {
    const counts = (text: string) => statementOf(text).quantities.map(({ value, of }) => [value, ...of]);
    expect(counts("Seventeen are now known to have died across Brannoch.")).toEqual([[17, "people"]]);
    expect(counts("Two are in parliament.")).toEqual([]);
  });

  test("a later report that still tells an earlier count does not bring it back", () => {
    const report = (id: number, at: string, title: string) => ({
      article: article(id, "security", at, title, title, { confidence: 0.6 }),
      texts: [title],
    });
    const series = new Series([
      report(1, "1T20:00", "Three killed in clash at Hamra crossing"),
      report(2, "2T08:00", "Five people have now died at Hamra"),
      report(3, "2T23:00", "Eight people killed at Hamra since the truce"),
      report(4, "3T05:00", "Border clash leaves five dead"),
    ]);
    expect(series.later("Three killed in clash at Hamra crossing", "2026-03-01T20:00:00Z")).toBe("8");
  });
});
