import { iso } from "../../../../core/clock.ts";
import type { Host } from "../../../../core/contract/endpoint.ts";
import { inWords, isProblem } from "../../../../core/problem.ts";
import { act, closeRun, openRun, showRun, STOPPING, type AgentPin, type RunState } from "../../agents/client.ts";
import { askDecision } from "../checkpoints/checkpoint-requests.ts";
import { argumentsOf, Checkpoint, editedOf } from "../checkpoints/checkpoints.ts";
import { choose } from "../supervisors/choosing.ts";
import type {
  AgentStep,
  ConditionStep,
  StepOutcome,
  RoundStep,
  StepDefinition,
  ToolStep,
} from "../workflows/definitions.ts";
import { conditionError, conditionHolds } from "../workflows/conditions.ts";
import { Missing, resolved, type ReferenceScope } from "../workflows/references.ts";
import type { Execution, WorkflowStep } from "./executions.ts";
import { planOf, MESH } from "./records.ts";
import type { StepDraft } from "./step-drafts.ts";
import type { Provenance } from "./scopes.ts";
import { upTo } from "../../../../core/text/cutting.ts";

const ATTEMPT_MS = 60_000;
const LONGEST_PAUSE_MS = 60_000;
/** The longest pause that a server may ask for: nothing is reserved meanwhile. */
const LONGEST_REST_MS = 86_400_000;
/** How soon a run of an agent is read again, in case its event is lost. */
const LOOK_MS = 5_000;

/** A step's present result. */
export type Became =
  | { ended: StepOutcome; output: unknown; standing?: Provenance; fields?: Partial<WorkflowStep> }
  | {
      failed: string;
      why: string;
      mayPass?: true;
      retryAfterMs?: number;
      standing?: Provenance;
      fields?: Partial<WorkflowStep>;
    }
  | { parked: "running" | "waiting" | "unknown"; dueAt?: string; fields?: Partial<WorkflowStep> };

/** A step to take, with its record if it has one. */
export interface Taking {
  host: Host;
  execution: Execution;
  definition: StepDefinition;
  path: string;
  values: ReferenceScope;
  before: Provenance;
  record: StepDraft;
  signal: AbortSignal;
}

const BROKEN = /^(?:INTERNAL|TIMEOUT|OVERLOADED|UPSTREAM_|STORE|UNKNOWN_FAULT)/;

/** A call's error as the step's failure: a transient one is tried again. */
export function failureOf(error: unknown): Became {
  if (error instanceof Missing) return { failed: "REFERENCE", why: error.message };
  if (!isProblem(error)) {
    const name = (error as { name?: string } | null)?.name;
    return { failed: name === "RequestTimeoutError" ? "TIMEOUT" : "INTERNAL", why: inWords(error), mayPass: true };
  }
  const after = Number(error.data?.headers?.["Retry-After"]);
  return {
    failed: error.type,
    why: error.message,
    ...((error.code >= 500 || error.code === 429) && { mayPass: true as const }),
    ...(after > 0 && { retryAfterMs: Math.min(LONGEST_REST_MS, after * 1_000) }),
  };
}

/** Waits for an answer as long as the attempt may take; a later one is ignored. */
async function withinTime<T>(work: Promise<T>, ms: number, signal: AbortSignal): Promise<T | "late"> {
  const { promise, resolve } = Promise.withResolvers<"late">();
  const timer = setTimeout(() => resolve("late"), ms);
  const leave = (): void => resolve("late");
  signal.addEventListener("abort", leave, { once: true });
  work.catch(() => undefined);
  try {
    return await Promise.race([work, promise]);
  } finally {
    clearTimeout(timer);
    signal.removeEventListener("abort", leave);
  }
}

const pinOf = ({ pins }: Execution, agentId: string): AgentPin => pins.find((pin) => pin.agentId === agentId)!;

