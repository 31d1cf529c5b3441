import { generateKeyPairSync } from "node:crypto";
import { connect } from "../gateway/live-setup.ts";
import { world, PASSWORD, type Asked, type Reply, type TestWorld } from "../mesh.ts";
import { authenticatorAt, SoftAuthenticator, type Twist } from "./authenticator.ts";
import { account, Browser } from "./browser.ts";
import { confirm } from "./letters.ts";

let at: TestWorld;
beforeAll(async () => {
  at = await world();
});
afterAll(() => at.stop());

let count = 0;
const address = (): string => `pass${++count}@example.org`;
const begin = async (browser: Browser, path: string, body?: object, asked: Asked = {}) =>
  (await browser.http("POST", `/api/auth/${path}`, { body, ...asked })).body.data;

/** A new account by passkey alone, signed in. */
async function registered(
  authenticator: SoftAuthenticator,
  email = address(),
): Promise<{ browser: Browser; email: string; reply: Reply }> {
  const browser = new Browser(at);
  const reply = await browser.http("POST", "/api/auth/register/verify", {
    body: authenticator.create(await begin(browser, "register", { email, name: "Ada" })),
  });
  return { browser, email, reply };
}

/** The same, with the address confirmed by the letter that was sent there. */
async function confirmed(authenticator: SoftAuthenticator): ReturnType<typeof registered> {
  const one = await registered(authenticator);
  await confirm(one.browser, one.email);
  return one;
}

async function logIn(
  authenticator: SoftAuthenticator,
  email?: string,
  twist?: Twist,
): Promise<{ browser: Browser; reply: Reply }> {
  const browser = new Browser(at);
  return {
    browser,
    reply: await browser.http("POST", "/api/auth/login/verify", {
      body: authenticator.get(await begin(browser, "login", email ? { email } : {}), twist),
    }),
  };
}

it.each([-8, -7, -35, -36, -257])("registers and signs in with a key of COSE algorithm %d", async (algorithm) => {
  const authenticator = authenticatorAt(at, { algorithm });
  const { browser, email, reply } = await registered(authenticator);
  expect(reply.status).toBe(201);
  expect(reply.body.data).toMatchObject({
    user: { claimedEmail: email, name: "Ada" },
    passkey: { name: "Passkey", synced: false },
    session: { means: "passkey", current: true },
  });
  expect(reply.text).not.toMatch(/publicKey|hash/);
  expect((await browser.http("GET", "/api/auth/session")).body.data).toMatchObject({
    via: "session",
    session: { means: "passkey" },
  });
  const named = await logIn(authenticator, email);
  expect(named.reply).toMatchObject({ status: 200, body: { data: { user: { claimedEmail: email } } } });
  const discovered = await logIn(authenticator);
  expect(discovered.reply.status).toBe(200);
  expect((await discovered.browser.http("GET", "/api/auth/session")).body.data.user.id).toBe(reply.body.data.user.id);
});

it("takes synced passkeys, which do not count, again and again", async () => {
  const authenticator = authenticatorAt(at, { synced: true });
  expect((await registered(authenticator)).reply.body.data.passkey).toMatchObject({
    name: "Synced passkey",
    synced: true,
    backedUp: true,
  });
  for (let n = 0; n < 3; n++) expect((await logIn(authenticator)).reply.status).toBe(200);
});

it("one sign-in endpoint serves both documents", async () => {
  const login = (body?: object) => at.http("POST", "/api/auth/login", { as: null, body });
  expect((await login({ email: "admin@example.org", password: PASSWORD })).body.data).toMatchObject({
    token: expect.any(String),
    user: { role: "system_admin" },
  });
  const passkey = {
    rpId: "localhost",
    challenge: expect.stringMatching(/^[\w-]{43}$/),
    timeout: 300_000,
    userVerification: "required",
    allowCredentials: [],
  };
  for (const body of [{ email: "admin@example.org" }, { email: "nobody@example.org" }, {}, undefined])
    expect((await login(body)).body.data).toEqual(passkey);
  expect((await login({ password: "x" })).body.error.details).toEqual([expect.objectContaining({ path: "email" })]);
  expect((await login({ session: true })).body.error.details).toEqual([expect.objectContaining({ path: "session" })]);
  const { requestBody } = (await at.http("GET", "/api/openapi.json")).body.paths["/api/auth/login"].post;
  expect(requestBody.content["application/json"].schema.oneOf).toHaveLength(2);
});

