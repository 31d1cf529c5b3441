import { iso } from "../../../../core/clock.ts";
import type { Host } from "../../../../core/contract/endpoint.ts";
import { inWords, isAway, isConflict, isProblem, nullIf } from "../../../../core/problem.ts";
import type { Job, JobRun } from "../../../../core/work/job.ts";
import { endOf } from "../../../../core/work/job-end.ts";
import { openRun, STOPPING } from "../../agents/client.ts";
import { placedIn } from "../workflows/checking.ts";
import { definitionOf, Execution, OVER, type WorkflowStep } from "./executions.ts";
import { begin, close, conclude, planOf, ranUntil, stepsOf, tellChange, MESH } from "./records.ts";
import { outOfTime, Walk } from "./walking.ts";

const SWEPT = 100;
const MOST_ROUNDS = 100;
/** By then the sweep has started what was due. */
const LONGEST_PAUSE_MS = 5_000;

type Driven = Pick<JobRun<{ executionId: string }>, "job" | "signal">;

/** Runs that are due without a job: a wake-up can arrive while a job ends. */
export async function sweep(this: Host): Promise<void> {
  const due = { dueAt: { $lte: iso(this.world.clock.now()) } };
  for (const execution of await this.store(Execution).find(MESH, due, { sort: ["dueAt"], limit: SWEPT }))
    await begin(this, execution);
}

/** The job has failed too often: the run fails with it. */
export async function giveUp(this: Host, { input }: Job<{ executionId: string }>, reason: string): Promise<void> {
  await conclude(this, input.executionId, { status: "failed", code: "INTERNAL", reason });
}

/** Opens the agents' runs, under names that make each only once. */
async function start(host: Host, execution: Execution): Promise<void> {
  const { id, by, name, problemSetId, pins, origin, limits } = execution;
  const steps = placedIn(definitionOf(execution).steps, "");
  const acting = new Set(steps.flatMap(({ step }) => (step.kind === "tool" ? [step.agent] : [])));
  const { calls, tokens, cost } = limits;
  const open = async (pin: Execution["pins"][number]) => ({
    agentId: pin.agentId,
    executionId: await openRun(host, `workflow/${id}/${pin.agentId}`, {
      by,
      problemSetId,
      kind: "composed",
      task: `Workflow: ${name}`,
      compartments: origin,
      plan: planOf(execution),
      limits: { calls, tokens, ...(cost !== undefined && { cost }) },
      pin,
    }),
  });
  const runs = await Promise.all(pins.filter(({ agentId }) => acting.has(agentId)).map(open));
  const now = iso(host.world.clock.now());
  const change = { status: "running", startedAt: now, runningSince: now, runs };
  await tellChange(host, await host.store(Execution).revise(MESH, execution, change));
}

const waitsFor = ({ status, kind }: WorkflowStep): NonNullable<Execution["waitingFor"]> => {
  if (status === "unknown") return ["settlement"];
  if (status === "retrying" || kind === "wait") return ["moment"];
  return status !== "waiting" ? [] : kind === "checkpoint" ? ["checkpoint"] : ["approval"];
};

/** The state of a run that nobody drives: it waits, or work that it began elsewhere continues. */
async function park(host: Host, walk: Walk): Promise<void> {
  const { execution, parked, isFull } = walk;
  const now = host.world.clock.now();
  const waitingFor = [...new Set(parked.flatMap(waitsFor))].sort();
  const isWorking = isFull || parked.some(({ status, kind }) => status === "running" && kind !== "map");
  const ran = ranUntil(execution, now);
  const latest = isWorking ? iso(now + Math.max(0, execution.limits.runMs - ran)) : execution.expiresAt;
  const due = [walk.dueAt, execution.expiresAt, latest].filter((one) => one !== undefined).sort()[0]!;
  const change = {
    status: isWorking ? "running" : "waiting",
    waitingFor: waitingFor.length ? waitingFor : null,
    dueAt: isFull ? iso(now) : due,
    ...(isWorking ? {} : { ranMs: ran, runningSince: null }),
  };
  await tellChange(host, await host.store(Execution).revise(MESH, execution, change));
}

/** Drives a run until it ends, waits, or has used its turn. */
export async function drive(this: Host, { job, signal, progress }: JobRun<{ executionId: string }>): Promise<void> {
  for (let round = 0; round < MOST_ROUNDS; round++) {
    signal.throwIfAborted();
    const found = await this.store(Execution).one(MESH, { _id: job.input.executionId });
    if (!found) return;
    if (OVER.includes(found.status)) return found.isClosing ? close(this, found) : undefined;
    await progress("working");
    const isDone = await turn(this, found, { job, signal }).catch((error: unknown) => {
      // Another process changed the run or one of its steps first: read it again.
      if (!isConflict(error)) throw error;
      return false;
    });
    if (isDone) return;
  }
}

/** One turn of a run. Answers whether nothing is left to do for now. */
async function turn(host: Host, found: Execution, driven: Driven): Promise<boolean> {
  const now = host.world.clock.now();
  if (found.expiresAt <= iso(now)) {
    await conclude(host, found.id, { status: "expired", code: "EXPIRED", reason: "It took longer than 30 days." });
    return true;
  }
  if (found.status === "queued") return !(await started(host, found));
  const execution =
    found.status === "waiting"
      ? await host.store(Execution).revise(MESH, found, { status: "running", runningSince: iso(now), dueAt: iso(now) })
      : found;
  const steps = await stepsOf(host, MESH, found.id);
  const ran = ranUntil(execution, now);
  const walk = new Walk(host, execution, steps, driven.signal);
  if (ran > execution.limits.runMs) walk.ending = outOfTime(execution);
  else await walk.pump();
  if (!walk.ending) await park(host, walk);
  else if (walk.ending.status === "cancelled") await straggling(host, found.id);
  else await conclude(host, found.id, walk.ending);
  if (walk.isFull && !walk.ending) goOn(host, execution, driven);
  return true;
}

/** A run that has used its turn gets the next one when this job ends; if that is missed, the sweep starts it. */
function goOn(host: Host, execution: Execution, { job, signal }: Driven): void {
  void endOf(host.jobs, job, { withinMs: LONGEST_PAUSE_MS, gone: signal })
    .then(() => begin(host, execution))
    .catch(() => undefined);
}

/** Ends work that began while the run was being ended. */
async function straggling(host: Host, id: string): Promise<void> {
  const ended = await host.store(Execution).one(MESH, { _id: id });
  if (ended) await close(host, ended);
}

async function started(host: Host, execution: Execution): Promise<boolean> {
  try {
    await start(host, execution);
    return true;
  } catch (error) {
    if (isConflict(error)) return true;
    if (!isProblem(error)) throw error;
    // An open circuit is no outage: it stays open until a person closes it.
    if (!STOPPING.has(error.type) && (isAway(error) || error.code >= 500)) throw error;
    await conclude(host, execution.id, { status: "stopped", code: error.type, reason: inWords(error) }).catch(
      nullIf(isConflict),
    );
    return false;
  }
}
