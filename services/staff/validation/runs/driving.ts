import { upTo } from "../../../../core/text/cutting.ts";
import { setTimeout as delay } from "node:timers/promises";
import { unionOfCompartments } from "../../../../core/access/barrier.ts";
import { onBehalfOf } from "../../../../core/access/caller.ts";
import { iso } from "../../../../core/clock.ts";
import type { Host } from "../../../../core/contract/endpoint.ts";
import { complaints } from "../../../../core/contract/documents/json-schema.ts";
import { derivedId } from "../../../../core/ids.ts";
import { isProblem } from "../../../../core/problem.ts";
import type { Job, JobRun } from "../../../../core/work/job.ts";
import {
  agentRecord,
  beginTraining,
  MODEL_AWAY,
  payerOf,
  trainingOf,
  WITHDRAWN,
  type Trained,
} from "../../agents/client.ts";
import type { AnswerCost, Bounds } from "../../model-questions.ts";
import { factsOf, probed, MESH, weighRun } from "../circuits/circuits.ts";
import { RunEnded } from "../events.ts";
import { held, scoreOf, type Case } from "../suites/cases.ts";
import { judgeByRubric } from "./judge.ts";
import { CaseOutcome, OVER, ValidationRun } from "./runs.ts";
import { totalOf } from "./scoring.ts";

export const DRIVE = "validation.run";
/** How long an answer is awaited; afterwards the case is inconclusive. */
const PATIENCE_MS = 180_000;
const LOOK_MS = 150;
const MOST_ANSWER = 2_000;

/** Codes of runs that ended without saying anything about the agent: no model, or lost authority. */
const CUT_OFF: ReadonlySet<string> = new Set([MODEL_AWAY, ...WITHDRAWN]);

type Verdict = Partial<Pick<CaseOutcome, "inconclusive" | "score" | "passed" | "judge">> &
  Pick<CaseOutcome, "assertions"> & { asking?: AnswerCost };
const NO_RESULT = (inconclusive: string): Verdict => ({ inconclusive, assertions: [] });

/** The result of an answer, by its assertions, unless the model was unavailable. */
async function verdictOf(host: Host, { assertions, mark }: Case, done: Trained, bounds: Bounds): Promise<Verdict> {
  if (!done.isOver) return NO_RESULT("It did not come to an end in time.");
  if (done.status === "cancelled" || CUT_OFF.has(done.code ?? ""))
    return NO_RESULT(done.reason ?? "It was cut off, and not by the agent.");
  const judged = await judgeByRubric(host, assertions, done.text, bounds);
  if (!judged) return NO_RESULT("No model was there to judge by the rubric.");
  const outcome = { ...done, completed: done.status === "completed" };
  const { rubric, judge, used } = judged;
  const fits = (schema: Record<string, unknown>, value: unknown): boolean => !complaints(schema, value).length;
  const of = held(assertions, outcome, { fits, rubric });
  return { ...scoreOf(of, mark), assertions: of, ...(judge && { judge }), asking: used };
}

async function answered(host: Host, executionId: string, signal: AbortSignal): Promise<Trained> {
  const until = performance.now() + PATIENCE_MS;
  for (;;) {
    const done = await trainingOf(host, executionId);
    if (done.isOver || performance.now() > until) return done;
    await delay(LOOK_MS, undefined, { signal });
  }
}

