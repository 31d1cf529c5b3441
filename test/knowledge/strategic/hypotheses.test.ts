import { CASES, reportsOf } from "../../../bench/judgement/fusion/cases.ts";
import { strangersFigures, type StrangersSet } from "../../../bench/judgement/fusion/strangers.ts";
import { judge } from "../../../services/knowledge/strategic-agents/fusion/fusing.ts";
import { compared } from "../../../services/knowledge/strategic-agents/fusion/hypotheses/intervals.ts";
import { readHypothesis } from "../../../services/knowledge/strategic-agents/fusion/hypotheses/hypothesis.ts";
import { timeOf, timesIn } from "../../../services/knowledge/strategic-agents/fusion/hypotheses/times.ts";

/** The sign of each report towards a hypothesis. */
async function signs(hypothesis: string, ...reports: string[]): Promise<string> {
  const { found } = await judge(reportsOf({ hypothesis, reports, stances: "", voices: 0 }), hypothesis);
  const of = { support: "+", contradict: "-", neutral: "0", unrelated: "0" } as const;
  return reports.map((_, n) => of[found.find(({ articleId }) => articleId === n + 1)?.stance ?? "unrelated"]).join("");
}

describe("a hypothesis beside reports", () => {
  it("is answered in the words in which reports answer such a question", async () => {
    const bridge = "The Ostrel bridge was closed on 4 June.";
    expect(
      await signs(
        bridge,
        "Police have been turning back every lorry at the Ostrel bridge since dawn on 4 June.",
        "On 4 June cars crossed the Ostrel bridge without restriction, a driver said.",
        "The Ostrel bridge was painted in 1988.",
      ),
    ).toBe("+-0");
  });

  it("is not told by what is planned, asked for, feared, or nearly so", async () => {
    expect(
      await signs(
        "Dana Merrow has resigned as mayor of Ostrel.",
        "The opposition called on Dana Merrow to resign as mayor of Ostrel.",
        "Whether Dana Merrow has resigned as mayor of Ostrel is unclear.",
        "Dana Merrow nearly resigned as mayor of Ostrel, a friend said.",
        "Dana Merrow might resign as mayor of Ostrel.",
        "Dana Merrow has resigned as mayor of Ostrel, her office said.",
      ),
    ).toBe("0000+");
  });

  it("is not told of another by number, place or kind", async () => {
    expect(await signs("Reactor 2 at Velm is shut down.", "Reactor 1 at Velm was shut down on Friday.")).toBe("0");
    expect(await signs("The northern dam at Velm has failed.", "The southern dam at Velm has failed.")).toBe("0");
    expect(await signs("The crossing at Velm is closed.", "The crossing at Dorn, south of Velm, is closed.")).toBe("0");
  });

  it("holds a figure within its bounds, of the same measure", async () => {
    const homes = "More than 3,000 homes in Velm were without power.";
    const told = (text: string) => signs(homes, text);
    expect(await told("Some 4,200 homes in Velm are without power, the grid company said.")).toBe("+");
    expect(await told("Only 900 homes in Velm are without power, the grid company said.")).toBe("-");
    expect(await signs("Inflation in Velm was 2.2 percent.", "Core inflation in Velm was 2.9 percent.")).toBe("0");
    const above = { least: 50, most: Infinity, isOpen: true };
    const at = (value: number) => ({ least: value, most: value, isOpen: false });
    expect([50, 51, 49].map((value) => compared(above, at(value)))).toEqual([-1, 1, -1]);
    expect(compared(above, { least: 40, most: Infinity, isOpen: true })).toBe(0);
  });

  it("is denied by its verb in the base form, and not by a denial of something else", async () => {
    expect(
      await signs(
        "The convoy reached Velm on Monday.",
        "The convoy did not reach Velm on Monday.",
        "The convoy reached Velm on Monday, and no driver was hurt.",
      ),
    ).toBe("-+");
  });

  it("of all is denied by what holds of some", async () => {
    const both = "The Velm tunnel is open in both directions.";
    expect(
      await signs(both, "The northbound tube of the Velm tunnel is open. The southbound tube remains closed."),
    ).toBe("-");
  });

  it("reads days in words, in capitals and alone", () => {
    const days = (text: string) => timesIn(text).map(({ day, month }) => [day, month]);
    expect(days("on the first of September")).toEqual([[1, 9]]);
    expect(days("log 08 NOV 0412")).toEqual([[8, 11]]);
    expect(days("the morning of the 18th")).toEqual([[18, undefined]]);
    expect(timeOf(timesIn("Monday 6 May"), timesIn("7 May"))).toBe("differ");
    expect(timeOf(timesIn("Monday 6 May"), timesIn("on Monday"))).toBe("agree");
  });

  it("counts what two print in nearly the same words as one voice", async () => {
    const hypothesis = "The Velm reservoir is safe to drink from.";
    const reports = [
      "The chief chemist of the county board said that samples taken this week from the Velm reservoir were safe to drink.",
      "Samples taken this week from the Velm reservoir were safe to drink, said the chief chemist of the county board.",
    ];
    const { weighed } = await judge(reportsOf({ hypothesis, reports, stances: "", voices: 0 }), hypothesis);
    expect(weighed.parts).toHaveLength(1);
  });

  it("never stands against itself, nor is it told by its denial", async () => {
    for (const hypothesis of CASES.map((one) => one.hypothesis)) {
      expect([hypothesis, await signs(hypothesis, hypothesis)]).toEqual([hypothesis, "+"]);
      const denied = `It is not true that ${hypothesis[0]!.toLowerCase()}${hypothesis.slice(1)}`;
      expect([denied, await signs(hypothesis, denied)]).not.toEqual([denied, "+"]);
    }
  });

  it("keeps its sign whatever else a report tells of", async () => {
    const beside = "The market of Ostrel opens at eight. Its oldest stall sells honey.";
    for (const { hypothesis, reports } of CASES.slice(0, 8)) {
      const alone = await signs(hypothesis, ...reports);
      expect([hypothesis, await signs(hypothesis, ...reports.map((text) => `${beside} ${text}`))]).toEqual([
        hypothesis,
        alone,
      ]);
    }
  });

  it("finds its main verb behind a clause of its subject", () => {
    const verbOf = (text: string): string => {
      const { stated, verb } = readHypothesis(text);
      return stated.words[verb]!.text;
    };
    expect(verbOf("The train that derailed near Velm was carrying acid.")).toBe("was");
    expect(verbOf("Forty people marched through Velm.")).toBe("marched");
  });
});

