import type { Page } from "playwright-core";
import { account } from "../identity/browser.ts";
import { FeedServer, rss, stories } from "../news/feed-server.ts";
import { becomes, consoleWorld, inChromium, sound, type ConsoleWorld } from "./console.ts";

// The news in the console, as somebody meets them who never read a document.

const opml = (feeds: readonly { name: string; url: string; folder?: string; active?: false }[]): string =>
  `<opml version="2.0" xmlns:signalmesh="urn:signalmesh:source"><head><title>Mine</title></head><body>${feeds
    .map(({ name, url, folder = "technology", active = true }) => {
      const feed = `<outline type="rss" text="${name}" xmlUrl="${url}" signalmesh:active="${active}"/>`;
      return folder ? `<outline text="${folder}">${feed}</outline>` : feed;
    })
    .join("")}</body></opml>`;

inChromium("the news in the console", () => {
  let desk: ConsoleWorld;
  let page: Page;
  let feeds: FeedServer;

  beforeAll(async () => {
    [desk, feeds] = [await consoleWorld(), await FeedServer.start()];
    page = await desk.person();
  });
  afterAll(async () => {
    await desk.stop();
    await feeds.stop();
  });

  it("tells a newcomer what to do first, and has a list of sources to start with", async () => {
    await page.goto("/");
    await page.getByRole("region", { name: "First steps" }).waitFor();
    await becomes(() => page.getByRole("button", { name: "Make the first briefing" }).isDisabled(), true);
    await page.getByRole("button", { name: "Follow the starter list" }).waitFor();
    await sound(page);
    await page.getByRole("link", { name: "See it, or bring your own" }).click();
    await page.getByText("What is in it").click();
    await page.getByText("BBC News, World").waitFor();
    await sound(page);
  });

  it("follows a source, and shows how well it can be read", async () => {
    const address = feeds.on("/wire", { body: rss(stories("wire", 5)) });
    await page.goto("/news/sources");
    await page.getByText("Nothing is followed yet").waitFor();
    await sound(page);
    await page.getByRole("button", { name: "Follow a source" }).click();
    const dialog = page.getByRole("dialog", { name: "Follow a source" });
    await dialog.getByLabel("Address").fill("ftp://feeds.example.org/");
    await dialog.getByRole("button", { name: "Follow", exact: true }).click();
    // What the API would not take is told at the field; a name need not be thought of.
    await dialog.locator(".fault").first().waitFor();
    await sound(page);
    await dialog.getByLabel("Name").fill("Meridian Wire");
    await dialog.getByLabel("Address").fill(address);
    await dialog.getByRole("button", { name: "Follow", exact: true }).click();
    await page.getByRole("link", { name: "Meridian Wire" }).waitFor();
    await page.getByRole("button", { name: "Read now: Meridian Wire" }).click();
    await page.getByText(/^Meridian Wire: /).waitFor();
    await sound(page);
  });

  it("has a page for each source: its history, its figures, and what can be changed", async () => {
    await page.getByRole("link", { name: "Meridian Wire" }).click();
    await page.getByRole("heading", { name: "Meridian Wire", level: 1 }).waitFor();
    await page.getByText("5 new articles").first().waitFor();
    await page.getByText("not rated yet").waitFor();
    await page.getByRole("link", { name: "Its articles" }).click();
    await page.getByRole("list", { name: "Articles" }).waitFor();
    await becomes(() => page.getByLabel("Source").locator("option:checked").textContent(), "Meridian Wire");
    await page.goBack();
    await page.getByRole("button", { name: "Pause" }).click();
    await page.getByText("It is not read, and keeps its articles.").waitFor();
    await page.getByRole("button", { name: "Resume" }).click();
    await page.getByRole("button", { name: "Pause" }).waitFor();
    await page.getByRole("button", { name: "Fetch full texts" }).click();
    await page.getByText("are fetched where the feed gives a summary").waitFor();
    await sound(page);
    await page.getByRole("button", { name: "Change" }).click();
    const dialog = page.getByRole("dialog");
    await sound(page);
    await dialog.getByLabel("Name").fill("The Meridian Wire");
    await dialog.getByRole("button", { name: "Save" }).click();
    await page.getByRole("heading", { name: "The Meridian Wire", level: 1 }).waitFor();
  });

  it("follows the feeds of a file, and says of each that failed why", async () => {
    const ledger = feeds.on("/ledger", { body: rss(stories("ledger", 2)) });
    const file = opml([
      { name: "Ledger", url: ledger },
      { name: "Gone Gazette", url: `${feeds.url}/gone` },
      { name: "Meridian again", url: `${feeds.url}/wire` },
      { name: "Nowhere", url: `${feeds.url}/nowhere`, folder: "" },
    ]);
    await page.goto("/news/sources/import");
    await page
      .getByLabel("OPML file")
      .setInputFiles({ name: "mine.opml", mimeType: "text/xml", buffer: Buffer.from(file) });
    await page.getByRole("button", { name: "Follow its feeds" }).click();
    await page.getByText("2 new sources are followed; 2 feeds were not taken.").waitFor();
    const row = (name: string) => page.getByRole("row", { name });
    await row("Gone Gazette").getByText("There is nothing at this address (404). It is tried again.").waitFor();
    await row("Ledger").getByText("2 articles").waitFor();
    await row("Meridian again").getByText("has this feed already").waitFor();
    await row("Nowhere").getByText("Its folder does not say what it is about.").waitFor();
    await page.getByText("Articles came from 1 source").waitFor();
    await sound(page);
    await page.getByRole("link", { name: "see what they say" }).click();
    const care = page.getByRole("region", { name: "Sources that need care" });
    await care.getByText("There is nothing at this address (404).").waitFor();
    await sound(page);
  });

  it("asks what the feeds of another reader are about, whose folders are called as one likes", async () => {
    const [left, right] = ["/left", "/right"].map((path) => feeds.on(path, { body: rss(stories(path.slice(1), 1)) }));
    const file = opml([
      { name: "Left", url: left!, folder: "Favourites" },
      { name: "Right", url: right!, folder: "", active: false },
    ]);
    await page.goto("/news/sources/import");
    await page
      .getByLabel("OPML file")
      .setInputFiles({ name: "reader.opml", mimeType: "text/xml", buffer: Buffer.from(file) });
    await page.getByRole("button", { name: "Follow its feeds" }).click();
    await page.getByText("0 new sources are followed; 2 feeds were not taken.").waitFor();
    await sound(page);
    const asked = page.getByRole("form", { name: "Feeds without a domain" });
    await asked.getByLabel("They are mostly about").selectOption("health");
    await asked.getByRole("button", { name: "Follow 2 feeds" }).click();
    await page.getByText("2 new sources are followed.").waitFor();
    // The list stays with whoever sits here: the browser's history does not keep it.
    expect(await page.evaluate("JSON.stringify(history.state)")).not.toContain("Left");
    // What the file says of a feed holds.
    await page.getByRole("link", { name: "Right" }).click();
    await page.getByText("paused").first().waitFor();
    await page.goBack();
    await page.getByRole("link", { name: "Left" }).click();
    await page.getByText("Mostly about health").waitFor();
  });

  it("says of what is gone that it is, under a title, and leads on", async () => {
    for (const [address, way] of [
      ["/news/sources/99999", "To the sources"],
      ["/news/sources/lists/99999", "To the lists"],
      ["/news/briefings/99999", "All briefings"],
    ] as const) {
      await page.goto(address);
      await page.getByRole("alert").waitFor();
      await page.getByRole("heading", { level: 1 }).waitFor();
      await page.getByRole("link", { name: way }).waitFor();
    }
    await sound(page);
  });

  it("follows several addresses, each with a name or without one", async () => {
    const [one, other] = ["/one", "/other"].map((path) => feeds.on(path, { body: rss(stories(path.slice(1), 1)) }));
    await page.goto("/news/sources/import");
    await page.getByRole("textbox", { name: "Addresses" }).fill(`The One ${one}\n\n${other}`);
    await page.getByRole("button", { name: "Follow them" }).click();
    await page.getByText("2 new sources are followed.").waitFor();
    await page.getByRole("link", { name: "The One" }).waitFor();
    await page.getByRole("link", { name: "127.0.0.1" }).waitFor();
  });

  it("narrows the news to a list of sources, and widens them again", async () => {
    await page.goto("/news/sources/lists");
    await page.getByText("There is no list yet").waitFor();
    await page.getByRole("link", { name: "Make a list" }).click();
    await page.getByLabel("The Meridian Wire").check();
    await page.getByText("1 source chosen.").waitFor();
    await page.getByLabel("Name of a source").fill("Meridian");
    await page.getByRole("button", { name: "Find" }).click();
    await page.getByRole("button", { name: "Choose none of these" }).click();
    await page.getByText("No source is chosen yet.").waitFor();
    await page.getByRole("button", { name: "Choose all 1 of these" }).click();
    await page.getByText("1 source chosen.").waitFor();
    await sound(page);
    await page.getByLabel("Name of the list").fill("Wires");
    await page.getByRole("button", { name: "Save the list" }).click();
    await page.getByRole("button", { name: "Activate: Wires" }).click();
    await page.getByText("Wires is active, for everybody.").waitFor();
    await sound(page);
    await page.goto("/news/articles");
    await page.getByText("Of the sources of the active list “Wires” alone").waitFor();
    await page.goto("/news");
    await page.getByText("Of the sources of the active list alone").waitFor();
    await page.getByRole("link", { name: "see the lists" }).click();
    await page.getByRole("button", { name: "Deactivate: Wires" }).click();
    await page.getByRole("button", { name: "Activate: Wires" }).waitFor();
    await page.getByRole("button", { name: "Remove: Wires" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Remove" }).click();
    await page.getByText("There is no list yet").waitFor();
  });

  it("shows a reader the sources, and no button that would be refused", async () => {
    const { email } = await account(desk.at, { role: "reader" });
    const reader = await desk.person(email);
    await reader.goto("/news/sources");
    await reader.getByRole("link", { name: "The Meridian Wire" }).click();
    await reader.getByRole("heading", { name: "The Meridian Wire", level: 1 }).waitFor();
    await reader.getByText("5 new articles").first().waitFor();
    const main = reader.getByRole("main");
    expect(await main.getByRole("button").count()).toBe(0);
    await reader.context().close();
  });

  it("stops following a source, with or without its articles", async () => {
    await page.goto("/news/sources?q=Ledger");
    await page.getByRole("link", { name: "Ledger" }).click();
    await page.getByRole("button", { name: "Remove" }).click();
    const dialog = page.getByRole("dialog", { name: "Remove Ledger" });
    await sound(page);
    await dialog.getByLabel("Its articles").selectOption({ label: "are removed too" });
    await dialog.getByRole("button", { name: "Remove", exact: true }).click();
    await page.getByText("Ledger is not followed any more.").waitFor();
    await page.goto("/news/sources?q=Ledger");
    await page.getByText("No source fits these filters.").waitFor();
  });
});
