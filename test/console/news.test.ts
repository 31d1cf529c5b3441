import type { Page } from "playwright-core";
import { FeedServer, rss, stories } from "../news/feed-server.ts";
import { consoleWorld, inChromium, sound, type ConsoleWorld } from "./console.ts";

// The news in the console, as somebody meets them who never read a document.

inChromium("the news in the console", () => {
  let desk: ConsoleWorld;
  let page: Page;
  let feeds: FeedServer;

  beforeAll(async () => {
    [desk, feeds] = [await consoleWorld(), await FeedServer.start()];
    page = await desk.person();
  }, 60_000);
  afterAll(async () => {
    await desk.stop();
    await feeds.stop();
  });

  it("follows a source, and shows how well it can be read", async () => {
    const address = feeds.on("/wire", { body: rss(stories("wire", 5)) });
    await page.goto("/news/sources");
    await page.getByText("Nothing is followed yet").waitFor();
    await sound(page);
    await page.getByRole("button", { name: "Follow a source" }).click();
    const dialog = page.getByRole("dialog", { name: "Follow a source" });
    await dialog.getByLabel("Address").fill("ftp://feeds.example.org/");
    await dialog.getByLabel("Name").fill("Meridian Wire");
    await dialog.getByRole("button", { name: "Follow", exact: true }).click();
    // What the API would not take is told at the field.
    await dialog.locator(".fault").first().waitFor();
    await sound(page);
    await dialog.getByLabel("Address").fill(address);
    await dialog.getByRole("button", { name: "Follow", exact: true }).click();
    await page.getByRole("link", { name: "Meridian Wire" }).waitFor();
    await page.getByRole("button", { name: "Read now: Meridian Wire" }).click();
    await page.getByText("Meridian Wire is being read.").waitFor();
    await sound(page);
  }, 60_000);
});
