import type { Page } from "playwright-core";
import { admit, as, openSet, type Person } from "../workspace/people.ts";
import { consoleWorld, inChromium, sound, type ConsoleWorld } from "./console.ts";
import { browserOf, button } from "./people.ts";

// What passes between a problem set and the one above it: direction down, remarks and questions up, answers down. Each
// side sees in its own browser what the other does.

inChromium("between a problem set and the one above", () => {
  let desk: ConsoleWorld;
  /** The commander of the set above, and a planner of the one below. */
  let corps: Page, sector: Page;
  let above: string, below: string;
  let cora: Person;

  beforeAll(async () => {
    desk = await consoleWorld();
    let paul: Person;
    [[corps, cora], [sector, paul]] = await Promise.all([browserOf(desk, "Cora"), browserOf(desk, "Paul")]);
    above = await openSet(desk.at, cora, { name: "Regional command" });
    below = await openSet(desk.at, cora, { name: "Sector North", parentId: above });
    await admit(desk.at, below, paul, "planner");
  });
  afterAll(() => desk.stop());

  it("passes direction down; the set below takes note, and says where it cannot be kept", async () => {
    await sector.goto(`/workspace/${below}/direction`);
    await sector.getByText("No set above passes anything on to this one.").waitFor();
    await as(desk.at, cora)("POST", "/api/inheritance/directions", {
      problemSetId: above,
      kind: "constraint",
      title: "No movement by night",
      text: "Convoys rest between 20:00 and 05:00.",
    });
    // It comes by itself at the next look.
    await sector.goto(`/workspace/${below}`);
    await sector.getByRole("link", { name: "1 direction from the set above" }).click();
    await button(sector, "Take note").click();
    await sector.getByText("You have taken note of all of it.").waitFor();
    await button(sector, "Write a remark on No movement by night").click();
    const dialog = sector.getByRole("dialog");
    await dialog.getByLabel("Kind").selectOption("concern");
    await dialog.getByLabel("Remark", { exact: true }).fill("The barges move only by night.");
    await sound(sector);
    await button(dialog, "Write it").click();
    await button(sector, "Change: The barges move only by night.").waitFor();
    // Among themselves.
    await button(sector, "Write a remark on No movement by night").click();
    await dialog.getByLabel("Remark", { exact: true }).fill("Ask the harbour first.");
    await dialog.getByLabel("The set above reads it, too").uncheck();
    await button(dialog, "Write it").click();
    await sector.getByText("; for this set alone").waitFor();
    await sector.getByText("What changed, and when").click();
    await sector.getByText("laid down", { exact: true }).waitFor();
    await sound(sector);

    await corps.goto(`/workspace/${above}/direction`);
    const said = corps.getByRole("region", { name: "What the sets below say" });
    await said.getByText("The barges move only by night.").waitFor();
    await said.getByText("Paul, Sector North").waitFor();
    expect(await corps.getByText("Ask the harbour first.").count()).toBe(0);
    await sound(corps);
  });

  it("carries a question up and its answer down, and lets whoever asked end it or ask on", async () => {
    await corps.goto(`/workspace/${above}`);
    await sector.goto(`/workspace/${below}/rfis`);
    await sector.getByText("Nothing was asked of the set above yet.").waitFor();
    await button(sector, "Ask the set above").click();
    const dialog = sector.getByRole("dialog");
    await dialog.getByLabel("What it is about").fill("Bridge at Row Town");
    await dialog.getByLabel("Question").fill("Does it carry 40 tonnes?");
    await dialog.getByLabel("Priority").selectOption("immediate");
    await sound(sector);
    await button(dialog, "Send the request").click();
    await sector.getByText("It waits for the set above to answer.").waitFor();

    // Nobody loads a page again.
    await corps.getByRole("link", { name: "1 request for information waits for an answer" }).click();
    await corps.getByRole("row", { name: /Bridge at Row Town open immediate .* Sector North/ }).waitFor();
    await sound(corps);
    await corps.getByRole("link", { name: "Bridge at Row Town" }).click();
    await corps.getByLabel("Your answer").fill("Thirty, by the survey of May.");
    await sound(corps);
    await button(corps, "Answer").click();
    await corps.getByText("It is answered. Whoever asked closes it, or asks on.").waitFor();

    await sector.getByText("Thirty, by the survey of May.").waitFor();
    await sector.getByLabel("Message").fill("And with one lorry at a time?");
    await sound(sector);
    await button(sector, "Ask on").click();
    await corps.getByText("And with one lorry at a time?").waitFor();
    await corps.getByLabel("Your answer").fill("Forty.");
    await button(corps, "Answer").click();
    await button(sector, "Close: the answer is enough").click();
    await sector.getByText("It is at its end. It can be asked again.").waitFor();
    await corps.getByText("Whoever asked can ask it again.").waitFor();
    expect(await corps.getByLabel("Message").count()).toBe(0);
    // The activity leads there.
    await corps.goto(`/workspace/${above}/activity`);
    await corps.getByRole("link", { name: 'The request "Bridge at Row Town" is closed.' }).click();
    await corps.getByRole("heading", { name: "Bridge at Row Town", level: 1 }).waitFor();
    await corps.getByText("asked by Sector North").waitFor();
  });

  it("says so where there is nobody above to ask", async () => {
    await corps.goto(`/workspace/${above}/rfis`);
    await button(corps, "Ask the set above").click();
    const dialog = corps.getByRole("dialog");
    await dialog.getByLabel("What it is about").fill("Reserves");
    await dialog.getByLabel("Question").fill("Are there any?");
    await button(dialog, "Send the request").click();
    await dialog.getByText("This problem set has no parent to ask.").waitFor();
  });
});
