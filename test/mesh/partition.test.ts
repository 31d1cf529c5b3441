import { MongoClient } from "mongodb";
import { setTimeout as pause } from "node:timers/promises";
import { modelStandIn, type StandIn } from "../../adapters/llm/stand-in.ts";
import { Wire } from "../cut.ts";
import { connect } from "../gateway/live-setup.ts";
import { eventually } from "../mesh.ts";
import { FeedServer, rss, stories } from "../news/feed-server.ts";
import { itOnStage, Nodes, startStage, type MeshNode, type Reply, type Stage } from "../nodes.ts";

// Two whole nodes side by side, and one of them is parted from the rest: stopped, or connected and met with silence. It
// comes back believing that it still holds what it held.

const AREAS = "gateway,news,identity,workspace,platform";
const PASSWORD = "correct horse battery staple 43";
const LOST = "is not held here any longer";
/** Kept for its term, and taken only where sources are due. */
const ROUNDS = "sources.ingestion";
let stage: Stage | undefined;
let nodes: Nodes;
let publisher: FeedServer;
let model: StandIn;
let toRedis: Wire;
let toMongo: Wire;
let parted: MeshNode;
let heir: MeshNode;
let articles: number[];
let client: MongoClient;
/** What the model does with questions of the node that is to be parted: keeps them until it may answer. */
let detains = false;

beforeAll(async () => {
  stage = await startStage();
  toRedis = await Wire.to(stage.redis.url);
  toMongo = await Wire.to(stage.mongo);
  publisher = await FeedServer.start("127.0.8.1");
  const refusal = { kind: "fail", status: 400 } as const;
  model = await modelStandIn(({ authorization }) =>
    detains && authorization === "Bearer gateway-parted" ? { kind: "slow", ms: 40_000, before: refusal } : refusal,
  );
  nodes = new Nodes(stage, { LLM_BASE_URL: model.baseUrl, LLM_MODEL: "stand-in-1" });
  const whole = (id: string, by: Record<string, Wire> = {}) => nodes.start(AREAS, { NODE_ID: id, LLM_API_KEY: id }, by);
  [parted, heir] = await Promise.all([
    whole("gateway-parted", { TRANSPORTER: toRedis, MONGO_URL: toMongo }),
    whole("gateway-heir"),
  ]);
  for (const at of [parted, heir]) await nodes.knows(["/api/sources", "/api/problem-sets/me"], at);
  const url = publisher.on("/feed", { body: rss(stories("parted", 20)) });
  await nodes.http("POST", "/api/sources", { at: heir, body: { name: "parted", url, domain: "science" } });
  client = await new MongoClient(nodes.mongoUrl).connect();
  const stored = await eventually(
    () => nodes.http("GET", "/api/articles?limit=100", { at: heir }),
    ({ body }) => body.data?.length === 20,
    60_000,
  );
  articles = stored.body.data.map(({ id }: { id: number }) => id);
}, 120_000);
afterAll(async () => {
  await nodes?.stop();
  await Promise.all([client?.close(), toRedis?.stop(), toMongo?.stop(), publisher?.stop(), model?.close()]);
  await stage?.redis.stop();
}, 60_000);
const story = (name: string, tell: () => Promise<void>): void => itOnStage(name, tell, 180_000);

const job = async (id: string): Promise<any> =>
  (await nodes.http("GET", `/api/verification/jobs/${id}`, { at: heir })).body.data;

/**
 * Orders verifications until the node that is to be parted is at work on one, waiting for the model; answers that job
 * and its article.
 */
async function engage(): Promise<{ id: string; article: number }> {
  detains = true;
  for (let n = 0; n < 10; n++) {
    const article = articles.shift()!;
    const before = model.received.length;
    let ended: Reply | undefined;
    const ordered = nodes.http("POST", `/api/verification/deep/${article}`, { at: parted }).then((reply) => {
      ended = reply;
    });
    await eventually(() => ended !== undefined || model.received.length > before, Boolean, 60_000);
    const asked = model.received[before];
    if (!asked) throw new Error(`The model was not asked: ${JSON.stringify(ended)}`);
    if (asked.authorization !== "Bearer gateway-parted") {
      await ordered;
      continue;
    }
    const { body } = await eventually(
      () => nodes.http("GET", "/api/jobs?kind=verification.deep&status=running", { at: heir }),
      ({ body }) => body.data?.length > 0,
      30_000,
    );
    detains = false;
    ordered.catch(() => {});
    return { id: body.data[0].id, article };
  }
  throw new Error("The heir took every job.");
}

/** What is known of an article's verification, as the heir's records have it. */
const known = async (article: number): Promise<unknown[]> =>
  Promise.all(
    ["claims", "trail"].map(
      async (part) => (await nodes.http("GET", `/api/verification/${part}/${article}`, { at: heir })).body,
    ),
  );

story(
  "a holder that was stopped for longer than its lease: the work is another's, done once, and nothing of what it still does is taken",
  async () => {
    const { id, article } = await engage();
    parted.pause();
    const done = await eventually(
      () => job(id),
      ({ status }) => status === "completed",
      90_000,
    );
    const before = await known(article);
    parted.resume();
    await eventually(
      () => parted.log,
      (log) => log.includes(LOST),
      90_000,
    );
    expect(await job(id)).toEqual(done);
    expect(await known(article)).toEqual(before);
    expect(done.attempts).toBe(2);
  },
);

