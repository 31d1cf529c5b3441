import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { isDeepStrictEqual } from "node:util";
import { chromium, type Browser, type BrowserContext, type Page } from "playwright-core";
import { chromiumPath } from "../chromium.ts";
import { eventually, PASSWORD, world, type TestWorld } from "../mesh.ts";

// The console in a real browser on a real node. What holds of every page is checked by `sound`: nothing that axe finds,
// in light, in dark and on a phone; no request that leaves the origin; no error in the browser's console.

/** What pages have and this side has not. */
declare const axe: { run(context: object, options: object): Promise<{ violations: Violation[] }> };
declare const document: { documentElement: { scrollWidth: number; clientWidth: number } };
interface Violation {
  id: string;
  help: string;
  nodes: { html: string; failureSummary?: string }[];
}

const executablePath = chromiumPath();
if (!executablePath)
  console.warn("SKIPPED, not passed: there is no Chromium on the PATH (Debian: apt-get install chromium).");
/** Stories that need a browser: skipped, and said to be, where there is none. */
export const inChromium = executablePath ? describe : describe.skip;

const AXE = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
const PHONE = { width: 390, height: 844 };
const DESK = { width: 1_280, height: 900 };

export interface ConsoleWorld {
  at: TestWorld;
  /** The node's address by name: browsers know passkeys by names. */
  home: string;
  /** Somebody's browser, signed in with the suite's password; the administrator's where nobody is named, nobody's for null. */
  person(email?: string | null): Promise<Page>;
  stop(): Promise<void>;
}

/** A node with a browser; faults of any page fail the story that is under way when `sound` or `stop` is called. */
export async function consoleWorld(settings: Record<string, string> = {}): Promise<ConsoleWorld> {
  const at = await world(settings);
  const browser: Browser = await chromium.launch({ executablePath, args: ["--no-sandbox"] });
  const home = at.url.replace("127.0.0.1", "localhost");
  const contexts: BrowserContext[] = [];
  return {
    at,
    home,
    async person(email = "admin@example.org") {
      const context = await browser.newContext({ viewport: DESK, baseURL: home });
      contexts.push(context);
      if (email !== null) {
        const answer = await context.request.post("/api/auth/login", {
          data: { email, password: PASSWORD, session: "only" },
          headers: { "sec-fetch-site": "same-origin" },
        });
        if (!answer.ok()) throw new Error(`cannot sign in: ${await answer.text()}`);
      }
      const page = await context.newPage();
      // A busy machine takes its time.
      page.setDefaultTimeout(60_000);
      watch(page, home);
      return page;
    },
    async stop() {
      await browser.close();
      await at.stop();
    },
  };
}

const faults = new WeakMap<Page, string[]>();

function watch(page: Page, home: string): void {
  const found: string[] = [];
  faults.set(page, found);
  page.on("pageerror", ({ message }) => found.push(`error: ${message}`));
  page.on("console", (message) => {
    // The browser logs each refusal of the API by itself; stories see to those.
    if (message.type() === "error" && !message.text().startsWith("Failed to load resource"))
      found.push(`logged: ${message.text()}`);
  });
  page.on("request", (request) => {
    if (!/^(data|blob|about):/.test(request.url()) && new URL(request.url()).origin !== home)
      found.push(`left the origin: ${request.url()}`);
  });
}

/** Dark differs from light in its colours alone. */
const OF_COLOURS = ["color-contrast", "link-in-text-block"];

async function violations(page: Page, where: string, runOnly?: readonly string[]): Promise<string[]> {
  // A document has it until it is left.
  if (!(await page.evaluate("'axe' in globalThis"))) await page.evaluate(AXE);
  const options = { resultTypes: ["violations"], ...(runOnly && { runOnly }) };
  const found = await page.evaluate(async (asked) => (await axe.run(document, asked)).violations, options);
  return found.map(
    ({ id, help, nodes }) =>
      `${where}: ${id}: ${help}: ${nodes
        .map(({ html }) => html)
        .join(" | ")
        .slice(0, 400)}`,
  );
}

/** Asks a page until it says so: what follows an act is there a moment later, and later still on a busy machine. */
export async function becomes<T>(read: () => Promise<T>, wanted: T): Promise<void> {
  await eventually(read, (value) => isDeepStrictEqual(value, wanted), 20_000);
}

/** What holds of every page of the console, as it is shown now. */
export async function sound(page: Page): Promise<void> {
  const found: string[] = [];
  for (const [scheme, rules] of [["dark", OF_COLOURS], ["light"]] as const) {
    await page.emulateMedia({ colorScheme: scheme, reducedMotion: "reduce" });
    found.push(...(await violations(page, scheme, rules)));
  }
  await page.setViewportSize(PHONE);
  found.push(...(await violations(page, "phone")));
  const { scrollWidth, clientWidth } = await page.evaluate(() => ({
    scrollWidth: document.documentElement.scrollWidth,
    clientWidth: document.documentElement.clientWidth,
  }));
  if (scrollWidth > clientWidth) found.push(`phone: the page is ${scrollWidth} wide, the screen ${clientWidth}`);
  await page.setViewportSize(DESK);
  // Beside other windows a page may be drawn no more after it changed its size; what is not drawn can't be clicked.
  await page.bringToFront();
  expect([...found, ...(faults.get(page) ?? [])]).toEqual([]);
}
