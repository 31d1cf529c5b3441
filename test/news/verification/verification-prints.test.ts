import { crossReference } from "../../../services/news/verification/references/cross-reference.ts";
import { eventually, world, type TestWorld } from "../../mesh.ts";
import { tell } from "./verification-setup.ts";

// Outlets that carry one wire report are one voice; where one of them prints another figure, whoever reads must see it.

const wire = (figure: string): string =>
  `OSTRAVA (Meridian) - ${figure} were told to leave their homes in the Odra valley on Sunday after a dam began to leak, ` +
  "the regional governor said. Engineers of the water board lowered the level of the Slezska reservoir by two metres " +
  "overnight, and schools in three towns stay closed on Monday. Buses brought residents to a sports hall in Opava. " +
  "The dam was built in 1957 and last repaired nine years ago.";

/** What is said of the first sentence as one outlet prints it, by what another prints so many hours later. */
function between(mine: string, theirs: string, hours = 1) {
  const place = { storyId: "leak", reportId: "wire", reliability: "F" as const };
  const [one, other] = [mine, theirs].map((figure, at) => ({
    ...place,
    articleId: at + 1,
    sourceId: at + 1,
    sourceName: `Outlet ${at + 1}`,
    text: wire(figure),
    publishedAt: new Date(Date.UTC(2026, 10, 29, 8 + at * hours)).toISOString(),
  }));
  const sentence = (figure: string) => `${wire(figure).split(" said.")[0]} said.`;
  return [crossReference(sentence(mine), one!, [other!]), crossReference(sentence(theirs), other!, [one!])] as const;
}

it.each([
  ["400 people", "4,000 people"],
  ["Some 400 people", "4,000 people"],
  ["4 million people", "4 billion people"],
  ["4,000 people", "400 people"],
])(
  "two prints of one report tell of %s and of %s: each is shown with the other's, and none of them settles it",
  (mine, theirs) => {
    for (const { status, contradicting, independentContradictions, supersededBy, reasons } of between(mine, theirs)) {
      expect({ status, independentContradictions, supersededBy }).toEqual({
        status: "unverified",
        independentContradictions: 0,
        supersededBy: null,
      });
      expect(contradicting).toEqual([expect.objectContaining({ stance: "contradict", independent: false })]);
      expect(reasons[0]).toMatch(/^printed with another figure by Outlet [12]$/);
    }
  },
);

it.each([
  ["a figure that is rounded", "1,150 people", "some 1,100 people"],
  ["a floor", "1,150 people", "more than 1,100 people"],
  ["a word for a number", "four hundred people", "400 people"],
  ["a guess", "400 people", "about 400 people"],
])("%s is no other figure", (_what, mine, theirs) => {
  for (const { contradicting } of between(mine, theirs)) expect(contradicting).toEqual([]);
});

it("a count that may have been brought up to date is told as before, and not one that came at the same moment", () => {
  const isTold = (hours: number) =>
    between("400 people", "600 people", hours).map(({ reasons }) => reasons.some((one) => one.startsWith("printed")));
  expect(isTold(1)).toEqual([false, false]);
  expect(isTold(0)).toEqual([true, true]);
});

describe("in the product", () => {
  let node: TestWorld;
  afterEach(() => node.stop());

  it("a briefing and both articles show the two figures", async () => {
    node = await world();
    const title = "Hundreds told to leave Odra valley as dam leaks";
    const at = (hours: number) => new Date(node.clock.now() - hours * 3_600_000).toISOString();
    const few = await tell(node, 1, 1, wire("400 people"), { title, publishedAt: at(5) });
    const many = await tell(node, 2, 2, wire("4,000 people"), { title, publishedAt: at(3) });
    for (const [id, other] of [
      [few, many],
      [many, few],
    ]) {
      await node.http("POST", `/api/verification/cross-reference/content/${id}`, { as: "analyst" });
      const { references } = (await node.http("GET", `/api/verification/cross-reference/content/${id}`)).body.data;
      expect(references.filter(({ stance }: { stance: string }) => stance === "contradict")).toEqual([
        expect.objectContaining({ articleId: other, independent: false }),
      ]);
    }
    await node.http("POST", "/api/briefings/generate", { as: "analyst", body: { hours: 48 } });
    const { content } = await eventually(
      async () => (await node.http("GET", "/api/briefings/1")).body.data,
      ({ status }) => status === "completed",
    );
    expect(content).toMatch(
      /Figures differ on the number of people.*“4,000 people” \(Source 2.*“400 people” \(Source 1/,
    );
  });
});
