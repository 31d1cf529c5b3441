import type { Data } from "../../../api/client.ts";

export type WorkflowShown = Data<"GET /mdmp/workflows/{missionId}">;
export type PlanningStage = WorkflowShown["phase"];
export type PlanningPhase = Exclude<PlanningStage, "complete">;

/** The steps of planning, in order, in the words of the manual. */
export const PHASE_TITLES: Readonly<Record<PlanningStage, string>> = {
  "receipt-of-mission": "Receipt of mission",
  "mission-analysis": "Mission analysis",
  "coa-development": "Course of action development",
  "coa-analysis": "Course of action analysis",
  "coa-comparison": "Course of action comparison",
  "coa-approval": "Course of action approval",
  "orders-production": "Orders production",
  complete: "Complete",
};
export const STAGES = Object.keys(PHASE_TITLES) as PlanningStage[];
export const PHASES = STAGES.slice(0, -1) as PlanningPhase[];
/** Where a stage stands, from 0. */
export const placeOf = (stage: PlanningStage): number => STAGES.indexOf(stage);
/** The step after this one; undefined at the end. */
export const stageAfter = (stage: PlanningStage): PlanningStage | undefined => STAGES[placeOf(stage) + 1];
