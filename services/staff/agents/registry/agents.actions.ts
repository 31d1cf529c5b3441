import { z } from "zod";
import { personOf } from "../../../../core/access/access.ts";
import { iso } from "../../../../core/clock.ts";
import { bare, data, list } from "../../../../core/contract/answer.ts";
import { endpoint, type Host } from "../../../../core/contract/endpoint.ts";
import { TextId, type Item } from "../../../../core/records/entity.ts";
import { AgentDeactivated, AuthorityLessened } from "../events.ts";
import { MESH } from "../executions/records.ts";
import { ALL, throwSwitch } from "../gate/switches.ts";
import { leadFirst, Team } from "../teams/teams.ts";
import { onAgent } from "./administering.ts";
import { Agent, agentScope } from "./agents.ts";
import { demand, enrolled, ENROLMENT, agentEvent } from "./enrolling.ts";

const set = "problemSetId";
const MOST_USABLE = 500;
const reading = { set, may: "agents:read" };
const View = data(Agent.view);

const Row = z.object({ id: z.string(), name: z.string(), description: z.string().optional() });
const inSet = { problemSetId: TextId.optional() };
/** Those that may be used in a problem set: its own, and those of every set. */
async function inReach<E extends typeof Agent | typeof Team>(
  host: Host,
  entity: E,
  problemSetId: string | undefined,
  query: object,
): Promise<Item<E>[]> {
  const own = { problemSetId, compartments: { $size: 0 } };
  const found = await Promise.all([
    host.store(entity).find(MESH, { ...query, ...agentScope(undefined) }, { sort: ["name"], limit: MOST_USABLE }),
    problemSetId ? host.store(entity).find(MESH, { ...query, ...own }, { sort: ["name"] }) : [],
  ]);
  return found.flat() as Item<E>[];
}
const usableIn = (host: Host, problemSetId: string | undefined): Promise<Agent[]> =>
  inReach(host, Agent, problemSetId, { status: "active", circuit: "closed" });

export const registryActions = {
  list: endpoint({
    rest: "GET /agents",
    summary: "List the agents that you can see",
    tool: "list_agents",
    permit: "signed-in",
    within: reading,
    query: Agent.query,
    returns: list(Agent.view),
    description: "Those of all problem sets, and those of your own; with `problemSetId` only those of that one.",
    handler(ctx) {
      return this.store(Agent).page(ctx, ctx.params);
    },
  }),

  get: endpoint({
    rest: "GET /agents/:agentId",
    summary: "Show an agent",
    tool: "show_agent",
    description: "Its character, model, tools, budget and autonomy, and whether it is active.",
    permit: "signed-in",
    ...onAgent,
    within: reading,
    returns: View,
    handler: (_ctx, agent) => agent,
  }),

  enrol: endpoint({
    rest: "POST /agents",
    summary: "Enrol an agent",
    permit: "signed-in",
    within: { set, may: "agents:enrol" },
    body: ENROLMENT,
    returns: View,
    status: 201,
    description:
      "In a problem set, whoever plans there can do this; for all problem sets (without " +
      "`problemSetId`), administrators. The agent can do nothing until somebody delegates to it. It " +
      "gets its own DID, of the entity type `agent`.",
    example: { problemSetId: "the problem set's id", name: "Reader", tools: ["list_documents", "read_document"] },
    errors: {
      403: "Your role in the problem set, or on the platform, does not allow it.",
      422: "`TOO_MANY_TOOLS`, with those of its capabilities.",
    },
    handler(ctx) {
      return enrolled(this, ctx, ctx.params);
    },
  }),

  deactivate: endpoint({
    rest: "PUT /agents/:agentId/deactivate",
    summary: "Deactivate an agent",
    permit: "signed-in",
    ...onAgent,
    within: { set, may: "agents:enrol" },
    body: { reason: z.string().trim().min(3).max(2_000).optional() },
    returns: View,
    description:
      "Its runs stop before their next act. Allowed to whoever enrolled it, to deputies and commanders " +
      "of its problem set, and, for an agent of all sets, to administrators. Repeating it is harmless; " +
      "an administrator who sees it can reactivate it: for one of a problem set, a member whose role allows it.",
    async handler(ctx, agent) {
      const by = personOf(ctx.meta.actor);
      if (agent.createdBy !== by) demand(ctx, agent.problemSetId, "agents:manage");
      if (agent.status === "deactivated") return agent;
      const { reason } = ctx.params;
      const change = {
        status: "deactivated",
        deactivatedBy: by,
        deactivatedAt: iso(this.world.clock.now()),
        ...(reason && { reason }),
      };
      const switchedOff = await this.store(Agent).revise(ctx, agent, change, {
        facts: agent.problemSetId ? [AgentDeactivated.fact(agent.id, agentEvent(agent, by))] : [],
      });
      await AuthorityLessened.emit(this, { agentId: agent.id });
      return switchedOff;
    },
  }),

  /** Called by problem sets. */
  available: endpoint({
    summary: "The agents that may be used in a problem set, or in every one",
    permit: "internal",
    body: inSet,
    returns: bare(z.array(Row)),
    handler(ctx) {
      return usableIn(this, ctx.params.problemSetId);
    },
  }),

  teams: endpoint({
    summary: "The teams of those agents",
    permit: "internal",
    body: inSet,
    returns: bare(z.array(Row.extend({ agentIds: z.array(z.string()) }))),
    async handler(ctx) {
      const { problemSetId } = ctx.params;
      const usable = new Set((await usableIn(this, problemSetId)).map(({ id }) => id));
      const teams = await inReach(this, Team, problemSetId, {});
      return teams.map((team) => ({ ...team, agentIds: leadFirst(team).filter((id) => usable.has(id)) }));
    },
  }),

  freeze: endpoint({
    summary: "Stop all agents at their next act, or those at work in a problem set; or let them work again",
    permit: "internal",
    body: { scope: TextId, frozen: z.boolean(), reason: z.string().max(2_000), by: z.string() },
    returns: bare(z.null()),
    async handler(ctx) {
      const { scope, ...state } = ctx.params;
      await throwSwitch(this, scope, state);
      if (state.frozen) await AuthorityLessened.emit(this, scope === ALL ? {} : { problemSetId: scope });
      return null;
    },
  }),
};
