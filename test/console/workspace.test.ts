import type { Page } from "playwright-core";
import { admit, as, openSet, type Person } from "../workspace/people.ts";
import { consoleWorld, inChromium, sound, type ConsoleWorld } from "./console.ts";
import { browserOf, button } from "./people.ts";

// Problem sets in the console, as those meet them who work in them: who is in, what is behind a barrier, what happened.

const HIDDEN = ["Nightingale", "The cellar in Dolany"];

/** What pages have and this side has not. */
declare const document: { body: { innerText: string } };

inChromium("problem sets in the console", () => {
  let desk: ConsoleWorld;
  let ann: Page;
  let annika: Person;
  let set: string;

  beforeAll(async () => {
    desk = await consoleWorld();
    const [page, who] = await browserOf(desk, "Ann");
    [ann, annika, set] = [page, who, await openSet(desk.at, who, { name: "Flood on the upper river" })];
  });
  afterAll(() => desk.stop());

  it("shows two people in two browsers what the other does, as it happens", async () => {
    const [bob] = await browserOf(desk, "Bob");
    await ann.goto(`/workspace/${set}/members`);
    await button(ann, "Invite somebody").click();
    const dialog = ann.getByRole("dialog");
    await dialog.getByLabel("Role").selectOption("observer");
    await sound(ann);
    await button(ann, "Make a code").click();
    const link = await dialog.locator("code").first().textContent();
    await sound(ann);
    await button(ann, "Done").click();
    // Bob follows the link that was handed on to him, and is told what it leads to.
    await bob.goto(`${new URL(link!).pathname}#cut-off`);
    await bob.getByRole("alert").waitFor();
    await sound(bob);
    await bob.goto("/news");
    await bob.goto(new URL(link!).pathname + new URL(link!).hash);
    await bob.getByText("Flood on the upper river").waitFor();
    await sound(bob);
    await button(bob, "Join").click();
    await bob.getByText("you: observer").waitFor();
    const members = ann.getByRole("table", { name: "Members" });
    await members.getByText("Bob").waitFor();
    await sound(ann);
    // His part grows under his eyes.
    await bob.goto(`/workspace/${set}/compartments`);
    await bob.getByText("You are read into no compartment").waitFor();
    await button(ann, "Change role: Bob").click();
    await ann.getByRole("dialog").getByLabel("Role").selectOption("deputy");
    await button(ann, "Give this role").click();
    await bob.getByText("you: deputy").waitFor();
    await button(bob, "Set up a compartment").waitFor();
    await bob.context().close();
  });

  it("keeps what lies in a compartment from a reader outside of it, in every page and every answer", async () => {
    const [[cas, casimir], [eve, eva]] = await Promise.all([browserOf(desk, "Casimir"), browserOf(desk, "Eve")]);
    await Promise.all([admit(desk.at, set, casimir, "deputy"), admit(desk.at, set, eva, "analyst")]);
    const received = answersTo(eve);
    await eve.goto(`/workspace/${set}`);
    await eve.getByRole("heading", { name: "Overview" }).waitFor();
    await cas.goto(`/workspace/${set}/compartments`);
    await cas.getByText("There is no compartment").waitFor();
    // The commander sets it up and reads one in, who has it before them at once.
    await ann.goto(`/workspace/${set}/compartments`);
    await button(ann, "Set up a compartment").click();
    await ann.getByRole("dialog").getByLabel("Name").fill(HIDDEN[0]!);
    await sound(ann);
    await button(ann, "Set up").click();
    await ann.getByRole("link", { name: HIDDEN[0]! }).click();
    await ann.getByText("You are not read in").waitFor();
    await ann.getByRole("combobox", { name: "Person" }).selectOption(casimir.did);
    await button(ann, "Read in").click();
    await button(ann, "Read out: Casimir").waitFor();
    await sound(ann);
    await cas.getByRole("link", { name: HIDDEN[0]! }).click();
    await layInside(casimir);
    await cas.getByRole("table", { name: "What lies in it" }).waitFor();
    await sound(cas);
    await cas.getByRole("link", { name: "Activity", exact: true }).click();
    await cas.getByText(HIDDEN[1]!).first().waitFor();
    await sound(cas);
    // The commander, who is not read in, is shown that it stands, and nothing of what happened in it.
    await ann.getByRole("link", { name: "Activity", exact: true }).click();
    await ann.getByText("joined as analyst").first().waitFor();
    expect(await ann.locator("main").innerText()).not.toContain(HIDDEN[1]);
    // The reader outside walks through all pages.
    for (const tab of [
      "",
      "/members",
      "/compartments",
      "/direction",
      "/rfis",
      "/gates",
      "/missions",
      "/messages",
      "/documents",
      "/activity",
      "/activity/following",
      "/escalations",
      "/settings",
    ]) {
      await eve.goto(`/workspace/${set}${tab}`);
      await eve.getByRole("heading", { level: 1 }).waitFor();
      await eve.waitForLoadState("networkidle");
      for (const hidden of HIDDEN) expect(await eve.locator("body").innerText()).not.toContain(hidden);
    }
    await eve.goto("/workspace");
    await eve.getByRole("link", { name: "Flood on the upper river" }).waitFor();
    const told = await received();
    expect(told.length).toBeGreaterThan(30);
    expect(told.filter((text) => HIDDEN.some((hidden) => text.includes(hidden)))).toEqual([]);
    // Read out, it goes from the page that was open, by itself.
    await ann.goto(`/workspace/${set}/compartments`);
    await ann.getByRole("link", { name: HIDDEN[0]! }).click();
    await button(ann, "Read out: Casimir").click();
    await cas.waitForFunction((hidden) => !document.body.innerText.includes(hidden), HIDDEN[1]!);
    await Promise.all([cas.context().close(), eve.context().close()]);
  });

  it("dissolves a compartment with one who is read in, told what it concerns, and takes that back", async () => {
    const [bea, beatrix] = await browserOf(desk, "Bea");
    const [, cyril] = await browserOf(desk, "Cyril");
    await Promise.all([admit(desk.at, set, beatrix, "deputy"), admit(desk.at, set, cyril, "deputy")]);
    const made = await as(desk.at, cyril)("POST", `/api/problem-sets/${set}/compartments`, { name: "Informants" });
    const place = `/api/problem-sets/${set}/compartments/${made.body.data.id}`;
    await as(desk.at, cyril)("POST", `${place}/members`, { did: beatrix.did });
    // Whoever is not read in can only ask for it.
    await ann.goto(`/workspace/${set}/compartments/${made.body.data.id}`);
    await button(ann, "Dissolve").click();
    await ann.getByRole("dialog").getByText("it takes a second person").waitFor();
    await sound(ann);
    await button(ann, "Ask for it").click();
    await ann.getByRole("region", { name: "It is to be dissolved" }).waitFor();
    await sound(ann);
    await button(ann, "Keep it: Informants").click();
    await ann.getByRole("region", { name: "It is to be dissolved" }).waitFor({ state: "detached" });
    await bea.goto(`/workspace/${set}/compartments/${made.body.data.id}`);
    await button(bea, "Dissolve").click();
    await button(bea.getByRole("dialog"), "Dissolve").click();
    await bea.getByText(/Informants is dissolved; it held \d+ record/).waitFor();
    await button(bea, "Restore: Informants").click();
    await bea.getByRole("link", { name: "Informants" }).waitFor();
    await bea.context().close();
  });

  it("keeps whom somebody chose while the people change, and puts nobody else in the place of one who left", async () => {
    const [[, dora], [, zoe]] = await Promise.all([browserOf(desk, "Dora"), browserOf(desk, "Zoe")]);
    await admit(desk.at, set, dora, "analyst");
    await ann.goto(`/workspace/${set}/compartments`);
    await button(ann, "Set up a compartment").click();
    await ann.getByRole("dialog").getByLabel("Name").fill("Shelters");
    await button(ann, "Set up").click();
    await ann.getByRole("link", { name: "Shelters" }).click();
    const whom = ann.getByRole("combobox", { name: "Person" });
    await whom.selectOption(dora.did);
    await admit(desk.at, set, zoe, "analyst");
    await whom.locator("option", { hasText: "Zoe" }).waitFor({ state: "attached" });
    expect(await whom.inputValue()).toBe(dora.did);
    await as(desk.at, annika)("DELETE", `/api/problem-sets/${set}/members/${encodeURIComponent(dora.did)}`);
    await whom.locator("option", { hasText: "Dora" }).waitFor({ state: "detached" });
    expect(await whom.inputValue()).toBe("");
    await button(ann, "Read in").click();
    await whom.and(ann.locator("[aria-invalid=true]")).waitFor();
    await ann.getByText("Nobody is read in yet, so that").waitFor();
    await sound(ann);
  });

  it("finds in the activity what somebody did, under an address that can be sent", async () => {
    await ann.goto(`/workspace/${set}/activity`);
    await ann.getByLabel("What", { exact: true }).selectOption({ label: "Members: role changed" });
    await ann.getByLabel("Within").selectOption({ label: "the last hour" });
    await button(ann, "Show").click();
    await ann.getByText("observer until now, is deputy").waitFor();
    const happened = ann.getByRole("list", { name: "What happened" }).getByRole("listitem");
    // The list before stays until the next one is there.
    await happened.nth(1).waitFor({ state: "detached" });
    expect(await happened.count()).toBe(1);
    await ann.reload();
    await ann.getByText("observer until now, is deputy").waitFor();
    await ann.getByLabel("Who").selectOption({ label: "Bob" });
    await button(ann, "Show").click();
    await ann.getByText("Nothing that you may know of fits these filters.").waitFor();
  });

  /** Lays things into the compartment, as somebody who is read in. */
  async function layInside(who: Person): Promise<void> {
    const { data } = (await as(desk.at, who)("GET", `/api/problem-sets/${set}/compartments`)).body;
    const place = { problemSetId: set, compartments: [data[0].id] };
    const [, title] = HIDDEN;
    for (const [path, body] of [
      ["/api/gates", { ...place, tab: "sources", name: title }],
      ["/api/missions", { ...place, name: title }],
      ["/api/messages", { ...place, channel: "sources", type: "source.report.sent", payload: { text: title } }],
      ["/api/inheritance/directions", { ...place, kind: "intent", title, text: title }],
    ] as const)
      if ((await as(desk.at, who)("POST", path, body)).status >= 300) throw new Error(`refused: ${path}`);
  }
});

/** All that the API answers a page from now on. */
function answersTo(page: Page): () => Promise<string[]> {
  const told: Promise<string>[] = [];
  page.on("response", (response) => {
    if (new URL(response.url()).pathname.startsWith("/api/")) told.push(response.text().catch(() => ""));
  });
  page.on("websocket", (socket) =>
    socket.on("framereceived", ({ payload }) => told.push(Promise.resolve(String(payload)))),
  );
  return () => Promise.all(told);
}
