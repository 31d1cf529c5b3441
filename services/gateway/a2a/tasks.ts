import { derivedId } from "../../../core/ids.ts";

/** The parts of an agent's run that become a task. */
export interface AgentRun {
  id: string;
  rev: number;
  agentId: string;
  problemSetId?: string;
  task: string;
  input: Record<string, unknown>;
  messageId?: string;
  status: "queued" | "running" | "waiting" | "completed" | "stopped" | "cancelled" | "failed";
  waitingFor?: { what: "approval" | "settlement"; id: string };
  reason?: string;
  method?: string;
  answer?: { text: string } & Record<string, unknown>;
  updatedAt: string;
}

interface Part {
  text?: string;
  data?: unknown;
  mediaType: string;
}
export interface A2aMessage {
  messageId: string;
  contextId: string;
  taskId: string;
  role: "ROLE_USER" | "ROLE_AGENT";
  parts: Part[];
}

const STATES = {
  queued: "TASK_STATE_SUBMITTED",
  running: "TASK_STATE_WORKING",
  completed: "TASK_STATE_COMPLETED",
  stopped: "TASK_STATE_FAILED",
  cancelled: "TASK_STATE_CANCELED",
  failed: "TASK_STATE_FAILED",
} as const;
const WAITING = { approval: "TASK_STATE_AUTH_REQUIRED", settlement: "TASK_STATE_INPUT_REQUIRED" } as const;

/** The filter of the list of runs for each state; null where no run ever has the state. */
export const RUNS_IN: Readonly<Record<string, readonly { status: string; waitingFor?: string }[] | null>> = {
  TASK_STATE_SUBMITTED: [{ status: "queued" }],
  TASK_STATE_WORKING: [{ status: "running" }],
  TASK_STATE_COMPLETED: [{ status: "completed" }],
  TASK_STATE_FAILED: [{ status: "failed" }, { status: "stopped" }],
  TASK_STATE_CANCELED: [{ status: "cancelled" }],
  TASK_STATE_INPUT_REQUIRED: [{ status: "waiting", waitingFor: "settlement" }],
  TASK_STATE_AUTH_REQUIRED: [{ status: "waiting", waitingFor: "approval" }],
  TASK_STATE_REJECTED: null,
};

export const isOver = ({ status }: AgentRun): boolean => !["queued", "running", "waiting"].includes(status);
/** Whether the run is over or waits for a person (A2A 1.0, 3.2.2). */
export const isAtRest = (run: AgentRun): boolean => run.status === "waiting" || isOver(run);

/** A problem set is a context; a run outside all problem sets has a context of its own. */
export const contextOf = ({ id, problemSetId }: AgentRun): string => problemSetId ?? id;
const taskState = ({ status, waitingFor }: AgentRun): string =>
  status === "waiting" ? WAITING[waitingFor?.what ?? "approval"] : STATES[status];

const text = (said: string): Part => ({ text: said, mediaType: "text/plain" });
const json = (data: unknown): Part => ({ data, mediaType: "application/json" });

/** What state the run is in, and where a person can act if it waits for one. */
function wordsOf(run: AgentRun, origin: string): Part[] {
  const { id, waitingFor, reason, problemSetId } = run;
  if (run.status === "waiting" && waitingFor?.what === "settlement") {
    const settle = `${origin}/api/agents/executions/${id}/settle`;
    return [
      text(
        "An act was cut off, and nobody here knows whether it happened. A person finds out and says so, signed in " +
          `themselves: POST ${settle}. No message does.`,
      ),
      json({ stepId: waitingFor.id, settle }),
    ];
  }
  if (run.status === "waiting" && waitingFor) {
    const decide = `${origin}/api/agents/approvals/${waitingFor.id}/decide`;
    const show = `${origin}/api/agents/approvals?problemSetId=${problemSetId ?? ""}`;
    return [
      text(
        "The agent asks to do what a person of enough authority has to approve. They see it, with its hash, at GET " +
          `${show}, and approve or reject it, signed in themselves, by POST ${decide}. No message does.`,
      ),
      json({ approvalId: waitingFor.id, approvals: show, decide }),
    ];
  }
  return reason ? [text(reason)] : [];
}

/** A message of the agent about a run; the same words at the same time have the same message id. */
export const spoken = (run: AgentRun, parts: Part[], what = "status"): A2aMessage => ({
  messageId: derivedId(`a2a ${what} ${run.id} ${run.rev}`),
  contextId: contextOf(run),
  taskId: run.id,
  role: "ROLE_AGENT",
  parts,
});

/** The answer to a message about a waiting task: where a person can act, and that the message had no effect. */
export const refusalInWords = (run: AgentRun, origin: string): A2aMessage =>
  spoken(run, [text("This message changed nothing. Cancel the task, or wait."), ...wordsOf(run, origin)], "answer");

export function taskStatus(run: AgentRun, origin: string) {
  const parts = wordsOf(run, origin);
  return { state: taskState(run), ...(parts.length && { message: spoken(run, parts) }), timestamp: run.updatedAt };
}

/** The result of the run: its answer, and the evidence for it. */
export function artifactsOf({ id, answer }: AgentRun) {
  if (!answer) return [];
  const { text: said, ...rest } = answer;
  return [{ artifactId: derivedId(`a2a answer ${id}`), name: "Answer", parts: [text(said), json(rest)] }];
}

function historyOf(run: AgentRun): A2aMessage[] {
  const { id, task, input, messageId = derivedId(`a2a task ${id}`) } = run;
  const parts = [text(task), ...(Object.keys(input).length ? [json(input)] : [])];
  return [{ messageId, contextId: contextOf(run), taskId: id, role: "ROLE_USER", parts }];
}

/** A run as a task. `historyLength` 0: without its history (3.2.4). */
export function taskOf(
  run: AgentRun,
  origin: string,
  { historyLength, artifacts = true }: { historyLength?: number | undefined; artifacts?: boolean } = {},
) {
  const { id, agentId, method } = run;
  return {
    id,
    contextId: contextOf(run),
    status: taskStatus(run, origin),
    ...(artifacts && { artifacts: artifactsOf(run) }),
    ...(historyLength !== 0 && { history: historyOf(run) }),
    metadata: { agentId, ...(method !== undefined && { method }) },
  };
}
