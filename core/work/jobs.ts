import type { Subject } from "rxjs";
import { iso, SKEW_MS, type Clock } from "../clock.ts";
import { insertOnce, opener, type Collection, type Doc, type Documents, type Update } from "../records/documents.ts";
import { beyondHolds, Hold, LeaseLost, stopwatch } from "./hold.ts";
import { newId } from "../ids.ts";
import {
  failureOf,
  JOB_INDEXES,
  logged,
  toJob,
  type Job,
  type JobKind,
  type JobNews,
  type JobRun,
  type JobStatus,
} from "./job.ts";
import { isAway } from "../problem.ts";
import { removeInSlices } from "../records/retention.ts";

/** So long nobody else goes on with the work of a node that died. */
export const LEASE_MS = 20_000;
const BACK_OFF_MS = 2_000;
/**
 * A write of a job's own record that found the store away is tried again after this, as long as the lease certainly
 * holds.
 */
const AGAIN_MS = 250;
/** A job that wants for something which is away waits so long, and so often: an hour in all. */
const WAIT_MS = 5_000;
const MOST_WAITS = 720;
/** Nobody puts a job off for longer by adding it. */
const MOST_DELAY_MS = 60_000;
/** At every so manieth look, moments that the clock was set back behind are looked for. */
const LOOKS = 15;
/**
 * More due jobs than this are not asked for at a look: a kind of which there are that many is busy by the next one, and
 * the others are seen then.
 */
const MOST_SEEN = 50;

/**
 * Work that outlives a request and a process. A job is a stored record; a worker claims it under a lease by
 * compare-and-set, and a job whose worker died is claimed again when the lease ends. Each claim raises the job's
 * fencing number, and nothing is written to its record but under the number of its last claim.
 */
export class Jobs {
  readonly #clock: Clock;
  readonly #node: string;
  readonly #leaseMs: number;
  readonly #collection: () => Promise<Collection>;
  readonly #kinds = new Map<string, { kind: JobKind; host: unknown; running: number; asked?: boolean }>();
  readonly #live = new Map<string, Hold>();
  readonly #work = new Set<Promise<void>>();
  /** Every change of a job this process makes: for progress lines and streams. */
  readonly changes: Subject<Job>;
  /** Told when a job is queued here, to wake workers elsewhere. */
  announce: (kind: string) => void = () => {};
  onError: (error: unknown, job: Job) => void = () => {};
  #stopping = false;
  #looks = 0;

  constructor(documents: Documents, clock: Clock, node: string, changes: Subject<Job>, leaseMs = LEASE_MS) {
    this.#clock = clock;
    this.#node = node;
    this.#leaseMs = leaseMs;
    this.changes = changes;
    this.#collection = opener(documents, "jobs", { indexes: JOB_INDEXES });
  }

  /** This process works on jobs of this kind from now on. */
  work(name: string, kind: JobKind, host: unknown): void {
    this.#kinds.set(name, { kind, host, running: 0 });
  }

  /**
   * Stores a job; durable when it resolves. A `key` makes it single: a job of that key that has not ended is answered
   * instead.
   */
  async add(
    kind: string,
    input: Record<string, unknown>,
    { by, key, id = newId(), runAt }: { by: string; key?: string; id?: string; runAt?: number },
  ): Promise<Job> {
    const jobs = await this.#collection();
    const now = this.#clock.now();
    const doc: Doc = {
      _id: key ? `${kind}:${key}` : id,
      kind,
      status: "queued",
      input,
      attempts: 0,
      by,
      createdAt: iso(now),
      runAt: iso(runAt ?? now),
    };
    if (!(await insertOnce(jobs, doc))) {
      const { _id, ...again } = doc;
      const renewed = await jobs.claim(
        { _id, status: { $in: ["completed", "failed", "cancelled"] } },
        {
          $set: again,
          $unset: {
            state: 1,
            endedAt: 1,
            startedAt: 1,
            error: 1,
            fault: 1,
            result: 1,
            stage: 1,
            done: 1,
            total: 1,
            log: 1,
            waits: 1,
          },
        },
      );
      if (!renewed) return toJob((await jobs.findById(_id))!);
    }
    this.announce(kind);
    this.poke(kind);
    return toJob(doc);
  }

