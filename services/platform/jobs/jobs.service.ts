import { z } from "zod";
import { PersonId } from "../../../core/access/person-reference.ts";
import { may, type Actor } from "../../../core/access/access.ts";
import { sees } from "../../../core/access/barrier.ts";
import type { Ctx } from "../../../core/access/caller.ts";
import { barrier } from "../../../core/access/place.ts";
import { data, list, nothing, stream } from "../../../core/contract/answer.ts";
import { endpoint, type MeshService } from "../../../core/contract/endpoint.ts";
import { JobChanged, type Job as StoredJob } from "../../../core/work/job.ts";
import { MOST_ROWS, paging, textId } from "../../../core/records/entity.ts";
import type { Host } from "../../../core/contract/endpoint.ts";
import { conflict, forbidden, notFound } from "../../../core/problem.ts";
import { follow, Progress, watching } from "./progress.ts";
import { endOf } from "../../../core/work/job-end.ts";
import { ENDED, JobWatch } from "../../../core/work/watch.ts";
import { domain } from "../../../mixins/domain.mixin.ts";

/** So long the end of a cancelled job is waited for. */
const MOST_WAIT_MS = 5_000;

const Status = z.enum(["queued", "running", "completed", "failed", "cancelled"]);
const Job = z
  .object({
    id: z.string(),
    kind: z.string(),
    status: Status,
    stage: z.string().optional(),
    done: z.number().optional(),
    total: z.number().optional(),
    attempts: z.int(),
    by: PersonId.describe("A person, or a part of the platform: `system:…`."),
    createdAt: z.string(),
    startedAt: z.string().optional(),
    endedAt: z.string().optional(),
    error: z
      .string()
      .optional()
      .describe(
        "Why the last attempt failed. Of an error that is no answer of ours only that it is in the log, " +
          "under the job's id.",
      ),
    fault: z.string().optional().describe("The same in the error's own words; for those who may administer jobs."),
    retryable: z.literal(true).optional().describe("It failed, and you may have it tried again."),
  })
  .meta({ id: "Job" });

/** An error's own words may speak of what lies inside: only operators see them. */
function shownTo(actor: Actor, { fault, retryable, ...job }: StoredJob): z.input<typeof Job> {
  return {
    ...job,
    ...(operates(actor) && fault !== undefined && { fault }),
    ...(retryable && mayRetry(actor, job) && { retryable }),
  };
}

const operates = (actor: Actor): boolean => may(actor, "jobs:administer");

/** Of those who see a job: operators, and whoever asked for it. */
const mayRetry = (actor: Actor, { by }: Pick<StoredJob, "by">): boolean => operates(actor) || by === actor.userId;

/**
 * Ids and times of work tell of what it works on: behind the same barrier as that, also for whoever asked for it and
 * was read out, or left, meanwhile.
 */
const isSeenBy = (actor: Actor, job: StoredJob): boolean => {
  if (operates(actor) || job.open === true) return true;
  const isPlaced = job.problemSetId !== undefined;
  if (job.by !== actor.userId && (!isPlaced || job.alone)) return false;
  return !isPlaced || sees(barrier, actor, { ...job });
};

async function seenJob(host: Host, { params, meta }: Ctx<{ id: string }>): Promise<StoredJob> {
  const job = await host.jobs.get(params.id);
  if (!job || !isSeenBy(meta.actor!, job)) throw notFound("job", params.id);
  return job;
}

/** A job that waits or runs: nothing is to be done for it to be tried. Throws 409 for one that ended. */
async function underWay(host: Host, id: string): Promise<StoredJob> {
  const job = await host.jobs.get(id);
  if (!job) throw notFound("job", id);
  if (job.status === "failed") throw conflict("What this job was for ended with it: ask for that anew.");
  if (ENDED.has(job.status)) throw conflict(`This job is ${job.status}: it did not fail.`);
  return job;
}

type Wanted = { kind?: string; status?: StoredJob["status"] };

/** All for operators; for others their own and those that everybody may look at, each by an index. */
async function listed(host: Host, actor: Actor, most: number, wanted: Wanted): Promise<StoredJob[]> {
  if (operates(actor)) return host.jobs.recent(most, wanted);
  const own = await host.jobs.recent(most, { ...wanted, by: actor.userId });
  const open = await host.jobs.recent(most, { ...wanted, open: true });
  return [...own.filter((job) => isSeenBy(actor, job)), ...open.filter(({ by }) => by !== actor.userId)]
    .sort((a, b) => b.createdAt.localeCompare(a.createdAt))
    .slice(0, most);
}

