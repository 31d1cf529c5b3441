import { Worker } from "node:worker_threads";
import type { TextWorkerMessage, ReadDocument, TextTask } from "./protocol.ts";
import { Unreadable, type Format } from "./text.ts";

declare module "../../core/world.ts" {
  interface World {
    texts: Texts;
  }
}

/** Reads foreign documents off the main thread: one that hangs or takes too much memory ends only its own thread. */
export interface Texts {
  /**
   * Takes ownership of the bytes. Throws Unreadable with the reason, or the signal's own when it aborts. A password is
   * tried on an encrypted PDF, DOCX or ODT.
   */
  read(bytes: Uint8Array, format: Format, signal?: AbortSignal, password?: string): Promise<ReadDocument>;
  close(): Promise<void>;
}

export interface TextSettings {
  /** Milliseconds of processor time for one document (60,000); on the clock four times as much. */
  cpuMs?: number;
  /** Bytes by which the process may grow over one document (400 MB), buffers included. */
  growthBytes?: number;
}

const LOOK_MS = 15;
/** A worker in native code does not answer in time. */
const ASKED_MS = 100;
const PATIENCE = 4;
const START_MS = 30_000;
const IDLE_MS = 30_000;
const HEAP_MB = 320;
const YOUNG_MB = 32;
/** Beside this module in the sources; the bundle has another name for it. */
const WORKER = import.meta.url.endsWith(".ts") ? "./worker.ts" : "./texts-worker.mjs";

const within = <T>(promise: Promise<T>, milliseconds: number): Promise<T | undefined> =>
  Promise.race([
    promise.catch(() => undefined),
    new Promise<undefined>((resolve) => void setTimeout(() => resolve(undefined), milliseconds).unref()),
  ]);

const tooSlow = (): Unreadable => new Unreadable("too-big", "It takes too long to read.");
const tooGreedy = (): Unreadable => new Unreadable("too-big", "It takes too much memory to read.");
const broke = (): Unreadable => new Unreadable("damaged", "It brought its reader down.");

interface Work extends TextTask {
  signal: AbortSignal | undefined;
  resolve(read: ReadDocument): void;
  reject(error: unknown): void;
}

/**
 * One worker thread and its queue, supervised: a thread's own limits cover neither buffers nor CPU time, and a file of
 * a megabyte can request gigabytes of buffers.
 */
class TextReader implements Texts {
  readonly #cpuMs: number;
  readonly #growth: number;
  readonly #queue: Work[] = [];
  #running: Work | undefined;
  #worker: Worker | undefined;
  #isReady = false;
  #watch: NodeJS.Timeout | undefined;
  #idle: NodeJS.Timeout | undefined;
  #begun = { rss: 0, cpuMs: 0, at: 0 };
  #cpuSeen = 0;
  #isClosed = false;

  constructor({ cpuMs = 60_000, growthBytes = 400_000_000 }: TextSettings) {
    this.#cpuMs = cpuMs;
    this.#growth = growthBytes;
  }

