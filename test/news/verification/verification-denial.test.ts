import { stance } from "../../../services/news/verification/references/stance.ts";
import { scoreSentence } from "../../../services/news/verification/claims/check-worthiness.ts";
import { ofOneEvent } from "./one-event.ts";

describe("two sentences on one event", () => {
  it.each([
    [
      "a count against none",
      "There were no survivors.",
      "Eleven passengers survived, doctors said.",
      /negates what the other states/,
    ],
    [
      "a cause that is set aside",
      "A worn cable, not a lightning strike, caused the fire, the engineer said.",
      "The fire broke out after a lightning strike, the mayor said.",
      /another cause/,
    ],
    [
      "two winners of one vote",
      "Ada Birk won the mayoral election in Holm, her party said.",
      "Otto Lang won the mayoral election, the city clerk announced.",
      /won by another/,
    ],
    [
      "what stands, and what is said to be ruined",
      "The bridge in Tarn was not destroyed, the army said.",
      "The flood has destroyed the only bridge of the valley.",
      /negates|denies|two states/,
    ],
    [
      "a count that the other says is too low",
      "The fever in Arden province has reached 310 cases since May, the ministry said.",
      "Doctors in Arden say the fever has reached at least 640 cases, far above the official count.",
      /310 against 640/,
    ],
    [
      "two shares of the voters",
      "Turnout was 64 percent.",
      "Only 41 percent of voters took part.",
      /64 percent against 41/,
    ],
  ])("contradict each other: %s", (_, one, other, reason) => {
    const { kinds, reasons } = ofOneEvent(one, other);
    expect(kinds).toContain("contradict");
    expect(kinds).not.toContain("support");
    expect(reasons).toMatch(reason);
  });

  it.each([
    [
      "a deed that the other does not tell of",
      "The navy did not fire on the trawler, its spokesman said.",
      "The trawler had sent its position to the navy twice.",
    ],
    [
      "no evidence of something else",
      "There is no evidence that the warehouse was set alight, police said.",
      "The warehouse fire has destroyed 300 tonnes of rice.",
    ],
    [
      "whose fate is denied, and not that of the others",
      "None of the four injured is in danger.",
      "Four people were injured.",
    ],
    [
      "of something that is not named",
      "Nobody was hurt by it.",
      "The clinic is treating those hurt in Saturday's quake.",
    ],
    [
      "rates of two kinds",
      "The central bank of Brevia kept its policy rate unchanged at 3.25 percent.",
      "Inflation slowed to 2.4 percent in May, close to the bank's target of 2 percent.",
    ],
    ["no others", "No other people were hurt.", "Six people were hurt in the fire."],
    [
      "survivors who are looked for, and the dead",
      "Divers searched for survivors in Marn on Monday.",
      "The number of people killed in Marn has risen to 23.",
    ],
    [
      "all customers, and those whose data is gone",
      "The bank has 6 million customers in three countries.",
      "Thieves copied the data of 200,000 customers.",
    ],
    ["one winner, named twice", "Ada Birk won the election in Holm.", "Mayor Birk won the election by 300 votes."],
  ])("do not: %s", (_, one, other) => {
    expect(ofOneEvent(one, other).kinds).not.toContain("contradict");
  });
});

describe("a claim", () => {
  it("is a denial that somebody stands for, and a short sentence with a figure", () => {
    expect(scoreSentence("No patient files were copied, the hospital said.")).toBeGreaterThanOrEqual(50);
    expect(scoreSentence("Turnout was 64 percent.")).toBeGreaterThanOrEqual(50);
    expect(scoreSentence("It was not easy.")).toBeLessThan(50);
  });
});

describe("another event", () => {
  it("in nearly the same words, without the same names, confirms nothing", () => {
    const claim = "A surgeon was jailed for needless operations on healthy patients.";
    const other = "A surgeon was jailed for operations on healthy patients, the court said.";
    expect(stance(claim, other).stance).toBe("support");
    expect(stance(claim, other, { event: "other" })).toMatchObject({
      stance: "neutral",
      reasons: ["told of another event"],
    });
  });
});
