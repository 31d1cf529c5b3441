import type { Collection } from "../../core/records/documents.ts";
import { clientNetwork, widerNetwork } from "../../core/access/client-network.ts";
import { itInside, PASSWORD, eventually, world, type TestWorld } from "../mesh.ts";
import { authenticatorAt } from "./authenticator.ts";
import { account, Browser } from "./browser.ts";
import { lettersTo, post } from "./letters.ts";

// What many requests at once, or one after the other, must not get.

let at: TestWorld;
beforeAll(async () => {
  at = await world({ TRUSTED_PROXIES: "127.0.0.1,::1" });
});
afterAll(() => at.stop());

const login = (email: string, password: string, from = "198.51.100.7") =>
  at.http("POST", "/api/auth/login", { as: null, body: { email, password }, headers: { "x-forwarded-for": from } });
const wrong = (n: number): string => `a wrong pass phrase ${n}`;

/**
 * The first so many guesses all learn that nobody guessed before them: none is judged until the last of them has asked.
 */
function untilAllAreIn(guesses: number): () => void {
  const { attempts }: { attempts: Collection } = at.service("auth");
  const real = attempts.findById.bind(attempts);
  const all = Promise.withResolvers<void>();
  let asked = 0;
  attempts.findById = async (id) => {
    const found = await real(id);
    // One question is of the account and the address, one of the address.
    if (++asked === 2 * guesses) all.resolve();
    await all.promise;
    return found;
  };
  return () => {
    attempts.findById = real;
  };
}

describe("guesses", () => {
  itInside("made at once are heard no more than one by one", async () => {
    const { email } = await account(at);
    const restore = untilAllAreIn(40);
    const replies = await Promise.all(Array.from({ length: 40 }, (_, n) => login(email, wrong(n)))).finally(restore);
    const heard = replies.filter(({ status }) => status === 401);
    expect(heard.length).toBeGreaterThan(0);
    expect(heard.length).toBeLessThanOrEqual(5);
    expect(replies.every(({ status }) => status === 401 || status === 429)).toBe(true);
    // None was lost: after forty the pause is the longest there is, and the right one has to wait as well.
    expect(Number((await login(email, PASSWORD)).headers.get("retry-after"))).toBeGreaterThan(600);
  });

  it("that come too late are not answered, right or wrong", async () => {
    const { email } = await account(at);
    const guesses = [...Array.from({ length: 30 }, (_, n) => wrong(n)), PASSWORD];
    const replies = await Promise.all(guesses.map((guess) => login(email, guess, "198.51.100.8")));
    const heard = replies.filter(({ status }) => status === 401).length;
    // A right one that is in time ends the count: four may come before it, and five after.
    expect([200, 429]).toContain(replies.at(-1)!.status);
    expect(heard).toBeLessThanOrEqual(replies.at(-1)!.status === 200 ? 9 : 5);
  });

  it("from one network of IPv6 are guesses from one place", async () => {
    const { email } = await account(at);
    for (let n = 0; n < 5; n++) expect((await login(email, wrong(n), `2001:db8:1:2:${n}::${n}`)).status).toBe(401);
    expect((await login(email, wrong(6), "2001:db8:1:2:ffff::9")).status).toBe(429);
    expect((await login(email, PASSWORD, "2001:db8:1:3::1")).status).toBe(200);
  });

  it("at the present password, by whoever holds a session, are slowed down too", async () => {
    const { email } = await account(at);
    const browser = await new Browser(at).signIn(email);
    const change = (current: string) =>
      browser.http("PUT", "/api/auth/password", { body: { current, password: `${PASSWORD} and more` } });
    for (let n = 0; n < 5; n++) expect((await change(wrong(n))).status).toBe(403);
    expect((await change(PASSWORD)).status).toBe(429);
    at.clock.advance(2_000);
    expect((await change(PASSWORD)).status).toBe(204);
  });

  itInside("are forgotten after an hour, and with them that they were stored", async () => {
    await login("somebody.never@example.org", wrong(1), "198.51.100.9");
    const attempts = await at.mesh.world.documents.collection("login_attempts");
    expect(await attempts.count()).toBeGreaterThan(0);
    at.clock.advance(3_600_000);
    const auth = at.service("auth") as unknown as Record<string, unknown>;
    const { forgetGuesses } = await import("../../services/identity/auth/lockout/guesses.ts");
    await forgetGuesses(auth as never);
    expect(await attempts.count()).toBe(0);
  });
});

