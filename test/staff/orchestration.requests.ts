import { eventually, oncePerWorld, stored, type TestWorld } from "../mesh.ts";
import type { Place, Planted, Rows } from "../requests.ts";
import { desk, made } from "../workspace/desk.ts";
import type { Person } from "../workspace/people.ts";
import { inDays } from "./setup.ts";

const TOOLS = ["list_missions"];

/** An agent that somebody has delegated reading to. */
async function reader(at: TestWorld, problemSetId: string, grants: string[] = [], by?: Person): Promise<string> {
  const { id } = await made(
    at,
    "POST",
    "/api/agents",
    { problemSetId, compartments: grants, name: "Row", tools: TOOLS },
    by,
  );
  const given = { problemSetId, tools: TOOLS, grants, expiresAt: inDays(at, 30) };
  await made(at, "POST", `/api/agents/${id}/delegations`, given, by);
  return id;
}
const ready = oncePerWorld(async (at: TestWorld) => {
  const { commander, id } = await desk(at);
  return { problemSetId: id, token: commander.token, agent: await reader(at, id) };
});

const asking = (question: string, given: object = {}) => ({
  name: question.slice(0, 100),
  description: question,
  steps: [{ id: "ask", kind: "checkpoint", question, arguments: given }],
});

/** Sets a workflow going that waits at a checkpoint; answers both. */
async function waiting(
  at: TestWorld,
  problemSetId: string,
  definition: object,
  { compartments = [], by }: { compartments?: string[]; by?: Person } = {},
): Promise<{ executionId: string; checkpoint: any }> {
  const body = { problemSetId, compartments, definition };
  const { executionId } = await made(at, "POST", "/api/orchestration/execute", body, by);
  const all = await eventually(
    () => made(at, "GET", `/api/orchestration/checkpoints?problemSetId=${problemSetId}&limit=100`, undefined, by),
    (rows) => rows.some((one: any) => one.executionId === executionId),
    30_000,
  );
  return { executionId, checkpoint: all.find((one: any) => one.executionId === executionId) };
}

const decided =
  (verb: string, more: object = {}) =>
  async (at: TestWorld) => {
    const { problemSetId, token } = await ready(at);
    const { checkpoint } = await waiting(at, problemSetId, asking("Row"));
    const path = `/api/orchestration/checkpoints/${checkpoint.id}/${verb}`;
    return { path, as: token, body: { hash: checkpoint.hash, ...more } };
  };

export const requests: Rows["requests"] = {
  "POST /api/orchestration/execute": async (at) => {
    const { problemSetId, token, agent } = await ready(at);
    const steps = [{ id: "look", kind: "tool", agent, tool: "list_missions", arguments: {} }];
    return {
      path: "/api/orchestration/execute",
      as: token,
      body: { definition: { name: "Row", steps }, problemSetId },
      effect: stored("orchestration_executions"),
    };
  },
  "POST /api/orchestration/executions/:executionId/cancel": async (at) => {
    const { problemSetId, token } = await ready(at);
    const { executionId } = await waiting(at, problemSetId, asking("Row"));
    return { path: `/api/orchestration/executions/${executionId}/cancel`, as: token, body: { reason: "Row" } };
  },
  "POST /api/orchestration/supervisors": async (at) => {
    const { problemSetId, token, agent } = await ready(at);
    return {
      path: "/api/orchestration/supervisors",
      as: token,
      body: { name: "Row", problemSetId, agents: [agent] },
      effect: stored("orchestration_supervisors"),
    };
  },
  "POST /api/orchestration/supervisors/:supervisorId/execute": async (at) => {
    const { problemSetId, token, agent } = await ready(at);
    const { id } = await made(at, "POST", "/api/orchestration/supervisors", {
      problemSetId,
      name: "Row",
      agents: [agent],
    });
    return {
      path: `/api/orchestration/supervisors/${id}/execute`,
      as: token,
      body: { task: "List each mission" },
      effect: stored("orchestration_executions"),
    };
  },
  "POST /api/orchestration/checkpoints/:checkpointId/approve": decided("approve"),
  "POST /api/orchestration/checkpoints/:checkpointId/reject": decided("reject", { reason: "Row" }),
};

export async function plant(at: TestWorld, { problemSetId, compartments, by, text }: Place): Promise<Planted> {
  const agent = await reader(at, problemSetId, compartments, by);
  const saved = await made(
    at,
    "POST",
    "/api/orchestration/supervisors",
    { problemSetId, compartments, name: text.slice(0, 100), description: text, agents: [agent] },
    by,
  );
  const { executionId, checkpoint } = await waiting(at, problemSetId, asking(text, { text }), { compartments, by });
  return {
    "/api/orchestration/supervisors/:supervisorId": saved.id,
    "/api/orchestration/executions/:executionId": executionId,
    "/api/orchestration/checkpoints/:checkpointId": checkpoint.id,
  };
}
