import { createPrivateKey, generateKeyPairSync } from "node:crypto";
import fc from "fast-check";
import { decodeJwt, decodeProtectedHeader, importJWK, jwtVerify, SignJWT } from "jose";
import { demandFresh } from "../../core/access/access.ts";
import { derive } from "../../core/ids.ts";
import { FORGET_MS, waitFor, type Failures } from "../../services/identity/auth/lockout/lockout.ts";
import { itInside, PASSWORD, world, type TestWorld } from "../mesh.ts";

let at: TestWorld;
beforeAll(async () => {
  at = await world();
});
afterAll(() => at.stop());

const login = (email: string, password: string) =>
  at.http("POST", "/api/auth/login", { as: null, body: { email, password } });
const account = async (email: string, fields: object = {}) =>
  (await at.http("POST", "/api/auth/users", { body: { email, password: PASSWORD, ...fields } })).body.data;

it("hands out a token for seven days, signed with the key it publishes", async () => {
  const { status, body } = await login("Admin@Example.org", PASSWORD);
  expect(status).toBe(200);
  expect(body.data.user).toEqual({
    id: expect.any(String),
    email: "admin@example.org",
    name: "Administrator",
    role: "system_admin",
    createdAt: expect.any(String),
  });
  const { keys } = (await at.http("GET", "/api/auth/jwks", { as: null })).body;
  const { payload } = await jwtVerify(body.data.token, await importJWK(keys[0], "EdDSA"));
  expect(payload.exp! - payload.iat!).toBe(7 * 86_400);
  expect(decodeProtectedHeader(body.data.token)).toMatchObject({ alg: "EdDSA", kid: keys[0].kid });
  expect(Date.parse(body.data.expiresAt)).toBe(payload.exp! * 1000);
  expect((await at.http("GET", "/api/auth/me", { as: body.data.token })).body.data).toMatchObject({
    roles: ["system_admin"],
    via: "jwt",
  });
});

it("tells a stranger nothing of who has an account", async () => {
  const [wrong, unknown] = await Promise.all([
    login("admin@example.org", "wrong password"),
    login("nobody@example.org", "wrong password"),
  ]);
  for (const reply of [wrong, unknown])
    expect(reply).toMatchObject({
      status: 401,
      body: { error: { code: "UNAUTHENTICATED", message: "Wrong email address or password." } },
    });
});

it("names the field of a bad request", async () => {
  expect(
    (await at.http("POST", "/api/auth/login", { as: null, body: { email: "not an address", password: "x" } })).body
      .error.details,
  ).toEqual([expect.objectContaining({ path: "email" })]);
  expect(
    (
      await at.http("POST", "/api/auth/login", { as: null, body: { password: "x", emial: "a@b.example" } })
    ).body.error.details.map((d: any) => d.path),
  ).toEqual(["emial"]);
  expect(
    await at.http("POST", "/api/auth/users", { body: { email: "weak@example.org", password: "password123" } }),
  ).toMatchObject({ status: 400, body: { error: { details: [expect.objectContaining({ path: "password" })] } } });
});

it("slows guesses at one account down, and lets the owner in again after the pause", async () => {
  await account("guessed@example.org");
  for (let n = 0; n < 5; n++) expect((await login("guessed@example.org", `wrong ${n}`)).status).toBe(401);
  const held = await login("guessed@example.org", PASSWORD);
  expect(held).toMatchObject({
    status: 429,
    body: { success: false, error: "Rate limit exceeded", retryAfter: expect.any(Number) },
  });
  expect(Number(held.headers.get("retry-after"))).toBeGreaterThan(0);
  expect((await login("admin@example.org", PASSWORD)).status).toBe(200);
  at.clock.advance(2_000);
  expect((await login("guessed@example.org", PASSWORD)).status).toBe(200);
});

it("waits longer after each failure, never longer than a quarter of an hour, and forgets in an hour", () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 0, max: 4_000_000 }), { maxLength: 40 }), (gaps) => {
      let failures: Failures | undefined;
      let now = 1e12;
      for (const gap of gaps) {
        now += gap;
        const wait = waitFor("pair", failures, now);
        expect(wait).toBeGreaterThanOrEqual(0);
        expect(wait).toBeLessThanOrEqual(15 * 60_000);
        if (!failures || failures.count < 5 || gap > 3_600_000) expect(wait).toBe(0);
        failures = { count: failures && now - failures.last <= FORGET_MS ? failures.count + 1 : 1, last: now };
      }
    }),
  );
});

