import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { globSync } from "node:fs";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { MongoClient, type Db } from "mongodb";
import { openDocuments } from "../../adapters/documents/index.ts";
import { eventually } from "../mesh.ts";
import { FeedServer, rss, stories } from "../news/feed-server.ts";
import { askNode, signIn, startNode } from "../process.ts";
import { itUnless } from "../redis.ts";

// An embedded store is moved to MongoDB: through a kill, a database that is not what it should be, and a node that ran
// on the store meanwhile, until all of it is there, and nowhere else.

const { MONGO_URL } = process.env;
const BALLAST = 20_000;
const NAME = `moved_${process.pid}`;
const url = MONGO_URL && `${MONGO_URL.replace(/\/[^/]*$/, "")}/${NAME}`;
let dir: string, dataDir: string, publisher: FeedServer, client: MongoClient, db: Db;

beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), "signalmesh-moving-"));
  dataDir = join(dir, "data");
  publisher = await FeedServer.start("127.0.7.5");
  if (!url) return;
  client = await new MongoClient(url).connect();
  db = client.db(NAME);
});
afterAll(async () => {
  await db?.dropDatabase();
  await client?.close();
  await publisher.stop();
  await rm(dir, { recursive: true, force: true });
});
const story = (name: string, tell: () => Promise<void>): void =>
  url ? it(name, tell, 240_000) : itUnless("MONGO_URL names no server", name, tell);

function begin(settings: Record<string, string> = {}, args: string[] = []): { child: ChildProcess; out: () => string } {
  const child = spawn(process.execPath, ["scripts/store/move-to-mongodb.ts", ...args], {
    env: { PATH: process.env["PATH"]!, DATA_DIR: dataDir, MONGO_URL: url!, ...settings },
  });
  let out = "";
  for (const stream of [child.stdout, child.stderr])
    stream.on("data", (chunk) => {
      out += chunk;
    });
  return { child, out: () => out };
}

async function move(
  settings: Record<string, string> = {},
  args: string[] = [],
): Promise<{ code: number; out: string }> {
  const { child, out } = begin(settings, args);
  const [code] = (await once(child, "close")) as [number];
  return { code, out: out() };
}

const RESOURCE = { name: "Pump 7", kind: "vehicle" };
const READINGS = [
  ["fuel", 71.25],
  ["running", true],
  ["state", "ready"],
] as const;
/** What was there before, to be found again. */
const before: { token: string; key: string; document: string; resource: string } = {} as never;

async function live(): Promise<void> {
  const node = await startNode({ DATA_DIR: dataDir });
  try {
    before.token = await signIn(node.url);
    const ask = (method: string, path: string, body?: unknown) => askNode(node, before.token, method, path, body);
    const feed = publisher.on("/harbour", { body: rss(stories("harbour", 20)) });
    await ask("POST", "/sources", { name: "Harbour", url: feed, domain: "economics" });
    await eventually(
      () => ask("GET", "/articles?limit=1"),
      ({ meta }) => meta.total === 20,
    );
    before.key = (await ask("POST", "/keys", { name: "dashboard" })).data.key;
    const problemSetId = (await ask("POST", "/problem-sets", { name: "Flood" })).data.id;
    before.resource = (await ask("POST", "/resources", { ...RESOURCE, problemSetId })).data.id;
    const at = Date.now();
    const readings = READINGS.map(([key, value]) => ({ resourceId: before.resource, key, at, value }));
    await ask("POST", "/resources/telemetry", readings);
    const form = new FormData();
    form.set("problemSetId", problemSetId);
    form.set("file", new Blob(["The dam at Kirchau holds until Friday."], { type: "text/plain" }), "dam.txt");
    before.document = (await ask("POST", "/documents/upload", form)).data.id;
    expect((await move()).out).toContain(`is in use by process ${node.pid} on `);
  } finally {
    await node.kill();
  }
}

async function addBallast(): Promise<void> {
  const documents = openDocuments({ dataDir });
  const ballast = await documents.collection("ballast");
  const words = "stands in the way of nobody ".repeat(10);
  for (let from = 0; from < BALLAST; from += 1_000)
    await ballast.insertMany(Array.from({ length: 1_000 }, (_, n) => ({ _id: from + n, words, at: { n: from + n } })));
  await documents.close();
}

