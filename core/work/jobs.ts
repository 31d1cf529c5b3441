import type { Subject } from "rxjs";
import type { Clock } from "../clock.ts";
import type { Documents } from "../records/documents.ts";
import { beyondHolds, stopwatch } from "./hold.ts";
import { JobAttempts, type Worker } from "./job-attempts.ts";
import { JobMeter } from "./job-meter.ts";
import { JobRecords, type Looked, type Ordered } from "./job-records.ts";
import type { Job, JobKind, JobStatus } from "./job.ts";

/** So long nobody else goes on with the work of a node that died. */
export const LEASE_MS = 20_000;
/** At every so manieth look, moments that the clock was set back behind are looked for. */
const LOOKS = 15;

/** Whoever works on a kind, and how many of its jobs are at work here. */
interface Shift extends Worker {
  running: number;
  /** Somebody asked while all were at work. */
  asked?: boolean;
}
const isFree = ({ running, kind }: Shift): boolean => running < (kind.concurrency ?? 1);

/**
 * Work that outlives a request and a process. A job is a stored record; a worker claims it under a lease by
 * compare-and-set, and a job whose worker died is claimed again when the lease ends. Each claim raises the job's
 * fencing number, and nothing is written to its record but under the number of its last claim.
 */
export class Jobs {
  readonly #records: JobRecords;
  readonly #attempts: JobAttempts;
  readonly #kinds = new Map<string, Shift>();
  readonly #work = new Set<Promise<void>>();
  /** Every change of a job this process makes: for progress lines and streams. */
  readonly changes: Subject<Job>;
  readonly meter = new JobMeter();
  /** Told when a job is queued here, to wake workers elsewhere. */
  announce: (kind: string) => void = () => {};
  /** Told when a job is cancelled here, so that what it was for is ended where its kind is worked on. */
  announceCancelled: (kind: string) => void = () => {};
  onError: (error: unknown, job: Job) => void = () => {};
  #stopping = false;
  #looks = 0;

