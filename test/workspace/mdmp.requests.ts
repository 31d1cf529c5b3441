import { stored, type TestWorld } from "../mesh.ts";
import type { Place, Planted, Rows } from "../requests.ts";
import { desk, made } from "./desk.ts";
import { mission } from "./missions.requests.ts";

const workflow = async (at: TestWorld): Promise<string> => {
  const missionId = await mission(at);
  await made(at, "POST", "/api/mdmp/workflows", { missionId });
  return missionId;
};

export const requests: Rows["requests"] = {
  "POST /api/mdmp/workflows": async (at) => ({
    path: "/api/mdmp/workflows",
    as: (await desk(at)).commander.token,
    body: { missionId: await mission(at) },
    effect: stored("mdmp_workflows"),
  }),
  "POST /api/mdmp/workflows/:missionId/gates": async (at) => ({
    path: `/api/mdmp/workflows/${await workflow(at)}/gates`,
    as: (await desk(at)).commander.token,
    body: { gates: [{ phase: "mission-analysis", name: "Row" }] },
    effect: stored("mdmp_gates"),
  }),
  "POST /api/mdmp/workflows/:missionId/transitions": async (at) => ({
    path: `/api/mdmp/workflows/${await workflow(at)}/transitions`,
    as: (await desk(at)).commander.token,
    body: { to: "mission-analysis" },
  }),
  "POST /api/mdmp/workflows/:missionId/assumptions": async (at) => ({
    path: `/api/mdmp/workflows/${await workflow(at)}/assumptions`,
    as: (await desk(at)).commander.token,
    body: { statement: "Row" },
    effect: stored("mdmp_assumptions"),
  }),
  "POST /api/mdmp/workflows/:missionId/assumptions/:id/withdraw": async (at) => {
    const missionId = await workflow(at);
    const { id } = await made(at, "POST", `/api/mdmp/workflows/${missionId}/assumptions`, { statement: "Row" });
    return {
      path: `/api/mdmp/workflows/${missionId}/assumptions/${id}/withdraw`,
      as: (await desk(at)).commander.token,
      body: { reason: "It proved wrong" },
    };
  },
  "POST /api/mdmp/safety/validate": async () => ({
    path: "/api/mdmp/safety/validate",
    body: { action: "observe", authority: "planner", autonomy: 1 },
  }),
};

export async function plant(at: TestWorld, { problemSetId, compartments, by, text }: Place): Promise<Planted> {
  const { id: missionId } = await made(at, "POST", "/api/missions", { problemSetId, compartments, name: text }, by);
  await made(at, "POST", "/api/mdmp/workflows", { missionId }, by);
  const [gate] = await made(
    at,
    "POST",
    `/api/mdmp/workflows/${missionId}/gates`,
    { gates: [{ phase: "receipt-of-mission", name: text, criteria: text, required: false }] },
    by,
  );
  const assumption = await made(
    at,
    "POST",
    `/api/mdmp/workflows/${missionId}/assumptions`,
    { statement: text, rationale: text },
    by,
  );
  await made(at, "PUT", `/api/mdmp/workflows/${missionId}/activities/alert-the-staff`, { note: text }, by);
  await made(at, "POST", `/api/mdmp/workflows/${missionId}/transitions`, { to: "mission-analysis", note: text }, by);
  return {
    "/api/mdmp/workflows/:missionId": missionId,
    "/api/mdmp/workflows/:missionId/gates/:gateId": gate.id,
    "/api/mdmp/workflows/:missionId/assumptions/:id": assumption.id,
  };
}
