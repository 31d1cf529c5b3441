import type { Page } from "playwright-core";
import { serveDemoFeeds } from "../../scripts/demo/feeds.ts";
import { account } from "../identity/browser.ts";
import { FeedServer } from "../news/feed-server.ts";
import { eventually } from "../mesh.ts";
import { consoleWorld, inChromium, sound, type ConsoleWorld } from "./console.ts";

// A briefing in the console: ordered, watched while it is made, read with its citations, taken along.

inChromium("briefings in the console", () => {
  let desk: ConsoleWorld;
  let page: Page;
  let reader: Page;
  let feeds: Awaited<ReturnType<typeof serveDemoFeeds>>;
  let receiver: FeedServer;

  beforeAll(async () => {
    [feeds, receiver] = [await serveDemoFeeds(), await FeedServer.start()];
    receiver.on("/hook", { status: 410 });
    receiver.on("/desk", { status: 204 });
    desk = await consoleWorld({
      ALLOW_PRIVATE_FEEDS: "on",
      WEBHOOK_URL: `${receiver.url}/hook`,
      WEBHOOK_SECRET: "a shared secret of some length",
      DELIVERY_WEBHOOKS: `desk=${receiver.url}/desk`,
    });
    for (const { name: short, path, domain } of feeds.sources) {
      // A name fills a line of its own, and no phone is as wide.
      const name =
        short === "Ward Round" ? `${short}, of all clinics, wards and practices between the two rivers` : short;
      const { body } = await desk.at.http("POST", "/api/sources", { body: { name, url: feeds.base + path, domain } });
      await desk.at.http("POST", `/api/sources/${body.data.id}/refresh`);
    }
    await eventually(
      async () => (await desk.at.http("GET", "/api/search/status")).body.data,
      ({ waiting, indexed }) => !waiting && indexed >= 14,
    );
    page = await desk.person();
  });
  afterAll(async () => {
    await desk.stop();
    await receiver.stop();
    feeds.server.closeAllConnections();
    feeds.server.close();
  });

  it("says that there is none yet, and shows no button to whoever may not make one", async () => {
    const { email } = await account(desk.at, { role: "reader" });
    reader = await desk.person(email);
    await reader.goto("/news/briefings");
    await reader.getByText("No briefing was made yet.").waitFor();
    expect(await reader.getByRole("button", { name: "Make a briefing" }).count()).toBe(0);
    await page.goto("/news/briefings");
    await page.getByText("No briefing was made yet.").waitFor();
    await sound(page);
  });

  it("makes the first one, shows it when it is there, and also to somebody else at once", async () => {
    await page.getByRole("button", { name: "Make a briefing" }).click();
    const dialog = page.getByRole("dialog", { name: "Make a briefing" });
    await sound(page);
    await dialog.getByLabel("Of what was published in").selectOption({ label: "the last three days" });
    await dialog.getByRole("button", { name: "Make it" }).click();
    await page.getByRole("heading", { name: /^Briefing, /, level: 1 }).waitFor();
    await reader.getByRole("link", { name: /^Briefing, / }).waitFor();
    await reader.context().close();
  });

  it("tells each story with its sources, its confidence, and where the sources disagree", async () => {
    const strait = page.getByRole("article", { name: /Calder Strait open again/ });
    await strait.getByText(/confidence, \d+ %$/).waitFor();
    await strait.getByText("2 independent sources").waitFor();
    await strait.getByText("sources disagree").waitFor();
    expect(
      await strait
        .getByRole("link", { name: /^Meridian Wire: Ports of Calder Strait/ })
        .first()
        .getAttribute("href"),
    ).toMatch(/^\/news\/articles\/\d+$/);
    await page.getByRole("heading", { name: "Reported, listed only" }).first().waitFor();
    await page
      .getByRole("region", { name: "How it was made" })
      .getByText("extraction without a language model")
      .waitFor();
    await page.getByRole("navigation", { name: "In this briefing" }).getByRole("link", { name: "Health" }).click();
    expect(page.url()).toMatch(/#health$/);
    await sound(page);
  });

  it("is taken along as PDF, as a page and as text, and sent to a channel", async () => {
    for (const [name, type] of [
      ["PDF", "application/pdf"],
      ["HTML", "text/html"],
    ]) {
      const href = await page.getByRole("link", { name, exact: true }).getAttribute("href");
      const answer = await page.request.get(href!);
      expect(answer.headers()["content-type"]).toContain(type);
    }
    const [download] = await Promise.all([
      page.waitForEvent("download"),
      page.getByRole("link", { name: "Markdown" }).click(),
    ]);
    expect(download.suggestedFilename()).toMatch(/^briefing-\d+\.md$/);
    await page.getByRole("button", { name: "Send" }).click();
    const dialog = page.getByRole("dialog", { name: "Send this briefing" });
    await dialog.getByText("slack needs").waitFor();
    await sound(page);
    await dialog.getByRole("button", { name: "Send" }).click();
    await dialog.getByText("Choose at least one channel.").waitFor();
    await dialog.getByLabel("webhook:desk").check();
    await dialog.getByRole("button", { name: "Send" }).click();
    await dialog.getByText("sent", { exact: true }).waitFor();
    await page.keyboard.press("Escape");
  });

  it("stands first on the overview, each headline with how sure it is", async () => {
    await page.goto("/news");
    const latest = page.getByRole("region", { name: "The latest briefing" });
    await latest.getByText("The harbour authority of Calder reopened the strait").waitFor();
    await page
      .getByRole("region", { name: "What came in" })
      .getByText(/14 articles/)
      .waitFor();
    await sound(page);
    await latest.getByRole("listitem").filter({ hasText: "sources disagree" }).getByRole("link").click();
    await page.getByRole("heading", { name: /^Calder Strait open again/ }).waitFor();
    // The address leads to the story itself.
    await page
      .locator(`#${new URL(page.url()).hash.slice(1)}`)
      .filter({ hasText: "Calder Strait" })
      .waitFor();
  });

  it("tells an administrator whether the webhook's receiver takes it", async () => {
    await page.goto("/news/briefings");
    await page.getByRole("link", { name: "Webhook" }).click();
    await page.getByText("switched off").waitFor();
    await page.getByRole("table").getByText("given up").waitFor();
    await sound(page);
    receiver.on("/hook", { status: 204 });
    await page.getByRole("button", { name: "Send to it again" }).click();
    await page.getByText("It is sent to again.").waitFor();
    await page.getByRole("button", { name: /^Send again: briefing/ }).click();
    await page.getByText("It is sent again.").waitFor();
  });

  it("keeps those that failed apart, and says that there are none", async () => {
    await page.goto("/news/briefings");
    await page.getByRole("link", { name: "Failed" }).click();
    await page.getByText("None failed.").waitFor();
    expect(page.url()).toMatch(/status=failed$/);
  });
});
