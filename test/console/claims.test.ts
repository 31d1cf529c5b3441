import type { Page } from "playwright-core";
import { asSystem } from "../../core/access/caller.ts";
import { Claim } from "../../services/news/verification/claims/claim.ts";
import { articlesOf, item, source } from "../news/articles/articles-setup.ts";
import { consoleWorld, inChromium, sound, type ConsoleWorld } from "./console.ts";

// Claims with a verdict, more of them than a page holds, as somebody goes back through them.

const COUNT = 60;
const NOW = Date.parse("2026-03-20T12:00:00Z");

inChromium("claims that were checked in the console", () => {
  let desk: ConsoleWorld;
  let page: Page;

  beforeAll(async () => {
    desk = await consoleWorld();
    await articlesOf(desk.at).store(source(7), [item(701, { title: "Figures of the ministry" })]);
    const [article] = await articlesOf(desk.at).whole();
    const verification = desk.at.service("verification");
    for (let n = 1; n <= COUNT; n++)
      await verification.store(Claim).create(asSystem("test"), {
        ...{ articleId: article!.id, sourceId: 7, month: "2026-03", key: `claim ${n}`, text: `Figure ${n} was told.` },
        ...{ start: 0, end: 10, checkWorthiness: 80, quantities: [], entities: [], dates: [], negated: false },
        ...{ hedged: false, reasons: [], normalized: `figure ${n}`, method: "heuristic", credibility: 2, score: 80 },
        // Every second one is contradicted; number 1 is the newest.
        ...{ status: n % 2 ? "corroborated" : "contradicted", independentSources: 1, independentContradictions: 0 },
        reviewedAt: new Date(NOW - n * 60_000).toISOString(),
      });
    page = await desk.person();
  });
  afterAll(() => desk.stop());

  const claims = (): Promise<string[]> => page.locator(".claim-text").allTextContents();
  const follow = async (link: string, first: string): Promise<void> => {
    await page.getByRole("link", { name: link, exact: true }).click();
    await page.locator(".claim-text").first().getByText(first).waitFor();
  };

  it("goes back to the oldest, keeping the verdict and the source that were chosen", async () => {
    await page.goto("/news/claims");
    await page.getByText("“Figure 1 was told.”").waitFor();
    expect((await claims()).length).toBe(25);
    await sound(page);
    await follow("Older ones", "“Figure 26 was told.”");
    await follow("Older ones", "“Figure 51 was told.”");
    expect((await claims()).at(-1)).toBe("“Figure 60 was told.”");
    await page.getByText("There are no older ones.").waitFor();
    await page.goBack();
    await page.getByText("“Figure 26 was told.”").waitFor();
    await follow("The newest", "“Figure 1 was told.”");
    await page.goto("/news/claims?source=7");
    await follow("Contradicted", "“Figure 2 was told.”");
    await follow("Older ones", "“Figure 52 was told.”");
    expect(new URL(page.url()).searchParams.get("source")).toBe("7");
    expect((await claims()).length).toBe(5);
    // The page can be sent to somebody.
    await page.reload();
    await page.getByText("“Figure 60 was told.”").waitFor();
    await sound(page);
    await follow("Corroborated", "“Figure 1 was told.”");
  });
});
