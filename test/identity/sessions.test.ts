import fc from "fast-check";
import { cookieName, originOf, setCookie } from "../../core/access/origin.ts";
import { lives } from "../../services/identity/auth/sessions/sessions.ts";
import { routes, filled } from "../routes.ts";
import { connect } from "../gateway/live-setup.ts";
import { eventually, itInside, PASSWORD, world, type TestWorld } from "../mesh.ts";
import { account, Browser, cookieOf } from "./browser.ts";

// Claim 16: fixation, revocation, the CSRF sweep.

const HOUR = 3_600_000;
let at: TestWorld;
/** Whose access changed, as everybody in the mesh is told. */
const told: unknown[] = [];
beforeAll(async () => {
  at = await world(
    {},
    {
      services: [
        {
          name: "listener",
          events: {
            "identity.access.changed": {
              context: true,
              handler(ctx: any) {
                told.push(ctx.params);
              },
            },
          },
        },
      ],
    },
  );
});
afterAll(() => at.stop());

const signedIn = async (fields: object = {}): Promise<Browser> =>
  new Browser(at).signIn((await account(at, fields)).email);
const status = async (browser: Browser): Promise<number> => (await browser.http("GET", "/api/auth/session")).status;

it("starts with a cookie that scripts, other sites and plain connections do not get", async () => {
  const { email } = await account(at);
  const reply = await at.http("POST", "/api/auth/login", {
    as: null,
    body: { email, password: PASSWORD, session: true },
  });
  expect(reply.headers.get("set-cookie")).toMatch(/^sid=[\w-]{43}; Path=\/; HttpOnly; SameSite=Lax; Max-Age=604800$/);
  expect(reply.text).not.toContain(cookieOf(reply)!.slice(4));
  expect(
    (await at.http("POST", "/api/auth/login", { as: null, body: { email, password: PASSWORD } })).headers.get(
      "set-cookie",
    ),
  ).toBeNull();
  expect(setCookie("https://mesh.example.org", "x", 60)).toBe(
    "__Host-sid=x; Path=/; HttpOnly; SameSite=Lax; Max-Age=60; Secure",
  );
  expect(cookieName("http://10.0.0.5:3000")).toBe("__Host-sid");
});

it("starts a session alone for a browser, which needs no token that would outlive its sign-out", async () => {
  const { email } = await account(at);
  const browser = new Browser(at);
  const reply = await browser.http("POST", "/api/auth/login", { body: { email, password: PASSWORD, session: "only" } });
  expect(reply.body.data).toEqual({
    user: expect.objectContaining({ email }),
    session: expect.objectContaining({ kind: "cookie", current: true }),
  });
  const { body } = await browser.http("GET", "/api/auth/sessions");
  expect(body.data.map(({ kind }: { kind: string }) => kind)).toEqual(["cookie"]);
  const left = await browser.http("POST", "/api/auth/logout");
  expect(left.headers.get("clear-site-data")).toBe('"cache"');
});

it("knows its own address from the settings alone", () => {
  expect(originOf({ PUBLIC_URL: "https://mesh.example.org/app", HOST: "127.0.0.1" }, 3000)).toBe(
    "https://mesh.example.org",
  );
  expect(originOf({ HOST: "127.0.0.1" }, 3000)).toBe("http://localhost:3000");
  expect(originOf({ HOST: "::1" }, 3000)).toBe("http://localhost:3000");
  expect(originOf({ HOST: "10.1.2.3" }, 80)).toBe("http://10.1.2.3:80");
});

it("tells whom it is for and when it ends", async () => {
  const browser = await signedIn({ name: "Ada" });
  const { data } = (await browser.http("GET", "/api/auth/session", { headers: { "user-agent": "Field tablet" } })).body;
  expect(data).toMatchObject({
    user: { name: "Ada" },
    via: "session",
    mode: "operational",
    session: { kind: "cookie", means: "password", current: true },
    provedAt: expect.any(String),
  });
  expect((Date.parse(data.session.endsAt) - Date.parse(data.session.createdAt)) / HOUR).toBeCloseTo(7 * 24, 2);
  expect((await at.http("GET", "/api/auth/session", { as: null })).status).toBe(401);
  expect(
    (await at.http("GET", "/api/auth/session", { as: null, headers: { cookie: `sid=${"A".repeat(43)}` } })).status,
  ).toBe(401);
});

