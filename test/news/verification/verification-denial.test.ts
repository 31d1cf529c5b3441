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

describe("what one sentence says of another thing", () => {
  it.each([
    [
      "of people, and of fish",
      "Nobody died at the Lindner plant, hospital, police and fire brigade told us.",
      "Volunteers counted 340 dead fish between the Lindner outlet and the weir of Hollern on Saturday afternoon.",
    ],
    [
      "of people, and of a river",
      "Nobody died at the Lindner plant, the police told us.",
      "The river is dead and will be dead for a hundred years.",
    ],
    [
      "of a number by which a thing is called, and of what came of it",
      "Tank 7 was inspected in August without findings.",
      "Some 4,000 litres leaked from tank 7.",
    ],
    [
      "of a search, and of what such a thing held",
      "Prosecutors searched the Lindner plant in Tarnau on Monday and took away documents on tank 7.",
      "According to the operator, 4,000 litres of solvent leaked from tank 7.",
    ],
    [
      "of a strike that is called, and of one that is called off",
      "The strike of the rail union GVT in the Tarn valley on Monday has been called off.",
      "The rail union GVT has called a strike on all lines of the Tarn valley for Monday, 30 November.",
    ],
    [
      "of one plant, and nothing else in common",
      "Lindner Chemie will keep its plant in Tarnau closed until Friday, plant manager Uwe Hartig said on Sunday.",
      "Lindner Chemie saw people fall ill in an explosion at its plant in Tarnau.",
    ],
    [
      "of a report that is withdrawn, and of what it told",
      "Mayor Jana Koudelka has not resigned.",
      'Blitz Extra withdraws its report "Mayor GONE: Koudelka resigns in tears".',
    ],
  ])("neither bears out nor contradicts the other: %s", (_what, one, other) => {
    const { kinds } = ofOneEvent(one, other);
    expect(kinds[0]).not.toMatch(/support|contradict/);
    expect(kinds[1]).not.toBe("support");
  });
  it("does, where it is of the same", () => {
    expect(ofOneEvent("Nobody died in the fire.", "Two people died in the fire.").kinds).toContain("contradict");
    expect(ofOneEvent("None of the trout died.", "The authority counted 340 dead trout.").kinds).toContain(
      "contradict",
    );
    const off = ofOneEvent(
      "The rail strike on Monday has been called off.",
      "The rail strike on Monday was cancelled, the union said.",
    );
    expect(off.kinds).toContain("support");
  });
});
