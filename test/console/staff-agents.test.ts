import type { Page } from "playwright-core";
import { put } from "../knowledge/documents.requests.ts";
import { done } from "../staff/setup.ts";
import { admit, openSet, persons, signIn, type Person } from "../workspace/people.ts";
import { consoleWorld, inChromium, sound, type ConsoleWorld } from "./console.ts";

// Agents in the console, without a model: what they may do, what waits for people, and workflows of several.

inChromium("agents in the console", () => {
  let desk: ConsoleWorld;
  let ann: Person, ben: Person;
  let page: Page, other: Page;
  let set: string;

  beforeAll(async () => {
    desk = await consoleWorld();
    [ann, ben] = await persons(desk.at, "ann", "ben");
    set = await openSet(desk.at, ann, { name: "Open Road" });
    await admit(desk.at, set, ben, "planner");
    [page, other] = [await desk.person(ann.email), await desk.person(ben.email)];
  });
  afterAll(() => desk.stop());

  it("says without a model what the assistant can do, and proposes acts whose values are given", async () => {
    await page.goto(`/staff?set=${set}`);
    await page.getByText("No language model is connected").waitFor();
    await page.getByRole("button", { name: "Have something done" }).click();
    const dialog = page.getByRole("dialog", { name: "Have something done" });
    await dialog.getByLabel("Name", { exact: true }).fill("Find the ford");
    await dialog.getByRole("button", { name: "Propose it to me" }).click();
    await page.getByRole("button", { name: /^Do it: / }).click();
    await page
      .getByRole("region", { name: /^Proposed: / })
      .getByText("done", { exact: true })
      .waitFor();
  });

  it("makes an agent, lets it work, and another person decides what it asks for, live", async () => {
    await page.goto(`/staff/agents?set=${set}`);
    await page.getByText("There is no agent here yet").waitFor();
    await page.getByRole("button", { name: "Make an agent" }).click();
    const making = page.getByRole("dialog", { name: "Make an agent" });
    await making.getByLabel("Name").fill("Scout");
    await making.getByLabel("Planning missions").check();
    await sound(page);
    await making.getByRole("button", { name: "Make it" }).click();
    await page.getByRole("heading", { name: "Scout", level: 1 }).waitFor();
    await page.getByRole("button", { name: "Give it work" }).click();
    const working = page.getByRole("dialog", { name: "Work for Scout" });
    await working.getByText("First say what Scout may do for you there").waitFor();
    await working.getByLabel("Changes what others rely on").check();
    await sound(page);
    await working.getByRole("button", { name: "Let it" }).click();
    await working.getByLabel("What it is to do").fill("Open a mission");
    await working.getByLabel("By", { exact: true }).selectOption({ label: "Open a mission" });
    await working.getByLabel("Name", { exact: true }).fill("Pontoons");
    await working.getByRole("button", { name: "Begin" }).click();
    await page.getByRole("heading", { name: "A run of Scout" }).waitFor();
    await page.getByText("waits for approval").first().waitFor();
    await sound(page);

    await other.goto(`/staff/agents?set=${set}`);
    const asked = other.getByRole("region", { name: "Scout asks: open mission" });
    await asked.getByText("Pontoons").waitFor();
    await sound(other);
    await asked.getByLabel("Why (optional)").fill("It is needed");
    await asked.getByRole("button", { name: /^Approve: / }).click();
    await asked.waitFor({ state: "detached" });
    await page.getByText("completed", { exact: true }).waitFor();
    await page.getByText(/Approved by/).waitFor();
    await sound(page);
    await page.getByRole("link", { name: "Scout" }).first().click();
    await page.getByRole("button", { name: "Show" }).click();
    await page.getByRole("table", { name: "Everything it did" }).getByText("done").waitFor();
    await sound(page);
  });

  it("runs a workflow as a picture, stops at a checkpoint for a person, and goes on with what they changed", async () => {
    const { id: scout } = (await done(desk.at, ann, "GET", `/api/agents?problemSetId=${set}`))[0];
    await page.goto(`/staff/workflows?set=${set}`);
    await page.getByText("No workflow has run here yet").waitFor();
    await sound(page);
    await page.getByRole("link", { name: "Start a workflow" }).click();
    await page.getByLabel("Name").fill("Look and ask");
    const first = page.getByRole("region", { name: "Step 1" });
    await first.getByLabel("What happens").selectOption({ label: "An agent does one thing" });
    await first.getByLabel("Agent").selectOption(scout);
    await first.getByLabel("What it does").selectOption("list_missions");
    await page.getByRole("button", { name: "Add a step" }).click();
    const second = page.getByRole("region", { name: "Step 2" });
    await second.getByLabel("Question").fill("Shall it go on?");
    await sound(page);
    await page.getByRole("button", { name: "Start it" }).click();
    await page.getByRole("heading", { name: "Look and ask" }).waitFor();
    const asked = page.getByRole("region", { name: "Shall it go on?" });
    await asked.waitFor();
    await page.getByRole("table", { name: "Steps" }).getByText("list-missions").first().waitFor();
    await sound(page);
    await other.goto(`/staff/workflows?set=${set}`);
    const there = other.getByRole("region", { name: "Shall it go on?" });
    // A no has to say why.
    await there.getByRole("button", { name: /^Refuse: / }).click();
    await there.getByText("Say why, so that others can follow it.").waitFor();
    await there.getByRole("button", { name: /^Approve: / }).click();
    await asked.waitFor({ state: "detached" });
    await page.getByText("completed", { exact: true }).first().waitFor();
    await page.getByRole("button", { name: "Start it again" }).click();
    await page.getByRole("button", { name: "Stop it" }).click();
    await page.getByText("cancelled").first().waitFor();
  });

  it("puts first on the feed what presses, shows others what comes, and decides notes", async () => {
    const document = await put(desk.at, ann, "The bridge carries twelve tonnes.", "plan.txt", { problemSetId: set });
    await done(desk.at, ben, "POST", `/api/ai-staff/${set}/annotations`, {
      targetType: "document",
      targetId: document.id,
      text: "Ten, after the second flood",
    });
    await page.goto(`/staff/feed?set=${set}`);
    await page.getByText("There is nothing to look at").waitFor();
    await other.goto(`/staff/feed?set=${set}`);
    await other.getByRole("button", { name: "Add something" }).click();
    const dialog = other.getByRole("dialog", { name: "Add something to look at" });
    await dialog.getByLabel("What", { exact: true }).fill("Diesel ends tomorrow");
    await dialog.getByLabel("How serious").selectOption("high");
    await sound(other);
    await dialog.getByRole("button", { name: "Add it" }).click();
    await page.getByText("Diesel ends tomorrow").waitFor();
    await page.getByRole("button", { name: "Mark as read: Diesel ends tomorrow" }).click();
    await page.getByRole("heading", { name: "To look at", exact: true }).waitFor();
    await page.getByRole("button", { name: /^Accept: Ten/ }).click();
    await page.getByText("No note waits for a decision").waitFor();
    await page.getByLabel("Question").fill("What does the bridge carry?");
    await page.getByRole("button", { name: "Ask the staff" }).click();
    await page.locator(".reply").getByText("carries twelve tonnes").first().waitFor();
    // The question is everybody's in the problem set.
    await other.locator(".reply").getByText("carries twelve tonnes").first().waitFor();
    await page.getByRole("region", { name: "What blocks decisions" }).waitFor();
    await page.getByText("Who answers about what").click();
    await page.getByLabel("gates", { exact: true }).waitFor();
    await sound(page);
  });

  it("is stopped by an administrator in an emergency, and says so to whoever asks", async () => {
    const as = await signIn(desk.at, "admin@example.org");
    const { id } = (await desk.at.http("POST", "/api/problem-sets", { as, body: { name: "Drill" } })).body.data;
    const chief = await desk.person();
    await chief.goto(`/staff/agents?set=${id}`);
    await chief.getByRole("button", { name: "Emergency" }).click();
    const dialog = chief.getByRole("dialog", { name: "Stop agents in an emergency" });
    await dialog.getByLabel("Why").fill("A drill");
    await sound(chief);
    await dialog.getByRole("button", { name: "Order it" }).click();
    await chief.getByText("It is ordered.").waitFor();
    await chief.getByRole("link", { name: "Assistant", exact: true }).last().click();
    await chief.getByLabel("Your question").fill("What stands in the way?");
    await chief.getByRole("button", { name: "Ask" }).click();
    await chief.getByText("All agents here were stopped in an emergency.").waitFor();
    expect(await page.getByRole("button", { name: "Emergency" }).count()).toBe(0);
  });
});
