import type { Data } from "../../../api/client.ts";

export type Mission = Data<"GET /missions/{id}">;

export const MISSION_STATUSES = [
  ["active", "Under way"],
  ["draft", "Draft"],
  ["completed", "Completed"],
  ["archived", "Archived"],
] as const satisfies readonly (readonly [Mission["status"], string])[];

/** Planning goes on only while the mission does. */
export const isUnderWay = ({ status }: Pick<Mission, "status">): boolean => status === "draft" || status === "active";

export const PARTS = [
  ["operator", "Operator: does the work"],
  ["planner", "Planner"],
  ["lead", "Leader"],
  ["observer", "Observer"],
] as const;
export type MissionPart = (typeof PARTS)[number][0];