it("counts an IPv6 client by its network of 64 bits, an IPv4 one by its address, however written", () => {
  expect(clientNetwork("2001:db8::1")).toBe(clientNetwork("2001:0db8:0:0:ffff::2"));
  expect(clientNetwork("2001:db8::1")).not.toBe(clientNetwork("2001:db8:0:1::1"));
  expect(clientNetwork("::ffff:192.0.2.1")).toBe("192.0.2.1");
  expect(clientNetwork("192.0.2.1")).not.toBe(clientNetwork("192.0.2.2"));
  expect(clientNetwork(undefined)).toBe("unknown");
  expect(widerNetwork("192.0.2.1")).toBe(widerNetwork("::ffff:192.0.2.200"));
  expect(widerNetwork("192.0.2.1")).not.toBe(widerNetwork("192.0.3.1"));
  expect(widerNetwork("2001:db8:1:1::1")).toBe(widerNetwork("2001:db8:1:ffff::1"));
  expect(widerNetwork("2001:db8:1::1")).not.toBe(widerNetwork("2001:db8:2::1"));
});

it("however many accounts claim an address, its owner gets five letters", async () => {
  const victim = "owner.of.a.mailbox@example.org";
  for (let n = 0; n < 8; n++) {
    const browser = new Browser(at);
    const { body } = await browser.http("POST", "/api/auth/register", { body: { email: victim } });
    expect(
      (await browser.http("POST", "/api/auth/register/verify", { body: authenticatorAt(at).create(body.data) })).status,
    ).toBe(201);
  }
  post(at);
  await eventually(
    () => lettersTo(at, victim).length,
    (count) => count >= 5,
  );
  const queued = await (await at.mesh.world.documents.collection("jobs")).find({});
  expect(queued.filter((job) => JSON.stringify(job).includes(victim))).toHaveLength(5);
});

it("ceremonies begun from one place are bounded, and others' sign-ins go on", async () => {
  const begin = (from: string) =>
    at.http("POST", "/api/auth/login", { as: null, body: {}, headers: { "x-forwarded-for": from } });
  const statuses = new Set<number>();
  for (let round = 0; round < 11; round++)
    for (const { status } of await Promise.all(Array.from({ length: 100 }, () => begin("203.0.113.5"))))
      statuses.add(status);
  expect([...statuses].sort()).toEqual([200, 429]);
  expect((await begin("203.0.113.6")).status).toBe(200);
});

it("whoever asked for too many links uses up nobody else's", async () => {
  const ask = async (email: string, from: string) =>
    (await at.http("POST", "/api/auth/magic-link", { as: null, body: { email }, headers: { "x-forwarded-for": from } }))
      .status;
  for (let n = 0; n < 30; n++) expect(await ask(`spread${n}@example.org`, "203.0.113.20")).toBe(202);
  for (let n = 0; n < 6; n++) expect(await ask("a.victim@example.org", "203.0.113.20")).toBe(429);
  expect(await ask("a.victim@example.org", "203.0.113.21")).toBe(202);
});

itInside(
  "refusals of people without an account do not fill the audit log, and what is over a limit is not in it",
  async () => {
    const log = await at.mesh.world.documents.collection("audit");
    const follow = (from: string) =>
      at.http("POST", "/api/auth/magic-link/verify", {
        as: null,
        body: { token: "A".repeat(43) },
        headers: { "x-forwarded-for": from },
      });
    const noted = () => log.count({ query: { action: "auth.magicLinks.verify", outcome: "refused" } });
    for (let n = 0; n < 65; n++) expect((await follow("203.0.113.30")).status).toBe(403);
    expect(await noted()).toBe(60);
    await follow("203.0.113.31");
    expect(await noted()).toBe(61);
  },
);

itInside(
  "whoever has no account has no more than so many answers kept under keys, whatever becomes of the requests",
  async () => {
    const kept = await at.mesh.world.documents.collection("idempotency");
    const before = await kept.count();
    const ask = async (n: number, from: string, headers = {}) =>
      (
        await at.http("POST", "/api/auth/magic-link/verify", {
          as: null,
          body: { token: "B".repeat(43) },
          headers: { "x-forwarded-for": from, "idempotency-key": `key-${n}`, ...headers },
        })
      ).status;
    const statuses: number[] = [];
    for (let round = 0; round < 61; round++)
      statuses.push(...(await Promise.all(Array.from({ length: 10 }, (_, n) => ask(round * 10 + n, "203.0.113.40")))));
    expect(statuses.filter((status) => status === 403)).toHaveLength(600);
    expect(statuses.filter((status) => status === 429)).toHaveLength(10);
    expect(await ask(0, "203.0.113.41")).toBe(403);
    expect(await kept.count()).toBe(before);
  },
);

