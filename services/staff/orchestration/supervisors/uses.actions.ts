import { asSystem } from "../../../../core/access/caller.ts";
import { endpoint, type Host } from "../../../../core/contract/endpoint.ts";
import { agentUses, MOST_USES, type RecordUse } from "../../agents/client.ts";
import { definitionOf, Execution, OVER, EXECUTION_STATES } from "../executions/executions.ts";
import { Supervisor } from "./supervisors.ts";

const MESH = asSystem("orchestration");
const UNDER_WAY = EXECUTION_STATES.filter((state) => !OVER.includes(state));

const place = ({ problemSetId, compartments }: Execution | Supervisor) => ({ problemSetId, compartments });
const ofRun = (run: Execution): RecordUse => ({
  type: "workflow",
  id: run.id,
  name: definitionOf(run).name,
  ...place(run),
});
const ofSupervisor = (one: Supervisor): RecordUse => ({
  type: "supervisor",
  id: one.id,
  name: one.name,
  ...place(one),
});

/** Supervisors that use a team, and their runs under way. */
async function usesOfTeam(host: Host, teamId: string): Promise<RecordUse[]> {
  const bound = { limit: MOST_USES };
  const supervisors = await host.store(Supervisor).find(MESH, { teamId }, bound);
  const theirs = { supervisorId: { $in: supervisors.map(({ id }) => id) }, status: { $in: UNDER_WAY } };
  const runs = supervisors.length ? await host.store(Execution).find(MESH, theirs, bound) : [];
  return [...runs.map(ofRun), ...supervisors.map(ofSupervisor)];
}

export const useActions = {
  agentUses: endpoint({
    ...agentUses,
    async handler(ctx): Promise<RecordUse[]> {
      const { kind, id } = ctx.params;
      if (kind === "team") return usesOfTeam(this, id);
      const named = kind === "agent" ? { "pins.agentId": id } : { "pins.tools.name": id };
      const bound = { limit: MOST_USES };
      const [runs, supervisors] = await Promise.all([
        this.store(Execution).find(MESH, { ...named, status: { $in: UNDER_WAY } }, bound),
        kind === "agent" ? this.store(Supervisor).find(MESH, { agents: id }, bound) : [],
      ]);
      return [...runs.map(ofRun), ...supervisors.map(ofSupervisor)];
    },
  }),
};
