import { Workflow } from "./workflows.ts";

const set = "problemSetId";
export const reading = { set, may: "mdmp:read" };
export const planning = { set, may: "mdmp:plan" };
export const deciding = { set, may: "mdmp:decide" };
export const onMission = { on: Workflow, by: "missionId" } as const;
