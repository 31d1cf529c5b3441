import { contradiction, takeApart } from "../../../services/knowledge/strategic/objectives/contradictions.ts";
import ofAuthor from "../../fixtures/objective-contradictions.json" with { type: "json" };
import ofAnother from "../../fixtures/objective-contradictions-second.json" with { type: "json" };
import ofStranger from "../../fixtures/objective-contradictions-stranger.json" with { type: "json" };

const said = (one: string, other: string): string | undefined =>
  contradiction(takeApart({ statement: one }), takeApart({ statement: other }));
const found = (pairs: readonly string[][]): number => pairs.filter(([one, other]) => said(one!, other!)).length;
/** The pairs that were read while the rules changed, or those that were only counted. */
const half = (pairs: readonly string[][], from: 0 | 1): string[][] => pairs.filter((_, at) => at % 2 === from);

describe("contradictions between objectives in a stranger's words", () => {
  it("are found in most pairs that were read, and in fewer that were not", () => {
    expect(found(half(ofStranger.contradicting, 0))).toBeGreaterThanOrEqual(23);
    expect(found(half(ofStranger.contradicting, 1))).toBeGreaterThanOrEqual(11);
  });

  it("are hardly told of objectives that go together", () => {
    expect(found(ofStranger.agreeing)).toBeLessThanOrEqual(1);
  });

  it("are found in a third of the pairs of whom nobody had read anything, where two of sixty were none", () => {
    expect(found(ofAnother.contradicting)).toBeGreaterThanOrEqual(16);
    expect(found(ofAnother.agreeing)).toBeLessThanOrEqual(2);
  });

  it("are the same both ways", () => {
    const all = [...ofStranger.contradicting, ...ofStranger.agreeing, ...ofAuthor.held.contradicting];
    for (const [one, other] of all) expect(said(one!, other!)).toBe(said(other!, one!));
  });

  it.each([
    ["Keep the ferry terminal open", "Mothball the ferry terminal", "One keeps, the other ends: the ferry terminal."],
    ["Vaccinate the staff before the patients", "Vaccinate patients first and staff afterwards", /opposite orders/],
    ["Use all of the grant for books", "Use the grant for furniture", /the whole of it/],
    ["Build the new clinic in Hadley", "Build the new clinic in Morwen", /two places/],
    ["Print the newsletter on paper", "Move the newsletter entirely online", /electronic form, and paper/],
    ["Nobody may fish in the lagoon", "Let families fish in the lagoon", /./],
  ])("are told in words: %s, and %s", (one, other, why) => {
    expect(said(one, other)).toEqual(typeof why === "string" ? why : expect.stringMatching(why));
  });

  it.each([
    ["Raise the upper sluice", "Lower the lower sluice"],
    ["Spend at least 3 million on dykes by 2027", "Spend no more than 5 million on dykes by 2027"],
    ["Keep the old library open until the new library is finished", "Close the old library once the new library opens"],
    ["Cut the cost of the bus service", "Expand the bus service to the suburbs"],
    ["Open the museum to school groups on Mondays", "Close the museum to the public on Mondays"],
    ["Use the grant for books", "Use the donation for furniture"],
    ["Keep the supply route to Mora open", "Cut the enemy's supply route"],
    ["Guard the depot until the convoy has left", "Demolish the depot as soon as the convoy has left"],
    ["Drain the lock before the survey", "Flood the lock again after the survey"],
    ["Answer calls within two minutes in the city", "Answer calls within ten minutes in the hills"],
    ["Connect 80 per cent of homes in the county", "Connect 95 per cent of homes in Marsk, the county's main town"],
  ])("are none of two things, two times, two audiences: %s, and %s", (one, other) => {
    expect(said(one, other)).toBeUndefined();
  });
});