it("an account without a confirmed address sees itself, and nothing else by any door, until it is confirmed", async () => {
  const { browser, email } = await registered(authenticatorAt(at));
  const said = await at.http("POST", "/api/messages", {
    as: "analyst",
    body: { channel: "platform", type: "a.b", payload: {}, correlationId: "thread" },
  });
  const doors: [string, string, object?][] = [
    ["GET", "/api/sources"],
    ["GET", "/api/messages"],
    ["GET", `/api/messages/${said.body.data.id}`],
    ["GET", "/api/messages/thread/thread"],
    ["GET", "/api/messages/channels"],
    ["GET", "/api/messages/channels/platform/stream"],
    ["GET", "/api/messages/stats"],
    ["POST", "/api/messages", { destination: said.body.data.source, type: "a.b", payload: {} }],
    ["POST", "/api/keys", { name: "mine" }],
    ["POST", "/api/problem-sets", { name: "mine" }],
    ["POST", "/api/problem-sets/invite/accept-by-code", { code: "a".repeat(27) }],
    ["POST", "/api/auth/register", {}],
    ["POST", "/api/user-profile", { displayName: "Mallory" }],
    ["POST", "/mcp", { jsonrpc: "2.0", id: 1, method: "tools/list" }],
  ];
  for (const [method, path, body] of doors)
    expect([path, await browser.http(method, path, { body })]).toMatchObject([
      path,
      { status: 403, text: expect.stringContaining("EMAIL_NOT_VERIFIED") },
    ]);
  const socket = () => connect(at.url, { extraHeaders: { cookie: browser.cookie!, origin: at.url } });
  await expect(socket()).rejects.toMatchObject({ data: { code: "EMAIL_NOT_VERIFIED" } });
  expect((await browser.http("GET", "/api/auth/me")).body.data).toMatchObject({ roles: [], permits: [] });
  expect((await browser.http("GET", "/api/user-profile/export")).body.data.holdings).not.toHaveProperty("messages");
  for (const path of ["auth/session", "auth/sessions", "auth/passkeys", "auth/authenticators", "user-profile"])
    expect((await browser.http("GET", `/api/${path}`)).status).toBe(200);
  await confirm(browser, email);
  expect((await browser.http("GET", `/api/messages/${said.body.data.id}`)).status).toBe(200);
  (await socket()).socket.close();
});

it("registering an address that has an account looks the same as any other, and leaves that account alone", async () => {
  const { email } = await account(at);
  const mallory = await registered(authenticatorAt(at), email);
  const anybody = await registered(authenticatorAt(at));
  const shape = ({ body }: Reply) =>
    JSON.stringify(body, (key, value) =>
      ["id", "credentialId", "claimedEmail", "createdAt", "updatedAt", "seenAt", "endsAt", "createdBy"].includes(key)
        ? "…"
        : value,
    );
  expect(shape(mallory.reply)).toBe(shape(anybody.reply));
  expect((await mallory.browser.http("GET", "/api/auth/me")).body.data.roles).toEqual([]);
  expect((await at.http("POST", "/api/auth/login", { as: null, body: { email, password: PASSWORD } })).status).toBe(
    200,
  );
});

