import type { Host } from "../../../core/contract/endpoint.ts";
import type { Assessment } from "./assessments/assessments.ts";
import { Objective } from "./objectives/objectives.ts";

export { Objective };
export type { Assessment };
/** A line through points that a few wrong ones do not turn, and whether two statements exclude each other: pure. */
export { theilSen } from "./assessments/trend.ts";
export { contradiction, takeApart, type Apart } from "./objectives/contradictions.ts";

const ask = <T>(host: Host, action: string, params: object): Promise<T> => host.ask(`strategic.${action}`, params);

/** The whole record, whoever asks: the caller is shown nothing that lies beyond their barrier. Throws 404. */
export const objectiveRecord = (host: Host, objectiveId: string): Promise<Objective> =>
  ask(host, "objectives.show", { objectiveId });

/** The approved objectives of a problem set, whoever asks; the newest, at most 1,000. */
export const approvedObjectives = (host: Host, problemSetId: string): Promise<Objective[]> =>
  ask(host, "objectives.approved", { problemSetId });

/** How far an objective was when it was assessed last; null where it never was. */
export const lastAssessment = (host: Host, objectiveId: string): Promise<Assessment | null> =>
  ask(host, "objectives.lastAssessed", { objectiveId });
