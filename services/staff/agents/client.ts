import { systemActor } from "../../../core/access/access.ts";
import type { Host } from "../../../core/contract/endpoint.ts";
import { newRequestId } from "../../../core/ids.ts";
import { Agent } from "./registry/agents.ts";

/** What validation shows of agents. */
export { Agent };
export { MODEL_AWAY } from "./executions/records.ts";

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

/** How the newest runs of an agent ended that were no training. */
export const runsLately = (host: Host, agentId: string): Promise<{ id: string; status: string; endedAt?: string }[]> =>
  host.ask("agents.runs.lately", { agentId });

type Circuit = Agent["circuit"];
/** Moves an agent's circuit; false where it did not stand as expected, or stands there already. */
export const moveCircuit = (host: Host, agentId: string, from: readonly Circuit[], to: Circuit): Promise<boolean> =>
  host.ask("agents.circuits.set", { agentId, from, to });
