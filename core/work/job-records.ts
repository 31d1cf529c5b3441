import { iso, SKEW_MS, type Clock } from "../clock.ts";
import { newId } from "../ids.ts";
import { isAway } from "../problem.ts";
import { insertOnce, opener, type Collection, type Doc, type Documents, type Update } from "../records/documents.ts";
import { removeInSlices } from "../records/keeping/retention.ts";
import {
  BACK_OFF_MS,
  CANCELLING,
  JOB_INDEXES,
  lookedAtBy,
  toJob,
  WAIT_MS,
  type Job,
  type JobKind,
  type JobStatus,
  type Onlookers,
} from "./job.ts";

/**
 * A write of a job's own record that found the store away is tried again after this, as long as the lease certainly
 * holds.
 */
const AGAIN_MS = 250;
/** Nobody puts a job off for longer by adding it. */
const MOST_DELAY_MS = 60_000;
/**
 * More due jobs than this are not asked for at a look: a kind of which there are that many is busy by the next one, and
 * the others are seen then.
 */
const MOST_SEEN = 50;
/** What tells of a job's attempts and of its end. */
const COURSE = [
  ...["endedAt", "startedAt", "error", "fault", "result", "retryable"],
  ...["stage", "done", "total", "log", "waits"],
];
/** What an earlier job of the same key left on its record. */
const LEFT = ["state", ...COURSE];
const without = (fields: readonly string[]): Record<string, 1> => Object.fromEntries(fields.map((field) => [field, 1]));

export interface Ordered {
  by: string;
  onlookers?: Onlookers | undefined;
  key?: string;
  id?: string;
  runAt?: number;
}

/** What jobs are looked for by. */
export type Looked = { kind?: string; status?: JobStatus } & ({ by?: string } | { open: true });

/** The stored records of jobs: who may claim one, and who may write to it. */
export class JobRecords {
  readonly #clock: Clock;
  readonly #node: string;
  readonly #leaseMs: number;
  readonly #collection: () => Promise<Collection>;

  constructor(documents: Documents, clock: Clock, node: string, leaseMs: number) {
    this.#clock = clock;
    this.#node = node;
    this.#leaseMs = leaseMs;
    this.#collection = opener(documents, "jobs", { indexes: JOB_INDEXES });
  }

  /** Stores a job; of a `key` whose job has not ended, answers that one instead. */
  async add(
    kind: string,
    input: Record<string, unknown>,
    { by, onlookers, key, id = newId(), runAt }: Ordered,
  ): Promise<{ job: Job; isNew: boolean }> {
    const jobs = await this.#collection();
    const now = this.#clock.now();
    const doc: Doc = {
      _id: key ? `${kind}:${key}` : id,
      kind,
      status: "queued",
      input,
      attempts: 0,
      by,
      ...lookedAtBy(onlookers),
      createdAt: iso(now),
      runAt: iso(runAt ?? now),
    };
    if (!(await insertOnce(jobs, doc))) {
      const { _id, ...again } = doc;
      const renewed = await jobs.claim(
        { _id, status: { $in: ["completed", "failed", "cancelled"] } },
        { $set: again, $unset: without(LEFT) },
      );
      if (!renewed) return { job: toJob((await jobs.findById(_id))!), isNew: false };
    }
    return { job: toJob(doc), isNew: true };
  }

