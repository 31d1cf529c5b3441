import fc from "fast-check";
import { isOfAnotherOccasion } from "../../../core/text/statements/occasion.ts";
import { matterOf, statementOf } from "../../../core/text/statements/statement.ts";
import { nobodyAgainst } from "../../../services/news/verification/references/opposing/denial.ts";
import { Between } from "../../../services/news/verification/references/pairs/between.ts";
import { ReadArticle } from "../../../services/news/verification/references/readings.ts";
import { deniesOfSpan } from "../../../services/news/verification/references/slots/guards.ts";
import { otherPerson } from "../../../services/news/verification/references/slots/persons.ts";
import { otherAnswer } from "../../../services/news/verification/references/slots/questions.ts";
import { notBefore } from "../../../services/news/verification/references/slots/times.ts";
import { otherWay } from "../../../services/news/verification/references/slots/ways.ts";
import { tries } from "../../tries.ts";

const said = (text: string) => matterOf(statementOf(text));

const WON = (share: number) =>
  `Ada Birk has won the presidency of Arden, with ${share} percent of the ballots counted, the commission said.`;
const HIS = "Otto Lang is the new president of Arden.";

describe("one part that two have", () => {
  it.each([
    [
      "who is behind an attack",
      "The attack on the refinery was the work of Karvia, the ministry said.",
      "The government blamed the Red Coast militia for the attack.",
    ],
    [
      "who takes an office, though it is said who that is",
      "Bruno Katz, a retired general, has been named to run the ministry.",
      "Carl Estevan will take over the department.",
    ],
    [
      "who left the talks",
      "Pelagic Metals walked away from the merger talks.",
      "Merger talks were called off by Tarnholm Steel, two directors said.",
    ],
  ])("is told: %s", (_what, one, other) => {
    expect(otherPerson(said(one), said(other))).toMatch(/by another/);
    expect(otherPerson(said(other), said(one))).toMatch(/by another/);
  });
  it.each([
    ["one of them only condemns it", "The attack was the work of Karvia.", "Orvania condemned the attack on Saturday."],
    ["it is one", "The attack was the work of Karvia.", "Karvia has claimed responsibility for the attack."],
    ["an office is another", "Bruno Katz is the new finance minister.", "Carl Estevan is the new justice minister."],
  ])("is not, where %s", (_what, one, other) => {
    expect(otherPerson(said(one), said(other))).toBeUndefined();
    expect(otherPerson(said(other), said(one))).toBeUndefined();
  });

  it("is told of a vote once a count decides, and never against the sentence that has the count", () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 99 }), (share) => {
        expect(otherPerson(said(HIS), said(WON(share))) !== undefined).toBe(share >= 90);
        expect(otherPerson(said(WON(share)), said(HIS))).toBeUndefined();
      }),
      { numRuns: tries(100) },
    );
  });
});

describe("a count that goes on", () => {
  const LEAD = "Seven inmates escaped from Krell prison on Friday.";
  const COUNT = "Four people were killed as they dug their way out.";
  const told = (one: string, other: string) => {
    const articles = [one, other].map((last) => new ReadArticle(`${LEAD} ${last}`)) as [ReadArticle, ReadArticle];
    const [claim, candidate] = articles.map((read) => matterOf(read.statement(read.sentences.length - 1)));
    return otherAnswer(claim!, candidate!, new Between(...articles), 0, false);
  };
  it("is not told against for the way in which it came about, and tells against others", () => {
    expect(told("They left in a bread lorry.", COUNT)).toContain("two answers");
    expect(told(COUNT, "They left in a bread lorry.")).toBeUndefined();
    expect(told("They left through a tunnel.", COUNT)).toBeUndefined();
  });
  it("is not told against for what is behind it either", () => {
    const [arson, spark] = [
      said("The fire was started by arsonists."),
      said("The fire was caused by sparks from a power line."),
    ];
    const dead = said("Five people died in the fire, which was caused by sparks from a power line.");
    expect(otherWay(arson, spark)).toContain("two ways");
    expect(otherWay(arson, dead)).toContain("two ways");
    expect(otherWay(dead, arson)).toBeUndefined();
  });
});

