import { z } from "zod";
import { authorize, memberOf, systemActor } from "../../../../core/access/access.ts";
import { actorOf, type Ctx } from "../../../../core/access/caller.ts";
import type { Host } from "../../../../core/contract/endpoint.ts";
import { nextId } from "../../../../core/contract/repeatable.ts";
import { derivedId } from "../../../../core/ids.ts";
import { invalid, isConflict, isNotFound, unprocessable, type Detail } from "../../../../core/problem.ts";
import type { Fact } from "../../../../core/events/event.ts";
import { toolsOf } from "../builder/capabilities.ts";
import { templateOf } from "../builder/templates.ts";
import { AgentEnrolled } from "../events.ts";
import { toolsNamed } from "../gate/definitions.ts";
import { unknownTools } from "../tools/tool-lookup.ts";
import { Team } from "../teams/teams.ts";
import { isLower, isNeverAllowed } from "../tools/tools.ts";
import { Agent, agentScope, classOf, MOST_ASSIGNED } from "./agents.ts";
import { keepVersion } from "./versions.ts";

/** Throws where the caller lacks the role: in the agent's problem set, or on the platform for an agent of every set. */
export function demand(ctx: Ctx<unknown>, problemSetId: string | undefined, may: string): void {
  if (problemSetId === undefined) authorize(ctx.meta.actor, "agents:administer");
  else memberOf(ctx.meta.actor, problemSetId, may, { writes: true });
}

/** A DID for the agent itself: it belongs to no account, and nobody signs in with it. */
export async function didOf(host: Host, id: string, name: string): Promise<string> {
  const actor = { ...systemActor("agents"), userId: `agent:${id}` };
  const { did } = await host.broker.call<{ did: string }, object>(
    "identity.dids.create",
    { method: "key", entityType: "agent", name },
    { meta: { actor, repeats: `agent/${id}` } },
  );
  return did;
}

/** Deactivates the identifier of a removed agent, and destroys its key. */
export async function endDid(this: Host, { agentId, did }: { agentId: string; did: string }): Promise<void> {
  const actor = { ...systemActor("agents"), userId: `agent:${agentId}` };
  await this.broker
    .call("identity.dids.deactivate", { did }, { meta: { actor } })
    // A repeated event finds it deactivated.
    .catch((error: unknown) => {
      if (!isNotFound(error) && !isConflict(error)) throw error;
    });
}

export const agentEvent = ({ id, problemSetId, compartments, name }: Agent, by: string) => ({
  id,
  agentId: id,
  problemSetId: problemSetId!,
  compartments,
  name,
  by,
});

type Tooled = Partial<Pick<Agent, "tools" | "raised" | "capabilities">>;

/** Faults in an agent's tools: unknown ones, and classes that would be lowered. */
export async function toolComplaints(host: Host, { tools = [], raised = {} }: Tooled): Promise<Detail[]> {
  const names = Object.keys(raised);
  const known = await toolsNamed(host, names);
  const lowered = names.flatMap((name) => {
    const tool = known.get(name);
    if (!tool) return [{ path: `raised.${name}`, message: `This installation has no tool ${name}.` }];
    return isLower(raised[name]!, tool.class)
      ? [{ path: `raised.${name}`, message: `Its own class is ${tool.class}, which is higher.` }]
      : [];
  });
  return [...(await unknownTools(host, tools, "tools")), ...lowered];
}

export async function demandTools(host: Host, agent: Tooled): Promise<void> {
  const complaints = await toolComplaints(host, agent);
  if (complaints.length) throw invalid(complaints);
}

/** Throws 422 where an agent would have more tools than it may, with those of its capabilities. */
function refuseTooMany(tools: readonly string[] = []): void {
  if (tools.length > MOST_ASSIGNED)
    throw unprocessable(
      "TOO_MANY_TOOLS",
      `tools: an agent has at most ${MOST_ASSIGNED}, those of its capabilities included.`,
    );
}