it("lets an account be closed, and its tokens with it, at once", async () => {
  const { id } = await account("leaving@example.org");
  const { token } = (await login("leaving@example.org", PASSWORD)).body.data;
  expect((await at.http("GET", "/api/auth/me", { as: token })).status).toBe(200);
  expect((await at.http("PUT", `/api/auth/users/${id}`, { body: { active: false } })).status).toBe(200);
  expect((await at.http("GET", "/api/auth/me", { as: token })).status).toBe(401);
  expect((await login("leaving@example.org", PASSWORD)).status).toBe(401);
});

it("gives a new role's permits with the next request", async () => {
  const { id } = await account("rising@example.org");
  const { token } = (await login("rising@example.org", PASSWORD)).body.data;
  expect((await at.http("POST", "/api/sources/lists", { as: token, body: { name: "L", sourceIds: [] } })).status).toBe(
    403,
  );
  await at.http("PUT", `/api/auth/users/${id}`, { body: { role: "analyst" } });
  expect((await at.http("POST", "/api/sources/lists", { as: token, body: { name: "L", sourceIds: [] } })).status).toBe(
    201,
  );
});

it("ends one token by log-out, and all by a new password", async () => {
  await account("two@example.org");
  const tokens = await Promise.all(
    [1, 2].map(async () => (await login("two@example.org", PASSWORD)).body.data.token as string),
  );
  expect((await at.http("POST", "/api/auth/logout", { as: tokens[0]! })).status).toBe(204);
  expect((await at.http("GET", "/api/auth/me", { as: tokens[0]! })).status).toBe(401);
  expect((await at.http("GET", "/api/auth/me", { as: tokens[1]! })).status).toBe(200);
  at.clock.advance(5_000);
  expect(
    (
      await at.http("PUT", "/api/auth/password", {
        as: tokens[1]!,
        body: { current: "wrong", password: `${PASSWORD} new` },
      })
    ).status,
  ).toBe(403);
  expect(
    (
      await at.http("PUT", "/api/auth/password", {
        as: tokens[1]!,
        body: { current: PASSWORD, password: `${PASSWORD} new` },
      })
    ).status,
  ).toBe(204);
  expect((await at.http("GET", "/api/auth/me", { as: tokens[1]! })).status).toBe(401);
  expect((await login("two@example.org", `${PASSWORD} new`)).status).toBe(200);
});

it("keeps the last system administrator", async () => {
  const { data } = (await at.http("GET", "/api/auth/users?role=system_admin&email=ADMIN@example.org")).body;
  expect(await at.http("PUT", `/api/auth/users/${data[0].id}`, { body: { role: "reader" } })).toMatchObject({
    status: 409,
  });
});

it("takes a token in the one text that it has", async () => {
  const { token } = (await login("admin@example.org", PASSWORD)).body.data as { token: string };
  const me = async (as: string): Promise<number> => (await at.http("GET", "/api/auth/me", { as })).status;
  // The last of 86 letters of a signature stands for four bits that are in it, and two that are not.
  const letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
  const trailing = token.slice(0, -1) + letters[letters.indexOf(token.at(-1)!) | 1]!;
  expect(await Promise.all([token, `${token}==`, `${token}=`, trailing, token.replace(".", "=.")].map(me))).toEqual([
    200, 401, 401, 401, 401,
  ]);
});

it("takes no token of its own key whose claims are not what it writes into one", async () => {
  const seed = derive(at.mesh.world.secret, "jwt ed25519");
  const key = createPrivateKey({
    key: Buffer.concat([Buffer.from("302e020100300506032b657004220420", "hex"), seed]),
    format: "der",
    type: "pkcs8",
  });
  const sign = (claims: object) =>
    new SignJWT({ sub: "someone", jti: "x", ...claims })
      .setProtectedHeader({ alg: "EdDSA" })
      .setIssuer("signalmesh")
      .setAudience("signalmesh")
      .setIssuedAt()
      .setExpirationTime("1h")
      .sign(key);
  const { sub } = decodeJwt((await login("admin@example.org", PASSWORD)).body.data.token);
  expect((await at.http("GET", "/api/auth/me", { as: await sign({ sub }) })).status).toBe(200);
  for (const claims of [{ sub: { $ne: null } }, { sub: ["a"] }, { sub: "" }, { jti: { $exists: true } }]) {
    expect((await at.http("GET", "/api/auth/me", { as: await sign(claims) })).status).toBe(401);
  }
});