  read(bytes: Uint8Array, format: Format, signal?: AbortSignal, password?: string): Promise<ReadDocument> {
    return new Promise((resolve, reject) => {
      if (this.#isClosed) return reject(new Error("The reader of documents is closed."));
      if (signal?.aborted) return reject(signal.reason);
      const work: Work = { bytes, format, signal, resolve, reject, ...(password !== undefined && { password }) };
      this.#queue.push(work);
      signal?.addEventListener("abort", () => this.#abandon(work), { once: true });
      this.#next();
    });
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    const closed = new Error("The reader of documents is closed.");
    for (const work of this.#queue.splice(0)) work.reject(closed);
    await this.#end(closed);
  }

  #abandon(work: Work): void {
    const at = this.#queue.indexOf(work);
    if (at >= 0) {
      this.#queue.splice(at, 1);
      work.reject(work.signal!.reason);
    } else if (this.#running === work) void this.#end(work.signal!.reason);
  }

  #next(): void {
    if (this.#running || this.#isClosed) return;
    clearTimeout(this.#idle);
    this.#running = this.#queue.shift();
    if (!this.#running) return this.#rest();
    if (!this.#worker) this.#start();
    else if (this.#isReady) this.#send(this.#worker);
  }

  /** An idle thread keeps what its libraries hold only for a while. */
  #rest(): void {
    this.#worker?.unref();
    this.#idle = setTimeout(() => void this.#end(undefined), IDLE_MS);
    this.#idle.unref();
  }

  #start(): void {
    const worker = new Worker(new URL(WORKER, import.meta.url), {
      resourceLimits: { maxOldGenerationSizeMb: HEAP_MB - YOUNG_MB, maxYoungGenerationSizeMb: YOUNG_MB },
      // Code that reads foreign documents must not see our settings and secrets.
      env: {},
      execArgv: [],
      // Libraries' messages about a file do not belong in our log.
      stdout: true,
      stderr: true,
    });
    worker.stdout.resume();
    worker.stderr.resume();
    this.#worker = worker;
    this.#isReady = false;
    this.#watch = setTimeout(() => void this.#end(tooSlow()), START_MS);
    const mine = (act: () => void) => {
      if (this.#worker === worker) act();
    };
    worker.on("message", (message: TextWorkerMessage) => mine(() => this.#received(worker, message)));
    worker.on("error", (error: NodeJS.ErrnoException) =>
      mine(() => void this.#end(error.code === "ERR_WORKER_OUT_OF_MEMORY" ? tooGreedy() : broke())),
    );
    worker.on("exit", () => mine(() => void this.#end(broke())));
  }

  #send(worker: Worker): void {
    const { bytes, format, password } = this.#running!;
    const own = new Uint8Array(bytes);
    worker.ref();
    this.#begun = { rss: process.memoryUsage.rss(), cpuMs: this.#cpuSeen, at: performance.now() };
    const task: TextTask = { bytes: own, format, ...(password !== undefined && { password }) };
    worker.postMessage(task, [own.buffer]);
    this.#lookLater(worker);
  }

  #lookLater(worker: Worker): void {
    clearTimeout(this.#watch);
    this.#watch = setTimeout(() => void this.#look(worker), LOOK_MS);
  }

  async #look(worker: Worker): Promise<void> {
    const work = this.#running;
    const end = (why: Unreadable): void => {
      if (this.#running === work && this.#worker === worker) void this.#end(why);
    };
    if (process.memoryUsage.rss() - this.#begun.rss > this.#growth && (await this.#isItsOwn(worker)))
      return end(tooGreedy());
    const asked = performance.now();
    const usage = await within(worker.cpuUsage(), ASKED_MS);
    // A worker that does not answer has been working since.
    const used = usage ? (usage.user + usage.system) / 1_000 : this.#cpuSeen;
    if (used - this.#begun.cpuMs > this.#cpuMs || asked - this.#begun.at > this.#cpuMs * PATIENCE)
      return end(tooSlow());
    if (this.#running === work && this.#worker === worker) this.#lookLater(worker);
  }

  /** Whether the thread caused the growth of the process; if not, its own share is measured from now on. */
  async #isItsOwn(worker: Worker): Promise<boolean> {
    const heap = await within(worker.getHeapStatistics(), ASKED_MS);
    if (!heap) return true;
    const {
      total_heap_size: own,
      external_memory: buffers,
      malloced_memory: malloced,
    } = heap as unknown as Record<string, number>;
    if ((own ?? 0) + (buffers ?? 0) + (malloced ?? 0) > this.#growth / 2) return true;
    this.#begun.rss = process.memoryUsage.rss();
    return false;
  }

  #received(worker: Worker, { reply, cpuMs }: TextWorkerMessage): void {
    this.#cpuSeen = cpuMs;
    clearTimeout(this.#watch);
    if (reply.kind === "ready") {
      this.#isReady = true;
      if (this.#running) this.#send(worker);
      return;
    }
    const work = this.#running;
    this.#running = undefined;
    if (reply.kind === "done") work?.resolve(reply.done);
    else work?.reject(new Unreadable(reply.reason, reply.message));
    this.#next();
  }

  /** Ends the thread and its document; the next document gets a new thread. */
  async #end(why: unknown): Promise<void> {
    clearTimeout(this.#watch);
    clearTimeout(this.#idle);
    const [worker, work] = [this.#worker, this.#running];
    this.#worker = undefined;
    this.#running = undefined;
    this.#isReady = false;
    this.#cpuSeen = 0;
    work?.reject(why);
    const ended = worker?.terminate();
    if (work) this.#next();
    await ended;
  }
}

export const textReader = (settings: TextSettings = {}): Texts => new TextReader(settings);
