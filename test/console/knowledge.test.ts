import type { Page } from "playwright-core";
import { account } from "../identity/browser.ts";
import { consoleWorld, inChromium, sound, type ConsoleWorld } from "./console.ts";

// The graph in the console, as an analyst meets it who has a report and a question.

const REPORT =
  "Director Ines Amaro of the Harbour Authority met Colonel Marek Dvorak in Lissen. Colonel Marek Dvorak commands the 4th Engineer Battalion. Tarn accused Belmora of closing the Orra Dam.";
const SECOND =
  "Foreign Minister Petra Sedlak of Tarn met Colonel Marek Dvorak in Brenn. Director Ines Amarro praised Tarn.";

inChromium("the graph in the console", () => {
  let desk: ConsoleWorld;
  let page: Page, deputy: Page;
  let set: string;

  beforeAll(async () => {
    desk = await consoleWorld();
    page = await desk.person();
    const made = await desk.at.http("POST", "/api/problem-sets", { body: { name: "Calder Strait" } });
    set = made.body.data.id;
  });
  afterAll(() => desk.stop());

  async function report(title: string, text: string): Promise<void> {
    await page.goto(`/knowledge/feed?set=${set}`);
    const form = page.getByRole("form", { name: "Add a report" });
    await form.getByLabel("Title").fill(title);
    await form.getByLabel("Text").fill(text);
    await form.getByRole("button", { name: "Add and read" }).click();
    await page.getByText("were found by rules").waitFor();
  }
  const open = async (name: string): Promise<void> => {
    await page.goto(`/knowledge?set=${set}&q=${encodeURIComponent(name)}`);
    await page.getByRole("table", { name: "Entities found" }).getByRole("link", { name, exact: true }).click();
    await page.getByRole("heading", { name, exact: true, level: 1 }).waitFor();
  };

  it("is empty at first and says what to do; a report that is put in is read at once", async () => {
    await page.goto(`/knowledge?set=${set}`);
    await page.getByText("Nothing is in this graph yet").waitFor();
    await sound(page);
    await page.getByRole("link", { name: "Add a report or news" }).last().click();
    await page.getByText("No document is here yet").waitFor();
    await report("Port watch", REPORT);
    await page.getByRole("heading", { name: "Port watch" }).waitFor();
    await page.getByRole("link", { name: "Marek Dvorak" }).waitFor();
    // The list says what is in the graph already, and asks for nothing a second time.
    const row = page.getByRole("table", { name: "Newest documents" }).getByRole("row", { name: /Port watch/ });
    await row.getByText(/^in the graph/).waitFor();
    await row.getByText(/\d+ entities, \d+ relations/).waitFor();
    await row.getByRole("button").waitFor({ state: "detached" });
    await sound(page);
    await page.getByRole("link", { name: "Show them as a picture" }).click();
    await page.getByText("names is shown.").waitFor();
    await page.getByRole("link", { name: /^Marek Dvorak, person/ }).waitFor();
  });

  it("finds somebody whose name is misspelt, and shows them with the words for each line", async () => {
    await page.goto(`/knowledge?set=${set}`);
    await page.getByRole("region", { name: "Most central" }).getByRole("link", { name: "Marek Dvorak" }).waitFor();
    await sound(page);
    await page.getByLabel("Name").fill("Marek Dvorka");
    await page.getByRole("button", { name: "Find" }).click();
    await page.getByRole("link", { name: "Marek Dvorak" }).click();
    const relations = page.getByRole("region", { name: /^Relations/ });
    await relations.getByText("Colonel Marek Dvorak commands the 4th Engineer Battalion.").first().waitFor();
    await relations.getByRole("link", { name: "Port watch" }).first().waitFor();
    await sound(page);
  });

  it("is gone through by keys, and tells how two are connected", async () => {
    await open("Marek Dvorak");
    const picture = page.getByRole("group", { name: /^What is around Marek Dvorak: / });
    const centre = picture.getByRole("link", { name: /^Marek Dvorak, / });
    await centre.focus();
    const focused = () => page.evaluate("document.activeElement.getAttribute('aria-label')") as Promise<string>;
    for (const key of ["ArrowRight", "ArrowLeft", "ArrowUp", "ArrowDown"]) {
      await page.keyboard.press(key);
      if (!(await focused()).startsWith("Marek")) break;
    }
    const other = (await focused()).split(",")[0]!;
    expect(other).not.toBe("Marek Dvorak");
    await page.keyboard.press("+");
    await page.getByRole("button", { name: "Show all" }).click();
    await picture.getByRole("link", { name: new RegExp(`^${other}, `) }).press("Enter");
    await page.getByRole("heading", { name: other, exact: true, level: 1 }).waitFor();

    await open("4th Engineer Battalion");
    await page.getByLabel("With").fill("Amaro");
    await page.getByRole("button", { name: "Find" }).click();
    await page.getByRole("link", { name: "Ines Amaro" }).click();
    await page.getByText("The shortest way has 2 steps.").waitFor();
    await sound(page);
    await page.goto(`${page.url().split("?")[0]}?towards=Belmora&to=none`);
    await page.getByText("Nothing connects the two").waitFor();
  });

  it("keeps what people judge of two names, with their reasons, and takes it back", async () => {
    await report("Talks", SECOND);
    await page.getByRole("link", { name: "Same or not" }).click();
    // The words for both sides are there, side by side.
    const pair = page
      .getByRole("listitem")
      .filter({ has: page.getByRole("button", { name: /^They are the same: Ines/ }) });
    await pair.first().getByText("What is said of each").click();
    await pair.first().getByRole("heading", { name: "Ines Amarro" }).waitFor();
    await pair.first().getByRole("heading", { name: "Ines Amaro", exact: true }).waitFor();
    await pair.first().getByRole("link", { name: "Talks" }).first().waitFor();
    await sound(page);
    await page
      .getByRole("button", { name: /^They are the same: Ines Amar/ })
      .first()
      .click();
    const dialog = page.getByRole("dialog", { name: "They are the same" });
    await dialog.getByLabel("Why").fill("One director, a typing error.");
    await sound(page);
    await dialog.getByRole("button", { name: "Judge so" }).click();
    await page.getByText("One director, a typing error.").waitFor();
    await sound(page);
    await page.getByRole("button", { name: /^Separate again: Ines/ }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Separate" }).click();
    await page.getByText("not the same", { exact: true }).waitFor();
  });

  it("has events on a line of time, and goes out and in as a file that others read", async () => {
    await page.goto(`/knowledge/events?set=${set}`);
    await page.getByText("No event is known yet.").waitFor();
    await page.getByRole("button", { name: "Write an event down" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel("What happened").fill("The bridge at Karsk was closed");
    await sound(page);
    await dialog.getByRole("button", { name: "Write down" }).click();
    await page.getByRole("link", { name: "The bridge at Karsk was closed" }).waitFor();
    await sound(page);
    await page.goto(`/knowledge/feed?set=${set}`);
    const [file] = await Promise.all([
      page.waitForEvent("download"),
      page.getByRole("link", { name: "Download this graph" }).click(),
    ]);
    await page.getByLabel("A STIX bundle from elsewhere").setInputFiles((await file.path())!);
    await page.getByRole("button", { name: "Bring in" }).click();
    await page.getByText(/objects? came in/).waitFor();
  });

  async function member(role: string): Promise<Page> {
    const { email } = await account(desk.at, { name: role, role: "analyst" });
    const invited = await desk.at.http("POST", `/api/problem-sets/${set}/invite`, { body: { role } });
    const them = await desk.person(email);
    await them.request.post("/api/problem-sets/invite/accept-by-code", {
      data: { code: invited.body.data.code },
      headers: { "sec-fetch-site": "same-origin" },
    });
    return them;
  }

  it("is read by an observer, live, who changes nothing and sees nothing of a compartment", async () => {
    const jana = await member("observer");
    deputy = await member("deputy");
    const { data: members } = (await desk.at.http("GET", `/api/problem-sets/${set}/members`)).body;
    const { did } = members.find(({ role }: { role: string }) => role === "deputy");
    const compartments = `/api/problem-sets/${set}/compartments`;
    const { id } = (await desk.at.http("POST", compartments, { body: { name: "Source" } })).body.data;
    await desk.at.http("POST", `${compartments}/${id}/members`, { body: { did } });
    await jana.goto(`/knowledge/likeness?set=${set}`);
    await jana.getByText("To be judged").waitFor();
    await jana.getByText("not the same", { exact: true }).waitFor();
    expect(await jana.getByRole("button", { name: /^They are|^Take back|^Separate/ }).count()).toBe(0);
    await jana.goto(`/knowledge?set=${set}&kind=person`);
    await jana.getByRole("link", { name: "Marek Dvorak" }).first().waitFor();

    await deputy.goto(`/knowledge/feed?set=${set}`);
    await deputy.getByLabel("Source").check();
    await deputy.getByLabel("Text").fill("Major Viktor Sokol met Colonel Marek Dvorak in Lissen.");
    await deputy.getByRole("button", { name: "Add and read" }).click();
    await deputy.getByRole("link", { name: "Viktor Sokol" }).waitFor();
    await report("Open", "Captain Lena Fiala met Colonel Marek Dvorak in Lissen.");
    await jana.getByRole("link", { name: "Lena Fiala" }).waitFor();
    expect(await jana.getByText("Sokol").count()).toBe(0);
  });

  it("has objectives, which somebody else decides than who put them up, in the sight of both", async () => {
    await page.goto(`/knowledge/strategy?set=${set}`);
    await page.getByText("No objective is known yet.").waitFor();
    await page.getByRole("button", { name: "Write an objective" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel("What is to be reached").fill("Open the northern road to trucks");
    await dialog.getByLabel("Measured by").fill("load it carries");
    await dialog.getByLabel("It must get to").fill("20");
    await dialog.getByLabel("By when").fill("2030-05-01");
    await sound(page);
    await dialog.getByRole("button", { name: "Keep as a draft" }).click();
    await page.getByRole("heading", { name: "Open the northern road to trucks", level: 1 }).waitFor();
    await page.getByRole("button", { name: "Assess it" }).click();
    await dialog.getByLabel("load it carries").fill("5");
    await dialog.getByLabel("What shows it").fill("Report of the engineers");
    await dialog.getByRole("button", { name: "Keep" }).click();
    await page.getByText("25 %").waitFor();
    await page.getByRole("button", { name: "Check it" }).click();
    await page.getByRole("list", { name: "What was checked" }).waitFor();
    await page.getByRole("button", { name: "Put it up for review" }).click();
    await dialog.getByRole("button", { name: "Put it up for review" }).click();
    await page.getByText("Whoever put an objective up for review does not review it.").waitFor();
    await sound(page);

    await deputy.goto(`/knowledge/strategy?set=${set}`);
    const waiting = deputy.getByRole("region", { name: "Waits for a decision" });
    await waiting.getByRole("link", { name: "Open the northern road to trucks" }).waitFor();
    await sound(deputy);
    await waiting.getByRole("link", { name: "Open the northern road to trucks" }).click();
    await deputy.getByRole("button", { name: "Reject" }).click();
    await deputy.getByRole("dialog").getByLabel("Why").fill("Nobody answers for it.");
    await deputy.getByRole("dialog").getByRole("button", { name: "Reject" }).click();
    await page.getByText("rejected it: Nobody answers for it.").waitFor();
  });
});
