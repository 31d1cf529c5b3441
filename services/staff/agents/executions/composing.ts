import { isDeepStrictEqual } from "node:util";
import { unionOfCompartments } from "../../../../core/access/barrier.ts";
import type { Host } from "../../../../core/contract/endpoint.ts";
import { conflict, isConflict, isNotFound, nullIf } from "../../../../core/problem.ts";
import { retryOnConflict } from "../../../../core/records/conflict-retry.ts";
import { approvalTold, stepsOf, actId, end, MESH } from "./records.ts";
import { ApprovalDecided } from "../events.ts";
import { Approval } from "../approvals/approvals.ts";
import type { ProposedCall } from "../gate/gate.ts";
import { afterApproval, resume, takeAct, type Drive } from "./acting.ts";
import { DRIVE } from "./driving.ts";
import { Execution, Output, OVER, AgentStep } from "./executions.ts";

/** What other runs of the composition read before an act: its compartments, and whether any of it was foreign text. */
export interface Before {
  compartments: readonly string[];
  isTainted: boolean;
}
interface How {
  before?: Before | undefined;
  /** Whether a failed act is tried again under its name; not for acts that repeat each time. */
  again?: boolean | undefined;
}

/** The composed run. Throws 409 once it has ended. */
async function composed(host: Host, executionId: string, before: Before | undefined): Promise<Drive> {
  const found = await host.store(Execution).get(MESH, executionId);
  if (found.kind !== "composed" || OVER.includes(found.status))
    throw conflict("This run is not one that is composed, or it has ended.", { status: found.status });
  // A composing domain that passes what came before saves reading the run's own steps.
  const steps = before ? [] : await stepsOf(host, MESH, executionId);
  const execution = { ...found, compartments: unionOfCompartments([found, before ?? {}, ...steps]) };
  const signal = new AbortController().signal;
  return { host, execution, steps, signal, ...(before && { isTainted: before.isTainted }) };
}

/** An act with its whole answer. */
async function whole(host: Host, step: AgentStep): Promise<AgentStep> {
  const output = step.isElsewhere ? await host.store(Output).one(MESH, { _id: step.id }) : null;
  return output ? { ...step, result: output.value } : step;
}

/**
 * One act of a composed run, identified by its key: a repeated call continues what was begun under that key, after a
 * kill or an approval, and begins nothing twice. The composing domain must use a key in one place at a time. Throws 409
 * where the key names another act.
 */
export function actFor(
  host: Host,
  executionId: string,
  key: string,
  proposal: ProposedCall,
  how: How = {},
): Promise<AgentStep> {
  const id = actId(executionId, key);
  return retryOnConflict(async () => {
    const at = await composed(host, executionId, how.before);
    const mine = await host.store(AgentStep).one(MESH, { _id: id });
    if (mine && mine.tool !== proposal.tool) throw conflict("This key names another act of the run.", { key });
    if (!mine) await takeAct(at, proposal, { tokens: 0 }, key);
    else if (mine.status === "intended") await resume(at, mine);
    else if (mine.status === "waiting") await afterApproval(at, mine);
    else if (how.again && mine.status === "failed" && mine.effect !== "once")
      await resume(
        at,
        await host.store(AgentStep).revise(MESH, mine, { status: "intended", code: null, retryAfterMs: null }),
      );
    else return whole(host, mine);
    return whole(host, await host.store(AgentStep).get(MESH, id));
  });
}

/** Ends a run of another domain: withdraws its pending requests, and stops whoever drives it. */
export async function close(
  host: Host,
  executionId: string,
  { status, reason }: { status: "completed" | "stopped" | "cancelled" | "failed"; reason?: string | undefined },
): Promise<void> {
  const steps = await retryOnConflict(async () => {
    const execution = await host.store(Execution).get(MESH, executionId);
    const steps = await stepsOf(host, MESH, executionId);
    await end(host, execution, status, { steps, ...(reason && { reason }) });
    return steps;
  });
  await host.jobs.cancel(`${DRIVE}:${executionId}`);
  // An act waits for a person, or for the run to continue after a person's decision.
  const waiting = steps.filter((step) => step.status === "waiting").map(({ id }) => id);
  const asked = await cancelApprovals(host, { executionId }, reason);
  for (const id of new Set([...waiting, ...asked])) await refuseIfWaiting(host, id);
}

const NO_LONGER = "It is asked for no longer.";
const refuseIfWaiting = (host: Host, stepId: string): Promise<unknown> =>
  host
    .store(AgentStep)
    .amend(MESH, stepId, ({ status }) =>
      status === "waiting" ? { status: "refused", code: "CANCELLED", why: NO_LONGER } : null,
    )
    .catch(nullIf(isNotFound));

/** Refuses an act that waits for a person, and withdraws its approval request; an act that has begun continues. */
export async function drop(host: Host, executionId: string, key: string): Promise<void> {
  const id = actId(executionId, key);
  await refuseIfWaiting(host, id);
  await cancelApprovals(host, { _id: id }, NO_LONGER);
}

/** Answers the ids of the acts whose approval was pending. */
async function cancelApprovals(
  host: Host,
  which: { executionId: string } | { _id: string },
  reason: string | undefined,
): Promise<string[]> {
  const pending = await host.store(Approval).find(MESH, { ...which, status: "pending" });
  for (const one of pending) {
    const told = { ...approvalTold(one, one.for), status: "cancelled" as const };
    const facts = [ApprovalDecided.fact(one.id, told)];
    const change = { status: "cancelled", ...(reason && { reason }) };
    await host.store(Approval).revise(MESH, one, change, { facts }).catch(nullIf(isConflict));
  }
  return pending.map(({ stepId }) => stepId);
}

/** Whether an argument is a placeholder for a value known only during the run. */
export const isOpen = (value: unknown): boolean =>
  value !== null && typeof value === "object" && typeof (value as Record<string, unknown>)["$ref"] === "string";

/** The paths at which a value contains such placeholders. */
export function openPaths(value: unknown, path: readonly string[] = []): string[] {
  if (isOpen(value)) return [path.join(".")];
  if (value === null || typeof value !== "object") return [];
  return Object.entries(value).flatMap(([name, one]) => openPaths(one, [...path, name]));
}

/** Whether a fault at one path may be caused by a placeholder at another. */
export const concerns = (path: string, open: readonly string[]): boolean =>
  open.some(
    (one) => isDeepStrictEqual(one, path) || path.startsWith(`${one}.`) || one.startsWith(`${path}.`) || path === "",
  );
