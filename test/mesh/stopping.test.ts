import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { MongoClient } from "mongodb";
import { eventually } from "../mesh.ts";
import { itOnStage, Nodes, startStage, type MeshNode, type Stage } from "../nodes.ts";

// Three whole processes on which agents act, while one of them is told to stop them: no act begins after its answer,
// and what is under way is cut off. What began is in the store; what is under way is open at a server of the test's.

const AREAS = "gateway,identity,workspace,staff,platform";
const WORKFLOWS = 6;
const ITEMS = 60;
const SLOW_MS = 3_000;
/** One question of the stores each 0.4 s, and the machine may be busy. */
const CUT_MS = 10_000;
let stage: Stage | undefined;
let nodes: Nodes;
let all: MeshNode[];
let outside: Server;
let host: string;
let client: MongoClient;
let came = 0;
const open = new Set<object>();

beforeAll(async () => {
  stage = await startStage();
  outside = createServer((_request, response) => {
    came += 1;
    open.add(response);
    const timer = setTimeout(() => response.end("{}"), came % 3 ? 50 : SLOW_MS);
    response.on("close", () => {
      clearTimeout(timer);
      open.delete(response);
    });
  });
  await new Promise<void>((listening) => outside.listen(0, "127.0.0.1", listening));
  host = `127.0.0.1:${(outside.address() as AddressInfo).port}`;
  nodes = new Nodes(stage);
  all = await Promise.all(["one", "two", "three"].map((name) => nodes.start(AREAS, { NODE_ID: `gateway-${name}` })));
  client = await new MongoClient(nodes.mongoUrl).connect();
  for (const at of all)
    await eventually(
      () => nodes.http("GET", "/api/admin/config/nodes", { at }),
      ({ body }) => body.data?.nodes.length === 3,
      60_000,
    );
  const look = { method: "GET", url: `http://${host}/`, hosts: [host] };
  const said = { name: "look_outside", kind: "http", summary: "Look outside", http: look, parameters: {} };
  await sure(0, "POST", "/admin/tools", { ...said, class: "observe", effect: "read" });
}, 240_000);
afterAll(async () => {
  await nodes?.stop();
  await client?.close();
  outside?.closeAllConnections();
  outside?.close();
  await stage?.redis.stop();
}, 60_000);

/** Asks the node of this number, and demands that it goes well. */
async function sure(at: number, method: string, path: string, body?: object): Promise<any> {
  const reply = await nodes.http(method, `/api${path}`, { at: all[at % 3]!, ...(body && { body }) });
  if (reply.status >= 300) throw new Error(`${method} ${path}: ${reply.status} ${JSON.stringify(reply.body)}`);
  return reply.body.data;
}

/** The acts of a problem set, as they are stored. */
const actsIn = (problemSetId: string): Promise<any[]> =>
  client.db().collection("agents_steps").find({ problemSetId }).toArray();

interface Work {
  set: string;
  agent: string;
  delegation: string;
  runs: readonly string[];
}
const order = (action: string) => (set: string) =>
  sure(2, "POST", `/assistant/${set}/emergency`, { action, reason: "A drill" });

/** Each is told to another node than the one that was asked to set the runs going. */
const STOPS: Record<string, (work: Work) => Promise<unknown>> = {
  "each run is cancelled": ({ runs }) =>
    Promise.all(runs.map((id, at) => sure(at + 1, "POST", `/orchestration/executions/${id}/cancel`, {}))),
  "the delegation is revoked": ({ delegation }) => sure(1, "DELETE", `/agents/delegations/${delegation}`),
  "the agent is switched off": ({ agent }) => sure(2, "PUT", `/agents/${agent}/deactivate`, {}),
  "the problem set is frozen": ({ set }) => order("freeze-set")(set),
  "all agents are frozen": ({ set }) => order("freeze-agents")(set),
};

for (const [how, stop] of Object.entries(STOPS))
  itOnStage(
    `no act begins on any of three processes after the answer that ${how}, and what is under way is cut off`,
    async () => {
      const { id: set } = await sure(0, "POST", "/problem-sets", { name: how });
      const { id: agent } = await sure(0, "POST", "/agents", {
        ...{ problemSetId: set, name: "Scout", tools: ["look_outside"], autonomy: 2 },
      });
      const { id: delegation } = await sure(0, "POST", `/agents/${agent}/delegations`, {
        ...{ problemSetId: set, tools: ["look_outside"], classes: [], limits: { calls: 10_000 } },
        expiresAt: new Date(Date.now() + 86_400_000).toISOString(),
      });
      const look = { id: "look", kind: "tool", agent, tool: "look_outside", arguments: {}, retry: { attempts: 1 } };
      const over = Array.from({ length: ITEMS }, (_, at) => at);
      const definition = {
        ...{ name: how, limits: { calls: 1_000 } },
        steps: [{ id: "each", kind: "map", over, steps: [look] }],
      };
      const from = came;
      const begun = await Promise.all(
        Array.from({ length: WORKFLOWS }, (_, at) =>
          sure(at, "POST", "/orchestration/execute", { problemSetId: set, definition }),
        ),
      );
      const runs = begun.map(({ executionId }) => executionId as string);
      await eventually(
        () => came - from,
        (count) => count > WORKFLOWS * 4,
        60_000,
      );
      const shown = ({ status, code, reason }: any) => ({ status, code, reason });
      const atWork = await Promise.all(runs.map((id, at) => sure(at, "GET", `/orchestration/executions/${id}`)));
      expect(atWork.filter(({ status }) => status !== "running").map(shown)).toEqual([]);
      const asked = Date.now();
      await stop({ set, agent, delegation, runs });
      const answered = Date.now();
      const underWay = open.size;
      await eventually(
        () => open.size,
        (count) => count === 0,
        CUT_MS,
      );
      const cutAfter = Date.now() - answered;
      const ended = await eventually(
        () => Promise.all(runs.map((id, at) => sure(at, "GET", `/orchestration/executions/${id}`))),
        (states) => states.every(({ status }) => ["stopped", "cancelled", "failed"].includes(status)),
        60_000,
      );
      const acts = (await actsIn(set)).filter(({ status }) => status !== "refused");
      const late = acts.filter(({ createdAt }) => Date.parse(createdAt) > answered);
      if (process.env["SHOW_LOG"])
        console.info(
          JSON.stringify({
            ...{ how, tookMs: answered - asked, came: came - from, underWay, cutAfter, acts: acts.length },
            late: late.map(({ createdAt }) => Date.parse(createdAt) - answered),
          }),
        );
      expect(acts.length).toBeGreaterThan(WORKFLOWS * 4);
      expect(late).toEqual([]);
      // Nothing comes that had not begun by then: each request is one of the acts.
      expect(came - from).toBeLessThanOrEqual(acts.length);
      const usual = how.includes("cancelled") ? "cancelled" : "stopped";
      const others = ended.filter(({ status }) => status !== usual);
      expect(others.map(shown)).toEqual([]);
    },
    240_000,
  );
