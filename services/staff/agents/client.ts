import { z } from "zod";
import { systemActor } from "../../../core/access/access.ts";
import { bare } from "../../../core/contract/answer.ts";
import type { Host } from "../../../core/contract/endpoint.ts";
import { derivedId, newRequestId } from "../../../core/ids.ts";
import type { Effect } from "../../../config/tools.ts";
import type { Payer } from "../model-questions.ts";
import type { AgentAnswer, Execution, AgentStep } from "./executions/executions.ts";
import { Agent, EVERYWHERE } from "./registry/agents.ts";
import { characterOf, modelOf } from "./registry/effective.ts";

/** A record that refers to an agent, a tool or a team, and depends on it; `owner`: the only person who sees it. */
const Use = z.object({
  type: z.string(),
  id: z.string(),
  name: z.string(),
  problemSetId: z.string().optional(),
  compartments: z.array(z.string()).optional(),
  owner: z.string().optional(),
});
export type RecordUse = z.output<typeof Use>;
/** The most records of each kind in an answer. */
export const MOST_USES = 200;
/** What each domain answers about its uses of agents, tools or teams, by an internal action `agentUses`. */
export const agentUses = {
  summary: "What of this domain uses an agent, a tool or a team",
  permit: "internal",
  body: { kind: z.enum(["agent", "tool", "team"]), id: z.string().max(100) },
  returns: bare(z.array(Use)),
} as const;

/** A use of an agent in a plan, or of a tool, with arguments that may contain references. */
export interface PlannedUse {
  path: string;
  agentId: string;
  delegationId?: string | undefined;
  tool?: string;
  arguments?: Record<string, unknown>;
  /** The parts of its answer that other steps refer to, and where. */
  reads?: { path: string; parts: string[] }[];
}
/** An agent as a plan pins it: other versions, or other tools, are refused later. */
export interface AgentPin {
  agentId: string;
  delegationId: string;
  agentVersion: number;
  tools: { name: string; definition: string }[];
}
export interface PlanCheck {
  faults: { path: string; message: string }[];
  /** References to fields that the answers of tools never have. */
  strays: { path: string; message: string }[];
  pins: AgentPin[];
}
/** All faults in a plan's uses of agents. */
export const checkUses = (
  host: Host,
  plan: { problemSetId: string; compartments: readonly string[]; by: string; uses: readonly PlannedUse[] },
): Promise<PlanCheck> => host.ask("agents.runs.check", plan);

/** Tools that this installation lacks, by the paths at which a plan names them. */
export const checkTools = (
  host: Host,
  uses: readonly { path: string; tool: string }[],
): Promise<{ path: string; message: string }[]> =>
  uses.length ? host.ask("agents.tools.check", { uses }) : Promise.resolve([]);

interface Opening {
  by: string;
  problemSetId: string;
  kind: "composed" | "task";
  task: string;
  input?: Record<string, unknown>;
  isTainted?: boolean;
  compartments: readonly string[];
  /** What all runs of one plan may use together. */
  plan: { id: string; limits: { calls: number; tokens: number; cost?: number } };
  limits?: { calls?: number; tokens?: number; cost?: number };
  pin: AgentPin;
}
/** Opens a run for a plan's pin; the same name answers the same run. Answers its id. */
export async function openRun(host: Host, name: string, { pin, ...wanted }: Opening): Promise<string> {
  const { agentId, delegationId, ...pins } = pin;
  const meta = { actor: systemActor(host.name), repeats: name };
  const asked = { ...wanted, agentId, delegationId, pins };
  const { executionId } = await host.broker.call<{ executionId: string }, object>("agents.runs.open", asked, {
    meta,
    requestID: newRequestId(),
  });
  return executionId;
}

export type RunState = Pick<
  Execution,
  "status" | "waitingFor" | "reason" | "code" | "method" | "compartments" | "usedCalls" | "usedTokens" | "usedCost"
> & { answer?: AgentAnswer };
export const showRun = (host: Host, executionId: string): Promise<RunState> =>
  host.ask("agents.runs.show", { executionId });

export const closeRun = (
  host: Host,
  executionId: string,
  how: { status: "completed" | "stopped" | "failed"; reason?: string },
): Promise<null> => host.ask("agents.runs.close", { executionId, ...how });

/**
 * An act that has changed something, may have (`unknown`), or is about to; `key`: its key, where it belongs to a
 * composed run.
 */
