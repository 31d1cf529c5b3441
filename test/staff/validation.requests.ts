import { eventually, stored, type TestWorld } from "../mesh.ts";
import type { Place, Planted, Rows } from "../requests.ts";
import { desk, made } from "../workspace/desk.ts";
import { inDays } from "./setup.ts";

const CASES = [{ id: "row", task: "List each mission", assertions: [{ kind: "steps", most: 9 }] }];

async function agentOf(at: TestWorld, problemSetId: string, fields: object = {}, by?: any): Promise<string> {
  const { id } = await made(
    at,
    "POST",
    "/api/agents",
    { problemSetId, name: "Row", tools: ["list_missions"], ...fields },
    by,
  );
  const { compartments: grants = [] } = fields as { compartments?: string[] };
  const given = { problemSetId, tools: ["list_missions"], expiresAt: inDays(at, 30), grants };
  await made(at, "POST", `/api/agents/${id}/delegations`, given, by);
  return id;
}

export const requests: Rows["requests"] = {
  "POST /api/validation/suites": async (at) => {
    const { commander, id } = await desk(at);
    return {
      path: "/api/validation/suites",
      as: commander.token,
      body: { name: "Row", problemSetId: id, cases: CASES },
      effect: stored("validation_suites"),
    };
  },
  "POST /api/validation/runs": async (at) => {
    const { commander, id } = await desk(at);
    return {
      path: "/api/validation/runs",
      as: commander.token,
      body: { agentId: await agentOf(at, id), cases: CASES },
      effect: stored("validation_runs"),
    };
  },
};

export const notRepeated: Rows["notRepeated"] = {
  "POST /api/validation/agents/:agentId/reinstate":
    "Its agent is one that a threshold stopped: test/staff/validation has such a one.",
};

export async function plant(at: TestWorld, { problemSetId, compartments, by, text }: Place): Promise<Planted> {
  const suite = { problemSetId, compartments, name: text.slice(0, 100), description: text };
  const cases = [{ ...CASES[0], task: text, input: { text } }];
  const { id: suiteId } = await made(at, "POST", "/api/validation/suites", { ...suite, cases }, by);
  const agentId = await agentOf(at, problemSetId, { name: text.slice(0, 100), compartments }, by);
  const { runId } = await made(at, "POST", "/api/validation/runs", { agentId, suiteId }, by);
  await eventually(
    () => made(at, "GET", `/api/validation/runs/${runId}`, undefined, by),
    ({ status }) => status === "completed" || status === "inconclusive",
  );
  const bound = { agentId, metric: "score", min: 0 };
  const { id: thresholdId } = await made(at, "PUT", "/api/validation/thresholds", bound, by);
  return {
    "/api/validation/suites/:suiteId": suiteId,
    "/api/validation/thresholds/:id": thresholdId,
    "/api/validation/runs/:runId": runId,
    "/api/validation/agents/:agentId": agentId,
  };
}
