import type { Actor } from "../../../../core/access/access.ts";
import { asSystem } from "../../../../core/access/caller.ts";
import { iso } from "../../../../core/clock.ts";
import type { Host } from "../../../../core/contract/endpoint.ts";
import { live } from "../../../../core/contract/live.ts";
import { newRequestId } from "../../../../core/ids.ts";
import { isConflict, isProblem, nullIf } from "../../../../core/problem.ts";
import { aloneIn, type Job, type JobRun } from "../../../../core/work/job.ts";
import { Action, ActionChanged, SETTLED } from "./acts.ts";
import { upTo } from "../../../../core/text/cutting.ts";

export const ACT = "assistant.act";
const MESH = asSystem("assistant");
const KEY = "act";
/** Longer than an act may take: afterwards its outcome is checked. */
const LOOK_MS = 90_000;
/** The outcome of an older act is no longer checked: whoever settles it sees its run. */
const LOST_MS = 3 * 86_400_000;
const SWEPT = 100;

/** The fields used here of a step in an agent's run. */
interface Step {
  id: string;
  status: string;
  why: string;
  code?: string;
  argumentsHash: string;
  definitionHash?: string;
  approvalId?: string;
  result?: unknown;
}

export const lookAt = (host: Host): string => iso(host.world.clock.now() + LOOK_MS);

const begin = (host: Host, action: Action): Promise<unknown> =>
  host.jobs.add(ACT, { id: action.id }, { by: action.by, onlookers: aloneIn(action), key: action.id });

/** Tells whoever an act was proposed to, on all their sockets, what became of it. */
export const tellChange = (host: Host, { id, status, by, problemSetId, compartments }: Action): Promise<unknown> =>
  live(host, { event: ActionChanged, to: { userId: by, problemSetId, compartments }, data: { id, status } });

async function change(host: Host, action: Action, wanted: Record<string, unknown>): Promise<Action> {
  const changed = await host.store(Action).revise(MESH, action, wanted);
  if (changed.status !== action.status) await tellChange(host, changed);
  return changed;
}

/** The run of an act, opened once, and its one step through the gate. */
async function stepOf(host: Host, action: Action): Promise<{ action: Action; step: Step }> {
  const { id: actionId, by, problemSetId, tool, isTainted = false, compartments } = action;
  const opened =
    action.executionId ??
    (await host.ask<{ executionId: string }>("agents.assistant.open", { by, problemSetId, tool, actionId }))
      .executionId;
  const kept = action.executionId ? action : await change(host, action, { executionId: opened });
  const before = { compartments, isTainted };
  const asked = { executionId: opened, key: KEY, tool, arguments: action.arguments, before };
  return { action: kept, step: await host.ask<Step>("agents.act", asked, { timeout: LOOK_MS }) };
}

const close = (host: Host, { executionId }: Action, status: "completed" | "stopped" | "failed", reason?: string) =>
  host.ask("agents.runs.close", { executionId, status, ...(reason && { reason: upTo(2_000, reason) }) });

async function settle(host: Host, action: Action, step: Step): Promise<Action> {
  const { status, why, code } = step;
  const made = step.result as { id?: unknown } | undefined;
  if (status === "done" || status === "simulated") {
    await close(host, action, "completed");
    return change(host, action, {
      status: "done",
      dueAt: null,
      ...(typeof made?.id === "string" && { resultId: made.id }),
    });
  }
  if (status === "refused" || status === "failed") {
    await close(host, action, status === "failed" ? "failed" : "stopped", why);
    return change(host, action, { status, dueAt: null, why: upTo(2_000, why), ...(code && { code }) });
  }
  const isLost = Date.parse(action.createdAt) + LOST_MS < host.world.clock.now();
  return change(host, action, {
    status: status === "unknown" ? "unknown" : "waiting",
    dueAt: isLost ? null : lookAt(host),
  });
}

/** Whether the gate asks for exactly what the person answered. */
const isSame = (action: Action, step: Step): boolean =>
  step.argumentsHash === action.argumentsHash && step.definitionHash === action.definitionHash;

/**
 * Gives the gate a person's approval of exactly this act, and has it carried out. If the person's authority does not
 * suffice, it waits among the approvals of agents for somebody whose authority does.
 */
export async function approve(host: Host, given: Action, actor: Actor, reason?: string): Promise<Action> {
  const { action, step } = await stepOf(host, given);
  if (step.status !== "waiting") return settle(host, action, step);
  const asked = { stepId: step.id };
  const approval = await host.ask<{ id: string; hash: string; agentVersion: number } | null>(
    "agents.assistant.approval",
    asked,
  );
  if (!approval || !isSame(action, step) || approval.agentVersion !== action.agentVersion)
    return settle(host, action, { ...step, status: "refused", code: "STALE", why: "It is not what was answered." });
  const params = { approvalId: approval.id, hash: approval.hash, decision: "approve", ...(reason && { reason }) };
  const isDecided = await host.broker
    .call("agents.approvals.decide", params, { meta: { actor }, requestID: newRequestId() })
    .then(() => true)
    .catch((error: unknown) => {
      if (isProblem(error) && (error.code === 403 || error.code === 409)) return false;
      throw error;
    });
  const noted = await change(host, action, { dueAt: lookAt(host), ...(!isDecided && { status: "waiting" }) });
  if (isDecided) await begin(host, action);
  return noted;
}

/** Continues an act, in one place at a time. */
export async function drive(this: Host, { job }: JobRun<{ id: string }>): Promise<void> {
  const found = await this.store(Action).one(MESH, { _id: job.input.id });
  if (!found || SETTLED.includes(found.status) || found.status === "proposed") return;
  const { action, step } = await stepOf(this, found).catch(async (error: unknown) => {
    // Its run was ended from outside, as in an emergency: it does nothing more.
    if (!isConflict(error)) throw error;
    return { action: found, step: null };
  });
  if (step) await settle(this, action, step).catch(nullIf(isConflict));
  else
    await change(this, action, {
      status: "refused",
      code: "ENDED",
      why: "Its run was ended.",
      dueAt: null,
    });
}

export async function giveUp(this: Host, { input }: Job<{ id: string }>, reason: string): Promise<void> {
  const failed = { status: "failed", why: upTo(2_000, reason), dueAt: null };
  await this.store(Action).amend(MESH, input.id, ({ status }) => (SETTLED.includes(status) ? null : failed));
}

/** Continues an act after somebody decided about it. */
export async function goOn(this: Host, { executionId }: { executionId: string }): Promise<void> {
  const action = await this.store(Action).one(MESH, { executionId });
  if (action?.status === "waiting") await begin(this, action);
}

/** Answered acts that no job continues. */
export async function sweepActs(host: Host): Promise<void> {
  const due = { dueAt: { $lte: iso(host.world.clock.now()) } };
  for (const action of await host.store(Action).find(MESH, due, { sort: ["dueAt"], limit: SWEPT }))
    await begin(host, action);
}
