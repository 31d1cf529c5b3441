import type { Page } from "playwright-core";
import { virtualAuthenticator } from "../chromium.ts";
import { account, Browser } from "../identity/browser.ts";
import { PASSWORD } from "../mesh.ts";
import { becomes, consoleWorld, inChromium, sound, type ConsoleWorld } from "./console.ts";

// One's own account in the console: who one is, the ways in, keys for programs, credentials, and how to leave.

/** A picture of one pixel. */
const DOT = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
  "base64",
);

inChromium("one's own account in the console", () => {
  let desk: ConsoleWorld;
  let page: Page;
  let me: { id: string; email: string };
  beforeAll(async () => {
    desk = await consoleWorld();
    me = await account(desk.at, { name: "Vera", role: "analyst" });
    page = await desk.person(me.email);
  });
  afterAll(() => desk.stop());

  const click = (name: string) => page.getByRole("button", { name, exact: true }).click();
  const dialog = (name: string | RegExp) => page.getByRole("dialog", { name });
  const told = (words: string | RegExp) => page.getByText(words).first().waitFor();

  it("says who one is to others, and says at the field what is wrong", async () => {
    await page.goto("/identity");
    await page.getByLabel("Telephone").fill("12 34");
    await page.getByLabel("Name", { exact: true }).fill("Vera Marek");
    await click("Save");
    await told("An international number");
    await sound(page);
    await page.getByLabel("Telephone").fill("+43 1 234 5678");
    await page.getByLabel("Organisation").fill("River Board");
    await click("Save");
    await told("Your profile is saved.");
    await page.locator(".who", { hasText: "Vera Marek" }).waitFor();
    await becomes(() => page.getByLabel("Telephone").inputValue(), "+4312345678");
    await page.getByLabel("Picture file").setInputFiles({ name: "dot.png", mimeType: "image/png", buffer: DOT });
    await page.getByRole("img", { name: "Vera Marek" }).waitFor();
    await click("Remove picture");
    await told("Your picture is removed.");
  });

  it("switches to training and back, after it was told what that changes", async () => {
    await click("Switch to training");
    await dialog("Switch to training?").getByText("are simulated, and say so").waitFor();
    await sound(page);
    await dialog("Switch to training?").getByRole("button", { name: "Switch to training" }).click();
    await page.locator(".who", { hasText: "training" }).waitFor();
    // What is empty is so in this mode alone.
    await page.goto("/workspace");
    await told("You are in training: what is operational is hidden until you switch back.");
    await sound(page);
    await page.getByRole("link", { name: "switch back" }).click();
    await click("Back to operations");
    await dialog("Back to operations?").getByRole("button", { name: "Back to operations" }).click();
    await told("you see operational problem sets");
    await page.locator(".who", { hasText: "training" }).waitFor({ state: "detached" });
  });

  it("adds a passkey, names it, and removes it once it is proved who asks", async () => {
    await virtualAuthenticator(page);
    await page.getByRole("link", { name: "Signing in" }).click();
    await told("You have no passkey yet.");
    await click("Add a passkey");
    await told("The passkey is registered");
    // By the device that it is on: two of them are told apart.
    await page.getByRole("rowheader", { name: "Chrome on Linux", exact: true }).waitFor();
    await page.getByRole("button", { name: /^Rename: / }).click();
    await dialog("Rename the passkey").getByLabel("Name").fill("My laptop");
    await dialog("Rename the passkey").getByRole("button", { name: "Rename" }).click();
    await page.getByRole("rowheader", { name: "My laptop" }).waitFor();
    await sound(page);
    // What wants a fresh proof asks for it, and is done then.
    desk.at.clock.advance(600_000);
    await click("Remove: My laptop");
    await dialog("Remove My laptop?").getByRole("button", { name: "Remove" }).click();
    await dialog("Prove that it is you").waitFor();
    await sound(page);
    await dialog("Prove that it is you").getByRole("button", { name: "Use my passkey" }).click();
    await told("My laptop is removed.");
    await told("You have no passkey yet.");
  });

  it("sees where it is signed in, and ends that", async () => {
    const elsewhere = await new Browser(desk.at).signIn(me.email);
    await page.goto("/identity/sign-in");
    await page.getByRole("rowheader", { name: /this one/ }).waitFor();
    await page
      .getByRole("rowheader", { name: /^Chrome on Linux/ })
      .first()
      .waitFor();
    await click("End all others");
    await told(/sessions? ended\. This one goes on\./);
    expect((await elsewhere.http("GET", "/api/auth/session")).status).toBe(401);
    await click("Change password");
    await dialog("Change your password").getByLabel("Present password").fill("not my password");
    await dialog("Change your password").getByLabel("New password").fill("a pass phrase of seven words or so");
    await dialog("Change your password").getByRole("button", { name: "Change password" }).click();
    await told("The current password is wrong.");
    await sound(page);
    await dialog("Change your password").getByLabel("Present password").fill(PASSWORD);
    await dialog("Change your password").getByRole("button", { name: "Change password" }).click();
    await told("The password is changed.");
  });

  it("makes a key that is shown once, renews it, and revokes it", async () => {
    await page.getByRole("link", { name: "API keys" }).click();
    await told("You have no keys.");
    await click("Make a key");
    await dialog("Make a key").getByLabel("Name").fill("Nightly export");
    await dialog("Make a key").getByText("Only in some parts of the platform").click();
    await dialog("Make a key").getByLabel("articles").check();
    await dialog("Make a key").getByText("Reads articles, and nothing that you may not do yourself.").waitFor();
    await sound(page);
    await dialog("Make a key").getByRole("button", { name: "Make the key" }).click();
    const key = (await dialog("Your new key").locator("code.secret").textContent())!;
    await sound(page);
    const use = async (secret: string, path: string) =>
      (await desk.at.http("GET", path, { as: null, headers: { "x-api-key": secret } })).status;
    expect([await use(key, "/api/articles"), await use(key, "/api/sources")]).toEqual([200, 403]);
    await click("I have kept it");
    await page.getByRole("cell", { name: "Reads articles" }).waitFor();
    expect(await page.getByText(key).count()).toBe(0);
    await click("Renew: Nightly export");
    await dialog("Renew Nightly export").getByLabel("The old secret goes on").selectOption("0");
    await dialog("Renew Nightly export").getByRole("button", { name: "Renew" }).click();
    const renewed = (await dialog("Renew Nightly export").locator("code.secret").textContent())!;
    expect([await use(renewed, "/api/articles"), await use(key, "/api/articles")]).toEqual([200, 401]);
    await click("I have kept it");
    await click("Revoke: Nightly export");
    await dialog("Revoke Nightly export?").getByRole("button", { name: "Revoke" }).click();
    await told("You have no keys.");
    expect(await use(renewed, "/api/articles")).toBe(401);
  });

  it("shows what is said of one, and verifies what somebody brings", async () => {
    await page.getByRole("link", { name: "Credentials" }).click();
    await click("Make another identifier");
    const did = (await page.locator("table[aria-label=Identifiers] code").textContent())!;
    const issued = await desk.at.http("POST", "/api/credentials/issue/coalition-membership", {
      body: { subject: did, coalition: "Flood relief", participation: "partner", format: "vc+jwt" },
    });
    expect(issued.status).toBe(201);
    await page.reload();
    await click("Show: Is partner of Flood relief");
    const text = await dialog("Is partner of Flood relief").getByLabel("The credential").inputValue();
    await sound(page);
    await click("Close");
    await click("Verify a credential");
    const verify = dialog("Verify a credential");
    await verify.getByLabel("The credential").fill(text);
    await verify.getByRole("button", { name: "Verify", exact: true }).click();
    await verify.getByText("it holds").waitFor();
    await verify.getByText("Issued by this platform.").waitFor();
    // Whoever verifies one reads what it says, which nobody sees in the line that they were given.
    await verify.getByRole("region", { name: "What it says" }).getByText("Flood relief").waitFor();
    await sound(page);
    await verify.getByLabel("The credential").fill(`${text.slice(0, -6)}AAAAAA`);
    await verify.getByRole("button", { name: "Verify", exact: true }).click();
    await verify.getByText("it does not hold").waitFor();
    await verify.getByText("It names this platform as its issuer, and nothing proves that.").waitFor();
    await verify.getByText("What it says, which does not hold").waitFor();
    expect(await verify.getByText("Issued by this platform.").count()).toBe(0);
    // What a cell holds is never wider than the dialog.
    expect(await verify.evaluate((shown: any) => shown.scrollWidth <= shown.clientWidth)).toBe(true);
    await sound(page);
    await verify.getByLabel("The credential").fill("{ broken");
    await verify.getByRole("button", { name: "Verify", exact: true }).click();
    await verify.getByText("This begins as JSON and is none").waitFor();
  });

  it("chooses what it is told of in a problem set, and reads it", async () => {
    const as = await new Browser(desk.at).http("POST", "/api/auth/login", {
      body: { email: me.email, password: "a pass phrase of seven words or so" },
    });
    const token: string = as.body.data.token;
    const made = await desk.at.http("POST", "/api/problem-sets", { as: token, body: { name: "Flood on the Morava" } });
    await page.goto("/identity/notifications");
    await told("You are told of nothing here yet.");
    await click("Be told of more");
    await dialog("Be told of more in Flood on the Morava").getByLabel("Of what").selectOption("mission.*");
    await sound(page);
    await dialog("Be told of more in Flood on the Morava").getByRole("button", { name: "Tell me" }).click();
    await page.getByRole("rowheader", { name: "missions" }).waitFor();
    await click("Pause: missions");
    await page.getByRole("cell", { name: "paused" }).waitFor();
    await sound(page);
    await click("Stop: missions");
    await told("You are told of nothing here yet.");
    expect(made.status).toBe(201);
  });

  it("takes its data along, and closes the account with all that this means", async () => {
    await page.getByRole("link", { name: "Your data" }).click();
    const [file] = await Promise.all([
      page.waitForEvent("download"),
      page.getByRole("link", { name: "Download my data" }).click(),
    ]);
    expect(file.suggestedFilename()).toBe("signalmesh-personal-data.json");
    await sound(page);
    await click("Close my account");
    const leave = dialog("Close your account for good?");
    await leave.getByLabel(`Type ${me.email} to confirm`).fill("other@example.org");
    await leave.getByRole("button", { name: "Close and erase" }).click();
    await leave.getByText("This is not your account's address.").waitFor();
    await sound(page);
    await leave.getByLabel(`Type ${me.email} to confirm`).fill(me.email);
    await leave.getByRole("button", { name: "Close and erase" }).click();
    await told("Your account is closed.");
    await page.getByRole("heading", { name: "Sign in" }).waitFor();
  });

  it("is told how to prove who one is where an account has neither passkey nor password", async () => {
    const { account } = await import("../identity/browser.ts");
    const { email, id } = await account(desk.at, { name: "Iva", role: "reader" });
    const iva = await desk.person(email);
    const users = await desk.at.mesh.world.documents.collection("users");
    await users.updateMany({ _id: id }, { $unset: { passwordHash: 1 } });
    desk.at.clock.advance(600_000);
    await iva.goto("/identity/leaving");
    await iva.getByRole("button", { name: "Close my account" }).click();
    await iva.getByLabel(`Type ${email} to confirm`).fill(email);
    await iva.getByRole("button", { name: "Close and erase" }).click();
    const proof = iva.getByRole("dialog", { name: "Prove that it is you" });
    await proof.getByText("Your account has neither a passkey nor a password yet.").waitFor();
    expect(await proof.getByRole("button", { name: "Use my passkey" }).count()).toBe(0);
    await sound(iva);
    await proof.getByRole("link", { name: "Add a passkey" }).click();
    await iva.getByRole("heading", { name: "Signing in", level: 1 }).waitFor();
    await iva.context().close();
  });
});
