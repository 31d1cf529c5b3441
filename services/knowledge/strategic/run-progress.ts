import { z } from "zod";
import type { StreamEvent } from "../../../core/contract/answer.ts";
import type { Host } from "../../../core/contract/endpoint.ts";
import { notFound, Problem } from "../../../core/problem.ts";
import type { Job } from "../../../core/work/job.ts";
import { ENDED, LOOK_MS, JobWatch } from "../../../core/work/watch.ts";

/** How far a run is; the last of a run says by which method, and what was found. */
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

/** What followers of a run are told: events are only ever added to, within one run. */
export interface RunTelling {
  /** Names the run: the epoch milliseconds at which its job was asked for. */
  run: number;
  events: { event: string; data: unknown }[];
  /** Absent while it runs. */
  end?: { failed?: z.output<typeof Failure> };
}

export const runOf = ({ createdAt }: Pick<Job, "createdAt">): number => Date.parse(createdAt);

const watch = new JobWatch();
/** Wakes who follows a job here; hinted at by whichever node does the work. */
export const wake = (jobId: string): void => watch.wake(jobId);

const idOf = (run: number, at: number): string => `${run}-${at}`;
function seenUpTo(lastEventId: string | undefined): { run: number; at: number } | undefined {
  const parts = /^(\d{1,15})-(\d{1,9})$/.exec(lastEventId ?? "");
  return parts ? { run: Number(parts[1]), at: Number(parts[2]) } : undefined;
}

/**
 * A run from its beginning, or behind the event seen last, to its end: whoever comes early, late or again is told the
 * same. The job says which run is on, its record what came of it. A stream of a run that never was is 404.
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
    // The job before its record: what it says to be over, its record tells whole.
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
