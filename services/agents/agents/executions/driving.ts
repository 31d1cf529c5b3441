import { faultOf, LlmError } from "../../../../adapters/llm/llm.ts";
import { unionOfCompartments } from "../../../../core/access/access.ts";
import { AUTHORITIES } from "../../../../config/safety.ts";
import type { ToolName } from "../../../../config/tools.ts";
import { iso } from "../../../../core/clock.ts";
import type { Host } from "../../../../core/contract/endpoint.ts";
import { isConflict } from "../../../../core/problem.ts";
import type { Job, JobRun } from "../../../../core/work/job.ts";
import { commonsOf } from "../../../../mixins/domain.mixin.ts";
import { Approval } from "../approvals/approvals.ts";
import { accountsOf, hold, settle } from "../gate/budget.ts";
import { definitionsOf, type Definition } from "../gate/definitions.ts";
import { carryOut, compartmentsOf, happened } from "../gate/effects.ts";
import { chainOf, judge, type Judgement, type Proposal } from "../gate/gate.ts";
import { Agent } from "../registry/agents.ts";
import { analysed, planned } from "./analysing.ts";
import { concluded } from "./answers.ts";
import { Execution, OVER, Step, type Answer } from "./executions.ts";
import { heuristicTurn, modelTurn, type Turn } from "./proposing.ts";
import { askApproval, end, noteEffect, noteStep, stepId, stepsOf, tellChange, US } from "./records.ts";

export const DRIVE = "agents.drive";
/** Steps of one run of the job: then it ends, and another goes on. */
const MOST_AT_ONCE = 25;
const MOST_STEPS = 50;
const MOST_EQUAL = 2;
const SWEPT = 100;

const defined = new WeakMap<object, ReadonlyMap<ToolName, Definition>>();
/** The tools of the mesh that a process is part of; its code never changes. */
export function definitionsFor(host: Host): ReadonlyMap<ToolName, Definition> {
  const { services } = commonsOf(host.broker);
  if (!defined.has(services)) defined.set(services, definitionsOf(services));
  return defined.get(services)!;
}

/** A run as it is being driven: its record and its steps, closed as what it has read. */
interface Drive {
  host: Host;
  execution: Execution;
  steps: Step[];
  signal: AbortSignal;
}

/** Has a run driven on, now; harmless where it is under way. */
export async function begin(host: Host, { id, by }: Pick<Execution, "id" | "by">): Promise<void> {
  await host.jobs.add(DRIVE, { executionId: id }, { by, key: id });
}

/** Runs that are due and that no job drives: a wake-up can come while a job ends. */
export async function sweep(this: Host): Promise<void> {
  const due = { dueAt: { $lte: iso(this.world.clock.now()) } };
  for (const execution of await this.store(Execution).find(US, due, { sort: ["dueAt"], limit: SWEPT }))
    await begin(this, execution);
}

async function load(host: Host, id: string, signal: AbortSignal): Promise<Drive | null> {
  const found = await host.store(Execution).one(US, { _id: id });
  if (!found || OVER.includes(found.status) || found.status === "waiting") return null;
  const steps = await stepsOf(host, US, id);
  return {
    host,
    steps,
    signal,
    execution: { ...found, compartments: unionOfCompartments([found, ...steps]) },
  };
}

/** Drives a run on, a step at a time, each durable before the next begins. */
export async function drive(this: Host, { job, signal, progress }: JobRun<{ executionId: string }>): Promise<void> {
  for (let step = 0; step < MOST_AT_ONCE; step++) {
    const at = await load(this, job.input.executionId, signal);
    if (!at) return;
    await progress("working", at.steps.length);
    if (at.execution.status === "queued") {
      const startedAt = iso(this.world.clock.now());
      await tellChange(this, await this.store(Execution).revise(US, at.execution, { status: "running", startedAt }));
      continue;
    }
    // Somebody was first, with the run or with one of its steps: it is read anew.
    await advance(at).catch((error: unknown) => {
      if (!isConflict(error)) throw error;
    });
  }
}

/** Its job has failed too often: so has the run. */
export async function giveUp(this: Host, { input }: Job<{ executionId: string }>, reason: string): Promise<void> {
  const at = await load(this, input.executionId, new AbortController().signal);
  if (at) await end(this, at.execution, "failed", { reason, steps: at.steps });
}

