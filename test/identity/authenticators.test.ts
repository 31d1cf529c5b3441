import { systemActor } from "../../core/access/access.ts";
import { startToken } from "../../services/identity/auth/sessions/sessions.actions.ts";
import { Session } from "../../services/identity/auth/sessions/sessions.ts";
import { User } from "../../services/identity/auth/users/users.ts";
import { eventually, itInside, PASSWORD, world, type TestWorld } from "../mesh.ts";
import { authenticatorAt, type SoftAuthenticator } from "./authenticator.ts";
import { account, Browser } from "./browser.ts";
import { lettersTo, linkIn, post } from "./letters.ts";

let at: TestWorld;
beforeAll(async () => {
  at = await world();
});
afterAll(() => at.stop());

interface Owner {
  email: string;
  browser: Browser;
  passkey: SoftAuthenticator;
  key: string;
}

/** Somebody with every way in: password, passkey, API key, address. */
async function owner(): Promise<Owner> {
  const { email } = await account(at);
  const browser = await new Browser(at).signIn(email),
    passkey = authenticatorAt(at);
  await browser.http("POST", "/api/auth/register/verify", {
    body: passkey.create(
      (await browser.http("POST", "/api/auth/register", { body: { passkeyName: "Laptop" } })).body.data,
    ),
  });
  const { id, key } = (await browser.http("POST", "/api/keys", { body: { name: "nightly export" } })).body.data;
  // Of a time in which a name could have two lines: a letter that tells of it keeps to its own.
  const keys = await at.mesh.world.documents.collection("api_keys");
  expect(await keys.updateMany({ _id: id }, { $set: { name: "nightly\nexport" } })).toBe(1);
  return { email, browser, passkey, key };
}

async function recover(email: string, given: object = {}): Promise<{ browser: Browser; passkey: SoftAuthenticator }> {
  const browser = new Browser(at),
    passkey = authenticatorAt(at);
  const { body } = await browser.http("POST", "/api/auth/recovery/verify", {
    body: { token: await linkIn(at, "recovery", email), passkeyName: "Phone", ...given },
  });
  const done = await browser.http("POST", "/api/auth/register/verify", { body: passkey.create(body.data) });
  expect(done.status).toBe(201);
  return { browser, passkey };
}

async function stepUp({ browser, passkey }: { browser: Browser; passkey: SoftAuthenticator }): Promise<void> {
  const options = (await browser.http("POST", "/api/auth/step-up")).body.data;
  expect((await browser.http("POST", "/api/auth/step-up/verify", { body: passkey.get(options) })).status).toBe(200);
}

const letsIn = {
  password: async ({ email }: Owner) =>
    (await at.http("POST", "/api/auth/login", { as: null, body: { email, password: PASSWORD } })).status,
  passkey: async ({ email }: Owner, passkey: SoftAuthenticator) =>
    (
      await at.http("POST", "/api/auth/login/verify", {
        as: null,
        body: passkey.get((await at.http("POST", "/api/auth/login", { as: null, body: { email } })).body.data),
      })
    ).status,
  key: async ({ key }: Owner) =>
    (await at.http("GET", "/api/articles/stats", { as: null, headers: { "x-api-key": key } })).status,
};

const recoveryLetter = (email: string) =>
  eventually(
    () => {
      post(at);
      return lettersTo(at, email).find(({ subject }) => subject === "Your account was recovered");
    },
    (letter) => letter !== undefined,
  );

