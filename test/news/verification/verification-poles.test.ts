import fc from "fast-check";
import { lexicon } from "../../../core/text/lexicon.ts";
import { oppositeOf, polesIn } from "../../../core/text/statements/states/poles.ts";
import { matterOf, statementOf } from "../../../core/text/statements/statement.ts";
import { words } from "../../../core/text/words/words.ts";
import { otherNumber } from "../../../services/news/verification/references/slots/figures/counted.ts";
import { correctedFigure } from "../../../services/news/verification/references/slots/figures/corrected.ts";
import { causesApart } from "../../../services/news/verification/references/slots/given-causes.ts";
import { polesAlike, polesApart } from "../../../services/news/verification/references/slots/poles.ts";
import { tries } from "../../tries.ts";
import { ofOneEvent } from "./one-event.ts";

// A dyke has held or broken, a person is alive or dead: of one thing two states exclude each other, in whatever words.

const statement = (text: string) => matterOf(statementOf(text));
const sure = (one: string, other: string, later = 0): number =>
  polesApart(statement(one), statement(other), later)?.sure ?? 0;

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
    expect(sure(one, other)).toBeLessThan(2);
  });
  it("does not once hours have passed, where it may change", () => {
    const [shut, open] = ["The border is closed.", "The border is open again."];
    expect(sure(shut, open, 3)).toBe(3);
    expect(sure(shut, open, 12)).toBe(0);
  });
  it("is the surer, the more surely both speak of one", () => {
    expect(sure("The dyke gave way.", "The dyke held firm.")).toBe(3);
    expect(sure("The gang was paid.", "The hospital paid no ransom.")).toBe(2);
  });
  it("knows one state in two words", () => {
    expect(polesAlike(statement("The levee gave way."), statement("The dyke has burst."))).toBe(true);
    expect(polesAlike(statement("The levee gave way."), statement("The dyke held firm."))).toBe(false);
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
        expect(sure(one, other)).toBe(sure(other, one));
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

describe("two causes", () => {
  it.each([
    [2, "Jellyfish caused the stop.", "A faulty valve was to blame for the stop."],
    [1, "Jellyfish caused the stop.", "A valve had jammed."],
    [-1, "Jellyfish caused the stop.", "The stop was due to a swarm of jellyfish."],
    [0, "Jellyfish caused the stop.", "The plant has four valves."],
    [0, "Jellyfish caused the stop.", "A valve was not to blame."],
  ])("are told apart as surely as they are given: %i", (apart, one, other) => {
    expect(causesApart(statement(one), statement(other))).toBe(apart);
  });
});
