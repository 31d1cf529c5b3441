import { createServer, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { MongoClient } from "mongodb";
import { setTimeout as pause } from "node:timers/promises";
import { modelStandIn, answer, type StandIn as Model } from "../../adapters/llm/stand-in.ts";
import { walletStandIn, type StandIn as Wallet } from "../../adapters/wallet/stand-in.ts";
import { Wire } from "../cut.ts";
import { eventually } from "../mesh.ts";
import { FeedServer, rss, stories } from "../news/feed-server.ts";
import { itOnStage, Nodes, startStage, type MeshNode, type Stage } from "../nodes.ts";

// A node is killed in the middle of its work, at a moment that the work itself tells of, and another of its area goes
// on: nothing acknowledged is lost, nothing is done twice. Who works is known by what it says of itself to those
// outside.

const FEEDS = 8;
const ITEMS = 25;
const PASSWORD = "correct horse battery staple 43";
let stage: Stage | undefined;
let nodes: Nodes;
let publisher: FeedServer;
let model: Model;
let wallet: Wallet;
let hooks: Receiver;
let client: MongoClient;
let made = 0;

/** Takes webhooks; until `answers`, it keeps those who send them waiting. */
class Receiver {
  readonly #server: Server;
  readonly taken: { id: string; by: string }[] = [];
  answers = false;
  readonly #waiting = new Set<ServerResponse>();

  constructor() {
    this.#server = createServer((req, res) => {
      this.taken.push({ id: String(req.headers["webhook-id"]), by: workerOf(req.headers["user-agent"]) });
      req.resume();
      if (this.answers) res.end();
      else this.#waiting.add(res);
    });
  }

  async start(): Promise<string> {
    this.#server.listen(0, "127.0.0.1");
    await new Promise((resolve) => this.#server.once("listening", resolve));
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}/hook`;
  }

  stop(): void {
    this.#server.closeAllConnections();
    this.#server.close();
  }
}

const workerOf = (userAgent = ""): string => /\/\/([\w-]+)\.invalid/.exec(userAgent)?.[1] ?? userAgent;

/** A node of news that tells publishers, receivers and the model its name. */
const newsroom = (): Promise<MeshNode> => {
  const id = `news-${++made}`;
  return nodes.start("news", { NODE_ID: id, PUBLIC_URL: `http://${id}.invalid`, LLM_API_KEY: id });
};

const named = (id: string): MeshNode => [...nodes.all].find((node) => node.id === id)!;
/** Kills it, and has another come up in its place. */
async function kill(victim: MeshNode): Promise<void> {
  await victim.kill();
  await newsroom();
}

beforeAll(async () => {
  stage = await startStage();
  publisher = await FeedServer.start("127.0.6.1");
  model = await modelStandIn(() => ({ kind: "fail", status: 400 }));
  wallet = await walletStandIn();
  hooks = new Receiver();
  nodes = new Nodes(stage, {
    WEBHOOK_URL: await hooks.start(),
    WEBHOOK_SECRET: "a-secret-for-hooks",
    LLM_BASE_URL: model.baseUrl,
    LLM_MODEL: "stand-in-1",
    SHIELDED_RPC_URL: wallet.url,
    SHIELDED_RPC_USER: wallet.user,
    SHIELDED_RPC_PASS: wallet.pass,
    SHIELDED_T_ADDRESS: wallet.tAddress,
    SHIELDED_Z_ADDRESS: wallet.zAddress,
  });
  await Promise.all([newsroom(), newsroom(), nodes.start("identity,workspace,platform"), nodes.start("gateway")]);
  client = await new MongoClient(nodes.mongoUrl).connect();
  await nodes.knows(["/api/sources", "/api/problem-sets/me"]);
}, 120_000);
afterAll(async () => {
  await nodes?.stop();
  hooks?.stop();
  await Promise.all([client?.close(), model?.close(), wallet?.close(), publisher?.stop()]);
  await stage?.redis.stop();
}, 60_000);
const story = (name: string, tell: () => Promise<void>): void => itOnStage(name, tell, 240_000);

