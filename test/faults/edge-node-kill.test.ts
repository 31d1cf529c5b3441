import { once } from "node:events";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { shownOf } from "../../core/sync/merge.ts";
import { startEdge, type EdgeProcess } from "../edge/edge-process.ts";
import { HubDouble } from "../edge/hub-double.ts";
import { Dice } from "../simulation.ts";

// kill -9 of an edge node amid edits and rounds, over a line that breaks: what its face answered 2xx comes to the hub,
// once and in its order.

const CYCLES = Number(process.env["KILL_CYCLES"] ?? 3);
const WRITERS = 4;
let folder: string;
const hub = new HubDouble();
const dice = new Dice(Number(process.env["SEED"] ?? 21));
let isWhole = false;

const server = createServer(async (req, res) => {
  let body = "";
  for await (const chunk of req) body += chunk;
  const send = (status: number, answer: unknown): void => void res.writeHead(status).end(JSON.stringify(answer));
  if (req.url === "/api/identity/challenges") return send(201, { data: { challenge: "c", message: "a message" } });
  if (req.url === "/api/identity/register") return send(201, { data: {} });
  if (req.url === "/api/keys") return send(201, { data: { key: `sm_${"0".repeat(32)}` } });
  if (req.url === "/api/edge-sync/nodes") {
    hub.enrol("n1", (JSON.parse(body) as { did: string }).did, 1);
    return send(201, { data: { id: "n1" } });
  }
  if (!isWhole && dice.chance(12)) return void req.socket.destroy();
  const answer = hub.answer(req.method!, req.url!, body || undefined);
  if (!isWhole && dice.chance(12)) return void req.socket.destroy();
  send(answer.status, answer.body);
});

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "signalmesh-edge-kill-"));
  await writeFile(join(folder, "token"), "of a person\n", { mode: 0o600 });
  await once(server.listen(0, "127.0.0.1"), "listening");
});
afterAll(async () => {
  server.closeAllConnections();
  server.close();
  await rm(folder, { recursive: true, force: true });
});

/** Draws from one store until the node goes; answers how much was acknowledged, and what was asked for without an answer. */
async function draw(node: EdgeProcess, path: string): Promise<{ sure: number; open: number }> {
  for (let sure = 0; ; sure++) {
    const answer = await node.ask("POST", `${path}/delta`, { field: "level", value: 1 });
    if (!answer) return { sure, open: 1 };
    if (answer.status !== 200) throw new Error(`the node answered ${answer.status}: ${JSON.stringify(answer)}`);
  }
}

it(
  `loses nothing that it acknowledged through ${CYCLES} kills, and sends nothing twice`,
  async () => {
    const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const data = join(folder, "data");
    let node = await startEdge("--data", data, "--hub", address, "--token-file", join(folder, "token"));
    const ids: string[] = [];
    for (let at = 0; at < WRITERS; at++)
      ids.push((await node.ask("POST", "/records/consumable", { problemSetId: 1, name: `w${at}`, level: 0 }))!.data.id);
    const least = ids.map(() => 0);
    const most = ids.map(() => 0);
    for (let cycle = 0; cycle < CYCLES; cycle++) {
      const before = hub.taken.length;
      const writing = ids.map((id) => draw(node, `/records/consumable/${id}`));
      // Killed amid rounds: some of what this node wrote has come to the hub.
      const seen = cycle + 5 + dice.below(60);
      while (hub.taken.length - before < seen) await new Promise((resolve) => setTimeout(resolve, 5));
      await node.kill();
      for (const [at, { sure, open }] of (await Promise.all(writing)).entries()) {
        least[at]! += sure;
        most[at]! += sure + open;
      }
      node = await startEdge("--data", data);
    }
    isWhole = true;
    for (;;) {
      const { data } = (await node.ask("POST", "/sync"))!;
      if (data.round && !data.status.unsent) break;
    }
    const taken = hub.taken.map(({ change }) => change.seq);
    expect(taken).toEqual(taken.map((_, at) => at + 1));
    for (const [at, id] of ids.entries()) {
      const { level } = shownOf(hub.records.get(`consumable ${id}`)!.state);
      expect(level).toBeGreaterThanOrEqual(least[at]!);
      expect(level).toBeLessThanOrEqual(most[at]!);
      expect((await node.ask("GET", `/records/consumable/${id}`))!.data).toMatchObject({
        ...{ unsettled: 0, fields: { level } },
      });
    }
    expect(await node.stop()).toBe(0);
    console.log(
      `${CYCLES} kills: ${taken.length} changes, ${least.reduce((one, other) => one + other, 0)} drawn for sure`,
    );
  },
  20_000 + CYCLES * 15_000,
);
