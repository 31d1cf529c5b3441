import type { Page } from "playwright-core";
import { openSet } from "../workspace/people.ts";
import { consoleWorld, inChromium, sound, type ConsoleWorld } from "./console.ts";
import { browserOf, button } from "./people.ts";

// Where the documents of a problem set are put, so that they are found: Ann makes containers, and one is suggested.

inChromium("containers of documents in the console", () => {
  let desk: ConsoleWorld;
  let ann: Page;
  let home: string;
  const upload = async (name: string, text: string): Promise<void> => {
    await ann.goto(`${home}/documents`);
    await ann
      .getByLabel("Choose files")
      .setInputFiles({ name: `${name}.md`, mimeType: "text/markdown", buffer: Buffer.from(text) });
    await ann.getByRole("list", { name: "Files sent" }).getByRole("link", { name }).click();
    await ann.getByRole("heading", { name, level: 1 }).waitFor();
    await ann.getByText("Can be read").first().waitFor();
  };
  const within = () => ann.getByRole("region", { name: "Containers" });

  beforeAll(async () => {
    desk = await consoleWorld();
    const [page, person] = await browserOf(desk, "Ann");
    ann = page;
    home = `/workspace/${await openSet(desk.at, person, { name: "Flood on the Morava" })}`;
  });
  afterAll(() => desk.stop());

  it("are added under a category; a document that is in none says where to begin", async () => {
    await upload("bridges", "# Bridges\n\nPontoons, boats and spans for crossing the river.\n");
    await within().getByRole("link", { name: "add one" }).click();
    await ann.getByText("1 document is in no container").waitFor();
    await sound(ann);
    await button(ann, "Add a category").click();
    const dialog = ann.getByRole("dialog");
    await dialog.getByLabel("Name").fill("Logistics");
    await sound(ann);
    await button(dialog, "Add").click();
    const logistics = ann.getByRole("region", { name: "Logistics" });
    await logistics.getByText("There is none yet.").waitFor();
    await button(ann, "Add a container").click();
    await dialog.getByLabel("Name").fill("Crossings");
    await dialog.getByLabel("What belongs in it").fill("Bridges, pontoons, boats and spans for crossing a river");
    await dialog.getByLabel("Category").selectOption({ label: "Logistics" });
    await sound(ann);
    await button(dialog, "Add").click();
    await logistics.getByRole("row", { name: /^Crossings .* 0 / }).waitFor();
    await button(ann, "Add a container").click();
    await dialog.getByLabel("Name").fill("Weather");
    await button(dialog, "Add").click();
    await ann.getByRole("region", { name: "Without a category" }).getByText("Weather").waitFor();
    await sound(ann);
  });

  it("are suggested for a document, with what speaks for them; a no is heeded", async () => {
    await ann.getByRole("link", { name: "see them" }).click();
    await ann.getByRole("link", { name: "bridges" }).click();
    await within().getByText("It is in none yet.").waitFor();
    await button(ann, "Suggest where it belongs").click();
    await sound(ann);
    await button(ann, "Put it in: Crossings").click();
    await within().getByRole("link", { name: "Crossings" }).waitFor();
    await button(ann, "Put it in: Crossings").waitFor({ state: "detached" });
    await sound(ann);
    await upload("boats", "# Boats\n\nBoats and pontoons for crossing the river by night.\n");
    await button(ann, "Suggest where it belongs").click();
    await button(ann, "Not this one: Crossings").click();
    await ann.getByText("Crossings is not suggested for it again.").waitFor();
    await within().getByLabel("Container", { exact: true }).selectOption({ label: "Weather" });
    await button(within(), "Put it in").click();
    await within().getByRole("link", { name: "Weather" }).click();
    await ann.getByRole("table", { name: "Documents in it" }).getByRole("row", { name: /boats/ }).waitFor();
    await sound(ann);
    await button(ann, "Take out: boats").click();
    await ann.getByText("No document is in it yet.").waitFor();
  });

  it("have agents begin with what is put in, and say what came of it", async () => {
    await ann.getByText("No agent begins by itself here.").waitFor();
    const form = ann.getByRole("form", { name: "Have an agent begin with each document" });
    await form.getByLabel("Agent").selectOption({ index: 0 });
    const chosen = (await form.getByRole("option").first().textContent())!.split(":")[0]!;
    await button(ann, "Have it begin").click();
    await button(ann, `No longer: ${chosen}`).waitFor();
    await ann.goto(`${home}/documents`);
    await ann.getByRole("table", { name: "Documents" }).getByRole("link", { name: "boats" }).click();
    await within().getByLabel("Container", { exact: true }).selectOption({ label: "Weather" });
    await button(within(), "Put it in").click();
    await within().getByRole("link", { name: "Weather" }).click();
    await ann.getByRole("list", { name: "What was begun last" }).getByText("with boats").waitFor();
    await sound(ann);
    await button(ann, `No longer: ${chosen}`).click();
    await ann.getByText("No agent begins by itself here.").waitFor();
    await button(ann, "Take out: boats").click();
    await ann.getByText("No document is in it yet.").waitFor();
  });

  it("tells what documents are about, by the words in them, and what to examine first", async () => {
    await upload("banks", "# Banks\n\nThe central bank raised interest rates; banks froze loans, credit and bonds.\n");
    await ann.goto(`${home}/documents`);
    await ann.getByRole("link", { name: "What they are about" }).click();
    const row = ann.getByRole("row", { name: /^banks/ });
    await row.getByText("Financial").click();
    await row.locator("mark").first().waitFor();
    await sound(ann);
    await ann.getByRole("link", { name: "Variables of the environment (PMESII-PT)" }).click();
    await ann.getByRole("region", { name: "PMESII-PT" }).waitFor();
    await ann.getByRole("link", { name: "What to examine first" }).click();
    await ann.getByRole("row", { name: /^Economic/ }).waitFor();
    await sound(ann);
    await ann.goto(`${home}/containers/none`);
  });

  it("are changed and removed; the documents stay", async () => {
    await ann.getByRole("link", { name: "All containers" }).click();
    await button(ann, "Change Crossings").click();
    const dialog = ann.getByRole("dialog");
    await dialog.getByLabel("Name").fill("River crossings");
    await button(dialog, "Keep").click();
    await ann.getByRole("link", { name: "River crossings" }).waitFor();
    await button(ann, "Change the category Logistics").click();
    await dialog.getByLabel("Name").fill("Supply and movement");
    await sound(ann);
    await button(dialog, "Keep").click();
    await ann.getByRole("region", { name: "Supply and movement" }).waitFor();
    await button(ann, "Change the category Supply and movement").click();
    await dialog.getByLabel("Name").fill("Logistics");
    await button(dialog, "Keep").click();
    // Its containers go to another category.
    await button(ann, "Remove the category Logistics").click();
    await dialog.getByText("1 container stands under it, and there is no other category.").waitFor();
    await sound(ann);
    await button(dialog, "Close").click();
    await button(ann, "Add a category").click();
    await dialog.getByLabel("Name").fill("Means");
    await button(dialog, "Add").click();
    await ann.getByRole("region", { name: "Means" }).waitFor();
    await button(ann, "Remove the category Logistics").click();
    await dialog.getByLabel("Its containers then stand under").selectOption({ label: "Means" });
    await button(dialog, "Remove it").click();
    await ann.getByRole("region", { name: "Logistics" }).waitFor({ state: "detached" });
    await ann.getByRole("region", { name: "Means" }).getByRole("link", { name: "River crossings" }).waitFor();
    await button(ann, "Remove River crossings").click();
    await sound(ann);
    await button(dialog, "Remove").click();
    await ann.getByText("3 documents are in no container").waitFor();
    await sound(ann);
  });
});
