import type { AddressInfo } from "node:net";
import { SMTPServer } from "smtp-server";
import type { Collection } from "../../core/records/documents.ts";
import { eventually, itInside, PASSWORD, world, type TestWorld } from "../mesh.ts";
import { authenticatorAt } from "./authenticator.ts";
import { account, Browser } from "./browser.ts";
import { lettersTo, linkIn, post } from "./letters.ts";

// Claim 16: mailed links, and equal answers by equal work for known and unknown addresses.

let at: TestWorld;
beforeAll(async () => {
  at = await world();
});
afterAll(() => at.stop());
// Wishes are counted for a quarter of an hour.
beforeEach(() => at.clock.advance(16 * 60_000));

const ask = (kind: string, email: string, place = at) =>
  place.http("POST", `/api/auth/${kind}`, { as: null, body: { email } });
const follow = (kind: string, token: string, browser = new Browser(at), extra: object = {}) =>
  browser.http("POST", `/api/auth/${kind === "confirm" ? "email/confirm" : `${kind}/verify`}`, {
    body: { token, ...extra },
  });
const status = async (browser: Browser): Promise<number> => (await browser.http("GET", "/api/auth/session")).status;

describe("a magic link", () => {
  it("signs in once, for fifteen minutes, and stands in the letter's fragment alone", async () => {
    const { email, id } = await account(at);
    const token = await linkIn(at, "magic-link", email);
    const [letter] = lettersTo(at, email);
    expect(letter).toMatchObject({
      to: [email],
      subject: "Your sign-in link",
      text: expect.stringContaining(`/link#magic-link=${token}`),
    });
    expect(letter!.text.match(/http\S+/)![0]).toMatch(/^http:\/\/localhost:\d+\/link#/);
    const stored = JSON.stringify(
      await Promise.all(
        ["mailed_links", "jobs", "audit"].map(async (name) =>
          (await at.mesh.world.documents.collection(name)).find({}),
        ),
      ),
    );
    expect(stored).not.toContain(token);
    const browser = new Browser(at);
    expect(await follow("magic-link", token, browser)).toMatchObject({
      status: 200,
      body: { data: { user: { id }, session: { means: "magic-link" } } },
    });
    const { data } = (await browser.http("GET", "/api/auth/session")).body;
    expect(data).toMatchObject({ user: { id }, via: "session" });
    // A mailbox is no person.
    expect(data.provedAt).toBeUndefined();
    expect(await follow("magic-link", token)).toMatchObject({ status: 403, body: { error: { code: "INVALID_LINK" } } });

    const late = await linkIn(at, "magic-link", email);
    at.clock.advance(15 * 60_000);
    expect((await follow("magic-link", late)).status).toBe(403);
  });

  it("is used up by the first of many at once, and good for its own purpose alone", async () => {
    const { email } = await account(at);
    const token = await linkIn(at, "magic-link", email);
    const race = await Promise.all(Array.from({ length: 8 }, () => follow("magic-link", token)));
    expect(race.map((reply) => reply.status).sort()).toEqual([200, ...Array(7).fill(403)]);
    const other = await linkIn(at, "magic-link", email);
    expect((await follow("recovery", other)).status).toBe(403);
    for (const wrong of ["A".repeat(43), token]) expect((await follow("magic-link", wrong)).status).toBe(403);
    for (const malformed of ["", "short", "A".repeat(44), "A".repeat(42) + "="])
      expect((await follow("magic-link", malformed)).body.error.details[0].path).toBe("token");
  });

  it("does not open a closed account", async () => {
    const { email, id } = await account(at);
    const token = await linkIn(at, "magic-link", email);
    await at.http("PUT", `/api/auth/users/${id}`, { body: { active: false } });
    expect((await follow("magic-link", token)).status).toBe(403);
    const letters = lettersTo(at, email).length;
    await ask("magic-link", email);
    post(at);
    await settled();
    expect(lettersTo(at, email)).toHaveLength(letters);
  });
});

/** No letter waits any more. */
const settled = () =>
  eventually(
    async () =>
      await (
        await at.mesh.world.documents.collection("jobs")
      ).count({ query: { kind: "auth.link", status: { $in: ["queued", "running"] } } }),
    (waiting) => waiting === 0,
  );

describe("nobody learns who has an account", () => {
  it.each(["magic-link", "recovery"])(
    "%s answers the same for known and unknown addresses, and writes to nobody unknown",
    async (kind) => {
      const { email } = await account(at);
      const [known, unknown] = [await ask(kind, email), await ask(kind, "nobody@example.org")];
      expect(known.status).toBe(202);
      expect({ ...known.body, status: known.status }).toEqual({ ...unknown.body, status: unknown.status });
      const names = ({ headers }: typeof known) => [...headers.keys()].sort();
      expect(names(known)).toEqual(names(unknown));
      post(at);
      await settled();
      expect(lettersTo(at, email)).toHaveLength(1);
      expect(lettersTo(at, "nobody@example.org")).toHaveLength(0);
    },
  );

  /**
   * The outbox of facts, the look-out for jobs and other services' jobs (search builds its first index), with what
   * their workers write down of them, come by on their own, whoever asked what.
   */
  const background = (call: string, given: any[]): boolean =>
    call === "jobs.claim" ||
    (call === "jobs.updateMany" && ("fence" in given[0] || "runAt" in given[0])) ||
    (call === "jobs.insert" && !given[0].kind.startsWith("auth.")) ||
    call === "passkeys.findById" ||
    (/\.(find|updateMany)$/.test(call) && JSON.stringify(given).includes("_pending"));

  /** Every call of the document store while a request is answered, as names in order. */
  async function workOf(request: () => Promise<unknown>): Promise<string[]> {
    // Letters that earlier requests caused are written first, and none is begun meanwhile.
    post(at);
    await settled();
    const { jobs } = at.commons("auth");
    jobs.poke = () => undefined;
    jobs.look = () => Promise.resolve();
    const { documents } = at.commons("auth").world;
    const names = [
      "users",
      "passkeys",
      "sessions",
      "jobs",
      "mailed_links",
      "passkey_ceremonies",
      "login_attempts",
      "audit",
      "revoked_tokens",
    ];
    const calls: string[] = [];
    const restore: (() => void)[] = [];
    for (const name of names) {
      const collection = (await documents.collection(name)) as Collection & Record<string, any>;
      for (const method of [
        "find",
        "findOne",
        "findById",
        "findByIds",
        "count",
        "insert",
        "insertMany",
        "updateById",
        "updateMany",
        "removeById",
        "removeMany",
        "claim",
        "bulk",
      ]) {
        const real = collection[method];
        collection[method] = (...given: unknown[]) => {
          if (!background(`${name}.${method}`, given)) calls.push(`${name}.${method}`);
          return real.apply(collection, given);
        };
        restore.push(() => {
          delete collection[method];
        });
      }
    }
    try {
      await request();
    } finally {
      for (const undo of restore) undo();
      delete (jobs as Partial<typeof jobs>).poke;
      delete (jobs as Partial<typeof jobs>).look;
    }
    return calls;
  }

  itInside("by the work that is done: the same for both, call by call, in every way to sign in", async () => {
    const { email } = await account(at);
    const authenticator = authenticatorAt(at);
    const ways: Record<string, (email: string) => Promise<unknown>> = {
      "magic link": (one) => ask("magic-link", one),
      recovery: (one) => ask("recovery", one),
      "password login": (one) =>
        at.http("POST", "/api/auth/login", { as: null, body: { email: one, password: "a wrong pass phrase" } }),
      "passkey login": (one) => ask("login", one),
      registration: async (one) => {
        const { data } = (await ask("register", one)).body;
        await at.http("POST", "/api/auth/register/verify", { as: null, body: authenticator.create(data) });
      },
    };
    for (const [way, ask_] of Object.entries(ways)) {
      await ask_(`warm.${way.replace(" ", "")}@example.org`);
      const known = await workOf(() => ask_(email));
      const unknown = await workOf(() => ask_(`nobody.${way.replace(" ", "")}@example.org`));
      expect({ way, work: known }).toEqual({ way, work: unknown });
      expect(known.length).toBeGreaterThan(0);
    }
  });

  it("by a new registration: its owner hears that there is an account, the newcomer stays without address", async () => {
    const { email } = await account(at);
    const browser = new Browser(at);
    await browser.http("POST", "/api/auth/register/verify", {
      body: authenticatorAt(at).create((await ask("register", email)).body.data),
    });
    post(at);
    await settled();
    expect(lettersTo(at, email)).toMatchObject([{ subject: "You have an account already" }]);
    expect((await browser.http("GET", "/api/auth/session")).body.data.user).toMatchObject({ claimedEmail: email });
  });
});

it("a new account confirms its address from its own session, and then has its role", async () => {
  const email = "newcomer@example.org";
  const browser = new Browser(at),
    authenticator = authenticatorAt(at);
  const registered = await browser.http("POST", "/api/auth/register/verify", {
    body: authenticator.create((await ask("register", email)).body.data),
  });
  expect(registered.body.data.message).toMatch(/^Your address waits to be confirmed: follow the link/);
  expect(await browser.http("GET", "/api/sources")).toMatchObject({
    status: 403,
    body: { error: { code: "EMAIL_NOT_VERIFIED", message: expect.stringContaining("waits to be confirmed") } },
  });
  const first = await linkIn(at, "confirm", email, { asked: true });
  // A stranger's click gives nothing away.
  expect((await follow("confirm", first)).status).toBe(401);
  const other = await new Browser(at).signIn((await account(at)).email);
  expect((await follow("confirm", first, other)).status).toBe(403);
  expect((await browser.http("POST", "/api/auth/email")).status).toBe(202);
  const second = await linkIn(at, "confirm", email, { asked: true, known: [first] });
  expect(await follow("confirm", second, browser)).toMatchObject({
    status: 200,
    body: { data: { email, role: "reader" } },
  });
  expect((await browser.http("GET", "/api/sources")).status).toBe(200);
  expect((await browser.http("POST", "/api/auth/email")).status).toBe(409);
  expect((await follow("magic-link", await linkIn(at, "magic-link", email))).status).toBe(200);
});

it("of two who claim one address the first to confirm has it", async () => {
  const email = "claimed.twice@example.org";
  const claim = async (known: string[]) => {
    const browser = new Browser(at);
    await browser.http("POST", "/api/auth/register/verify", {
      body: authenticatorAt(at).create((await ask("register", email)).body.data),
    });
    return { browser, token: await linkIn(at, "confirm", email, { asked: true, known }) };
  };
  const one = await claim([]);
  const two = await claim([one.token]);
  expect((await follow("confirm", two.token, two.browser)).status).toBe(200);
  expect((await follow("confirm", one.token, one.browser)).status).toBe(409);
});

it("the rules of the installation keep addresses out, before any ceremony", async () => {
  await at.http("PUT", "/api/user-profile/email-domains", { body: { domain: "example.org" } });
  try {
    const refused = await ask("register", "spy@elsewhere.example");
    expect(refused).toMatchObject({ status: 403, body: { error: { code: "EMAIL_NOT_ALLOWED" } } });
    expect((await ask("register", "friend@example.org")).status).toBe(200);
  } finally {
    expect((await at.http("DELETE", "/api/user-profile/email-domains?domain=example.org")).status).toBe(204);
  }
});

it("tells the audit log whose sign-in, registration and recovery it was, whatever way was taken", async () => {
  const email = "who.came.in@example.org";
  const browser = new Browser(at);
  const verify = (path: string, body: object, by = browser) => by.http("POST", `/api/auth/${path}/verify`, { body });
  const begin = async (path: string, body: object, by = browser) =>
    (await by.http("POST", `/api/auth/${path}`, { body })).body.data;
  const passkey = authenticatorAt(at);
  const { user } = (await verify("register", passkey.create(await begin("register", { email })))).body.data;
  await browser.http("POST", "/api/auth/email/confirm", {
    body: { token: await linkIn(at, "confirm", email, { asked: true }) },
  });
  await verify("login", passkey.get(await begin("login", {}, new Browser(at))), new Browser(at));
  await follow("magic-link", await linkIn(at, "magic-link", email));
  const lost = new Browser(at);
  const { data: options } = (await follow("recovery", await linkIn(at, "recovery", email), lost)).body;
  await verify("register", authenticatorAt(at).create(options), lost);
  const { data: entries } = (await at.http("GET", `/api/audit?actor=${user.id}`)).body;
  expect(entries.map(({ action, object, outcome }: any) => [action, object?.id === user.id, outcome])).toEqual([
    ["auth.registrations.verify", true, "ok"],
    ["auth.recoveries.verify", true, "ok"],
    ["auth.magicLinks.verify", true, "ok"],
    ["auth.logins.verify", true, "ok"],
    ["auth.emails.confirm", true, "ok"],
    ["auth.registrations.verify", true, "ok"],
  ]);
  // Whoever sits at somebody else's browser and signs in there as themself is who did it.
  const { email: other, id } = await account(at);
  await lost.http("POST", "/api/auth/login", { body: { email: other, password: PASSWORD } });
  await lost.http("POST", "/api/auth/login", { body: { email: other, password: "a wrong one" } });
  const [wrong, right] = (await at.http("GET", "/api/audit?limit=2")).body.data;
  expect([wrong, right]).toMatchObject([
    { actor: "anonymous", object: { id }, outcome: "refused" },
    { actor: id, object: { id }, outcome: "ok" },
  ]);
});

describe("recovery", () => {
  it("registers a new passkey, ends every other session and token, and tells the owner", async () => {
    const { email } = await account(at);
    const session = await new Browser(at).signIn(email);
    const { token } = (await at.http("POST", "/api/auth/login", { as: null, body: { email, password: PASSWORD } })).body
      .data;
    at.clock.advance(2_000);
    const link = await linkIn(at, "recovery", email);
    const browser = new Browser(at),
      authenticator = authenticatorAt(at);
    const begun = await follow("recovery", link, browser);
    expect(begun.status).toBe(200);
    // Nothing has ended yet: following the link alone locks nobody out.
    expect(await status(session)).toBe(200);
    const done = await browser.http("POST", "/api/auth/register/verify", {
      body: authenticator.create(begun.body.data),
    });
    expect(done).toMatchObject({ status: 201, body: { data: { user: { email }, session: { means: "recovery" } } } });
    expect(await status(browser)).toBe(200);
    expect(await status(session)).toBe(401);
    expect((await at.http("GET", "/api/auth/me", { as: token })).status).toBe(401);
    await eventually(
      () => {
        post(at);
        return lettersTo(at, email);
      },
      (letters) => letters.some(({ subject }) => subject === "Your account was recovered"),
    );
    expect((await follow("recovery", link)).status).toBe(403);
  });

  it("keeps earlier passkeys, or removes them where their owner says they are lost", async () => {
    const { email } = await account(at);
    const lost = authenticatorAt(at);
    const owner = await new Browser(at).signIn(email);
    await owner.http("POST", "/api/auth/register/verify", {
      body: lost.create((await owner.http("POST", "/api/auth/register", { body: {} })).body.data),
    });
    const login = async (authenticator = lost) =>
      (
        await at.http("POST", "/api/auth/login/verify", {
          as: null,
          body: authenticator.get((await ask("login", email)).body.data),
        })
      ).status;
    const recover = async (forgetOthers: boolean) => {
      const browser = new Browser(at),
        authenticator = authenticatorAt(at);
      const options = (await follow("recovery", await linkIn(at, "recovery", email), browser, { forgetOthers })).body
        .data;
      expect(
        (await browser.http("POST", "/api/auth/register/verify", { body: authenticator.create(options) })).status,
      ).toBe(201);
      return { authenticator, browser };
    };
    const first = await recover(false);
    expect(await login()).toBe(200);
    expect(await login(first.authenticator)).toBe(200);
    const second = await recover(true);
    expect(await login()).toBe(401);
    expect(await login(first.authenticator)).toBe(401);
    expect(await login(second.authenticator)).toBe(200);
    expect((await second.browser.http("GET", "/api/auth/passkeys")).body.data).toHaveLength(1);
  });
});

it("counts wishes by address and by place", async () => {
  const replies = await Promise.all(Array.from({ length: 6 }, () => ask("magic-link", "flooded@example.org")));
  expect(replies.map((reply) => reply.status).sort()).toEqual([202, 202, 202, 202, 202, 429]);
  expect(replies.find((reply) => reply.status === 429)!.headers.get("retry-after")).toBeTruthy();
  // The other kind has a count of its own, so that a flood of one does not keep somebody from the other.
  expect((await ask("recovery", "flooded@example.org")).status).toBe(202);
  const spread = [];
  for (let n = 0; n < 30; n++) spread.push((await ask("magic-link", `spread${n}@example.org`)).status);
  expect(spread.at(-1)).toBe(429);
});

describe("through a real mail server", () => {
  it("links arrive, and wait out an outage of it", async () => {
    const received: { to: string; source: string }[] = [];
    let away = true;
    const server = new SMTPServer({
      logger: false,
      authOptional: true,
      disableReverseLookup: true,
      disabledCommands: ["STARTTLS"],
      closeTimeout: 50,
      onMailFrom(_address, _session, done) {
        done(away ? Object.assign(new Error("later"), { responseCode: 451 }) : undefined);
      },
      onData(stream, session, done) {
        const chunks: Buffer[] = [];
        stream
          .on("data", (chunk: Buffer) => chunks.push(chunk))
          .on("end", () => {
            received.push({ to: session.envelope.rcptTo[0]!.address, source: Buffer.concat(chunks).toString() });
            done();
          });
      },
    });
    server.on("error", () => undefined);
    await new Promise<void>((resolve) => {
      server.listen(0, "127.0.0.1", () => resolve());
    });
    const mailed = await world({
      SMTP_URL: `smtp://127.0.0.1:${(server.server.address() as AddressInfo).port}`,
      MAIL_FROM: "Mesh <mesh@example.org>",
    });
    try {
      expect((await ask("magic-link", "admin@example.org", mailed)).status).toBe(202);
      const jobs = await mailed.mesh.world.documents.collection("jobs");
      const poke = () => {
        mailed.clock.advance(1_000);
        mailed.poke();
      };
      await eventually(
        async () => {
          poke();
          return jobs.findOne({ kind: "auth.link" });
        },
        (job) => job?.["error"] !== undefined,
      );
      away = false;
      await eventually(
        () => {
          poke();
          return received;
        },
        (letters) => letters.length === 1,
      );
      const { to, source } = received[0]!;
      expect(to).toBe("admin@example.org");
      expect(source).toContain("From: Mesh <mesh@example.org>");
      const token = /magic-link=(?:3D)?([\w-]{43})/.exec(source.replace(/=\r\n/g, ""))![1]!;
      expect(
        (await mailed.http("POST", "/api/auth/magic-link/verify", { as: null, body: { token } })).body.data.user.email,
      ).toBe("admin@example.org");

      const said: string[] = [];
      const { logger } = mailed.service("auth") as any;
      for (const level of ["warn", "info"]) logger[level] = (text: string) => void said.push(text);
      const { jobs: work } = mailed.commons("auth");
      const tellJob = work.onError;
      work.onError = (error, job) => {
        said.push(`Job ${job.kind}`);
        tellJob(error, job);
      };
      // A longer one: who was invited has the letter when it ends, and nobody a link that has expired.
      away = true;
      const email = "invited.in.an.outage@example.org";
      expect((await mailed.http("POST", "/api/auth/users", { body: { email } })).status).toBe(201);
      expect((await ask("magic-link", "admin@example.org", mailed)).status).toBe(202);
      const jobOf = async (kind: string) =>
        (await jobs.find({ query: { kind: "auth.link" }, sort: ["-createdAt"] })).find(
          ({ input }) => input.kind === kind,
        )!;
      const until = mailed.clock.now() + 3 * 3_600_000;
      await eventually(
        async () => {
          // In the end it is tried again every few minutes: two hours take some hundred attempts.
          mailed.clock.advance(60_000);
          mailed.poke();
          return jobOf("welcome");
        },
        () => mailed.clock.now() > until,
      );
      expect(await jobOf("magic-link")).toMatchObject({ status: "completed", result: { sent: false } });
      away = false;
      await eventually(
        () => {
          // An hour is enough for its next attempt; on a busy machine a clock that went on would overtake its last.
          if (mailed.clock.now() < until + 3_600_000) mailed.clock.advance(60_000);
          mailed.poke();
          return received;
        },
        (letters) => letters.length === 2,
      );
      expect(received[1]).toMatchObject({ to: email, source: expect.stringContaining("welcome") });
      // The log has the outage, with how many attempts it cost every half minute, and its end; not each attempt.
      const [first, ...others] = said;
      expect(first).toMatch(/^Mail server 127\.0\.0\.1:\d+: The mail server refuses .+ for the moment \(451\)\.$/);
      expect(others.at(-1)).toMatch(/^Mail server .+: takes letters again\.$/);
      expect(others.slice(0, -1).every((line) => line.endsWith("more attempts failed meanwhile)"))).toBe(true);
    } finally {
      await mailed.stop();
      await new Promise<void>((resolve) => {
        server.close(() => resolve());
      });
    }
  });
});

// Last: days go by, and with them the token of the administrator.
describe("an account that an administrator makes without a password", () => {
  const make = async (email: string, path = "auth/users") => {
    const made = await at.http("POST", `/api/${path}`, { body: { email, name: "Colleague" } });
    expect(made.status).toBe(201);
    return made.body.data;
  };

  it("is handed over by a link that signs in once, within seven days, and takes a passkey", async () => {
    const email = "colleague.by.link@example.org";
    const { id } = await make(email);
    const token = await linkIn(at, "welcome", email, { asked: true });
    at.clock.advance(6 * 86_400_000);
    const browser = new Browser(at);
    expect(await follow("magic-link", token, browser)).toMatchObject({
      status: 200,
      body: { data: { user: { id, email, role: "reader" }, session: { means: "magic-link" } } },
    });
    expect((await follow("magic-link", token)).status).toBe(403);
    const begun = await browser.http("POST", "/api/auth/register", { body: {} });
    const passkey = authenticatorAt(at).create(begun.body.data);
    expect((await browser.http("POST", "/api/auth/register/verify", { body: passkey })).status).toBe(201);
    expect((await follow("magic-link", await linkIn(at, "magic-link", email))).status).toBe(200);
  });

  it("is handed over by no link that is older, or was made for something else", async () => {
    const late = "late.colleague@example.org";
    await make(late);
    const token = await linkIn(at, "welcome", late, { asked: true });
    expect((await follow("recovery", token)).status).toBe(403);
    await make("chain.colleague@example.org", "accounts/create");
    const other = await linkIn(at, "welcome", "chain.colleague@example.org", { asked: true });
    at.clock.advance(7 * 86_400_000);
    expect((await follow("magic-link", other)).status).toBe(403);
  });
});
