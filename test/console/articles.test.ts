import type { Page } from "playwright-core";
import { modelStandIn, type Received, type StandIn } from "../../adapters/llm/stand-in.ts";
import { account } from "../identity/browser.ts";
import { eventually } from "../mesh.ts";
import { FeedServer, rss } from "../news/feed-server.ts";
import { AGREES, CLAIM, DENIES, replies, REPORT } from "../news/verification/verification-setup.ts";
import { becomes, consoleWorld, inChromium, sound, type ConsoleWorld } from "./console.ts";

// Articles in the console, for somebody who wants to know what happened, and whether it can be trusted.

/** What pages have and this side has not. */
declare const document: { activeElement: { textContent: string } };
declare const getComputedStyle: (element: unknown) => { direction: string };

const HOUR_MS = 3_600_000;
const slowly = (ms: number) => (request: Received) => ({ kind: "slow" as const, ms, before: replies(request) });
const OUTLETS = ["Harrow Post", "Meridian Wire", "Union News", "Harbour Gazette"];
const COUNT = "Nine vessels waited in the Calder strait on Friday, the pilots said.";
const STRAIT = { title: "Strait open again", text: COUNT };
const COPPER = {
  title: "Copper climbs",
  text: "Copper rose for a third week after two smelters in Ostrel cut their output.",
};
/** More than a page of them, among them words that no line holds, and titles from right to left. */
const WEATHER = ["Rain", "Snow", "Hail", "Fog", "Frost", "Storm"].flatMap((what) => [
  `${what} over ${"Dornach".repeat(40)}`,
  `عاصفة فوق أردن: ${what}`,
  `${what} over Brunn`,
  `${what} over Calder`,
]);