async function takeTool(taking: Taking, definition: ToolStep): Promise<Became> {
  const { host, execution, path, before, record, values, signal } = taking;
  const run = execution.runs.find(({ agentId }) => agentId === definition.agent)!;
  const ms = definition.timeoutMs ?? ATTEMPT_MS;
  const given = resolved(definition.arguments, values) as Record<string, unknown>;
  const asked = { executionId: run.executionId, key: path, tool: definition.tool, arguments: given, before };
  const done = await withinTime(act(host, { ...asked, again: record.attempt > 1 }, ms + 1_000), ms, signal);
  if (done === "late") return { failed: "TIMEOUT", why: `It took longer than ${ms} ms.`, mayPass: true };
  const fields: Partial<WorkflowStep> = {
    actId: done.id,
    runId: run.executionId,
    verdict: done.verdict,
    argumentsHash: done.argumentsHash,
    why: upTo(2_000, done.why),
    ...(done.class && { class: done.class }),
    ...(done.effect && { effect: done.effect }),
    ...(done.approvedBy && { approvedBy: done.approvedBy }),
  };
  const standing = { compartments: done.compartments, isTainted: true };
  if (done.status === "done" || done.status === "simulated")
    return { ended: "done", output: done.result ?? null, standing, fields };
  if (done.status === "waiting" || done.status === "unknown") return { parked: done.status, fields };
  const { code = "REFUSED", why, retryAfterMs = 0 } = done;
  const mayPass = done.status === "failed" && BROKEN.test(code);
  const again = { mayPass: true as const, retryAfterMs: Math.min(LONGEST_REST_MS, retryAfterMs) };
  return { failed: code, why, fields, standing, ...(mayPass && again) };
}

/** A task for an agent, driven by its domain: begins it, or reads its state. */
async function takeAgent(taking: Taking, definition: AgentStep | RoundStep, agentId: string): Promise<Became> {
  const { host, execution, path, before, record, values } = taking;
  const { cost, tokens } = execution.limits;
  const runId =
    record.runId ??
    (await openRun(host, `workflow/${execution.id}/${path}/${record.attempt}`, {
      by: execution.by,
      problemSetId: execution.problemSetId,
      kind: "task",
      task: definition.task,
      input: resolved(definition.input, values) as Record<string, unknown>,
      isTainted: before.isTainted,
      compartments: before.compartments,
      plan: planOf(execution),
      limits: { calls: Math.min(50, execution.limits.calls), tokens, ...(cost !== undefined && { cost }) },
      pin: pinOf(execution, agentId),
    }));
  const run = await showRun(host, runId);
  const standing = { compartments: run.compartments, isTainted: true };
  const fields: Partial<WorkflowStep> = {
    runId,
    agentId,
    tokens: run.usedTokens,
    ...(run.usedCost && { cost: run.usedCost }),
  };
  if (run.status === "completed") {
    const { text = "", method = "rules", citations = [], findings, unsupported } = run.answer ?? {};
    const output = {
      ...{ text, method, citations, agentId },
      ...(findings && { findings }),
      ...(unsupported && { unsupported }),
    };
    return { ended: "done", output, standing, fields };
  }
  if (run.status === "stopped" || run.status === "cancelled" || run.status === "failed")
    return { failed: codeOf(run), why: run.reason ?? "It did not end well.", standing, fields };
  const now = host.world.clock.now();
  if (run.status === "waiting") return { parked: "waiting", dueAt: iso(now + 12 * LOOK_MS), fields };
  const spent = now - Date.parse(record.startedAt) - waitedUntil(record, now);
  if (spent < definition.timeoutMs) return { parked: "running", dueAt: iso(now + LOOK_MS), fields };
  await closeRun(host, runId, { status: "stopped", reason: "It took longer than its step may." });
  return { failed: "TIMEOUT", why: `It took longer than ${definition.timeoutMs} ms.`, standing, fields };
}

/** What stopped a task for good, as freezing does, stops its workflow; all else is a failure of the step's own. */
const codeOf = ({ status, code }: RunState): string =>
  code !== undefined && STOPPING.has(code) ? code : status === "failed" ? "AGENT_FAILED" : "AGENT_STOPPED";

/** How long a step has waited for people so far. */
export const waitedUntil = (
  { waitedMs, waitingSince }: Pick<WorkflowStep, "waitedMs" | "waitingSince">,
  now: number,
): number => waitedMs + (waitingSince ? Math.max(0, now - Date.parse(waitingSince)) : 0);

