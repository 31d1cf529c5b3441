import type { Page } from "playwright-core";
import { admit, openSet, type Person } from "../workspace/people.ts";
import { consoleWorld, inChromium, sound, type ConsoleWorld } from "./console.ts";
import { browserOf, button } from "./people.ts";

// Texts under keys of one's own and of a set: Ann encrypts, Bob of the same set and Cleo by her DID read.

inChromium("encryption in the console", () => {
  let desk: ConsoleWorld;
  let ann: Page, bob: Page, cleo: Page;
  let cleopatra: Person;
  const part = (page: Page, name: string) => page.getByRole("region", { name });
  const encrypted = async (page: Page): Promise<string> =>
    (await part(page, "Encrypt a text").locator("code").textContent())!;
  async function decrypt(page: Page, jwe: string): Promise<void> {
    await page.getByRole("textbox", { name: "Encrypted text" }).fill(jwe);
    await button(page, "Decrypt").click();
  }

  beforeAll(async () => {
    desk = await consoleWorld();
    let annika: Person, robert: Person;
    [[ann, annika], [bob, robert], [cleo, cleopatra]] = await Promise.all([
      browserOf(desk, "Ann"),
      browserOf(desk, "Bob"),
      browserOf(desk, "Cleo"),
    ]);
    await admit(desk.at, await openSet(desk.at, annika, { name: "Flood on the Morava" }), robert, "planner");
  });
  afterAll(() => desk.stop());

  it("makes a key for a problem set, under which its members read, and nobody else", async () => {
    await ann.goto("/identity");
    await ann.getByRole("link", { name: "Encryption" }).click();
    await ann.getByText("You have no key yet.").waitFor();
    await sound(ann);
    await button(ann, "Make a key").click();
    const dialog = ann.getByRole("dialog");
    await dialog.getByLabel("Name").fill("field-reports");
    await dialog.getByLabel("Who can use it").selectOption({ label: "the members of Flood on the Morava" });
    await sound(ann);
    await button(dialog, "Make the key").click();
    await ann.getByRole("row", { name: /field-reports the members of Flood on the Morava 1/ }).waitFor();
    await ann.getByLabel("Text", { exact: true }).fill("The dike at Lhota leaks.");
    await button(ann, "Encrypt").click();
    await part(ann, "Encrypt a text").getByRole("heading", { name: "Encrypted text" }).waitFor();
    await sound(ann);
    const text = await encrypted(ann);
    expect(text).not.toContain("Lhota");
    await bob.goto("/identity/encryption");
    await decrypt(bob, text);
    await part(bob, "Decrypt a text").getByText("The dike at Lhota leaks.").waitFor();
    await sound(bob);
    await cleo.goto("/identity/encryption");
    await decrypt(cleo, text);
    await part(cleo, "Decrypt a text").getByRole("alert").waitFor();
    await sound(cleo);
    await button(ann, "Rotate field-reports").click();
    await button(dialog, "Rotate").click();
    await ann.getByText("field-reports encrypts with its version 2 from now on.").waitFor();
    await decrypt(ann, text);
    await part(ann, "Decrypt a text").getByText("The dike at Lhota leaks.").waitFor();
  });

  it("encrypts for somebody by their DID", async () => {
    await ann.getByLabel("For", { exact: true }).selectOption({ label: "somebody whose DID I know" });
    await ann.getByLabel("Their DID").fill(cleopatra.did);
    await ann.getByLabel("Text", { exact: true }).fill("For your eyes.");
    const before = await encrypted(ann);
    await button(ann, "Encrypt").click();
    await part(ann, "Encrypt a text").locator("code").filter({ hasNotText: before }).waitFor();
    await decrypt(cleo, await encrypted(ann));
    await part(cleo, "Decrypt a text").getByText("For your eyes.").waitFor();
    await decrypt(bob, '{"half');
    await bob.getByText("This is no whole encrypted text").waitFor();
    await sound(bob);
  });
});
