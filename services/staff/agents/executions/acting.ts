import { AUTHORITIES } from "../../../../config/safety.ts";
import { iso } from "../../../../core/clock.ts";
import type { Host } from "../../../../core/contract/endpoint.ts";
import { conflict, isConflict } from "../../../../core/problem.ts";
import { Approval } from "../approvals/approvals.ts";
import { accountsOf, hold, settleHold } from "../gate/budget.ts";
import { carryOutAct, answerCompartments, happened } from "../gate/effects.ts";
import { judgeAct, stoppedMeanwhile, type ActJudgement, type ProposedCall } from "../gate/gate.ts";
import { Execution, AgentStep } from "./executions.ts";
import type { NextStep } from "./proposing.ts";
import { actId, askApproval, noteEffect, noteStep, stepId, tellChange, MESH } from "./records.ts";

const MOST_EQUAL = 2;
/** The cost of an act. */
const ONE = { calls: 1 };

/** A run in progress: its record and its steps, in the compartments of all that it has read. */
export interface Drive {
  host: Host;
  execution: Execution;
  steps: AgentStep[];
  signal: AbortSignal;
  /** For a composed run: whether any run of the composition read foreign text before this act. */
  isTainted?: boolean;
}

/** Parks a run until a person acts, without a worker; a composed run continues elsewhere meanwhile. */
export async function wait({ host, execution, steps }: Drive, waitingFor: Execution["waitingFor"]): Promise<void> {
  if (execution.kind === "composed") return;
  const change = {
    status: "waiting",
    waitingFor,
    dueAt: null,
    steps: steps.length,
    compartments: execution.compartments,
  };
  await tellChange(host, await host.store(Execution).revise(MESH, execution, change));
}

/** The model's context contains foreign text as soon as any tool has answered. */
const isTainted = ({ isTainted: before, execution }: Drive, steps: readonly AgentStep[]): boolean =>
  before ?? (execution.isTainted === true || steps.some(({ status }) => !UNHEARD.includes(status)));
const UNHEARD: readonly string[] = ["waiting", "refused", "simulated"];

const isEqual = (step: AgentStep, tool: string, hash: string): boolean =>
  step.tool === tool && step.argumentsHash === hash;

/** One act through the gate: refused, put before a person, simulated, or carried out. */
export async function takeAct(
  at: Drive,
  proposal: ProposedCall,
  { tokens, cost }: Pick<NextStep, "tokens" | "cost">,
  key?: string,
): Promise<"repeated" | void> {
  const { host, execution, steps } = at;
  const seq = key === undefined ? steps.length + 1 : await nextSeq(host, execution.id);
  const id = key === undefined ? stepId(execution.id, seq) : actId(execution.id, key);
  const judged = await judgeAct(host, {
    run: execution,
    proposal,
    step: id,
    isTainted: isTainted(at, steps),
  });
  const equal = steps.filter((one) => isEqual(one, proposal.tool, judged.argumentsHash));
  if (execution.kind !== "composed" && equal.length >= MOST_EQUAL) return "repeated";
  const draft = { execution, proposal, judged, seq, tokens, cost, key };
  if (judged.verdict === "forbid") return void (await note(host, { ...draft, status: "refused" }));
  const isTried = execution.training && (judged.verdict === "approve" || judged.definition?.effect !== "read");
  if (execution.dryRun || isTried) return void (await note(host, { ...draft, status: "simulated" }));
  if (judged.verdict === "approve") {
    const { record } = await note(host, { ...draft, status: "waiting" });
    await askApproval(host, execution, record);
    return wait({ ...at, steps: [...steps, record] }, { what: "approval", id: record.id });
  }
  if (!(await hold(host, accountsOf(host, execution, judged.chain), id, ONE))) {
    const broke: ActJudgement = { ...judged, verdict: "forbid", code: "BUDGET", why: "Its calls are used up." };
    return void (await note(host, { ...draft, judged: broke, status: "refused" }));
  }
  const { record, made } = await note(host, { ...draft, status: "intended" });
  // Another process drives the run too, and began this step: the act, and its reservation, are that process's.
  if (!made) return;
  return act(at, record, judged);
}

/** Carries out the act and records its outcome. */
async function act({ host, execution }: Drive, step: AgentStep, judged: ActJudgement): Promise<void> {
  const { definition, actor, final } = judged as Required<ActJudgement>;
  const accounts = accountsOf(host, execution, judged.chain);
  const stop = await stoppedMeanwhile(host, execution);
  if (stop) {
    await settleHold(host, accounts, step.id, { held: ONE, used: {} });
    return refuse(host, step, stop);
  }
  const begun = performance.now();
  const effect = await carryOutAct(host, definition, { run: execution, final, actor, step: step.id });
  const compartments = effect.result === undefined ? [] : answerCompartments(effect.result, actor, definition);
  await Promise.all([
    noteEffect(host, step, effect, { compartments, ms: Math.round(performance.now() - begun) }),
    settleHold(host, accounts, step.id, { held: ONE, used: ONE }),
  ]);
}

