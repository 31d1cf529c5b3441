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

/** Something that names an agent, a tool or a team, and would not work without it; `owner`: seen by them alone. */
const Use = z.object({
  type: z.string(),
  id: z.string(),
  name: z.string(),
  problemSetId: z.string().optional(),
  compartments: z.array(z.string()).optional(),
  owner: z.string().optional(),
});
export type RecordUse = z.output<typeof Use>;
/** Of each kind of record so many are told. */
export const MOST_USES = 200;
/** What each domain answers that uses agents, tools or teams, by an internal action `agentUses`. */
export const agentUses = {
  summary: "What of this domain uses an agent, a tool or a team",
  permit: "internal",
  body: { kind: z.enum(["agent", "tool", "team"]), id: z.string().max(100) },
  returns: bare(z.array(Use)),
} as const;

/** A use of an agent in a plan; of a tool, with arguments that may hold references. */
export interface PlannedUse {
  path: string;
  agentId: string;
  delegationId?: string | undefined;
  tool?: string;
  arguments?: Record<string, unknown>;
  /** What other steps refer to of its answer, and where they do. */
  reads?: { path: string; parts: string[] }[];
}
/** An agent as a plan holds it: another version, or other tools, are refused later. */
export interface AgentPin {
  agentId: string;
  delegationId: string;
  agentVersion: number;
  tools: { name: string; definition: string }[];
}
export interface PlanCheck {
  faults: { path: string; message: string }[];
  /** References to what the answers of tools never have. */
  strays: { path: string; message: string }[];
  pins: AgentPin[];
}
/** What would not do of what a plan wants of agents, all of it. */
export const checkUses = (
  host: Host,
  plan: { problemSetId: string; compartments: readonly string[]; by: string; uses: readonly PlannedUse[] },
): Promise<PlanCheck> => host.ask("agents.runs.check", plan);

/** What is wrong with names of tools, by the paths where they stand: those that this installation does not have. */
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
  /** What all runs of one plan may use up together. */
  plan: { id: string; limits: { calls: number; tokens: number; cost?: number } };
  limits?: { calls?: number; tokens?: number; cost?: number };
  pin: AgentPin;
}
/** Opens a run by a plan's pin; under the same name it is the same run again. Answers its id. */
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

/** An act that has changed something, may have (`unknown`), or is about to; `key`: where it is of a composed run. */
interface ActOut {
  executionId: string;
  key?: string;
  tool: string;
  effect: Effect;
  status: "intended" | "done" | "unknown";
}
export const actsOut = (host: Host, executionIds: readonly string[]): Promise<ActOut[]> =>
  host.ask("agents.acts.out", { executionIds });

/** An act that waits for a person is asked for no longer. */
export const dropAct = (host: Host, which: { executionId: string; key: string }): Promise<null> =>
  host.ask("agents.acts.drop", which);

/**
 * Who pays for a question that is no agent's: its plan, and the day of its problem set. Whoever asks it again after a
 * kill gives it the same words for a name.
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

/** What agents that may be used in a problem set are called. */
export const agentNames = (
  host: Host,
  problemSetId: string,
): Promise<{ id: string; name: string; description?: string }[]> => host.ask("agents.available", { problemSetId });

/** What teams that may be used in a problem set are called. */
export const teamsOf = (host: Host, problemSetId: string): Promise<{ id: string; name: string }[]> =>
  host.ask("agents.teams", { problemSetId });

/** A team with those of its members that can work now, its lead first. Throws 404, and 422 where there are none. */
export const readyTeam = (
  host: Host,
  teamId: string,
  problemSetId: string,
): Promise<{ id: string; name: string; leadId?: string; agentIds: string[] }> =>
  host.ask("agents.teams.ready", { teamId, problemSetId });

/** What validation shows of agents. */
export { Agent, EVERYWHERE };
export { MODEL_AWAY } from "./executions/records.ts";
export { STOPPING, WITHDRAWN } from "./gate/withdrawals.ts";

/** What an agent is told of itself and how it thinks, its template's where it says nothing itself. */
export const toldTo = (agent: Agent) => ({ character: characterOf(agent).character, ...modelOf(agent).value });

/** The whole record, whoever asks: the caller is shown nothing that lies beyond their barrier. Throws 404. */
export const agentRecord = (host: Host, agentId: string): Promise<Agent> => host.ask("agents.show", { agentId });

/** Every agent that lies in a problem set, or outside all of them. */
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
/** Has an agent carry out a task in training; under the same name it is the same run again. Answers its id. */
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

/** How the newest runs of an agent ended that were no training, and lie where it does. */
export const runsLately = (host: Host, agentId: string): Promise<{ id: string; status: string; endedAt?: string }[]> =>
  host.ask("agents.runs.lately", { agentId });

type Circuit = Agent["circuit"];
/** Moves an agent's circuit; false where it did not stand as expected, or stands there already. */
export const moveCircuit = (host: Host, agentId: string, from: readonly Circuit[], to: Circuit): Promise<boolean> =>
  host.ask("agents.circuits.set", { agentId, from, to });
