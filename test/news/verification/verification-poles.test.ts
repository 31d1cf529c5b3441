import fc from "fast-check";
import { lexicon } from "../../../core/text/lexicon.ts";
import { oppositeOf, polesIn } from "../../../core/text/statements/states/poles.ts";
import { matterOf, statementOf } from "../../../core/text/statements/statement.ts";
import { words } from "../../../core/text/words/words.ts";
import { otherFilling } from "../../../services/news/verification/references/slots/slots.ts";
import { otherNumber } from "../../../services/news/verification/references/slots/figures/counted.ts";
import { correctedFigure } from "../../../services/news/verification/references/slots/figures/corrected.ts";
import { otherPole } from "../../../services/news/verification/references/slots/poles.ts";
import { otherState } from "../../../services/news/verification/references/slots/states.ts";
import { stance } from "../../../services/news/verification/references/stance.ts";
import { tries } from "../../tries.ts";
import { ofOneEvent } from "./one-event.ts";

// A dyke has held or broken, a person is alive or dead: of one thing two states exclude each other, in whatever words.

const statement = (text: string) => matterOf(statementOf(text));
const apart = (one: string, other: string, later = 0) => otherPole(statement(one), statement(other), later);

describe("two states of one thing", () => {
  it.each([
    ["a dyke", "The levee gave way before dawn.", "The dyke is whole, photographs show."],
    ["a church", "The church of St Anne is a heap of bricks.", "St Anne's church still stands."],
    ["a pump", "The pump kicked in at once.", "The pump failed."],
    ["sirens", "Not a peep from the siren.", "The warning siren was set off at 6.50 a.m."],
    ["what was paid", "Not a penny went to the gang.", "The hospital paid the gang two million."],
    ["what was signed", "Both sides signed the truce.", "The truce was not signed by either side."],
    ["a drug", "There was no difference between the drug and the pill.", "The drug halved the number of strokes."],
    ["a law", "The bill was adopted on Friday.", "The bill was thrown out on Friday."],
    ["a lost vote", "She has conceded defeat.", "She refuses to concede."],
  ])("excludes the other: %s", (_what, one, other) => {
    expect(ofOneEvent(one, other).kinds).toContain("contradict");
  });
  it.each([
    ["of two things", "The school has reopened.", "The bridge is still closed."],
    ["of two persons", "The driver survived.", "His passenger died."],
    ["in two places", "The water in Dorn is safe to drink.", "In Halm the water must be boiled."],
    ["of some of them", "Eleven miners were rescued.", "Three miners are still trapped."],
    ["by two houses", "The lower house passed the bill.", "The upper house rejected the bill."],
    ["that is only feared", "The dam could collapse.", "The dam is intact."],
    ["at another time", "The victim was alive when the doctor came.", "The victim died two days later."],
    ["that is ruled out", "Arson is not suspected.", "The fire was started by accident."],
    ["beside what is said of another", "An error, and not a leak, destroyed the tank.", "The tank was destroyed."],
  ])("does not, %s", (_what, one, other) => {
    expect(apart(one, other)).toBeUndefined();
  });
  it("does not once hours have passed, where it may change", () => {
    const [shut, open] = ["The border is closed.", "The border is open again."];
    expect(apart(shut, open, 3)).toBeDefined();
    expect(apart(shut, open, 12)).toBeUndefined();
  });
  it("is of one thing by its word, by another for it, or since an event has one of it", () => {
    expect(apart("The dyke gave way.", "The dyke held firm.")).toContain("dyke");
    expect(apart("The levee gave way.", "The dyke held firm.")).toContain("levee");
    expect(apart("The gang was paid.", "The hospital paid no ransom.")).toContain("one thing");
  });
});

