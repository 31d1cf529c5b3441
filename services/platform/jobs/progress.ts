import { z } from "zod";
import type { StreamEvent } from "../../../core/contract/answer.ts";
import type { Host } from "../../../core/contract/endpoint.ts";
import type { Job, JobNews } from "../../../core/work/job.ts";
import type { Jobs } from "../../../core/work/jobs.ts";
import { ENDED, LOOK_MS, type JobWatch } from "../../../core/work/watch.ts";

/** One line of a job's log. */
export const Progress = z
  .object({
    status: z.enum(["queued", "running", "completed", "failed", "cancelled"]),
    stage: z.string().optional(),
    done: z.number().optional(),
    total: z.number().optional(),
    error: z.string().optional(),
    at: z.string().optional(),
  })
  .meta({ id: "JobProgress" });

export const watching = (host: Host): JobWatch => (host as Host & { watch: JobWatch }).watch;

const eventOf = (
  seq: number,
  { status, stage, done, total, error, at }: Omit<JobNews, "seq" | "at"> & { at?: string },
): StreamEvent => ({ id: String(seq), event: "progress", data: { status, stage, done, total, error, at } });

/** What is new of a job after a line of its log: the lines, and where they do not tell it yet, how the job stands. */
function newsOf(job: Job, seen: number | undefined): StreamEvent[] {
  const lines = (job.log ?? []).filter(({ seq }) => seq > (seen ?? -1));
  const events = lines.map((line) => eventOf(line.seq, line));
  const told = lines.at(-1)?.status ?? (seen === undefined ? undefined : job.log?.at(-1)?.status);
  const id = (job.seq ?? 0) + (told === undefined ? 0 : 1);
  const untold = told === undefined || (ENDED.has(job.status) && told !== job.status);
  return untold && id > (seen ?? -1) ? [...events, eventOf(id, job)] : events;
}

/** A job's log from the beginning, or after the line that was seen last, until the job ends. */
export async function* follow(
  jobs: Jobs,
  watch: JobWatch,
  id: string,
  lastEventId?: string,
): AsyncGenerator<StreamEvent> {
  let seen = lastEventId !== undefined && /^\d{1,15}$/.test(lastEventId) ? Number(lastEventId) : undefined;
  for (;;) {
    const hint = watch.next(id, LOOK_MS);
    const job = await jobs.get(id);
    if (!job) return;
    for (const event of newsOf(job, seen)) {
      seen = Number(event.id);
      yield event;
    }
    if (ENDED.has(job.status)) return;
    await hint;
  }
}
