import { eventually, PASSWORD, world, type TestWorld } from "../mesh.ts";
import { authenticatorAt, type SoftAuthenticator } from "./authenticator.ts";
import { account, Browser } from "./browser.ts";
import { lettersTo, linkIn, post } from "./letters.ts";

let at: TestWorld;
beforeAll(async () => { at = await world(); });
afterAll(() => at.stop());

interface Owner { email: string; browser: Browser; passkey: SoftAuthenticator; key: string }

/** Somebody with every way in: password, passkey, API key, address. */
async function owner(): Promise<Owner> {
  const { email } = await account(at);
  const browser = await new Browser(at).signIn(email), passkey = authenticatorAt(at);
  await browser.http("POST", "/api/auth/register/verify", { body: passkey.create((await browser.http("POST", "/api/auth/register", { body: { passkeyName: "Laptop" } })).body.data) });
  const { key } = (await browser.http("POST", "/api/keys", { body: { name: "nightly\nexport" } })).body.data;
  return { email, browser, passkey, key };
}

async function recover(email: string, given: object = {}): Promise<{ browser: Browser; passkey: SoftAuthenticator }> {
  const browser = new Browser(at), passkey = authenticatorAt(at);
  const { body } = await browser.http("POST", "/api/auth/recovery/verify", { body: { token: await linkIn(at, "recovery", email), passkeyName: "Phone", ...given } });
  const done = await browser.http("POST", "/api/auth/register/verify", { body: passkey.create(body.data) });
  expect(done.status).toBe(201);
  return { browser, passkey };
}

async function stepUp({ browser, passkey }: { browser: Browser; passkey: SoftAuthenticator }): Promise<void> {
  const options = (await browser.http("POST", "/api/auth/step-up")).body.data;
  expect((await browser.http("POST", "/api/auth/step-up/verify", { body: passkey.get(options) })).status).toBe(200);
}

const letsIn = {
  password: async ({ email }: Owner) => (await at.http("POST", "/api/auth/login", { as: null, body: { email, password: PASSWORD } })).status,
  passkey: async ({ email }: Owner, passkey: SoftAuthenticator) => (await at.http("POST", "/api/auth/login/verify", { as: null, body: passkey.get((await at.http("POST", "/api/auth/login", { as: null, body: { email } })).body.data) })).status,
  key: async ({ key }: Owner) => (await at.http("GET", "/api/articles/stats", { as: null, headers: { "x-api-key": key } })).status,
};

const recoveryLetter = (email: string) =>
  eventually(() => { post(at); return lettersTo(at, email).find(({ subject }) => subject === "Your account was recovered"); }, (letter) => letter !== undefined);

describe("after a recovery", () => {
  it("what else lets in is mailed and listed, and ends at one call with a fresh proof", async () => {
    const ann = await owner();
    const recovered = await recover(ann.email);
    const { text } = (await recoveryLetter(ann.email))!;
    for (const way of ["the passkey \"Laptop\"", "the password", "the API key \"nightly export\""]) expect(text).toContain(`  - ${way}`);
    expect(text).not.toContain("- the passkey \"Phone\"");

    const { browser } = recovered;
    const { data } = (await browser.http("GET", "/api/auth/authenticators")).body;
    expect(data).toMatchObject({ password: true, provider: false, mail: true, keys: [{ name: "nightly\nexport" }] });
    expect(data.passkeys.map(({ name }: { name: string }) => name).sort()).toEqual(["Laptop", "Phone"]);
    expect(await letsIn.key(ann)).toBe(200);

    // A mailed link proves a mailbox: to end anything it takes the passkey.
    expect((await browser.http("DELETE", "/api/auth/authenticators")).body.error.code).toBe("STEP_UP_REQUIRED");
    await stepUp(recovered);
    const left = await browser.http("DELETE", "/api/auth/authenticators");
    expect(left).toMatchObject({ status: 200, body: { data: { password: false, keys: [], passkeys: [{ name: "Phone" }] } } });
    expect([await letsIn.password(ann), await letsIn.key(ann), await letsIn.passkey(ann, ann.passkey)]).toEqual([401, 401, 401]);
    expect(await letsIn.passkey(ann, recovered.passkey)).toBe(200);
    expect((await browser.http("GET", "/api/auth/me")).status).toBe(200);
  });

  it("nothing else lets in where its owner says at once that the rest is lost", async () => {
    const ben = await owner();
    const { browser, passkey } = await recover(ben.email, { forgetOthers: true });
    await eventually(() => letsIn.key(ben), (status) => status === 401);
    expect([await letsIn.password(ben), await letsIn.passkey(ben, ben.passkey)]).toEqual([401, 401]);
    expect(await letsIn.passkey(ben, passkey)).toBe(200);
    expect((await recoveryLetter(ben.email))!.text).not.toContain("as before");
    // A key made since is not taken for one from before.
    expect((await browser.http("POST", "/api/keys", { body: { name: "new" } })).status).toBe(201);
    expect((await browser.http("GET", "/api/auth/authenticators")).body.data.keys).toHaveLength(1);
  });

  it("by a stranger with the mailbox, its owner still gets in, sees it, and turns them out", async () => {
    const cleo = await owner();
    const stranger = await recover(cleo.email);
    await stranger.browser.http("POST", "/api/keys", { body: { name: "back door" } });
    const browser = new Browser(at);
    await browser.http("POST", "/api/auth/login/verify", { body: cleo.passkey.get((await browser.http("POST", "/api/auth/login", { body: {} })).body.data) });
    const { data } = (await browser.http("GET", "/api/auth/authenticators")).body;
    expect([...data.passkeys, ...data.keys].map(({ name }: { name: string }) => name)).toEqual(expect.arrayContaining(["Phone", "back door"]));
    expect((await browser.http("DELETE", "/api/auth/authenticators")).body.data).toMatchObject({ keys: [], passkeys: [{ name: "Laptop" }] });
    expect(await letsIn.passkey(cleo, stranger.passkey)).toBe(401);
    expect((await stranger.browser.http("GET", "/api/auth/me")).status).toBe(401);
  });
});

describe("a way in", () => {
  it("is ended by itself, with the sessions begun by it", async () => {
    const dora = await owner();
    const browser = new Browser(at);
    await browser.http("POST", "/api/auth/login/verify", { body: dora.passkey.get((await browser.http("POST", "/api/auth/login", { body: {} })).body.data) });
    expect((await browser.http("DELETE", "/api/auth/authenticators/provider")).status).toBe(404);
    expect((await browser.http("DELETE", "/api/auth/authenticators/password")).status).toBe(204);
    expect(await letsIn.password(dora)).toBe(401);
    expect((await dora.browser.http("GET", "/api/auth/me")).status).toBe(401);
    expect((await browser.http("GET", "/api/auth/me")).status).toBe(200);
  });

  it("stays where the session does not tell which passkey should, or none is there", async () => {
    const { email } = await account(at);
    const { token } = (await at.http("POST", "/api/auth/login", { as: null, body: { email, password: PASSWORD } })).body.data;
    expect((await at.http("DELETE", "/api/auth/authenticators", { as: token })).status).toBe(409);
    expect((await at.http("DELETE", "/api/auth/authenticators?keep=of-somebody-else", { as: token })).status).toBe(404);
    expect((await at.http("GET", "/api/auth/authenticators", { as: token })).body.data).toMatchObject({ password: true, passkeys: [], mail: true });
  });
});
