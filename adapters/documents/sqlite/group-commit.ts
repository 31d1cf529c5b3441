import type { DatabaseSync, StatementSync } from "node:sqlite";
import { insufficientStorage, isDiskFull } from "../../../core/problem.ts";

function settle(batch: readonly Job[]): void {
  for (const { outcome, resolve, reject } of batch) {
    if (outcome && "value" in outcome) resolve(outcome.value);
    else reject(outcome?.error);
  }
}

/** SQLite's primary result codes after which the transaction continues; any other failure ends the whole batch. */
const HARMLESS = new Set([1 /* ERROR */, 18 /* TOOBIG */, 19 /* CONSTRAINT */, 20 /* MISMATCH */, 25 /* RANGE */]);
const BUSY = 5;
const IOERR = 10;
/** Another process holds the lock for the length of a commit: retrying soon is cheaper than blocking the event loop. */
const RETRY_MS = 5;
/** While others join, a batch waits at most this many turns of the event loop: the commit costs, not its size. */
const MOST_TURNS = 4;
const PATIENCE_MS = 15_000;
/** A batch that takes more CPU time than this is split: the event loop runs before the rest. */
const SLICE_MS = 25;

interface Job {
  work: () => unknown;
  /** Whether it may consist of several statements: those are undone if it fails. */
  manifold: () => boolean;
  resolve: (value: unknown) => void;
  reject: (error: unknown) => void;
  outcome?: { value: unknown } | { error: unknown };
}

/** Tells when the slice that begins now is over; time in which other processes had the CPU does not count. */
function slice(): () => boolean {
  const end = performance.now() + SLICE_MS,
    before = process.threadCpuUsage();
  const spentMs = (): number => {
    const { user, system } = process.threadCpuUsage(before);
    return (user + system) / 1_000;
  };
  return () => performance.now() >= end && spentMs() >= SLICE_MS;
}

export interface Hooks {
  /** A write transaction has begun: nobody else can write now. */
  began(): void;
  /** A transaction or a part of it was rolled back. */
  undone(): void;
  /** Whether the disk has room, asked after failures that SQLite does not name. */
  hasRoom(): boolean;
  /** Syncs what is committed; undefined where that is done at once. After a throw it is unknown what the disk has. */
  sync(): Promise<void> | undefined;
  /** After such a throw: whether everything committed is on the disk now, with a new log. */
  mend(): boolean;
}

/**
 * Group commit (DeWitt et al., 1984): writes queued in one turn of the event loop, or while the previous log is synced,
 * share one transaction and one fsync, as many as fit into one turn. A promise settles only after both. A failing write
 * fails alone; when the engine fails (disk full, I/O error), all writes of the batch are refused and the next batch
 * starts afresh. After a failed sync it is unknown what the disk has: the batch is refused, and nothing is written
 * until the log is repaired.
 */
export class GroupCommit {
  readonly #database: DatabaseSync;
  readonly #hooks: Hooks;
  readonly #savepoint: StatementSync;
  readonly #release: StatementSync;
  #queue: Job[] = [];
  #scheduled = false;
  #waitingSince: number | undefined;
  #idle: (() => void)[] = [];
  #syncing: Promise<void> | undefined;
  #broken: Error | undefined;

  constructor(database: DatabaseSync, hooks: Hooks) {
    this.#database = database;
    this.#savepoint = database.prepare("savepoint job");
    this.#release = database.prepare("release job");
    this.#hooks = hooks;
  }

