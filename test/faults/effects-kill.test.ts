import { mkdtemp, rm } from "node:fs/promises";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { eventually } from "../mesh.ts";
import { askNode, signIn, startNode, type NodeProcess } from "../process.ts";

// A node is killed at any moment while many workflows act on the world outside. Whatever it was about to do, is doing or
// has just done: at a server of the test's each act has arrived once, and of what nobody can know a person was asked.
// `KILLS=40 RUNS=15 npm run test:faults -- test/faults/effects-kill` kills more often.

const KILLS = Number(process.env["KILL_CYCLES"] ?? 2);
const RUNS = Number(process.env["RUNS"] ?? 6);
const OVER = ["completed", "stopped", "failed", "cancelled", "expired"];
const LONG_MS = 300_000;
/** The server answers within this; so long an act is under way. */
const SLOWEST_MS = 60;

/** Orders and pings as the server outside has taken them: an order cannot be told apart from its repetition. */
const orders = new Map<string, number>();
const pings = new Map<string, Set<string>>();
let holding: PromiseWithResolvers<void> | undefined;
let isDeaf = false;
let outside: Server;
let host: string;
let dataDir: string;
let node: NodeProcess;
let token: string;
let set: string;
let agent: string;

beforeAll(async () => {
  outside = createServer(async (request, response) => {
    let text = "";
    for await (const piece of request) text += piece;
    const { what } = JSON.parse(text) as { what: string };
    const isCut = what.startsWith("cut");
    const held = isCut ? holding : undefined;
    if (!isCut || !isDeaf) {
      if (request.url === "/orders") orders.set(what, (orders.get(what) ?? 0) + 1);
      else pings.set(what, (pings.get(what) ?? new Set()).add(String(request.headers["idempotency-key"])));
    }
    held?.resolve();
    if (!held) await delay(Math.random() * SLOWEST_MS).then(() => response.end("{}"));
  });
  await new Promise<void>((listening) => outside.listen(0, "127.0.0.1", listening));
  host = `127.0.0.1:${(outside.address() as AddressInfo).port}`;
  dataDir = await mkdtemp(join(tmpdir(), "signalmesh-effects-"));
  await start();
  set = (await ask("POST", "/problem-sets", { name: "Effects" })).data.id;
  for (const [name, effect] of [
    ["place_order", "once"],
    ["send_ping", "keyed"],
  ] as const)
    await ask("POST", "/admin/tools", {
      name,
      kind: "http",
      summary: "Tell the world outside",
      http: { method: "POST", url: `http://${host}/${effect === "once" ? "orders" : "pings"}`, hosts: [host] },
      parameters: { properties: { what: { type: "string" } }, required: ["what"] },
      class: "communicate-outside",
      effect,
    });
  const tools = ["place_order", "send_ping", "open_mission"];
  agent = (await ask("POST", "/agents", { problemSetId: set, name: "Scout", tools, autonomy: 2 })).data.id;
  const limits = { calls: 10_000 };
  const expiresAt = new Date(Date.now() + 86_400_000).toISOString();
  await ask("POST", `/agents/${agent}/delegations`, { problemSetId: set, tools, expiresAt, limits });
}, LONG_MS);
afterAll(async () => {
  await node?.kill();
  outside?.closeAllConnections();
  outside?.close();
  await rm(dataDir, { recursive: true, force: true });
});

async function start(): Promise<void> {
  node = await startNode({ DATA_DIR: dataDir });
  token ??= await signIn(node.url);
}
const ask = (method: string, path: string, body?: unknown): Promise<any> => askNode(node, token, method, path, body);

const act = (tool: string, given: object) => ({ id: tool, kind: "tool", agent, tool, arguments: given });
const begin = async (name: string, steps: object[]): Promise<string> =>
  (await ask("POST", "/orchestration/execute", { problemSetId: set, definition: { name, steps } })).data.executionId;
const show = async (id: string): Promise<any> => (await ask("GET", `/orchestration/executions/${id}`)).data;

/** Approves whatever waits for a person; answers how many there were. A node that is gone says nothing. */
async function approve(): Promise<number> {
  const { data } = await ask("GET", "/agents/approvals?limit=100");
  await Promise.all(
    data.map(async ({ id, hash }: any) => {
      await delay(Math.random() * 40);
      await ask("POST", `/agents/approvals/${id}/decide`, { hash, decision: "approve" }).catch(() => undefined);
    }),
  );
  return data.length;
}