describe("one state of one thing", () => {
  const stanceOf = (claim: string, other: string) => stance(claim, other, { event: "same" });
  it("bears out what is said of it in other words, less than the same words do", () => {
    for (const other of ["The dyke at Stipoc gave way at 04:20.", "The dyke at Stipoc burst."])
      expect(stanceOf("The dyke at Stipoc broke.", other)).toMatchObject({
        stance: "support",
        reasons: expect.arrayContaining(["one state of dyke: broken"]),
      });
    expect(stanceOf("The dyke at Stipoc broke.", "The dyke at Stipoc broke.").score).toBeGreaterThan(
      stanceOf("The dyke at Stipoc broke.", "The dyke at Stipoc gave way.").score,
    );
    expect(stanceOf("The dyke at Stipoc broke.", "The dyke at Stipoc held during the night.")).toMatchObject({
      stance: "contradict",
      reasons: expect.arrayContaining(["two states of dyke: broken and holds"]),
    });
  });
  it("does not, of another thing, in another place, or what is only feared", () => {
    for (const other of [
      "The bridge at Stipoc collapsed.",
      "The dyke at Halm gave way.",
      "The dyke at Stipoc could burst.",
    ])
      expect(stanceOf("The dyke at Stipoc broke.", other).stance).not.toBe("support");
  });
});

describe("words of states", () => {
  const ends = Object.entries(lexicon.poles.axes as Record<string, { ends: Record<string, string[]> }>).flatMap(
    ([axis, { ends: all }]) => Object.keys(all).map((pole) => [axis, pole] as const),
  );
  it("are of axes with two ends", () => {
    for (const [axis, pole] of ends) expect(oppositeOf(axis, oppositeOf(axis, pole))).toBe(pole);
  });
  it("are found where they stand, and judged the same from either side", () => {
    const said = Object.entries(
      lexicon.poles.axes as Record<string, { of?: string[]; ends: Record<string, string[]> }>,
    );
    const sentence = fc
      .constantFrom(...said)
      .chain(([, { of = ["man"], ends: all }]) =>
        fc
          .tuple(fc.constantFrom(...of), fc.constantFrom(...Object.values(all).flat()))
          .map(([thing, form]) => `The ${thing} ${form} on Friday.`.replace(/[*…]/g, "")),
      );
    fc.assert(
      fc.property(sentence, sentence, (one, other) => {
        const spoken = words(one);
        for (const { first, last } of polesIn(spoken).poles) {
          expect(first).toBeLessThanOrEqual(last);
          expect(last).toBeLessThan(spoken.length);
        }
        expect(apart(one, other) === undefined).toBe(apart(other, one) === undefined);
      }),
      { numRuns: tries(300) },
    );
  });
});

describe("two figures of one thing", () => {
  const number = (one: string, other: string) => otherNumber(statement(one), statement(other));
  it.each([
    ["of two names", "A team of 120 unarmed monitors will watch the line.", "Ninety observers are to be admitted."],
    ["of a crew", "The crew of 21 were given tea.", "Her owner says 23 sailors are on board."],
    ["of a noun of its own", "The find holds 14 teeth.", "The skull has 11 teeth."],
  ])("differ: %s", (_what, one, other) => {
    expect(number(one, other)).toMatch(/^different figure/);
  });
  it.each([
    ["a part", "A crew of 23 was on board.", "Two of the sailors were hurt."],
    ["an earlier count", "The plant has 14 turbines.", "It had 9 turbines two years ago."],
    ["people at large", "About 40 people came.", "Some 55 people live there."],
    ["the same", "Ninety observers came.", "90 monitors came."],
  ])("do not: %s", (_what, one, other) => {
    expect(number(one, other)).toBeUndefined();
  });
  it("differ where one puts its own in the place of the other's", () => {
    const [given, corrected] = ["Petrol costs 22 percent more.", "Petrol costs 14 percent more, not 22."].map(
      statement,
    );
    const pairs = [{ claim: given!.senses[0]!, candidate: corrected!.senses[0]! }];
    expect(correctedFigure(given!, corrected!, pairs)).toMatch(/14 percent and not 22/);
    expect(correctedFigure(corrected!, given!, pairs)).toMatch(/14 percent and not 22/);
    expect(correctedFigure(given!, statement("Bread costs 14 percent more."), pairs)).toBeUndefined();
  });
});

