import { chromium, type Browser, type BrowserContext, type CDPSession, type Page } from "playwright-core";
import { world, type TestWorld } from "../mesh.ts";
import { account } from "./browser.ts";
import { chromiumPath, virtualAuthenticator } from "../chromium.ts";
import { linkIn } from "./letters.ts";

// A real browser with its own virtual authenticator against our own routes; what people see of it: test/console/sign-in.test.ts.

/** What pages have and this side has not. */
declare const PublicKeyCredential: {
  parseCreationOptionsFromJSON(options: unknown): unknown;
  parseRequestOptionsFromJSON(options: unknown): unknown;
};
declare const document: { cookie: string };
declare const navigator: {
  credentials: Record<"create" | "get", (options: { publicKey: unknown }) => Promise<{ toJSON(): unknown }>>;
};

const executablePath = chromiumPath();
if (!executablePath)
  console.warn("SKIPPED, not passed: there is no Chromium on the PATH (Debian: apt-get install chromium).");

(executablePath ? describe : describe.skip)("in Chromium", () => {
  let at: TestWorld;
  let browser: Browser;
  let context: BrowserContext;
  let page: Page;
  let cdp: CDPSession;
  let authenticatorId: string;
  let home: string;

  beforeAll(async () => {
    at = await world();
    home = at.url.replace("127.0.0.1", "localhost");
    browser = await chromium.launch({ executablePath, args: ["--no-sandbox"] });
  }, 60_000);
  afterAll(async () => {
    await browser?.close();
    await at.stop();
  });

  beforeEach(async () => {
    context = await browser.newContext();
    page = await context.newPage();
    ({ cdp, authenticatorId } = await virtualAuthenticator(page));
    await page.goto(`${home}/link`);
  });
  afterEach(() => context.close());

  const fetched = (path: string, body?: object, method = body ? "POST" : "GET") =>
    page.evaluate(
      async ([path, body, method]) => {
        const answer = await fetch(`/api/auth/${path}`, {
          method: method as string,
          ...(body ? { headers: { "content-type": "application/json" }, body: JSON.stringify(body) } : {}),
        });
        const text = await answer.text();
        return { status: answer.status, body: text ? JSON.parse(text) : null };
      },
      [path, body, method] as const,
    );

  /** Begins at one of our routes, lets the browser make or use a passkey, and finishes there. */
  const ceremony = (kind: "create" | "get", path: string, body: object = {}) =>
    page.evaluate(
      async ([kind, path, body]) => {
        const post = async (where: string, what: unknown) => {
          const answer = await fetch(`/api/auth/${where}`, {
            method: "POST",
            headers: { "content-type": "application/json" },
            body: JSON.stringify(what),
          });
          return { status: answer.status, body: (await answer.json()) as any };
        };
        const begun = await post(path as string, body);
        if (begun.status !== 200) return begun;
        const made =
          kind === "create"
            ? await navigator.credentials.create({
                publicKey: PublicKeyCredential.parseCreationOptionsFromJSON(begun.body.data),
              })
            : await navigator.credentials.get({
                publicKey: PublicKeyCredential.parseRequestOptionsFromJSON(begun.body.data),
              });
        return post(`${path}/verify`, made.toJSON());
      },
      [kind, path, body] as const,
    );

  const credentials = async () => (await cdp.send("WebAuthn.getCredentials", { authenticatorId })).credentials;

  it("registers, signs out, signs in by address, signs in without one, steps up", async () => {
    const email = "browser@example.org";
    expect(await ceremony("create", "register", { email, name: "Ada", passkeyName: "Chromium" })).toMatchObject({
      status: 201,
      body: { data: { user: { claimedEmail: email }, passkey: { name: "Chromium" } } },
    });
    expect(await credentials()).toMatchObject([{ isResidentCredential: true, rpId: "localhost" }]);
    expect(await context.cookies()).toMatchObject([{ name: "sid", httpOnly: true, sameSite: "Lax", path: "/" }]);
    expect(await page.evaluate(() => document.cookie)).toBe("");
    expect(await fetched("session")).toMatchObject({
      status: 200,
      body: { data: { via: "session", session: { means: "passkey" } } },
    });
    const first = (await context.cookies())[0]!.value;

    expect((await fetched("logout", undefined, "POST")).status).toBe(204);
    expect(await context.cookies()).toEqual([]);
    expect((await fetched("session")).status).toBe(401);

    expect(await ceremony("get", "login", { email })).toMatchObject({
      status: 200,
      body: { data: { user: { claimedEmail: email } } },
    });
    expect((await context.cookies())[0]!.value).not.toBe(first);
    await fetched("logout", undefined, "POST");

    expect(await ceremony("get", "login")).toMatchObject({
      status: 200,
      body: { data: { user: { claimedEmail: email } } },
    });
    const before = (await context.cookies())[0]!.value;
    expect(await ceremony("get", "step-up")).toMatchObject({
      status: 200,
      body: { data: { provedAt: expect.any(String) } },
    });
    expect((await context.cookies())[0]!.value).not.toBe(before);
    expect((await credentials())[0]!.signCount).toBeGreaterThanOrEqual(3);
    expect((await fetched("logout", undefined, "POST")).status).toBe(204);
  }, 60_000);

  it("is refused when the authenticator's counter went back, as a copied one's does", async () => {
    await ceremony("create", "register", { email: "cloned@example.org" });
    for (let n = 0; n < 2; n++) expect((await ceremony("get", "login")).status).toBe(200);
    const [credential] = await credentials();
    await cdp.send("WebAuthn.clearCredentials", { authenticatorId });
    await cdp.send("WebAuthn.addCredential", { authenticatorId, credential: { ...credential!, signCount: 0 } });
    expect(await ceremony("get", "login")).toMatchObject({ status: 401, body: { error: { code: "INVALID_PASSKEY" } } });
  }, 60_000);

  it("does not get past the browser without the person", async () => {
    await ceremony("create", "register", { email: "absent@example.org" });
    await cdp.send("WebAuthn.setUserVerified", { authenticatorId, isUserVerified: false });
    await expect(ceremony("get", "login")).rejects.toThrow(/NotAllowedError|timed out or was not allowed/);
  }, 60_000);

  it("takes the passkey to no other site, and no other site's requests", async () => {
    await ceremony("create", "register", { email: "target@example.org" });
    const attacker = await context.newPage();
    await attacker.goto(`${at.url}/link`); // the same server under another name is another site
    await attacker.evaluate(
      (target) =>
        fetch(`${target}/api/auth/logout`, { method: "POST", mode: "no-cors", credentials: "include" }).catch(
          () => null,
        ),
      home,
    );
    await attacker.evaluate(
      (target) =>
        fetch(`${target}/api/auth/logout`, {
          method: "POST",
          headers: { "content-type": "application/json" },
          credentials: "include",
        }).catch(() => null),
      home,
    );
    expect((await fetched("session")).status).toBe(200);
    const stolen = await attacker.evaluate(() =>
      navigator.credentials.get({ publicKey: { challenge: new Uint8Array(32), rpId: "localhost" } }).then(
        () => "given",
        (error: Error) => error.name,
      ),
    );
    expect(stolen).toBe("SecurityError");
  }, 60_000);

  it("follows a magic link and a recovery link on our page, and not before its button is pressed", async () => {
    const { email } = await account(at);
    const magic = await linkIn(at, "magic-link", email);
    await page.goto(`${home}/link#magic-link=${magic}`);
    await page.reload(); // what a scanner does uses nothing up, though the address no longer shows the token
    await page.goto("about:blank");
    await page.goto(`${home}/link#magic-link=${magic}`);
    expect(new URL(page.url()).hash).toBe("");
    expect(await page.getByText("Remove my earlier passkeys").isVisible()).toBe(false);
    await page.getByRole("button", { name: "Sign in" }).click();
    await page.getByText("You are signed in.").waitFor();
    expect(await fetched("session")).toMatchObject({
      status: 200,
      body: { data: { user: { email }, session: { means: "magic-link" } } },
    });

    // In the same tab only the fragment changes: the page is not loaded again.
    await page.goto(`${home}/link#recovery=${await linkIn(at, "recovery", email)}`);
    expect(await page.getByText("Remove my earlier passkeys").isVisible()).toBe(true);
    await page.getByRole("button", { name: "Register a passkey" }).click();
    await page.getByText("The passkey is registered and you are signed in.").waitFor();
    expect(await fetched("session")).toMatchObject({
      body: { data: { user: { email }, session: { means: "recovery" } } },
    });
    await fetched("logout", undefined, "POST");
    expect((await ceremony("get", "login", { email })).status).toBe(200);
  }, 60_000);

  it("confirms an address on our page, from the account's own session", async () => {
    const email = "confirmed.in.browser@example.org";
    await ceremony("create", "register", { email });
    const token = await linkIn(at, "confirm", email, { asked: true });
    await fetched("logout", undefined, "POST");
    await page.goto("about:blank");
    await page.goto(`${home}/link#confirm=${token}`);
    await page.getByRole("button", { name: "Confirm" }).click();
    await page.getByText("The address is confirmed.").waitFor();
    expect((await fetched("session")).body.data.user.email).toBe(email);
  }, 60_000);

  it("sends the token of the link that was opened last in the tab", async () => {
    const [one, other] = [await account(at), await account(at)];
    const [first, second] = [await linkIn(at, "magic-link", one.email), await linkIn(at, "magic-link", other.email)];
    await page.goto(`${home}/link#magic-link=${first}`);
    await page.goto(`${home}/link#magic-link=${second}`);
    await page.getByRole("button", { name: "Sign in" }).click();
    await page.getByText("You are signed in.").waitFor();
    expect((await fetched("session")).body.data.user.email).toBe(other.email);
    await page.goto(`${home}/link#magic-link=${first}`);
    await page.getByRole("button", { name: "Sign in" }).click();
    await page.getByText("You are signed in.").waitFor();
    expect((await fetched("session")).body.data.user.email).toBe(one.email);
  }, 60_000);

  it("leads on from a link that was used before", async () => {
    const { email } = await account(at);
    const used = await linkIn(at, "magic-link", email);
    await page.goto(`${home}/link#magic-link=${used}`);
    await page.getByRole("button", { name: "Sign in" }).click();
    await page.getByText("You are signed in.").waitFor();
    await page.goto(`${home}/link#magic-link=${used}`);
    await page.getByRole("button", { name: "Sign in" }).click();
    await page.getByText("Ask for another one.").waitFor();
    expect(await page.getByRole("link", { name: "Go on to Signalmesh" }).getAttribute("href")).toBe("/");
  }, 60_000);
});
