import { execFileSync, spawn, type ChildProcess } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { createServer, type AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Actor } from "../../core/access/access.ts";
import { ActorCache } from "../../services/gateway/authentication.ts";
import { KeyQuestions } from "../../services/gateway/key-questions.ts";
import { eventually, itInside, PASSWORD, TestClock, world, type TestWorld } from "../mesh.ts";
import { account, Browser } from "./browser.ts";

// The actor: resolved once, remembered for ten seconds at most, forgotten everywhere the moment something about it
// changes.

const ada = (traits: Partial<Actor> = {}): Actor => ({
  userId: "ada",
  roles: ["reader"],
  via: "jwt",
  permits: [],
  ...traits,
});

describe("the gateway's memory of actors", () => {
  it("lasts ten seconds", () => {
    const clock = new TestClock();
    const cache = new ActorCache(clock);
    cache.set("key", "one", ada(), cache.stamp);
    clock.advance(9_000);
    expect(cache.get("key", "one")).toEqual(ada());
    clock.advance(1_001);
    expect(cache.get("key", "one")).toBeUndefined();
  });

  it("has what is in use asked for once before it ends, so that nobody waits for it", () => {
    const clock = new TestClock();
    const cache = new ActorCache(clock);
    cache.set("key", "one", ada(), cache.stamp);
    const renewed: string[] = [];
    const use = () => cache.get("key", "one", (key) => renewed.push(key));
    expect(use()).toEqual(ada());
    clock.advance(8_000);
    expect([use(), use()]).toEqual([ada(), ada()]);
    expect(renewed).toEqual(["one"]);
    clock.advance(2_001);
    expect(use()).toBeUndefined();
  });

  it("takes no credential for one of another kind", () => {
    const cache = new ActorCache(new TestClock());
    cache.set("key", "one", ada(), cache.stamp);
    expect(cache.get("bearer", "one")).toBeUndefined();
    expect(cache.get("session", "one")).toBeUndefined();
    expect(cache.get("key", "one")).toBeDefined();
  });

  it("forgets one user or all, and no other", () => {
    const cache = new ActorCache(new TestClock());
    for (const userId of ["ada", "bob", "eve"]) cache.set("key", userId, ada({ userId }), cache.stamp);
    cache.forget("ada");
    expect(["ada", "bob", "eve"].map((key) => cache.get("key", key)?.userId)).toEqual([undefined, "bob", "eve"]);
    cache.forget();
    expect(["bob", "eve"].map((key) => cache.get("key", key))).toEqual([undefined, undefined]);
  });

  it("never keeps an answer that a change overtook on its way", () => {
    const cache = new ActorCache(new TestClock());
    const asked = cache.stamp;
    cache.forget("ada");
    cache.set("key", "one", ada({ roles: ["system_admin"] }), asked);
    expect(cache.get("key", "one")).toBeUndefined();
    // Another user's change is none of theirs.
    const again = cache.stamp;
    cache.forget("bob");
    cache.set("key", "one", ada(), again);
    expect(cache.get("key", "one")).toEqual(ada());
    const third = cache.stamp;
    cache.forget();
    cache.set("key", "two", ada({ userId: "eve" }), third);
    expect(cache.get("key", "two")).toBeUndefined();
    cache.set("key", "two", ada({ userId: "eve" }), cache.stamp);
    expect(cache.get("key", "two")).toBeDefined();
  });

  it("stays bounded in users and credentials", () => {
    const cache = new ActorCache(new TestClock());
    let stale = 0;
    for (let n = 0; n < 45_000; n++) {
      const before = cache.stamp;
      cache.forget(`user ${n}`);
      cache.set("key", `key ${n}`, ada({ userId: `user ${n}` }), cache.stamp);
      cache.set("key", `late ${n}`, ada({ userId: `user ${n}` }), before);
      if (cache.get("key", `late ${n}`)) stale++;
    }
    expect(stale).toBe(0);
    expect(cache.get("key", "key 44999")).toBeDefined();
    expect(cache.get("key", "key 0")).toBeUndefined();
  });
});