async function advance(at: Drive): Promise<void> {
  const last = at.steps.at(-1);
  if (last?.status === "intended") return resume(at, last);
  if (last?.status === "waiting") return afterApproval(at, last);
  if (last?.status === "unknown") return wait(at, { what: "settlement", id: last.id });
  return turn(at);
}

async function wait({ host, execution, steps }: Drive, waitingFor: Execution["waitingFor"]): Promise<void> {
  const change = {
    status: "waiting",
    waitingFor,
    dueAt: null,
    steps: steps.length,
    compartments: execution.compartments,
  };
  await tellChange(host, await host.store(Execution).revise(US, execution, change));
}

const stop = (at: Drive, reason: string): Promise<void> => {
  const { host, execution, steps } = at;
  return end(host, execution, "stopped", { reason, answer: answerOf(at), steps });
};

const answerOf = ({ host, execution, steps }: Drive): Answer =>
  execution.kind === "analysis" ? analysed(steps, host.world.clock.now()) : concluded(execution, steps);

/** What is to be done next, by plan, model or words. Throws what the model throws. */
async function propose({ host, execution, steps, signal }: Drive, agent: Agent): Promise<Turn> {
  if (execution.kind === "analysis") {
    const act = planned(steps.length);
    return { tokens: 0, ...(act && { act }) };
  }
  const definitions = definitionsFor(host);
  const tools = execution.tools.flatMap(({ name }) => definitions.get(name) ?? []);
  if (execution.method === "heuristic") return heuristicTurn(execution, tools, steps.length);
  const accounts = accountsOf(execution, await chainOf(host, execution.delegationId));
  return modelTurn(host, execution, agent, tools, steps, { accounts, signal });
}

async function turn(at: Drive): Promise<void> {
  const { host, execution, steps } = at;
  if (steps.length >= MOST_STEPS) return stop(at, "It has taken as many steps as a run may.");
  const refused = steps.at(-1);
  if (refused?.code && ENDING.has(refused.code) && refused.status === "refused") return stop(at, refused.why);
  const agent = await host.store(Agent).one(US, { _id: execution.agentId });
  const next = agent && (await propose(at, agent).catch((error: unknown) => failing(error)));
  if (!next) return stop(at, "The agent is not there any longer.");
  if ("fault" in next) return stop(at, next.fault);
  if (next.isBroke) return stop(at, "There is no room for another turn of the model in its budget.");
  if (!next.act) return conclude(at, next);
  return take(at, next.act, next);
}

/** Codes of the gate after which nothing else of a run would pass. */
const ENDING = new Set([
  "PERSON_GONE",
  "NOT_A_MEMBER",
  "FROZEN",
  "AGENT_DEACTIVATED",
  "CIRCUIT_OPEN",
  "AGENT_CHANGED",
  "DELEGATION_ENDED",
  "BUDGET",
]);

function failing(error: unknown): { fault: string } {
  if (error instanceof LlmError && error.kind !== "aborted") return { fault: faultOf(error) };
  throw error;
}

async function conclude(at: Drive, { answer }: Turn): Promise<void> {
  const { host, execution, steps } = at;
  const cited = (answer?.citations ?? []).flatMap((seq) => steps.find((one) => one.seq === seq)?.id ?? []);
  const said: Answer = answer ? { text: answer.text, citations: [...new Set(cited)], method: "llm" } : answerOf(at);
  await end(host, execution, "completed", { answer: said, steps });
}

/** Texts that nobody here vouches for are in what the model reads as soon as any tool has answered. */
const isTainted = (steps: readonly Step[]): boolean => steps.some(({ status }) => status === "done");

const isEqual = (step: Step, tool: string, hash: string): boolean => step.tool === tool && step.argumentsHash === hash;

