import { statementOf } from "../../../core/text/statements/statement.ts";
import { isOutgrown } from "../../../core/text/statements/comparison.ts";
import { references, type Candidate } from "../../../services/news/verification/references/cross-reference.ts";
import { ofOneEvent } from "./one-event.ts";

const quantitiesOf = (text: string) => statementOf(text).quantities.map(({ value, unit }) => [value, unit]);

describe("numbers that measure nothing", () => {
  it.each([
    ["an age beside a name", "Ines Baltar, 47, left the yard.", []],
    ["an age in brackets", "Ines Baltar (47) left the yard.", []],
    ["an age of words", "The 47-year-old left 12 crates behind.", [[12, "count"]]],
    ["a year in another language", "Orbane fermera le site d'ici 2031, a dit le groupe.", []],
  ])("%s", (_, text, expected) => expect(quantitiesOf(text)).toEqual(expected));

  it("a score is one figure, and a range is one of what it counts", () => {
    expect(quantitiesOf("Marl beat Tosk 3-2.")).toEqual([[3_002, "score"]]);
    expect(quantitiesOf("Some 3-5 boats sank.")).toEqual([[3, "count"]]);
  });

  it("fractions of a point are points", () => {
    expect(quantitiesOf("The bank cut its rate by half a percentage point.")).toEqual([[0.5, "point"]]);
    expect(quantitiesOf("The bank cut its rate by a quarter of a point.")).toEqual([[0.25, "point"]]);
  });
});

describe("what is not of one thing is held against nothing", () => {
  it.each([
    ["shares of two wholes", "Turnout was 58 percent.", "The board had tallied 83 percent of the ballots."],
    [
      "how much is counted by now",
      "It had counted 40 percent of the ballots.",
      "With 83 percent of ballots counted, she led.",
    ],
    ["rates of two", "Inflation in Varnia slowed to 4.1 percent.", "Prices in Tolmark rose by 6.2 percent."],
    [
      "another month",
      "A blast at its harbour killed 22 in April.",
      "A blast tore through the market of Dorn on Friday, killing seven people.",
    ],
    [
      "another misfortune",
      "An earthquake killed 39 people in the district.",
      "Gunmen killed 12 people in the district on Friday.",
    ],
    [
      "those who survived",
      "Survivors of the avalanche reached the valley.",
      "The avalanche killed a guide in the valley.",
    ],
    ["doors of another house", "The chapel opened its doors to the families.", "All doors were shut, the yard said."],
    ["an exclamation", "You couldn't make it up!", "The medal is made of copper."],
    [
      "a vote that both call split",
      "The vote was not unanimous: two of seven members dissented.",
      "Five voted in favour and two against.",
    ],
  ])("%s", (_, one, other) => expect(ofOneEvent(one, other).kinds).not.toContain("contradict"));

  it("a later count that says it grew is a successor", () => {
    const [earlier, later] = [
      statementOf("A blast tore through the market of Dorn on Friday, killing seven people."),
      statementOf("Three of the wounded died, bringing the number of dead in the blast in Dorn to 10."),
    ];
    expect(isOutgrown(earlier, later)).toBe(true);
    expect(isOutgrown(later, earlier)).toBe(false);
  });

  it("another share in place of the claim's is no support", () =>
    expect(
      ofOneEvent(
        "Velira's vaccine against RSV reduced hospital stays by 48% among people over 60, the company said on Thursday.",
        "A vaccine against RSV cut hospital stays of people over 60 by 52% in a trial, its maker Velira said.",
      ).kinds,
    ).not.toContain("support"));

  it("what is denied of the same is no support", () =>
    expect(
      ofOneEvent("The spare pumps worked in every tunnel.", "In the north tunnel the spare pumps did not start.").kinds,
    ).not.toContain("support"));

  it("a match with another score is another match", () => {
    const candidate: Candidate = {
      articleId: 2,
      storyId: "s",
      sourceId: 2,
      sourceName: "Other",
      title: "Tosk win the cup",
      text: "Tosk beat Marl 5-4 on penalties to win the cup on Saturday.",
      publishedAt: "2026-11-21T11:00:00Z",
      reliability: "C",
    };
    const claim = "Marl beat Tosk 3-2 on Saturday.";
    const origin = { articleId: 1, storyId: "s", sourceId: 1, publishedAt: "2026-11-21T10:00:00Z", text: claim };
    expect(references(claim, origin, [candidate])).toEqual([]);
    expect(references(claim, { ...origin, text: undefined }, [candidate])).not.toEqual([]);
  });
});

describe("what an event has but one of", () => {
  it.each([
    ["people on board", "The boat had 84 passengers, its owner said.", "Police believe that 131 people were on board."],
    ["a fine", "He must pay 2.5 million crowns for forged bills.", "The court fined him 4 million crowns."],
    [
      "the step of a rate",
      "The bank of Varnia cut its main rate by 25 basis points on Friday.",
      "On Friday the bank of Varnia lowered borrowing costs by half a percentage point.",
    ],
    ["what a haul is worth", "The loot is worth 30 million euros.", "Insurers valued the jewels at 45 million euros."],
    [
      "counts of one vote",
      "Five members of the council were in favour and four against.",
      "It was backed by seven of the nine directors of the board.",
    ],
    ["an agreement, and none", "Both sides have agreed to a truce of a week.", "There is no truce, the ministry said."],
  ])("%s", (_, one, other) => expect(ofOneEvent(one, other).kinds).toEqual(["contradict", "contradict"]));

  it("those who were saved are a part of those on board", () =>
    expect(
      ofOneEvent("The boat had 84 passengers.", "Fishermen rescued 31 people who were on board.").kinds,
    ).not.toContain("contradict"));
});