/** Throws 422 for tools given to an agent, by the path that names each, that its autonomy allows to nobody. */
export async function refuseForbidden(
  host: Host,
  agent: Pick<Agent, "autonomy" | "raised">,
  given: ReadonlyMap<string, string>,
): Promise<void> {
  const known = await toolsNamed(host, [...given.keys()]);
  const forbidden = [...known].flatMap(([name, tool]): Detail[] => {
    const safety = classOf(tool, agent);
    return isNeverAllowed(safety, agent.autonomy)
      ? [{ path: given.get(name)!, message: `${safety} is never done at autonomy ${agent.autonomy}, whoever asks.` }]
      : [];
  });
  const [first] = forbidden;
  if (first) throw unprocessable("FORBIDDEN_CLASS", `${first.path}: ${first.message}`, forbidden);
}

/** A change of an agent as it was sent: null clears. */
interface Change {
  tools?: readonly string[] | undefined;
  autonomy?: number | undefined;
  raised?: Agent["raised"] | null;
}
/** The same for tools that a change adds; those that it keeps are the gate's. */
export function refuseAdded(host: Host, agent: Agent, { tools = [], ...change }: Change): Promise<void> {
  const { autonomy = agent.autonomy, raised = agent.raised } = change;
  const added = tools.flatMap((name, at) => (agent.tools.includes(name) ? [] : [[name, `tools.${at}`] as const]));
  return refuseForbidden(host, { autonomy, raised: raised ?? {} }, new Map(added));
}

/** Fills the missing fields of a new agent from its template, and the tools of its capabilities. */
export function startingFrom<T extends Partial<Agent>>(given: T): T {
  const template = templateOf(given.templateId);
  const capabilities = given.capabilities?.length ? given.capabilities : [...(template?.capabilities ?? [])];
  const phases = given.phases?.length ? given.phases : [...(template?.phases ?? [])];
  const tools = [...new Set([...(given.tools ?? []), ...toolsOf(capabilities)])].sort();
  return { ...given, capabilities, phases, tools };
}

/** The input of a new agent. */
export const ENROLMENT = {
  ...Agent.create,
  teams: z
    .array(z.string().trim().min(1).max(60))
    .max(20)
    .default([])
    .describe("Names of teams in the same place to join; a missing team is created."),
};
type Enrolment = Partial<Agent> & { name: string; teams: string[] };

/** Enrols an agent, its DID first; the id is derived from the request, so that a repetition makes only one. */
export async function enrolled(host: Host, ctx: Ctx<unknown>, { teams, ...given }: Enrolment): Promise<Agent> {
  const { problemSetId, name } = given;
  if (problemSetId === undefined) demand(ctx, problemSetId, "agents:enrol");
  await demandTools(host, given);
  const whole = startingFrom(given);
  refuseTooMany(whole.tools);
  const id = nextId(ctx, Agent.name);
  const did = await didOf(host, id, name);
  const fresh = { version: 1, status: "active", circuit: "closed", ...agentScope(problemSetId) };
  const agent = await host
    .store(Agent)
    .create(
      ctx,
      { ...whole, id, did, ...fresh },
      { facts: (made: Agent) => (problemSetId ? [AgentEnrolled.fact(id, agentEvent(made, actorOf(ctx)))] : []) },
    );
  for (const team of new Set(teams)) await join(host, ctx, agent, team);
  return agent;
}

/** Adds a new agent to a team in the same place, by the team's name. */
async function join(host: Host, ctx: Ctx<unknown>, agent: Agent, name: string): Promise<void> {
  const { problemSetId, compartments } = agent;
  const id = derivedId(`team ${JSON.stringify([problemSetId ?? null, compartments, name])}`);
  const place = { problemSetId, compartments, ...agentScope(problemSetId) };
  await host.store(Team).createOnce(ctx, { id, name, ...place, members: [agent.id] });
  await host
    .store(Team)
    .amend(ctx, id, ({ members }) => (members.includes(agent.id) ? null : { members: [...members, agent.id] }));
}

/**
 * Changes an agent: its former version is kept for runs begun with it, and its version number rises. Throws 409 where
 * somebody else changed it first, 422 for too many tools.
 */
export async function reshaped(
  host: Host,
  ctx: Ctx<unknown>,
  agent: Agent,
  change: Record<string, unknown> & { tools?: string[] | undefined },
  told: { facts?: Fact[] } = {},
): Promise<Agent> {
  refuseTooMany(change.tools);
  await keepVersion(host, agent);
  return host.store(Agent).revise(ctx, agent, { ...change, version: agent.version + 1 }, told);
}
