import { z } from "zod";
import { systemActor, type Actor } from "../../../../core/access/access.ts";
import type { Ctx, Meta } from "../../../../core/access/caller.ts";
import type { Host } from "../../../../core/contract/endpoint.ts";
import { Instant, TextId } from "../../../../core/records/entity.ts";
import { newId } from "../../../../core/ids.ts";
import { endOf } from "../../../../core/work/job-end.ts";
import type { Job, JobRun } from "../../../../core/work/job.ts";
import { FAILED_INSIDE, isConflict, isProblem, nullIf, Problem, unprocessable } from "../../../../core/problem.ts";
import type { Scenario } from "./package.ts";
import { countsOf, planOf, BUILD_STAGES, wavesOf, type BuildStep } from "./plan.ts";

export const BUILD = "problem-sets.build-scenario";
/** Progress is saved this many times in a build: each time writes the whole record anew, with its package. */
const PARTS = 12;

export interface BuildInput {
  scenario: Scenario;
  userId: string;
  training: boolean;
  name?: string;
  parentId?: string;
}
/** What is made so far: the keys of the steps that are done, and the ids of what they made by the same keys. */
interface BuildState {
  done: string[];
  ids: Record<string, string>;
}

type Run = JobRun<BuildInput, BuildState>;

const Wanting = z.object({
  id: TextId,
  name: z.string(),
  wants: z.array(z.string()).describe("Positions whose holders should be read in."),
});
export const Built = z
  .object({
    problemSetId: TextId,
    scenarioId: z.string(),
    name: z.string(),
    made: z.record(z.enum(BUILD_STAGES).exclude(["set", "process"]), z.int()).describe("How many of each were made."),
    compartments: z.array(Wanting).describe("Compartments that need members: nobody was read in, including you."),
    job: z.string(),
  })
  .meta({ id: "BuiltScenario" });
export type Built = z.output<typeof Built>;

/** What the build says of itself while it goes on, and afterwards. */
export const BuildView = z
  .object({
    job: z.string().describe("`GET /api/problem-sets/scenario-builds/{job}` tells how far it is."),
    status: z.enum(["queued", "running", "completed", "failed", "cancelled"]),
    stage: z.string().nullable(),
    done: z.int(),
    total: z.int().nullable().describe("Steps in all; null before it begins."),
    problemSetId: TextId.nullable().describe("As soon as the set is open."),
    createdAt: Instant,
    error: z.string().nullable(),
  })
  .meta({ id: "ScenarioBuild" });
export type BuildView = z.output<typeof BuildView>;

interface Refused {
  refused: { step: string; message: string; problemSetId?: string };
}
type Result = Omit<Built, "job"> | Refused;
const refusalOf = ({ result }: Job): Refused["refused"] | undefined =>
  (result as Partial<Refused> | undefined)?.refused;

export const builtOf = ({ id, result, status }: Job): Built | null =>
  status === "completed" && result && !("refused" in (result as object))
    ? { ...(result as Omit<Built, "job">), job: id }
    : null;

export function buildView(job: Job): BuildView {
  const refused = refusalOf(job);
  return {
    job: job.id,
    status: refused ? "failed" : job.status,
    stage: job.stage ?? null,
    done: job.done ?? 0,
    total: job.total ?? null,
    problemSetId: (job.state as unknown as BuildState | undefined)?.ids["set"] ?? null,
    createdAt: job.createdAt,
    error: refused?.message ?? (job.status === "failed" ? FAILED_INSIDE : null),
  };
}

/** Acts as the mesh on behalf of a person: what it creates is theirs, even where they may not see it. */
const onTheirBehalf = ({ userId, training }: BuildInput): Actor => ({
  ...systemActor("scenario"),
  userId,
  ...(training && { mode: "training" as const }),
});

/** Makes one part by its domain's action; answers its id. Undefined where there can be one only, and it is there. */
async function make(
  { broker, world }: Host,
  { job }: Run,
  step: BuildStep,
  ids: BuildState["ids"],
): Promise<string | undefined> {
  const meta: Meta = { actor: onTheirBehalf(job.input), repeats: `${job.id}/${step.key}` };
  try {
    const made = await broker.call<{ id?: string }, object>(step.action, step.params({ ids, now: world.clock.now() }), {
      meta,
    });
    return made.id;
  } catch (error) {
    if (step.single && isConflict(error)) return undefined;
    throw error;
  }
}

/**
 * Makes what is left of the chains, side by side. One at a time saves what all have made; what was not saved is found
 * by its id when the work is repeated. Once all stand still, throws the error of the first step that failed.
 */
