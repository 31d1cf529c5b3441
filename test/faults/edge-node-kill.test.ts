import { once } from "node:events";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { shownOf } from "../../core/sync/merge.ts";
import { askNode, signIn, startNode } from "../process.ts";
import { startEdge, type EdgeProcess } from "../edge/edge-process.ts";
import { HubDouble } from "../edge/hub-double.ts";
import { Dice } from "../simulation.ts";

// kill -9 of an edge node amid edits and rounds, over a line that breaks: what its face answered 2xx comes to the hub,
// once and in its order; also where the hub is killed with it.

const CYCLES = Number(process.env["KILL_CYCLES"] ?? 3);
/** A batch that the hub was killed in is under its lease for a quarter of a minute: these are few. */
const TOGETHER = Math.ceil(CYCLES / 3);
const WRITERS = 4;
let folder: string;
const dice = new Dice(Number(process.env["SEED"] ?? 21));
let isWhole = false;
/** What is at the other end of the line. */
let answer: (
  method: string,
  path: string,
  req: IncomingMessage,
  body: string,
) => Promise<[status: number, body: string]>;

const server = createServer(async (req, res) => {
  let body = "";
  for await (const chunk of req) body += chunk;
  const breaks = (): boolean => !isWhole && req.url!.startsWith("/api/edge-sync/sync") && dice.chance(12);
  if (breaks()) return void req.socket.destroy();
  const [status, text] = await answer(req.method!, req.url!, req, body).catch((): [number, string] => [0, ""]);
  if (!status || breaks()) return void req.socket.destroy();
  res.writeHead(status).end(text);
});

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "signalmesh-edge-kill-"));
  await once(server.listen(0, "127.0.0.1"), "listening");
});
afterAll(async () => {
  server.closeAllConnections();
  server.close();
  await rm(folder, { recursive: true, force: true });
});
beforeEach(() => {
  isWhole = false;
});

async function enrolled(data: string, token: string): Promise<EdgeProcess> {
  const file = join(folder, "token");
  await writeFile(file, token, { mode: 0o600 });
  const hub = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return startEdge("--data", data, "--hub", hub, "--token-file", file);
}

/** The hub's half in memory, which says in which order it took what. */
function answerBy(hub: HubDouble): typeof answer {
  const made: Record<string, object> = {
    "/api/identity/challenges": { challenge: "c", message: "a message" },
    "/api/identity/register": {},
    "/api/keys": { key: `sm_${"0".repeat(32)}` },
    "/api/edge-sync/nodes": { id: "n1" },
  };
  return async (method, path, _req, body) => {
    if (path === "/api/edge-sync/nodes") hub.enrol("n1", (JSON.parse(body) as { did: string }).did, 1);
    if (Object.hasOwn(made, path)) return [201, JSON.stringify({ data: made[path] })];
    const { status, body: told } = hub.answer(method, path, body || undefined);
    return [status, JSON.stringify(told)];
  };
}

/** A hub of its own process, wherever that is now. */
function answerFrom(url: () => string): typeof answer {
  return async (method, path, { headers }, body) => {
    const passed = ["authorization", "x-api-key", "content-type"].flatMap((name) =>
      headers[name] ? [[name, headers[name] as string] as [string, string]] : [],
    );
    const reply = await fetch(url() + path, { method, headers: passed, ...(body && { body }) });
    return [reply.status, await reply.text()];
  };
}

/** Draws from one store until the node goes; answers how much was acknowledged, and what was asked for without an answer. */
async function draw(node: EdgeProcess, path: string): Promise<{ sure: number; open: number }> {
  for (let sure = 0; ; sure++) {
    const answer = await node.ask("POST", `${path}/delta`, { field: "level", value: 1 });
    if (!answer) return { sure, open: 1 };
    // The hub takes up a change in more time than the node: what waits stays few.
    if (sure > 40) await new Promise((resolve) => setTimeout(resolve, 200));
    if (answer.status !== 200) throw new Error(`the node answered ${answer.status}: ${JSON.stringify(answer)}`);
  }
}

/** Rounds on a whole line until nothing waits. */
async function settle(node: EdgeProcess): Promise<void> {
  isWhole = true;
  for (;;) {
    const { data } = (await node.ask("POST", "/sync"))!;
    if (data.round && !data.status.unsent) return;
  }
}

