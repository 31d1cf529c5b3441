import { mkdtemp, rm } from "node:fs/promises";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { systemActor } from "../../core/access/access.ts";
import { AgentStep } from "../../services/staff/agents/executions/executions.ts";
import { MESH } from "../../services/staff/agents/executions/records.ts";
import { eventually, world, type TestWorld } from "../mesh.ts";
import { itUnless, redisIsInstalled, startRedis, type TestRedis } from "../redis.ts";
import { delegate, done, enrol } from "../staff/setup.ts";
import { openSet, person, type Person } from "../workspace/people.ts";

// Three nodes over Redis, on one store. Agents act on all of them while one is told to stop them: what arrives at a
// server of the test's had begun before the answer, and what is under way is cut off.

const lacking = redisIsInstalled ? undefined : "redis-server is not installed";
const WORKFLOWS = 6;
const ITEMS = 60;
const SLOW_MS = 3_000;
/** One question of the stores each 0.4 s, and the machine may be busy. */
const CUT_MS = 10_000;
let redis: TestRedis | undefined;
let dataDir: string;
let outside: Server;
let host: string;
let ann: Person;
/** Requests to the server outside, by when they came; those that it has not answered yet. */
const came: number[] = [];
const open = new Set<object>();
const nodes: TestWorld[] = [];

beforeAll(async () => {
  redis = await startRedis();
  if (!redis) return;
  outside = createServer((_request, response) => {
    came.push(Date.now());
    open.add(response);
    const timer = setTimeout(() => response.end("{}"), came.length % 3 ? 50 : SLOW_MS);
    response.on("close", () => {
      clearTimeout(timer);
      open.delete(response);
    });
  });
  await new Promise<void>((listening) => outside.listen(0, "127.0.0.1", listening));
  host = `127.0.0.1:${(outside.address() as AddressInfo).port}`;
  dataDir = await mkdtemp(join(tmpdir(), "signalmesh-agents-nodes-"));
  const settings = { DATA_DIR: dataDir, TRANSPORTER: redis.url, NAMESPACE: `agents${process.pid}` };
  for (const NODE_ID of ["one", "two", "three"]) nodes.push(await world({ ...settings, NODE_ID }));
  const gateways = (): number =>
    (
      nodes[0]!.mesh.broker.registry.getServiceList({ onlyAvailable: true } as never) as unknown as { name: string }[]
    ).filter(({ name }) => name === "gateway").length;
  await eventually(gateways, (count) => count === 3, 60_000);
  const made = await nodes[0]!.http("POST", "/api/admin/tools", {
    body: {
      name: "look_outside",
      kind: "http",
      summary: "Look outside",
      http: { method: "GET", url: `http://${host}/`, hosts: [host] },
      parameters: {},
      class: "observe",
      effect: "read",
    },
  });
  if (made.status >= 300) throw new Error(made.text);
  ann = await person(nodes[0]!, "ann");
}, 240_000);
afterAll(async () => {
  for (const node of nodes.reverse()) await node.stop({ keep: true });
  outside?.closeAllConnections();
  outside?.close();
  await redis?.stop();
  if (dataDir) await rm(dataDir, { recursive: true, force: true });
}, 120_000);

/** Each is told to another node than the one that was asked to set the runs going. */
const STOPS = {
  cancelled: (_set: string, _delegation: string, ids: readonly string[]) =>
    Promise.all(
      ids.map((id, at) => done(nodes[at % 3]!, ann, "POST", `/api/orchestration/executions/${id}/cancel`, {})),
    ),
  revoked: (_set: string, delegation: string) =>
    done(nodes[1]!, ann, "DELETE", `/api/agents/delegations/${delegation}`),
  frozen: (set: string) =>
    nodes[2]!.call(
      "agents.freeze",
      { scope: set, frozen: true, reason: "A drill", by: ann.userId },
      systemActor("test"),
    ),
};

for (const [how, stop] of Object.entries(STOPS))
  itUnless(
    lacking,
    `no act begins on any node after the answer that agents are ${how}, and what is under way is cut off`,
    async () => {
      const one = nodes[0]!;
      const set = await openSet(one, ann, { name: how });
      const agent = await enrol(one, ann, set, { tools: ["look_outside"], autonomy: 2 });
      const given = await delegate(one, ann, agent.id, set, {
        tools: ["look_outside"],
        classes: [],
        limits: { calls: 10_000 },
      });
      const look = {
        id: "look",
        kind: "tool",
        agent: agent.id,
        tool: "look_outside",
        arguments: {},
        retry: { attempts: 1 },
      };
      const definition = {
        name: how,
        limits: { calls: 1_000 },
        steps: [{ id: "each", kind: "map", over: Array.from({ length: ITEMS }, (_, at) => at), steps: [look] }],
      };
      const from = came.length;
      const begun = await Promise.all(
        Array.from({ length: WORKFLOWS }, (_, at) =>
          done(nodes[at % 3]!, ann, "POST", "/api/orchestration/execute", { problemSetId: set, definition }),
        ),
      );
      const ids = begun.map(({ executionId }) => executionId as string);
      await eventually(
        () => came.length - from,
        (count) => count > WORKFLOWS * 4,
        60_000,
      );
      await stop(set, given.id, ids);
      const answered = Date.now();
      const underWay = open.size;
      await eventually(
        () => open.size,
        (count) => count === 0,
        CUT_MS,
      );
      const cutAfter = Date.now() - answered;
      const runs = await eventually(
        () => Promise.all(ids.map((id) => done(one, ann, "GET", `/api/orchestration/executions/${id}`))),
        (all) => all.every(({ status }: any) => ["stopped", "cancelled"].includes(status)),
        60_000,
      );
      expect(new Set(runs.map(({ status }) => status))).toEqual(
        new Set([how === "cancelled" ? "cancelled" : "stopped"]),
      );
      const acts = await one.service("agents").store(AgentStep).find(MESH, { problemSetId: set });
      const late = acts.filter(
        ({ createdAt, status }: any) => status !== "refused" && Date.parse(createdAt) > answered,
      );
      if (process.env["SHOW_LOG"])
        console.info(
          JSON.stringify({
            how,
            came: came.length - from,
            afterAnswer: came.filter((at) => at > answered).length,
            lastAfterMs: Math.max(0, (came.at(-1) ?? 0) - answered),
            underWay,
            cutAfter,
            acts: acts.length,
            late: late.map(({ createdAt, status }: any) => [Date.parse(createdAt) - answered, status]),
          }),
        );
      expect(late).toEqual([]);
      // Nothing comes that had not begun by then: each request is one of the acts.
      expect(came.length - from).toBeLessThanOrEqual(acts.filter(({ status }: any) => status !== "refused").length);
    },
    240_000,
  );
