import type { Caller } from "../../../../core/access/caller.ts";
import type { Query } from "../../../../core/records/documents.ts";
import type { Host } from "../../../../core/contract/endpoint.ts";
import { activitiesIn } from "./activities.ts";
import { durations, staysIn, type Durations, type Phase } from "./phases.ts";
import { PhaseGate, Workflow } from "../workflows.ts";

export interface WorkflowFigures {
  workflows: number;
  present: number;
  stays: Durations;
  gates: { satisfied: number; total: number };
  activities: { done: number; total: number };
}

/**
 * Figures of a phase over the workflows that the caller may see: slice by slice, so that however many there are, few
 * are in memory.
 */
export async function phaseFigures(host: Host, caller: Caller, phase: Phase, query: Query): Promise<WorkflowFigures> {
  const ids = new Set(activitiesIn(phase).map(({ id }) => id));
  const stays: number[] = [];
  const gates = { satisfied: 0, total: 0 };
  let workflows = 0,
    present = 0,
    done = 0;
  for await (const slice of host
    .store(Workflow)
    .slices(caller, { ...query, history: { $elemMatch: { phase } } }, { fields: ["phase", "history", "done"] })) {
    workflows += slice.length;
    for (const one of slice) {
      if (one.phase === phase) present++;
      stays.push(...staysIn(phase, one.history));
      done += one.done.filter(({ activityId }) => ids.has(activityId)).length;
    }
    const laid = { phase, missionId: { $in: slice.map(({ id }) => id) } };
    const [total, satisfied] = await Promise.all([
      host.store(PhaseGate).count(caller, laid),
      host.store(PhaseGate).count(caller, { ...laid, satisfied: true }),
    ]);
    gates.total += total;
    gates.satisfied += satisfied;
  }
  return { workflows, present, stays: durations(stays), gates, activities: { done, total: ids.size * workflows } };
}