describe("a clock that was three hours ahead and is set back", () => {
  const AHEAD_MS = 3 * 3_600_000;

  it("holds a guess back for no longer than the rule says, and lets it in then", async () => {
    await account("set-back@example.org");
    at.clock.leap(AHEAD_MS);
    for (let n = 0; n < 5; n++) expect((await login("set-back@example.org", `wrong ${n}`)).status).toBe(401);
    at.clock.leap(-AHEAD_MS);
    const held = await login("set-back@example.org", PASSWORD);
    expect([held.status, held.headers.get("retry-after")]).toEqual([429, "1"]);
    at.clock.advance(1_000);
    expect((await login("set-back@example.org", PASSWORD)).status).toBe(200);
  });

  it("lets whoever changed their password meanwhile sign in, and nobody with a token from before", async () => {
    const email = "changed-ahead@example.org";
    const { id } = await account(email);
    at.clock.leap(AHEAD_MS);
    const before = (await login(email, PASSWORD)).body.data.token;
    at.clock.advance(2_000);
    const next = "another horse battery staple 43";
    expect(
      (await at.http("PUT", "/api/auth/password", { as: before, body: { current: PASSWORD, password: next } })).status,
    ).toBeLessThan(300);
    at.clock.leap(-AHEAD_MS);
    const { token } = (await login(email, next)).body.data;
    expect((await at.http("GET", "/api/auth/me", { as: token })).body.data).toMatchObject({ userId: id });
    expect((await at.http("GET", "/api/auth/me", { as: before })).status).toBe(401);
  });

  it("takes nothing for freshly proved that was proved before", async () => {
    const email = "fresh-ahead@example.org";
    await account(email);
    at.clock.leap(AHEAD_MS);
    const { token } = (await login(email, PASSWORD)).body.data;
    at.clock.leap(-AHEAD_MS);
    const stale = await at.http("GET", "/api/auth/session", { as: token });
    const anew = await at.http("GET", "/api/auth/session", { as: (await login(email, PASSWORD)).body.data.token });
    const proved = (reply: typeof stale): number => Date.parse(reply.body.data.provedAt) - at.clock.now();
    expect([proved(stale) > AHEAD_MS / 2, proved(anew) <= 0]).toEqual([true, true]);
    expect(() =>
      demandFresh(
        { userId: "x", roles: [], via: "jwt", permits: [], provedAt: at.clock.now() + AHEAD_MS },
        at.clock.now(),
      ),
    ).toThrow(/proof/);
  });
});

it("takes no token but its own: other keys, other algorithms, none, expired, for another audience", async () => {
  const { token } = (await login("admin@example.org", PASSWORD)).body.data;
  const claims = decodeJwt(token);
  const { privateKey } = generateKeyPairSync("ed25519");
  const forge = (alg: string, key: any, extra: object = {}) =>
    new SignJWT({ ...claims, ...extra }).setProtectedHeader({ alg }).sign(key);
  const { keys } = (await at.http("GET", "/api/auth/jwks", { as: null })).body;
  const forged = [
    await forge("EdDSA", privateKey),
    await forge("HS256", Buffer.from(keys[0].x, "base64url")),
    `${Buffer.from('{"alg":"none"}').toString("base64url")}.${token.split(".")[1]}.`,
    `${token.slice(0, -4)}AAAA`,
    token.split(".").slice(0, 2).join("."),
    "",
    " ",
    "x".repeat(8_000),
  ];
  for (const one of forged)
    expect((await fetch(`${at.url}/api/auth/me`, { headers: { authorization: `Bearer ${one}` } })).status).toBe(401);
  at.clock.advance(8 * 86_400_000);
  expect((await at.http("GET", "/api/auth/users", { as: token })).status).toBe(401);
});

itInside("says at start that ADMIN_EMAIL is ignored where there is an administrator of another address", async () => {
  const auth = at.service("auth") as unknown as {
    schema: { started: unknown };
    logger: { warn(line: string): void };
    world: { env: { ADMIN_EMAIL?: string } };
  };
  const { warn } = auth.logger,
    { env } = auth.world,
    before = env.ADMIN_EMAIL;
  const said: string[] = [];
  const start = async (email: string): Promise<void> => {
    env.ADMIN_EMAIL = email;
    await ([auth.schema.started].flat().at(-1) as () => Promise<void>).call(auth);
  };
  try {
    auth.logger.warn = (line) => void said.push(line);
    await start("Admin@example.org");
    expect(said).toEqual([]);
    await start("successor@example.org");
  } finally {
    auth.logger.warn = warn;
    env.ADMIN_EMAIL = before!;
  }
  expect(said).toEqual([
    expect.stringMatching(/^ADMIN_EMAIL and ADMIN_PASSWORD are ignored: .*successor@example\.org/),
  ]);
});
