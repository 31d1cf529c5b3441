import { once } from "node:events";
import { closeSync, fsyncSync, openSync } from "node:fs";
import { dirname } from "node:path";
import { Worker } from "node:worker_threads";
import { syncFolder } from "../../folder.ts";

/** Where syncing the log takes longer than this, in ms, a thread does it. */
const LONG_MS = 0.3;
/** The weight of the last duration in the estimate of the next. */
const WEIGHT = 0.2;

/** The thread's code: file descriptors belong to the whole process. */
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
 * Syncs the write-ahead log of a SQLite file, without blocking the main thread where that takes long: with
 * `synchronous=NORMAL`, SQLite itself only passes its pages to the system when it commits.
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
   * Resolves when everything committed before is on the disk; undefined where that was done at once. One at a time.
   * @throws the system's error: then it is unknown what the disk has
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
    // The process must not end before the result, but an idle thread must not keep it alive.
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

  /** The log, once there is one; the first time its name is synced too. */
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