function judgeAgain(at: Drive, step: AgentStep): Promise<ActJudgement> {
  const { host, execution, steps } = at;
  return judgeAct(host, {
    run: execution,
    proposal: { tool: step.tool, arguments: step.given },
    step: step.id,
    isTainted: isTainted(
      at,
      steps.filter(({ seq }) => seq < step.seq),
    ),
  });
}

/** Whether an act that had begun may continue: where it needs approval by now, it was approved before. */
const isLet = ({ approvedBy }: AgentStep, { verdict }: ActJudgement): boolean =>
  verdict === "allow" || (verdict === "approve" && approvedBy !== undefined);
const refusalOf = (judged: ActJudgement): Pick<ActJudgement, "why" | "code"> =>
  judged.verdict === "approve" ? { code: "APPROVAL_STALE", why: judged.why } : judged;

/** An act cut off by a kill: repeated where that is harmless, checked where a read can tell, else left to a person. */
export async function resume(at: Drive, step: AgentStep): Promise<void> {
  const { host } = at;
  const write = (change: Record<string, unknown>): Promise<unknown> => host.store(AgentStep).revise(MESH, step, change);
  if (step.again) {
    const begun = await host.store(AgentStep).revise(MESH, step, { again: null });
    const judged = await judgeAgain(at, step);
    return isLet(step, judged) ? act(at, begun, judged) : refuse(host, begun, refusalOf(judged));
  }
  const unknown = { status: "unknown", code: "UNKNOWN", why: "It was cut off: whether it happened, nobody knows." };
  if (step.effect === "once") return void (await write(unknown));
  const judged = await judgeAgain(at, step);
  if (!isLet(step, judged) || !judged.actor)
    return void (step.effect === "read" ? await refuse(host, step, refusalOf(judged)) : await write(unknown));
  if (step.effect === "probed" && (await happened(host, judged.definition!, judged.final, judged.actor)))
    return void (await write({ status: "done", why: "It was seen to have happened." }));
  return act(at, step, judged);
}

async function refuse(host: Host, step: AgentStep, { why, code }: Pick<ActJudgement, "why" | "code">): Promise<void> {
  await host.store(AgentStep).revise(MESH, step, { status: "refused", why, ...(code && { code }) });
}

/** Whether what a person approved differs from what would be done now. */
function isStale(approval: Approval, step: AgentStep, judged: ActJudgement): boolean {
  const rises =
    judged.approver !== undefined && AUTHORITIES.indexOf(judged.approver) > AUTHORITIES.indexOf(approval.approver);
  return judged.argumentsHash !== step.argumentsHash || judged.definition?.hash !== approval.definitionHash || rises;
}

/** A step that waited for a person: carried out once if approved, and if the gate still allows it. */
export async function afterApproval(at: Drive, step: AgentStep): Promise<void> {
  const { host, execution } = at;
  const approval = await askApproval(host, execution, step);
  const now = iso(host.world.clock.now());
  if (approval.status === "pending" && approval.expiresAt > now) return wait(at, { what: "approval", id: approval.id });
  if (approval.status === "rejected")
    return refuse(host, step, { code: "REJECTED", why: approval.reason ?? "A person rejected it." });
  if (approval.status !== "used" && (approval.status !== "approved" || approval.expiresAt <= now))
    return refuse(host, step, { code: "APPROVAL_EXPIRED", why: "Nobody approved it in time." });
  const judged = await judgeAgain(at, step);
  if (judged.verdict === "forbid") return refuse(host, step, judged);
  if (isStale(approval, step, judged))
    return refuse(host, step, { code: "APPROVAL_STALE", why: "It is not what was approved any longer." });
  if (!(await hold(host, accountsOf(host, execution, judged.chain), step.id, ONE)))
    return refuse(host, step, { code: "BUDGET", why: "Its calls are used up." });
  // The approval is used up before the step begins: after a kill in between it is used, and the step has not begun.
  if (approval.status === "approved") await host.store(Approval).revise(MESH, approval, { status: "used" });
  const begun = await host.store(AgentStep).revise(MESH, step, { status: "intended", approvedBy: approval.decidedBy });
  return act(at, begun, judged);
}

/**
 * As `noteStep`; a composed act whose number is taken uses the next one: some servers of MongoDB's protocol give two
 * concurrent counts the same number (a mongod does not).
 */
async function note(host: Host, drafted: Parameters<typeof noteStep>[1]): ReturnType<typeof noteStep> {
  for (let left = MOST_NUMBERS; ; left--) {
    try {
      return await noteStep(host, drafted);
    } catch (error) {
      if (drafted.key === undefined || left === 1 || !isConflict(error)) throw error;
      drafted.seq = await nextSeq(host, drafted.execution.id);
    }
  }
}
const MOST_NUMBERS = 5;

/** The number of the next act of a composed run; no act begins after the run has ended. */
async function nextSeq(host: Host, executionId: string): Promise<number> {
  const goingOn = { _id: executionId, status: "running" };
  const run = await host.store(Execution).collection.claim(goingOn, { $inc: { steps: 1 } });
  if (!run) throw conflict("This run is not one that is composed, or it has ended.");
  return run["steps"] as number;
}