const say = async (method: string, path: string, body?: unknown, token?: string) =>
  (await nodes.http(method, `/api${path}`, { body, ...(token && { token }) })).body?.data;
/** The same, of what must succeed. */
async function sure(method: string, path: string, body?: unknown, token?: string): Promise<any> {
  const reply = await nodes.http(method, `/api${path}`, { body, ...(token && { token }) });
  if (reply.status >= 300) throw new Error(`${method} ${path}: ${reply.status} ${JSON.stringify(reply.body)}`);
  return reply.body?.data;
}

/** Briefings with facts that not everybody who hears them has taken. */
const untold = (): Promise<number> =>
  client
    .db()
    .collection("briefings")
    .countDocuments({ _pendingSince: { $exists: true } });

story("in the middle of ingestion: every article is there once", async () => {
  const working = Promise.withResolvers<string>();
  let held = true;
  const goOn: (() => void)[] = [];
  // Half of the feeds have come, the others are being read, when whoever reads them is killed.
  const urls = Array.from({ length: FEEDS }, (_, at) =>
    publisher.on(`/feed${at}`, (req, res) => {
      res.writeHead(200, { "content-type": "application/rss+xml" });
      const text = rss(stories(`kill${at}`, ITEMS));
      if (at < FEEDS / 2 || !held) return void res.end(text);
      res.write(text.slice(0, 200));
      goOn.push(() => res.end(text.slice(200)));
      working.resolve(workerOf(req.headers["user-agent"]));
    }),
  );
  const ask = () => nodes.http("GET", "/api/articles?limit=1");
  const added = await nodes.http("POST", "/api/sources/bulk", {
    body: { sources: urls.map((url, at) => ({ name: `kill${at}`, url, domain: "science" })) },
  });
  expect(added.body.data.created).toHaveLength(FEEDS);
  await eventually(ask, ({ body }) => (body.meta?.total ?? 0) >= ITEMS, 60_000);
  const victim = named(await working.promise);
  await victim.kill();
  // What the other node is reading comes to its end; what was read by the killed one is asked for again.
  held = false;
  for (const one of goOn) one();
  await newsroom();
  await eventually(
    () => say("GET", "/sources?limit=100"),
    (sources) => sources?.every(({ lastFetch }: { lastFetch: string | null }) => lastFetch),
    120_000,
  );
  expect((await ask()).body.meta.total).toBe(FEEDS * ITEMS);
});

story("in the middle of a briefing: it is finished by another, once", async () => {
  hooks.answers = true;
  const date = new Date().toUTCString();
  const url = publisher.on("/today", { body: rss(stories("today", ITEMS).map((item) => ({ ...item, date }))) });
  const source = await sure("POST", "/sources", { name: "today", url, domain: "science" });
  await eventually(
    () => nodes.http("GET", `/api/articles?limit=1&sourceId=${source.id}`),
    ({ body }) => body.meta?.total >= ITEMS,
    60_000,
  );
  const before = model.received.length;
  model.next({ kind: "slow", ms: 600_000, before: answer({}) });
  const { id } = await sure("POST", "/briefings/generate", { hours: 24 });
  const asked = await eventually(
    () => model.received[before],
    (request) => request !== undefined,
    60_000,
  );
  await kill(named(asked!.authorization!.replace("Bearer ", "")));
  await eventually(
    () => say("GET", `/briefings/${id}`),
    (briefing) => briefing?.status === "completed",
    120_000,
  );
  expect((await nodes.http("GET", "/api/briefings?limit=100")).body.meta.total).toBe(1);
  await eventually(untold, (count) => count === 0, 60_000);
  await eventually(
    () => say("GET", "/webhooks/deliveries?limit=100"),
    (all) => all?.length > 0 && all.every(({ status }: { status: string }) => status === "delivered"),
    60_000,
  );
  expect(new Set(hooks.taken.map((one) => one.id)).size).toBe(1);
});

