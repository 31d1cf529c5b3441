import type { Page } from "playwright-core";
import { admit, as, openSet, type Person } from "../workspace/people.ts";
import { consoleWorld, inChromium, sound, type ConsoleWorld } from "./console.ts";
import { browserOf } from "./people.ts";

// What a mission needs beside its planning: its plan on paper, its units and who commands them, people who come by a
// link; and the words of its documents reviewed. A commander and a deputy do it, each in a browser of their own.

inChromium("missions in the console", () => {
  let desk: ConsoleWorld;
  let dora: Person;
  /** The commander's browser, and the deputy's. */
  let annHere: Page, doraHere: Page;
  let home: string;
  let setId: string;

  const reading = (page: Page, text: string | RegExp): Promise<void> => page.getByText(text).first().waitFor();
  const press = (page: Page, name: string): Promise<void> =>
    page.getByRole("button", { name, exact: true }).last().click();
  const done = async (method: string, path: string, body: object): Promise<any> => {
    const answer = await as(desk.at, dora)(method, path, body);
    expect(answer.status).toBeLessThan(300);
    return answer.body.data;
  };

  beforeAll(async () => {
    desk = await consoleWorld();
    let ann: Person;
    [[annHere, ann], [doraHere, dora]] = await Promise.all([browserOf(desk, "Ann"), browserOf(desk, "Dora")]);
    setId = await openSet(desk.at, ann, { name: "Flood on the Morava" });
    await admit(desk.at, setId, dora, "deputy");
    home = `/workspace/${setId}`;
    for (const name of ["Incident command", "Water rescue"])
      await done("POST", "/api/command/units", { problemSetId: setId, name });
  });
  afterAll(() => desk.stop());

  it("is given its boats, which it shows, and they are taken off again", async () => {
    const { id } = await done("POST", "/api/missions", { problemSetId: setId, name: "Evacuate Kostelec" });
    const boat = { problemSetId: setId, kind: "vessel" };
    await done("POST", "/api/resources", { ...boat, name: "Boat 1" });
    await doraHere.goto(`${home}/missions/${id}`);
    const resources = doraHere.getByRole("region", { name: "Resources" });
    await resources.getByText("Nothing is assigned to it.").waitFor();
    await resources.getByLabel("Resource", { exact: true }).selectOption({ label: "Boat 1 (ready)" });
    await resources.getByRole("button", { name: "Assign" }).click();
    await resources.getByRole("row", { name: /^Boat 1 vessel ready/ }).waitFor();
    await sound(doraHere);
    // What others assign comes by itself.
    await done("POST", "/api/resources", { ...boat, name: "Boat 2", missionIds: [id] });
    await resources.getByRole("row", { name: /^Boat 2 vessel ready/ }).waitFor();
    await resources.getByRole("button", { name: "Take off Boat 1" }).click();
    await resources.getByRole("link", { name: "Boat 1" }).waitFor({ state: "detached" });
    await resources.getByRole("link", { name: "Boat 2" }).click();
    await doraHere.getByRole("heading", { name: "Boat 2", level: 1 }).waitFor();
  });

  it("puts the plan of a mission on paper, each word as it was written", async () => {
    const { id } = await done("POST", "/api/missions", {
      problemSetId: setId,
      name: "Hold the dam",
      objective: "The dam *stands* on Monday.",
      description: "1. Pump <b>all</b> night\n- relieve the crews",
    });
    await done("POST", "/api/mdmp/workflows", { missionId: id });
    await done("POST", `/api/mdmp/workflows/${id}/assumptions`, { statement: "Diesel lasts [two days](x)." });
    await done("POST", `/api/mdmp/workflows/${id}/gates`, { gates: [{ phase: "coa-approval", name: "Owner agrees" }] });
    await doraHere.goto(`${home}/missions/${id}`);
    await doraHere.getByRole("link", { name: "Plan as a text" }).click();
    await doraHere.getByRole("heading", { name: "Plan: Hold the dam", level: 1 }).waitFor();
    const plan = doraHere.getByRole("article");
    for (const words of [
      "The dam *stands* on Monday.",
      "1. Pump <b>all</b> night",
      "- relieve the crews",
      "Diesel lasts [two days](x). (not accepted yet)",
      "Owner agrees (Course of action approval): not met",
      "Water rescue, company",
    ])
      await plan.getByText(words).first().waitFor();
    await sound(doraHere);
    const [file] = await Promise.all([
      doraHere.waitForEvent("download"),
      doraHere.getByRole("link", { name: "Download as Markdown" }).click(),
    ]);
    expect(file.suggestedFilename()).toBe("Hold-the-dam.md");
    // Paper carries the plan, and nothing of the page around it.
    await doraHere.emulateMedia({ media: "print" });
    for (const around of ["Sign out", "Print, or save as PDF"])
      expect(await doraHere.getByRole("button", { name: around }).isVisible()).toBe(false);
    expect(await doraHere.getByRole("navigation", { name: "Main" }).isVisible()).toBe(false);
    expect(await plan.isVisible()).toBe(true);
    await doraHere.emulateMedia({ media: "screen" });
  });

  it("keeps who commands whom over time, and says who may order what", async () => {
    const { id } = await done("POST", "/api/missions", { problemSetId: setId, name: "Clear the road" });
    await doraHere.goto(`${home}/missions/${id}`);
    await doraHere.getByRole("link", { name: "Who may order what, and command at other moments" }).click();
    const matrix = doraHere.getByRole("table", { name: "Who may order what" });
    await matrix.getByRole("row", { name: /^Water rescue itself itself/ }).waitFor();
    await press(doraHere, "Put a unit under another");
    await doraHere.getByLabel("Unit", { exact: true }).selectOption("Water rescue");
    await doraHere.getByLabel("Other unit").selectOption("Incident command");
    await doraHere.getByLabel("Where that holds").selectOption("In every mission of the problem set");
    await sound(doraHere);
    await press(doraHere, "Put it there");
    await matrix.getByRole("row", { name: /^Water rescue Incident command .* Incident command limited/ }).waitFor();
    await sound(doraHere);
    await press(doraHere, "End: Water rescue is under operational control of Incident command");
    await press(doraHere, "End it");
    await matrix.getByRole("row", { name: /^Water rescue itself itself/ }).waitFor();
    // How it was can still be seen.
    await doraHere.getByLabel("Moment", { exact: true }).fill("2020-01-01T00:00");
    await press(doraHere, "Show");
    await matrix.getByRole("row", { name: /^Water rescue Incident command/ }).waitFor();
    await reading(doraHere, "under operational control of Incident command");
    await sound(doraHere);

    await doraHere.getByRole("link", { name: "All units" }).click();
    await doraHere.getByRole("row", { name: /^Water rescue is under .* in every mission ended/ }).waitFor();
    await press(doraHere, "Change Water rescue");
    const form = doraHere.getByRole("dialog");
    await form.getByLabel("Short form").fill("WR 1");
    await form.getByLabel("Size").selectOption("platoon");
    await press(doraHere, "Keep");
    await doraHere.getByRole("row", { name: /^Water rescue WR 1 platoon/ }).waitFor();
    await sound(doraHere);
    await press(doraHere, "Remove Water rescue");
    await press(doraHere, "Remove");
    await doraHere
      .getByRole("row", { name: /^a removed unit is under/ })
      .first()
      .waitFor();
    await annHere.goto(`${home}/activity`);
    await annHere.getByRole("link", { name: 'The unit "Water rescue" was removed.' }).click();
    await annHere.getByRole("heading", { name: "Units", level: 1 }).waitFor();
  });

  it("asks whoever has a link into a mission; the secret in it goes to no server's log", async () => {
    const { id } = await done("POST", "/api/missions", { problemSetId: setId, name: "Guard the weir" });
    await doraHere.goto(`${home}/missions/${id}`);
    await press(doraHere, "Invite");
    await press(doraHere, "Make the invitation");
    const link = await doraHere.getByRole("dialog", { name: "Send this link" }).getByText(/^http/).textContent();
    await sound(doraHere);
    const { hash, search } = new URL(link!);
    expect([hash.startsWith("#join="), search]).toEqual([true, ""]);
    await annHere.goto(link!);
    await press(annHere, "Join");
    await annHere.getByRole("row", { name: /^Ann operator/ }).waitFor();
    expect(new URL(annHere.url()).hash).toBe("");
  });

  it("asks a member by name into a mission, who finds the invitation on its page", async () => {
    const { id } = await done("POST", "/api/missions", { problemSetId: setId, name: "Man the pumps" });
    await doraHere.goto(`${home}/missions/${id}`);
    await press(doraHere, "Invite");
    await doraHere.getByLabel("Whom").selectOption({ label: "Ann" });
    await press(doraHere, "Make the invitation");
    await doraHere.getByRole("heading", { name: "Invited" }).waitFor();
    await annHere.goto(`${home}/missions/${id}`);
    await reading(annHere, /Dora invites you to take part, as/);
    await sound(annHere);
    await press(annHere, "Join");
    await annHere.getByRole("row", { name: /^Ann operator/ }).waitFor();
  });

  it("reviews the words of a document; what is taken over makes one new version", async () => {
    await annHere.goto(`${home}/documents`);
    await annHere.getByLabel("Choose files").setInputFiles({
      name: "warning-order.md",
      mimeType: "text/markdown",
      buffer: Buffer.from("# Warning order\n\nHold the the bridge at Lhota. Reserves: TBD.\n"),
    });
    await annHere.getByRole("list", { name: "Files sent" }).getByRole("link", { name: "warning-order" }).click();
    await press(annHere, "Review the text");
    await annHere.getByRole("heading", { name: "Review of warning-order", level: 1 }).waitFor();
    const findings = annHere.getByRole("list", { name: "Findings" });
    await findings.getByText("only a person can know what belongs there").waitFor();
    await findings.getByRole("checkbox").waitFor();
    await sound(annHere);
    await press(annHere, "Take over what is ticked");
    await annHere.getByRole("link", { name: "It made version 2." }).click();
    await reading(annHere, "Hold the bridge at Lhota.");
    await annHere.getByRole("region", { name: "Reviews" }).getByText("What could be taken over was.").waitFor();
    await press(annHere, "Review the text");
    await annHere.getByRole("heading", { name: "Review of warning-order", level: 1 }).waitFor();
    await press(annHere, "Reject the review");
    await annHere.getByLabel("Why (optional)").fill("The reserves are named tomorrow.");
    await press(annHere, "Reject");
    await reading(annHere, /Decided by Ann.*The reserves are named tomorrow/);
    await sound(annHere);
  });
});
