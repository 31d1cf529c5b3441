import type { LlmFailure } from "../../../../adapters/llm/errors.ts";
import { unionOfCompartments } from "../../../../core/access/barrier.ts";
import { asSystem, onBehalfOf, type Caller } from "../../../../core/access/caller.ts";
import { iso } from "../../../../core/clock.ts";
import type { Host } from "../../../../core/contract/endpoint.ts";
import { live, liveType } from "../../../../core/contract/live.ts";
import type { Fact } from "../../../../core/events/event.ts";
import { derivedId } from "../../../../core/ids.ts";
import { Approval, approvalHash } from "../approvals/approvals.ts";
import { ApprovalWanted, AuthorityLessened, ExecutionEnded, RunOver } from "../events.ts";
import type { Effect } from "../gate/effects.ts";
import { redacted } from "../gate/effects.ts";
import type { ActJudgement, ProposedCall } from "../gate/gate.ts";
import { Execution, Output, OVER, RUN_STATES, AgentStep, type AgentAnswer } from "./executions.ts";
import { z } from "zod";
import { upTo } from "../../../../core/text/cutting.ts";

export const MESH = asSystem("agents");
/** The mark of a run for which the model was unavailable. */
export const MODEL_AWAY = "MODEL_AWAY";
/** Marks of runs ended by the model's own answers: these count against the agent, unavailability does not. */
export const MODEL_ANSWERS: Partial<Record<LlmFailure, string>> = {
  declined: "MODEL_DECLINED",
  malformed: "MODEL_MALFORMED",
};
const HOUR_MS = 3_600_000;
/** A longer answer of a tool has a record of its own. */
const MOST_INLINE = 65_536;

export const ExecutionChanged = liveType("agent.execution.changed", {
  domain: "agents",
  summary: "A run of an agent that acts for you got on, waits for somebody, or ended",
  payload: z.object({ id: z.string(), status: z.enum(RUN_STATES) }),
});

export const tellChange = (host: Host, { id, status, by, problemSetId, compartments }: Execution): Promise<unknown> =>
  live(host, {
    event: ExecutionChanged,
    to: { userId: by, ...(problemSetId !== undefined && { problemSetId, compartments }) },
    data: { id, status },
  });

/** The id of a run's nth step: every process derives the same. */
export const stepId = (executionId: string, seq: number): string => derivedId(`step ${executionId} ${seq}`);

/** The name of the question that leads to a run's nth step. */
export const turnId = (executionId: string, seq: number): string => derivedId(`turn ${executionId} ${seq}`);

/** The id of an act of a composed run, from its key. */
export const actId = (executionId: string, key: string): string => derivedId(`act ${executionId} ${key}`);

const placeOf = ({ problemSetId, owner }: Pick<Execution, "problemSetId" | "owner">) => ({
  ...(problemSetId !== undefined && { problemSetId }),
  ...(owner !== undefined && { owner }),
});

/** A run's steps in order, with the answers of tools. */
export async function stepsOf(host: Host, caller: Caller, executionId: string): Promise<AgentStep[]> {
  const steps = await host.store(AgentStep).find(caller, { executionId }, { sort: ["seq"] });
  const elsewhere = steps.filter(({ isElsewhere }) => isElsewhere);
  const outputs = elsewhere.length
    ? await host.store(Output).many(
        caller,
        elsewhere.map(({ id }) => id),
      )
    : [];
  const valueOf = new Map(outputs.map(({ id, value }) => [id, value]));
  return steps.map((step) => (step.isElsewhere ? { ...step, result: valueOf.get(step.id) } : step));
}

interface Drafted {
  execution: Execution;
  proposal: ProposedCall;
  judged: ActJudgement;
  seq: number;
  tokens: number;
  cost?: number | undefined;
  status: AgentStep["status"];
  key?: string | undefined;
}

/** Stores an act before it is done, or with its refusal; `made` is false where another process already stored it. */
export async function noteStep(host: Host, drafted: Drafted): Promise<{ record: AgentStep; made: boolean }> {
  const { execution, proposal, judged, seq, tokens, cost, status, key } = drafted;
  const id = key === undefined ? stepId(execution.id, seq) : actId(execution.id, key);
  return host.store(AgentStep).createOnce(onBehalfOf("agents", execution.by), {
    id,
    executionId: execution.id,
    agentId: execution.agentId,
    agentVersion: execution.agentVersion,
    delegationId: execution.delegationId,
    ...placeOf(execution),
    compartments: execution.compartments,
    by: execution.by,
    seq,
    tool: upTo(100, proposal.tool),
    class: judged.class,
    effect: judged.definition?.effect,
    given: judged.final,
    arguments: redacted(judged.final) as Record<string, unknown>,
    argumentsHash: judged.argumentsHash,
    definitionHash: judged.definition?.hash,
    verdict: judged.verdict,
    why: upTo(2_000, judged.why),
    code: judged.code,
    autonomy: judged.autonomy,
    approver: judged.approver,
    ...(status === "waiting" && { approvalId: id }),
    status,
    tokens,
    cost,
    key,
  });
}