story("in the middle of a webhook's delivery: it is delivered by another, under the same id", async () => {
  hooks.answers = false;
  hooks.taken.length = 0;
  await say("POST", "/briefings/generate", { hours: 24 });
  const [first] = await eventually(
    () => hooks.taken,
    (taken) => taken.length > 0,
    60_000,
  );
  hooks.answers = true;
  await kill(named(first!.by));
  const delivered = await eventually(
    () => say("GET", `/webhooks/deliveries/${first!.id}`),
    (delivery) => delivery?.status === "delivered",
    120_000,
  );
  expect(delivered).toMatchObject({ attempts: 2 });
  expect(hooks.taken.map((one) => one.id)).toEqual([first!.id, first!.id]);
  expect(hooks.taken[1]!.by).not.toBe(first!.by);
});

story("in the middle of a payout, the wallet's answer lost with it: it is paid once, and the books agree", async () => {
  const signIn = async (email: string, role: string): Promise<string> => {
    await say("POST", "/auth/users", { email, role, password: PASSWORD }); // again: it is there
    return (await sure("POST", "/auth/login", { email, password: PASSWORD })).token;
  };
  const [chief, creator, source] = [
    await signIn("chief@example.org", "admin"),
    await signIn("creator@example.org", "analyst"),
    await signIn("source@example.org", "analyst"),
  ];
  const address = () => wallet.chain.dice.saplingAddress();
  const payee = address();
  const { id, due } = await sure(
    "POST",
    "/escrow/bounties",
    { title: "Who owns the mine?", amount: "50000000", refundAddress: address() },
    creator,
  );
  const bounty = () => say("GET", `/escrow/bounties/${id}`, undefined, chief);
  const reaches = (stage: string) =>
    eventually(
      async () => {
        wallet.settle();
        wallet.mine(1);
        await pause(500);
        return bounty();
      },
      (found) => found?.stage === stage,
      120_000,
    );
  wallet.deposit(due);
  wallet.mine(3);
  await sure("POST", "/escrow/shield", undefined, chief);
  await reaches("funded");
  await sure("POST", `/escrow/bounties/${id}/submit`, { payee, evidence: "https://example.org/register" }, source);
  await sure("POST", `/escrow/bounties/${id}/accept`, {}, creator);
  // One node alone can pay, and its way to the wallet goes silent when it has sent the payment.
  const wire = await Wire.to(wallet.url);
  const others = [...nodes.all].filter((node) => node.id.startsWith("news"));
  const payer = await nodes.start("news", { NODE_ID: `news-${++made}` }, { SHIELDED_RPC_URL: wire });
  await Promise.all(others.map((node) => node.stop()));
  const sent = wire.meets("z_sendmany");
  const asked = nodes.http("POST", `/api/escrow/bounty/${id}/release`, { token: chief });
  await Promise.race([
    sent,
    asked.then(({ status, body }) => {
      throw new Error(`released without the wallet: ${status} ${JSON.stringify(body)}`);
    }),
  ]);
  await payer.kill();
  await Promise.all([newsroom(), newsroom()]);
  expect((await asked).status).toBeGreaterThanOrEqual(500);
  await wire.stop();
  expect(await reaches("closed")).toMatchObject({ status: "paid" });
  expect(
    wallet
      .payments()
      .filter((payment) => payment.address === payee)
      .map(({ amount }) => amount),
  ).toEqual(["50000000"]);
  const { payoutId } = await sure(
    "POST",
    `/escrow/bounty/${id}/release`,
    undefined,
    await signIn("chief@example.org", "admin"),
  );
  expect(await say("GET", `/escrow/payouts/${payoutId}`, undefined, chief)).toMatchObject({
    state: "closed",
    attempts: 1,
  });
  expect(await sure("POST", "/escrow/reconcile", undefined, chief)).toMatchObject({ alert: null });
});

