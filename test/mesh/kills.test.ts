import { setTimeout as pause } from "node:timers/promises";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { eventually } from "../mesh.ts";
import { FeedServer, rss, stories } from "../news/feed-server.ts";
import { Nodes, stageFor, type MeshNode, type Stage } from "../nodes.ts";

// A node is killed in the middle of its work, another of its area goes on: nothing acknowledged is lost, nothing is done twice.

const FEEDS = 8;
const ITEMS = 25;
let stage: Stage | undefined;
let nodes: Nodes;
let publisher: FeedServer;
let receiver: Server;
const delivered = new Map<string, number>();
let news: MeshNode;

beforeAll(async () => {
  stage = await stageFor("nodes killed in the middle of their work");
  if (!stage) return;
  publisher = await FeedServer.start("127.0.6.1");
  receiver = createServer((req, res) => {
    const id = String(req.headers["webhook-id"]);
    // The first of each is taken and not answered before its sender is gone.
    setTimeout(() => { delivered.set(id, (delivered.get(id) ?? 0) + 1); res.end(); }, 400);
    req.resume();
  }).listen(0, "127.0.0.1");
  await new Promise((resolve) => receiver.once("listening", resolve));
  const { port } = receiver.address() as AddressInfo;
  nodes = new Nodes(stage, { WEBHOOK_URL: `http://127.0.0.1:${port}/hook`, WEBHOOK_SECRET: "a-secret-for-hooks" });
  [news] = await Promise.all([nodes.start("news"), nodes.start("identity,workspace,platform"), nodes.start("gateway")]);
  await nodes.knows(["/api/sources", "/api/problem-sets/me"]);
}, 120_000);
afterAll(async () => {
  await nodes?.stop();
  receiver?.closeAllConnections();
  receiver?.close();
  await publisher?.stop();
  await stage?.redis.stop();
}, 60_000);
const story = (name: string, tell: () => Promise<void>): void => it(name, async () => { if (stage) await tell(); }, 240_000);

/** Another of the same area comes up, and then this one is killed. */
async function replace(victim: MeshNode, areas: string): Promise<MeshNode> {
  const heir = await nodes.start(areas);
  await victim.kill();
  return heir;
}

story("in the middle of ingestion: every article is there once", async () => {
  const urls = Array.from({ length: FEEDS }, (_, at) => publisher.on(`/feed${at}`, (_req, res) => { setTimeout(() => res.writeHead(200, { "content-type": "application/rss+xml" }).end(rss(stories(`kill${at}`, ITEMS))), at * 150); }));
  const heir = await nodes.start("news");
  const added = await nodes.http("POST", "/api/sources/bulk", { body: { sources: urls.map((url, at) => ({ name: `kill${at}`, url, domain: "science" })) } });
  expect(added.body.data.created).toHaveLength(FEEDS);
  await eventually(() => nodes.http("GET", "/api/articles?limit=1"), ({ body }) => (body.meta?.total ?? 0) >= ITEMS, 60_000);
  await news.kill();
  news = heir;
  const ask = () => nodes.http("GET", "/api/articles?limit=1");
  await eventually(ask, ({ body }) => body.meta?.total === FEEDS * ITEMS, 120_000);
  await pause(1_000);
  expect((await ask()).body.meta.total).toBe(FEEDS * ITEMS);
});

story("in the middle of briefings and their webhooks: each briefing is finished, each receiver is told", async () => {
  const ordered = await Promise.all(Array.from({ length: 4 }, () => nodes.http("POST", "/api/briefings/generate", { body: { hours: 24 } })));
  const ids = ordered.map(({ body }) => body.data.id as number);
  news = await replace(news, "news");
  for (const id of ids) await eventually(() => nodes.http("GET", `/api/briefings/${id}`), ({ body }) => body.data?.status === "completed", 120_000);
  // The same delivery has the same id, however often it is tried: that is how a receiver tells a repetition.
  await eventually(() => delivered.size, (count) => count === ids.length, 120_000);
  await pause(1_000);
  expect(delivered.size).toBe(ids.length);
});

story("in the middle of votes and their execution: each decision is carried out once, each acknowledged vote counted", async () => {
  const areas = "identity,workspace,platform";
  const say = async (method: string, path: string, body?: unknown) => (await nodes.http(method, `/api${path}`, { body })).body?.data;
  const set = await say("POST", "/problem-sets", { name: "Killed" });
  const dao = await say("POST", "/dao", { problemSetId: set.id, name: "Council", config: { periodSeconds: 1 } });
  const before = (await say("GET", `/dao/${dao.id}`)).rev as number;
  const ids: string[] = [];
  for (let n = 0; n < 4; n++) {
    const { id } = await say("POST", `/dao/${dao.id}/proposals`, { title: `Proposal ${n}`, measures: [{ do: "change-config", config: { quorumBps: 10 + n } }] });
    expect((await nodes.http("POST", `/api/dao/${dao.id}/proposals/${id}/vote`, { body: { choice: "for" } })).status).toBe(200);
    ids.push(id);
  }
  const victim = [...nodes.all].find(({ id }) => id.startsWith("identity"))!;
  const heir = await nodes.start(areas);
  await eventually(() => Promise.all(ids.map((id) => say("GET", `/dao/${dao.id}/proposals/${id}`))), (all) => all.every((one) => one?.status === "queued"), 60_000);
  const asked = Promise.allSettled(ids.map((id) => nodes.http("POST", `/api/dao/${dao.id}/proposals/${id}/execute`)));
  await pause(15);
  await victim.kill();
  await asked;
  await nodes.knows(["/api/problem-sets/me"]);
  for (const id of ids) await eventually(() => nodes.http("POST", `/api/dao/${dao.id}/proposals/${id}/execute`), ({ status }) => [200, 202, 409].includes(status), 30_000);
  const all = await eventually(() => Promise.all(ids.map((id) => say("GET", `/dao/${dao.id}/proposals/${id}`))), (answers) => answers.every((one) => one?.status === "executed"), 120_000);
  for (const one of all) expect(one).toMatchObject({ tally: { voters: 1 }, steps: [{ status: "done" }] });
  expect((await say("GET", `/dao/${dao.id}`)).rev).toBe(before + ids.length);
  expect((await nodes.http("GET", "/api/audit/verify")).body.data).toMatchObject({ ok: true });
  expect(heir.log).not.toMatch(/Error: /);
});