/** Requests approval of exactly this step; its id is the step's, so that there is only one request. */
export async function askApproval(host: Host, execution: Execution, step: AgentStep): Promise<Approval> {
  const { agentName } = execution;
  const { id: stepId, problemSetId, compartments, tool, agentId, agentVersion, executionId } = step;
  const asked = {
    problemSetId: problemSetId!,
    compartments,
    agentId,
    agentVersion,
    executionId,
    stepId,
    tool,
    definitionHash: step.definitionHash!,
    arguments: step.given,
    approver: step.approver!,
    expiresAt: iso(Date.parse(step.createdAt) + host.world.configurations.agents.approvalHours * HOUR_MS),
  };
  const { record } = await host.store(Approval).createOnce(
    onBehalfOf("agents", execution.by),
    {
      id: stepId,
      ...asked,
      ...(agentName && { agentName }),
      why: step.why,
      for: execution.by,
      hash: approvalHash(asked),
      status: "pending" as const,
    },
    { facts: (made: Approval) => [ApprovalWanted.fact(made.id, approvalTold(made, execution.by))] },
  );
  return record;
}

export const approvalTold = (
  { id, agentId, agentName, problemSetId, compartments, executionId, tool, approver, expiresAt }: Approval,
  by: string,
) => ({
  ...{ id, agentId, problemSetId, compartments, by, executionId, tool, approver, expiresAt },
  ...(agentName && { agentName }),
});

/** Stores the outcome of an act, with the compartments of its answer. */
export async function noteEffect(
  host: Host,
  step: AgentStep,
  { status, result, code, why, retryAfterMs }: Effect,
  { compartments, ms }: { compartments: readonly string[]; ms: number },
): Promise<AgentStep> {
  const closed = unionOfCompartments([step, { compartments }]);
  const isLong = result !== undefined && JSON.stringify(result).length > MOST_INLINE;
  if (isLong)
    await host.store(Output).createOnce(onBehalfOf("agents", step.by), {
      id: step.id,
      ...placeOf(step),
      compartments: closed,
      value: result,
    });
  return host.store(AgentStep).revise(MESH, step, {
    status,
    ms,
    compartments: closed,
    ...(result !== undefined && (isLong ? { isElsewhere: true } : { result })),
    ...(code && { code }),
    ...(why && { why }),
    ...(retryAfterMs && { retryAfterMs }),
  });
}

/** Ends a run. Its result lies in the compartments of everything it read. */
export async function end(
  host: Host,
  execution: Execution,
  status: "completed" | "stopped" | "cancelled" | "failed",
  {
    reason,
    code,
    answer,
    steps,
  }: { reason?: string; code?: string; answer?: AgentAnswer; steps: readonly AgentStep[] },
): Promise<void> {
  if (OVER.includes(execution.status)) return;
  const change = {
    status,
    endedAt: iso(host.world.clock.now()),
    dueAt: null,
    seat: null,
    waitingFor: null,
    steps: steps.length,
    compartments: unionOfCompartments([execution, ...steps]),
    ...(reason && { reason }),
    ...(code && { code }),
    ...(answer && { answer }),
  };
  const { problemSetId, agentId, agentName, id, by } = execution;
  const toSet = (made: Execution): Fact[] =>
    problemSetId === undefined
      ? []
      : [
          ExecutionEnded.fact(id, {
            id,
            agentId,
            problemSetId,
            compartments: made.compartments,
            by,
            status,
            ...(agentName && { agentName }),
            ...(reason && { reason }),
          }),
        ];
  const over = execution.kind === "composed" ? [] : [RunOver.fact(id, { agentId })];
  const facts = (made: Execution): Fact[] => (execution.training ? [] : [...toSet(made), ...over]);
  const ended = await host.store(Execution).revise(MESH, execution, change, { facts });
  void AuthorityLessened.emit(host, { executionId: id });
  await tellChange(host, ended);
}