describe("nobody against a number", () => {
  it.each([
    ["ill", "No people have been infected.", "Two workers of the farm have been infected with bird flu."],
    ["moved", "No one has been evacuated, the mayor said.", "Some 300 villagers have been moved away from the fumes."],
  ])("is outright: %s", (_what, one, other) => {
    expect(nobodyAgainst(said(one), said(other))).toContain("none against");
    expect(nobodyAgainst(said(other), said(one))).toContain("none against");
  });
  it.each([
    ["of another tremor", "Nobody was killed by the new tremor.", "In the quake 67 people lost their lives."],
    ["of a part", "All ninety pupils are alive.", "At least four people were killed, the rescue service said."],
    ["a time", "Nobody was killed.", "Rescuers walked six hours to reach the dead."],
    ["elsewhere", "Nobody fell ill in two homes elsewhere.", "Thirty-four children were taken ill."],
  ])("is not, where it is told %s", (_what, one, other) => {
    expect(nobodyAgainst(said(one), said(other))).toBeUndefined();
    expect(nobodyAgainst(said(other), said(one))).toBeUndefined();
  });
});

const DAYS = ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"];

describe("what is not before a day", () => {
  it("excludes each earlier day, and no later one", () => {
    const day = fc.integer({ min: 0, max: 6 });
    fc.assert(
      fc.property(day, day, (soonest, told) => {
        const denied = said(`No talks are planned before ${DAYS[soonest]}, its secretary said.`);
        const meeting = said(`The two sides will resume the talks on ${DAYS[told]}.`);
        expect(notBefore(denied, meeting) !== undefined).toBe(told < soonest);
        expect(notBefore(meeting, denied) !== undefined).toBe(told < soonest);
      }),
      { numRuns: tries(60) },
    );
  });
  it.each([
    ["a month against a weekday", "Classes will not be held there before January.", "Pupils will be back on Monday."],
    ["a month of the year before", "No talks are planned before January.", "Talks will resume in December."],
    ["half a month", "The unit will not start again before mid-December.", "It plans to be back on line on Wednesday."],
  ])("reads %s", (_what, one, other) => {
    expect(notBefore(said(one), said(other))).toContain("not before");
  });
  it.each([
    ["of another thing", "Classes will not be held before January.", "The two sides will meet again on Monday."],
    ["that has been", "No talks are planned before Thursday.", "Talks on Monday had failed."],
    ["that is denied too", "No talks are planned before Thursday.", "Talks will not resume before Tuesday."],
    ["of the year that follows", "No talks are planned before December.", "Talks will resume in January."],
  ])("says nothing %s", (_what, one, other) => {
    expect(notBefore(said(one), said(other))).toBeUndefined();
  });
});

describe("another occasion", () => {
  it.each([
    "The hall, built in 1974, was declared safe.",
    "On the measure agreed with regulators in 2023, it was no better than a placebo.",
    "The site will employ 3,000 people when it opens in 2029.",
  ])("is none: %s", (text) => expect(isOfAnotherOccasion(said(text))).toBe(false));
  it.each(["The bridge was opened in 1974.", "A similar blast in 2011 killed nine.", "Four workers died in 2019."])(
    "is one: %s",
    (text) => expect(isOfAnotherOccasion(said(text))).toBe(true),
  );
});

describe("a span of time", () => {
  it("is denied in its own clause alone", () => {
    const road = said("The road over the pass was blocked by rockfall.");
    const spans = (text: string) => deniesOfSpan(road, said(text));
    expect(spans("Convoys crossed without delay, and 40 lorries had come through since midnight.")).toBe(false);
    expect(spans("No lorry has come through since midnight.")).toBe(true);
    expect(spans("Nobody has died since Friday.")).toBe(true);
  });
});
