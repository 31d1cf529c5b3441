import {
  AUTHORITIES,
  decide,
  SAFETY,
  type ActionClass,
  type Authority,
  type Autonomy,
  type SafetyVerdict,
} from "../../../../config/safety.ts";
import { agentActor, memberOf, type Actor, type AccessRights } from "../../../../core/access/access.ts";
import { asSystem } from "../../../../core/access/caller.ts";
import { iso } from "../../../../core/clock.ts";
import type { Host } from "../../../../core/contract/endpoint.ts";
import { complaintsAbout } from "../../../../core/contract/input/complaints.ts";
import { readTogether } from "../../../../core/records/reading/together.ts";
import { covers, Delegation, isValidAt } from "../delegations/delegations.ts";
import { Execution, OVER } from "../executions/executions.ts";
import { Agent, classOf, pauseOf } from "../registry/agents.ts";
import { asBegun } from "../registry/versions.ts";
import { higher, Tool, type Tool as ToolRecord } from "../tools/tools.ts";
import { changes, definedBy, hashOf, type Definition } from "./definitions.ts";
import { ALL, Switch } from "./switches.ts";

const MESH = asSystem("agents");
/** An id that nothing has. */
const NONE = "none";
const LONGEST_ARGUMENTS = 65_536;
const MOST_COMPLAINTS = 8;
/** What an agent may do outside all problem sets. */
const OUTSIDE: readonly ActionClass[] = ["observe", "analyse"];

/** From this autonomy on the agent acts; below it proposes, and a person carries it out. */
const ACTING = 2;
const A_PERSON_DECIDES = "A person decides it, since the agent only proposes, or has read texts by others.";

/** An act that an agent wants to do. */
export interface ProposedCall {
  tool: string;
  arguments: Record<string, unknown>;
}
/** The run of the act. */
export type ActingRun = Pick<
  Execution,
  "id" | "agentId" | "agentVersion" | "problemSetId" | "compartments" | "delegationId" | "by" | "tools" | "limits"
> & { training?: boolean };

/** The gate's verdict on an act. `ends`: nothing else of this run would pass either. */
export interface ActJudgement {
  verdict: SafetyVerdict;
  why: string;
  code?: string;
  ends?: true;
  /** The exact arguments of the act. */
  final: Record<string, unknown>;
  argumentsHash: string;
  class?: ActionClass;
  autonomy?: Autonomy;
  approver?: Authority;
  definition?: Definition;
  actor?: Actor;
  chain: readonly Delegation[];
}

/** Why an act does not pass. It has no stack trace, which would cost more than the judgement. */
export class ActRefused extends Error {
  readonly code: string;
  readonly ends: boolean;
  constructor(code: string, message: string, ends = false) {
    const { stackTraceLimit } = Error;
    Error.stackTraceLimit = 0;
    super(message);
    Error.stackTraceLimit = stackTraceLimit;
    this.code = code;
    this.ends = ends;
  }
}
const over = (code: string, message: string): ActRefused => new ActRefused(code, message, true);

/** A delegation and those that it was handed on from, itself first; `leaf`: the first, if already read. */
export async function delegationChain(
  host: Host,
  id: string | undefined,
  leaf?: Delegation | null,
): Promise<Delegation[]> {
  const chain: Delegation[] = [];
  for (let next = id; next !== undefined; next = chain.at(-1)!.fromId) {
    const one = leaf?.id === next ? leaf : await host.store(Delegation).one(MESH, { _id: next });
    if (!one) throw over("DELEGATION_ENDED", "A delegation that it acts by is not there any longer.");
    chain.push(one);
  }
  return chain;
}

/** Agent, switches, delegation and tool, read from the store in one query. */
const switchesOf = (host: Host, { agentId, problemSetId, delegationId }: ActingRun, toolName: string) =>
  readTogether(host, MESH, {
    agent: [Agent, agentId],
    everywhere: [Switch, ALL],
    here: [Switch, problemSetId ?? ALL],
    leaf: [Delegation, delegationId ?? NONE],
    tool: [Tool, toolName || NONE],
  } as const);

interface Standpoint {
  account: AccessRights;
  agent: Agent;
  /** The agent as it was when the run began. */
  begun: Agent;
  /** The administrators' record of the tool, if any. */
  tool: ToolRecord | null;
  chain: Delegation[];
}

/** Agent and delegations, all valid. Throws Refused where one is not, or where all agents here are frozen. */
async function demandOn(
  host: Host,
  run: ActingRun,
  { agent, everywhere, here, leaf }: Omit<Awaited<ReturnType<typeof switchesOf>>, "tool">,
): Promise<{ agent: Agent; chain: Delegation[] }> {
  if (everywhere?.frozen || here?.frozen) throw over("FROZEN", "All agents here were stopped in an emergency.");
  const pause = agent ? pauseOf(agent, run) : "AGENT_DEACTIVATED";
  if (pause || !agent) throw over(pause!, "The agent is switched off.");
  const chain = await delegationChain(host, run.delegationId, leaf);
  if (run.problemSetId !== undefined && !chain.length)
    throw over("DELEGATION_ENDED", "In a problem set an agent acts by a delegation alone.");
  const now = iso(host.world.clock.now());
  if (!chain.every((one) => isValidAt(one, now) && one.problemSetId === run.problemSetId && one.by === run.by))
    throw over("DELEGATION_ENDED", "The delegation was revoked, or has run out.");
  return { agent, chain };
}

