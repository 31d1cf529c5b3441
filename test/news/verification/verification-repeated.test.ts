import { findingOn } from "../../../core/text/statements/speech/checked.ts";
import { sentences } from "../../../core/text/words/sentences.ts";
import { crossReference, type Candidate } from "../../../services/news/verification/references/cross-reference.ts";
import { world, type TestWorld } from "../../mesh.ts";
import { HOUR_MS } from "../articles/articles-setup.ts";
import { tell } from "./verification-setup.ts";

// A fact-checker repeats a claim to say that it is false, and a newspaper what it wrote before to put it right: nobody
// says what is only repeated.

const TABLOID =
  "Up to 200 people died in an explosion at the Lindner plant in Tarnau on Saturday. The river is closed to boats.";
const checkedWith = (finding: string): string =>
  `Claim: 200 people died in an explosion at the Lindner plant in Tarnau. ${finding} Hospital and police said so.`;

function against(text: string, mine = TABLOID) {
  const place = { storyId: "plant", reliability: "F" as const };
  const at = (hour: number) => new Date(Date.UTC(2026, 10, 28, hour)).toISOString();
  const origin = { ...place, articleId: 1, sourceId: 1, text: mine, publishedAt: at(8) };
  const other: Candidate = { ...place, articleId: 2, sourceId: 2, sourceName: "Faktum", text, publishedAt: at(20) };
  return crossReference(sentences(mine)[0]!.text, { ...origin, reportId: "one" }, [{ ...other, reportId: "two" }]);
}

describe("a claim that a fact-checker repeats", () => {
  it.each(["Verdict: false.", "Our rating: This is completely false.", "Bewertung: Falsch."])(
    "is contradicted where it finds so: %s",
    (finding) => {
      const { status, contradicting, independentSources } = against(checkedWith(finding));
      expect({ status, independentSources }).toEqual({ status: "contradicted", independentSources: 0 });
      expect(contradicting[0]!.reasons[0]).toBe("it checked this, and found it false");
    },
  );
  it("is borne out where it is found true, and neither where the finding is not told in a word", () => {
    expect(against(checkedWith("Verdict: true.")).supporting).toHaveLength(1);
    for (const finding of ["Verdict: it depends on how one counts.", "We asked the hospital."])
      expect(against(checkedWith(finding))).toMatchObject({ status: "unverified", supporting: [], contradicting: [] });
  });
  it("has the finding behind it, and not behind the next claim", () => {
    const two = sentences("Claim: The dam broke. Claim: The bridge fell. Verdict: false.");
    expect([findingOn(two, 0), findingOn(two, 1)]).toEqual([undefined, "false"]);
  });
});

describe("two reports of one event", () => {
  it("of which one says that the strike is called, and the other that it is called off, bear each other out in nothing", () => {
    const called =
      "The rail union GVT has called a strike on all lines of the Tarn valley for Monday, 30 November. Its chairman " +
      "Oskar Pfeil said that talks with the operator Talbahn had failed.";
    const off =
      "The strike of the rail union GVT in the Tarn valley on Monday has been called off. Union and Talbahn agreed on " +
      "5.2 percent more pay on Sunday evening, chairman Oskar Pfeil said.";
    for (const [mine, theirs] of [
      [called, off],
      [off, called],
    ] as const)
      expect(against(theirs, mine).supporting).toEqual([]);
  });
  it("of which one counts dead fish: they are no later count of people", () => {
    const { neutral } = against("Volunteers counted 340 dead fish below the Lindner plant in Tarnau on Saturday.");
    expect(neutral.flatMap(({ reasons }) => reasons).join()).not.toContain("counted since");
  });
});

describe("in the product", () => {
  let node: TestWorld;
  const ago = (hours: number) => new Date(node.clock.now() - hours * HOUR_MS).toISOString();
  const check = async (id: number) => {
    for (const path of [`/verify-claims/${id}`, `/cross-reference/content/${id}`])
      expect((await node.http("POST", `/api/verification${path}`, { as: "analyst" })).status).toBe(200);
    const { body } = await node.http("GET", `/api/verification/claims/${id}`, { as: "reader" });
    return body.data.claims as { id: number; text: string; status: string }[];
  };
  const referencesOf = async (id: number) =>
    (await node.http("GET", `/api/verification/cross-reference/content/${id}`, { as: "reader" })).body.data
      .references as { articleId: number; stance: string; claimId: number; reasons: string[] }[];
  beforeAll(async () => {
    node = await world();
  });
  afterAll(() => node.stop());

  const leak = (litres: string) =>
    `About ${litres} litres of solvent leaked from a tank at the Lindner plant in Tarnau on Saturday, the fire brigade ` +
    "said. Twelve workers were taken to hospital with irritation of the airways.";

  it("a figure that its outlet put right is told against nobody, and its own report is contradicted by the correction", async () => {
    const wrong = await tell(node, 1, 1, leak("400"), { title: "Solvent leaks at Lindner plant", publishedAt: ago(9) });
    const right = await tell(
      node,
      2,
      2,
      "According to the operator, 4,000 litres of solvent leaked from a tank of the Lindner plant in Tarnau. " +
        "The ministry took samples of the river at seven points.",
      { title: "Ministry on the leak at the Lindner plant in Tarnau", publishedAt: ago(8) },
    );
    const stands = async () => (await check(right)).find(({ text }) => text.includes("4,000 litres"))!.status;
    expect(await stands()).toBe("contradicted");
    const correction = await tell(
      node,
      1,
      3,
      "Correction: In our report on the leak at the Lindner plant in Tarnau we wrote that 400 litres of solvent had " +
        "leaked. The correct figure is 4,000 litres. We apologise for the error.",
      { title: "Correction: leak at the Lindner plant in Tarnau", publishedAt: ago(2) },
    );
    expect(await stands()).toBe("corroborated");
    const about = (await referencesOf(right)).find(({ articleId }) => articleId === wrong)!;
    expect(about).toMatchObject({ stance: "neutral", reasons: ["its own outlet corrected its figure later"] });
    const claims = await check(wrong);
    expect(claims.find(({ text }) => text.includes("400 litres"))!.status).toBe("contradicted");
    const own = (await referencesOf(wrong)).filter(({ articleId }) => articleId === correction);
    expect(own).toContainEqual(
      expect.objectContaining({ stance: "contradict", reasons: ["its own outlet corrected it"] }),
    );
    // What was right in the report stays.
    expect(claims.find(({ text }) => text.startsWith("Twelve workers"))!.status).not.toBe("contradicted");
  });
});
