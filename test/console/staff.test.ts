import type { Page, WebSocketRoute } from "playwright-core";
import { answer, modelStandIn, type StandIn } from "../../adapters/llm/stand-in.ts";
import { put } from "../knowledge/documents.requests.ts";
import { admit, openSet, persons, type Person } from "../workspace/people.ts";
import { consoleWorld, inChromium, sound, type ConsoleWorld } from "./console.ts";

declare const sessionStorage: Record<string, string>;

// The assistant in the console, with a model: live replies that survive a cut, and acts that wait for a yes.

const NO_ACT = answer({ act: "none" });
const LONG = "The northern bridge carries twelve tonnes [1]. Nothing is said of the southern one, nor of the ford.";

inChromium("the assistant in the console", () => {
  let desk: ConsoleWorld;
  let model: StandIn;
  let ann: Person, ben: Person;
  let page: Page;
  let set: string;
  /** The page's sockets, so that a story can cut them. */
  const lines: WebSocketRoute[] = [];

  beforeAll(async () => {
    model = await modelStandIn();
    desk = await consoleWorld({ LLM_BASE_URL: model.baseUrl, LLM_MAX_RETRIES: "0" });
    [ann, ben] = await persons(desk.at, "ann", "ben");
    set = await openSet(desk.at, ann, { name: "Northern Bridge" });
    await admit(desk.at, set, ben, "observer");
    await put(desk.at, ann, "The northern bridge carries twelve tonnes since the flood.", "plan.txt", {
      problemSetId: set,
    });
    page = await desk.person(ann.email);
    await page.routeWebSocket(/\/socket\.io\//, (line) => {
      line.connectToServer();
      lines.push(line);
    });
  });
  afterAll(async () => {
    await desk.stop();
    await model.close();
  });

  /** The model answers so, with a pause behind each word, and wants this act. */
  const replies = (content: string, act: object = { act: "none" }, pauseMs = 0): void =>
    model.respond(({ stream }) => (stream ? { kind: "answer", content, pauseMs } : answer(act)));
  async function ask(text: string): Promise<void> {
    await page.getByRole("textbox", { name: /question/ }).fill(text);
    await page.getByRole("textbox", { name: /question/ }).press("Enter");
    await page.getByRole("list", { name: "Conversation" }).getByText(text).waitFor();
  }

  it("tells a newcomer what to ask, and answers outside of all problem sets", async () => {
    await page.goto("/staff");
    await page.getByText("You have not asked anything here yet").waitFor();
    await sound(page);
    replies("Open the page of sources.");
    await page.getByRole("button", { name: "How do I follow a source?" }).click();
    await page.locator(".reply").getByText("Open the page of sources.").waitFor();
    // Told to screen readers once, as a whole.
    await page.getByRole("status").getByText("The answer: Open the page of sources.").waitFor({ state: "attached" });
  });

  it("shows an answer word by word, and loses none of it when the connection breaks", async () => {
    await page.getByLabel("Problem set").selectOption({ label: "Northern Bridge" });
    await page.waitForURL(/set=/);
    replies(LONG, { act: "none" }, 120);
    await ask("What does the northern bridge carry?");
    const reply = page.locator(".reply").last();
    await reply.getByText("The northern bridge").waitFor();
    expect(await reply.getAttribute("aria-busy")).toBe("true");
    expect(await reply.innerText()).not.toContain("nor of the ford");
    expect(lines.length).toBeGreaterThan(0);
    for (const line of lines.splice(0)) await line.close();
    await reply.getByText(/nor of the ford\.$/).waitFor();
    await page.locator('.reply[aria-busy="false"]').last().getByRole("link", { name: "[1]" }).click();
    const source = page.getByRole("list", { name: "What it rests on" }).getByRole("listitem");
    await source.getByText("carries twelve tonnes since the flood").waitFor();
    expect(await source.getByRole("link").getAttribute("href")).toMatch(/^\/workspace\/.+\/documents\/.+/);
    await sound(page);
  });

  it("says which figures of the model nobody can look up, whose words an answer is, and what it cost", async () => {
    replies("The northern bridge carries 40 tonnes [1].");
    await ask("Does the northern bridge carry much?");
    const last = page.locator(".reply").last();
    await last.getByText("Not in what this rests on: 40.").waitFor();
    await last.getByText(/^Written by the model\. It took [\d,]+ tokens/).waitFor();
    replies("I do not know.");
    await ask("Does the northern bridge sway?");
    await last.getByText(/^Written by the model, which names no source\./).waitFor();
    replies(" ");
    await ask("How much does the northern bridge carry?");
    const quoted = "The model gave no answer: it wrote nothing. These are sentences of what was found";
    await last.getByText(quoted).waitFor();
    await sound(page);
  });

  it("does nothing that would change something before the person's yes to exactly that", async () => {
    replies("I can do that.", { act: "open_mission", arguments: { name: "Repair the bridge" } });
    await ask("Open a mission for the repair");
    const card = page.getByRole("region", { name: /^Proposed: / }).last();
    await card.getByText("waits for your answer").waitFor();
    await card.getByText("Repair the bridge").waitFor();
    await sound(page);
    const missions = async (): Promise<string[]> =>
      (await desk.at.http("GET", `/api/missions?problemSetId=${set}`, { as: ann.token })).body.data.map(
        ({ name }: { name: string }) => name,
      );
    expect(await missions()).toEqual([]);
    await card.getByRole("button", { name: /^Do it: / }).click();
    await card.getByText("done", { exact: true }).waitFor();
    expect(await missions()).toEqual(["Repair the bridge"]);
    await card.getByRole("link", { name: "What was done, step by step" }).click();
    await page.getByRole("heading", { name: "A run of Assistant" }).waitFor();
    await sound(page);
  });

  it("takes an act by a form as well, drops it at a no, and says that the time to answer is over", async () => {
    await page.goto(`/staff?set=${set}`);
    replies("Here it is.", { act: "open_mission", arguments: { name: "Clear the road" } });
    await page.getByRole("button", { name: "Have something done" }).click();
    const dialog = page.getByRole("dialog", { name: "Have something done" });
    await dialog.getByLabel("What", { exact: true }).selectOption({ label: "Open a mission" });
    await dialog.getByLabel("Name", { exact: true }).fill("Clear the road");
    await sound(page);
    await dialog.getByRole("button", { name: "Propose it to me" }).click();
    const card = page.getByRole("region", { name: /^Proposed: / }).last();
    await card.getByText("Clear the road").waitFor();
    await card.getByRole("button", { name: /^Do not: / }).click();
    await card.getByText("You said no, so that nothing was done.").waitFor();
    // Trusted from now on, and taken back.
    await ask("Open a mission for the ford");
    await page.getByRole("button", { name: "Do it, and such acts from now on without asking" }).click();
    await page.getByText("You trust the assistant with such acts here.").waitFor();
    await page.getByRole("button", { name: "Ask me again: Open mission" }).click();
    await page.getByRole("region", { name: "Done without asking you" }).waitFor({ state: "detached" });
    await ask("Open a mission for the road");
    await page.getByText("waits for your answer").waitFor();
    desk.at.clock.advance(16 * 60_000);
    await page.reload();
    await page.getByText("The time to answer is over, so that nothing was done.").waitFor();
    await page.getByRole("button", { name: "Ask for it again" }).waitFor();
  });

  it("is one person's: another sees nothing of the conversation, and is offered no acts that they may not have done", async () => {
    const other = await desk.person(ben.email);
    await other.goto(`/staff?set=${set}`);
    await other.getByText("You have not asked anything here yet").waitFor();
    expect(await other.getByRole("button", { name: "Have something done" }).count()).toBe(0);
    await other.goto("/staff?set=00000000-0000-4000-8000-000000000000");
    await other.getByText("There is no such problem set, or you are not a member of it.").waitFor();
    model.respond(() => NO_ACT);
  });

  it("keeps a question that was not asked yet over a reload, for its place alone, and not past signing out", async () => {
    const box = () => page.getByRole("textbox", { name: /question/ });
    await page.goto(`/staff?set=${set}`);
    await box().fill("Who else has crossed");
    await page.reload();
    expect(await box().inputValue()).toBe("Who else has crossed");
    await page.getByRole("link", { name: "Feed", exact: true }).click();
    const staff = page.getByRole("textbox", { name: "Question" });
    await staff.fill("Which gates wait?");
    await page.goto("/staff");
    expect(await box().inputValue()).toBe("");
    await page.goto(`/staff/feed?set=${set}`);
    expect(await staff.inputValue()).toBe("Which gates wait?");
    await page.goto(`/staff?set=${set}`);
    await ask("Who else has crossed the bridge?");
    await page.reload();
    expect(await box().inputValue()).toBe("");
    await box().fill("Something for nobody else");
    await page.getByRole("button", { name: "Sign out" }).click();
    await page.getByRole("heading", { name: "Sign in" }).first().waitFor();
    expect(await page.evaluate(() => JSON.stringify({ ...sessionStorage }))).not.toContain("nobody else");
  });
});