/** The actor and the switches, read from the store for each act and never cached. */
async function standpoint(host: Host, run: ActingRun, toolName: string): Promise<Standpoint> {
  const [account, { tool, ...switches }] = await Promise.all([
    host.ask<AccessRights | null>("auth.actor", { userId: run.by }),
    switchesOf(host, run, toolName),
  ]);
  if (!account?.roles.length) throw over("PERSON_GONE", "The person that it acts for may do nothing any longer.");
  if (run.problemSetId !== undefined && !Object.hasOwn(account.memberships ?? {}, run.problemSetId))
    throw over("NOT_A_MEMBER", "The person that it acts for is no member of the problem set any longer.");
  const { agent, chain } = await demandOn(host, run, switches);
  const begun = await asBegun(host, agent, run.agentVersion);
  if (!begun) throw over("AGENT_CHANGED", "What the agent was when this run was begun, nobody knows any longer.");
  return { account, agent, begun, tool, chain };
}

/** Throws Refused where the run was ended, by anybody on any node. */
async function demandGoingOn(host: Host, { id }: ActingRun): Promise<void> {
  const [stored] = await host.store(Execution).find(MESH, { _id: id }, { fields: ["status"] });
  if (stored && OVER.includes(stored.status)) throw over("CANCELLED", "The run was ended meanwhile.");
}

interface Stop {
  code: string;
  why: string;
}
async function refusalOf(asking: Promise<unknown>): Promise<Stop | null> {
  try {
    await asking;
    return null;
  } catch (error) {
    if (error instanceof ActRefused) return { code: error.code, why: error.message };
    throw error;
  }
}

/** Why nothing of a run would pass any more, read from the store; null while something may. */
export const endOf = (host: Host, run: ActingRun): Promise<Stop | null> =>
  refusalOf(Promise.all([demandGoingOn(host, run), standpoint(host, run, "")]));

/**
 * Checked once more after an act is stored as intended, which takes time: nothing begins that was ended, frozen or
 * revoked in between, and so nothing begins after a stop was acknowledged.
 */
export const stoppedMeanwhile = (host: Host, run: ActingRun): Promise<Stop | null> =>
  refusalOf(
    Promise.all([demandGoingOn(host, run), switchesOf(host, run, "").then((found) => demandOn(host, run, found))]),
  );

/** The tool as planned, if agent and delegations cover it. */
function toolFor(host: Host, run: ActingRun, at: Standpoint, name: string): Definition {
  const definition = definedBy(host, name, at.tool);
  const pinned = run.tools.find((one) => one.name === name);
  if (!definition || !pinned || !at.agent.tools.includes(definition.name))
    throw new ActRefused("TOOL_NOT_ASSIGNED", "This tool is none of the agent's in this run.");
  if (definition.disabled !== undefined) throw new ActRefused("TOOL_DISABLED", definition.disabled);
  if (!at.chain.every((one) => covers(one, definition)))
    throw new ActRefused("TOOL_NOT_DELEGATED", "The delegation does not name this tool, nor its class.");
  if (pinned.definition !== definition.hash)
    throw new ActRefused("TOOL_CHANGED", "This tool is not the one that the run was planned with.");
  return definition;
}

/** The exact arguments: in the run's problem set, and in at least the compartments of what was read. */
export function finalOf(
  definition: Definition,
  run: Pick<ActingRun, "problemSetId" | "compartments">,
  given: Record<string, unknown>,
): Record<string, unknown> {
  const { schema, endpoint } = definition;
  const set = endpoint.contract.within?.set;
  const final = { ...given };
  if (set && set in schema.shape && run.problemSetId !== undefined) final[set] = run.problemSetId;
  if (changes(definition.class) && run.compartments.length && "compartments" in schema.shape) {
    const own = Array.isArray(given["compartments"]) ? (given["compartments"] as unknown[]) : [];
    final["compartments"] = [...new Set([...own, ...run.compartments])].sort();
  }
  if (JSON.stringify(final).length > LONGEST_ARGUMENTS)
    throw new ActRefused("ARGUMENTS", "The arguments are longer than 64 KiB.");
  const parsed = schema.safeParse(final);
  if (parsed.success) return final;
  const complaints = complaintsAbout(parsed.error.issues, schema)
    .slice(0, MOST_COMPLAINTS)
    .map(({ path, message }) => `${path ? `${path}: ` : ""}${message}`);
  throw new ActRefused("ARGUMENTS", `The arguments do not fit. ${complaints.join(" ")}`);
}

