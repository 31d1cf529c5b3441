import { z } from "zod";
import { actorOf } from "../../../../core/access/caller.ts";
import { iso } from "../../../../core/clock.ts";
import { data, list, nothing } from "../../../../core/contract/answer.ts";
import { endpoint } from "../../../../core/contract/endpoint.ts";
import { invalid } from "../../../../core/problem.ts";
import { TextId } from "../../../../core/records/entity.ts";
import { Container } from "../environments/environments.ts";
import { onContainer } from "../environments/containers.actions.ts";
import { agentOf, AGENTS, AgentView, ContainerAgent, Run, RunView, TEAMS, TeamView } from "./agents.ts";

/** The agents of a container, in their present form; agents that no longer exist are omitted. */
const agentsOf = ({ agents }: Container): z.input<typeof ContainerAgent>[] =>
  agents.flatMap(({ agentId, by, at }) => {
    const agent = agentOf(agentId);
    return agent ? [{ ...agent, by, at }] : [];
  });

export const agentActions = {
  "agents.list": endpoint({
    rest: "GET /agents",
    summary: "List the agents that can work on a container",
    permit: "signed-in",
    returns: data(z.array(AgentView)),
    tool: "list_strategic_agents",
    description:
      "These are built in, and work on each document that comes into a container they are assigned to. They are not " +
      "the agents that act for people (`GET /api/agents`).",
    handler: () => [...AGENTS],
  }),

  "teams.list": endpoint({
    rest: "GET /teams",
    summary: "List the teams of these agents",
    permit: "signed-in",
    returns: data(z.array(TeamView)),
    handler: () => [...TEAMS],
  }),

  "containerAgents.list": endpoint({
    rest: "GET /containers/:containerId/agents",
    summary: "List the agents that work on a container",
    permit: "signed-in",
    ...onContainer("environment:read"),
    returns: data(z.array(ContainerAgent)),
    handler: (_ctx, container) => agentsOf(container),
  }),

  "containerAgents.add": endpoint({
    rest: "POST /containers/:containerId/agents",
    summary: "Assign an agent to a container",
    permit: "signed-in",
    ...onContainer("environment:shape"),
    body: { agentId: z.string().min(1).max(64).describe("One of `GET /api/strategic/agents`.") },
    returns: data(z.array(ContainerAgent)),
    status: 201,
    example: { agentId: "objective-finder" },
    description:
      "From then on each document placed in the container starts its job, with exactly the powers of " +
      "whoever places it. Documents already there are not touched. Repeating it is harmless.",
    async handler(ctx, { id }) {
      const { agentId } = ctx.params;
      if (!agentOf(agentId))
        throw invalid([
          {
            path: "agentId",
            message: "There is no such agent; `GET /api/strategic/agents` lists those for containers.",
          },
        ]);
      const one = { agentId, by: actorOf(ctx), at: iso(this.world.clock.now()) };
      const container = await this.store(Container).change(ctx, id, ({ agents }) =>
        agents.some((each) => each.agentId === agentId) ? null : { agents: [...agents, one] },
      );
      return agentsOf(container);
    },
  }),

  "containerAgents.remove": endpoint({
    rest: "DELETE /containers/:containerId/agents/:agentId",
    summary: "Remove an agent from a container",
    permit: "signed-in",
    ...onContainer("environment:shape"),
    path: { agentId: TextId },
    returns: nothing(),
    status: 204,
    description: "What it has started continues. Repeating it is harmless.",
    async handler(ctx, { id }) {
      const { agentId } = ctx.params;
      await this.store(Container).change(ctx, id, ({ agents }) =>
        agents.some((each) => each.agentId === agentId)
          ? { agents: agents.filter((each) => each.agentId !== agentId) }
          : null,
      );
      return null;
    },
  }),

  "agentRuns.list": endpoint({
    rest: "GET /containers/:containerId/runs",
    summary: "List the runs that the agents of a container started",
    permit: "signed-in",
    ...onContainer("environment:read"),
    query: Run.query,
    returns: list(RunView),
    beyond: true,
    handler(ctx, { id: containerId, problemSetId }) {
      return this.store(Run).page(ctx, ctx.params, { problemSetId, containerId });
    },
  }),
};