export default {
  name: "jobs",
  metadata: { description: "Work that continues after its request was answered, and its progress." },
  settings: { rest: "/jobs" },
  mixins: [
    domain({
      live: [JobChanged],
      schedules: {
        "forget-answers": {
          everyMs: 600_000,
          run(this: Host) {
            return this.idempotency.sweep();
          },
        },
        "forget-jobs": {
          everyMs: 3_600_000,
          async run(this: Host) {
            await this.jobs.forget(30 * 86_400_000);
          },
        },
      },
    }),
  ],
  actions: {
    list: endpoint({
      rest: "GET /",
      summary: "List background jobs, newest first",
      permit: "jobs:read",
      beyond: true,
      query: { kind: z.string().max(60).optional(), status: Status.optional(), limit: paging.limit },
      returns: list(Job, z.object({ limit: z.int() })),
      description:
        "Jobs that you started, and those of the news; operators see all. A job in a problem set can be " +
        "read, by the id returned when it was started, by everyone who sees what it works on.",
      async handler(ctx) {
        const { kind, status, limit } = ctx.params;
        const most = Math.min(limit, MOST_ROWS);
        const found = await listed(this, ctx.meta.actor!, most, { ...(kind && { kind }), ...(status && { status }) });
        return { data: found.map((job) => shownTo(ctx.meta.actor!, job)), meta: { limit: most } };
      },
    }),
    get: endpoint({
      rest: "GET /:id",
      summary: "Read the progress of a background job",
      permit: "jobs:read",
      beyond: true,
      path: { id: textId(200) },
      returns: data(Job),
      async handler(ctx) {
        return shownTo(ctx.meta.actor!, await seenJob(this, ctx));
      },
    }),
    streamEvents: endpoint({
      rest: "GET /:id/events",
      summary: "Follow a background job",
      permit: "jobs:read",
      beyond: true,
      path: { id: textId(200) },
      returns: stream({ progress: Progress }),
      description:
        "Every line of its log from the beginning, or after `Last-Event-ID`, then each new one; `done` " +
        "once it has ended. All followers see the same, wherever in the mesh the work runs.",
      async handler(ctx) {
        await seenJob(this, ctx);
        return follow(this.jobs, watching(this), ctx.params.id, ctx.meta.lastEventId);
      },
    }),

    retry: endpoint({
      rest: "POST /:id/retry",
      summary: "Have a failed background job tried again",
      permit: "signed-in",
      beyond: true,
      path: { id: textId(200) },
      returns: data(Job),
      errors: {
        403: "Somebody else asked for it, and you do not administer jobs.",
        409: "It did not fail; or what it was for ended with it, so that you ask for that anew.",
      },
      description:
        "It goes on from what it saved, with as many attempts as a new one. A job that waits or runs is answered as it " +
        "is, so that a repeated request changes nothing. Jobs that say `retryable` can be tried again.",
      async handler(ctx) {
        const actor = ctx.meta.actor!;
        const job = await seenJob(this, ctx);
        if (!mayRetry(actor, job))
          throw forbidden("Whoever asked for this job, and operators, may have it tried again.");
        return shownTo(actor, (await this.jobs.retry(job.id)) ?? (await underWay(this, job.id)));
      },
    }),

    cancel: endpoint({
      rest: "POST /:id/cancel",
      summary: "Stop a background job",
      permit: "jobs:administer",
      beyond: true,
      path: { id: textId(200) },
      returns: nothing(),
      status: 204,
      description:
        "What it was for ends with it: a briefing or a run says so, and that its job was stopped. Answered once that is " +
        "done; where nobody can do it just now, the job runs on at the stage `stopping` until somebody can.",
      async handler(ctx) {
        if (!(await this.jobs.get(ctx.params.id))) throw notFound("job", ctx.params.id);
        const cancelled = await this.jobs.cancel(ctx.params.id);
        if (!cancelled) throw conflict("This job has ended.");
        await endOf(this.jobs, cancelled, { withinMs: MOST_WAIT_MS, gone: this.signal(ctx) });
        return null;
      },
    }),
  },
  events: {
    /** A hint that a job has news; whoever follows it looks, and looks by itself now and then. */
    "platform.job.changed": {
      context: true,
      handler(this: Host, ctx: { params: { id: string } }) {
        watching(this).wake(ctx.params.id);
      },
    },
  },
  created(this: Host & { watch: JobWatch }) {
    this.watch = new JobWatch();
  },
} satisfies MeshService;