it("lies in the store as a hash: what a thief of the database reads opens nothing", async () => {
  const browser = await signedIn();
  const stored = JSON.stringify(await (await at.mesh.world.documents.collection("sessions")).find({}));
  expect(stored).not.toContain(browser.cookie!.slice(4));
  for (const [, hash] of stored.matchAll(/"hash":"([0-9a-f]{64})"/g))
    expect((await at.http("GET", "/api/auth/session", { as: null, headers: { cookie: `sid=${hash}` } })).status).toBe(
      401,
    );
});

it("cannot be fixed beforehand: a sign-in never adopts the cookie that came along, and ends the session it stood for", async () => {
  const planted = new Browser(at, `sid=${"x".repeat(43)}`);
  await planted.signIn((await account(at)).email);
  expect(planted.cookie).not.toBe(`sid=${"x".repeat(43)}`);
  expect(
    (await at.http("GET", "/api/auth/session", { as: null, headers: { cookie: `sid=${"x".repeat(43)}` } })).status,
  ).toBe(401);

  const mallory = await signedIn();
  const before = mallory.cookie;
  // The victim signs in in a browser into which the attacker's live cookie was planted.
  const victim = new Browser(at, before);
  await victim.signIn((await account(at)).email);
  expect(victim.cookie).not.toBe(before);
  expect(await status(new Browser(at, before))).toBe(401);
  expect(await status(victim)).toBe(200);
});

it("lives by its last use and its end, exactly", () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 0, max: 1e9 }),
      fc.integer({ min: 0, max: 1e9 }),
      fc.integer({ min: 1, max: 1e8 }),
      fc.integer({ min: 0, max: 1e9 }),
      (seen, ends, idle, now) => {
        const session = { seenAt: new Date(seen).toISOString(), endsAt: new Date(ends).toISOString() };
        expect(lives(session, now, idle)).toBe(now < ends && now < seen + idle);
      },
    ),
  );
});

it("is written once a minute at most, however many requests come", async () => {
  const browser = await signedIn();
  const seen = async () =>
    (await browser.http("GET", "/api/auth/sessions")).body.data.find(({ current }: any) => current).seenAt;
  const first = await seen();
  at.clock.advance(30_000);
  expect(await seen()).toBe(first);
  at.clock.advance(31_000);
  await browser.http("GET", "/api/auth/me");
  expect(await seen()).not.toBe(first);
});

it("is listed with the tokens beside it, and either ends the other", async () => {
  const { email } = await account(at);
  const browser = await new Browser(at).signIn(email);
  const token = (
    await at.http("POST", "/api/auth/login", {
      as: null,
      body: { email, password: PASSWORD },
      headers: { "user-agent": "nightly job" },
    })
  ).body.data.token as string;
  const list = async () => (await browser.http("GET", "/api/auth/sessions")).body.data as any[];
  // A password sign-in with a session makes a token too.
  expect((await list()).map(({ kind }) => kind).sort()).toEqual(["cookie", "token", "token"]);
  expect((await list()).filter(({ current }) => current)).toHaveLength(1);
  expect(JSON.stringify(await list())).not.toMatch(/hash/);
  const { id } = (await list()).find(({ agent }) => agent === "nightly job");
  expect((await at.http("GET", "/api/auth/me", { as: token })).status).toBe(200);
  expect((await browser.http("DELETE", `/api/auth/sessions/${id}`)).status).toBe(204);
  expect((await at.http("GET", "/api/auth/me", { as: token })).status).toBe(401);
  expect((await browser.http("DELETE", `/api/auth/sessions/${id}`)).status).toBe(404);

  const stranger = await signedIn();
  const own = (await list()).find(({ current }) => current).id;
  expect((await stranger.http("DELETE", `/api/auth/sessions/${own}`)).status).toBe(404);
  expect(await status(browser)).toBe(200);

  const other = await new Browser(at).signIn(email);
  expect((await other.http("DELETE", "/api/auth/sessions")).body.data.ended).toBeGreaterThanOrEqual(2);
  expect(await status(browser)).toBe(401);
  expect(await status(other)).toBe(200);
});

it("ends by log-out, which takes the cookie away and tells the mesh whose access changed", async () => {
  const { id, email } = await account(at);
  const browser = await new Browser(at).signIn(email);
  const { cookie } = browser;
  told.length = 0;
  const reply = await browser.http("POST", "/api/auth/logout");
  expect(reply.status).toBe(204);
  expect(reply.headers.get("set-cookie")).toMatch(/^sid=; .*Max-Age=0/);
  expect(await status(new Browser(at, cookie))).toBe(401);
  await eventually(
    () => told,
    (all) => all.some((one) => (one as { userId?: string }).userId === id),
  );
});

