import { asSystem } from "../../../../core/access/caller.ts";
import { endpoint } from "../../../../core/contract/endpoint.ts";
import { agentUses, MOST_USES, type Use } from "../../agents/client.ts";
import { definitionOf, Execution, OVER, STATES } from "../executions/executions.ts";
import { Supervisor } from "./supervisors.ts";

const US = asSystem("orchestration");
const UNDER_WAY = STATES.filter((state) => !OVER.includes(state));

export const useActions = {
  agentUses: endpoint({
    ...agentUses,
    async handler(ctx): Promise<Use[]> {
      const { kind, id } = ctx.params;
      if (kind === "team") return [];
      const named = kind === "agent" ? { "pins.agentId": id } : { "pins.tools.name": id };
      const bound = { limit: MOST_USES };
      const [runs, supervisors] = await Promise.all([
        this.store(Execution).find(US, { ...named, status: { $in: UNDER_WAY } }, bound),
        kind === "agent" ? this.store(Supervisor).find(US, { agents: id }, bound) : [],
      ]);
      const place = ({ problemSetId, compartments }: Execution | Supervisor) => ({ problemSetId, compartments });
      return [
        ...runs.map((run) => ({ type: "workflow", id: run.id, name: definitionOf(run).name, ...place(run) })),
        ...supervisors.map((one) => ({ type: "supervisor", id: one.id, name: one.name, ...place(one) })),
      ];
    },
  }),
};
