import type { Page } from "playwright-core";
import { virtualAuthenticator } from "../chromium.ts";
import { account } from "../identity/browser.ts";
import { linkIn } from "../identity/letters.ts";
import { PASSWORD } from "../mesh.ts";
import { as, openCompartment, openStaffedSet, persons } from "../workspace/people.ts";
import { becomes, consoleWorld, inChromium, sound, type ConsoleWorld } from "./console.ts";

// What a browser still shows, or does, when its person has left, when somebody else sits there, or when their rights
// were taken.

inChromium("what a browser keeps", () => {
  let desk: ConsoleWorld;
  beforeAll(async () => {
    desk = await consoleWorld();
  });
  afterAll(() => desk.stop());

  const click = (page: Page, name: string) => page.getByRole("button", { name, exact: true }).click();
  const isHere = (page: Page, name: string) => page.locator(".who", { hasText: name }).waitFor();
  const isOut = (page: Page) => page.getByRole("heading", { name: "Sign in" }).waitFor();
  /** Somebody else follows their link in another tab of the same browser. */
  async function signInBeside(page: Page, email: string): Promise<void> {
    await desk.at.http("POST", "/api/auth/magic-link", { as: null, body: { email } });
    const tab = await page.context().newPage();
    await tab.goto(`/link#magic-link=${await linkIn(desk.at, "magic-link", email, { asked: true })}`);
    await click(tab, "Sign in");
    await tab.getByText("You are signed in.").waitFor();
  }

  it("shows nothing after sign-out: not in other tabs, and not behind the Back button", async () => {
    const { email } = await account(desk.at, { name: "Nora", role: "analyst" });
    const page = await desk.person(email);
    const tab = await page.context().newPage();
    await tab.goto("/identity");
    await isHere(tab, "Nora");
    await page.goto("/api/user-profile");
    expect(await page.content()).toContain("Nora");
    await page.goto("/news");
    await isHere(page, "Nora");
    await click(page, "Sign out");
    await isOut(page);
    await isOut(tab);
    expect(await tab.locator("body").textContent()).not.toContain("Nora");
    await page.goBack();
    expect(await page.content()).not.toContain("Nora");
  });

  it("covers the page of somebody whose session ended, until they are back", async () => {
    const { email } = await account(desk.at, { name: "Otto", role: "analyst" });
    const page = await desk.person(email);
    await page.goto("/identity");
    await page.getByLabel("Organisation").fill("River Board");
    await page.context().clearCookies();
    await click(page, "Save");
    const ended = page.getByRole("dialog", { name: "Your session has ended" });
    await ended.waitFor();
    await sound(page);
    expect(
      await page.evaluate('getComputedStyle(document.querySelector("dialog"), "::backdrop").backgroundColor'),
    ).toMatch(/^rgb\(\d+, \d+, \d+\)$/);
    await ended.getByLabel("Password").fill(PASSWORD);
    await click(page, "Sign in");
    await ended.waitFor({ state: "detached" });
    await page.getByText("Your profile is saved.").waitFor();
    await becomes(() => page.getByLabel("Organisation").inputValue(), "River Board");
  });

  it("does under a proof only what the one who proves it asked for", async () => {
    const [lena, mara] = [
      await account(desk.at, { name: "Lena", role: "analyst" }),
      await account(desk.at, { name: "Mara", role: "analyst" }),
    ];
    const page = await desk.person(lena.email);
    await virtualAuthenticator(page);
    await page.goto("/identity/sign-in");
    await click(page, "Add a passkey");
    await page.getByText("The passkey is registered").waitFor();
    desk.at.clock.advance(600_000);
    await page.getByRole("button", { name: /^Remove: / }).click();
    await page
      .getByRole("dialog", { name: /^Remove / })
      .getByRole("button", { name: "Remove" })
      .click();
    await page.getByRole("dialog", { name: "Prove that it is you" }).waitFor();
    await signInBeside(page, mara.email);
    await isHere(page, "Mara");
    expect(await page.getByRole("dialog").count()).toBe(0);
    await page.getByText("You have no passkey yet.").waitFor();
  });

  it("goes on listening when the session has a new secret, after a proof", async () => {
    const { email } = await account(desk.at, { name: "Petr", role: "analyst" });
    const page = await desk.person(email);
    await virtualAuthenticator(page);
    await page.goto("/identity/sign-in");
    await click(page, "Add a passkey");
    await page.getByText("The passkey is registered").waitFor();
    const tab = await page.context().newPage();
    tab.setDefaultTimeout(60_000);
    const connected = tab.waitForEvent("websocket").then(async (opened) => {
      await opened.waitForEvent("framereceived");
      return opened;
    });
    await tab.goto("/news");
    const socket = await connected;
    desk.at.clock.advance(600_000);
    await page.getByRole("button", { name: /^Remove: / }).click();
    await page
      .getByRole("dialog", { name: /^Remove / })
      .getByRole("button", { name: "Remove" })
      .click();
    const isCut = socket.waitForEvent("close");
    const again = tab.waitForEvent("websocket");
    await page
      .getByRole("dialog", { name: "Prove that it is you" })
      .getByRole("button", { name: "Use my passkey" })
      .click();
    await page.getByText("is removed.").waitFor();
    await Promise.all([isCut, again]);
    await tab.getByText("Not connected").waitFor({ state: "detached" });
  });

  it("shows no layer of a compartment any longer to whoever was removed from the set", async () => {
    const [ann, bob, cleo] = await persons(desk.at, "annika", "bobby", "cleopatra");
    const set = await openStaffedSet(desk.at, ann!, { planner: bob!, deputy: cleo! }, { name: "Flood at Hradek" });
    const red = await openCompartment(desk.at, set, ann!, "Red", bob!);
    const spec = {
      type: "FeatureCollection",
      features: [
        {
          type: "Feature",
          id: "depot",
          geometry: { type: "Point", coordinates: [17, 48] },
          properties: { name: "Depot" },
        },
      ],
    };
    const made = await as(desk.at, bob!)("POST", "/api/cop/layers", {
      ...{ problemSetId: set, compartments: [red], name: "Hidden depots", type: "custom", spec },
    });
    expect(made.status).toBe(201);
    const page = await desk.person(bob!.email);
    await page.goto(`/picture?set=${set}`);
    // The choice stands in the address, which changes a moment later.
    await page.getByLabel(/^Hidden depots/).click();
    await page.getByRole("button", { name: /^Depot/ }).waitFor();
    const gone = await as(desk.at, ann!)("DELETE", `/api/problem-sets/${set}/members/${bob!.did}`);
    expect(gone.status).toBeLessThan(300);
    await page.getByText("Hidden depots").first().waitFor({ state: "detached" });
    await page.getByRole("button", { name: /^Depot/ }).waitFor({ state: "detached" });
  });
});
