import { setTimeout as pause } from "node:timers/promises";
import { Wire } from "../cut.ts";
import { connect } from "../gateway/live-setup.ts";
import { eventually } from "../mesh.ts";
import { itOnStage, Nodes, startStage, type MeshNode, type Stage } from "../nodes.ts";

// A gateway cut off from Redis, and every node cut off from its documents: what is refused meanwhile, and how it ends.

const AWAY_MS = Number(process.env["AWAY_MS"] ?? 10_000);
const PASSWORD = "correct horse battery staple 43";
let stage: Stage | undefined;
let nodes: Nodes;
let toRedis: Wire;
let toMongo: Wire;
let cutOff: MeshNode;
beforeAll(async () => {
  stage = await startStage();
  toRedis = await Wire.to(stage.redis.url);
  toMongo = await Wire.to(stage.mongo);
  nodes = new Nodes({ ...stage, mongo: toMongo.of(stage.mongo) });
  const [, , last] = await Promise.all([
    nodes.start("identity,workspace,news,platform"),
    nodes.start("gateway"),
    nodes.start("gateway", { NODE_ID: "gateway-cut-off", TRANSPORTER: toRedis.of(stage.redis.url) }),
  ]);
  cutOff = last;
  for (const at of nodes.all)
    if (at.id.startsWith("gateway")) await nodes.knows(["/api/sources", "/api/problem-sets/me"], at);
}, 120_000);
afterAll(async () => {
  await nodes?.stop();
  await Promise.all([toRedis?.stop(), toMongo?.stop()]);
  await stage?.redis.stop();
}, 60_000);
const story = (name: string, tell: () => Promise<void>): void => itOnStage(name, tell, 120_000);

const open = (): MeshNode => [...nodes.all].find(({ id }) => id.startsWith("gateway") && id !== cutOff.id)!;

story("a gateway that was cut off while somebody lost their rights lets them do nothing when it is back", async () => {
  const email = "cut@example.org";
  const made = await nodes.http("POST", "/api/auth/users", {
    at: open(),
    body: { email, password: PASSWORD, role: "analyst" },
  });
  const { token } = (
    await nodes.http("POST", "/api/auth/login", { at: open(), token: null, body: { email, password: PASSWORD } })
  ).body.data;
  const ask = () => nodes.http("GET", "/api/sources", { token, at: cutOff });
  expect((await ask()).status).toBe(200); // and remembered there for ten seconds
  const line = await connect(cutOff.url, { extraHeaders: { authorization: `Bearer ${token}` } });
  toRedis.cut();
  expect(
    (await nodes.http("PUT", `/api/auth/users/${made.body.data.id}`, { at: open(), body: { active: false } })).status,
  ).toBe(200);
  const refused = await ask();
  expect([refused.status, refused.headers.get("retry-after")]).toEqual([503, "2"]);
  // Whoever balances requests can send them to the other one.
  const ready = await fetch(`${cutOff.url}/health/ready`);
  expect([ready.status, await ready.json()]).toEqual([
    503,
    {
      status: "unready",
      checks: [
        { name: "documents", ok: true },
        { name: "transporter", ok: false, message: "It is not connected." },
      ],
    },
  ]);
  toRedis.mend();
  // The first answer that is an answer is 401: not one request passes on what was remembered.
  const first = await eventually(ask, ({ status }) => status !== 503);
  expect(first.status).toBe(401);
  const [ended] = await eventually(
    () => line.of("live.ended"),
    (all) => all.length > 0,
  );
  expect(ended.code).toBe("UNAUTHENTICATED");
});

const WAYS = {
  "refusing connections": { leave: () => toMongo.cut(), awayMs: AWAY_MS },
  // What is silent is noticed when it has not answered for a while: until then requests wait.
  "connected and silent": { leave: () => toMongo.freeze(), awayMs: 2 * AWAY_MS },
};

for (const [way, { leave, awayMs }] of Object.entries(WAYS)) {
  story(
    `while MongoDB is away for ${awayMs} ms, ${way}, requests are refused politely, and it is as before when it is back`,
    async () => {
      const ask = () => nodes.http("GET", "/api/sources", { at: open() });
      const write = (name: string) =>
        nodes.http("POST", "/api/sources/lists", { at: open(), body: { name: `${way}: ${name}`, sourceIds: [] } });
      const acknowledged = [(await write("before")).body.data];
      leave();
      const until = performance.now() + awayMs;
      const answers: Promise<Awaited<ReturnType<typeof ask>>>[] = [];
      while (performance.now() < until) {
        answers.push(ask(), write(`during ${answers.length}`));
        await pause(500);
      }
      toMongo.mend();
      const refused = await Promise.all(answers);
      for (const { status, headers } of refused.filter(({ status }) => status >= 400))
        expect([status, Number(headers.get("retry-after"))]).toEqual([503, expect.any(Number)]);
      expect(refused.filter(({ status }) => status === 503).length).toBeGreaterThan(answers.length / 4);
      acknowledged.push(...refused.filter(({ status }) => status === 201).map(({ body }) => body.data));
      await eventually(
        () => write("after"),
        ({ status }) => status === 201,
        20_000,
      );
      const all = (
        await eventually(
          () => nodes.http("GET", "/api/sources/lists?limit=100&sort=-createdAt", { at: open() }),
          ({ status }) => status === 200,
        )
      ).body.data as { id: number; name: string }[];
      const lists = all.filter(({ name }) => name.startsWith(way));
      for (const { id, name } of acknowledged) expect(lists).toContainEqual(expect.objectContaining({ id, name }));
      expect(new Set(lists.map(({ name }) => name)).size).toBe(lists.length);
      for (const node of nodes.all)
        await eventually(
          () => fetch(`${node.url}/health/ready`).then(({ status }) => status),
          (status) => status === 200,
        );
      expect((await nodes.http("GET", "/api/audit/verify", { at: open() })).body.data).toMatchObject({ ok: true });
    },
  );
}
