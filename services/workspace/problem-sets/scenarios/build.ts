import { z } from "zod";
import { systemActor, type Actor } from "../../../../core/access/access.ts";
import type { Ctx, Meta } from "../../../../core/access/caller.ts";
import type { Host } from "../../../../core/contract/endpoint.ts";
import { Instant, TextId } from "../../../../core/records/entity.ts";
import { newId } from "../../../../core/ids.ts";
import { endOf } from "../../../../core/work/job-end.ts";
import type { Job, JobRun } from "../../../../core/work/job.ts";
import { FAILED_INSIDE, isConflict, isProblem, Problem, unprocessable } from "../../../../core/problem.ts";
import type { Scenario } from "./package.ts";
import { countsOf, planOf, STAGES, type Step } from "./plan.ts";

export const BUILD = "problem-sets.build-scenario";

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
    made: z.record(z.enum(STAGES).exclude(["set", "process"]), z.int()).describe("How many of each were made."),
    compartments: z.array(Wanting).describe("Compartments that want members: nobody was read in, you neither."),
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

export function viewOf(job: Job): BuildView {
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

/** The mesh at work for a person: what it makes is theirs; what they may see of it is another matter. */
const onTheirBehalf = ({ userId, training }: BuildInput): Actor => ({
  ...systemActor("scenario"),
  userId,
  ...(training && { mode: "training" as const }),
});

/** Makes what is left of a scenario's problem set, each part by its own domain's action, whose rules hold. */
export async function build(this: Host, run: JobRun<BuildInput, BuildState>): Promise<Result> {
  const { id, input } = run.job;
  const { scenario, name, parentId } = input;
  const state: BuildState = run.job.state ?? { done: [], ids: {} };
  const steps = planOf(scenario, { name, parentId });
  const call = async (step: Step): Promise<string | undefined> => {
    const meta: Meta = { actor: onTheirBehalf(input), repeats: `${id}/${step.key}` };
    try {
      const made = await this.broker.call<{ id?: string }, object>(
        step.action,
        step.params({ ids: state.ids, now: this.world.clock.now() }),
        { meta },
      );
      return made.id;
    } catch (error) {
      if (step.single && isConflict(error)) return undefined;
      throw error;
    }
  };
  const before = new Set(state.done);
  for (const step of steps.filter(({ key }) => !before.has(key))) {
    await run.progress(step.stage, state.done.length, steps.length, state);
    try {
      const made = await call(step);
      if (made) state.ids[step.key] = made;
    } catch (error) {
      if (!isProblem(error) || error.code >= 500) throw error;
      return giveUp(this, input, step, error, state.ids["set"]);
    }
    state.done.push(step.key);
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

/** A domain's rule refuses a part: asking again would not help, and half a set is put into the archive. */
async function giveUp(
  host: Host,
  input: BuildInput,
  step: Step,
  { message }: Problem,
  problemSetId: string | undefined,
): Promise<Refused> {
  if (problemSetId)
    await host.broker.call("problem-sets.archive", { id: problemSetId }, { meta: { actor: onTheirBehalf(input) } });
  return { refused: { step: step.key, message, ...(problemSetId && { problemSetId }) } };
}

/**
 * Has a scenario built in the background and waits for it two thirds of what a request may take: answers what was
 * built, or how far it is.
 */
export async function undertake(host: Host, ctx: Ctx<unknown>, input: BuildInput): Promise<Built | BuildView> {
  // A request that is repeated after a kill finds the work it began.
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
  return builtOf(last) ?? viewOf(last);
}