inChromium("articles in the console", () => {
  let desk: ConsoleWorld;
  let page: Page;
  /** A host for each outlet: hosts are read one item at a time, with pauses. */
  const feeds = new Map<string, FeedServer>();
  let model: StandIn;

  beforeAll(async () => {
    model = await modelStandIn(replies);
    // A check may take longer than a request does.
    const settings = { LLM_BASE_URL: model.baseUrl, LLM_MODEL: "stand-in-1", REQUEST_TIMEOUT_MS: "9000" };
    desk = await consoleWorld(settings);
    page = await desk.person();
  });
  afterAll(async () => {
    await desk.stop();
    await Promise.all([...feeds.values(), model].map((one) => ("stop" in one ? one.stop() : one.close())));
  });

  /** Puts articles into an outlet's feed, has it read, and waits until they can be found. */
  async function publish(outlet: string, domain: string, items: readonly { title: string; text: string }[]) {
    const path = `/${outlet.toLowerCase().replaceAll(" ", "-")}`;
    const date = new Date(Date.now() - 2 * HOUR_MS).toUTCString();
    const body = rss(
      items.map((item, at) => ({ ...item, guid: `${path}-${at}`, link: `https://news.example${path}/${at}`, date })),
    );
    const feed = feeds.get(outlet) ?? (await FeedServer.start(`127.0.0.${20 + OUTLETS.indexOf(outlet)}`));
    feeds.set(outlet, feed);
    const url = feed.on(path, { body });
    const { data: known } = (await desk.at.http("GET", "/api/sources?limit=100")).body;
    const source =
      known.find(({ name }: { name: string }) => name === outlet) ??
      (await desk.at.http("POST", "/api/sources", { body: { url, name: outlet, domain } })).body.data;
    // On a busy machine it outlasts its request; what it brings is waited for.
    await desk.at.http("POST", `/api/sources/${source.id}/refresh`).catch(() => {});
    await eventually(
      async () => [
        (await desk.at.http("GET", `/api/articles?sourceId=${source.id}`)).body.meta.total,
        (await desk.at.http("GET", "/api/search/status")).body.data.waiting,
      ],
      ([stored, waiting]) => stored >= items.length && waiting === 0,
    );
  }
  const title = (name: string) => page.getByRole("link", { name, exact: true });

  it("says why there is nothing, shows what came in, and keeps still while more does", async () => {
    await page.goto("/news/articles");
    await page.getByText("no source is followed yet").waitFor();
    await sound(page);
    await Promise.all([
      publish("Harrow Post", "energy", [{ title: "Refinery blast kills 14", text: REPORT }]),
      publish("Meridian Wire", "energy", [{ title: "Explosion at Harrow", text: AGREES }]),
      publish("Union News", "energy", [{ title: "29 dead, says union", text: DENIES }]),
      publish("Harbour Gazette", "economics", [{ title: "Strait open again", text: COUNT }]),
    ]);
    await page.goto("/news/articles");
    await title("Strait open again").waitFor();
    await publish("Harbour Gazette", "economics", [STRAIT, COPPER]);
    // It is told live.
    const more = page.getByRole("button", { name: "Show 1 new article" });
    await more.waitFor();
    expect(await title("Copper climbs").count()).toBe(0);
    await more.click();
    await title("Copper climbs").waitFor();
    await sound(page);
  });

  it("narrows the stream, in the address as well, and shows one event under its headlines", async () => {
    await page.getByLabel("About").selectOption("energy");
    await page.waitForURL(/domain=energy/);
    await title("Copper climbs").waitFor({ state: "detached" });
    await page.getByLabel("Source").selectOption({ label: "Union News" });
    await title("Refinery blast kills 14").waitFor({ state: "detached" });
    await page.reload();
    await title("29 dead, says union").waitFor();
    await becomes(() => page.getByLabel("Source").locator("option:checked").textContent(), "Union News");
    await page.getByLabel("Trust").selectOption("verified");
    await page.getByText("No article fits these filters.").waitFor();
    await page.getByRole("link", { name: "Show all articles" }).click();
    await title("Copper climbs").waitFor();
    // The form follows the address.
    await becomes(() => page.getByLabel("Trust").inputValue(), "");
    await page.getByRole("link", { name: "Other reports of this event: Refinery blast kills 14" }).click();
    await page.getByText("Reports of one event, whatever their headlines").waitFor();
    await title("Copper climbs").waitFor({ state: "detached" });
    await sound(page);
  });

  it("finds by words, marks them, explains its language, and knows what was meant", async () => {
    await page.goto("/news/articles");
    await page.getByText("How to search").click();
    await page.getByText("The exact phrase.").waitFor();
    await sound(page);
    await page.getByLabel("Words").fill('"harrow refinery" -union');
    await page.getByLabel("Words").press("Enter");
    await page.getByText("2 articles found").waitFor();
    await page.locator("mark", { hasText: "refinery" }).first().waitFor();
    await page
      .getByRole("navigation", { name: "Narrow the search" })
      .getByRole("link", { name: "Meridian Wire" })
      .click();
    await page.getByText("1 article found").waitFor();
    await sound(page);
    await page.getByLabel("Words").fill("-refinery");
    await page.getByRole("button", { name: "Search" }).click();
    await page
      .getByRole("alert")
      .getByText(/^A query cannot only exclude/)
      .waitFor();
    await page.getByLabel("Words").fill("refinary");
    await page.getByRole("button", { name: "Search" }).click();
    await page.getByText("Nothing was found.").waitFor();
    await sound(page);
    await page.getByRole("link", { name: /^Search for refinery/ }).click();
    await page.getByText("3 articles found, the best matches first.").waitFor();
    await becomes(() => page.getByLabel("Words").inputValue(), "refinery");
    for (const [value, words] of [
      ["-publishedAt", "newest first"],
      ["publishedAt", "oldest first"],
    ] as const) {
      await page.getByLabel("Order").selectOption(value);
      await page.getByText(`3 articles found, the ${words}.`).waitFor();
      const shown = page.getByRole("list", { name: "Articles found" }).getByRole("heading");
      const { data } = (await desk.at.http("GET", `/api/search?q=refinery&sort=${value}`)).body;
      const titles = data.map(({ title }: { title: string }) => title);
      await becomes(() => shown.allTextContents(), titles);
    }
    await sound(page);
    // Without words it is a stream again, in an order of its own.
    await page.getByLabel("Words").fill("");
    await page.getByRole("button", { name: "Search" }).click();
    await title("Copper climbs").waitFor();
    await becomes(() => page.getByLabel("Order").inputValue(), "-publishedAt");
    expect(page.url()).not.toContain("order=");
  });

  it("checks an article, and shows why it is trusted: claims, quotes, and the picture of its score", async () => {
    await title("Refinery blast kills 14").click();
    await page.getByRole("heading", { level: 1, name: "Refinery blast kills 14" }).waitFor();
    await page.getByText("nobody yet").waitFor();
    const original = page.getByRole("link", { name: /^Read the original/ });
    expect(await original.getAttribute("rel")).toBe("noopener noreferrer");
    await page.getByText("Its claims were not looked at yet").waitFor();
    await page
      .getByRole("region", { name: "The same event elsewhere" })
      .getByRole("link", { name: "29 dead" })
      .waitFor();
    await sound(page);
    model.respond(slowly(1_300));
    await page.getByRole("button", { name: "Check this article" }).click();
    await page.getByRole("progressbar").waitFor();
    await page.getByText(/: [1-4] of 5/).waitFor();
    // It outlasts its request; its end is told live.
    await page.getByText("The article is checked.").waitFor({ timeout: 30_000 });
    model.respond(replies);
    await page.getByText("Sources disagree: report both sides").waitFor();
    await page.getByText("a language model that has to quote its evidence").waitFor();
    const claims = page.getByRole("region", { name: "Its claims, and what others say" });
    await claims.getByText(`“${CLAIM}”`).waitFor();
    await claims.getByText(/killed 29 workers in Veldoria on Tuesday, the union said/).waitFor();
    await claims.getByRole("link", { name: "Explosion at Harrow", exact: true }).waitFor();
    await page.getByRole("img", { name: /^A confidence of \d/ }).waitFor();
    const steps = page.getByRole("table", { name: "The steps of the score" });
    await steps.getByRole("row", { name: /^Other reports/ }).waitFor();
    await steps.getByText("starting point of any report").waitFor();
    await sound(page);
    // From a claim in the text to what others say about it.
    await page.getByRole("article").getByRole("link").first().click();
    await page.waitForURL(/#claim-\d+$/);
  });

  it("takes a person's verdict, which stands above the machine's", async () => {
    await page.getByRole("button", { name: "Give your verdict" }).click();
    const dialog = page.getByRole("dialog", { name: "Your verdict on this article" });
    await dialog.getByLabel("Why").fill("I called the hospital.");
    await sound(page);
    await dialog.getByRole("button", { name: "Give the verdict" }).click();
    await page.getByText("A person verified it: it can be used as verified.").waitFor();
    await page.getByText("I called the hospital.").first().waitFor();
    await page.getByRole("row", { name: /^A person’s verdict/ }).waitFor();
  });

  it("lets a reader see the evidence, without the buttons that are not theirs", async () => {
    const { email } = await account(desk.at, { role: "reader" });
    const reader = await desk.person(email);
    await reader.goto("/news/claims?verdict=disputed");
    const claim = reader.getByRole("link", { name: "Refinery blast kills 14", exact: true });
    await claim.waitFor();
    // What speaks against it stands beside it, and leads to who says so.
    const against = reader.getByRole("listitem").filter({ hasText: "Contradicted by" }).first();
    await against.getByText(/killed 29 workers in Veldoria on Tuesday, the union said/).waitFor();
    await against.getByRole("link", { name: "Explosion at Harrow", exact: true }).waitFor();
    await sound(reader);
    await reader.getByRole("link", { name: "Contradicted", exact: true }).click();
    await reader.getByText("No claim is contradicted.").waitFor();
    await reader.goBack();
    await claim.click();
    await reader.getByText(/killed 29 workers in Veldoria on Tuesday, the union said/).waitFor();
    await reader.waitForURL(/#claim-\d+$/);
    for (const name of ["Check it again", "Give your verdict", "Remove"])
      expect(await reader.getByRole("button", { name }).count()).toBe(0);
    await sound(reader);
    await reader.goto("/news/claims");
    await claim.first().waitFor();
    expect(await reader.getByRole("button", { name: "Compare the newest articles" }).count()).toBe(0);
    await reader.goto("/news/articles/999999");
    await reader.getByRole("alert").waitFor();
    await reader.goto("/news/articles/nothing");
    await reader.getByText("This address leads nowhere").waitFor();
  });

  it("compares all that came in at one press, and shows which claims others contradict", async () => {
    await page.goto("/news/claims?verdict=contradicted");
    await page.getByText("No claim is contradicted.").waitFor();
    await page.getByRole("button", { name: "Compare the newest articles" }).click();
    await page.getByText(/^\d+ articles compared\.|^The newest articles are compared\./).waitFor({ timeout: 30_000 });
    const denied = page.getByRole("listitem").filter({ hasText: "Contradicted by" });
    await denied.first().waitFor();
    await page.getByRole("button", { name: "Compare the newest articles" }).click();
    await page.getByText("All articles were compared before.").waitFor();
    await sound(page);
    // A source's record leads to the claims that it is made of.
    const { data: post } = (await desk.at.http("GET", "/api/sources?q=Harrow")).body;
    await page.goto(`/news/sources/${post[0].id}`);
    await page.getByRole("region", { name: "How far it can be relied on" }).waitFor();
    await page.goto(`/news/claims?source=${post[0].id}`);
    await page.getByRole("link", { name: "Those of all sources" }).waitFor();
    const outlets = page.locator(".reviewed > div:first-child .byline");
    await outlets.first().waitFor();
    const named = await outlets.allTextContents();
    expect(named.filter((text) => !text.startsWith("Harrow Post:"))).toEqual([]);
    // Each disagreement stands on the overview once, not from either side.
    await page.goto("/news");
    const disagreements = page.getByRole("list", { name: "Where sources disagree" }).getByRole("listitem");
    await disagreements.first().waitFor();
    expect(await disagreements.filter({ hasText: "Contradicted by" }).count()).toBeGreaterThan(0);
    const claimed = await page.locator(".reviewed > div:first-child .claim-text").allTextContents();
    const quoted = await page.locator(".reviewed blockquote").allTextContents();
    expect(claimed.filter((text) => quoted.includes(text))).toEqual([]);
    await sound(page);
  });

  it("counts all that came in, also those of other pages, and does not move what is being read", async () => {
    const { length } = WEATHER;
    const told = WEATHER.map((name) => ({ title: name, text: `${name}, the office said on Friday.` }));
    const { data: known } = (await desk.at.http("GET", "/api/sources?q=Harbour")).body;
    await page.goto(`/news/articles?source=${known[0].id}`);
    await title("Copper climbs").waitFor();
    await publish("Harbour Gazette", "economics", [STRAIT, COPPER, ...told.slice(0, length - 4)]);
    await page.getByRole("button", { name: `Show ${length - 4} new articles` }).click();
    const arabic = page.getByRole("heading", { name: /^عاصفة/ }).first();
    expect(await arabic.evaluate((title) => getComputedStyle(title).direction)).toBe("rtl");
    await sound(page);
    await page.getByRole("button", { name: "Next", exact: true }).click();
    await page.getByText("Page 2 of 2").waitFor();
    const shown = () => page.getByRole("list", { name: "Articles" }).getByRole("heading").allTextContents();
    await eventually(shown, (titles) => titles.length === length - 22);
    const before = await shown();
    await publish("Harbour Gazette", "economics", [STRAIT, COPPER, ...told]);
    const more = page.getByRole("button", { name: "Show 4 new articles" });
    await more.waitFor();
    expect(await shown()).toEqual(before);
    await more.click();
    await page.getByText("Page 1 of 2").waitFor();
    await page.goto("/news/articles?page=99");
    await page.getByText("There is no page 99.").waitFor();
    await page.getByRole("button", { name: "Previous" }).click();
    await page.getByText(/^Page 2 of 2/).waitFor();
  });

  it("says of a verdict that it is of an earlier text, once the outlet changed that", async () => {
    const { data } = (await desk.at.http("GET", "/api/search?q=title:copper")).body;
    const path = `/api/articles/${data[0].id}`;
    await desk.at.http("PUT", `${path}/verification`, { body: { verified: true, notes: "Asked the smelters." } });
    const text = "Copper rose for a third week after three smelters in Ostrel cut their output.";
    await publish("Harbour Gazette", "economics", [STRAIT, { ...COPPER, text }]);
    await eventually(
      () => desk.at.http("GET", path),
      ({ body }) => body.data.content === text,
    );
    await page.goto(`/news/articles/${data[0].id}`);
    await page.getByText(/changed by its outlet/).waitFor();
    await page.getByText(/^A person verified an earlier text of it: read what/).waitFor();
    await page.getByText(/before its outlet changed the text/).waitFor();
    await sound(page);
  });

  it("is read by keys: through the list, from one article to the next, and back to where one was", async () => {
    await page.goto("/news/articles?sort=-ingestedAt");
    const titles = page.getByRole("list", { name: "Articles" }).getByRole("heading");
    await titles.first().waitFor();
    const [first, second, third] = await titles.allTextContents();
    const focused = () => page.evaluate(() => document.activeElement.textContent);
    for (const [key, at] of [
      ["j", first],
      ["j", second],
      ["k", first],
      ["j", second],
    ] as const) {
      await page.keyboard.press(key);
      expect(await focused()).toBe(at);
    }
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { level: 1, name: second!, exact: true }).waitFor();
    await page.getByRole("navigation", { name: "In the list" }).getByText("2 of 20").waitFor();
    await page.keyboard.press("j");
    await page.getByRole("heading", { level: 1, name: third!, exact: true }).waitFor();
    await sound(page);
    await page.getByRole("button", { name: "Back to the list" }).click();
    await titles.first().waitFor();
    expect(page.url()).toMatch(/sort=-ingestedAt$/);
    await page.keyboard.press("/");
    await page.keyboard.type("jk");
    await becomes(() => page.getByLabel("Words").inputValue(), "jk");
    await page.getByLabel("Words").fill("");
    // Whoever dictates turns them off.
    await page.getByText("Keys: j next").click();
    await sound(page);
    await page.getByLabel("These letters act as keys").uncheck();
    await page.keyboard.press("j");
    expect(await focused()).not.toBe(first);
    await page.getByLabel("These letters act as keys").check();
  });
});
