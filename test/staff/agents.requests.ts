import { eventually, stored, type TestWorld } from "../mesh.ts";
import type { Place, Planted, Rows } from "../requests.ts";
import { desk, made } from "../workspace/desk.ts";
import type { Person } from "../workspace/people.ts";
import { inDays } from "./setup.ts";

const TOOLS = ["list_missions", "open_mission"];

const agent = async (at: TestWorld, problemSetId: string, fields: object = {}, by?: Person): Promise<string> =>
  (await made(at, "POST", "/api/agents", { problemSetId, name: "Row", tools: TOOLS, ...fields }, by)).id;
const delegation = async (at: TestWorld, id: string, fields: object, by?: Person): Promise<string> =>
  (await made(at, "POST", `/api/agents/${id}/delegations`, { tools: TOOLS, expiresAt: inDays(at, 30), ...fields }, by))
    .id;

/** An agent of the desk's, and its commander's delegation to it. */
async function ready(at: TestWorld): Promise<{ problemSetId: string; id: string; token: string }> {
  const { commander, id: problemSetId } = await desk(at);
  const id = await agent(at, problemSetId);
  await delegation(at, id, { problemSetId });
  return { problemSetId, id, token: commander.token };
}

/** Has an agent ask for the opening of a mission; answers the run, which waits, and the approval. */
async function asking(
  at: TestWorld,
  id: string,
  problemSetId: string,
  { name, by, ...fields }: { name: string; by?: Person; compartments?: string[] },
): Promise<{ executionId: string; approval: any }> {
  const body = { task: `Create a mission ${name}`, input: { name, ...fields }, tools: ["open_mission"], problemSetId };
  const { executionId } = await made(at, "POST", `/api/agents/${id}/execute`, { ...body, ...fields }, by);
  const run = await eventually(
    () => made(at, "GET", `/api/agents/executions/${executionId}`, undefined, by),
    ({ status }) => status === "waiting",
  );
  const approvals = await made(at, "GET", "/api/agents/approvals?limit=100", undefined, by);
  return { executionId, approval: approvals.find(({ id: one }: any) => one === run.waitingFor.id) };
}

export const requests: Rows["requests"] = {
  "POST /api/agents": async (at) => {
    const { commander, id } = await desk(at);
    return {
      path: "/api/agents",
      as: commander.token,
      body: { name: "Row", problemSetId: id, tools: TOOLS },
      effect: stored("agents"),
    };
  },
  "POST /api/agents/:agentId/delegations": async (at) => {
    const { commander, id: problemSetId } = await desk(at);
    return {
      path: `/api/agents/${await agent(at, problemSetId)}/delegations`,
      as: commander.token,
      body: { problemSetId, classes: ["observe"], expiresAt: inDays(at, 7) },
      effect: stored("agents_delegations"),
    };
  },
  "POST /api/agents/:agentId/execute": async (at) => {
    const { id, problemSetId, token } = await ready(at);
    return {
      path: `/api/agents/${id}/execute`,
      as: token,
      body: { task: "List each mission", problemSetId },
      effect: stored("agents_executions"),
    };
  },
  "POST /api/agents/:agentId/analyze-all": async (at) => {
    const { id, problemSetId, token } = await ready(at);
    return {
      path: `/api/agents/${id}/analyze-all`,
      as: token,
      body: { problemSetId },
      effect: stored("agents_executions"),
    };
  },
  "POST /api/agents/executions/:executionId/cancel": async (at) => {
    const { id, problemSetId } = await ready(at);
    const { executionId } = await asking(at, id, problemSetId, { name: "Row" });
    return {
      path: `/api/agents/executions/${executionId}/cancel`,
      as: (await desk(at)).commander.token,
      body: { reason: "It is not needed" },
    };
  },
  "POST /api/agents/approvals/:approvalId/decide": async (at) => {
    const { id, problemSetId, token } = await ready(at);
    const { approval } = await asking(at, id, problemSetId, { name: "Row" });
    return {
      path: `/api/agents/approvals/${approval.id}/decide`,
      as: token,
      body: { reason: "Row", hash: approval.hash, decision: "reject" },
    };
  },
};

export const notRepeated: Rows["notRepeated"] = {
  "POST /api/agents/executions/:executionId/settle":
    "Its step is one that a kill cut off: test/faults/agents-kill has such a one.",
};

export async function plant(at: TestWorld, { problemSetId, compartments, by, text }: Place): Promise<Planted> {
  const said = { name: text.slice(0, 100), description: text, character: text };
  const id = await agent(at, problemSetId, { ...said, compartments }, by);
  const given = await delegation(at, id, { problemSetId, grants: compartments }, by);
  const { executionId, approval } = await asking(at, id, problemSetId, { name: text, by, compartments });
  return {
    "/api/agents/:agentId": id,
    "/api/agents/delegations/:delegationId": given,
    "/api/agents/executions/:executionId": executionId,
    "/api/agents/approvals/:approvalId": approval.id,
  };
}