it("ends with the account, and with its password", async () => {
  const { id, email } = await account(at);
  const [one, two] = [await new Browser(at).signIn(email), await new Browser(at).signIn(email)];
  expect(
    (await one.http("PUT", "/api/auth/password", { body: { current: PASSWORD, password: `${PASSWORD} new` } })).status,
  ).toBe(204);
  expect([await status(one), await status(two)]).toEqual([200, 401]);
  await at.http("PUT", `/api/auth/users/${id}`, { body: { active: false } });
  expect(await status(one)).toBe(401);
  await at.http("PUT", `/api/auth/users/${id}`, { body: { active: true } });
  expect(await status(one)).toBe(401);
});

itInside("takes open sockets with it, whether it is ended or comes to its end", async () => {
  const { email } = await account(at);
  const [one, two] = [await new Browser(at).signIn(email), await new Browser(at).signIn(email)];
  const listen = (browser: Browser) => connect(at.url, { extraHeaders: { cookie: browser.cookie!, origin: at.url } });
  const [first, second] = await Promise.all([listen(one), listen(two)]);
  const { session } = (await one.http("GET", "/api/auth/session")).body.data;
  await two.http("DELETE", `/api/auth/sessions/${session.id}`);
  await eventually(
    () => first.of("disconnect"),
    ({ length }) => length === 1,
    1_000,
  );
  expect(first.of("live.ended")).toEqual([expect.objectContaining({ code: "UNAUTHENTICATED" })]);
  expect(second.socket.connected).toBe(true);
  at.clock.advance(12 * HOUR);
  const auth = at.service("auth") as any;
  await auth.schema.mixins[0].domain.schedules.forget.run.call(auth);
  await eventually(
    () => second.of("disconnect"),
    ({ length }) => length === 1,
    1_000,
  );
});

it("a key manages no account", async () => {
  const { key } = (await at.http("POST", "/api/keys", { body: { name: "k", scopes: ["write"] } })).body.data;
  const asked = { as: null, headers: { "x-api-key": key } };
  for (const [method, path, body] of [
    ["GET", "/api/auth/sessions"],
    ["DELETE", "/api/auth/sessions/1"],
    ["PUT", "/api/auth/password", { current: PASSWORD, password: `${PASSWORD} 2` }],
  ] as const)
    expect((await at.http(method, path, { ...asked, body })).status).toBe(403);
  expect((await at.http("POST", "/api/auth/logout", asked)).status).toBe(409);
});

it("every unsafe endpoint refuses a cookie from another site, and does nothing", async () => {
  const browser = await signedIn({ role: "system_admin" });
  // It is refused before the endpoint is known: each meets one of the ways, and one of each method meets them all.
  const unsafe = (await routes()).filter(({ method }) => method !== "GET");
  const firsts = new Set([...Map.groupBy(unsafe, ({ method }) => method).values()].map(([first]) => first));
  const hostile: Record<string, string>[] = [
    { "sec-fetch-site": "cross-site" },
    { "sec-fetch-site": "same-site" },
    { "sec-fetch-site": "" },
    {},
    { origin: "https://evil.example" },
    { origin: "null" },
    { origin: `${at.url}.evil.example` },
    { origin: at.url.replace("http:", "https:").replace(/:\d+$/, ":1") },
    { "sec-fetch-site": "cross-site", origin: at.url },
  ];
  const passed: string[] = [];
  for (const [nth, route] of unsafe.entries())
    for (const headers of firsts.has(route) ? hostile : [hostile[nth % hostile.length]!]) {
      const { method, path } = route;
      const reply = await at.http(method, filled(path), {
        as: null,
        body: {},
        headers: { cookie: browser.cookie!, ...headers },
      });
      if (reply.status !== 403) passed.push(`${method} ${path} ${JSON.stringify(headers)} ${reply.status}`);
    }
  expect(passed).toEqual([]);
  expect(await status(browser)).toBe(200);
  const fine = await at.http("POST", "/api/sources/lists", {
    as: null,
    body: { name: "From here", sourceIds: [] },
    headers: { cookie: browser.cookie!, origin: at.url },
  });
  expect(fine.status).toBe(201);
}, 120_000);

// Last, for the clock goes on by more than a week.
it("ends after twelve idle hours, and after seven days however busy", async () => {
  const idle = await signedIn(),
    busy = await signedIn();
  for (let hours = 0; hours < 7 * 24 - 11; hours += 11) {
    at.clock.advance(11 * HOUR);
    expect(await status(busy)).toBe(200);
  }
  expect(await status(idle)).toBe(401);
  at.clock.advance(11 * HOUR);
  expect(await status(busy)).toBe(401);
});