  /**
   * Runs the work inside the next transaction and resolves with its answer when that is durable. @throws whatever the
   * work throws, 507 where the disk is full, or an explanatory Error where the store cannot write
   */
  write<T>(work: () => T, manifold: () => boolean): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      this.#queue.push({ work, manifold, resolve: resolve as (value: unknown) => void, reject });
      this.#schedule();
    });
  }

  /**
   * Resolves when everything readable now is on the disk, or could not be written there; undefined where it already is.
   * Answers from reads wait for it.
   */
  get settled(): Promise<void> | undefined {
    return this.#syncing;
  }

  /** Resolves when nothing waits any more. */
  drained(): Promise<void> {
    return this.#scheduled ? new Promise((resolve) => this.#idle.push(resolve)) : Promise.resolve();
  }

  #schedule(): void {
    if (this.#scheduled) return;
    this.#scheduled = true;
    this.#gather(0, 0);
  }

  #gather(turns: number, before: number): void {
    setImmediate(() => {
      const { length } = this.#queue;
      if (turns < MOST_TURNS && length > before) this.#gather(turns + 1, length);
      else this.#flush();
    });
  }

  #flush(): void {
    const batch = this.#queue;
    this.#queue = [];
    if (this.#broken && this.#hooks.mend()) this.#broken = undefined;
    if (this.#broken) this.#refuse(batch, this.#broken);
    else if (this.#begin(batch)) {
      if (this.#commit(batch)) this.#bring(batch);
      if (this.#syncing) return;
    } else if (this.#waitingSince !== undefined) return;
    this.#next();
  }

  #next(): void {
    this.#scheduled = false;
    if (this.#queue.length > 0) this.#schedule();
    else for (const resolve of this.#idle.splice(0)) resolve();
  }

  /** Whether the transaction has begun. While another process writes, the batch stays first in the queue. */
  #begin(batch: Job[]): boolean {
    try {
      this.#database.exec("begin immediate");
      this.#waitingSince = undefined;
      return true;
    } catch (error) {
      const now = performance.now();
      this.#waitingSince ??= now;
      if (resultCode(error) === BUSY && now - this.#waitingSince < PATIENCE_MS) {
        this.#queue = batch.concat(this.#queue);
        setTimeout(() => this.#flush(), RETRY_MS);
        return false;
      }
      this.#waitingSince = undefined;
      this.#refuse(batch, error);
      return false;
    }
  }

  /** Whether the batch is committed, except for writes without time left: those stay first in the queue. */
  #commit(batch: Job[]): boolean {
    try {
      this.#hooks.began();
      const isOver = slice();
      let done = 0;
      do this.#run(batch[done++]!);
      while (done < batch.length && !isOver());
      this.#queue = batch.splice(done).concat(this.#queue);
      this.#database.exec("commit");
    } catch (error) {
      this.#undo();
      this.#refuse(batch, error);
      return false;
    }
    return true;
  }

  /** Settles what was committed once it is on the disk. */
  #bring(batch: readonly Job[]): void {
    try {
      const syncing = this.#hooks.sync();
      if (!syncing) return settle(batch);
      this.#syncing = syncing.catch((error) => this.#break(error));
    } catch (error) {
      this.#syncing = Promise.resolve(this.#break(error));
    }
    void this.#syncing.then(() => {
      this.#syncing = undefined;
      if (this.#broken) this.#refuse(batch, this.#broken);
      else settle(batch);
      this.#next();
    });
  }

  #break(cause: unknown): void {
    this.#broken = new Error(`its log did not come to the disk (${(cause as Error).message})`, { cause });
  }

  /** Keeps the outcome of one write; throws only where the whole transaction is lost. */
  #run(job: Job): void {
    const manifold = job.manifold();
    try {
      if (manifold) this.#savepoint.run();
      job.outcome = { value: job.work() };
      if (manifold) this.#release.run();
    } catch (error) {
      if (!this.#database.isTransaction || !HARMLESS.has(resultCode(error) ?? 1)) throw error;
      if (manifold) {
        this.#database.exec("rollback to job; release job");
        this.#hooks.undone();
      }
      job.outcome = { error };
    }
  }

  #refuse(batch: readonly Job[], cause: unknown): void {
    const isFull = isDiskFull(cause) || (resultCode(cause) === IOERR && !this.#hooks.hasRoom());
    const why = (cause as { message?: string } | null)?.message ?? String(cause);
    for (const { reject } of batch)
      reject(
        isFull ? insufficientStorage(cause) : new Error(`The document store cannot write now: ${why}.`, { cause }),
      );
  }

  #undo(): void {
    try {
      if (this.#database.isTransaction) this.#database.exec("rollback");
    } finally {
      this.#hooks.undone();
    }
  }
}

/** SQLite's primary result code of an error, undefined where the error is not SQLite's. */
export function resultCode(error: unknown): number | undefined {
  const code = (error as { errcode?: unknown } | null)?.errcode;
  return typeof code === "number" ? code & 0xff : undefined;
}