story(
  "a holder cut off from Redis, then from the documents too: its leases pass on, it works on in vain, and all agree again when it is back",
  async () => {
    type Lease = { _id: string; holder: string | null; fence: number; until: string };
    const leases = async (): Promise<Map<string, Lease>> =>
      new Map((await client.db().collection<Lease>("leases").find().toArray()).map((lease) => [lease._id, lease]));
    // Those that it gave back, and that of rounds, bear its name until somebody needs them.
    const own = async (): Promise<[string, Lease][]> =>
      [...(await leases())].filter(
        ([name, { holder, until }]) =>
          name !== ROUNDS && holder?.startsWith("gateway-parted@") && until > new Date().toISOString(),
      );
    // Whoever went on alone has them all by now: it rests until the other has some of its own.
    heir.pause();
    await eventually(own, (some) => some.length > 0, 60_000);
    heir.resume();
    const { id, article } = await engage();
    // The other has had some meanwhile, and may have them all.
    heir.pause();
    const held = await eventually(own, (some) => some.length > 0, 60_000);
    heir.resume();
    toRedis.freeze();
    await pause(2_000);
    toMongo.freeze();
    const done = await eventually(
      () => job(id),
      ({ status }) => status === "completed",
      90_000,
    );
    const before = await known(article);
    // It says that it cannot take requests, and refuses them, in words.
    await eventually(
      () => fetch(`${parted.url}/health/ready`).then(({ status }) => status),
      (status) => status === 503,
      30_000,
    );
    const refused = await nodes.http("POST", "/api/sources/lists", {
      at: parted,
      body: { name: "never", sourceIds: [] },
    });
    expect([refused.status, Number(refused.headers.get("retry-after")) > 0]).toEqual([503, true]);
    const passedOn = await eventually(
      leases,
      (now) => held.every(([name]) => !now.get(name)!.holder?.startsWith("gateway-parted@")),
      60_000,
    );
    // One that was given back before the line was cut is nobody's.
    for (const [name, { fence }] of held)
      if (passedOn.get(name)!.holder !== null) expect(passedOn.get(name)!.fence).toBeGreaterThan(fence);
    toMongo.mend();
    toRedis.mend();
    await eventually(
      () => parted.log,
      (log) => log.includes(`Job ${id} (verification.deep), attempt 1:`),
      90_000,
    );
    await eventually(
      () => fetch(`${parted.url}/health/ready`).then(({ status }) => status),
      (status) => status === 200,
      60_000,
    );
    expect(await job(id)).toEqual(done);
    expect(await known(article)).toEqual(before);
    // What the holder wrote down late did not take anything back.
    const now = await leases();
    for (const [name] of held)
      if (now.get(name)!.holder?.startsWith("gateway-parted@"))
        expect(now.get(name)!.fence).toBeGreaterThan(passedOn.get(name)!.fence);
    const lists = (await nodes.http("GET", "/api/sources/lists?limit=100", { at: parted })).body.data as {
      name: string;
    }[];
    expect(lists.filter(({ name }) => name === "never").length).toBeLessThanOrEqual(1);
    // Each hears of what the other does.
    const line = await connect(parted.url, { extraHeaders: { authorization: `Bearer ${await nodes.token()}` } });
    const { body } = await nodes.http("POST", "/api/briefings/generate", { at: heir, body: { hours: 24 } });
    expect(body.data.id).toEqual(expect.any(Number));
    await eventually(
      () => line.of("job.changed"),
      (all) => all.some((told) => (told.data ?? told).kind === "briefings.generate"),
      30_000,
    );
    expect((await nodes.http("GET", "/api/audit/verify", { at: heir })).body.data).toMatchObject({ ok: true });
  },
);

story(
  "a membership that was revoked on the other side of a partition holds on this side after ten seconds at the latest",
  async () => {
    const email = "parted@example.org";
    await nodes.http("POST", "/api/auth/users", { at: heir, body: { email, password: PASSWORD, role: "analyst" } });
    const { token } = (
      await nodes.http("POST", "/api/auth/login", { at: heir, token: null, body: { email, password: PASSWORD } })
    ).body.data;
    const { id } = (await nodes.http("POST", "/api/problem-sets", { at: heir, body: { name: "Parted" } })).body.data;
    const { code } = (
      await nodes.http("POST", `/api/problem-sets/${id}/invite`, { at: heir, body: { role: "planner" } })
    ).body.data;
    expect(
      (await nodes.http("POST", "/api/problem-sets/invite/accept-by-code", { at: heir, token, body: { code } })).status,
    ).toBe(200);
    const ask = (at: MeshNode): Promise<Reply> => nodes.http("GET", `/api/problem-sets/${id}/members`, { at, token });
    const { body } = await eventually(
      () => ask(parted),
      ({ status }) => status === 200,
    );
    const member = (body.data as { role: string; did: string }[]).find(({ role }) => role === "planner")!;
    toRedis.freeze();
    expect((await nodes.http("DELETE", `/api/problem-sets/${id}/members/${member.did}`, { at: heir })).status).toBe(
      204,
    );
    const revokedAt = performance.now();
    expect((await ask(heir)).status).toBe(404);
    // What is remembered is ten seconds old at the most: of those who ask later than that none gets an answer, however
    // long answers take.
    let askedAt = 0,
      lastLetIn = 0;
    const last = await eventually(
      async () => {
        askedAt = performance.now();
        const reply = await ask(parted);
        if (reply.status === 200) lastLetIn = askedAt;
        return reply;
      },
      ({ status }) => status !== 200,
      30_000,
    );
    expect(last.status).toBe(404);
    expect(lastLetIn).toBeLessThanOrEqual(revokedAt + 10_000);
    toRedis.mend();
    expect((await ask(parted)).status).toBe(404);
  },
);