/** Draws from each store until `isTime`, and then kills the node; notes what was drawn at the least and at the most. */
async function drawUntilKilled(
  node: EdgeProcess,
  ids: readonly string[],
  drawn: Drawn,
  isTime: () => Promise<boolean>,
) {
  const writing = ids.map((id) => draw(node, `/records/consumable/${id}`));
  // One round after the other, so that nobody waits out what the node waits after a line that broke.
  const rounds = (async () => {
    while (await node.ask("POST", "/sync")) await new Promise((resolve) => setTimeout(resolve, 20));
  })();
  while (!(await isTime())) await new Promise((resolve) => setTimeout(resolve, 50));
  await node.kill();
  await rounds;
  for (const [at, { sure, open }] of (await Promise.all(writing)).entries()) {
    drawn.least[at]! += sure;
    drawn.most[at]! += sure + open;
  }
}
interface Drawn {
  least: number[];
  most: number[];
}
const nothingDrawn = (): Drawn => ({ least: Array(WRITERS).fill(0), most: Array(WRITERS).fill(0) });

async function makeStores(node: EdgeProcess, place: string | number): Promise<string[]> {
  const ids: string[] = [];
  for (let at = 0; at < WRITERS; at++) {
    const value = { problemSetId: place, name: `w${at}`, level: 0, unit: "piece" };
    ids.push((await node.ask("POST", "/records/consumable", value))!.data.id);
  }
  return ids;
}

it(
  `loses nothing that it acknowledged through ${CYCLES} kills, and sends nothing twice or out of its order`,
  async () => {
    const hub = new HubDouble();
    answer = answerBy(hub);
    const data = join(folder, "one");
    let node = await enrolled(data, "of a person");
    const ids = await makeStores(node, 1);
    const drawn = nothingDrawn();
    for (let cycle = 0; cycle < CYCLES; cycle++) {
      // Killed amid rounds: some of what this node wrote has come to the hub.
      const wanted = hub.taken.length + cycle + 5 + dice.below(60);
      await drawUntilKilled(node, ids, drawn, async () => hub.taken.length >= wanted);
      node = await startEdge("--data", data);
    }
    await settle(node);
    const taken = hub.taken.map(({ change }) => change.seq);
    expect(taken).toEqual(taken.map((_, at) => at + 1));
    for (const [at, id] of ids.entries()) {
      const { level } = shownOf(hub.records.get(`consumable ${id}`)!.state);
      expect(level).toBeGreaterThanOrEqual(drawn.least[at]!);
      expect(level).toBeLessThanOrEqual(drawn.most[at]!);
      expect((await node.ask("GET", `/records/consumable/${id}`))!.data).toMatchObject({
        ...{ unsettled: 0, fields: { level } },
      });
    }
    expect(await node.stop()).toBe(0);
  },
  60_000 + CYCLES * 60_000,
);

it(
  `comes together with a hub that is killed as well, ${TOGETHER} times`,
  async () => {
    const settings = { DATA_DIR: join(folder, "hub") };
    let hub = await startNode(settings);
    answer = answerFrom(() => hub.url);
    const token = await signIn(hub.url);
    const { id: set } = (await askNode(hub, token, "POST", "/problem-sets", { name: "Killed" })).data;
    const data = join(folder, "two");
    let node = await enrolled(data, token);
    const ids = await makeStores(node, set);
    const drawn = nothingDrawn();
    const levelAt = async (id: string): Promise<number> =>
      (await askNode(hub, token, "GET", `/resources/consumables/${id}`).catch(() => undefined))?.data.level ?? 0;
    for (let cycle = 0; cycle < TOGETHER; cycle++) {
      const wanted = (await levelAt(ids[0]!)) + 1 + dice.below(10);
      await drawUntilKilled(node, ids, drawn, async () => (await levelAt(ids[0]!)) >= wanted);
      await hub.kill();
      [hub, node] = await Promise.all([startNode(settings), startEdge("--data", data)]);
    }
    await settle(node);
    for (const [at, id] of ids.entries()) {
      const level = await levelAt(id);
      expect(level).toBeGreaterThanOrEqual(drawn.least[at]!);
      expect(level).toBeLessThanOrEqual(drawn.most[at]!);
      expect((await node.ask("GET", `/records/consumable/${id}`))!.data).toMatchObject({
        ...{ unsettled: 0, fields: { level } },
      });
    }
    expect((await node.ask("GET", "/rejections"))!.data).toEqual([]);
    await node.stop();
    await hub.stop();
  },
  60_000 + TOGETHER * 60_000,
);
