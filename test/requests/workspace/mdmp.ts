import type { TestWorld } from "../../mesh.ts";
import type { Rows } from "../../requests.ts";
import { desk, made, stored } from "../../workspace/desk.ts";
import { mission } from "./missions.ts";

const workflow = async (at: TestWorld): Promise<string> => {
  const missionId = await mission(at);
  await made(at, "POST", "/api/mdmp/workflows", { missionId });
  return missionId;
};

export const requests: Rows["requests"] = {
  "POST /api/mdmp/workflows": async (at) => ({ path: "/api/mdmp/workflows", as: (await desk(at)).commander.token, body: { missionId: await mission(at) }, effect: stored("mdmp_workflows") }),
  "POST /api/mdmp/workflows/:missionId/gates": async (at) => ({ path: `/api/mdmp/workflows/${await workflow(at)}/gates`, as: (await desk(at)).commander.token, body: { gates: [{ phase: "mission-analysis", name: "Row" }] }, effect: stored("mdmp_gates") }),
  "POST /api/mdmp/workflows/:missionId/transitions": async (at) => ({ path: `/api/mdmp/workflows/${await workflow(at)}/transitions`, as: (await desk(at)).commander.token, body: { to: "mission-analysis" } }),
  "POST /api/mdmp/workflows/:missionId/assumptions": async (at) => ({ path: `/api/mdmp/workflows/${await workflow(at)}/assumptions`, as: (await desk(at)).commander.token, body: { statement: "Row" }, effect: stored("mdmp_assumptions") }),
  "POST /api/mdmp/safety/validate": async () => ({ path: "/api/mdmp/safety/validate", body: { action: "observe", authority: "planner", autonomy: 1 } }),
};