describe("keys that are asked for", () => {
  const { questions, asked } = (() => {
    const heard: string[][] = [];
    const holders = async (keys: readonly string[]) => {
      heard.push([...keys]);
      return keys.map((id) => (id === "gone" ? null : { userId: id.slice(0, 3), id, limits: ["*:read"] }));
    };
    const account = async (userId: string) => {
      heard.push([userId]);
      if (userId === "eve") throw new Error("away");
      return { ...ada({ userId }), via: undefined };
    };
    return { questions: new KeyQuestions({ holders, account }), asked: heard };
  })();
  afterEach(() => void asked.splice(0));

  it("in one turn are one question, and each person is asked for once", async () => {
    const patient = questions.whose("bob2", true);
    const found = await Promise.all([...["ada1", "ada2", "gone", "ada1"].map((key) => questions.whose(key)), patient]);
    expect(found.map((actor) => actor && [actor.userId, actor.via, actor.credential, actor.limits])).toEqual([
      ["ada", "key", "ada1", ["*:read"]],
      ["ada", "key", "ada2", ["*:read"]],
      null,
      ["ada", "key", "ada1", ["*:read"]],
      ["bob", "key", "bob2", ["*:read"]],
    ]);
    expect(asked).toEqual([["bob2", "ada1", "ada2", "gone"], ["bob"], ["ada"]]);
  });

  it("of whom nobody can tell are refused, and asked for anew by whoever comes next", async () => {
    await expect(questions.whose("eve1")).rejects.toThrow("away");
    await expect(questions.whose("eve1")).rejects.toThrow("away");
    expect(asked).toHaveLength(4);
  });

  it("are at most a hundred in a question", async () => {
    await Promise.all(Array.from({ length: 250 }, (_, n) => questions.whose(`ada${n}`)));
    expect(asked.filter(([first]) => first !== "ada").map(({ length }) => length)).toEqual([100, 100, 50]);
  });
});

describe("through the gateway", () => {
  let at: TestWorld;
  beforeAll(async () => {
    at = await world();
  });
  afterAll(() => at.stop());

  itInside("a change that comes while somebody is being identified is not missed", async () => {
    const { id, email } = await account(at, { role: "analyst" });
    const token = (await at.http("POST", "/api/auth/login", { as: null, body: { email, password: PASSWORD } })).body
      .data.token as string;
    const gateway = at.service("gateway") as any;
    const real = gateway.identify;
    // The answer of the mesh is held back until after the change.
    let release!: () => void;
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    let reached!: () => void;
    const answered = new Promise<void>((resolve) => {
      reached = resolve;
    });
    gateway.identify = async (...given: unknown[]) => {
      const actor = await real.apply(gateway, given);
      reached();
      await held;
      return actor;
    };
    const slow = at.http("GET", "/api/auth/me", { as: token });
    await answered;
    gateway.identify = real;
    await at.http("PUT", `/api/auth/users/${id}`, { body: { role: "reader" } });
    release();
    await slow;
    expect((await at.http("GET", "/api/auth/me", { as: token })).body.data.roles).toEqual(["reader"]);
  });

  itInside("a key is known by a node of the version before, which answers for one at a time", async () => {
    const { key } = (await at.http("POST", "/api/keys", { body: { name: "rolling" } })).body.data;
    const { actions } = (at.mesh.broker as any).registry.actions;
    const holders = actions.get("keys.holders");
    actions.delete("keys.holders");
    try {
      const seen = await at.http("GET", "/api/sources", { as: null, headers: { "x-api-key": key } });
      expect(seen.status).toBe(200);
    } finally {
      actions.set("keys.holders", holders);
    }
  });

  it("X-DID is taken when it is bound to the account, and otherwise refused; the same credential without it is as before", async () => {
    const { email, id } = await account(at);
    const browser = await new Browser(at).signIn(email);
    const { did } = await at.call(
      "identity.primaryDid",
      { userId: id },
      { userId: "system:test", roles: [], via: "system", permits: ["*"], omniscient: true },
    );
    const ask = (claimed?: string) =>
      browser.http("GET", "/api/auth/session", claimed === undefined ? {} : { headers: { "x-did": claimed } });
    expect((await ask(did)).body.data.did).toBe(did);
    expect((await ask()).body.data.did).toBeUndefined();
    const other = await account(at);
    const foreign = (
      await at.call(
        "identity.primaryDid",
        { userId: other.id },
        { userId: "system:test", roles: [], via: "system", permits: ["*"], omniscient: true },
      )
    ).did;
    for (const claimed of [foreign, "did:key:z6MkUnknown", "nonsense", ""])
      expect(await ask(claimed)).toMatchObject({ status: 403, body: { error: { code: "DID_NOT_BOUND" } } });
    expect(await ask(`did:web:${"a".repeat(3_000)}`)).toMatchObject({
      status: 400,
      body: { error: { details: [{ path: "X-DID" }] } },
    });
    expect((await ask(did)).status).toBe(200);
    // Nobody is signed in yet: there is no account that it could be bound to.
    expect((await at.http("POST", "/api/auth/login", { as: null, body: {}, headers: { "x-did": did } })).status).toBe(
      200,
    );
  });
});