  async get(id: string): Promise<Job | null> {
    const doc = await (await this.#collection()).findById(id);
    return doc && toJob(doc);
  }

  async recent(limit: number, { status, ...wanted }: Looked): Promise<Job[]> {
    const states = status === "running" ? { $in: [status, CANCELLING] } : status;
    const query = { ...wanted, ...(states && { status: states }) };
    return (await (await this.#collection()).find({ query, sort: ["-createdAt"], limit })).map(toJob);
  }

  /**
   * Takes a job from whoever works on it, to be ended by `claimCancelled`. The job as it then is, also where it is being
   * ended already; null where it had ended.
   */
  async cancel(id: string): Promise<Job | null> {
    const jobs = await this.#collection();
    const doc =
      (await jobs.claim(
        { _id: id, status: { $in: ["queued", "running"] } },
        { $set: { status: CANCELLING, runAt: iso(this.#clock.now()) }, $inc: { seq: 1 } },
      )) ?? (await jobs.findById(id));
    return doc && !doc["endedAt"] ? toJob(doc) : null;
  }

  /** Takes a cancelled job of a kind that nobody is ending, under a lease. */
  async claimCancelled(kind: string): Promise<Job | null> {
    const now = this.#clock.now();
    const doc = await (
      await this.#collection()
    ).claim(
      { kind, status: CANCELLING, runAt: { $lte: iso(now) } },
      { $set: { holder: this.#node, runAt: iso(now + this.#leaseMs) }, $inc: { fence: 1 } },
      { sort: ["runAt"] },
    );
    return doc && toJob(doc);
  }

  /** Those of the kinds of which a cancelled job is not ended yet. */
  async cancelled(kinds: readonly string[]): Promise<Set<string>> {
    const query = { kind: { $in: kinds }, status: CANCELLING, runAt: { $lte: iso(this.#clock.now()) } };
    const found = await (await this.#collection()).find({ query, fields: ["kind"], limit: MOST_SEEN });
    return new Set(found.map(({ kind }) => kind as string));
  }

  /** Ends a job that `claimCancelled` gave; answers whether it still was this claim's. */
  async endCancelled({ id, fence }: Job, update: Update): Promise<boolean> {
    const jobs = await this.#collection();
    return (await jobs.updateMany({ _id: id, status: CANCELLING, holder: this.#node, fence }, update)) > 0;
  }

  /**
   * Queues a failed job anew, to go on from what it saved; null where it has not failed, or is not to be tried again.
   */
  async retry(id: string): Promise<Job | null> {
    const jobs = await this.#collection();
    const doc = await jobs.claim(
      { _id: id, status: "failed", retryable: true },
      {
        $set: { status: "queued", attempts: 0, runAt: iso(this.#clock.now()) },
        $unset: without(COURSE),
        $inc: { seq: 1 },
      },
    );
    return doc && toJob(doc);
  }

  async forget(olderThanMs: number): Promise<number> {
    const before = { endedAt: { $lte: iso(this.#clock.now() - olderThanMs) } };
    return removeInSlices(await this.#collection(), before, "endedAt");
  }

  async drop(kind: string, field: string, value: string): Promise<number> {
    return (await this.#collection()).removeMany({ kind, [`input.${field}`]: value });
  }

  async depths(kinds: readonly string[]): Promise<{ kind: string; status: JobStatus; count: number }[]> {
    const jobs = await this.#collection();
    const asked = kinds.flatMap((kind) => (["queued", "running"] as const).map((status) => ({ kind, status })));
    return Promise.all(asked.map(async (query) => ({ ...query, count: await jobs.count({ query }) })));
  }

  /** Those of the kinds of which some job came due, or lost its worker. */
  async due(kinds: readonly string[]): Promise<Set<string>> {
    const jobs = await this.#collection();
    const due = await jobs.find({
      query: { kind: { $in: kinds }, status: { $in: ["queued", "running"] }, runAt: { $lte: iso(this.#clock.now()) } },
      fields: ["kind"],
      limit: MOST_SEEN,
    });
    return new Set(due.map(({ kind }) => kind as string));
  }

  /**
   * Ends the leases of all jobs, for a process that has the store to itself and has not begun: whoever held them is gone.
   * Kinds are looked for one after the other by the index, since those of the process before need not be this one's.
   */
  async lapse(): Promise<void> {
    const jobs = await this.#collection();
    const runAt = iso(this.#clock.now());
    for (let kind = ""; ;) {
      const [next] = await jobs.find({ query: { kind: { $gt: kind } }, sort: ["kind"], fields: ["kind"], limit: 1 });
      if (!next) return;
      kind = next["kind"] as string;
      for (const status of ["running", CANCELLING])
        await jobs.updateMany({ kind, status, runAt: { $gt: runAt } }, { $set: { runAt } });
    }
  }

  /** What is due later than any rule says was written before the clock was set back: it has its time from now on. */
  async bringBack(kinds: Iterable<readonly [string, JobKind]>): Promise<void> {
    const jobs = await this.#collection();
    const now = this.#clock.now();
    const back = (status: JobStatus | typeof CANCELLING, kind: string, mostMs: number): Promise<number> => {
      const late = { $gt: iso(now + mostMs + SKEW_MS) };
      return jobs.updateMany({ kind, status, runAt: late }, { $set: { runAt: iso(now + mostMs) } });
    };
    for (const [name, { attempts = 3, backoffMs = BACK_OFF_MS }] of kinds) {
      await back("running", name, this.#leaseMs);
      await back(CANCELLING, name, this.#leaseMs);
      await back("queued", name, Math.max(MOST_DELAY_MS, WAIT_MS, backoffMs * attempts));
    }
  }

  /**
   * Takes the first that is due, or whose lease ended, under a lease. None of `live`: they are at work here, and where
   * their term ran out while the process was stopped or the store away, their own holds ask for them.
   */
  async claim(kind: string, live: readonly string[]): Promise<Job | null> {
    const jobs = await this.#collection();
    const now = this.#clock.now();
    const hold = {
      $set: { status: "running", holder: this.#node, runAt: iso(now + this.#leaseMs), startedAt: iso(now) },
      $inc: { attempts: 1, fence: 1 },
    };
    // `runAt` of a running job is the end of its lease, so one index finds both the due and the orphaned.
    const due = { runAt: { $lte: iso(now) } };
    const others = live.length ? { _id: { $nin: live } } : {};
    const doc =
      (await jobs.claim({ kind, status: "queued", ...due }, hold, { sort: ["runAt"] })) ??
      (await jobs.claim({ kind, status: "running", ...due, ...others }, hold, { sort: ["runAt"] }));
    return doc && toJob(doc);
  }

  /**
   * Changes a job's record as long as it is this claim's; answers whether it was. Tried again while the store is away
   * and `isSure` says that the lease certainly holds.
   */
  async write({ id, fence }: Job, update: Update, isSure: () => boolean): Promise<boolean> {
    for (;;) {
      try {
        const jobs = await this.#collection();
        return (await jobs.updateMany({ _id: id, status: "running", holder: this.#node, fence }, update)) > 0;
      } catch (error) {
        if (!isAway(error) || !isSure()) throw error;
        await new Promise((resolve) => {
          setTimeout(resolve, AGAIN_MS);
        });
      }
    }
  }
}