describe("after a recovery", () => {
  it("what else lets in is mailed and listed, and ends at one call with a fresh proof", async () => {
    const ann = await owner();
    const recovered = await recover(ann.email);
    const { text } = (await recoveryLetter(ann.email))!;
    for (const way of ['the passkey "Laptop"', "the password", 'the API key "nightly export"'])
      expect(text).toContain(`  - ${way}`);
    expect(text).not.toContain('- the passkey "Phone"');

    const { browser } = recovered;
    const { data } = (await browser.http("GET", "/api/auth/authenticators")).body;
    expect(data).toMatchObject({ password: true, provider: false, mail: true, keys: [{ name: "nightly\nexport" }] });
    expect(data.passkeys.map(({ name }: { name: string }) => name).sort()).toEqual(["Laptop", "Phone"]);
    expect(await letsIn.key(ann)).toBe(200);

    // A mailed link proves a mailbox: to end anything it takes the passkey.
    expect((await browser.http("DELETE", "/api/auth/authenticators")).body.error.code).toBe("STEP_UP_REQUIRED");
    await stepUp(recovered);
    const left = await browser.http("DELETE", "/api/auth/authenticators");
    expect(left).toMatchObject({
      status: 200,
      body: { data: { password: false, keys: [], passkeys: [{ name: "Phone" }] } },
    });
    expect([await letsIn.password(ann), await letsIn.key(ann), await letsIn.passkey(ann, ann.passkey)]).toEqual([
      401, 401, 401,
    ]);
    expect(await letsIn.passkey(ann, recovered.passkey)).toBe(200);
    expect((await browser.http("GET", "/api/auth/me")).status).toBe(200);
  });

  it("nothing else lets in where its owner says at once that the rest is lost", async () => {
    const ben = await owner();
    const { browser, passkey } = await recover(ben.email, { forgetOthers: true });
    await eventually(
      () => letsIn.key(ben),
      (status) => status === 401,
    );
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
    await browser.http("POST", "/api/auth/login/verify", {
      body: cleo.passkey.get((await browser.http("POST", "/api/auth/login", { body: {} })).body.data),
    });
    const { data } = (await browser.http("GET", "/api/auth/authenticators")).body;
    expect([...data.passkeys, ...data.keys].map(({ name }: { name: string }) => name)).toEqual(
      expect.arrayContaining(["Phone", "back door"]),
    );
    expect((await browser.http("DELETE", "/api/auth/authenticators")).body.data).toMatchObject({
      keys: [],
      passkeys: [{ name: "Laptop" }],
    });
    expect(await letsIn.passkey(cleo, stranger.passkey)).toBe(401);
    expect((await stranger.browser.http("GET", "/api/auth/me")).status).toBe(401);
  });
});

describe("a way in", () => {
  it("is ended by itself, with the sessions begun by it", async () => {
    const dora = await owner();
    const browser = new Browser(at);
    await browser.http("POST", "/api/auth/login/verify", {
      body: dora.passkey.get((await browser.http("POST", "/api/auth/login", { body: {} })).body.data),
    });
    expect((await browser.http("DELETE", "/api/auth/authenticators/provider")).status).toBe(404);
    expect((await browser.http("DELETE", "/api/auth/authenticators/password")).status).toBe(204);
    expect(await letsIn.password(dora)).toBe(401);
    expect((await dora.browser.http("GET", "/api/auth/me")).status).toBe(401);
    expect((await browser.http("GET", "/api/auth/me")).status).toBe(200);
  });

  it("stays where the session does not tell which passkey should, or none is there", async () => {
    const { email } = await account(at);
    const { token } = (await at.http("POST", "/api/auth/login", { as: null, body: { email, password: PASSWORD } })).body
      .data;
    expect((await at.http("DELETE", "/api/auth/authenticators", { as: token })).status).toBe(409);
    expect((await at.http("DELETE", "/api/auth/authenticators?keep=of-somebody-else", { as: token })).status).toBe(404);
    expect((await at.http("GET", "/api/auth/authenticators", { as: token })).body.data).toMatchObject({
      password: true,
      passkeys: [],
      mail: true,
    });
  });
});