describe("several passkeys an account", () => {
  it("are added under a fresh proof, listed, renamed and removed; sessions begun with one end with it", async () => {
    const laptop = authenticatorAt(at),
      phone = authenticatorAt(at);
    const { browser, email } = await confirmed(laptop);
    const options = await begin(browser, "register", { passkeyName: "Phone" });
    expect(options.excludeCredentials).toHaveLength(1);
    expect(
      (await browser.http("POST", "/api/auth/register/verify", { body: phone.create(options) })).body.data,
    ).toMatchObject({ passkey: { name: "Phone" }, user: { email } });
    const list = async () => (await browser.http("GET", "/api/auth/passkeys")).body.data as any[];
    expect((await list()).map(({ name }) => name)).toEqual(["Phone", "Passkey"]);
    expect(JSON.stringify(await list())).not.toMatch(/publicKey"|counter|userId/);
    const stolen = await logIn(phone);
    expect((await list())[0].lastUsedAt).toEqual(expect.any(String));
    const [{ id }, first] = await list();
    expect(
      (await browser.http("PATCH", `/api/auth/passkeys/${id}`, { body: { name: "Lost phone" } })).body.data.name,
    ).toBe("Lost phone");
    const stranger = await confirmed(authenticatorAt(at));
    expect((await stranger.browser.http("PATCH", `/api/auth/passkeys/${id}`, { body: { name: "mine" } })).status).toBe(
      404,
    );
    expect((await stranger.browser.http("DELETE", `/api/auth/passkeys/${id}`)).status).toBe(404);
    expect((await browser.http("DELETE", `/api/auth/passkeys/${id}`)).status).toBe(204);
    expect((await stolen.browser.http("GET", "/api/auth/session")).status).toBe(401);
    expect((await logIn(phone)).reply.status).toBe(401);
    expect((await browser.http("GET", "/api/auth/session")).status).toBe(200);
    // A link to the address still lets in.
    expect(await browser.http("DELETE", `/api/auth/passkeys/${first.id}`)).toMatchObject({ status: 204 });
  });

  it("want a proof that is at most five minutes old", async () => {
    const authenticator = authenticatorAt(at);
    const { browser } = await confirmed(authenticator);
    at.clock.advance(301_000);
    const late = await browser.http("POST", "/api/auth/register", { body: {} });
    expect(late).toMatchObject({ status: 403, body: { error: { code: "STEP_UP_REQUIRED" } } });
    const before = browser.cookie;
    expect(
      (
        await browser.http("POST", "/api/auth/step-up/verify", {
          body: authenticator.get(await begin(browser, "step-up")),
        })
      ).status,
    ).toBe(200);
    expect(browser.cookie).not.toBe(before);
    expect((await new Browser(at, before).http("GET", "/api/auth/session")).status).toBe(401);
    expect((await browser.http("POST", "/api/auth/register", { body: {} })).status).toBe(200);
    expect(
      (await browser.http("POST", "/api/auth/register", { body: { email: address() } })).body.error.details,
    ).toEqual([expect.objectContaining({ path: "email" })]);
  });
});

describe("stepping up", () => {
  it("gives a token's holder a fresh token; a password no longer proves whoever has a passkey", async () => {
    const { email } = await account(at);
    const token = async () =>
      (await at.http("POST", "/api/auth/login", { as: null, body: { email, password: PASSWORD } })).body.data
        .token as string;
    const provedAt = async (as: string) => (await at.http("GET", "/api/auth/session", { as })).body.data.provedAt;
    const first = await token();
    expect(await provedAt(first)).toEqual(expect.any(String));
    expect((await at.http("POST", "/api/auth/step-up", { as: first })).status).toBe(409);
    const authenticator = authenticatorAt(at);
    const options = (await at.http("POST", "/api/auth/register", { as: first, body: {} })).body.data;
    expect(
      (await at.http("POST", "/api/auth/register/verify", { as: first, body: authenticator.create(options) })).status,
    ).toBe(201);
    expect(await provedAt(first)).toBeUndefined();
    expect(await provedAt(await token())).toBeUndefined();
    expect((await at.http("POST", "/api/auth/register", { as: first, body: {} })).body.error.code).toBe(
      "STEP_UP_REQUIRED",
    );
    const proof = authenticator.get((await at.http("POST", "/api/auth/step-up", { as: first })).body.data);
    const { body } = await at.http("POST", "/api/auth/step-up/verify", { as: first, body: proof });
    expect(await provedAt(body.data.token)).toEqual(expect.any(String));
    expect(await provedAt(first)).toBeUndefined();
    expect((await at.http("POST", "/api/auth/register", { as: body.data.token, body: {} })).status).toBe(200);
  });

  it("is for people: a key cannot", async () => {
    const { key } = (await at.http("POST", "/api/keys", { body: { name: "k", scopes: ["write"] } })).body.data;
    expect((await at.http("POST", "/api/auth/step-up", { as: null, headers: { "x-api-key": key } })).status).toBe(403);
    expect(
      (await at.http("POST", "/api/auth/register", { as: null, headers: { "x-api-key": key }, body: {} })).status,
    ).toBe(403);
  });
});

// Claim 17: at least sixty ceremonies that must not pass, each telling nothing but that it was refused.

const REFUSED = "The passkey was not accepted. Begin again.";
/** Told of every sign-in that is refused, and so of no passkey whether there was one. */
const REFUSED_HERE =
  "The passkey was not accepted. Begin again; if it was removed from its account, sign in another way.";
const flip = (text: string, where = 10): string => {
  const bytes = Buffer.from(text, "base64url");
  bytes[where < 0 ? bytes.length + where : where]! ^= 1;
  return bytes.toString("base64url");
};
const stranger = generateKeyPairSync("ec", { namedCurve: "P-256" }).privateKey;
const foreign = "A".repeat(43);

/** Wrong in a registration and in a proof alike. */
const COMMON: [string, Twist][] = [
  ["another origin", { origin: "https://evil.example" }],
  ["an origin that begins like ours", { origin: "http://localhost.evil.example" }],
  ["another port", { origin: "http://localhost:1" }],
  ["another scheme", { origin: "https://localhost" }],
  ["a bare address for the origin", { origin: "http://127.0.0.1" }],
  ["no origin", { origin: "" }],
  ["an opaque origin", { origin: "null" }],
  ["an app's origin", { origin: "android:apk-key-hash:abc" }],
  ["another relying party", { rpId: "evil.example" }],
  ["a relying party above ours", { rpId: "com" }],
  ["a relying party with a port", { rpId: "localhost:3000" }],
  ["a relying party in capitals", { rpId: "LOCALHOST" }],
  ["a challenge nobody gave out", { challenge: foreign }],
  ["an empty challenge", { challenge: "" }],
  ["a challenge cut short", { clientData: (text) => text.replace(/"challenge":"(.{20})[^"]*"/, '"challenge":"$1"') }],
  ["a challenge with padding", { clientData: (text) => text.replace(/"challenge":"([^"]*)"/, '"challenge":"$1="') }],
  ["a challenge that is no text", { clientData: (text) => text.replace(/"challenge":"[^"]*"/, '"challenge":1') }],
  ["no challenge", { clientData: (text) => text.replace(/"challenge":"[^"]*",/, "") }],
  ["client data that is no JSON", { clientData: () => "not json" }],
  ["client data that is no object", { clientData: () => "null" }],
  ["a payment's type", { type: "payment.get" }],
  ["an empty type", { type: "" }],
  ["a foreign frame", { crossOrigin: true }],
  ["a foreign frame that is named", { crossOrigin: true, topOrigin: "https://evil.example" }],
  ["a top origin in no frame", { topOrigin: "https://evil.example" }],
  ["a token binding of nonsense", { tokenBinding: { status: "nonsense" } }],
  ["a user who was not there", { up: false }],
  ["a user who was not verified", { uv: false }],
  ["a user neither there nor verified", { up: false, uv: false }],
  ["a backup of what cannot be backed up", { be: false, bs: true }],
  ["authenticator data cut short", { authData: (bytes) => bytes.subarray(0, 36) }],
  ["authenticator data of one byte", { authData: () => Buffer.alloc(1) }],
  ["authenticator data with a tail", { authData: (bytes) => Buffer.concat([bytes, Buffer.from("tail")]) }],
  [
    "an extension flag without extensions",
    {
      authData: (bytes) => {
        bytes[32]! |= 128;
        return bytes;
      },
    },
  ],
  [
    "ids that differ",
    {
      after: (answer) => {
        answer.rawId = foreign;
      },
    },
  ],
];

const PROOFS: [string, Twist][] = [
  ...COMMON,
  ["a registration's type", { type: "webauthn.create" }],
  [
    "an altered signature",
    {
      after: ({ response }) => {
        response.signature = flip(response.signature, -1);
      },
    },
  ],
  [
    "an altered signature's head",
    {
      after: ({ response }) => {
        response.signature = flip(response.signature, 0);
      },
    },
  ],
  [
    "a signature cut short",
    {
      after: ({ response }) => {
        response.signature = response.signature.slice(0, 40);
      },
    },
  ],
  [
    "a signature of zeros",
    {
      after: ({ response }) => {
        response.signature = Buffer.alloc(70).toString("base64url");
      },
    },
  ],
  ["another's signature", { key: stranger }],
  [
    "altered client data",
    {
      after: ({ response }) => {
        response.clientDataJSON = Buffer.from(
          `${Buffer.from(response.clientDataJSON, "base64url").toString()} `,
        ).toString("base64url");
      },
    },
  ],
  [
    "an altered relying party",
    {
      after: ({ response }) => {
        response.authenticatorData = flip(response.authenticatorData, 3);
      },
    },
  ],
  [
    "altered flags",
    {
      uv: true,
      after: ({ response }) => {
        response.authenticatorData = flip(response.authenticatorData, 32);
      },
    },
  ],
  [
    "verification added after the signature",
    {
      uv: false,
      after: ({ response }) => {
        const bytes = Buffer.from(response.authenticatorData, "base64url");
        bytes[32]! |= 4;
        response.authenticatorData = bytes.toString("base64url");
      },
    },
  ],
  [
    "an altered count",
    {
      after: ({ response }) => {
        response.authenticatorData = flip(response.authenticatorData, 34);
      },
    },
  ],
  [
    "an unknown credential",
    {
      after: (answer) => {
        answer.id = answer.rawId = foreign;
      },
    },
  ],
  ["another account's handle", { userHandle: Buffer.from("somebody-else").toString("base64url") }],
  ["no handle where nobody was named", { userHandle: null }],
  ["backup eligibility that came by itself", { be: true }],
  ["a count of zero after others", { counter: 0 }],
  ["a count that went back", { counter: 1 }],
  ["a count that stood still", { counter: 3 }],
];

const NEW: [string, Twist][] = [
  ...COMMON,
  ["a proof's type", { type: "webauthn.get" }],
  [
    "an algorithm that was not offered",
    {
      algorithm: -257,
      authData: (bytes) => {
        const at_ = bytes.indexOf(Buffer.from([0x03, 0x39, 0x01, 0x00]));
        bytes[at_ + 3] = 0x01;
        return bytes;
      },
    },
  ],
  [
    "an attestation that is no CBOR",
    {
      after: ({ response }) => {
        response.attestationObject = Buffer.from("nonsense").toString("base64url");
      },
    },
  ],
  [
    "an attestation of an unknown kind",
    {
      after: ({ response }) => {
        response.attestationObject = Buffer.from(
          Buffer.from(response.attestationObject, "base64url").toString("latin1").replace("dnone", "dsome"),
          "latin1",
        ).toString("base64url");
      },
    },
  ],
  [
    "an id that was not attested",
    {
      after: (answer) => {
        answer.id = answer.rawId = foreign;
      },
    },
  ],
  [
    "no attested credential",
    {
      authData: (bytes) => {
        const short = bytes.subarray(0, 37);
        short[32]! &= ~64;
        return short;
      },
    },
  ],
];

describe("refuses a proof with", () => {
  const authenticator = () => known;
  let known: SoftAuthenticator;
  beforeAll(async () => {
    known = authenticatorAt(at);
    await registered(known);
    for (let n = 0; n < 3; n++) await logIn(known);
  });

  it.each(PROOFS)("%s", async (_what, twist) => {
    const { browser, reply } = await logIn(authenticator(), undefined, twist);
    expect(reply).toMatchObject({ status: 401, body: { error: { code: "INVALID_PASSKEY", message: REFUSED_HERE } } });
    expect(reply.headers.get("set-cookie")).toBeNull();
    expect(browser.cookie).toBeUndefined();
  });

  it("nothing wrong: it still works after all of these", async () => {
    expect((await logIn(authenticator())).reply.status).toBe(200);
  });
});

describe("refuses a new passkey with", () => {
  it.each(NEW)("%s", async (_what, twist) => {
    const browser = new Browser(at);
    const users = await (await at.mesh.world.documents.collection("users")).count();
    const reply = await browser.http("POST", "/api/auth/register/verify", {
      body: authenticatorAt(at).create(await begin(browser, "register", { email: address() }), twist),
    });
    expect(reply).toMatchObject({ status: 422, body: { error: { code: "INVALID_PASSKEY", message: REFUSED } } });
    expect(await (await at.mesh.world.documents.collection("users")).count()).toBe(users);
  });
});

describe("refuses a public key that can verify nothing, naming the field:", () => {
  const bytes = (length: number): Buffer => Buffer.alloc(length, 7);
  it.each<[string, number, (key: Map<number, unknown>) => void]>([
    ["a point off P-256", -7, (key) => key.set(-3, bytes(32))],
    ["a point off P-384", -35, (key) => key.set(-3, bytes(48))],
    ["a point off P-521", -36, (key) => key.set(-3, bytes(66))],
    ["P-384 as ES256", -35, (key) => key.set(3, -7)],
    ["P-256 as ES384", -7, (key) => key.set(3, -35)],
    ["P-256 that is called P-521", -7, (key) => key.set(-1, 3)],
    ["a coordinate too short", -7, (key) => key.set(-2, (key.get(-2) as Buffer).subarray(1))],
    ["Ed25519 of 31 bytes", -8, (key) => key.set(-2, (key.get(-2) as Buffer).subarray(1))],
    ["Ed25519 of small order", -8, (key) => key.set(-2, Buffer.concat([Buffer.of(1), Buffer.alloc(31)]))],
    ["Ed25519 that is called X25519", -8, (key) => key.set(-1, 4)],
    ["RSA of 1,024 bits", -257, (key) => key.set(-1, (key.get(-1) as Buffer).subarray(128))],
    ["RSA with an even exponent", -257, (key) => key.set(-2, Buffer.of(1, 0, 0))],
    ["RSA with the exponent 1", -257, (key) => key.set(-2, Buffer.of(1))],
  ])("%s", async (_what, algorithm, cose) => {
    const browser = new Browser(at);
    const made = authenticatorAt(at).create(await begin(browser, "register", { email: address() }), {
      algorithm,
      cose,
    });
    const reply = await browser.http("POST", "/api/auth/register/verify", { body: made });
    expect(reply).toMatchObject({
      status: 400,
      body: {
        error: { code: "VALIDATION_ERROR", details: [expect.objectContaining({ path: "response.attestationObject" })] },
      },
    });
  });
});

describe("refuses what belongs to another ceremony", () => {
  const verify = (path: string, body: unknown, browser = new Browser(at)) =>
    browser.http("POST", `/api/auth/${path}/verify`, { body });
  const code = async (reply: Promise<Reply>) => (await reply).body.error?.code;

  it("a challenge that was used, whether well or badly", async () => {
    const authenticator = authenticatorAt(at);
    await registered(authenticator);
    const options = await begin(new Browser(at), "login", {});
    expect((await verify("login", authenticator.get(options))).status).toBe(200);
    expect(await code(verify("login", authenticator.get(options)))).toBe("INVALID_PASSKEY");
    const second = await begin(new Browser(at), "login", {});
    expect(await code(verify("login", authenticator.get(second, { uv: false })))).toBe("INVALID_PASSKEY");
    expect(await code(verify("login", authenticator.get(second)))).toBe("INVALID_PASSKEY");
    const third = authenticator.get(await begin(new Browser(at), "login", {}));
    const race = await Promise.all(Array.from({ length: 8 }, () => verify("login", third)));
    expect(race.map(({ status }) => status).sort()).toEqual([200, ...Array(7).fill(401)]);
  });

  it("a challenge that is five minutes old", async () => {
    const authenticator = authenticatorAt(at);
    await registered(authenticator);
    const [inTime, late] = [await begin(new Browser(at), "login", {}), await begin(new Browser(at), "login", {})];
    const fresh = await begin(new Browser(at), "register", { email: address() });
    at.clock.advance(290_000);
    expect((await verify("login", authenticator.get(inTime))).status).toBe(200);
    at.clock.advance(10_001);
    expect(await code(verify("login", authenticator.get(late)))).toBe("INVALID_PASSKEY");
    expect(await code(verify("register", authenticatorAt(at).create(fresh)))).toBe("INVALID_PASSKEY");
  });

  it("one purpose's challenge for another", async () => {
    const authenticator = authenticatorAt(at);
    const { browser } = await registered(authenticator);
    const asLogin = async () => ({ ...(await begin(new Browser(at), "login", {})) });
    const asStepUp = async () => begin(browser, "step-up");
    const asRegister = async () => ({
      ...(await begin(new Browser(at), "register", { email: address() })),
      rpId: "localhost",
    });
    expect(await code(verify("login", authenticator.get(await asStepUp())))).toBe("INVALID_PASSKEY");
    expect(await code(verify("login", authenticator.get(await asRegister())))).toBe("INVALID_PASSKEY");
    expect(await code(verify("step-up", authenticator.get(await asLogin()), browser))).toBe("INVALID_PASSKEY");
    expect(await code(verify("step-up", authenticator.get(await asRegister()), browser))).toBe("INVALID_PASSKEY");
    const made = (challenge: string) =>
      authenticatorAt(at).create({ challenge, rp: { id: "localhost" }, user: { id: "YQ" } });
    expect(await code(verify("register", made((await asLogin()).challenge)))).toBe("INVALID_PASSKEY");
    expect(await code(verify("register", made((await asStepUp()).challenge), browser))).toBe("INVALID_PASSKEY");
  });

  it("another account's challenge, session or passkey", async () => {
    const [ada, bob] = [authenticatorAt(at), authenticatorAt(at)];
    const [one, two] = [await confirmed(ada), await registered(bob)];
    // Ada was named; Bob's passkey answers.
    expect((await logIn(bob, one.email)).reply.status).toBe(401);
    expect((await logIn(ada, "nobody@example.org")).reply.status).toBe(401);
    // Bob's browser answers what Ada's began, with either passkey.
    const step = async () => ({ ...(await begin(one.browser, "step-up")), allowCredentials: [] });
    expect(await code(verify("step-up", ada.get(await step()), two.browser))).toBe("INVALID_PASSKEY");
    expect(await code(verify("step-up", bob.get(await step()), one.browser))).toBe("INVALID_PASSKEY");
    expect(
      await code(verify("register", authenticatorAt(at).create(await begin(one.browser, "register", {})), two.browser)),
    ).toBe("INVALID_PASSKEY");
    expect(await code(verify("register", authenticatorAt(at).create(await begin(one.browser, "register", {}))))).toBe(
      "INVALID_PASSKEY",
    );
    // Another session of the same account did not begin it either.
    const elsewhere = await logIn(ada);
    expect(await code(verify("step-up", ada.get(await step()), elsewhere.browser))).toBe("INVALID_PASSKEY");
  });

  it("keys that were swapped between two passkeys", async () => {
    const [ada, bob] = [authenticatorAt(at), authenticatorAt(at)];
    await registered(ada);
    await registered(bob);
    const options = await begin(new Browser(at), "login", {});
    expect(await code(verify("login", ada.get(options, { key: bob.credentials[0]!.key })))).toBe("INVALID_PASSKEY");
  });

  it("a passkey that another account has", async () => {
    const authenticator = authenticatorAt(at);
    const { reply } = await registered(authenticator);
    const browser = new Browser(at);
    const again = new SoftAuthenticator(authenticator.origin);
    const answer = again.create(await begin(browser, "register", { email: address() }), {
      authData: (bytes) => {
        authenticator.credentials[0]!.id.copy(bytes, 55);
        return bytes;
      },
      after: (made) => {
        made.id = made.rawId = authenticator.credentials[0]!.id.toString("base64url");
      },
    });
    expect((await browser.http("POST", "/api/auth/register/verify", { body: answer })).status).toBe(409);
    expect((await logIn(authenticator)).reply.body.data.user.id).toBe(reply.body.data.user.id);
  });

  it("a closed account's passkey", async () => {
    const authenticator = authenticatorAt(at);
    const { reply } = await registered(authenticator);
    await at.http("PUT", `/api/auth/users/${reply.body.data.user.id}`, { body: { active: false } });
    expect((await logIn(authenticator)).reply.status).toBe(401);
  });
});

it("takes authenticators that verify nobody where the settings allow it", async () => {
  const lax = await world({ PASSKEY_USER_VERIFICATION: "preferred", PUBLIC_URL: "https://mesh.example.org" });
  try {
    const authenticator = authenticatorAt(lax);
    const browser = new Browser(lax);
    const options = (await browser.http("POST", "/api/auth/register", { body: { email: address() } })).body.data;
    expect(options).toMatchObject({
      rp: { id: "mesh.example.org" },
      authenticatorSelection: { userVerification: "preferred", residentKey: "required" },
    });
    expect(
      (await browser.http("POST", "/api/auth/register/verify", { body: authenticator.create(options, { uv: false }) }))
        .status,
    ).toBe(201);
    expect(browser.cookie).toMatch(/^__Host-sid=/);
    expect((await browser.http("GET", "/api/auth/session")).status).toBe(200);
    // A neighbour's plain cookie is not taken for ours.
    expect(
      (
        await lax.http("GET", "/api/auth/session", {
          as: null,
          headers: { cookie: browser.cookie!.replace("__Host-", "") },
        })
      ).status,
    ).toBe(401);
  } finally {
    await lax.stop();
  }
});

it("counts enough of them", () => expect(PROOFS.length + NEW.length).toBeGreaterThanOrEqual(60));