const settle = (step: any, happened: boolean): Promise<any> =>
  ask("POST", `/agents/executions/${step.runId}/settle`, { stepId: step.actId, happened });

/** Brings runs to their end: approves, and says of what is unknown what the server outside says. */
async function finish(ids: readonly string[]): Promise<{ runs: any[]; unknown: number }> {
  let unknown = 0;
  const runs = await eventually(
    async () => {
      await approve();
      const all = await Promise.all(ids.map(show));
      for (const { name, log } of all)
        for (const step of log.filter((one: any) => one.status === "unknown")) {
          const happened = step.tool === "place_order" ? orders.has(name) : pings.has(name);
          // The workflow looks at it again a moment after it was settled.
          if (await settle(step, happened).catch(() => null)) unknown += 1;
        }
      return all;
    },
    (all) => all.every(({ status }) => OVER.includes(status)),
    LONG_MS,
  );
  return { runs, unknown };
}

it(
  `${KILLS} kills, each among ${RUNS} workflows at work, repeat no effect and lose none`,
  async () => {
    const tally = { kills: 0, underWay: 0, unknown: 0, acts: 0 };
    for (let kill = 0; kill < KILLS; kill++) {
      const names = Array.from({ length: RUNS }, (_, at) => `run-${kill}-${at}`);
      const steps = (what: string) => [
        act("place_order", { what }),
        act("send_ping", { what }),
        act("open_mission", { name: what }),
      ];
      const ids = await Promise.all(names.map((name) => begin(name, steps(name))));
      await eventually(
        async () => (await ask("GET", "/agents/approvals?limit=100")).data.length,
        (count) => count === Math.min(100, RUNS * 3),
        LONG_MS,
      );
      const deciding = approve().catch(() => 0);
      await delay(Math.random() * 40 * RUNS);
      await node.kill();
      await deciding;
      await start();
      // What the killed node left behind, before this one has gone on with much of it.
      const left = await Promise.all(ids.map(show));
      tally.kills += 1;
      tally.underWay += left.filter(({ status }) => !OVER.includes(status)).length;
      const { runs, unknown } = await finish(ids);
      tally.unknown += unknown;
      tally.acts += RUNS * 3;
      const missions = (await ask("GET", `/missions?problemSetId=${set}&limit=100`)).data.map(({ name }: any) => name);
      for (const [at, { status, name, reason }] of runs.entries())
        expect({
          run: [name, status, reason],
          orders: orders.get(names[at]!),
          pings: pings.get(names[at]!)?.size,
          missions: missions.filter((one: string) => one === name).length,
        }).toEqual({ run: [names[at], "completed", undefined], orders: 1, pings: 1, missions: 1 });
      if (process.env["SHOW_LOG"]) console.info(JSON.stringify(tally));
    }
  },
  KILLS * LONG_MS,
);

it.each([true, false])(
  "an act that is cut off is unknown; a person says whether it happened: %s",
  async (happened) => {
    const what = `cut-${happened}`;
    holding = Promise.withResolvers();
    isDeaf = !happened;
    const id = await begin(what, [act("place_order", { what })]);
    await eventually(approve, (count) => count > 0, LONG_MS);
    await holding.promise;
    await node.kill();
    [holding, isDeaf] = [undefined, false];
    await start();
    const { log } = await eventually(
      () => show(id),
      (run) => run.log.some(({ status }: any) => status === "unknown"),
      LONG_MS,
    );
    const before = orders.get(what) ?? 0;
    expect(before).toBe(happened ? 1 : 0);
    expect((await show(id)).waitingFor).toEqual(["settlement"]);
    await settle(log[0], happened);
    const { status } = await eventually(
      () => show(id),
      (run) => OVER.includes(run.status),
      LONG_MS,
    );
    expect([status, orders.get(what)]).toEqual(["completed", 1]);
    // It was said once: the other answer comes too late, and does nothing.
    await expect(settle(log[0], !happened)).rejects.toThrow(/ 409 /);
    await node.kill();
    await start();
    expect([(await show(id)).status, orders.get(what)]).toEqual(["completed", 1]);
  },
  LONG_MS,
);
