import { once } from "node:events";
import { closeSync, fsyncSync, openSync } from "node:fs";
import { dirname } from "node:path";
import { Worker } from "node:worker_threads";
import { syncFolder } from "../../folder.ts";

/** Where bringing the log to the disk takes longer than this, in ms, a thread of its own does it. */
const LONG_MS = 0.3;
/** How much the last time counts in what is expected of the next. */
const WEIGHT = 0.2;

/** What the thread runs: descriptors belong to the whole process. */
const SYNCER = `
  const { parentPort } = require("node:worker_threads");
  const { fsyncSync } = require("node:fs");
  parentPort.on("message", (descriptor) => {
    const began = performance.now();
    let failure;
    try {
      fsyncSync(descriptor);
    } catch (error) {
      failure = error;
    }
    parentPort.postMessage({ took: performance.now() - began, failure });
  });
`;

interface Told {
  took: number;
  failure?: Error;
}

/**
 * Brings the write-ahead log of a SQLite file to the disk, without holding up the main thread where that takes long:
 * SQLite itself, with `synchronous=NORMAL`, only hands its pages to the system when it commits.
 */
export class LogSync {
  readonly #file: string;
  #log: number | undefined;
  #thread: Worker | undefined;
  #expected = 0;

  /** @param file of the database; its log lies beside it. */
  constructor(file: string) {
    this.#file = file;
  }

  /**
   * Whatever was committed before is on the disk when it resolves, or is nothing at once where that was quick. One at a
   * time.
   *
   * @throws what the system says: nothing is known then of what the disk holds
   */
  sync(): Promise<void> | undefined {
    const log = this.#opened();
    if (log === undefined) return undefined;
    if (this.#expected > LONG_MS) return this.#beside(log);
    const began = performance.now();
    fsyncSync(log);
    this.#learn(performance.now() - began);
    return undefined;
  }

  async close(): Promise<void> {
    const thread = this.#thread;
    this.#thread = undefined;
    await thread?.terminate();
    if (this.#log !== undefined) closeSync(this.#log);
    this.#log = undefined;
  }

  #learn(took: number): void {
    this.#expected += WEIGHT * (took - this.#expected);
  }

  async #beside(log: number): Promise<void> {
    this.#thread ??= new Worker(SYNCER, { eval: true, execArgv: [], env: {}, name: "log-sync" });
    const thread = this.#thread;
    // The process does not end before it knows, and is not kept by a thread that has nothing to do.
    thread.ref();
    try {
      thread.postMessage(log, []);
      const [{ took, failure }] = (await once(thread, "message")) as [Told];
      if (failure) throw failure;
      this.#learn(took);
    } finally {
      thread.unref();
    }
  }

  /** The log, once there is one; that its name is on the disk too is seen to the first time. */
  #opened(): number | undefined {
    if (this.#log !== undefined) return this.#log;
    try {
      this.#log = openSync(`${this.#file}-wal`, "r+");
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
      throw error;
    }
    syncFolder(dirname(this.#file));
    return this.#log;
  }
}