describe("one thing of an event, filled in two ways", () => {
  const filling = (one: string, other: string) => {
    const [claim, candidate] = [statement(one), statement(other)] as const;
    const pairs = claim.senses.flatMap((sense) =>
      candidate.senses
        .filter(({ concept }) => concept === sense.concept)
        .map((it) => ({ claim: sense, candidate: it })),
    );
    return otherFilling(claim, candidate, pairs, 0);
  };
  it.each([
    [
      "an hour in words",
      "Terminals did not come back until half past nine in the evening.",
      "Terminals were up again by 2 p.m.",
    ],
    ["an hour of four digits", "The guns are to fall silent at 0600 GMT.", "Fire will cease at noon on Sunday."],
    ["a platform", "It went off beside the kiosk on platform four.", "The bomb beside the kiosk was on platform six."],
    ["an alert", "The observatory raised the alert to red.", "The alert stands at orange."],
    ["whose waters", "The tanker was in international waters.", "The vessel was seized inside territorial waters."],
    ["a cargo", "The hold contained crude oil.", "The cargo was diesel."],
    ["how one was told", "He was told in a telephone call.", "He was told by letter."],
    ["how one left", "The president left the country in a private jet.", "He crossed the border on foot."],
    ["ash", "Ash climbed nine kilometres.", "The plume rose to six kilometres."],
    ["a crest", "The flood peaked at 7.4 metres.", "The crest was at 6.9 metres."],
    ["a vote", "The board was split six to three.", "The decision was carried by five votes to four."],
  ])("excludes the other: %s", (_what, one, other) => {
    expect(filling(one, other)).toBeDefined();
    expect(filling(other, one)).toBeDefined();
  });
  it.each([
    ["the same hour", "Terminals came back at half past nine in the evening.", "They were up again at 9.30 p.m."],
    ["hours of two things", "The blast came at half past nine in the evening.", "The truce begins at noon."],
    ["two platforms of one train", "It left platform four.", "Trains from platform six and platform eight were full."],
    ["a cargo, and what was found beside it", "The hold contained crude oil.", "The crew had little food."],
  ])("does not: %s", (_what, one, other) => {
    expect(filling(one, other)).toBeUndefined();
  });
});

describe("what a state is not said of", () => {
  it("is who holds an office of a thing, or where somebody spoke", () => {
    const admitted = "The hospital admitted twelve patients from the Lindner plant on Saturday.";
    for (const other of [
      "Plant manager Uwe Hartig is suspended.",
      "The leak was closed at 9:40 a.m., fire chief Martin Brandl said at the gate of the plant.",
    ])
      expect(apart(other, admitted)).toBeUndefined();
    expect(apart("The plant is closed.", "The plant is open again.")).toBeDefined();
  });
  it("is the same state in a copy of the text", () => {
    const told = statement("There is no danger to people in the town at this time.");
    expect(otherFilling(told, told, [], 0)).toBeUndefined();
  });
});

describe("what is in force, and what was lifted", () => {
  const LIFTED: [string, string][] = [
    ["The curfew was lifted on Sunday.", "The curfew stays in place."],
    ["The ban on hosepipes has been lifted.", "The ban on hosepipes remains in force until Friday."],
    ["The district health office lifts the advice against fishing.", "The advice against fishing remains in force."],
  ];

  it.each(LIFTED)("bear each other out at no time: %s", (one, other) => {
    expect(ofOneEvent(one, other).kinds).toEqual(["neutral", "neutral"]);
  });

  it.each(LIFTED)("exclude each other where both are told within hours, and not a day apart: %s", (one, other) => {
    expect(otherState(statement(one), statement(other), 1)).toContain("lifted and standing");
    expect(otherState(statement(one), statement(other), 24)).toBeUndefined();
  });

  it("of two orders, say nothing of each other", () => {
    const [one, other] = ["The curfew in Brod was lifted.", "The ban on hosepipes remains in force."].map(statement);
    expect(otherState(one!, other!, 1)).toBeUndefined();
  });
});
