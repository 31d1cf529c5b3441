import { defer, filter, firstValueFrom, from, fromEvent, merge, of, switchMap, takeUntil, timer } from "rxjs";
import type { Job } from "./job.ts";
import type { Jobs } from "./jobs.ts";

const LOOK_MS = 300;
const hasEnded = ({ status }: Job): boolean => status !== "queued" && status !== "running";

/**
 * A job once it ended, on whichever node; as it stands when `withinMs` milliseconds are over or its client has gone.
 */
export async function endOf(
  jobs: Jobs,
  job: Job,
  { withinMs, gone }: { withinMs: number; gone: AbortSignal },
): Promise<Job> {
  const here = jobs.changes.pipe(filter(({ id }) => id === job.id));
  const anywhere = timer(0, LOOK_MS).pipe(
    switchMap(() => from(jobs.get(job.id))),
    filter((found) => found !== null),
  );
  const over = merge(timer(withinMs), gone.aborted ? of(null) : fromEvent(gone, "abort"));
  const last = await firstValueFrom(merge(here, anywhere).pipe(filter(hasEnded), takeUntil(over)), {
    defaultValue: undefined,
  });
  return last ?? (await firstValueFrom(defer(() => jobs.get(job.id)))) ?? job;
}