  constructor(documents: Documents, clock: Clock, node: string, changes: Subject<Job>, leaseMs = LEASE_MS) {
    this.changes = changes;
    changes.subscribe((job) => this.meter.changed(job));
    this.#records = new JobRecords(documents, clock, node, leaseMs);
    this.#attempts = new JobAttempts({
      records: this.#records,
      clock,
      leaseMs,
      changes,
      onError: (error, job) => {
        this.meter.attemptFailed(job);
        this.onError(error, job);
      },
      poke: (kind) => this.poke(kind),
    });
  }

  /** This process works on jobs of this kind from now on. */
  work(name: string, kind: JobKind, host: unknown): void {
    this.#kinds.set(name, { kind, host, running: 0 });
    this.meter.attend(name);
  }

  /**
   * Stores a job; durable when it resolves. A `key` makes it single: a job of that key that has not ended is answered
   * instead.
   */
  async add(kind: string, input: Record<string, unknown>, ordered: Ordered): Promise<Job> {
    const { job, isNew } = await this.#records.add(kind, input, ordered);
    if (isNew) {
      this.announce(kind);
      this.poke(kind);
    }
    return job;
  }

  get(id: string): Promise<Job | null> {
    return this.#records.get(id);
  }

  recent(limit: number, query: Looked = {}): Promise<Job[]> {
    return this.#records.recent(limit, query);
  }

  /**
   * Ends a job that has not ended; a running one hears of it through its signal within a lease renewal. It counts as
   * cancelled once what it was for has ended as well, by whoever works on its kind. Null where it had ended.
   */
  async cancel(id: string): Promise<Job | null> {
    const cancelled = await this.#records.cancel(id);
    this.#attempts.stop(id, new Error("cancelled"));
    if (!cancelled) return null;
    this.changes.next(cancelled);
    this.announceCancelled(cancelled.kind);
    this.pokeCancelled(cancelled.kind);
    return cancelled;
  }

  /** Has a job that failed for good tried again; null where it has not failed, or its kind does not allow it. */
  async retry(id: string): Promise<Job | null> {
    const queued = await this.#records.retry(id);
    if (!queued) return null;
    this.changes.next(queued);
    this.announce(queued.kind);
    this.poke(queued.kind);
    return queued;
  }

  /** Drops the records of jobs that ended longer ago than this; answers how many. */
  forget(olderThanMs: number): Promise<number> {
    return this.#records.forget(olderThanMs);
  }

  /** Drops the records of a kind's jobs, ended or not, whose input has this value; answers how many. */
  drop(kind: string, field: string, value: string): Promise<number> {
    return this.#records.drop(kind, field, value);
  }

  /** How many jobs of each kind that this process works on have not ended, by state; over all nodes. */
  depths(): Promise<{ kind: string; status: JobStatus; count: number }[]> {
    return this.#records.depths([...this.#kinds.keys()]);
  }

  /**
   * To be asked for every few seconds: begins what came due, or lost its worker, unnoticed. One question for all kinds
   * that have somebody free.
   */
  async look(): Promise<void> {
    if (!this.#kinds.size || this.#stopping) return;
    const free = [...this.#kinds].filter(([, shift]) => isFree(shift)).map(([name]) => name);
    try {
      for (const kind of await this.#records.cancelled([...this.#kinds.keys()])) this.pokeCancelled(kind);
      if (!free.length) return;
      if (this.#looks++ % LOOKS === 0)
        await this.#records.bringBack([...this.#kinds].map(([name, { kind }]) => [name, kind] as const));
      for (const kind of await this.#records.due(free)) this.poke(kind);
    } catch {
      // The store is away: the next look tries again.
    }
  }

  /** Looks for work, of one kind or of all that this process does. */
  poke(name?: string): void {
    for (const [kind, shift] of this.#kinds) {
      if ((name && name !== kind) || this.#stopping) continue;
      // Whoever is at work may have looked before this job was there: one of them looks again.
      if (!isFree(shift)) shift.asked = true;
      while (isFree(shift)) {
        shift.running++;
        // Whoever pokes may be at work itself, under a lease that is not this work's.
        const task = beyondHolds(() => this.#turn(kind, shift)).finally(() => this.#work.delete(task));
        this.#work.add(task);
      }
    }
  }

  /** Ends the cancelled jobs of a kind that this process works on: however busy it is, they do no work. */
  pokeCancelled(name: string): void {
    const shift = this.#kinds.get(name);
    if (!shift || this.#stopping) return;
    const task = beyondHolds(() => this.#endCancelled(name, shift)).finally(() => this.#work.delete(task));
    this.#work.add(task);
  }

  async #endCancelled(name: string, shift: Shift): Promise<void> {
    try {
      for (let job; (job = await this.#records.claimCancelled(name));)
        await this.#attempts.endCancelled(job, shift).catch((error: unknown) => this.onError(error, job!));
    } catch {
      // The store is away: the next look tries again.
    }
  }

  async #turn(name: string, shift: Shift): Promise<void> {
    let more = false;
    try {
      const since = stopwatch();
      const job = await this.#claim(name, shift);
      if (job) {
        more = true;
        await this.#attempts.run(job, shift, since);
      }
    } catch {
      // The store is away: the next poll tries again, and the lease gives the job back.
    } finally {
      shift.running--;
      const again = more || shift.asked;
      shift.asked = false;
      if (again && !this.#stopping) this.poke(name);
    }
  }

  async #claim(name: string, shift: Shift): Promise<Job | null> {
    const job = await this.#records.claim(name, this.#attempts.live);
    if (!job || job.attempts <= (shift.kind.attempts ?? 3) + 1) return job;
    await this.#attempts.end(job, shift, "failed", { error: job.error ?? "Its worker died too often." });
    return null;
  }

  /** Gives back what it runs and waits for its workers to let go. */
  async stop(): Promise<void> {
    this.#stopping = true;
    this.#attempts.stopAll(new Error("the node is stopping"));
    await Promise.allSettled(this.#work);
  }
}
