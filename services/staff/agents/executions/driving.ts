import { unionOfCompartments } from "../../../../core/access/barrier.ts";
import { iso } from "../../../../core/clock.ts";
import type { Host } from "../../../../core/contract/endpoint.ts";
import { isConflict } from "../../../../core/problem.ts";
import { aloneIn, type Job, type JobRun } from "../../../../core/work/job.ts";
import { accountsOf } from "../gate/budget.ts";
import { delegationChain, endOf } from "../gate/gate.ts";
import { underWatch, Withdrawn } from "../gate/watch.ts";
import { STOPPING } from "../gate/withdrawals.ts";
import { Agent } from "../registry/agents.ts";
import { asBegun } from "../registry/versions.ts";
import { toolsNamed } from "../gate/definitions.ts";
import { afterApproval, resume, takeAct, wait, type Drive } from "./acting.ts";
import { analysed, nextPage } from "./analysing.ts";
import { concluded, written } from "./answers.ts";
import { Execution, OVER, type AgentAnswer } from "./executions.ts";
import { heuristicTurn, modelTurn, type NextStep } from "./proposing.ts";
import { end, MODEL_AWAY, stepsOf, tellChange, MESH } from "./records.ts";

export const DRIVE = "agents.drive";
/** Steps per job: then the job ends, and another continues. */
const MOST_AT_ONCE = 25;
const SWEPT = 100;

/** Starts or continues a run now; harmless where it is under way. */
export async function begin(host: Host, execution: Execution): Promise<void> {
  const { id, by } = execution;
  await host.jobs.add(DRIVE, { executionId: id }, { by, onlookers: aloneIn(execution), key: id });
}

/** Continues a run that waited. */
export async function goOn(host: Host, executionId: string): Promise<void> {
  const { clock } = host.world;
  const execution = await host
    .store(Execution)
    .change(MESH, executionId, ({ status, kind }) =>
      OVER.includes(status) || kind === "composed"
        ? null
        : { status: "running", waitingFor: null, dueAt: iso(clock.now()) },
    );
  if (execution.kind !== "composed") await begin(host, execution);
}

/** Runs that are due without a job: a wake-up can arrive while a job ends. */
export async function sweep(this: Host): Promise<void> {
  const due = { dueAt: { $lte: iso(this.world.clock.now()) } };
  for (const execution of await this.store(Execution).find(MESH, due, { sort: ["dueAt"], limit: SWEPT }))
    await begin(this, execution);
}

async function load(host: Host, id: string, signal: AbortSignal): Promise<Drive | null> {
  const found = await host.store(Execution).one(MESH, { _id: id });
  // The composing domain drives its own runs.
  if (!found || OVER.includes(found.status) || found.status === "waiting" || found.kind === "composed") return null;
  const steps = await stepsOf(host, MESH, id);
  return {
    host,
    steps,
    signal,
    execution: { ...found, compartments: unionOfCompartments([found, ...steps]) },
  };
}

/** Drives a run step by step; each step is durable before the next begins. */
export async function drive(this: Host, { job, signal, progress }: JobRun<{ executionId: string }>): Promise<void> {
  for (let step = 0; step < MOST_AT_ONCE; step++) {
    const at = await load(this, job.input.executionId, signal);
    if (!at) return;
    await progress("working", at.steps.length);
    if (at.execution.status === "queued") {
      const startedAt = iso(this.world.clock.now());
      await tellChange(this, await this.store(Execution).revise(MESH, at.execution, { status: "running", startedAt }));
      continue;
    }
    // Another process changed the run or one of its steps first: read it again.
    await advance(at).catch((error: unknown) => {
      if (!isConflict(error)) throw error;
    });
  }
}

/** The job has failed too often: the run fails with it. */
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

const stop = (at: Drive, reason: string, code?: string): Promise<void> => {
  const { host, execution, steps } = at;
  return end(host, execution, "stopped", { reason, ...(code && { code }), answer: answerOf(at), steps });
};

const answerOf = ({ host, execution, steps }: Drive): AgentAnswer =>
  execution.kind === "analysis" ? analysed(steps, host.world.clock.now()) : concluded(execution, steps);

/** Why there is no next step: the model is unavailable, or the run lost its authority meanwhile. */
interface Fault {
  fault: string;
  code?: string;
}

/** The next step, by plan, model or heuristics; or why the model gives none. */
async function propose({ host, execution, steps, signal }: Drive, agent: Agent): Promise<NextStep | Fault> {
  if (execution.kind === "analysis") {
    const act = nextPage(steps);
    return { tokens: 0, ...(act && { act }) };
  }
  const definitions = await toolsNamed(
    host,
    execution.tools.map(({ name }) => name),
  );
  const tools = [...definitions.values()].filter(({ disabled }) => disabled === undefined);
  if (execution.method === "heuristic") return heuristicTurn(execution, tools, steps.length);
  // A model that only thinks meets no gate: what was stopped or taken away is asked for before it is told anything.
  const over = await endOf(host, execution);
  if (over) return { fault: over.why, code: over.code };
  const accounts = accountsOf(host, execution, await delegationChain(host, execution.delegationId));
  return underWatch(host, execution, (withdrawn) =>
    modelTurn(host, execution, agent, tools, steps, { accounts, signal: AbortSignal.any([signal, withdrawn]) }),
  );
}

async function turn(at: Drive): Promise<void> {
  const { host, execution, steps } = at;
  if (steps.length >= host.world.configurations.agents.steps)
    return stop(at, "It has taken as many steps as a run may.");
  const refused = steps.at(-1);
  if (refused?.code && STOPPING.has(refused.code) && refused.status !== "done")
    return stop(at, refused.why, refused.code);
  const now = await host.store(Agent).one(MESH, { _id: execution.agentId });
  const agent = now && (await asBegun(host, now, execution.agentVersion));
  const next = agent && (await propose(at, agent).catch((error: unknown) => failing(error)));
  if (!next) return stop(at, "The agent is not there any longer.");
  if ("fault" in next) return stop(at, next.fault, next.code ?? MODEL_AWAY);
  if (next.isBroke) return stop(at, "There is no room for another turn of the model in its budget.", "BUDGET");
  if (!next.act) return conclude(at, next);
  if ((await takeAct(at, next.act, next)) === "repeated")
    return stop(at, `It wanted to use ${next.act.tool} a third time with the same arguments.`);
}

function failing(error: unknown): Fault {
  if (error instanceof Withdrawn) return { fault: error.message, code: error.code };
  throw error;
}

async function conclude(at: Drive, { answer }: NextStep): Promise<void> {
  const { host, execution, steps } = at;
  const said = (answer && written(answer, execution, steps)) ?? answerOf(at);
  await end(host, execution, "completed", { answer: said, steps });
}