  async get(id: string): Promise<Job | null> {
    const doc = await (await this.#collection()).findById(id);
    return doc && toJob(doc);
  }

  async recent(limit: number, query: { kind?: string; status?: JobStatus } = {}): Promise<Job[]> {
    return (await (await this.#collection()).find({ query, sort: ["-createdAt"], limit })).map(toJob);
  }

  /** Ends a job that has not ended; a running one hears of it through its signal within a lease renewal. */
  async cancel(id: string): Promise<boolean> {
    const doc = await (
      await this.#collection()
    ).claim(
      { _id: id, status: { $in: ["queued", "running"] } },
      { $set: { status: "cancelled", endedAt: iso(this.#clock.now()) }, $inc: { seq: 1 } },
    );
    if (doc) this.changes.next(toJob(doc));
    this.#live.get(id)?.stop(new Error("cancelled"));
    return doc !== null;
  }

  /** Drops the records of jobs that ended longer ago than this; answers how many. */
  async forget(olderThanMs: number): Promise<number> {
    return removeInSlices(
      await this.#collection(),
      { endedAt: { $lte: iso(this.#clock.now() - olderThanMs) } },
      "endedAt",
    );
  }

  /** Drops the records of a kind's jobs, ended or not, whose input has this value; answers how many. */
  async drop(kind: string, field: string, value: string): Promise<number> {
    return (await this.#collection()).removeMany({ kind, [`input.${field}`]: value });
  }

  /** How many jobs of each kind that this process works on have not ended, by state; over all nodes. */
  async depths(): Promise<{ kind: string; status: JobStatus; count: number }[]> {
    const jobs = await this.#collection();
    const asked = [...this.#kinds.keys()].flatMap((kind) =>
      (["queued", "running"] as const).map((status) => ({ kind, status })),
    );
    return Promise.all(asked.map(async (query) => ({ ...query, count: await jobs.count({ query }) })));
  }

  /**
   * To be asked for every few seconds: begins what came due, or lost its worker, unnoticed. One question for all kinds
   * that have somebody free.
   */
  async look(): Promise<void> {
    const free = [...this.#kinds]
      .filter(([, { kind, running }]) => running < (kind.concurrency ?? 1))
      .map(([name]) => name);
    if (!free.length || this.#stopping) return;
    try {
      const jobs = await this.#collection();
      if (this.#looks++ % LOOKS === 0) await this.#bringBack(jobs);
      const due = await jobs.find({
        query: { kind: { $in: free }, status: { $in: ["queued", "running"] }, runAt: { $lte: iso(this.#clock.now()) } },
        fields: ["kind"],
        limit: MOST_SEEN,
      });
      for (const kind of new Set(due.map(({ kind: name }) => name as string))) this.poke(kind);
    } catch {
      // The store is away: the next look tries again.
    }
  }

  /** What is due later than any rule says was written before the clock was set back: it has its time from now on. */
  async #bringBack(jobs: Collection): Promise<void> {
    const now = this.#clock.now();
    const back = (status: JobStatus, kind: string, mostMs: number): Promise<number> => {
      const late = { $gt: iso(now + mostMs + SKEW_MS) };
      return jobs.updateMany({ kind, status, runAt: late }, { $set: { runAt: iso(now + mostMs) } });
    };
    for (const [
      name,
      {
        kind: { attempts = 3, backoffMs = BACK_OFF_MS },
      },
    ] of this.#kinds) {
      await back("running", name, this.#leaseMs);
      await back("queued", name, Math.max(MOST_DELAY_MS, WAIT_MS, backoffMs * attempts));
    }
  }

  /** Looks for work, of one kind or of all that this process does. */
  poke(name?: string): void {
    for (const [kind, worker] of this.#kinds) {
      if ((name && name !== kind) || this.#stopping) continue;
      // Whoever is at work may have looked before this job was there: one of them looks again.
      if (worker.running >= (worker.kind.concurrency ?? 1)) worker.asked = true;
      while (worker.running < (worker.kind.concurrency ?? 1)) {
        worker.running++;
        // Whoever pokes may be at work itself, under a lease that is not this work's.
        const task = beyondHolds(() => this.#turn(kind, worker)).finally(() => this.#work.delete(task));
        this.#work.add(task);
      }
    }
  }

  async #turn(name: string, worker: { kind: JobKind; host: unknown; running: number; asked?: boolean }): Promise<void> {
    let more = false;
    try {
      const since = stopwatch();
      const job = await this.#claim(name, worker.kind);
      if (job) {
        more = true;
        await this.#run(job, worker, since);
      }
    } catch {
      // The store is away: the next poll tries again, and the lease gives the job back.
    } finally {
      worker.running--;
      const again = more || worker.asked;
      worker.asked = false;
      if (again && !this.#stopping) this.poke(name);
    }
  }

  async #claim(kind: string, { attempts = 3 }: JobKind): Promise<Job | null> {
    const jobs = await this.#collection();
    const now = this.#clock.now();
    const hold = {
      $set: { status: "running", holder: this.#node, runAt: iso(now + this.#leaseMs), startedAt: iso(now) },
      $inc: { attempts: 1, fence: 1 },
    };
    // `runAt` of a running job is the end of its lease, so one index finds both the due and the orphaned.
    const due = { runAt: { $lte: iso(now) } };
    const doc =
      (await jobs.claim({ kind, status: "queued", ...due }, hold, { sort: ["runAt"] })) ??
      (await jobs.claim({ kind, status: "running", ...due, ...this.#others() }, hold, { sort: ["runAt"] }));
    if (!doc) return null;
    const job = toJob(doc);
    if (job.attempts <= attempts + 1) return job;
    await this.#end(job, this.#kinds.get(kind)!, "failed", { error: job.error ?? "Its worker died too often." });
    return null;
  }

  /**
   * Not those at work here, whose term ran out while the process was stopped or the store away: their own holds ask for
   * them.
   */
  #others() {
    return this.#live.size ? { _id: { $nin: [...this.#live.keys()] } } : {};
  }

  /**
   * Changes a job's record as long as it is this claim's; answers whether it was. Tried again while the store is away
   * and the lease certainly holds.
   */
  async #write({ id, fence }: Job, update: Update, hold?: Hold): Promise<boolean> {
    for (;;) {
      try {
        return (
          (await (
            await this.#collection()
          ).updateMany({ _id: id, status: "running", holder: this.#node, fence }, update)) > 0
        );
      } catch (error) {
        if (!isAway(error) || !hold?.isSure || this.#stopping) throw error;
        await new Promise((resolve) => {
          setTimeout(resolve, AGAIN_MS);
        });
      }
    }
  }

  async #run(job: Job, worker: { kind: JobKind; host: unknown }, since: () => number): Promise<void> {
    const hold = new Hold(`of job ${job.id}`, this.#leaseMs, () => this.#prolong(job, {}), since);
    this.#live.set(job.id, hold);
    try {
      await hold.run(() => this.#attempt(job, worker, hold));
    } finally {
      this.#live.delete(job.id);
    }
  }

  async #attempt(job: Job, worker: { kind: JobKind; host: unknown }, hold: Hold): Promise<void> {
    const progress: JobRun["progress"] = async (stage, done, total, state) => {
      Object.assign(job, { stage, done, total, ...(state !== undefined && { state }) });
      const { seq, news } = this.#tell(job);
      await hold.save(() => this.#prolong(job, { stage, done, total, state: job.state, seq }, news, hold));
      hold.signal.throwIfAborted();
      this.changes.next({ ...job });
    };
    try {
      const result = await worker.kind.run.call(worker.host, { job, signal: hold.signal, progress });
      await this.#end(job, worker, "completed", { result }, hold);
    } catch (error) {
      await this.#failed(job, worker, error, hold);
    }
  }

  async #failed(job: Job, worker: { kind: JobKind; host: unknown }, error: unknown, hold: Hold): Promise<void> {
    if (hold.isLost) this.onError(new LeaseLost(hold.name), job);
    // Stopping, or no longer ours: give it back at once where it still is.
    if (hold.signal.aborted || error instanceof LeaseLost)
      return this.#putBack(job, 0, { $inc: { attempts: -1 } }, hold);
    this.onError(error, job);
    const failure = failureOf(error, job.id);
    const { attempts = 3, backoffMs = BACK_OFF_MS } = worker.kind;
    if (isAway(error) && (job.waits ?? 0) < MOST_WAITS)
      return this.#putBack(job, WAIT_MS, { $set: { ...failure }, $inc: { attempts: -1, waits: 1 } }, hold);
    if (job.attempts >= attempts) return this.#end(job, worker, "failed", failure, hold);
    return this.#putBack(job, backoffMs * job.attempts, { $set: { ...failure } }, hold);
  }

  async #putBack(job: Job, forMs: number, { $set, $inc }: Pick<Update, "$set" | "$inc">, hold: Hold): Promise<void> {
    await beyondHolds(() =>
      this.#write(
        job,
        { $set: { ...$set, status: "queued", runAt: iso(this.#clock.now() + forMs) }, ...($inc && { $inc }) },
        hold,
      ),
    );
    if (forMs) setTimeout(() => this.poke(job.kind), forMs).unref();
  }

  /** The next line of a job's log. Only the lease's holder writes it, so its number is known beforehand. */
  #tell(job: Job): { seq: number; news: JobNews } {
    const { status, stage, done, total, error } = job;
    const seq = (job.seq = (job.seq ?? 0) + 1);
    const news = { seq, at: iso(this.#clock.now()), status, stage, done, total, error };
    return {
      seq,
      news: Object.fromEntries(Object.entries(news).filter(([, value]) => value !== undefined)) as unknown as JobNews,
    };
  }

  /** Prolongs the lease, with what is to be kept; answers whether it still was ours. */
  #prolong(job: Job, change: Record<string, unknown>, news?: JobNews, hold?: Hold): Promise<boolean> {
    const $set = Object.fromEntries(
      Object.entries({ ...change, runAt: iso(this.#clock.now() + this.#leaseMs) }).filter(
        ([, value]) => value !== undefined,
      ),
    );
    return this.#write(job, { $set, ...logged(news) }, hold);
  }

  async #end(
    job: Job,
    worker: { kind: JobKind; host: unknown },
    status: JobStatus,
    change: { result?: unknown; error?: string; fault?: string },
    hold?: Hold,
  ): Promise<void> {
    // What told of each part before it began would else end with "2 of 3".
    const done = status === "completed" ? job.total : undefined;
    const ended: Job = {
      ...job,
      status,
      endedAt: iso(this.#clock.now()),
      ...(done !== undefined && { done }),
      ...change,
    };
    // What must be told of a failure is told before the job counts as ended, so that a kill between the two tells it
    // again.
    if (status === "failed") await worker.kind.failed?.call(worker.host, ended, change.error!);
    const { seq, news } = this.#tell(ended);
    const $set = Object.fromEntries(
      Object.entries({
        status,
        endedAt: ended.endedAt,
        result: change.result,
        error: change.error,
        fault: change.fault,
        done,
        seq,
      }).filter(([, value]) => value !== undefined),
    );
    // Cancelled, or taken over by another node: what was found out here is not the job's result.
    if (await beyondHolds(() => this.#write(job, { $set, ...logged(news) }, hold))) this.changes.next(ended);
  }

  /** Gives back what it runs and waits for its workers to let go. */
  async stop(): Promise<void> {
    this.#stopping = true;
    for (const hold of this.#live.values()) hold.stop(new Error("the node is stopping"));
    await Promise.allSettled(this.#work);
  }
}
