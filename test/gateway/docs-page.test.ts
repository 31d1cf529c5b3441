import { chromium, type Browser, type Page } from "playwright-core";
import { world, type TestWorld } from "../mesh.ts";
import { chromiumPath } from "../chromium.ts";

// The page of the API in a browser: a domain at a time, for the whole would take it ten seconds.

const executablePath = chromiumPath();
if (!executablePath)
  console.warn("SKIPPED, not passed: there is no Chromium on the PATH (Debian: apt-get install chromium).");

(executablePath ? describe : describe.skip)("the page of the API", () => {
  let at: TestWorld;
  let browser: Browser;
  let page: Page;
  let faults: string[];

  beforeAll(async () => {
    at = await world();
    browser = await chromium.launch({ executablePath, args: ["--no-sandbox"] });
  }, 60_000);
  afterAll(async () => {
    await browser?.close();
    await at.stop();
  });
  beforeEach(async () => {
    page = await browser.newPage();
    faults = [];
    page.on("pageerror", ({ message }) => faults.push(message));
  });
  afterEach(async () => {
    await page.close();
    expect(faults).toEqual([]);
  });

  const shown = () => page.locator(".opblock-summary-path").allTextContents();

  it("lists the domains, and shows the endpoints of one", async () => {
    await page.goto(`${at.url}/api/docs`);
    await page.getByText(/^\d{3} endpoints in \d\d domains/).waitFor();
    await page.getByText("Idempotency-Replayed").waitFor();
    await page.getByRole("heading", { name: "Signalmesh API", level: 1 }).waitFor();
    expect(await page.locator("#said").innerText()).not.toMatch(/\*\*|`/);
    expect(await shown()).toEqual([]);
    await page.locator("nav a[href='#/gates']").click();
    await page.locator(".opblock").first().waitFor();
    const paths = await shown();
    expect(paths.length).toBeGreaterThan(5);
    // Swagger UI lets long paths break.
    expect(paths.filter((path) => !path.replace(/\u200b/g, "").startsWith("/api/gates"))).toEqual([]);
    await page.locator("nav a[href='#/keys']").click();
    await page.locator(".opblock-summary-path", { hasText: "keys" }).first().waitFor();
    expect((await shown()).filter((path) => path.includes("gates"))).toEqual([]);
  }, 60_000);

  it("opens the endpoint that is linked to, with the schemas that it names", async () => {
    await page.goto(`${at.url}/api/docs#/sources/sources.create`);
    const open = page.locator(".opblock.is-open");
    await open.getByRole("button", { name: "Execute" }).waitFor();
    expect(await page.getByText("Could not resolve").count()).toBe(0);
  }, 60_000);

  it("shows what is sent to receivers beside the endpoints of the domain that sends it", async () => {
    await page.goto(`${at.url}/api/docs#/webhooks`);
    await page.getByText("A briefing was made").waitFor();
    expect(await page.getByText("What a subscription of the channel").count()).toBe(0);
    expect(await page.locator("#docs").getByText("Idempotency-Replayed").count()).toBe(0);
    expect(await page.getByText("Could not resolve").count()).toBe(0);
  }, 60_000);

  it("keeps a typed token while it is open, for all domains, and nowhere in the browser", async () => {
    await page.goto(`${at.url}/api/docs`);
    await page.evaluate('localStorage.setItem("authorized", "of an earlier version")');
    await page.goto(`${at.url}/api/docs?again#/gates`);
    await page.getByRole("button", { name: "Authorize" }).click();
    const dialog = page.locator(".modal-ux");
    await dialog.locator("#auth-bearer-value").fill("a token that was typed");
    await dialog
      .locator(".auth-container", { has: page.locator("#auth-bearer-value") })
      .getByText("Authorize")
      .click();
    await dialog.getByRole("button", { name: "Close" }).last().click();
    await page.locator("nav a[href='#/keys']").click();
    await page.locator(".opblock-summary-path", { hasText: "keys" }).first().waitFor();
    await page.locator(".authorize.locked").waitFor();
    expect(await page.evaluate("JSON.stringify([{ ...localStorage }, { ...sessionStorage }])")).toBe("[{},{}]");
  }, 60_000);

  it("finds endpoints by words, from whichever domain", async () => {
    await page.goto(`${at.url}/api/docs#/gates`);
    await page.getByLabel("Find an endpoint").fill("document upload");
    await page.getByRole("link", { name: "POST /api/documents/upload" }).click();
    await page.locator(".opblock.is-open .opblock-summary-path", { hasText: "upload" }).waitFor();
    await page.getByLabel("Find an endpoint").fill("get a colleague into my workspace");
    await page.getByText("No endpoint has all these words; these may do it.").waitFor();
    await page.getByRole("link", { name: "POST /api/problem-sets/{id}/invite Invite a person" }).waitFor();
    await page.getByLabel("Find an endpoint").fill("zzqq");
    await page.getByText("No endpoint has all these words.").waitFor();
    await page.goto(`${at.url}/api/docs#/nonsense`);
    await page.getByText("There is no domain named nonsense.").waitFor();
  }, 60_000);
});