it("registrations are bounded by address and network, and nobody who has an account is held up", async () => {
  const small = await world({ TRUSTED_PROXIES: "127.0.0.1,::1", REGISTRATIONS_PER_HOUR: "3" });
  try {
    const from = (address: string) => ({ "x-forwarded-for": address });
    let n = 0;
    const begin = (address: string) =>
      small.http("POST", "/api/auth/register", {
        as: null,
        body: { email: `crowd${++n}@example.org` },
        headers: from(address),
      });
    const tried = async (address: string, count: number) =>
      (await Promise.all(Array.from({ length: count }, () => begin(address)))).map(({ status }) => status).sort();
    expect(await tried("203.0.113.5", 5)).toEqual([200, 200, 200, 429, 429]);
    const refused = await begin("203.0.113.5");
    expect(refused.body).toMatchObject({ error: { code: "RATE_LIMITED", message: expect.stringMatching(/accounts/) } });
    expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(3_500);
    expect(Number(refused.headers.get("retry-after"))).toBeLessThanOrEqual(3_600);
    for (const neighbour of ["203.0.113.6", "203.0.113.7", "203.0.113.8"])
      expect(await tried(neighbour, 3)).toEqual([200, 200, 200]);
    expect(await tried("203.0.113.9", 1)).toEqual([429]);
    expect(await tried("203.0.114.9", 1)).toEqual([200]);
    expect(await tried("2001:db8:1:1::1", 2)).toEqual([200, 200]);
    expect(await tried("2001:db8:1:1::2", 2)).toEqual([200, 429]);
    expect(await tried("2001:db8:1:2::1", 1)).toEqual([200]);
    expect(
      (
        await small.http("POST", "/api/auth/login", {
          as: null,
          body: { email: "admin@example.org", password: PASSWORD },
          headers: from("203.0.113.5"),
        })
      ).status,
    ).toBe(200);
    small.clock.advance(3_600_001);
    expect(await tried("203.0.113.5", 1)).toEqual([200]);
  } finally {
    await small.stop();
  }
});

it("challenges of one person are bounded", async () => {
  const token = await at.tokenOf("reader");
  const subject = "did:key:z6MkiTBz1ymuepAQ4HEHYSF1H8quG5GLVVQR3djdX3mDooWp";
  const ask = () => at.http("POST", "/api/identity/challenges", { as: token, body: { purpose: "register", subject } });
  const replies = await Promise.all(Array.from({ length: 201 }, ask));
  expect(replies.filter(({ status }) => status === 201)).toHaveLength(200);
  expect((await ask()).status).toBe(429);
});

it("strangers have no servers asked for DIDs without end; DIDs that are their own document cost nothing", async () => {
  const resolve = (did: string) =>
    at.http("POST", "/api/identity/did/check-active", {
      as: null,
      body: { did },
      headers: { "x-forwarded-for": "203.0.113.77" },
    });
  const replies = await Promise.all(
    Array.from({ length: 310 }, () => resolve("did:ethr:0xb9c5714089478a327f09197987f16f9e5d936e8a")),
  );
  expect(replies.filter(({ status }) => status === 429)).toHaveLength(10);
  expect((await resolve("did:key:z6MkiTBz1ymuepAQ4HEHYSF1H8quG5GLVVQR3djdX3mDooWp")).body.data.active).toBe(true);
});

it("somebody who registers before there is an administrator keeps nobody from becoming it", async () => {
  const settings = { ADMIN_EMAIL: "", ADMIN_PASSWORD: "" };
  const first = await world(settings);
  const dataDir = first.dataDir;
  try {
    const browser = new Browser(first);
    const { body } = await browser.http("POST", "/api/auth/register", { body: { email: "early@example.org" } });
    expect(
      (await browser.http("POST", "/api/auth/register/verify", { body: authenticatorAt(first).create(body.data) }))
        .status,
    ).toBe(201);
  } finally {
    await first.stop({ keep: true });
  }
  const again = await world({ ...settings, DATA_DIR: dataDir });
  try {
    const token = await again.call(
      "auth.setupToken",
      {},
      { userId: "system", roles: [], via: "system", permits: ["*"] },
    );
    expect(
      (
        await again.http("POST", "/api/auth/setup", {
          as: null,
          body: { token, email: "first@example.org", password: PASSWORD },
        })
      ).status,
    ).toBe(201);
  } finally {
    await again.stop();
  }
});
