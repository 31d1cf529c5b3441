import type { Page } from "playwright-core";
import { delegate, enrol } from "../staff/setup.ts";
import { openSet, person } from "../workspace/people.ts";
import { consoleWorld, inChromium, sound, type ConsoleWorld } from "./console.ts";

// Agents measured in the console, without a model: by the baseline, and by a suite that is written there.

inChromium("the validation of agents in the console", () => {
  let desk: ConsoleWorld;
  let page: Page;
  let set: string, id: string;

  beforeAll(async () => {
    desk = await consoleWorld();
    const ann = await person(desk.at, "ann");
    set = await openSet(desk.at, ann, { name: "Open Road" });
    ({ id } = await enrol(desk.at, ann, set, { name: "Reader", tools: ["list_documents"] }));
    await delegate(desk.at, ann, id, set);
    page = await desk.person(ann.email);
  });
  afterAll(() => desk.stop());

  it("validates an agent, and shows what it passed", async () => {
    await page.goto(`/staff/validation?set=${set}`);
    await page.getByText("Nothing was validated here yet.").waitFor();
    await page.getByRole("button", { name: "Validate an agent" }).click();
    const dialog = page.getByRole("dialog", { name: "Validate an agent" });
    await dialog.getByLabel("Agent").selectOption({ label: "Reader" });
    await sound(page);
    await dialog.getByRole("button", { name: "Begin" }).click();
    await page.getByRole("heading", { name: "Reader, by Baseline" }).waitFor();
    await page.getByText("completed", { exact: true }).waitFor();
    await sound(page);
    await page.goto(`/staff/validation?set=${set}`);
    await page.getByRole("table", { name: "Agents" }).getByText("100 %").first().waitFor();
    await sound(page);
  });

  it("stops an agent by a suite of one's own and a threshold, says what failed and why, and brings it back", async () => {
    await page.goto(`/staff/validation?set=${set}`);
    await page.getByText("No threshold is set here").waitFor();
    await page.getByRole("button", { name: "Set a threshold" }).click();
    const bound = page.getByRole("dialog", { name: "Set a threshold" });
    await bound.getByLabel("Applies to").selectOption({ label: "Reader" });
    await bound.getByLabel("Must reach, in per cent").fill("90");
    await bound.getByLabel("Validations of fewer cases stop nothing").fill("1");
    await sound(page);
    await bound.getByRole("button", { name: "Set it" }).click();
    await page.getByRole("row", { name: /^Reader 90 %: cases passed 1 validation of at least 1 case/ }).waitFor();
    await page.getByText("There is only the baseline.").waitFor();
    await page.getByRole("link", { name: "Write a suite" }).click();
    await page.getByLabel("Name").fill("Hard");
    const first = page.getByRole("region", { name: "Case 1" });
    await first.getByLabel("Task").fill("Say hello");
    await first.getByRole("button", { name: "Add a check to case 1" }).click();
    const judge = page.getByRole("group", { name: "Case 1, check 1" });
    await judge.getByLabel("It holds if").selectOption({ label: "A language model judges it by your words" });
    await judge.getByLabel("What is good").fill("It is friendly.");
    await page.getByRole("button", { name: "Remove: Case 1, check 2" }).click();
    await sound(page);
    await page.getByRole("button", { name: "Keep the suite" }).click();
    await page.getByText("A model's judgement never stands alone").waitFor();
    await judge.getByLabel("It holds if").selectOption({ label: "The answer contains a text" });
    await judge.getByLabel("Text", { exact: true }).fill("quetzal");
    await page.getByRole("button", { name: "Keep the suite" }).click();
    await page.getByText("The answer contains “quetzal”.").waitFor();
    await page.getByText("No agent was tried with it yet.").waitFor();
    await sound(page);
    await page.getByRole("button", { name: "Try an agent with it" }).click();
    const attempt = page.getByRole("dialog", { name: "Try an agent with Hard" });
    await attempt.getByLabel("Agent").selectOption({ label: "Reader" });
    await attempt.getByRole("button", { name: "Begin" }).click();
    await page.getByText("1 answer of 1 failed.").waitFor();
    await page.getByText("It does not stand there.").waitFor();
    await sound(page);
    await page.goto(`/staff/validation/agents/${id}`);
    await page.getByRole("row", { name: /Hard, 1 cases/ }).waitFor();
    await page.getByText("not to be compared with the one before").waitFor();
    await sound(page);
    await page.getByRole("link", { name: "The agent" }).click();
    await page.getByRole("button", { name: "Bring it back" }).click();
    const back = page.getByRole("dialog", { name: "Bring Reader back" });
    await back.getByLabel("Why it can work again").fill("The suite was wrong");
    await back.getByLabel(/on my responsibility/).check();
    await sound(page);
    await back.getByRole("button", { name: "Bring it back" }).click();
    await page.getByText("ready", { exact: true }).waitFor();
  });
});
