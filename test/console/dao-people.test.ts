import type { Page } from "playwright-core";
import { admit, as, openSet, type Person } from "../workspace/people.ts";
import { consoleWorld, inChromium, sound, type ConsoleWorld } from "./console.ts";
import { browserOf, button } from "./people.ts";

// Whom a vote is about, and who votes: names from right to left, two of one name, somebody who has left.

inChromium("people of a vote", () => {
  let desk: ConsoleWorld;
  let ann: Person, dora: Person;
  let annHere: Page;
  let home: string;
  let setId: string;
  const reading = (page: Page, text: string | RegExp): Promise<void> => page.getByText(text).first().waitFor();
  const part = (page: Page, name: string) => page.getByRole("region", { name, exact: true });
  const api = async (path: string, body: object): Promise<any> => {
    const reply = await as(desk.at, ann)("POST", `/api/dao${path}`, body);
    if (reply.status >= 300) throw new Error(reply.text);
    return reply.body.data;
  };
  const found = (name: string, config: object = {}): Promise<{ id: string }> =>
    api("", { problemSetId: setId, name, config: { quorumBps: 0, ...config } });

  beforeAll(async () => {
    desk = await consoleWorld();
    [annHere, ann] = await browserOf(desk, "Ann");
    setId = await openSet(desk.at, ann, { name: "Flood on the Morava" });
    let doraHere: Page;
    [doraHere, dora] = await browserOf(desk, "Dora");
    await doraHere.context().close();
    await admit(desk.at, setId, dora, "deputy");
    home = `/workspace/${setId}`;
  });
  afterAll(() => desk.stop());

  it("keeps each figure beside its option where names run from right to left, and long words within the phone", async () => {
    const { id: board } = await found("Chair");
    const { id } = await api(`/${board}/proposals`, {
      title: "انتخاب رئيس الجمعية",
      description: "- التكلفة: 84.000 €\n\nAuf Deutsch.",
      kind: "ranked",
      options: ["Fatma", "عبد الرحمن", "Björn"],
    });
    await api(`/${board}/proposals/${id}/vote`, {
      choice: [0, 1, 2],
      reason: `Wegen der ${"Genossenschaftshausverwaltungsgesellschafts".repeat(2)}versammlung.`,
    });
    await annHere.goto(`${home}/dao/${board}/proposals/${id}`);
    // UAX 9: what is set apart does not draw the 3 of the third option to itself.
    await reading(annHere, /^You voted 1\. Fatma, 2\. \u2068عبد الرحمن\u2069, 3\. Björn/);
    // By keyboard one stays where one was.
    await button(annHere, "Change my vote").press("Enter");
    await reading(annHere, "Your vote is changed.");
    await button(annHere, "Change my vote").and(annHere.locator(":focus")).waitFor();
    const said = part(annHere, "What is proposed");
    const directionOf = (tag: string, text: string) =>
      said
        .locator(tag, { hasText: text })
        .evaluate((one: any) => one.ownerDocument.defaultView.getComputedStyle(one).direction);
    expect([await directionOf("ul", "التكلفة"), await directionOf("p", "Deutsch")]).toEqual(["rtl", "ltr"]);
    await sound(annHere);
  });

  it("offers people in the order of their names, and tells two of one name apart", async () => {
    const namesakes = await Promise.all(["Zoe", "Zoe", "Émile"].map((name) => browserOf(desk, name)));
    for (const [page, person] of namesakes) {
      await admit(desk.at, setId, person, "liaison");
      await page.context().close();
    }
    const [first, second] = namesakes.map(([, { did }]) => `Zoe (liaison, …${did.slice(-4)})`);
    const { id: council } = await found("Council");
    await annHere.goto(`${home}/dao/${council}/delegations`);
    await button(annHere, "Delegate my power").click();
    const choice = annHere.getByRole("dialog", { name: "Delegate your power" }).getByLabel("To whom");
    await choice.locator("option", { hasText: "Zoe" }).first().waitFor({ state: "attached" });
    const offered = await choice.locator("option").allTextContents();
    expect(offered.slice(0, 3)).toEqual(["Choose somebody", "Dora", "Émile"]);
    expect(offered.slice(3).toSorted()).toEqual([first!, second!].toSorted());
    await annHere.goto(`${home}/members`);
    await annHere.getByRole("rowheader", { name: `Zoe …${namesakes[0]![1].did.slice(-4)}` }).waitFor();
    for (const [, { did }] of namesakes)
      await as(desk.at, ann)("DELETE", `/api/problem-sets/${setId}/members/${encodeURIComponent(did)}`);
  });

  it("says of a person whom a measure names that they have left, by no number", async () => {
    const [page, person] = await browserOf(desk, "Ivo");
    await page.context().close();
    await admit(desk.at, setId, person, "liaison");
    const { id: board } = await found("Offices", { measures: ["grant-set-role"] });
    const { id } = await api(`/${board}/proposals`, {
      title: "An office for Ivo",
      measures: [{ do: "grant-set-role", account: person.userId, role: "planner" }],
    });
    await annHere.goto(`${home}/dao/${board}/proposals/${id}`);
    await reading(annHere, "Make Ivo planner of the problem set.");
    await as(desk.at, ann)("DELETE", `/api/problem-sets/${setId}/members/${encodeURIComponent(person.did)}`);
    await annHere.reload();
    await reading(annHere, "Make somebody who is no member now planner of the problem set.");
    await annHere.goto(`${home}/activity`);
    await reading(annHere, "Ivo is no longer a member.");
  });
});
