import { unionOfCompartments } from "../../../../core/access/barrier.ts";
import { asSystem, onBehalfOf, type Caller } from "../../../../core/access/caller.ts";
import { iso } from "../../../../core/clock.ts";
import type { Host } from "../../../../core/contract/endpoint.ts";
import { live, liveType } from "../../../../core/contract/live.ts";
import { derivedBeside } from "../../../../core/ids.ts";
import { aloneIn } from "../../../../core/work/job.ts";
import { conflict, isConflict, nullIf } from "../../../../core/problem.ts";
import { DuplicateKey } from "../../../../core/records/documents.ts";
import { z } from "zod";
import { closeRun, dropAct } from "../../agents/client.ts";
import { cancelCheckpoints } from "../checkpoints/checkpoint-requests.ts";
import { WorkflowEnded } from "../events.ts";
import type { StepDraft } from "./step-drafts.ts";
import {
  Execution,
  Output,
  OVER,
  EXECUTION_STATES,
  WorkflowStep,
  STEP_OVER,
  type FullStep,
  type ExecutionState,
} from "./executions.ts";
import { upTo } from "../../../../core/text/cutting.ts";

export const MESH = asSystem("orchestration");
const NO_USE = "The workflow has no use for it any longer.";
export const DRIVE = "orchestration.drive";
const MOST_INLINE = 65_536;
export const MOST_OUTPUT = 1_048_576;

export const WorkflowChanged = liveType("workflow.execution.changed", {
  domain: "orchestration",
  summary: "A workflow that you set going got on, waits for somebody, or ended",
  payload: z.object({ id: z.string(), status: z.enum(EXECUTION_STATES) }),
});
export const tellChange = (host: Host, { id, status, by, problemSetId, compartments }: Execution): Promise<unknown> =>
  live(host, { event: WorkflowChanged, to: { userId: by, problemSetId, compartments }, data: { id, status } });

/** The id of a step's record: every process derives the same. Ids of one run sort in the order of its steps. */
export const recordId = (executionId: string, path: string, place: number): string =>
  derivedBeside(executionId, `workflow ${executionId} ${path}`, place);

/** Starts or continues a run now; harmless where it is under way. */
export async function begin(host: Host, execution: Execution): Promise<void> {
  const { id, by } = execution;
  await host.jobs.add(DRIVE, { executionId: id }, { by, onlookers: aloneIn(execution), key: id });
}

/** Continues a run after something that it waited for has arrived. */
export async function wake(host: Host, executionId: string): Promise<void> {
  const found = await host.store(Execution).one(MESH, { _id: executionId });
  if (!found || OVER.includes(found.status)) return;
  const dueAt = iso(host.world.clock.now());
  const execution = await host
    .store(Execution)
    .change(MESH, executionId, ({ status }) => (OVER.includes(status) ? null : { dueAt }));
  await begin(host, execution);
}

/** The steps of a run with their outputs. */
export async function stepsOf(host: Host, caller: Caller, executionId: string): Promise<FullStep[]> {
  const steps = await host.store(WorkflowStep).find(caller, { executionId });
  const long = steps.filter(({ isElsewhere }) => isElsewhere).map(({ id }) => id);
  const values = new Map(
    (long.length ? await host.store(Output).many(caller, long) : []).map(({ id, text }) => [id, text]),
  );
  return steps.map((step): FullStep => {
    const text = step.isElsewhere ? values.get(step.id) : step.text;
    return text === undefined ? step : { ...step, output: JSON.parse(text) as unknown };
  });
}

/**
 * Stores steps that begin, or ended at once, in one durable write: none is stored without those before it. Throws 409
 * where another process drives the run too.
 */
export async function storeSteps(host: Host, by: string, drafts: readonly StepDraft[]): Promise<WorkflowStep[]> {
  const caller = onBehalfOf("orchestration", by);
  try {
    return await host.store(WorkflowStep).createInOrder(drafts.map((fields) => ({ caller, fields })));
  } catch (error) {
    throw error instanceof DuplicateKey ? conflict("Somebody else drives this run too.") : error;
  }
}

/** The fields that hold a step's output, as JSON; a long one gets a record of its own first. */
export async function outputFields(
  host: Host,
  step: Pick<WorkflowStep, "id" | "problemSetId" | "compartments" | "by">,
  text: string,
): Promise<Pick<WorkflowStep, "text" | "isElsewhere">> {
  if (text.length <= MOST_INLINE) return { text };
  const { id, problemSetId, compartments, by } = step;
  await host.store(Output).createOnce(onBehalfOf("orchestration", by), { id, problemSetId, compartments, text });
  return { isElsewhere: true };
}

