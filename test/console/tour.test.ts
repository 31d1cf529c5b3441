import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { chromium, type Browser, type Page } from "playwright-core";
import { chromiumPath } from "../chromium.ts";
import { serveDemo } from "../tour.ts";
import { inChromium } from "./console.ts";

// The README's tour in the browser, step by step, on the platform that `npm run demo -- serve` makes.

inChromium("the README's tour in the browser", () => {
  const folder = mkdtempSync(join(tmpdir(), "signalmesh-tour-"));
  const README = readFileSync("README.md", "utf8");
  let demo: ChildProcess;
  let browser: Browser;
  let home: string;

  beforeAll(async () => {
    ({ child: demo, home } = await serveDemo(folder));
    browser = await chromium.launch({ executablePath: chromiumPath(), args: ["--no-sandbox"] });
  });
  afterAll(async () => {
    await browser?.close();
    const ended = once(demo, "exit");
    demo.kill();
    await ended;
    rmSync(folder, { recursive: true, force: true });
  });

  /** Signs in with what the README says. */
  async function signedIn(email: string): Promise<Page> {
    const password = new RegExp(`\`${email}\`\\s+with\\s+\`([^\`]+)\``).exec(README)![1]!;
    const page = await (await browser.newContext({ baseURL: home })).newPage();
    await page.goto("/");
    await page.getByLabel("Email").fill(email);
    await page.getByLabel("Password").fill(password);
    await page.getByRole("button", { name: "Sign in", exact: true }).click();
    await page.getByRole("heading", { level: 1, name: "Overview" }).waitFor();
    return page;
  }

  it("reads the briefing, sees why an article is trusted, and keeps what lies in a compartment apart", async () => {
    const me = await signedIn("me@example.org");
    const menu = me.getByRole("navigation", { name: "Main" });
    const within = (region: string) => me.getByRole("region", { name: region });

    await within("The latest briefing")
      .getByRole("link", { name: /^Briefing, / })
      .click();
    await within("In brief").getByRole("link", { name: "Ward Round" }).first().click();

    await me.getByRole("button", { name: "Check this article" }).click();
    await me.getByText("Corroborated by").first().waitFor();
    await within("How the confidence adds up").getByRole("table").waitFor();

    await menu.getByRole("link", { name: "Claims" }).click();
    await me.getByRole("button", { name: "Compare the newest articles" }).click();
    const contradicted = me.getByRole("listitem").filter({ hasText: "Contradicted by" });
    await contradicted.filter({ hasText: "In all 41 vessels" }).first().waitFor();

    await menu.getByRole("link", { name: "Sources" }).click();
    await me.getByRole("button", { name: "Follow a source" }).waitFor();
    // The six that are followed, below their headings.
    await me.getByRole("row").nth(6).waitFor();

    await menu.getByRole("link", { name: "Problem sets" }).click();
    await me.getByRole("link", { name: "Flood on the upper Morava" }).click();
    await me.getByRole("link", { name: "Missions", exact: true }).click();
    await me.getByRole("link", { name: "Evacuate zone A" }).waitFor();
    const jana = await signedIn("colleague@example.org");
    await jana.goto(new URL(me.url()).pathname);
    await jana.getByRole("link", { name: "Evacuate zone A" }).waitFor();
    expect(await jana.getByText("Watch the Lipno dam").count()).toBe(0);
    await me.getByRole("link", { name: "Compartments" }).click();
    await me.getByRole("link", { name: "Dam safety" }).click();
    await me.getByLabel("Person").selectOption({ label: "Jana" });
    await me.getByRole("button", { name: "Read in", exact: true }).click();
    await me.getByRole("button", { name: "Read out: Jana" }).waitFor();
    await jana.reload();
    await jana.getByRole("link", { name: "Watch the Lipno dam" }).waitFor();
    await me.getByRole("link", { name: "Missions", exact: true }).click();
    await me.getByRole("link", { name: "Evacuate zone A" }).waitFor();
    expect(await me.getByText("Watch the Lipno dam").count()).toBe(0);

    await menu.getByRole("link", { name: "Picture" }).click();
    await within("1 contradiction on the map").getByText("Convoy 2 is reported at two places").waitFor();
    await me.getByRole("button", { name: /^Boat 4/ }).waitFor();
    await me.getByRole("link", { name: "Resources", exact: true }).click();
    await within("1 open alarm").getByRole("link", { name: "Gauge at Dolany" }).waitFor();

    await menu.getByRole("link", { name: "Graph" }).click();
    await within("Where there is friction").getByText("Morava River Authority").first().waitFor();
    await me.getByRole("link", { name: "Intelligence" }).click();
    await me.getByRole("link", { name: "Choose two reports" }).click();
    await me.getByLabel("Report of the crisis staff, eight in the morning").check();
    await me.getByLabel("Report by radio from Dolany, nine in the morning").check();
    await me.getByRole("button", { name: "Compare" }).click();
    const apart = within("Do they contradict each other?").getByRole("listitem");
    await apart.filter({ hasText: "still stands" }).filter({ hasText: "gave way" }).waitFor();
    await apart.filter({ hasText: "120 people" }).filter({ hasText: "40 people" }).waitFor();

    await me.getByRole("link", { name: "Strategy" }).click();
    await me.getByRole("link", { name: "Road 444 is cut before the last bus has left." }).click();
    await me.getByRole("button", { name: /^Accept: Road 444/ }).click();
    await me.getByRole("dialog").getByRole("button", { name: "Accept it", exact: true }).click();
    await me.getByText("Accepted by Ilona").waitFor();

    await menu.getByRole("link", { name: "Assistant" }).click();
    await me.getByRole("button", { name: "How do I follow a source?" }).click();
    await me.getByRole("list", { name: "What it rests on" }).getByRole("link", { name: "Sources" }).first().waitFor();
  });
});