async function makeAll(
  host: Host,
  run: Run,
  chains: readonly BuildStep[][],
  state: BuildState,
  total: number,
): Promise<void> {
  let failure: { step: BuildStep; error: unknown } | undefined;
  let isNoting = false;
  let noted = -Infinity;
  const note = async ({ stage }: BuildStep): Promise<void> => {
    if (isNoting || state.done.length < noted + total / PARTS) return;
    isNoting = true;
    noted = state.done.length;
    await run.progress(stage, state.done.length, total, state).finally(() => (isNoting = false));
  };
  const follow = async (chain: readonly BuildStep[]): Promise<void> => {
    for (const step of chain) {
      if (failure) return;
      try {
        await note(step);
        const made = await make(host, run, step, state.ids);
        if (made) state.ids[step.key] = made;
        state.done.push(step.key);
      } catch (error) {
        failure ??= { step, error };
      }
    }
  };
  const before = new Set(state.done);
  await Promise.all(chains.map((chain) => follow(chain.filter(({ key }) => !before.has(key)))));
  if (failure) throw new StepFailed(failure.step, failure.error);
}

class StepFailed extends Error {
  readonly step: BuildStep;
  constructor(step: BuildStep, cause: unknown) {
    super(step.key, { cause });
    this.step = step;
  }
}

/** Makes what is left of a scenario's problem set, each part by its own domain's action, whose rules hold. */
export async function buildScenario(this: Host, run: Run): Promise<Result> {
  const { input } = run.job;
  const { scenario, name, parentId } = input;
  const state: BuildState = run.job.state ?? { done: [], ids: {} };
  const steps = planOf(scenario, { name, parentId });
  try {
    for (const chains of wavesOf(steps)) await makeAll(this, run, chains, state, steps.length);
  } catch (error) {
    if (!(error instanceof StepFailed)) throw error;
    const { step, cause } = error;
    if (!isProblem(cause) || cause.code >= 500) throw cause;
    return giveUp(this, input, step, cause, state.ids["set"]);
  }
  await run.progress("ready", steps.length, steps.length, state);
  return {
    problemSetId: state.ids["set"]!,
    scenarioId: scenario.id,
    name: name ?? scenario.set.name,
    made: countsOf(scenario),
    compartments: scenario.compartments.map((one) => ({
      id: state.ids[`compartment/${one.key}`]!,
      name: one.name,
      wants: one.wants,
    })),
  };
}

const archiveHalfMade = (host: Host, input: BuildInput, problemSetId: string): Promise<unknown> =>
  host.broker.call("problem-sets.archive", { id: problemSetId }, { meta: { actor: onTheirBehalf(input) } });

/** Nobody goes on with a build that was cancelled: the half-made set is archived, unless that was done before a kill. */
export async function stopBuild(this: Host, { input, state }: Run["job"]): Promise<void> {
  const problemSetId = state?.ids["set"];
  if (problemSetId) await archiveHalfMade(this, input, problemSetId).catch(nullIf(isConflict));
}

/** Where a domain's rule refuses a part, repeating would not help: the half-made set is archived. */
async function giveUp(
  host: Host,
  input: BuildInput,
  step: BuildStep,
  { message }: Problem,
  problemSetId: string | undefined,
): Promise<Refused> {
  if (problemSetId) await archiveHalfMade(host, input, problemSetId);
  return { refused: { step: step.key, message, ...(problemSetId && { problemSetId }) } };
}

/**
 * Builds a scenario in the background, and waits for two thirds of a request's time: resolves to what was built, or to
 * how far it is.
 */
export async function undertake(host: Host, ctx: Ctx<unknown>, input: BuildInput): Promise<Built | BuildView> {
  // A request repeated after a kill finds the build that it began.
  const job = await host.jobs.add(
    BUILD,
    { ...input },
    { by: input.userId, key: ctx.locals.repeatable?.seed ?? newId() },
  );
  const last = await endOf(host.jobs, job, {
    withinMs: Math.floor((host.world.env.REQUEST_TIMEOUT_MS * 2) / 3),
    gone: host.signal(ctx),
  });
  const refused = refusalOf(last);
  if (refused) throw unprocessable("SCENARIO_REJECTED", `${refused.step}: ${refused.message}`, refused);
  if (last.status === "failed") throw new Problem(500, "SCENARIO_FAILED", `${FAILED_INSIDE} Its job is ${last.id}.`);
  return builtOf(last) ?? buildView(last);
}
