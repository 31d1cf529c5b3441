import type { Host } from "../../../core/contract/endpoint.ts";
import type { Assessment } from "./assessments/assessments.ts";
import { Objective } from "./objectives/objectives.ts";

export { Objective };
export type { Assessment };
/** A line through points that outliers do not distort, and contradictions between statements: both pure. */
export { theilSen } from "./assessments/trend.ts";
export { contradiction, takeApart, type Apart } from "./objectives/contradictions.ts";

const ask = <T>(host: Host, action: string, params: object): Promise<T> => host.ask(`strategic.${action}`, params);

/** The whole record, without access checks: show the caller nothing that lies beyond their barrier. Throws 404. */
export const objectiveRecord = (host: Host, objectiveId: string): Promise<Objective> =>
  ask(host, "objectives.show", { objectiveId });

/** The approved objectives of a problem set, without access checks; the newest, at most 1,000. */
export const approvedObjectives = (host: Host, problemSetId: string): Promise<Objective[]> =>
  ask(host, "objectives.approved", { problemSetId });

/** The latest assessment of an objective; null without one. */
export const lastAssessment = (host: Host, objectiveId: string): Promise<Assessment | null> =>
  ask(host, "objectives.lastAssessed", { objectiveId });