const redisServer = ((): string | undefined => {
  try {
    return execFileSync("which", ["redis-server"], { encoding: "utf8" }).trim();
  } catch {
    return undefined;
  }
})();
if (!redisServer)
  console.warn("SKIPPED, not passed: there is no redis-server on the PATH (Debian: apt-get install redis-server).");

(redisServer ? describe : describe.skip)("on two gateways over Redis", () => {
  let redis: ChildProcess;
  let dataDir: string;
  let one: TestWorld, two: TestWorld;

  beforeAll(async () => {
    const port = await new Promise<number>((resolve) => {
      const probe = createServer().listen(0, "127.0.0.1", () => {
        const { port: free } = probe.address() as AddressInfo;
        probe.close(() => resolve(free));
      });
    });
    dataDir = await mkdtemp(join(tmpdir(), "signalmesh-actors-"));
    redis = spawn(
      redisServer!,
      ["--port", String(port), "--bind", "127.0.0.1", "--save", "", "--appendonly", "no", "--dir", dataDir],
      { stdio: ["ignore", "pipe", "ignore"] },
    );
    await new Promise<void>((resolve) =>
      redis.stdout!.on("data", (chunk: Buffer) => {
        if (chunk.includes("Ready to accept")) resolve();
      }),
    );
    const settings = { DATA_DIR: dataDir, TRANSPORTER: `redis://127.0.0.1:${port}`, NAMESPACE: `actors${port}` };
    one = await world({ ...settings, NODE_ID: "one" });
    two = await world({ ...settings, NODE_ID: "two" });
    await Promise.all([
      one.mesh.broker.waitForServices(["gateway"]),
      eventually(
        () =>
          (
            one.mesh.broker.registry.getServiceList({ onlyAvailable: true } as never) as unknown as { name: string }[]
          ).filter(({ name }) => name === "gateway").length,
        (gateways) => gateways === 2,
      ),
    ]);
  });
  afterAll(async () => {
    await two?.stop({ keep: true });
    await one?.stop({ keep: true });
    const gone = new Promise((resolve) => redis.once("exit", resolve));
    redis.kill();
    await gone;
    await rm(dataDir, { recursive: true, force: true });
  });

  /** A session that both gateways have just identified and remember. */
  async function everywhere(): Promise<{ id: string; here: Browser; there: Browser }> {
    const { id, email } = await account(one, { role: "analyst" });
    const here = await new Browser(one).signIn(email);
    const there = new Browser(two, here.cookie);
    for (const browser of [here, there])
      expect((await browser.http("GET", "/api/auth/me")).body.data.roles).toEqual(["analyst"]);
    return { id, here, there };
  }

  it("a changed role and an ended session are known on the other long before the memory would lapse", async () => {
    const { id, here, there } = await everywhere();
    await one.http("PUT", `/api/auth/users/${id}`, { body: { role: "reader" } });
    expect((await here.http("GET", "/api/auth/me")).body.data.roles).toEqual(["reader"]);
    await eventually(
      async () => (await there.http("GET", "/api/auth/me")).body.data.roles[0],
      (role) => role === "reader",
      1_000,
    );
    await here.http("POST", "/api/auth/logout");
    await eventually(
      async () => (await there.http("GET", "/api/auth/me")).status,
      (status) => status === 401,
      1_000,
    );
  });

  it("a passkey challenge given out by one is checked by the other", async () => {
    const { authenticatorAt } = await import("./authenticator.ts");
    const public_ = { PUBLIC_URL: "https://mesh.example.org" };
    const three = await world({
      ...public_,
      DATA_DIR: dataDir,
      TRANSPORTER: one.env.TRANSPORTER!,
      NAMESPACE: one.env.NAMESPACE,
      NODE_ID: "three",
    });
    const four = await world({
      ...public_,
      DATA_DIR: dataDir,
      TRANSPORTER: one.env.TRANSPORTER!,
      NAMESPACE: one.env.NAMESPACE,
      NODE_ID: "four",
    });
    try {
      const authenticator = authenticatorAt(three);
      const options = (
        await three.http("POST", "/api/auth/register", { as: null, body: { email: "nodes@example.org" } })
      ).body.data;
      expect(
        (await four.http("POST", "/api/auth/register/verify", { as: null, body: authenticator.create(options) }))
          .status,
      ).toBe(201);
      const login = (await four.http("POST", "/api/auth/login", { as: null, body: {} })).body.data;
      expect(
        (await three.http("POST", "/api/auth/login/verify", { as: null, body: authenticator.get(login) })).status,
      ).toBe(200);
    } finally {
      await three.stop({ keep: true });
      await four.stop({ keep: true });
    }
  });
});