/** Gives the agent one case once, and stores the outcome, under the same id when repeated. */
async function attempt(
  host: Host,
  run: ValidationRun,
  one: Case,
  repeat: number,
  signal: AbortSignal,
): Promise<CaseOutcome> {
  const { id: runId, agentId, by, where, delegationId, compartments } = run;
  const name = `${runId}/${one.id}/${repeat}`;
  const place = { problemSetId: run.problemSetId, scope: run.scope };
  const asked = { agentId, by, task: one.task, input: one.input, problemSetId: where, delegationId, compartments };
  const base = { id: derivedId(`validation.outcomes/${name}`), ...place, runId, agentId, caseId: one.id, repeat };
  const write = (rest: Record<string, unknown>): Promise<CaseOutcome> =>
    host
      .store(CaseOutcome)
      .createOnce(onBehalfOf("validation", by), { ...base, ...rest } as never)
      .then(({ record }) => record);
  const nothing = { compartments, steps: 0, ms: 0, tokens: 0 };
  let executionId: string;
  try {
    executionId = await beginTraining(host, name, asked);
  } catch (error) {
    if (!isProblem(error) || error.code === 429 || (error.code >= 500 && !CUT_OFF.has(error.type))) throw error;
    return write({ ...NO_RESULT(`${error.type}: ${error.message}`), ...nothing });
  }
  const done = await answered(host, executionId, signal);
  // A shared agent tried outside all problem sets has no daily budget to charge.
  const payer = run.where === undefined ? undefined : payerOf(host, `judge ${name}`, { problemSetId: run.where });
  const { asking, ...verdict } = await verdictOf(host, one, done, { signal, ...(payer && { payer }) });
  return write({
    ...verdict,
    compartments: unionOfCompartments([run, done]),
    executionId,
    answer: upTo(MOST_ANSWER, done.text),
    steps: done.acts.length,
    ms: done.ms,
    // The judge's questions are not the agent's, but part of the validation's cost.
    tokens: done.tokens + (asking?.tokens ?? 0),
    cost: done.cost + (asking?.cost ?? 0),
  });
}

/** The totals of a run, from its outcomes. */
export function summed({ cases }: Pick<ValidationRun, "cases">, outcomes: readonly CaseOutcome[]) {
  const results = cases.map(({ id }) => {
    const own = outcomes.filter((one) => one.caseId === id && one.score !== undefined);
    return { caseId: id, scores: own.map(({ score }) => score!), passes: own.map(({ passed }) => passed === true) };
  });
  const total = totalOf(results);
  return {
    done: outcomes.length,
    conclusive: total?.cases ?? 0,
    inconclusive: outcomes.filter(({ inconclusive }) => inconclusive !== undefined).length,
    tokens: outcomes.reduce((sum, { tokens }) => sum + tokens, 0),
    cost: outcomes.reduce((sum, { cost = 0 }) => sum + cost, 0),
    ...(total && { score: total.score, passRate: total.passRate, interval: total.interval }),
  };
}

/** Runs a validation, answer by answer; after a kill it continues after the last judged answer. */
export async function drive(
  this: Host,
  { job, signal, progress }: JobRun<{ runId: string }>,
): Promise<{ runId: string; status: string }> {
  const store = this.store(ValidationRun);
  let run = await store.get(MESH, job.input.runId);
  if (OVER.includes(run.status)) {
    // A kill may have come between the end and its consequences.
    if (run.status !== "failed") await weighRun(this, run);
    return { runId: run.id, status: run.status };
  }
  const outcomes = await this.store(CaseOutcome).find(MESH, { runId: run.id });
  const known = new Set(outcomes.map(({ caseId, repeat }) => `${caseId}/${repeat}`));
  const total = run.cases.length * run.repeats;
  for (const one of run.cases)
    for (let repeat = 1; repeat <= run.repeats; repeat++) {
      if (known.has(`${one.id}/${repeat}`)) continue;
      signal.throwIfAborted();
      await progress("asking", outcomes.length, total);
      outcomes.push(await attempt(this, run, one, repeat, signal));
      const done = outcomes.length;
      const compartments = unionOfCompartments([run, ...outcomes]);
      run = await store.change(MESH, run.id, () => ({ status: "running", done, compartments }));
    }
  const agent = await agentRecord(this, run.agentId);
  const sum = summed(run, outcomes);
  const change = {
    ...sum,
    status: sum.conclusive ? "completed" : "inconclusive",
    endedAt: iso(this.world.clock.now()),
  };
  run = await store.revise(MESH, run, change, {
    facts: (made: ValidationRun) =>
      factsOf(
        RunEnded,
        { ...agent, compartments: made.compartments },
        {
          id: made.id,
          by: made.by,
          ...(made.passRate !== undefined && { passRate: made.passRate }),
        },
      ),
  });
  await weighRun(this, run);
  return { runId: run.id, status: run.status };
}

/** The job has failed too often: the run fails with it. */
export async function giveUp(this: Host, { input }: Job<{ runId: string }>, reason: string): Promise<void> {
  const run = await this.store(ValidationRun).amend(MESH, input.runId, ({ status }) =>
    OVER.includes(status) ? null : { status: "failed", reason, endedAt: iso(this.world.clock.now()) },
  );
  if (run) await probed(this, run, false, "The validation failed.");
}
