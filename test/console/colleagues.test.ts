import type { Page } from "playwright-core";
import { done, enrol } from "../staff/setup.ts";
import { admit, openCompartment, openSet, type Person } from "../workspace/people.ts";
import { consoleWorld, inChromium, type ConsoleWorld } from "./console.ts";
import { browserOf } from "./people.ts";

// What a colleague changes appears on pages that are open, to whoever may see it.

inChromium("pages that stay open", () => {
  let desk: ConsoleWorld;
  let admin: Page, ann: Page, eve: Page;
  let annika: Person, benno: Person, evelyn: Person;
  let set: string, red: string;

  beforeAll(async () => {
    desk = await consoleWorld();
    [[ann, annika], [, benno], [eve, evelyn], admin] = await Promise.all([
      browserOf(desk, "Ann"),
      browserOf(desk, "Ben"),
      browserOf(desk, "Eve"),
      desk.person(),
    ]);
    set = await openSet(desk.at, annika, { name: "High Water" });
    for (const one of [benno, evelyn]) await admit(desk.at, set, one, "deputy");
    red = await openCompartment(desk.at, set, annika, "Red", benno);
    const members = `/api/problem-sets/${set}/compartments/${red}/members`;
    await done(desk.at, benno, "POST", members, { did: annika.did });
  });
  afterAll(() => desk.stop());

  /** As Ben, who works elsewhere. */
  const ben = (method: string, path: string, body: object = {}) => done(desk.at, benno, method, `/api${path}`, body);
  const administers = async (method: string, path: string, body: object = {}): Promise<any> =>
    (await desk.at.http(method, `/api${path}`, { body })).body?.data;

  it("show an agent as it is enrolled and stopped, and one of a compartment to those inside alone", async () => {
    for (const page of [ann, eve]) {
      await page.goto(`/staff/agents?set=${set}`);
      await page.getByText("no agent", { exact: false }).first().waitFor();
    }
    const { id } = await enrol(desk.at, benno, set, { name: "Pegel", compartments: [red], tools: ["list_gates"] });
    await ann.getByRole("row", { name: /Pegel.*ready/ }).waitFor();
    await ann.getByRole("link", { name: "Pegel" }).click();
    await ben("PUT", `/agents/${id}/deactivate`, { reason: "It counts twice." });
    await ann.getByText("It counts twice.").waitFor();
    await enrol(desk.at, benno, set, { name: "Scout", tools: ["list_gates"] });
    await eve.getByRole("row", { name: /Scout.*ready/ }).waitFor();
    expect(await eve.getByText("Pegel").count()).toBe(0);
  });

  it("show administrators the tools and teams of others, and everybody an agent of all sets", async () => {
    await admin.goto("/staff/teams");
    await admin.getByRole("heading", { name: "Teams", exact: true }).first().waitFor();
    const { id: team } = await administers("POST", "/admin/teams", { name: "Night watch" });
    await admin.getByRole("link", { name: "Night watch" }).click();
    await administers("PUT", `/admin/teams/${team}`, { name: "Day watch" });
    await admin.getByRole("heading", { name: "Day watch" }).waitFor();
    await eve.goto("/staff/agents");
    await eve.getByRole("row", { name: /Scout/ }).waitFor();
    await administers("POST", "/admin/agents", { name: "Clerk", tools: ["list_gates"] });
    await eve.getByRole("row", { name: /Clerk.*ready/ }).waitFor();
  });

  it("show a credential to its holder and to who sees to it, as it stands", async () => {
    await Promise.all([eve.goto("/identity/credentials"), ann.goto("/identity/credentials?list=issued")]);
    await eve.getByText("Nobody has issued a credential about you.", { exact: false }).waitFor();
    await ann.getByText("Nobody has issued one yet", { exact: false }).waitFor();
    const granted = { userId: evelyn.userId, problemSetId: set, role: "deputy" };
    const { id } = await ben("POST", "/credentials/issue/role-assignment", granted);
    await ann.getByRole("row", { name: /active/ }).waitFor();
    await eve.getByRole("button", { name: /^Show: / }).waitFor();
    await ben("POST", `/credentials/${id}/suspend`, { reason: "She is on leave." });
    await ann.getByRole("row", { name: /suspended/ }).waitFor();
    await eve.getByText("She is on leave.").waitFor();
  });

  it("show what is decided and heard of a network", async () => {
    await ann.goto(`/picture/discovery/access-list?set=${set}`);
    await ann.getByRole("button", { name: "Allow or block" }).waitFor();
    const place = { problemSetId: set, compartments: [red] };
    await ben("POST", "/discovery/access-list", { ...place, kind: "block", by: "oui", value: "00:1B:C5" });
    await ann.getByRole("row", { name: /blocked/ }).waitFor();
    await ann.goto(`/picture/discovery/spectrum?set=${set}`);
    await ann.getByRole("heading", { name: "What is heard" }).waitFor();
    const radio = { name: "Command post radio", frequencyHz: 46.5e6, powerDbm: 46 };
    await ben("POST", "/discovery/em/emitters", { ...place, ...radio });
    await ann.getByRole("row", { name: /^Command post radio/ }).waitFor();
  });

  it("show compartments, keys, and what there is, as somebody else adds it", async () => {
    await ann.goto(`/workspace/${set}/compartments`);
    await ann.getByRole("link", { name: "Red" }).waitFor();
    await ben("POST", `/problem-sets/${set}/compartments`, { name: "Blue" });
    await ann.getByRole("link", { name: "Blue" }).waitFor();
    await ann.goto(`/workspace/${set}/keys`);
    await ann.getByRole("heading", { level: 1 }).waitFor();
    await ann.waitForLoadState("networkidle");
    await ben("POST", "/encryption/keys", { problemSetId: set, name: "night-watch" });
    await ann.getByText("night-watch").first().waitFor();
    await ann.goto(`/picture/personnel?set=${set}`);
    await ann.waitForLoadState("networkidle");
    await ben("POST", "/resources/personnel", { problemSetId: set, name: "Karl Novak" });
    await ann.getByRole("row", { name: /Karl Novak/ }).waitFor();
    await ann.goto("/picture/resources?set=everybody");
    await ann.waitForLoadState("networkidle");
    await administers("POST", "/resources", { name: "Platform mast", kind: "facility" });
    await ann.getByRole("row", { name: /Platform mast/ }).waitFor();
  });
});