interface ActOut {
  executionId: string;
  key?: string;
  tool: string;
  effect: Effect;
  status: "intended" | "done" | "unknown";
}
export const actsOut = (host: Host, executionIds: readonly string[]): Promise<ActOut[]> =>
  host.ask("agents.acts.out", { executionIds });

/** Withdraws the request for approval of a waiting act. */
export const dropAct = (host: Host, which: { executionId: string; key: string }): Promise<null> =>
  host.ask("agents.acts.drop", which);

/**
 * Who pays for a question outside any agent: its plan, and the day's budget of its problem set. A repetition after a
 * kill must use the same words, which name it.
 */
export function payerOf(host: Host, words: string, of: { plan?: Opening["plan"]; problemSetId: string }): Payer {
  const named = { ...of, name: derivedId(`question ${words}`) };
  return {
    hold: (most) => host.ask("agents.plans.hold", { ...named, most }),
    settle: (most, used) => host.ask("agents.plans.settle", { ...named, most, used }),
  };
}

/** One act through the gate, by its key in the run. `before`: what other runs of the plan have read. */
export const act = (
  host: Host,
  asked: {
    executionId: string;
    key: string;
    tool: string;
    arguments: Record<string, unknown>;
    before: { compartments: readonly string[]; isTainted: boolean };
    again?: boolean;
  },
  timeout: number,
): Promise<AgentStep> => host.ask("agents.act", asked, { timeout });

/** Names of agents that may be used in a problem set. */
export const agentNames = (
  host: Host,
  problemSetId: string,
): Promise<{ id: string; name: string; description?: string }[]> => host.ask("agents.available", { problemSetId });

/** Names of teams that may be used in a problem set. */
export const teamsOf = (host: Host, problemSetId: string): Promise<{ id: string; name: string }[]> =>
  host.ask("agents.teams", { problemSetId });

/** A team with its available members, its lead first. Throws 404, and 422 where there are none. */
export const readyTeam = (
  host: Host,
  teamId: string,
  problemSetId: string,
): Promise<{ id: string; name: string; leadId?: string; agentIds: string[] }> =>
  host.ask("agents.teams.ready", { teamId, problemSetId });

/** What validation shows about agents. */
export { Agent, EVERYWHERE };
export { MODEL_AWAY } from "./executions/records.ts";
export { STOPPING, WITHDRAWN } from "./gate/withdrawals.ts";

/** An agent's character and model settings, with its template's values where it has none. */
export const toldTo = (agent: Agent) => ({ character: characterOf(agent).character, ...modelOf(agent).value });

/** The whole record, without access checks: show the caller nothing that lies beyond their barrier. Throws 404. */
export const agentRecord = (host: Host, agentId: string): Promise<Agent> => host.ask("agents.show", { agentId });

/** Whether agents are frozen, in a problem set or outside all of them. */
export const isFrozenIn = (host: Host, problemSetId: string | undefined): Promise<boolean> =>
  host.ask("agents.freezes.ask", { ...(problemSetId !== undefined && { problemSetId }) });

interface Training {
  agentId: string;
  by: string;
  task: string;
  input: Record<string, unknown>;
  problemSetId?: string | undefined;
  delegationId?: string | undefined;
  compartments: readonly string[];
}
/** Lets an agent carry out a task in training; the same name answers the same run. Answers its id. */
export async function beginTraining(host: Host, name: string, training: Training): Promise<string> {
  const meta = { actor: systemActor(host.name), repeats: name };
  const { executionId } = await host.broker.call<{ executionId: string }, object>("agents.trainings.begin", training, {
    meta,
    requestID: newRequestId(),
  });
  return executionId;
}

/** What an agent did in training. */
export interface Trained {
  isOver: boolean;
  status: string;
  code?: string;
  reason?: string;
  text: string;
  citations: number;
  compartments: string[];
  acts: { tool: string; arguments: Record<string, unknown>; status: string; changes: boolean }[];
  ms: number;
  tokens: number;
  cost: number;
}
export const trainingOf = (host: Host, executionId: string): Promise<Trained> =>
  host.ask("agents.trainings.get", { executionId });

/** Outcomes of an agent's newest runs, without trainings, that lie where it does. */
export const runsLately = (host: Host, agentId: string): Promise<{ id: string; status: string; endedAt?: string }[]> =>
  host.ask("agents.runs.lately", { agentId });

type Circuit = Agent["circuit"];
/** Changes the state of an agent's circuit; false where it was not in an expected state, or already in the new one. */
export const moveCircuit = (host: Host, agentId: string, from: readonly Circuit[], to: Circuit): Promise<boolean> =>
  host.ask("agents.circuits.set", { agentId, from, to });