/** One act through the gate: refused, put before a person, simulated, or done. */
export async function take(
  at: Drive,
  proposal: Proposal,
  { tokens, cost }: Pick<Turn, "tokens" | "cost">,
): Promise<void> {
  const { host, execution, steps } = at;
  const seq = steps.length + 1;
  const judged = await judge(host, definitionsFor(host), {
    run: execution,
    proposal,
    step: stepId(execution.id, seq),
    isTainted: isTainted(steps),
  });
  if (steps.filter((one) => isEqual(one, proposal.tool, judged.argumentsHash)).length >= MOST_EQUAL)
    return stop(at, `It wanted to use ${proposal.tool} a third time with the same arguments.`);
  const draft = { execution, proposal, judged, seq, tokens, cost };
  if (judged.verdict === "forbid") return void (await noteStep(host, { ...draft, status: "refused" }));
  if (execution.dryRun) return void (await noteStep(host, { ...draft, status: "simulated" }));
  if (judged.verdict === "approve") {
    const { record } = await noteStep(host, { ...draft, status: "waiting" });
    await askApproval(host, execution, record);
    return wait({ ...at, steps: [...steps, record] }, { what: "approval", id: record.id });
  }
  const accounts = accountsOf(execution, judged.chain);
  if (!(await hold(host, accounts, { calls: 1 }))) {
    const broke: Judgement = { ...judged, verdict: "forbid", code: "BUDGET", why: "Its calls are used up." };
    return void (await noteStep(host, { ...draft, judged: broke, status: "refused" }));
  }
  const { record, made } = await noteStep(host, { ...draft, status: "intended" });
  // Somebody else drives it too, and has begun this step: theirs is the act.
  if (!made) return settle(host, accounts, { calls: 1 }, {});
  return act(at, record, judged);
}

/** The act itself, and what became of it. */
async function act({ host }: Drive, step: Step, judged: Judgement): Promise<void> {
  const { definition, actor, final } = judged as Required<Judgement>;
  const begun = performance.now();
  const effect = await carryOut(host, definition, { final, actor, step: step.id });
  const compartments = effect.result === undefined ? [] : compartmentsOf(effect.result, actor, definition);
  await noteEffect(host, step, effect, { compartments, ms: Math.round(performance.now() - begun) });
}

const judgeAgain = ({ host, execution, steps }: Drive, step: Step): Promise<Judgement> =>
  judge(host, definitionsFor(host), {
    run: execution,
    proposal: { tool: step.tool, arguments: step.given },
    step: step.id,
    isTainted: isTainted(steps.filter(({ seq }) => seq < step.seq)),
  });

/** An act that a kill cut off: done again where that does no harm, asked for where a read tells, else a person's. */
async function resume(at: Drive, step: Step): Promise<void> {
  const { host } = at;
  const write = (change: Record<string, unknown>): Promise<unknown> => host.store(Step).revise(US, step, change);
  if (step.again) {
    const begun = await host.store(Step).revise(US, step, { again: null });
    const judged = await judgeAgain(at, step);
    return judged.verdict === "forbid" ? refuse(host, begun, judged) : act(at, begun, judged);
  }
  const unknown = { status: "unknown", code: "UNKNOWN", why: "It was cut off: whether it happened, nobody knows." };
  if (step.effect === "once") return void (await write(unknown));
  const judged = await judgeAgain(at, step);
  if (judged.verdict === "forbid" || !judged.actor)
    return void (step.effect === "read" ? await refuse(host, step, judged) : await write(unknown));
  if (step.effect === "probed" && (await happened(host, judged.definition!, judged.final, judged.actor)))
    return void (await write({ status: "done", why: "It was seen to have happened." }));
  return act(at, step, judged);
}

async function refuse(host: Host, step: Step, { why, code }: Pick<Judgement, "why" | "code">): Promise<void> {
  await host.store(Step).revise(US, step, { status: "refused", why, ...(code && { code }) });
}

/** Whether what a person approved is what would be done now, to the letter. */
function isStale(approval: Approval, step: Step, judged: Judgement): boolean {
  const rises =
    judged.approver !== undefined && AUTHORITIES.indexOf(judged.approver) > AUTHORITIES.indexOf(approval.approver);
  return judged.argumentsHash !== step.argumentsHash || judged.definition?.hash !== approval.definitionHash || rises;
}

/** A step that waits for a person: done once where they approved it, by the gate as it stands now. */
async function afterApproval(at: Drive, step: Step): Promise<void> {
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
  const accounts = accountsOf(execution, judged.chain);
  if (!(await hold(host, accounts, { calls: 1 })))
    return refuse(host, step, { code: "BUDGET", why: "Its calls are used up." });
  // Used up before the step begins: a kill in between finds it used, and the step not begun.
  if (approval.status === "approved") await host.store(Approval).revise(US, approval, { status: "used" });
  const begun = await host.store(Step).revise(US, step, { status: "intended", approvedBy: approval.decidedBy });
  return act(at, begun, judged);
}