describe("in the middle of votes", () => {
  const areas = "identity,workspace,platform";
  const dao = async (name: string, periodSeconds: number): Promise<{ id: string; rev: number }> => {
    const set = await sure("POST", "/problem-sets", { name });
    const { id } = await sure("POST", "/dao", { problemSetId: set.id, name, config: { periodSeconds } });
    return say("GET", `/dao/${id}`);
  };
  const propose = async (at: string, quorumBps: number): Promise<string> => {
    const { id } = await sure("POST", `/dao/${at}/proposals`, {
      title: `Proposal ${quorumBps}`,
      measures: [{ do: "change-config", config: { quorumBps } }],
    });
    expect((await nodes.http("POST", `/api/dao/${at}/proposals/${id}/vote`, { body: { choice: "for" } })).status).toBe(
      200,
    );
    return id;
  };

  story("a count, its result on the way to the store: it is counted once, each acknowledged vote in it", async () => {
    const wire = await Wire.to(stage!.mongo);
    const counter = await nodes.start(areas, {}, { MONGO_URL: wire });
    for (const other of [...nodes.all].filter((node) => node.id.startsWith("identity") && node !== counter))
      await other.stop();
    await nodes.knows(["/api/problem-sets/me"]);
    const { id: council } = await dao("Council", 2);
    const counting = wire.meets("closedAt");
    const id = await propose(council, 11);
    await counting;
    await nodes.start(areas);
    await counter.kill();
    await wire.stop();
    await nodes.knows(["/api/problem-sets/me"]);
    const closed = await eventually(
      () => say("GET", `/dao/${council}/proposals/${id}`),
      (proposal) => ["queued", "executed"].includes(proposal?.status),
      60_000,
    );
    expect(closed).toMatchObject({ tally: { voters: 1 } });
    expect(await say("GET", `/dao/${council}/proposals/${id}/tally`)).toMatchObject({ stored: { voters: 1 } });
  });

  story("their execution: each decision is carried out once", async () => {
    const wire = await Wire.to(stage!.mongo);
    const victim = await nodes.start(areas, {}, { MONGO_URL: wire });
    for (const other of [...nodes.all].filter((node) => node.id.startsWith("identity") && node !== victim))
      await other.stop();
    await nodes.knows(["/api/problem-sets/me"]);
    const { id: at, rev } = await dao("Board", 1);
    const ids: string[] = [];
    for (let n = 0; n < 4; n++) ids.push(await propose(at, 10 + n));
    await eventually(
      () => Promise.all(ids.map((id) => say("GET", `/dao/${at}/proposals/${id}`))),
      (all) => all.every((one) => one?.status === "queued"),
      60_000,
    );
    // The first is carried out, and whoever did it dies before it can write that down.
    const carriedOut = wire.meets(`${ids[0]}:0`);
    const asked = Promise.allSettled(ids.map((id) => nodes.http("POST", `/api/dao/${at}/proposals/${id}/execute`)));
    await carriedOut;
    const heir = await nodes.start(areas);
    await victim.kill();
    await wire.stop();
    await asked;
    await nodes.knows(["/api/problem-sets/me"]);
    for (const id of ids)
      await eventually(
        () => nodes.http("POST", `/api/dao/${at}/proposals/${id}/execute`),
        ({ status }) => [200, 202, 409].includes(status),
        30_000,
      );
    const all = await eventually(
      () => Promise.all(ids.map((id) => say("GET", `/dao/${at}/proposals/${id}`))),
      (answers) => answers.every((one) => one?.status === "executed"),
      120_000,
    );
    for (const one of all) expect(one).toMatchObject({ tally: { voters: 1 }, steps: [{ status: "done" }] });
    expect((await say("GET", `/dao/${at}`)).rev).toBe(rev + ids.length);
    expect((await nodes.http("GET", "/api/audit/verify")).body.data).toMatchObject({ ok: true });
    expect(heir.log).not.toMatch(/Error: /);
  });
});