/** Some points below what is reached: the first set was read while the rules were mended, the others were not. */
const FLOORS = {
  stranger: { plus: 0.8, minus: 0.8, right: 0.86, mostReversed: 1, mostInvented: 2, voices: 0.7 },
  second: { plus: 0.2, minus: 0.25, right: 0.4, mostReversed: 9, mostInvented: 9, voices: 0.15 },
  third: { plus: 0.21, minus: 0.3, right: 0.42, mostReversed: 5, mostInvented: 6, voices: 0.15 },
  fourth: { plus: 0.31, minus: 0.29, right: 0.47, mostReversed: 2, mostInvented: 4, voices: 0.17 },
} as const satisfies Record<StrangersSet, object>;

it.each(["stranger", "second", "third", "fourth"] as const)(
  "holds its figures on hypotheses of strangers: %s",
  async (name) => {
    const { told, right, reports, reversed, invented, voices, cases } = await strangersFigures(name);
    const floor = FLOORS[name];
    expect({
      plus: told["+"].right / told["+"].wanted >= floor.plus,
      minus: told["-"].right / told["-"].wanted >= floor.minus,
      right: right / reports >= floor.right,
      reversed: reversed <= floor.mostReversed,
      invented: invented <= floor.mostInvented,
      voices: voices / cases >= floor.voices,
    }).toEqual({ plus: true, minus: true, right: true, reversed: true, invented: true, voices: true });
  },
);