export interface Ending {
  status: Extract<ExecutionState, "completed" | "stopped" | "failed" | "cancelled" | "expired">;
  code?: string;
  reason?: string;
  /** As JSON. */
  output?: string;
}

/** How long a run has been active until now. */
export const ranUntil = ({ ranMs, runningSince }: Pick<Execution, "ranMs" | "runningSince">, now: number): number =>
  ranMs + (runningSince ? Math.max(0, now - Date.parse(runningSince)) : 0);

/** Ends a run, once: first for all readers, then everything that it began. Answers its new state. */
export async function conclude(
  host: Host,
  executionId: string,
  ending: Ending,
  caller: Caller = MESH,
): Promise<Execution> {
  const now = host.world.clock.now();
  const query = { executionId };
  const [used] = await host.store(WorkflowStep).collection.groups({ query, sum: { tokens: "tokens", cost: "cost" } });
  const facts = ({ id, problemSetId, compartments, by, name, status, reason }: Execution) => [
    WorkflowEnded.fact(id, {
      id,
      problemSetId,
      compartments,
      by,
      name,
      status: status as Ending["status"],
      ...(reason && { reason: upTo(500, reason) }),
    }),
  ];
  const ended = await host.store(Execution).change(
    caller,
    executionId,
    (run) =>
      OVER.includes(run.status)
        ? null
        : {
            ...ending,
            endedAt: iso(now),
            ranMs: ranUntil(run, now),
            runningSince: null,
            waitingFor: null,
            tokens: used?.["tokens"] ?? 0,
            cost: used?.["cost"] ?? 0,
            isClosing: true,
            seat: null,
            dueAt: iso(now),
          },
    { facts },
  );
  await close(host, ended);
  await tellChange(host, ended);
  return ended;
}

/** Ends everything that an ended run began; may be repeated. */
export async function close(host: Host, execution: Execution): Promise<void> {
  const ended = { completed: "ended", cancelled: "was cancelled", stopped: "was stopped" } as Record<string, string>;
  const reason = `The workflow ${ended[execution.status] ?? execution.status}.`;
  const how = { status: execution.status === "completed" ? ("completed" as const) : ("stopped" as const), reason };
  const open = await host.store(WorkflowStep).find(MESH, { executionId: execution.id, status: { $nin: STEP_OVER } });
  await Promise.all([
    ...execution.runs.map(({ executionId }) => closeRun(host, executionId, how)),
    ...open.map((step) => cancelStep(host, step)),
    cancelCheckpoints(host, { executionId: execution.id }),
  ]);
  await host
    .store(Execution)
    .amend(MESH, execution.id, ({ isClosing }) => (isClosing ? { isClosing: null, dueAt: null } : null));
}

/** Cancels a step that is no longer needed, with its requests to agents and people. */
export async function cancelStep(host: Host, step: WorkflowStep): Promise<void> {
  const { id, kind, runId, path } = step;
  const isTask = kind === "agent" || kind === "round";
  if (isTask && runId) await closeRun(host, runId, { status: "stopped", reason: NO_USE });
  if (kind === "tool" && runId && step.status === "waiting") await dropAct(host, { executionId: runId, key: path });
  if (kind === "checkpoint") await cancelCheckpoints(host, { _id: id });
  const endedAt = iso(host.world.clock.now());
  await host
    .store(WorkflowStep)
    .revise(MESH, step, { status: "cancelled", endedAt, waitingSince: null })
    .catch(nullIf(isConflict));
}

/** Adds the compartments of what a run read. Answers it with them. */
export async function closeTo(host: Host, execution: Execution, compartments: readonly string[]): Promise<Execution> {
  if (compartments.every((one) => execution.compartments.includes(one))) return execution;
  const closed = (run: Execution) => unionOfCompartments([run, { compartments: [...compartments] }]);
  await host
    .store(Execution)
    .amend(MESH, execution.id, (run) => (OVER.includes(run.status) ? null : { compartments: closed(run) }));
  return { ...execution, compartments: closed(execution) };
}

/** What all agents of a run may use together. */
export const planOf = ({ id, limits: { calls, tokens, cost } }: Execution) => ({
  id,
  limits: { calls, tokens, ...(cost !== undefined && { cost }) },
});
