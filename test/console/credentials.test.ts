import type { Page } from "playwright-core";
import { admit, as, openCompartment, openSet, type Person } from "../workspace/people.ts";
import { consoleWorld, inChromium, sound, type ConsoleWorld } from "./console.ts";
import { browserOf, button } from "./people.ts";

// Credentials that people issue to others, and see to for as long as they hold.

inChromium("issuing credentials in the console", () => {
  let desk: ConsoleWorld;
  let page: Page, ann: Page, ben: Page, eve: Page;
  let annika: Person, benno: Person, evelyn: Person;
  let set: string;

  beforeAll(async () => {
    desk = await consoleWorld();
    [[ann, annika], [ben, benno], [eve, evelyn], page] = await Promise.all([
      browserOf(desk, "Ann"),
      browserOf(desk, "Ben"),
      browserOf(desk, "Eve"),
      desk.person(),
    ]);
    set = await openSet(desk.at, annika, { name: "Open Road" });
    await admit(desk.at, set, benno, "planner");
    await admit(desk.at, set, evelyn, "deputy");
  });
  afterAll(() => desk.stop());

  const dialog = (of: Page, name: string) => of.getByRole("dialog", { name });
  const row = (of: Page, words: RegExp) =>
    of.getByRole("table", { name: "Issued credentials" }).getByRole("row", { name: words });

  it("says at the field what is wrong, issues, and shows what is passed on", async () => {
    await page.goto("/identity/credentials");
    await button(page, "Issue a credential").click();
    const issuing = dialog(page, "Issue a credential");
    await issuing.getByLabel("Kind").selectOption({ label: "Coalition membership" });
    await issuing.getByLabel("About whom").fill("nobody@example.org");
    await issuing.getByLabel("Coalition", { exact: true }).fill("Flood relief");
    await issuing.getByLabel("Takes part as").selectOption("partner");
    await issuing.getByLabel("Nation (optional)").fill("no");
    await button(issuing, "Issue it").click();
    await issuing.getByText("No account has the address or name “nobody@example.org”.").waitFor();
    await issuing.getByLabel("About whom").fill(benno.email);
    await button(issuing, "Issue it").click();
    await issuing.getByText("Must be three letters").waitFor();
    await sound(page);
    await issuing.getByLabel("Nation (optional)").fill("NOR");
    await issuing.getByLabel("They get it").selectOption("vc+jwt");
    await button(issuing, "Issue it").click();
    const issued = dialog(page, "It is issued");
    const text = await issued.getByLabel("The credential").inputValue();
    expect(text.split(".")).toHaveLength(3);
    await sound(page);
    await button(issued, "Close").click();
  });

  it("says of a thing what is measured of it, as a number", async () => {
    await button(page, "Issue a credential").click();
    const issuing = dialog(page, "Issue a credential");
    await issuing.getByLabel("Kind").selectOption({ label: "Entity attribute" });
    await issuing.getByLabel("About what").fill("urn:example:vessel:7");
    await issuing.getByLabel("Attribute").fill("draught");
    await issuing.getByLabel("Value").fill("4.2");
    await issuing.getByLabel("Unit (optional)").fill("m");
    await button(issuing, "Issue it").click();
    const text = await dialog(page, "It is issued").getByLabel("The credential").inputValue();
    expect(JSON.parse(text).credentialSubject).toMatchObject({ attribute: "draught", value: 4.2, unit: "m" });
    await button(dialog(page, "It is issued"), "Close").click();
  });

  it("suspends, reinstates and revokes; whoever holds it sees how it stands", async () => {
    await page.getByRole("link", { name: "Issued", exact: true }).click();
    await row(page, /draught: 4\.2 m/).waitFor();
    await button(page, "Show: draught: 4.2 m").click();
    await dialog(page, "draught: 4.2 m").getByLabel("The credential").waitFor();
    await button(page.getByRole("dialog"), "Close").click();
    await sound(page);
    await page.getByRole("button", { name: "Suspend: Is partner of Flood relief" }).click();
    const asking = dialog(page, "Suspend: Is partner of Flood relief?");
    await asking.getByLabel("Why (optional)").fill("Papers are looked at again");
    await sound(page);
    await button(asking, "Suspend").click();
    await row(page, /Is partner of Flood relief.*suspended.*Papers are looked at again/).waitFor();
    await ben.goto("/identity/credentials");
    await ben.getByText("suspended", { exact: true }).waitFor();
    await page.getByRole("button", { name: "Reinstate: Is partner of Flood relief" }).click();
    await button(page.getByRole("dialog"), "Reinstate").click();
    await row(page, /Is partner of Flood relief.*active/).waitFor();
    await page.getByRole("button", { name: "Revoke: Is partner of Flood relief" }).click();
    await button(page.getByRole("dialog"), "Revoke").click();
    await row(page, /Is partner of Flood relief.*revoked/).waitFor();
    await page.getByLabel("State").selectOption("active");
    await button(page, "Show").click();
    await row(page, /Is partner of Flood relief/).waitFor({ state: "detached" });
    await sound(page);
  });

  it("is done by those who issue in a problem set, for its members, and by no others", async () => {
    await ann.goto("/identity/credentials?list=issued");
    await ann.getByText("Nobody has issued one yet that you see to.").waitFor();
    await button(ann, "Issue a credential").click();
    const issuing = dialog(ann, "Issue a credential");
    expect(await issuing.getByLabel("Kind").locator("option").allTextContents()).toEqual([
      "Security clearance",
      "Role assignment",
    ]);
    await issuing.getByLabel("Kind").selectOption({ label: "Role assignment" });
    await issuing.getByLabel("About whom").selectOption({ label: "Ben, planner" });
    await issuing.getByLabel("Role", { exact: true }).selectOption("planner");
    await sound(ann);
    await button(issuing, "Issue it").click();
    await button(dialog(ann, "It is issued"), "Close").click();
    await row(ann, /Is planner.*Ben.*Open Road.*active/).waitFor();
    expect(await button(ben, "Issue a credential").count()).toBe(0);
    expect(await ben.getByRole("link", { name: "Issued", exact: true }).count()).toBe(0);

    // Another who issues there revokes it: here it is seen, and what it said is taken.
    await eve.goto("/identity/credentials?list=issued");
    await eve.getByRole("button", { name: "Revoke: Is planner" }).click();
    await eve.getByText("What it says is taken from them in the problem set").waitFor();
    await button(eve.getByRole("dialog"), "Revoke").click();
    await row(ann, /Is planner.*revoked.*By Eve/).waitFor();
  });

  it("shows nothing of a clearance for a compartment to who is not read into it", async () => {
    await openCompartment(desk.at, set, evelyn, "Inner", annika);
    await ann.reload();
    await button(ann, "Issue a credential").click();
    const issuing = dialog(ann, "Issue a credential");
    await issuing.getByLabel("About whom").selectOption({ label: "Ben, observer" });
    await issuing.getByLabel("Cleared to").selectOption("secret");
    await issuing.getByLabel("Inner").check();
    await button(issuing, "Issue it").click();
    await button(dialog(ann, "It is issued"), "Close").click();
    await row(ann, /Cleared to secret.*only for: Inner/).waitFor();
    await sound(ann);
    const seen = await as(desk.at, evelyn)("GET", `/api/credentials?problemSetId=${set}`);
    expect(seen.body.data).toHaveLength(1);
    await eve.reload();
    await row(eve, /Is planner/).waitFor();
    expect(await eve.getByText("Cleared to secret").count()).toBe(0);
  });
});