describe("a sign-in that races a change of the account", () => {
  /** Holds so many sign-ins between what they compared and what they begin. */
  function hold(most: number): { all: Promise<void>; release(): void } {
    const auth = at.service("auth");
    const store = auth.store(Session);
    const [arrived, opened] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    let waiting = 0;
    const pass =
      (real: (...given: unknown[]) => Promise<unknown>) =>
      async (...given: unknown[]): Promise<unknown> => {
        if (waiting === most) return real(...given);
        if (++waiting === most) arrived.resolve();
        await opened.promise;
        return real(...given);
      };
    const { create } = store,
      { issue } = auth.tokens;
    store.create = pass(create.bind(store));
    auth.tokens.issue = pass(issue.bind(auth.tokens));
    return {
      all: arrived.promise,
      release() {
        Object.assign(store, { create });
        Reflect.deleteProperty(auth.tokens, "issue");
        opened.resolve();
      },
    };
  }

  /** One by each way, begun at once; whether its session or token is good then. */
  function signIns({ email, passkey }: Owner, link: string, proof: object): () => Promise<Record<string, boolean>> {
    const browsers = { password: new Browser(at), link: new Browser(at), passkey: new Browser(at) };
    const answers = [
      browsers.password.http("POST", "/api/auth/login", { body: { email, password: PASSWORD, session: true } }),
      browsers.link.http("POST", "/api/auth/magic-link/verify", { body: { token: link } }),
      browsers.passkey.http("POST", "/api/auth/login/verify", { body: passkey.get(proof as never) }),
    ];
    return async () => {
      await Promise.all(answers);
      const { body } = await answers[0]!;
      const good = async (browser: Browser) => (await browser.http("GET", "/api/auth/session")).status === 200;
      const token = (await at.http("GET", "/api/auth/session", { as: body.data.token })).status === 200;
      return {
        token,
        password: await good(browsers.password),
        link: await good(browsers.link),
        passkey: await good(browsers.passkey),
      };
    };
  }

  const user = (id: string, change: object) => at.http("PUT", `/api/auth/users/${id}`, { body: change });
  const own = async ({ browser }: Owner, path: string) => (await browser.http("DELETE", `/api/auth/${path}`)).status;
  const NONE = { token: false, password: false, link: false, passkey: false };
  const CHANGES: [string, (owner: Owner, id: string) => Promise<unknown>, Record<string, boolean>][] = [
    [
      "of its password, by its owner",
      async ({ browser }) =>
        expect(
          (
            await browser.http("PUT", "/api/auth/password", {
              body: { current: PASSWORD, password: `another ${PASSWORD}` },
            })
          ).status,
        ).toBe(204),
      NONE,
    ],
    [
      "of its password, by an administrator",
      async (_owner, id) => expect((await user(id, { password: `another ${PASSWORD}` })).status).toBe(200),
      NONE,
    ],
    [
      "that shuts it for a while",
      async (_owner, id) => {
        for (const active of [false, true]) expect((await user(id, { active })).status).toBe(200);
      },
      NONE,
    ],
    [
      "by its recovery",
      async ({ email }) =>
        expect((await (await recover(email)).browser.http("GET", "/api/auth/session")).status).toBe(200),
      NONE,
    ],
    [
      "by which its password ends",
      async (owner) => expect(await own(owner, "authenticators/password")).toBe(204),
      { ...NONE, link: true, passkey: true },
    ],
    [
      "by which its passkey ends",
      async (owner) =>
        expect(
          await own(owner, `passkeys/${(await owner.browser.http("GET", "/api/auth/passkeys")).body.data[0].id}`),
        ).toBe(204),
      { token: true, password: true, link: true, passkey: false },
    ],
    [
      "of its name alone, which ends nothing",
      async (_owner, id) => expect((await user(id, { name: "Ann" })).status).toBe(200),
      { token: true, password: true, link: true, passkey: true },
    ],
  ];
  itInside.each(CHANGES)(
    "%s",
    async (_what, change, good) => {
      at.clock.advance(16 * 60_000);
      const ann = await owner();
      const { id } = (await ann.browser.http("GET", "/api/auth/session")).body.data.user;
      const link = await linkIn(at, "magic-link", ann.email);
      const proof = (await at.http("POST", "/api/auth/login", { as: null, body: { email: ann.email } })).body.data;
      await stepUp(ann);
      const gate = hold(3);
      const outcome = signIns(ann, link, proof);
      await gate.all;
      try {
        await change(ann, id);
      } finally {
        gate.release();
      }
      expect(await outcome()).toEqual(good);
    },
    60_000,
  );

  itInside("of a hundred that compared the old password, none stands", async () => {
    const { email, browser } = await owner();
    const { id } = (await browser.http("GET", "/api/auth/session")).body.data.user;
    const auth = at.service("auth");
    const before = await auth.store(User).get({ meta: {}, locals: {} }, id);
    expect(
      (
        await browser.http("PUT", "/api/auth/password", {
          body: { current: PASSWORD, password: `another ${PASSWORD}` },
        })
      ).status,
    ).toBe(204);
    const tokens: { token: string }[] = await Promise.all(
      Array.from({ length: 100 }, () => startToken(auth, { meta: {}, locals: {} } as never, before, "password")),
    );
    const whose = await Promise.all(
      tokens.map(({ token }) => at.call("auth.identify", { credential: token }, systemActor("test"))),
    );
    expect(whose.filter((actor) => actor !== null)).toEqual([]);
    // The session that made the change goes on, and lists none of them.
    const { data } = (await browser.http("GET", "/api/auth/sessions")).body;
    expect(data.map(({ current }: { current: boolean }) => current)).toEqual([true]);
    expect(
      (await at.http("POST", "/api/auth/login", { as: null, body: { email, password: `another ${PASSWORD}` } })).status,
    ).toBe(200);
  });
});
