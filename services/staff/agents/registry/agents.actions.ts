import { z } from "zod";
import { authorize, memberOf, personOf } from "../../../../core/access/access.ts";
import { actorOf, type Ctx } from "../../../../core/access/caller.ts";
import { iso } from "../../../../core/clock.ts";
import { bare, data, list } from "../../../../core/contract/answer.ts";
import { endpoint, type Host } from "../../../../core/contract/endpoint.ts";
import { nextId } from "../../../../core/contract/repeatable.ts";
import { systemActor } from "../../../../core/access/access.ts";
import { invalid } from "../../../../core/problem.ts";
import { TextId } from "../../../../core/records/entity.ts";
import { AgentDeactivated, AgentEnrolled } from "../events.ts";
import { definitionsFor } from "../gate/definitions.ts";
import { US } from "../executions/records.ts";
import { throwSwitch } from "../gate/switches.ts";
import { Agent, loweredIn, scopeOf, teamsOf } from "./agents.ts";

const set = "problemSetId";
export const reading = { set, may: "agents:read" };
export const onAgent = { on: Agent, by: "agentId" } as const;
export const View = data(Agent.view);

/** Throws what the caller's role lacks: in the agent's problem set, or on the platform for one of every set's. */
function demand(ctx: Ctx<unknown>, problemSetId: string | undefined, may: string): void {
  if (problemSetId === undefined) authorize(ctx.meta.actor, "agents:administer");
  else memberOf(ctx.meta.actor, problemSetId, may, { writes: true });
}

/** A DID of the agent's own: no account holds it, and nobody signs in by it. */
export async function didOf(host: Host, id: string, name: string): Promise<string> {
  const actor = { ...systemActor("agents"), userId: `agent:${id}` };
  const { did } = await host.broker.call<{ did: string }, object>(
    "identity.dids.create",
    { method: "key", entityType: "agent", name },
    { meta: { actor, repeats: `agent/${id}` } },
  );
  return did;
}

const told = ({ id, problemSetId, compartments, name }: Agent, by: string) => ({
  id,
  agentId: id,
  problemSetId: problemSetId!,
  compartments,
  name,
  by,
});

const Row = z.object({ id: z.string(), name: z.string(), description: z.string().optional() });
const inSet = { problemSetId: TextId.optional() };
/** Those that may be used in a problem set: its own, and those of every set. */
const usableIn = async (host: Host, problemSetId: string | undefined): Promise<Agent[]> => {
  const query = (place: object) => ({ ...place, status: "active", circuit: "closed" });
  const found = await Promise.all([
    host.store(Agent).find(US, query(scopeOf(undefined)), { sort: ["name"], limit: 500 }),
    problemSetId
      ? host.store(Agent).find(US, query({ problemSetId, compartments: { $size: 0 } }), { sort: ["name"] })
      : [],
  ]);
  return found.flat();
};

export const registryActions = {
  list: endpoint({
    rest: "GET /",
    summary: "List the agents that you see",
    permit: "signed-in",
    within: reading,
    query: Agent.query,
    returns: list(Agent.view),
    description:
      "Those of every problem set, and those of your own problem sets; with `problemSetId` only of that one.",
    handler(ctx) {
      return this.store(Agent).page(ctx, ctx.params);
    },
  }),

  get: endpoint({
    rest: "GET /:agentId",
    summary: "Show an agent",
    permit: "signed-in",
    ...onAgent,
    within: reading,
    returns: View,
    handler: (_ctx, agent) => agent,
  }),

  enrol: endpoint({
    rest: "POST /",
    summary: "Enrol an agent",
    permit: "signed-in",
    within: { set, may: "agents:enrol" },
    body: Agent.create,
    returns: View,
    status: 201,
    description:
      "In a problem set, by whoever plans there; for every problem set (without `problemSetId`) by administrators. It can do nothing before somebody delegates to it. It gets a DID of its own, of the entity type `agent`.",
    example: { problemSetId: "the problem set's id", name: "Reader", tools: ["list_documents", "read_document"] },
    errors: { 403: "Your role in the problem set, or on the platform, does not allow it." },
    async handler(ctx) {
      const { problemSetId, name, tools, raised } = ctx.params;
      if (problemSetId === undefined) demand(ctx, problemSetId, "agents:enrol");
      const known = definitionsFor(this);
      const lacking = tools.flatMap((tool, at) =>
        known.has(tool) ? [] : [{ path: `tools.${at}`, message: "This installation lacks the domain of this tool." }],
      );
      const complaints = [...lacking, ...loweredIn(raised)];
      if (complaints.length) throw invalid(complaints);
      const id = nextId(ctx, Agent.name);
      const did = await didOf(this, id, name);
      return this.store(Agent).create(
        ctx,
        { ...ctx.params, id, did, ...scopeOf(problemSetId), version: 1, status: "active", circuit: "closed" },
        { facts: (made: Agent) => (problemSetId ? [AgentEnrolled.fact(id, told(made, actorOf(ctx)))] : []) },
      );
    },
  }),

  deactivate: endpoint({
    rest: "PUT /:agentId/deactivate",
    summary: "Switch an agent off",
    permit: "signed-in",
    ...onAgent,
    within: { set, may: "agents:enrol" },
    body: { reason: z.string().min(3).max(2_000).optional() },
    returns: View,
    description:
      "Its runs stop before their next act. Whoever enrolled it may, deputies and commanders of its problem set, and administrators for one of every set. Twice is harmless; administrators switch it on again.",
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
      return this.store(Agent).revise(ctx, agent, change, {
        facts: agent.problemSetId ? [AgentDeactivated.fact(agent.id, told(agent, by))] : [],
      });
    },
  }),

  /** Asked by problem sets. */
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
      return teamsOf(await usableIn(this, ctx.params.problemSetId));
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
      return null;
    },
  }),
};
