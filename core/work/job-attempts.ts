import type { Subject } from "rxjs";
import { iso, type Clock } from "../clock.ts";
import { isAway } from "../problem.ts";
import type { Update } from "../records/documents.ts";
import { beyondHolds, Hold, LeaseLost } from "./hold.ts";
import type { JobRecords } from "./job-records.ts";
import {
  BACK_OFF_MS,
  failureOf,
  logged,
  STOPPED,
  WAIT_MS,
  type Job,
  type JobKind,
  type JobNews,
  type JobRun,
  type JobStatus,
} from "./job.ts";

/** A job that wants for something which is away waits so often, an hour in all. */
const MOST_WAITS = 720;

/** Whoever works on a kind: its handlers, and the service that they are of. */
export interface Worker {
  kind: JobKind;
  host: unknown;
}
interface Parts {
  records: JobRecords;
  clock: Clock;
  leaseMs: number;
  changes: Subject<Job>;
  onError(error: unknown, job: Job): void;
  /** Looks for work of this kind. */
  poke(kind: string): void;
}

type Ended = Pick<Job, "result" | "error" | "fault">;
const defined = (fields: object): Record<string, unknown> =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));

/**
 * Attempts at jobs in this process: each under a lease that is prolonged meanwhile, until it ended well, ended for good,
 * or was put back. Nothing is written to a job's record but under the number of its claim.
 */
export class JobAttempts {
  readonly #parts: Parts;
  readonly #live = new Map<string, Hold>();
  #isStopping = false;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** Ids of the jobs at work here. */
  get live(): readonly string[] {
    return [...this.#live.keys()];
  }

  /** Does what was claimed; `since` runs from before the claim. */
  async run(job: Job, worker: Worker, since: () => number): Promise<void> {
    const hold = new Hold(`of job ${job.kind} ${job.id}`, this.#parts.leaseMs, () => this.#prolong(job, {}), since);
    this.#live.set(job.id, hold);
    try {
      await hold.run(() => this.#attempt(job, worker, hold));
    } finally {
      this.#live.delete(job.id);
    }
  }

  /** Ends the work on a job, if it is done here; or on all, for good. */
  stop(id: string, reason: Error): void {
    this.#live.get(id)?.stop(reason);
  }
  stopAll(reason: Error): void {
    this.#isStopping = true;
    for (const hold of this.#live.values()) hold.stop(reason);
  }

  async #attempt(job: Job, worker: Worker, hold: Hold): Promise<void> {
    const progress: JobRun["progress"] = async (stage, done, total, state) => {
      Object.assign(job, { stage, done, total, ...(state !== undefined && { state }) });
      const { seq, news } = this.#tell(job);
      await hold.save(() => this.#prolong(job, { stage, done, total, state: job.state, seq }, news, hold));
      hold.signal.throwIfAborted();
      this.#parts.changes.next({ ...job });
    };
    try {
      const result = await worker.kind.run.call(worker.host, { job, signal: hold.signal, progress });
      await this.end(job, worker, "completed", { result }, hold);
    } catch (error) {
      await this.#failed(job, worker, error, hold);
    }
  }

  async #failed(job: Job, worker: Worker, error: unknown, hold: Hold): Promise<void> {
    const { onError } = this.#parts;
    if (hold.isLost) onError(new LeaseLost(hold.name), job);
    // Stopping, or no longer ours: give it back at once where it still is.
    if (hold.signal.aborted || error instanceof LeaseLost)
      return this.#putBack(job, 0, { $inc: { attempts: -1 } }, hold);
    if (!worker.kind.isTold?.(error)) onError(error, job);
    const failure = failureOf(error, job.id);
    const { attempts = 3, backoffMs = BACK_OFF_MS } = worker.kind;
    if (isAway(error) && (job.waits ?? 0) < MOST_WAITS)
      return this.#putBack(job, WAIT_MS, { $set: { ...failure }, $inc: { attempts: -1, waits: 1 } }, hold);
    if (job.attempts >= attempts) return this.end(job, worker, "failed", failure, hold);
    return this.#putBack(job, backoffMs * job.attempts, { $set: { ...failure } }, hold);
  }

  async #putBack(job: Job, forMs: number, { $set, $inc }: Pick<Update, "$set" | "$inc">, hold: Hold): Promise<void> {
    const runAt = iso(this.#parts.clock.now() + forMs);
    const change = { $set: { ...$set, status: "queued", runAt }, ...($inc && { $inc }) };
    await beyondHolds(() => this.#write(job, change, hold));
    if (forMs) setTimeout(() => this.#parts.poke(job.kind), forMs).unref();
  }

  /** The next line of a job's log. Only the lease's holder writes it, so its number is known beforehand. */
  #tell(job: Job): { seq: number; news: JobNews } {
    const { status, stage, done, total, error } = job;
    const seq = (job.seq = (job.seq ?? 0) + 1);
    const news = { seq, at: iso(this.#parts.clock.now()), status, stage, done, total, error };
    return { seq, news: defined(news) as unknown as JobNews };
  }

  #write(job: Job, update: Update, hold?: Hold): Promise<boolean> {
    return this.#parts.records.write(job, update, () => hold !== undefined && hold.isSure && !this.#isStopping);
  }

  /** Prolongs the lease, with what is to be kept; answers whether it still was ours. */
  #prolong(job: Job, change: Record<string, unknown>, news?: JobNews, hold?: Hold): Promise<boolean> {
    const runAt = iso(this.#parts.clock.now() + this.#parts.leaseMs);
    return this.#write(job, { $set: defined({ ...change, runAt }), ...logged(news) }, hold);
  }

  /** Ends a job that was cancelled, and before it what it was for. */
  async endCancelled(job: Job, worker: Worker): Promise<void> {
    const endedAt = iso(this.#parts.clock.now());
    const ended: Job = { ...job, status: "cancelled", endedAt };
    const { kind, host } = worker;
    await (kind.cancelled ? kind.cancelled.call(host, ended) : kind.failed?.call(host, ended, STOPPED));
    const { seq, news } = this.#tell(ended);
    const change = { $set: { status: "cancelled", endedAt, seq }, ...logged(news) };
    if (await this.#parts.records.endCancelled(job, change)) this.#parts.changes.next(ended);
  }

  /** Ends a job that was claimed here; what was found out of one that is another's by now is not its result. */
  async end(job: Job, worker: Worker, status: JobStatus, change: Ended, hold?: Hold): Promise<void> {
    const isWell = status === "completed";
    // What told of each part before it began would else end with "2 of 3".
    const done = isWell ? job.total : undefined;
    const endedAt = iso(this.#parts.clock.now());
    // Why an earlier attempt failed says nothing of a job that ended well.
    const { error: _error, fault: _fault, ...before } = job;
    const ended: Job = { ...(isWell ? before : job), status, endedAt, ...(done !== undefined && { done }), ...change };
    // What must be told of a failure is told before the job counts as ended, so that a kill between the two tells it
    // again.
    if (status === "failed") await worker.kind.failed?.call(worker.host, ended, change.error!);
    const { seq, news } = this.#tell(ended);
    const { result, error, fault } = change;
    const retryable = status === "failed" && !worker.kind.failed ? true : undefined;
    const $set = defined({ status, endedAt, result, error, fault, done, seq, retryable });
    const write = { $set, ...(isWell && job.error && { $unset: { error: 1, fault: 1 } }), ...logged(news) } as const;
    // Cancelled, or taken over by another node: what was found out here is not the job's result.
    if (await beyondHolds(() => this.#write(job, write, hold))) this.#parts.changes.next(ended);
  }
}