/** What went well before, on the node that reads it from there. */
async function isAllThere(secret: string): Promise<void> {
  const node = await startNode({ DATA_DIR: join(dir, "elsewhere"), MONGO_URL: url!, SECRET: secret });
  try {
    const ask = (path: string) => askNode(node, before.token, "GET", path);
    expect((await ask("/audit/verify")).data).toMatchObject({ ok: true, faults: [] });
    await eventually(
      () => ask("/search?q=source:Harbour"),
      ({ meta }) => meta.total === 20,
      60_000,
    );
    const latest = (await ask(`/resources/${before.resource}/telemetry`)).data;
    expect(latest.map(({ key, value }: any) => [key, value])).toEqual(READINGS);
    const file = await fetch(`${node.url}/api/documents/${before.document}/file`, {
      headers: { authorization: `Bearer ${before.token}` },
    });
    expect(await file.text()).toBe("The dam at Kirchau holds until Friday.");
    expect((await fetch(`${node.url}/api/v1/articles/latest`, { headers: { "x-api-key": before.key } })).status).toBe(
      200,
    );
    const lists = (await ask("/sources/lists")).data.map(({ name }: any) => name);
    expect(lists).toEqual(["meanwhile"]);
  } finally {
    await node.stop();
  }
}

story("a store is moved whole, whatever comes between, and no node works on half of it or on two of it", async () => {
  await live();
  await addBallast();
  expect((await move({}, ["--check"])).out).toMatch(/documents in \d+ collections and \d+ files can be moved .*empty/);

  const { child } = begin();
  await eventually(
    () => db.collection("ballast").estimatedDocumentCount(),
    (count) => count > 0,
    30_000,
  );
  child.kill("SIGKILL");
  await once(child, "close");
  const secret = (await readFile(join(dataDir, "secret"), "utf8")).trim();
  const half = startNode({ DATA_DIR: join(dir, "early"), MONGO_URL: url!, SECRET: secret });
  await expect(half).rejects.toThrow(/is being moved to this database, and is not all there/);

  // Somebody's hand in it is noticed.
  await db.collection<{ _id: number }>("ballast").updateOne({ _id: 3 }, { $set: { "at.n": 4 } });
  const spoilt = await move();
  expect(spoilt.code).toBe(1);
  expect(spoilt.out).toMatch(/Going on with the move[^]*ballast: they differ, of 20,000\nThe store in .* is as it was/);

  const node = await startNode({ DATA_DIR: dataDir });
  await askNode(node, before.token, "POST", "/sources/lists", { name: "meanwhile", sourceIds: [] });
  await node.stop();
  const done = await move();
  expect(done).toEqual({ code: 0, out: expect.stringContaining("it is begun anew") });
  expect(done.out).toMatch(/Moved, and read back as it was: 20,\d{3} documents .* 3 readings in 3 series/);
  expect(await db.collection("ballast").countDocuments()).toBe(BALLAST);

  expect(globSync("{signalmesh.db,blobs}", { cwd: dataDir })).toEqual([]);
  await expect(startNode({ DATA_DIR: dataDir })).rejects.toThrow(/was moved to MongoDB/);
  expect(await move()).toEqual({ code: 1, out: expect.stringContaining("was moved to the database") });
  await isAllThere(secret);
});

story("the last word of a move that was cut short is said, and nothing is moved to where something is", async () => {
  const roots = db.collection<{ _id: string; fingerprint: string }>("root_secret");
  const { fingerprint } = (await roots.findOne())!;
  await roots.updateOne({ _id: "root" }, { $set: { fingerprint: "moving" } });
  expect(await move()).toEqual({ code: 0, out: expect.stringContaining("All of it was there already") });
  expect((await roots.findOne())!.fingerprint).toBe(fingerprint);

  const other = join(dir, "other");
  await (await startNode({ DATA_DIR: other })).stop();
  expect((await move({ DATA_DIR: other })).out).toContain("is not empty (a node was started on it)");
  await roots.updateOne({ _id: "root" }, { $set: { fingerprint: "moving" } });
  expect((await move({ DATA_DIR: other })).out).toContain("holds part of another store");
  expect((await move({ DATA_DIR: join(dir, "none") })).out).toContain("There is no store in");
});
