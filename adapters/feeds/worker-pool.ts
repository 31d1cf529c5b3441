import { Worker } from "node:worker_threads";
import { FeedError, type About, type FeedFailure, type ParsedFeed, type ParsedItem } from "./feed.ts";
import type { Article } from "./html/article.ts";
import type { FeedWorkerMessage, More, PageAbout, Results, FeedTask } from "./worker-protocol.ts";

export interface FeedParserSettings {
  /**
   * Milliseconds of processor time that one document may take (default 2,000); on the clock, where others use the
   * processor too, four times as much.
   */
  timeoutMs?: number;
  /** JavaScript heap one document may take, MB (default 256). */
  maxHeapMb?: number;
  /** Milliseconds without a document after which the worker is let go (default 10,000). */
  restMs?: number;
}

/**
 * Reads documents of strangers off the main loop: one that hangs or fills the memory ends its worker thread, and
 * nothing else.
 */
export interface FeedParser {
  /**
   * As parseFeed; besides its errors FeedError `too-slow`, `out-of-memory`, `crashed`, `closed`. The bytes are copied
   * and stay the caller's.
   */
  parse(bytes: Uint8Array, about: About): Promise<ParsedFeed>;
  /** As extractArticle, from a page's bytes; throws as `parse` does. */
  article(bytes: Uint8Array, about: PageAbout): Promise<Article | null>;
  /** Ends the worker; what still waits is refused with `closed`. */
  close(): Promise<void>;
}

interface Job {
  task: FeedTask;
  parts: ParsedItem[][];
  resolve: (result: Results[keyof Results]) => void;
  reject: (error: Error) => void;
}

/** Time for a worker to load its modules, on a machine under load. */
const startMs = 30_000;
/** A machine under load is not the document's fault: on the clock it may take so many times its processor time. */
const patience = 4;
/** Between two looks at the processor time. */
const leastLookMs = 20;
/** Room that a document's short-lived objects fill whatever its size: 32 would keep 45 MB more, and save no time. */
const youngMb = 6;
/** Beside this module, in the sources as in the bundle. */
const WORKER = import.meta.url.endsWith(".ts") ? "./worker.ts" : "./worker.mjs";

const messages: Partial<Record<FeedFailure, string>> = {
  "too-slow": "The document takes too long to read.",
  "out-of-memory": "The document takes too much memory to read.",
  crashed: "The document brought its reader down.",
  closed: "The reader of documents is closed.",
};
const failed = (kind: FeedFailure) => new FeedError(kind, messages[kind] ?? kind);

/** Puts a feed that came in parts together again. */
const whole = ({ parts }: Job, result: Results[keyof Results]) =>
  parts.length > 0 && result !== null && "items" in result
    ? { ...result, items: [...parts, result.items].flat() }
    : result;

/** One worker thread and the queue before it. */
class Pool implements FeedParser {
  readonly #timeoutMs: number;
  readonly #heapMb: number;
  readonly #restMs: number;
  readonly #queue: Job[] = [];
  #running: Job | undefined;
  #worker: Worker | undefined;
  /** Ends the job whatever the worker is at. */
  #deadline: NodeJS.Timeout | undefined;
  /** Looks whether the job has used up its processor time. */
  #look: NodeJS.Timeout | undefined;
  /** Lets the worker go: it holds some 40 MB, and another is there in a tenth of a second. */
  #rest: NodeJS.Timeout | undefined;
  /** Processor time that the worker had used when its job began, milliseconds. */
  #cpuBefore = 0;
  #closed = false;

  constructor({ timeoutMs = 2_000, maxHeapMb = 256, restMs = 10_000 }: FeedParserSettings) {
    this.#timeoutMs = timeoutMs;
    this.#heapMb = maxHeapMb;
    this.#restMs = restMs;
  }

  parse(bytes: Uint8Array, about: About): Promise<ParsedFeed> {
    return this.#submit({ kind: "feed", bytes, about }) as Promise<ParsedFeed>;
  }

  article(bytes: Uint8Array, about: PageAbout): Promise<Article | null> {
    return this.#submit({ kind: "article", bytes, about }) as Promise<Article | null>;
  }

