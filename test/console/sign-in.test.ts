import type { Page } from "playwright-core";
import { systemActor } from "../../core/access/access.ts";
import { virtualAuthenticator } from "../chromium.ts";
import { account, Browser } from "../identity/browser.ts";
import { linkIn } from "../identity/letters.ts";
import { PASSWORD } from "../mesh.ts";
import { consoleWorld, inChromium, sound, type ConsoleWorld } from "./console.ts";

// Every way into the console, as people go them: each page is looked at by axe, and says in words what went wrong.

inChromium("signing in to the console", () => {
  let desk: ConsoleWorld;
  beforeAll(async () => {
    desk = await consoleWorld();
  });
  afterAll(() => desk.stop());

  const click = (page: Page, name: string) => page.getByRole("button", { name, exact: true }).click();
  const isHere = (page: Page, name: string) => page.locator(".who", { hasText: name }).waitFor();

  it("opens the page that was asked for, by password, and says what is wrong", async () => {
    const { email } = await account(desk.at, { name: "Petra", role: "analyst" });
    const page = await desk.person(null);
    await page.goto("/news/sources?health=failed");
    await page.getByText("The page that you asked for opens").waitFor();
    await sound(page);
    await page.getByLabel("Email").fill(email);
    await click(page, "Sign in");
    await page.getByText("Type your password, or have a link mailed to you.").waitFor();
    await page.getByLabel("Password").fill("not my password");
    await click(page, "Sign in");
    await page
      .getByRole("alert")
      .filter({ hasText: /password/ })
      .waitFor();
    await page.getByLabel("Password").fill(PASSWORD);
    await click(page, "Sign in");
    await isHere(page, "Petra");
    await page.getByRole("heading", { name: "Sources" }).waitFor();
    expect(new URL(page.url()).search).toBe("?health=failed");
  });

  it("opens it by a mailed link as well", async () => {
    const { email } = await account(desk.at, { name: "Lena" });
    const page = await desk.person(null);
    await page.goto("/news/sources");
    await page.getByLabel("Email").fill(email);
    await click(page, "Mail me a link instead");
    await page.getByText(`If ${email} has an account`).waitFor();
    const link = await linkIn(desk.at, "magic-link", email, { asked: true });
    const tab = await page.context().newPage();
    await tab.goto(`${desk.home}/link#magic-link=${link}`);
    await tab.getByRole("button", { name: "Sign in" }).waitFor();
    await sound(tab);
    await click(tab, "Sign in");
    // Whose link it was: somebody may have been handed another person's.
    await tab.getByText(`You are signed in. This is the account of ${email}.`).waitFor();
    await tab.getByRole("link", { name: "Go on to Signalmesh" }).click();
    await tab.getByRole("heading", { name: "Sources" }).waitFor();
    // The tab in which it was asked for is open when the person comes back to it.
    await page.bringToFront();
    await page.evaluate('dispatchEvent(new Event("focus"))');
    await isHere(page, "Lena");
  });

  it("makes an account by passkey, waits for its address, and comes in by the passkey alone", async () => {
    const page = await desk.person(null);
    await virtualAuthenticator(page);
    await page.goto("/workspace/join#an-invitation");
    // On a machine of one's own, one may be the first, and have no mail server.
    await page.getByText("a link is printed that makes the first administrator").waitFor();
    await click(page, "Make an account");
    await page.getByLabel("Email").fill("ada.in.console@example.org");
    await page.getByLabel("Your name, as others read it").fill("Ada");
    await sound(page);
    await click(page, "Make it with a passkey");
    await page.getByText("One step left").waitFor();
    await page.getByText("letters stand in the log of the platform").waitFor();
    await sound(page);
    await click(page, "I have followed it");
    await page.getByText("The platform has not seen the link followed yet.").waitFor();
    const link = await linkIn(desk.at, "confirm", "ada.in.console@example.org", { asked: true });
    const tab = await page.context().newPage();
    await tab.goto(`${desk.home}/link#confirm=${link}`);
    await click(tab, "Confirm");
    await tab.getByText("The address is confirmed.").waitFor();
    // Whoever goes on in the tab of the letter has the invitation before them, which they came by.
    const on = tab.getByRole("link", { name: "Go on to Signalmesh" });
    expect(await on.getAttribute("href")).toBe("/workspace/join#an-invitation");
    await page.bringToFront();
    // The other tab has told it.
    await isHere(page, "Ada");
    await click(page, "Sign out");
    await click(page, "Sign in with a passkey");
    await isHere(page, "Ada");
  });

  it("gives up an account that was opened with a wrong address", async () => {
    const page = await desk.person(null);
    await virtualAuthenticator(page);
    await page.goto("/");
    await click(page, "Make an account");
    await page.getByLabel("Email").fill("wrongly.typed@example.org");
    await click(page, "Make it with a passkey");
    await click(page, "The address is wrong");
    await sound(page);
    await click(page, "Close this account");
    await page.getByText("Make another one with the right address.").waitFor();
    await page.getByRole("heading", { name: "Sign in" }).waitFor();
  });

  it("takes a colleague from the letter to a passkey, and in again by it; they see what they may do", async () => {
    const email = "colleague.in.console@example.org";
    const made = await desk.at.http("POST", "/api/auth/users", { body: { email, name: "Colleague", role: "analyst" } });
    const page = await desk.person(null);
    await virtualAuthenticator(page);
    await page.goto(`/link#welcome=${await linkIn(desk.at, "welcome", email, { asked: true })}`);
    await click(page, "Sign in");
    await page.getByRole("link", { name: "Go on to Signalmesh" }).click();
    await isHere(page, "Colleague");
    await page.goto("/identity/sign-in");
    await click(page, "Add a passkey");
    await page.getByText("The passkey is registered").waitFor();
    await click(page, "Sign out");
    await click(page, "Sign in with a passkey");
    await isHere(page, "Colleague");
    expect(await page.getByRole("link", { name: "Administration" }).isVisible()).toBe(false);
    // What is offered is what they may do.
    await page.goto("/news/sources");
    const follow = page.getByRole("button", { name: "Follow a source" });
    await follow.waitFor();
    await desk.at.http("PUT", `/api/auth/users/${made.body.data.id}`, { body: { role: "reader" } });
    await page.reload();
    await page.getByText("Nothing is followed yet").waitFor();
    expect(await follow.isVisible()).toBe(false);
  });

  it("says in words why there is no passkey", async () => {
    const page = await desk.person(null);
    const { cdp, authenticatorId } = await virtualAuthenticator(page);
    await page.goto(`${desk.at.url}/`);
    await click(page, "Sign in with a passkey");
    await page.getByText("Passkeys here belong to localhost: open this page under that name.").waitFor();
    await page.goto("/");
    await cdp.send("WebAuthn.setUserVerified", { authenticatorId, isUserVerified: false });
    await click(page, "Sign in with a passkey");
    await page.getByText("There was no passkey: it was called off").waitFor();
  });

  it("keeps the page when the session ends, and does what was asked for once the person is back", async () => {
    const { email } = await account(desk.at, { name: "Olga", role: "analyst" });
    const page = await desk.person(email);
    await page.goto("/news/sources");
    await click(page, "Follow a source");
    const dialog = page.getByRole("dialog", { name: "Follow a source" });
    await dialog.getByLabel("Address").fill("https://127.0.0.1:9/feed");
    await dialog.getByLabel("Name").fill("Typed before the end");
    // Somebody ends the session, from another device.
    const elsewhere = await new Browser(desk.at).signIn(email);
    await elsewhere.http("DELETE", "/api/auth/sessions");
    // The page may have heard of it already, and then lies behind what asks them to sign in.
    await dialog.getByRole("button", { name: "Follow", exact: true }).dispatchEvent("click");
    const ended = page.getByRole("dialog", { name: "Your session has ended" });
    await ended.getByText("Sign in again as Olga").waitFor();
    await sound(page);
    expect(await ended.getByLabel("Email").inputValue()).toBe(email);
    await ended.getByLabel("Password").fill(PASSWORD);
    await ended.getByRole("button", { name: "Sign in", exact: true }).click();
    await page.getByText("Typed before the end is followed.").waitFor();
    await page.getByRole("link", { name: "Typed before the end" }).waitFor();
    // Whoever does not come back leaves nothing on the page.
    await elsewhere.http("DELETE", "/api/auth/sessions");
    await page.getByRole("button", { name: "Show", exact: true }).dispatchEvent("click");
    await page.getByRole("dialog", { name: "Your session has ended" }).getByRole("button", { name: "Close" }).click();
    await page.getByRole("heading", { name: "Sign in" }).waitFor();
    expect(await page.getByText("Typed before the end").count()).toBe(0);
  });

  it("goes on from the set-up of a first administrator, signed in", async () => {
    const fresh = await consoleWorld({ ADMIN_EMAIL: "", ADMIN_PASSWORD: "" });
    try {
      const token = await fresh.at.mesh.broker.call<string, object>(
        "auth.setupToken",
        {},
        { meta: { actor: systemActor("test") } },
      );
      const page = await fresh.person(null);
      await page.goto("/setup");
      await page.getByText("This link is not complete.").waitFor();
      expect(await page.getByRole("button").isVisible()).toBe(false);
      await page.goto(`/setup#${token}`);
      await page.getByLabel("Your name").fill("Ilona");
      await sound(page);
      await page.getByLabel("Email").fill("first@example.org");
      await page.getByLabel("Password").fill("password1234");
      await click(page, "Make the account");
      await page.getByText(/^password: /).waitFor();
      await page.getByLabel("Password").fill("a pass phrase of my own, long enough");
      await click(page, "Make the account");
      await isHere(page, "Ilona");
      expect(new URL(page.url()).pathname).toMatch(/^\/(news)?$/);
      await page.getByRole("link", { name: "Administration" }).click();
      await page.getByRole("link", { name: "Accounts", exact: true }).click();
      await page.getByRole("button", { name: "Make an account" }).waitFor();
    } finally {
      await fresh.stop();
    }
  });
});