/** The agent as the caller of this one tool: what the person may do in this set, reduced to reading and this act. */
function actorFor(definition: Definition, run: ActingRun, { account, chain }: Standpoint, step: string): Actor {
  const { contract, service } = definition.endpoint;
  const noun = contract.permit.includes(":") ? contract.permit.split(":")[0]! : service;
  const writes = definition.endpoint.method !== "GET";
  const [leaf] = chain;
  const mark = { id: run.agentId, execution: run.id, step, ...(leaf && { delegation: leaf.id }) };
  return agentActor(account, mark, {
    problemSetId: run.problemSetId,
    compartments: leaf ? leaf.grants.filter((id) => chain.every((one) => one.grants.includes(id))) : [],
    permits: ["*:read", ...(writes && contract.within ? [contract.within.may] : [])],
    limits: ["*:read", ...(writes ? [`${noun}:write`, contract.permit] : [])],
  });
}

/** Refuses to write into a record with fewer compartments than what was read. */
async function refuseSpill(
  host: Host,
  definition: Definition,
  run: ActingRun,
  final: object,
  actor: Actor,
): Promise<void> {
  if (!changes(definition.class) || !run.compartments.length || "compartments" in definition.schema.shape) return;
  const { probe } = definition;
  const id = probe && (final as Record<string, unknown>)[probe.by];
  const record = probe
    ? await host.broker
        .call<{ compartments?: string[] }, object>(probe.action, { [probe.by]: id }, { meta: { actor } })
        .catch(() => null)
    : null;
  if (!run.compartments.every((one) => record?.compartments?.includes(one)))
    throw new ActRefused("COMPARTMENTS", "What was read lies in compartments that this act would carry it out of.");
}

/** Foreign text in the context counts as one step more of autonomy. */
export const autonomyOf = ({ autonomy }: Agent, isTainted: boolean): Autonomy =>
  (isTainted ? Math.min(4, Math.max(1, autonomy + 1)) : autonomy) as Autonomy;

const risen = (autonomy: number): string =>
  `Its own is ${autonomy}; having read texts by others counts as one more, since one of them may speak through it.`;

/**
 * Whether an agent may do one act at this moment, by the person, the switches, the tool and the matrix. Reads much,
 * changes nothing, caches nothing. `isTainted`: its context contains foreign text.
 */
export async function judgeAct(
  host: Host,
  { run, proposal, step, isTainted }: { run: ActingRun; proposal: ProposedCall; step: string; isTainted: boolean },
): Promise<ActJudgement> {
  let final = proposal.arguments;
  let chain: readonly Delegation[] = [];
  const judged: Partial<ActJudgement> = {};
  const outcome = (rest: Pick<ActJudgement, "verdict" | "why"> & Partial<ActJudgement>): ActJudgement => ({
    ...judged,
    ...rest,
    final,
    argumentsHash: hashOf(final),
    chain,
  });
  try {
    const at = await standpoint(host, run, proposal.tool);
    ({ chain } = at);
    const definition = (judged.definition = toolFor(host, run, at, proposal.tool));
    // Restrictions made since the run began count at once, extensions from the next run on.
    const safety = (judged.class = higher(classOf(definition, at.agent), classOf(definition, at.begun)));
    if (run.problemSetId === undefined && !OUTSIDE.includes(safety))
      throw new ActRefused("OUTSIDE", "Outside all problem sets an agent observes and analyses, and does no more.");
    final = finalOf(definition, run, final);
    const actor = (judged.actor = actorFor(definition, run, at, step));
    await refuseSpill(host, definition, run, final, actor);
    const membership =
      run.problemSetId === undefined ? null : memberOf({ ...actor, permits: [] }, run.problemSetId, "set:read");
    const autonomy = (judged.autonomy = autonomyOf(at.begun, isTainted));
    const role = (membership?.role ?? "observer") as Authority;
    const authority: Authority = AUTHORITIES.includes(role) ? role : "observer";
    const { verdict, approver, why: reason } = decide(safety, authority, autonomy);
    const why = autonomy > at.begun.autonomy ? `${reason} ${risen(at.begun.autonomy)}` : reason;
    if (verdict === "allow" && changes(safety) && (isTainted || at.begun.autonomy < ACTING))
      return outcome({ verdict: "approve", approver: SAFETY[safety].approver, why: `${why} ${A_PERSON_DECIDES}` });
    return outcome({
      verdict,
      why,
      ...(approver && { approver }),
      ...(verdict === "forbid" && { code: "SAFETY_MATRIX" }),
    });
  } catch (error) {
    if (!(error instanceof ActRefused)) throw error;
    return outcome({
      verdict: "forbid",
      why: error.message,
      code: error.code,
      ...(error.ends && { ends: true as const }),
    });
  }
}
