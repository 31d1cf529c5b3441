import { z } from "zod";
import { list } from "../../../../core/contract/answer.ts";
import { endpoint, type Host } from "../../../../core/contract/endpoint.ts";
import { TextId } from "../../../../core/records/entity.ts";
import { commonsOf } from "../../../../mixins/domain.mixin.ts";

const AgentRow = z
  .object({ id: z.string(), name: z.string(), description: z.string().optional() })
  .meta({ id: "AvailableAgent" });
const TeamRow = AgentRow.extend({ agentIds: z.array(z.string()) }).meta({ id: "AgentTeam" });
const Total = z.object({ total: z.int() });
const query = {
  problemSetId: TextId.optional().describe(
    "A problem set of yours: what may be used there. Without one: what may be used in every set.",
  ),
};
const within = { set: "problemSetId", may: "set:read" };

/** The agents that may be used in problem sets, from the agents domain. */
export const agentActions = {
  "agents.list": endpoint({
    rest: "GET /agents/list",
    summary: "List the agents that a problem set may use",
    permit: "signed-in",
    within,
    query,
    returns: list(AgentRow, Total),
    description: "Empty in a mesh without an agents domain.",
    async handler(ctx) {
      return counted(await known<z.output<typeof AgentRow>>(this, "agents.available", ctx.params));
    },
  }),

  "teams.list": endpoint({
    rest: "GET /teams/list",
    summary: "List the teams of agents",
    permit: "signed-in",
    within,
    query,
    returns: list(TeamRow, Total),
    description: "Empty in a mesh without an agents domain.",
    async handler(ctx) {
      return counted(await known<z.output<typeof TeamRow>>(this, "agents.teams", ctx.params));
    },
  }),
};

const counted = <T>(rows: T[]) => ({ data: rows, meta: { total: rows.length } });

/**
 * Asks the agents domain. The call fails where that domain exists but is away: to answer "no agents" would be wrong.
 */
async function known<T>(
  host: Host,
  action: string,
  { problemSetId }: { problemSetId?: string | undefined },
): Promise<T[]> {
  const [service, name] = action.split(".") as [string, string];
  if (!commonsOf(host.broker).services.some((one) => one.name === service && one.actions && name in one.actions))
    return [];
  return host.ask<T[]>(action, problemSetId ? { problemSetId } : {});
}
