import { z } from "zod";
import type { StreamEvent } from "../../../core/contract/answer.ts";
import type { Host } from "../../../core/contract/endpoint.ts";
import { notFound, Problem } from "../../../core/problem.ts";
import type { Job } from "../../../core/work/job.ts";
import { ENDED, LOOK_MS, JobWatch } from "../../../core/work/watch.ts";

/** The progress of a run; the last step says by which method it worked, and what was found. */
export const RunStep = z
  .object({
    stage: z.string(),
    done: z.int().optional(),
    total: z.int().optional(),
    method: z.enum(["heuristic", "llm"]).optional(),
    fault: z.string().optional().describe("Why the model gave no answer, where one is configured."),
    notice: z.string().optional().describe("That the text is in a language that the rules do not read."),
  })
  .meta({ id: "StrategicProgress" });
export type RunStep = z.output<typeof RunStep>;

export const Failure = z.object({ code: z.string(), message: z.string() });

/** What followers of a run receive: within one run, events are only added. */
export interface RunTelling {
  /** Identifies the run: the epoch milliseconds at which its job was requested. */
  run: number;
  events: { event: string; data: unknown }[];
  /** Absent while it runs. */
  end?: { failed?: z.output<typeof Failure> };
}

export const runOf = ({ createdAt }: Pick<Job, "createdAt">): number => Date.parse(createdAt);

const watch = new JobWatch();
/** Wakes followers of a job here, on a hint from the working node. */
export const wake = (jobId: string): void => watch.wake(jobId);

const idOf = (run: number, at: number): string => `${run}-${at}`;
function seenUpTo(lastEventId: string | undefined): { run: number; at: number } | undefined {
  const parts = /^(\d{1,15})-(\d{1,9})$/.exec(lastEventId ?? "");
  return parts ? { run: Number(parts[1]), at: Number(parts[2]) } : undefined;
}

/**
 * A run's events from the beginning, or after the last one seen, to its end: every follower sees the same. The job says
 * which run is current, its record what came of it. A run that never existed is 404.
 */
export async function follow(
  host: Host,
  {
    jobId,
    read,
    what,
    lastEventId,
  }: { jobId: string; read: () => Promise<RunTelling | null>; what: string; lastEventId?: string | undefined },
): Promise<AsyncGenerator<StreamEvent>> {
  const [begun, job] = [await read(), await host.jobs.get(jobId)];
  if (!begun && !job) throw notFound(what, "of this document");
  return told(host, jobId, read, seenUpTo(lastEventId));
}

async function* told(
  host: Host,
  jobId: string,
  read: () => Promise<RunTelling | null>,
  seen: { run: number; at: number } | undefined,
): AsyncGenerator<StreamEvent> {
  let last = seen;
  for (;;) {
    const hint = watch.next(jobId, LOOK_MS);
    // The job is read before its record: when it is over, the record is complete.
    const job = await host.jobs.get(jobId);
    const now = await read();
    const isAwaited = job !== null && now?.run !== runOf(job);
    if (now && !isAwaited) {
      const from = last?.run === now.run ? last.at + 1 : 0;
      for (const [at, event] of now.events.entries()) if (at >= from) yield { id: idOf(now.run, at), ...event };
      last = { run: now.run, at: now.events.length - 1 };
      if (now.end?.failed) throw new Problem(422, now.end.failed.code, now.end.failed.message);
      if (now.end) return;
    }
    if (!job || ENDED.has(job.status))
      throw new Problem(422, "NOT_FINISHED", job?.error ?? "It ended before it came to an end; ask for it again.");
    await hint;
  }
}