async function takeRound(taking: Taking, definition: RoundStep): Promise<Became> {
  const { agentId: known, choice: told } = taking.record;
  if (known) return round(await takeAgent(taking, definition, known), known, told);
  const choice = await choose(taking, definition);
  if ("finished" in choice)
    return {
      ended: "else",
      output: { finished: true },
      fields: { choice: choice.told, ...withChoice({}, choice.told) },
    };
  return round(await takeAgent(taking, definition, choice.agentId), choice.agentId, choice.told);
}
/** The cost of a round: its agent's task, and the choice of the agent. */
function withChoice(
  { tokens = 0, cost }: Partial<WorkflowStep>,
  choice: WorkflowStep["choice"] = {},
): Partial<WorkflowStep> {
  const { tokens: ofChoice = 0, cost: price } = choice as { tokens?: number; cost?: number };
  const costs = cost === undefined && price === undefined ? {} : { cost: (cost ?? 0) + (price ?? 0) };
  return { tokens: tokens + ofChoice, ...costs };
}
const round = (became: Became, agentId: string, choice: WorkflowStep["choice"]): Became => {
  const own = became.fields ?? {};
  const fields = { ...own, agentId, ...(choice && { choice }), ...withChoice(own, choice) };
  return "ended" in became ? { ...became, ended: "then", fields } : { ...became, fields };
};

async function takeCheckpoint({ host, execution, definition, path, values, before, record }: Taking): Promise<Became> {
  if (definition.kind !== "checkpoint") throw new TypeError("No checkpoint.");
  const known = await host.store(Checkpoint).one(MESH, { _id: record.id });
  const checkpoint =
    known ??
    (await askDecision(host, execution, {
      id: record.id,
      path,
      definition,
      final: resolved(definition.arguments, values) as Record<string, unknown>,
      compartments: before.compartments,
      at: record.startedAt,
    }));
  const { status, decidedBy, hash, editedHash, reason } = checkpoint;
  const fields: Partial<WorkflowStep> = {
    argumentsHash: editedHash ?? hash,
    ...(decidedBy && { approvedBy: decidedBy }),
    ...(reason && { why: reason }),
  };
  if (status === "approved") return { ended: "done", output: editedOf(checkpoint) ?? argumentsOf(checkpoint), fields };
  if (status === "rejected") return { failed: "REJECTED", why: reason ?? "A person rejected it.", fields };
  if (status === "pending") return { parked: "waiting", dueAt: checkpoint.expiresAt, fields };
  return { failed: "EXPIRED", why: "Nobody decided it in time.", fields };
}

/** The result of a condition: it calls nothing, and is always the same for the same values. */
export function reckon({ if: text }: ConditionStep, values: ReferenceScope): Exclude<Became, { parked: string }> {
  try {
    const result = conditionHolds(text, values);
    return { ended: result ? "then" : "else", output: { result } };
  } catch (error) {
    return { failed: "CONDITION", why: conditionError(error) };
  }
}

/** Takes a step, or checks a parked one. `failureOf` turns what it throws into a failure. */
export async function takeStep(taking: Taking): Promise<Became> {
  const { definition, values, host, record } = taking;
  switch (definition.kind) {
    case "tool":
      return takeTool(taking, definition);
    case "agent":
      return takeAgent(taking, definition, definition.agent);
    case "round":
      return takeRound(taking, definition);
    case "checkpoint":
      return takeCheckpoint(taking);
    case "condition":
      return reckon(definition, values);
    case "wait": {
      const dueAt = iso(Date.parse(record.startedAt) + definition.ms);
      return dueAt <= iso(host.world.clock.now())
        ? { ended: "done", output: { at: dueAt } }
        : { parked: "waiting", dueAt };
    }
    case "end":
      return { ended: "done", output: definition.output === undefined ? null : resolved(definition.output, values) };
    case "map":
      throw new TypeError("The items of a map are taken one by one.");
  }
}

/** When a step's next attempt is due, after this many; null where it was the last. */
export function nextAttempt(
  { retry }: ToolStep,
  attempt: number,
  retryAfterMs: number | undefined,
  now: number,
): string | null {
  if (attempt >= retry.attempts) return null;
  const pause = Math.min(LONGEST_PAUSE_MS, retry.firstMs * 2 ** (attempt - 1)) * (0.75 + Math.random() / 4);
  return iso(now + Math.max(pause, retryAfterMs ?? 0));
}
