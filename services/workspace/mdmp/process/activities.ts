import catalogue from "../../../../data/mdmp/activities.json" with { type: "json" };
import type { Phase } from "./phases.ts";

export const ACTIVITY_CATEGORIES = [
  "command",
  "intelligence",
  "operations",
  "sustainment",
  "protection",
  "communication",
  "risk",
  "assessment",
] as const;
export type ActivityCategory = (typeof ACTIVITY_CATEGORIES)[number];

export interface PlanningActivity {
  id: string;
  phase: Phase;
  category: ActivityCategory;
  title: string;
  inputs: string[];
  steps: string[];
  outputs: string[];
}

/** What a staff does in each phase: what it needs, the steps, what comes of it. In the order they are usually begun. */
export const ACTIVITIES = catalogue as readonly PlanningActivity[];

const byId = new Map(ACTIVITIES.map((one) => [one.id, one]));
export const activityOf = (id: string): PlanningActivity | undefined => byId.get(id);
export const activitiesIn = (phase: Phase): readonly PlanningActivity[] =>
  ACTIVITIES.filter((one) => one.phase === phase);
