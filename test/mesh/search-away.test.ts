import { setTimeout as pause } from "node:timers/promises";
import { Wire } from "../cut.ts";
import { eventually } from "../mesh.ts";
import { FeedServer, rss, stories } from "../news/feed-server.ts";
import { itOnStage, Nodes, startStage, type MeshNode, type Reply, type Stage } from "../nodes.ts";
import { itUnless } from "../redis.ts";

// Elasticsearch goes away: refused at once, or connected and silent. `AWAY_MS=60000` makes it the minute of the claim.

const AWAY_MS = Number(process.env["AWAY_MS"] ?? 12_000);
const ITEMS = 30;
const REMOVED = 5;
const elastic = process.env["ELASTICSEARCH_URL"];
let stage: Stage | undefined;
let nodes: Nodes;
let publisher: FeedServer;
let wire: Wire;
let news: MeshNode;

beforeAll(async () => {
  stage = await startStage();
  wire = await Wire.to(elastic!);
  publisher = await FeedServer.start("127.0.7.1");
  nodes = new Nodes(stage, { ELASTICSEARCH_URL: wire.of(elastic!) });
  [news] = await Promise.all([nodes.start("news"), nodes.start("identity,workspace,platform"), nodes.start("gateway")]);
  await nodes.knows(["/api/sources", "/api/problem-sets/me", "/api/search/status"]);
}, 120_000);
afterAll(async () => {
  await nodes?.stop();
  await wire?.stop();
  await publisher?.stop();
  await stage?.redis.stop();
}, 60_000);
const story = (name: string, tell: () => Promise<void>): void =>
  elastic ? itOnStage(name, tell, 120_000 + 2 * AWAY_MS) : itUnless("ELASTICSEARCH_URL names no server", name, tell);

const search = (name: string): Promise<Reply> =>
  nodes.http("GET", `/api/search?q=${encodeURIComponent(`source:${name}`)}&limit=100`);
const stored = async (): Promise<number> => (await nodes.http("GET", "/api/articles?limit=1")).body.meta.total;
const shows = (name: string, count: number): Promise<Reply> =>
  eventually(
    () => search(name),
    ({ body }) => body.meta?.total === count,
    60_000,
  );

/** Adds a source and waits until its articles are in the store. */
async function ingest(name: string): Promise<void> {
  const before = await stored();
  const url = publisher.on(`/${name}`, { body: rss(stories(name, ITEMS)) });
  expect((await nodes.http("POST", "/api/sources", { body: { name, url, domain: "science" } })).status).toBe(201);
  await eventually(stored, (count) => count === before + ITEMS, 60_000);
}

/** Search is asked all the while; what it answered. */
function askAllTheWhile(name: string): () => Promise<Reply[]> {
  const asked: Promise<Reply>[] = [];
  const asking = setInterval(() => asked.push(search(name)), 150);
  return () => {
    clearInterval(asking);
    return Promise.all(asked);
  };
}

/** What the story is, whichever way Elasticsearch is away. */
async function away(name: string, leave: () => void): Promise<void> {
  await ingest(`${name}-before`);
  const { body } = await shows(`${name}-before`, ITEMS);
  leave();
  const until = performance.now() + AWAY_MS;
  const asked = askAllTheWhile(`${name}-before`);
  // Articles come and go meanwhile, and the node that wrote them is killed with its changes still to be told to the
  // index.
  await ingest(`${name}-during`);
  for (const { id } of body.data.slice(0, REMOVED))
    expect((await nodes.http("DELETE", `/api/articles/${id}`)).status).toBe(204);
  const heir = await nodes.start("news");
  await news.kill();
  news = heir;
  // Work in the background that needs search waits for it, and does not fail.
  const verified = nodes.http("POST", `/api/verification/deep/${body.data.at(-1).id}`);
  const others: number[] = [];
  do {
    others.push(
      (await nodes.http("GET", "/api/articles?limit=5")).status,
      (await nodes.http("POST", "/api/sources/lists", { body: { name: `${name} ${others.length}`, sourceIds: [] } }))
        .status,
    );
    await pause(200);
  } while (performance.now() < until);
  expect(others.filter((status) => status !== 200 && status !== 201)).toEqual([]);
  const answers = await asked();
  // Never a list, and least of all an empty one: always in words, and when to come again.
  expect(new Set(answers.map(({ status, headers }) => `${status} ${Number(headers.get("retry-after")) > 0}`))).toEqual(
    new Set(["503 true"]),
  );
  // Elasticsearch was asked in vain for a while, then no longer by every request: the circuit opened.
  expect(new Set(answers.map(({ body: { error } }) => error.code))).toEqual(new Set(["UPSTREAM_SEARCH", "OVERLOADED"]));
  wire.mend();
  await shows(`${name}-during`, ITEMS);
  await shows(`${name}-before`, ITEMS - REMOVED);
  const {
    status,
    body: { data: work },
  } = await verified;
  if (status === 202)
    await eventually(
      () => nodes.http("GET", `/api/verification/jobs/${work.job}`),
      ({ body: { data } }) => data?.status === "completed",
      60_000,
    );
  else expect([status, work]).toEqual([200, expect.objectContaining({ contentId: body.data.at(-1).id })]);
  const {
    body: { data: state },
  } = await eventually(
    () => nodes.http("GET", "/api/search/status"),
    ({ body: { data } }) => data?.waiting === 0,
    30_000,
  );
  expect(state).toMatchObject({ indexed: await stored(), outdated: false });
  expect((await nodes.http("GET", "/api/audit/verify")).body.data).toMatchObject({ ok: true });
}

story(`refused for ${AWAY_MS} ms: search says so, writes go on, the index catches up by itself`, () =>
  away("refused", () => wire.cut()),
);

story(`connected and silent for ${AWAY_MS} ms: the same`, () => away("silent", () => wire.freeze()));
