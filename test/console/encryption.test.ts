import type { Page } from "playwright-core";
import { admit, as, openCompartment, openSet, person, type Person } from "../workspace/people.ts";
import { consoleWorld, inChromium, sound, type ConsoleWorld } from "./console.ts";
import { browserOf, button } from "./people.ts";

// Texts under keys of one's own and of a set: Ann encrypts, Bob of the same set and Cleo by her DID read.

inChromium("encryption in the console", () => {
  let desk: ConsoleWorld;
  let ann: Page, bob: Page, cleo: Page;
  let annika: Person, robert: Person, cleopatra: Person;
  let set: string;
  const part = (page: Page, name: string) => page.getByRole("region", { name });
  const encrypted = async (page: Page): Promise<string> =>
    (await part(page, "Encrypt a text").locator("code").textContent())!;
  async function decrypt(page: Page, jwe: string): Promise<void> {
    await page.getByRole("textbox", { name: "Encrypted text" }).fill(jwe);
    await button(page, "Decrypt").click();
  }

  beforeAll(async () => {
    desk = await consoleWorld();
    [[ann, annika], [bob, robert], [cleo, cleopatra]] = await Promise.all([
      browserOf(desk, "Ann"),
      browserOf(desk, "Bob"),
      browserOf(desk, "Cleo"),
    ]);
    set = await openSet(desk.at, annika, { name: "Flood on the Morava" });
    await admit(desk.at, set, robert, "planner");
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

  it("makes a key for a compartment, under which those read, who are read in, and for as long as they are", async () => {
    const dora = await person(desk.at, "Dora");
    await admit(desk.at, set, dora, "deputy");
    await admit(desk.at, set, cleopatra, "planner");
    const informants = await openCompartment(desk.at, set, dora, "Informants", annika, robert);
    await ann.goto(`/workspace/${set}/compartments/${informants}`);
    await ann.getByText("No key is for this compartment yet.").waitFor();
    await sound(ann);
    await button(ann, "Make a key").click();
    const dialog = ann.getByRole("dialog", { name: "Make a key for Informants" });
    await dialog.getByLabel("Name").fill("two words");
    await button(dialog, "Make the key").click();
    await dialog.getByText("Must be letters from a to z, digits").waitFor();
    await sound(ann);
    await dialog.getByLabel("Name").fill("letters");
    await button(dialog, "Make the key").click();
    await ann.getByRole("row", { name: /^letters 1/ }).waitFor();
    await sound(ann);
    await ann.getByRole("link", { name: "Encrypt or decrypt a text" }).click();
    await ann.getByRole("row", { name: /^letters only those read into Informants/ }).waitFor();
    await part(ann, "Encrypt a text").getByLabel("For").selectOption("letters: only those read into Informants");
    await ann.getByLabel("Text", { exact: true }).fill("Meet at the old mill.");
    await part(ann, "Encrypt a text").getByText("Bound to something outside of it").click();
    await part(ann, "Encrypt a text").getByLabel("Bound to").fill("order 17");
    await button(ann, "Encrypt").click();
    await part(ann, "Encrypt a text").getByRole("heading", { name: "Encrypted text" }).waitFor();
    await sound(ann);
    const text = await encrypted(ann);
    await bob.goto(`/workspace/${set}/keys`);
    await bob.getByRole("row", { name: /^letters/ }).waitFor();
    // He may use it, not rotate it.
    expect(await button(bob, "Rotate letters").count()).toBe(0);
    await decrypt(bob, text);
    await part(bob, "Decrypt a text").getByText("Cannot decrypt.").waitFor();
    await part(bob, "Decrypt a text").getByText("Bound to something outside of it").click();
    await part(bob, "Decrypt a text").getByLabel("Bound to").fill("order 17");
    await decrypt(bob, text);
    await part(bob, "Decrypt a text").getByText("Meet at the old mill.").waitFor();
    await cleo.goto(`/workspace/${set}/keys`);
    await cleo.getByRole("row", { name: /^field-reports everybody/ }).waitFor();
    await sound(cleo);
    expect(await cleo.getByText("letters").count()).toBe(0);
    await as(desk.at, dora)(
      "DELETE",
      `/api/problem-sets/${set}/compartments/${informants}/members/${encodeURIComponent(robert.did)}`,
    );
    await decrypt(bob, text);
    await part(bob, "Decrypt a text").getByText("Cannot decrypt.").waitFor();
    await bob.reload();
    await bob.getByRole("row", { name: /^field-reports/ }).waitFor();
    expect(await bob.getByText("letters").count()).toBe(0);
    // Closed with its compartment, nobody reads any longer what the key encrypted; restored, those read in do.
    const jwe = JSON.parse(text) as object;
    const asAnn = as(desk.at, annika);
    const reads = async (): Promise<number> =>
      (await asAnn("POST", "/api/encryption/decrypt", { jwe, aad: "order 17" })).status;
    const place = `/api/problem-sets/${set}/compartments/${informants}`;
    expect(await reads()).toBe(200);
    await asAnn("DELETE", `${place}?records=close`);
    expect(await reads()).toBe(422);
    await asAnn("POST", `${place}/restore`);
    expect(await reads()).toBe(200);
  });
});
