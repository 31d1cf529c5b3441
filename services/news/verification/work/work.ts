import { z } from "zod";
import { success } from "../../../../core/contract/answer.ts";
import type { Ctx } from "../../../../core/access/caller.ts";
import { Instant } from "../../../../core/records/entity.ts";
import { derivedId } from "../../../../core/ids.ts";
import { endOf } from "../../../../core/work/job-end.ts";
import type { Job, JobRun } from "../../../../core/work/job.ts";
import { FAILED_INSIDE, Problem } from "../../../../core/problem.ts";
import { BatchView } from "./batch.ts";
import { waitBound } from "./bounds.ts";
import type { Verifier } from "../host.ts";
import { Cost } from "../scales.ts";
import { costOf, type Answered, type Spending } from "../model/spending.ts";

/** The two kinds of background work. */
export const DEEP = "verification.deep";
export const BATCH = "verification.batch";
/** A batch that nobody asked for: those who ask for one do not wait for it. */
export const COMPARE = "verification.compare";

/** What background work says of itself. */
export const WorkView = z
  .object({
    job: z.string().describe("Its id: `GET /api/verification/jobs/{job}` tells how far it is, and its result."),
    kind: z.enum([DEEP, BATCH]),
    status: z.enum(["queued", "running", "completed", "failed", "cancelled"]),
    stage: z.string().nullable().describe("The current stage."),
    done: z.int().describe("Stages or articles that are done."),
    total: z.int().nullable().describe("The total; null before it begins."),
    attempts: z.int(),
    cost: Cost.describe("Cost so far. A restart does not pay again for answers already received."),
    createdAt: Instant,
    startedAt: Instant.nullable(),
    endedAt: Instant.nullable(),
    error: z.string().nullable(),
  })
  .meta({ id: "VerificationJob" });
export type WorkView = z.output<typeof WorkView>;

/** What every kind of work saves in order to continue. */
export interface WorkState {
  cost: Cost;
  /** Whether the model failed in the current piece of work. */
  failed: boolean;
  answers: Record<string, Answered>;
}
export const newState = (): WorkState => ({ cost: { llmCalls: 0, tokens: 0 }, failed: false, answers: {} });

export const workView = (job: Job): WorkView => ({
  job: job.id,
  kind: job.kind as WorkView["kind"],
  status: job.status,
  stage: job.stage ?? null,
  done: job.done ?? 0,
  total: job.total ?? null,
  attempts: job.attempts,
  cost: (job.state as unknown as WorkState | undefined)?.cost ?? newState().cost,
  createdAt: job.createdAt,
  startedAt: job.startedAt ?? null,
  endedAt: job.endedAt ?? null,
  error: job.status === "failed" ? FAILED_INSIDE : null,
});

/** A batch's results, or how far it is. */
export const BATCH_ANSWER = success(z.union([BatchView, WorkView]));

/** Whether an answer is that of work which goes on. */
export const isUnderWay = (value: object): boolean => "job" in value;

/** Spending that is part of a job's state: `save` makes it durable with every answer of the model. */
export function spendingOf({ signal }: Pick<JobRun, "signal">, state: WorkState, save: () => Promise<void>): Spending {
  const spent: Spending = {
    ...state.cost,
    failed: state.failed,
    signal,
    memory: {
      answers: state.answers,
      async keep() {
        state.cost = costOf(spent);
        state.failed = spent.failed;
        await save();
      },
    },
  };
  return spent;
}

/**
 * Has work done in the background and waits for it as long as a request may: answers its result, or its progress. With
 * a `key`, work of the same key that is already under way is joined.
 */
export async function undertake<T>(
  host: Verifier,
  ctx: Ctx<unknown>,
  kind: typeof DEEP | typeof BATCH,
  input: Record<string, unknown>,
  key?: string,
): Promise<T | WorkView> {
  const { repeatable } = ctx.locals;
  const id = repeatable && !key ? derivedId(repeatable.next(kind)) : undefined;
  // A request that is repeated after a kill finds the work it began.
  const before = id && (await host.jobs.get(id));
  const job =
    before ||
    (await host.jobs.add(kind, input, {
      by: ctx.meta.actor!.userId,
      onlookers: "everybody",
      ...(key && { key }),
      ...(id && { id }),
    }));
  const last = await endOf(host.jobs, job, { withinMs: waitBound(host.world.env), gone: host.signal(ctx) });
  if (last.status === "completed") return last.result as T;
  if (last.status === "failed")
    throw new Problem(500, "VERIFICATION_FAILED", `${FAILED_INSIDE} Its job is ${last.id}.`);
  return workView(last);
}