  async close(): Promise<void> {
    this.#closed = true;
    for (const job of this.#queue.splice(0)) job.reject(failed("closed"));
    await this.#discard("closed");
  }

  #submit(task: FeedTask): Promise<Results[keyof Results]> {
    return new Promise((resolve, reject) => {
      if (this.#closed) return reject(failed("closed"));
      this.#queue.push({ task, parts: [], resolve, reject });
      this.#next();
    });
  }

  #next(): void {
    if (this.#running || this.#closed) return;
    this.#running = this.#queue.shift();
    if (!this.#running) return this.#idle();
    if (!this.#worker) return this.#start();
    this.#send(this.#worker, this.#running.task);
  }

  #idle(): void {
    this.#worker?.unref();
    clearTimeout(this.#rest);
    this.#rest = setTimeout(() => this.#letGo(), this.#restMs).unref();
  }

  #letGo(): void {
    if (this.#running) return;
    const worker = this.#worker;
    this.#worker = undefined;
    void worker?.terminate();
  }

  /** The first job waits until the worker has loaded: that time is not the document's. */
  #start(): void {
    const worker = new Worker(new URL(WORKER, import.meta.url), {
      resourceLimits: {
        maxOldGenerationSizeMb: Math.max(32, this.#heapMb - youngMb),
        maxYoungGenerationSizeMb: youngMb,
      },
      // Code that reads what strangers wrote has no business with our settings and secrets.
      env: {},
      execArgv: [],
    });
    this.#worker = worker;
    this.#limit(startMs);
    const mine = (act: () => void) => {
      if (this.#worker === worker) act();
    };
    worker.on("message", (message: FeedWorkerMessage) => mine(() => this.#received(worker, message)));
    worker.on("error", (error: NodeJS.ErrnoException) =>
      mine(() => void this.#discard(error.code === "ERR_WORKER_OUT_OF_MEMORY" ? "out-of-memory" : "crashed")),
    );
    worker.on("exit", () => mine(() => void this.#discard("crashed")));
  }

  #limit(milliseconds: number): void {
    this.#unlimit();
    this.#deadline = setTimeout(() => void this.#discard("too-slow"), milliseconds);
  }

  #unlimit(): void {
    clearTimeout(this.#deadline);
    clearTimeout(this.#look);
  }

  /** Gives the worker its job's time from here on. */
  #allow(worker: Worker, cpuMs: number): void {
    this.#cpuBefore = cpuMs;
    this.#limit(this.#timeoutMs * patience);
    this.#lookAfter(worker, this.#timeoutMs);
  }

  #lookAfter(worker: Worker, milliseconds: number): void {
    this.#look = setTimeout(() => void this.#lookAt(worker), Math.max(leastLookMs, milliseconds));
  }

  /** Ends a job that has used up its processor time; one that had to wait for the processor goes on. */
  async #lookAt(worker: Worker): Promise<void> {
    const job = this.#running;
    const usage = await worker.cpuUsage().catch(() => undefined);
    if (!usage || this.#worker !== worker || this.#running !== job) return;
    const left = this.#timeoutMs - ((usage.user + usage.system) / 1000 - this.#cpuBefore);
    if (left <= 0) void this.#discard("too-slow");
    else this.#lookAfter(worker, left);
  }

  #send(worker: Worker, task: FeedTask, cpuMs = this.#cpuBefore): void {
    // A copy of its own is handed over without being cloned, and the caller's bytes stay usable.
    const bytes = new Uint8Array(task.bytes);
    worker.ref();
    this.#allow(worker, cpuMs);
    worker.postMessage({ ...task, bytes }, [bytes.buffer]);
  }

  #received(worker: Worker, { reply, cpuMs }: FeedWorkerMessage): void {
    const job = this.#running;
    if (!job) return;
    if (reply.kind === "ready") return this.#send(worker, job.task, cpuMs);
    if (reply.kind === "part") {
      job.parts.push(reply.items);
      this.#allow(worker, cpuMs);
      return worker.postMessage({ kind: "more" } satisfies More, []);
    }
    this.#unlimit();
    this.#cpuBefore = cpuMs;
    this.#running = undefined;
    if (reply.kind === "done") job.resolve(whole(job, reply.result));
    else
      job.reject(
        reply.kind === "refused"
          ? new FeedError(reply.failure, reply.message, reply.links)
          : new RangeError(reply.message),
      );
    this.#next();
  }

  /** Gives up the worker and the job it has; the next job gets a new one. */
  async #discard(kind: FeedFailure): Promise<void> {
    this.#unlimit();
    clearTimeout(this.#rest);
    const worker = this.#worker;
    const job = this.#running;
    this.#worker = undefined;
    this.#running = undefined;
    job?.reject(failed(kind));
    const ended = worker?.terminate();
    this.#next();
    await ended;
  }
}

/**
 * Makes a parser with one worker thread, started when it is first needed and again after a document has brought it
 * down.
 */
export const feedParser = (settings: FeedParserSettings = {}): FeedParser => new Pool(settings);
