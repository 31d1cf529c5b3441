import type { Page } from "playwright-core";
import { systemActor } from "../../core/access/access.ts";
import { modelStandIn, type StandIn } from "../../adapters/llm/stand-in.ts";
import type { JobRun } from "../../core/work/job.ts";
import { account } from "../identity/browser.ts";
import { lettersTo, post } from "../identity/letters.ts";
import { FeedServer, rss, stories } from "../news/feed-server.ts";
import { eventually, itInside, PASSWORD } from "../mesh.ts";
import { as, openSet, persons } from "../workspace/people.ts";
import { consoleWorld, inChromium, sound, type ConsoleWorld } from "./console.ts";

// Running the installation from the console: what needs somebody, accounts, settings, work, the log, letters.

inChromium("the administration in the console", () => {
  let desk: ConsoleWorld;
  let page: Page;
  let model: StandIn;
  let feeds: FeedServer;
  beforeAll(async () => {
    [desk, model, feeds] = [await consoleWorld(), await modelStandIn(), await FeedServer.start()];
    page = await desk.person();
  });
  afterAll(async () => {
    await desk.stop();
    await Promise.all([model.close(), feeds.stop()]);
  });

  const click = (name: string) => page.getByRole("button", { name, exact: true }).click();
  const dialog = (name: string | RegExp) => page.getByRole("dialog", { name });
  const told = (words: string | RegExp) => page.getByText(words).first().waitFor();

  it("begins with what needs somebody", async () => {
    await page.goto("/platform");
    const needed = page.getByRole("region", { name: "What needs you" });
    await needed.getByText("No mail server is set.").waitFor();
    await needed.getByText("No language model is set.").waitFor();
    await page.getByRole("meter", { name: /^Load of / }).waitFor();
    await page.getByText("takes requests").waitFor();
    await page.getByRole("table", { name: "Jobs" }).or(page.getByText("Nothing was done in the background")).waitFor();
    await sound(page);
  });

  it("makes an account, gives it a role, suspends it", async () => {
    await page.getByRole("link", { name: "Accounts" }).click();
    await click("Make an account");
    const make = dialog("Make an account");
    await make.getByLabel("Email").fill("new.colleague@example.org");
    await make.getByLabel("Name").fill("Nora");
    await make.getByLabel("Role").selectOption("analyst");
    await make.getByText("Also follows sources").waitFor();
    await sound(page);
    await make.getByText("No mail server is set, so that the link reaches nobody").waitFor();
    await make.getByRole("button", { name: "Make the account" }).click();
    await told("new.colleague@example.org has an account. No mail server is set");
    await click("Change: Nora");
    await dialog("Change Nora").getByLabel("Role").selectOption("reader");
    await dialog("Change Nora").getByRole("button", { name: "Save" }).click();
    await page.getByRole("row", { name: /Nora.*Reader/ }).waitFor();
    await click("Suspend: Nora");
    await dialog("Suspend Nora?").getByRole("button", { name: "Suspend" }).click();
    await page.getByRole("row", { name: /Nora.*suspended/ }).waitFor();
    await sound(page);
    await page.getByLabel("State").selectOption("false");
    await click("Show");
    await click("Let in again: Nora");
    await told("No account fits these filters.");
    expect(new URL(page.url()).search).toBe("?active=false");
  });

  it("makes accounts of an organisation from a pasted list, and finds one by the beginning of a name", async () => {
    await page.getByRole("link", { name: "Accounts" }).click();
    await page.getByRole("link", { name: "Make several" }).click();
    await told("No mail server is set, so that the link reaches nobody");
    await page
      .getByRole("textbox", { name: "Addresses" })
      .fill('Name, address\n"Lovelace, Ada" <ada@river.example>; Ben Ng <ben@river.example>\nadmin@example.org');
    await told("3 addresses, 2 with a name. 1 line has none");
    await page.getByLabel("Role").selectOption("analyst");
    await click("Make 3 accounts");
    await told("2 accounts are made; 1 address was not taken.");
    await page
      .getByRole("row", { name: /admin@example\.org not made This address has an account already\./ })
      .waitFor();
    await sound(page);
    await page.getByRole("link", { name: "See all accounts" }).click();
    await page.getByLabel("Name or address").fill("love");
    await click("Show");
    await page.getByRole("row", { name: /^Ada Lovelace ada@river\.example Analyst/ }).waitFor();
    // She alone, below the heading: who does not fit goes once the answer is there.
    await page.getByRole("table", { name: "Accounts" }).getByRole("row").nth(2).waitFor({ state: "detached" });
    await sound(page);
  });

  it("reads the letter that nobody got", async () => {
    const email = "reads.letters@example.org";
    await desk.at.http("POST", "/api/auth/users", { body: { email } });
    post(desk.at);
    await eventually(
      () => lettersTo(desk.at, email),
      (letters) => letters.length > 0,
    );
    await page.getByRole("link", { name: "Letters" }).click();
    await page.locator("summary", { hasText: `to ${email}` }).click();
    expect(await page.locator("pre.letter a").first().getAttribute("href")).toMatch(/\/link#welcome=/);
    await sound(page);
  });

  it("sets the language model: tries it, saves it with a reason, and brings back what was", async () => {
    await page.getByRole("link", { name: "Settings" }).click();
    await page.getByLabel("Address").fill("http://127.0.0.1:9/v1");
    await click("Try it first");
    // Said at the field.
    await page.getByLabel("Address").and(page.locator('[aria-invalid="true"]')).waitFor();
    await sound(page);
    await page.getByLabel("Address").fill(model.baseUrl);
    await page.getByLabel("Model", { exact: true }).fill("stand-in-1");
    await page.getByLabel("Key", { exact: true }).fill("sk-a-key-for-the-stand-in");
    await click("Try it first");
    await told("It would be taken as it is. Nothing was stored.");
    await page.getByLabel("Why").fill("We have a contract now");
    await click("Save");
    await told("Version 1, saved");
    const first = page.getByRole("row", { name: /We have a contract now/ });
    await first.getByText("Model: as set at the start → stand-in-1").waitFor();
    await first.getByText("Key: set").waitFor();
    await told("ending in d-in");
    await sound(page);
    await page.getByLabel("Tries again").fill("5");
    await click("Save");
    await page.getByRole("listitem").filter({ hasText: "Tries again: as set at the start → 5" }).waitFor();
    await click("Bring back version 1");
    await dialog("Bring back version 1?").getByLabel("Why").fill("Five is too many");
    await dialog("Bring back version 1?").getByRole("button", { name: "Bring it back" }).click();
    await told("Brought back version 1.");
    await page.getByRole("link", { name: "Limits of agents" }).click();
    await page.getByLabel("Steps of a run").fill("0");
    await click("Save");
    await page.getByLabel("Steps of a run").fill("20");
    await click("Save");
    await page.getByText("Steps of a run: as set at the start → 20").waitFor();
    await page.getByRole("link", { name: "Overview" }).last().click();
    await page.getByText("stand-in-1").waitFor();
  });

  it("switches off a key that somebody misuses", async () => {
    const { email } = await account(desk.at, { name: "Karl" });
    const token: string = (await desk.at.http("POST", "/api/auth/login", { body: { email, password: PASSWORD } })).body
      .data.token;
    const { key } = (await desk.at.http("POST", "/api/keys", { as: token, body: { name: "Scraper" } })).body.data;
    const use = async () =>
      (await desk.at.http("GET", "/api/articles", { as: null, headers: { "x-api-key": key } })).status;
    expect(await use()).toBe(200);
    await page.getByRole("link", { name: "API keys" }).click();
    await sound(page);
    await click("Switch off: Scraper");
    await told("Scraper is off.");
    expect(await use()).toBe(401);
    await click("Remove: Scraper");
    await dialog("Remove Scraper?").getByRole("button", { name: "Remove" }).click();
    await told("Nobody has made a key.");
  });

  it("adds an open source that it has tried", async () => {
    const address = feeds.on("/notices", { body: rss(stories("notices", 3)) });
    await page.getByRole("link", { name: "Open sources" }).click();
    await told("Nothing is collected yet.");
    await click("Add a source");
    const add = dialog("Add a source");
    await add.getByLabel("Name").fill("Port notices");
    await add.getByLabel("Address").fill(feeds.on("/gone", { status: 404 }));
    await add.getByRole("button", { name: "Try it first" }).click();
    await add.locator(".fault").waitFor();
    await add.getByLabel("Address").fill(address);
    await add.getByRole("button", { name: "Try it first" }).click();
    await add.getByText("3 items would come.").waitFor();
    await sound(page);
    await add.getByRole("button", { name: "Add it" }).click();
    await page.getByRole("rowheader", { name: /^Port notices/ }).waitFor();
    await click("Material: Port notices");
    await told("It has brought nothing yet.");
    await click("Pause: Port notices");
    await told("Port notices is paused.");
    await sound(page);
  });

  it("says who may register, and asks before one shuts oneself out", async () => {
    await page.getByRole("link", { name: "Who may register" }).click();
    await told("every domain is admitted.");
    await sound(page);
    const domains = page.getByRole("form", { name: "Domains", exact: true });
    await domains.getByRole("textbox").fill("river.example");
    await domains.getByRole("button", { name: "Save" }).click();
    await domains.getByLabel("Save it even if it shuts out my own address").waitFor();
    await domains.getByRole("textbox").fill("river.example\nexample.org");
    await domains.getByRole("button", { name: "Save" }).click();
    await told("The domains are saved.");
  });

  itInside(
    "watches work in the background, stops it, and has it tried again where it failed",
    async () => {
      // The other side is away at first.
      let isAway = true;
      const run = async (): Promise<void> => {
        if (isAway) throw new Error("The other side is away.");
      };
      desk.at.service("jobs").jobs.work("somebody.works", { run, attempts: 1 }, {});
      await desk.at.service("jobs").jobs.add("somebody.works", {}, { by: "system:test" });
      const untilStopped = ({ signal }: JobRun): Promise<void> =>
        new Promise((_done, stopped) => {
          signal.addEventListener("abort", () => stopped(signal.reason), { once: true });
        });
      desk.at.service("jobs").jobs.work("endless.works", { run: untilStopped }, {});
      await desk.at.service("jobs").jobs.add("endless.works", {}, { by: "system:test" });
      // Nobody takes up this kind of work, so that nobody can end it either.
      await desk.at.service("jobs").jobs.add("nobody.works", {}, { by: "system:test" });
      await page.getByRole("link", { name: "Jobs" }).click();
      await click("Stop: endless.works");
      await page.getByRole("row", { name: /endless\.works.*cancelled/ }).waitFor();
      await click("Stop: nobody.works");
      await page
        .getByRole("row", { name: /^nobody\.works/ })
        .getByText("stopping…")
        .waitFor();
      await page.getByRole("button", { name: "Stop: nobody.works" }).waitFor({ state: "detached" });
      await page.getByRole("row", { name: /somebody\.works.*failed.*The other side is away\./ }).waitFor();
      await sound(page);
      isAway = false;
      await click("Try again: somebody.works");
      await told("The job is tried again.");
      await page.getByRole("row", { name: /somebody\.works.*completed/ }).waitFor();
      await page.getByLabel("State").selectOption("failed");
      await click("Show");
      await told("No job fits these filters.");
      await sound(page);
    },
    120_000,
  );

  it("reads who did what, and verifies that nobody changed the log", async () => {
    await desk.at.http("POST", "/api/auth/login", {
      as: null,
      body: { email: "admin@example.org", password: "a guess of somebody else" },
    });
    await page.getByRole("link", { name: "Audit log" }).click();
    await page.getByRole("rowheader", { name: "make an account" }).first().waitFor();
    await click("Verify the log");
    await told(/entries in \d+ chains? hold together\./);
    await sound(page);
    // Whoever looks for what somebody did knows their address, not their id.
    await page.getByLabel("By", { exact: true }).fill("nobody@example.org");
    await click("Show");
    await page.getByText("No account has the address or name").waitFor();
    await sound(page);
    await page.getByLabel("By", { exact: true }).fill("admin@example.org");
    await click("Show");
    await page.getByText("No account has the address or name").waitFor({ state: "detached" });
    await page.getByRole("link", { name: "not signed in" }).first().waitFor({ state: "detached" });
    await page.getByRole("rowheader", { name: "make an account" }).first().waitFor();
    // Their own sign-ins too; whoever only guessed their password is nobody.
    await page.getByRole("rowheader", { name: "sign in, or begin to" }).first().waitFor();
    await page.getByLabel("By", { exact: true }).fill("");
    await click("Show");
    await page.getByRole("link", { name: "not signed in" }).first().click();
    await page.getByRole("rowheader", { name: "sign in, or begin to" }).first().waitFor();
    await page.getByRole("rowheader", { name: "make an account" }).first().waitFor({ state: "detached" });
    const [file] = await Promise.all([
      page.waitForEvent("download"),
      page.getByRole("link", { name: "Signed checkpoint" }).click(),
    ]);
    expect(file.suggestedFilename()).toBe("audit-checkpoint.json");
  });

  it("tells somebody on any page that they were given another role, and that they were invited", async () => {
    const { email, id } = await account(desk.at, { name: "Rita" });
    const rita = await desk.person(email);
    const line = rita.waitForEvent("websocket");
    await rita.goto("/news/sources");
    // She hears from when the platform has said so.
    await (await line).waitForEvent("framereceived", ({ payload }) => String(payload).includes("live.ready"));
    await rita.getByRole("heading", { name: "Sources", level: 1 }).waitFor();
    await desk.at.http("PUT", `/api/auth/users/${id}`, { body: { role: "admin" } });
    await rita.getByText("Your role on the platform is now: Administrator.").waitFor();
    await rita.getByRole("link", { name: "Administration" }).waitFor();
    const [ann] = await persons(desk.at, "ann");
    const set = await openSet(desk.at, ann, { name: "Flood on the river" });
    const { did } = await desk.at.call("identity.primaryDid", { userId: id }, systemActor("test"));
    await as(desk.at, ann)("POST", `/api/problem-sets/${set}/invite`, { role: "planner", did });
    await rita.getByText('You are invited to "Flood on the river", as planner.').waitFor();
    await sound(rita);
    await rita.context().close();
  });

  it("shows an administrator what they may do, and a reader nothing of it", async () => {
    const { email } = await account(desk.at, { role: "admin", name: "Adam" });
    const admin = await desk.person(email);
    await admin.goto("/platform");
    await admin.getByRole("link", { name: "Audit log" }).waitFor();
    expect(await admin.getByRole("link", { name: "Accounts" }).count()).toBe(0);
    const reader = await desk.person((await account(desk.at)).email);
    await reader.goto("/platform");
    await reader.getByRole("navigation", { name: "Main" }).waitFor();
    expect(await reader.getByRole("link", { name: "Administration" }).count()).toBe(0);
    await reader.getByText("Nothing is here").waitFor();
  });
});
