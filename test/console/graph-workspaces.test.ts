import type { Page } from "playwright-core";
import { put } from "../knowledge/documents.requests.ts";
import { eventually } from "../mesh.ts";
import { made } from "../workspace/desk.ts";
import { admit, openCompartment, openSet, type Person } from "../workspace/people.ts";
import { consoleWorld, inChromium, sound, type ConsoleWorld } from "./console.ts";
import { browserOf, button } from "./people.ts";

// Parts of a graph that Ann keeps under a name for all; Ben is read into a compartment, Eve only reads.

const PORT = "Director Ines Amaro of the Harbour Authority met Colonel Marek Dvorak in Lissen.";
const DAM = "Tarn accused Belmora of closing the Orra Dam. Foreign Minister Petra Sedlak of Tarn met Karel Novak.";
const SECRET = "Major Viktor Sokol met Colonel Marek Dvorak in Lissen.";

inChromium("workspaces of the graph in the console", () => {
  let desk: ConsoleWorld;
  let ann: Page, ben: Page, eve: Page;
  let annika: Person, benno: Person, evelyn: Person;
  let set: string, port: string;

  /** Puts a report in and has it read into the graph. */
  async function report(title: string, text: string, who: Person, place: Record<string, string> = {}): Promise<string> {
    const { id } = await put(desk.at, who, text, `${title}.txt`, { problemSetId: set, title, ...place });
    const { jobId } = await made(desk.at, "POST", `/api/graph/graph/build/${id}`, {}, who);
    await eventually(
      () => made(desk.at, "GET", `/api/jobs/${jobId}`, undefined, who),
      ({ status }) => status === "completed",
    );
    return id;
  }

  beforeAll(async () => {
    desk = await consoleWorld();
    [[ann, annika], [ben, benno], [eve, evelyn]] = await Promise.all([
      browserOf(desk, "Ann"),
      browserOf(desk, "Ben"),
      browserOf(desk, "Eve"),
    ]);
    set = await openSet(desk.at, annika, { name: "Calder Strait" });
    await admit(desk.at, set, benno, "planner");
    await admit(desk.at, set, evelyn, "liaison");
    const source = await openCompartment(desk.at, set, annika, "Source", benno);
    port = await report("Port", PORT, annika);
    await report("Dam", DAM, annika);
    await report("Secret", SECRET, benno, { compartments: source });
  });
  afterAll(() => desk.stop());

  const dialog = (page: Page) => page.getByRole("dialog");
  const list = (page: Page) => page.getByRole("table", { name: "Workspaces", exact: true });

  it("are kept from what one looks at, opened, changed and deleted, in the sight of all", async () => {
    await eve.goto(`/knowledge?set=${set}`);
    await eve.getByRole("link", { name: "Workspaces", exact: true }).click();
    await eve.getByText("None is kept yet. Analysts, planners and deputies keep them.").waitFor();
    expect(await button(eve, "Keep a workspace").count()).toBe(0);
    await sound(eve);
    await ann.goto(`/knowledge?set=${set}&document=${port}`);
    await button(ann, "Keep this view").click();
    await dialog(ann).getByLabel("Name").fill("The port");
    expect(await dialog(ann).getByLabel("Port", { exact: true }).isChecked()).toBe(true);
    await sound(ann);
    await button(dialog(ann), "Keep").click();
    await ann.getByRole("heading", { name: "The port", exact: true, level: 1 }).waitFor();
    await ann.getByRole("link", { name: /^Marek Dvorak, person/ }).waitFor();
    expect(await ann.getByText("Belmora").count()).toBe(0);
    await ann.getByText("It takes in what 1 document names.").first().waitFor();
    await sound(ann);
    await list(eve).getByRole("link", { name: "The port" }).click();
    await eve.getByRole("heading", { name: "The port", exact: true, level: 1 }).waitFor();
    expect(await button(eve, "Change it").count()).toBe(0);

    await button(ann, "Change it").click();
    await dialog(ann).getByLabel("Name").fill("Port and dam");
    await dialog(ann).getByLabel("Dam", { exact: true }).check();
    await dialog(ann).getByLabel("Person", { exact: true }).check();
    await button(dialog(ann), "Keep").click();
    await eve.getByRole("heading", { name: "Port and dam", exact: true, level: 1 }).waitFor();
    await eve.getByText("It takes in what 2 documents name; of that only: person.").first().waitFor();
    const kinds = eve.getByRole("region", { name: "By kinds" });
    await kinds.getByText("Person (4)").click();
    await kinds.getByRole("link", { name: "Karel Novak" }).click();
    await eve.getByRole("heading", { name: "Karel Novak", exact: true, level: 1 }).waitFor();
    expect(await button(eve, "Put into a workspace").count()).toBe(0);

    await button(ann, "Delete").click();
    await dialog(ann).getByText("The graph itself stays as it is.").waitFor();
    await sound(ann);
    await button(dialog(ann), "Delete").click();
    await ann.getByText("None is kept yet.").waitFor();
  });

  it("take in an entity with its neighbours, and show each reader what they may see of it", async () => {
    await ben.goto(`/knowledge?set=${set}&q=Marek%20Dvorak`);
    await ben.getByRole("table", { name: "Entities found" }).getByRole("link", { name: "Marek Dvorak" }).click();
    await button(ben, "Put into a workspace").click();
    await button(dialog(ben), "Put it in").click();
    await dialog(ben).locator("small.fault").waitFor();
    await sound(ben);
    await dialog(ben).getByLabel("Name of a new one").fill("Around Dvorak");
    await button(dialog(ben), "Put it in").click();
    await ben.getByText("Marek Dvorak is in it, with all neighbours.").waitFor();
    for (const page of [ben, eve]) {
      await page.goto(`/knowledge/workspaces?set=${set}`);
      await list(page).getByRole("link", { name: "Around Dvorak" }).click();
      await page.getByRole("link", { name: /^Ines Amaro, person/ }).waitFor();
    }
    await ben.getByRole("link", { name: /^Viktor Sokol, person/ }).waitFor();
    expect(await eve.getByText("Sokol").count()).toBe(0);
    await sound(ben);
    await ben.goto(`/knowledge/workspaces?set=${set}`);
    await button(ben, "Keep a workspace").click();
    await dialog(ben).getByLabel("Name").fill("Only ours");
    await dialog(ben).getByLabel("Secret", { exact: true }).check();
    await button(dialog(ben), "Keep").click();
    await dialog(ben).getByText("There is no such document for everybody who sees the workspace.").waitFor();
    await dialog(ben).getByLabel("Who sees it").selectOption({ label: "Only those read into Source" });
    await button(dialog(ben), "Keep").click();
    await ben.getByText("only for: Source").waitFor();
    await eve.goto(new URL(ben.url()).pathname);
    await eve.getByText("It may have been removed.").waitFor();
  });
});
