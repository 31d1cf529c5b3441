import { globSync, readFileSync } from "node:fs";
import type { Page, Response } from "playwright-core";
import { account } from "../identity/browser.ts";
import { consoleWorld, inChromium, sound, type ConsoleWorld } from "./console.ts";

// What holds of every address of the console, on a platform where nothing has happened yet: it has a title and a heading,
// says in words why it is empty, and asks the API for nothing that this person is refused.

/** What pages have and this side has not. */
declare const document: { querySelector(selector: string): unknown };

/** Addresses without parameters, as the areas' routes have them. */
const ADDRESSES = [
  ...globSync("console/*/*.tsx", { exclude: ["console/{app,parts}/**"] }).map((file) => [file.split("/")[1]!, file]),
  ["news/escrow", "console/news/escrow/escrow-area.tsx"],
  ["knowledge/intelligence", "console/knowledge/intelligence/intelligence.tsx"],
]
  .map(([area, file]) => [area!, readFileSync(file!, "utf8")] as const)
  .flatMap(([area, text]) =>
    [...text.matchAll(/<Route (index|path="([^"*:]+)")/g)].map(([, , path]) =>
      path ? `/${area}/${path}` : `/${area}`,
    ),
  )
  .sort();

inChromium.each([
  ["a system administrator", "system_admin"],
  ["a reader", "reader"],
])("on a platform where nothing has happened yet, for %s", (_who, role) => {
  let desk: ConsoleWorld;
  let page: Page;
  const refused: string[] = [];

  beforeAll(async () => {
    desk = await consoleWorld();
    const { email } = await account(desk.at, { role });
    page = await desk.person(email);
    page.on("response", (answer: Response) => {
      const { pathname } = new URL(answer.url());
      if (answer.status() >= 400 && pathname.startsWith("/api/")) refused.push(`${pathname} ${answer.status()}`);
    });
  });
  afterAll(() => desk.stop());

  it.each(ADDRESSES)("%s says what it is", async (address) => {
    refused.length = 0;
    await page.goto(address);
    await page.locator("#main h1").waitFor();
    await page.waitForFunction(() => !document.querySelector("#main .loading"));
    expect({
      titled: (await page.title()).endsWith(" · Signalmesh"),
      headings: await page.locator("#main h1").count(),
      failures: await page.locator("#main [role=alert]").allTextContents(),
      refused,
    }).toEqual({ titled: true, headings: 1, failures: [], refused: [] });
    // Whoever administers is shown all that others are.
    if (role === "system_admin") await sound(page);
  });

  it("an address that leads nowhere says so", async () => {
    for (const address of ["/news/none", "/workspace/none/none/none", "/none"]) {
      const answer = await page.goto(address);
      if (address === "/none") expect(answer!.status()).toBe(404);
      else await page.getByRole("heading", { level: 1 }).waitFor();
    }
  });
});
