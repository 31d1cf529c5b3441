import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { eventually } from "../mesh.ts";
import { form } from "../knowledge/documents.requests.ts";
import { FeedServer, rss, stories } from "../news/feed-server.ts";
import { signIn, startNode, type NodeProcess } from "../process.ts";

// A node killed while monitors read the news and a cycle runs: each article is counted once and none is missed, a
// checkpoint is there once, and what a person resolved goes on once.

const KILLS = Number(process.env["KILL_CYCLES"] ?? 3);
const FEEDS = 6;
const ITEMS = 25;
const PATH = "/strategic-agents";

let dataDir: string;
let node: NodeProcess;
let token: string;
let site: FeedServer;

async function start(): Promise<void> {
  node = await startNode({ DATA_DIR: dataDir, SECRET: "00".repeat(32) });
  token = await signIn(node.url);
}
async function again(): Promise<void> {
  await node.kill();
  await start();
}
async function ask(method: string, path: string, body?: object | FormData): Promise<any> {
  const isForm = body instanceof FormData;
  const answer = await fetch(`${node.url}/api${path}`, {
    method,
    headers: { authorization: `Bearer ${token}`, ...(!isForm && body && { "content-type": "application/json" }) },
    ...(body && { body: isForm ? body : JSON.stringify(body) }),
  });
  return { status: answer.status, ...((await answer.json()) as object) };
}

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), "cycle-kill-"));
  site = await FeedServer.start("127.0.4.7");
  await start();
}, 60_000);
afterAll(async () => {
  await node?.kill();
  await site?.stop();
  await rm(dataDir, { recursive: true, force: true });
});

it(`${KILLS} kills: monitors count every article once`, async () => {
  const { data: set } = await ask("POST", "/problem-sets", { name: "Kills" });
  const given = { problemSetId: set.id, q: "cyclefeed*", windowMinutes: 10_080 };
  const monitors: string[] = [];
  for (const kind of ["keyword", "keyword"])
    monitors.push((await ask("POST", `${PATH}/threats/monitor`, { ...given, kind, name: "All" })).data.id);
  const urls = Array.from({ length: FEEDS }, (_, at) =>
    site.on(`/cyclefeed${at}`, (_req, res) => {
      setTimeout(
        () => res.writeHead(200, { "content-type": "application/rss+xml" }).end(rss(stories(`cyclefeed${at}`, ITEMS))),
        at * 150,
      );
    }),
  );
  await ask("POST", "/sources/bulk", {
    sources: urls.map((url, at) => ({ name: `cyclefeed${at}`, url, domain: "science" })),
  });
  const all = FEEDS * ITEMS;
  for (let kill = 1; kill <= KILLS; kill++) {
    await eventually(
      () => ask("GET", "/articles?limit=1"),
      ({ meta }) => meta.total >= (kill * all) / (KILLS + 2),
      60_000,
    );
    await delay(Math.random() * 400);
    await again();
  }
  await eventually(
    () => ask("GET", "/articles?limit=1"),
    ({ meta }) => meta.total === all,
    120_000,
  );
  for (const id of monitors) {
    const counted = async (): Promise<number[]> => {
      const found: number[] = [];
      for (let page = 1, more = true; more; page++) {
        const { data } = await ask(
          "GET",
          `${PATH}/threats/alerts?monitorId=${id}&limit=100&sort=createdAt&page=${page}`,
        );
        for (const one of data) found.push(...one.articles);
        more = data.length === 100;
      }
      return found;
    };
    const articles = await eventually(counted, (found) => found.length >= all, 60_000);
    expect([articles.length, new Set(articles).size]).toEqual([all, all]);
  }
}, 600_000);

it(`${KILLS} kills: a cycle waits once, and goes on once, as a person says`, async () => {
  const { data: set } = await ask("POST", "/problem-sets", { name: "Cycles" });
  const text = "The Orvane dam near Castra holds after the flood, engineers of Meridian said on Monday.";
  for (let kill = 0; kill < KILLS; kill++) {
    const put = await ask(
      "POST",
      "/documents/upload",
      form(`${text} ${kill}`, `${kill}.txt`, { problemSetId: set.id }),
    );
    await eventually(
      () => ask("GET", `/documents/${put.data.id}`),
      ({ data }) => data.status === "ready",
      60_000,
    );
    const direction = { question: `Will it hold, ${kill}?`, queries: ["Orvane"], documentIds: [put.data.id] };
    const { data: begun } = await ask("POST", `${PATH}/cycle`, {
      ...{ problemSetId: set.id, direction },
      checkpoints: ["collection", "analysis"],
    });
    await delay(Math.random() * 200);
    await again();
    for (const phase of ["collection", "analysis"]) {
      const pending = await eventually(
        async () => (await ask("GET", `${PATH}/checkpoints?cycleId=${begun.id}`)).data,
        (found) => found.length > 0,
        60_000,
      );
      expect(pending).toMatchObject([{ phase }]);
      const path = `${PATH}/checkpoints/${pending[0].id}`;
      const answered = ask("POST", `${path}/resolve`, { resolution: "continue" }).catch(() => undefined);
      await delay(Math.random() * 80);
      await again();
      await answered;
      // Whether the answer came through or not: it can be given once.
      const second = await ask("POST", `${path}/resolve`, { resolution: "continue" });
      expect([200, 409]).toContain(second.status);
    }
    const ended = await eventually(
      async () => (await ask("GET", `${PATH}/cycles/${begun.id}`)).data,
      ({ status }) => status === "completed",
      60_000,
    );
    expect(ended.outcomes.map(({ phase }: any) => phase)).toEqual([
      ...["direction", "collection", "processing", "analysis", "dissemination"],
    ]);
    const products = (await ask("GET", `${PATH}/fused?problemSetId=${set.id}&limit=100`)).data.filter(
      ({ cycleId }: any) => cycleId === begun.id,
    );
    expect(products).toMatchObject([{ status: "in_review", id: ended.outcomes.at(-1).products[0] }]);
  }
}, 600_000);
