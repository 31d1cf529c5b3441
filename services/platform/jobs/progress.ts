import { setTimeout } from "node:timers/promises";
import { z } from "zod";
import type { StreamEvent } from "../../../core/contract/answer.ts";
import type { Host } from "../../../core/contract/endpoint.ts";
import type { Job, JobNews } from "../../../core/work/job.ts";
import type { Jobs } from "../../../core/work/jobs.ts";

/** A hint may be lost: then the next look finds what it was about. */
const LOOK_MS = 2_000;
const ENDED = new Set(["completed", "failed", "cancelled"]);

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

/** Wakes those who follow a job. */
export class Watch {
  readonly #waiting = new Map<string, Set<() => void>>();

  wake(id: string): void {
    const waiting = this.#waiting.get(id);
    this.#waiting.delete(id);
    for (const wake of waiting ?? []) wake();
  }

  /** Begins to listen at once; resolves with the next hint, or after so many milliseconds. */
  async next(id: string, mostMs: number): Promise<void> {
    const abort = new AbortController();
    let waiting = this.#waiting.get(id);
    if (!waiting) this.#waiting.set(id, (waiting = new Set()));
    const wake = (): void => abort.abort();
    waiting.add(wake);
    await setTimeout(mostMs, undefined, { signal: abort.signal, ref: false }).catch(() => {});
    waiting.delete(wake);
    if (!waiting.size && this.#waiting.get(id) === waiting) this.#waiting.delete(id);
  }
}

export const watching = (host: Host): Watch => (host as Host & { watch: Watch }).watch;

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
export async function* follow(jobs: Jobs, watch: Watch, id: string, lastEventId?: string): AsyncGenerator<StreamEvent> {
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
