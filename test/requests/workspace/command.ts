import type { TestWorld } from "../../mesh.ts";
import type { Rows } from "../../requests.ts";
import { desk, made, stored } from "../../workspace/desk.ts";
import { mission } from "./missions.ts";

export const unit = async (at: TestWorld): Promise<string> => (await made(at, "POST", "/api/command/units", { problemSetId: (await desk(at)).id, name: "Row" })).id;

export const requests: Rows["requests"] = {
  "POST /api/command/units": async (at) => { const { commander, id } = await desk(at); return { path: "/api/command/units", as: commander.token, body: { name: "Row", problemSetId: id }, effect: stored("command_units") }; },
  "POST /api/command/relationships": async (at) => {
    const { commander, id } = await desk(at);
    return { path: "/api/command/relationships", as: commander.token, body: { note: "Row", problemSetId: id, superiorId: await unit(at), subordinateId: await unit(at), kind: "organic" }, effect: stored("command_relationships") };
  },
  "POST /api/command/validate-hierarchy/:missionId": async (at) => ({ path: `/api/command/validate-hierarchy/${await mission(at)}`, as: (await desk(at)).commander.token }),
};
