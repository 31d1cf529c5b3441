import { parentPort, Worker } from "node:worker_threads";

/** A thread that has nothing to do keeps what its libraries hold for so long only, in milliseconds. */
const IDLE_MS = 30_000;
/** Who takes longer, in milliseconds on the clock, is given up with the thread. */
const MOST_MS = 60_000;

type Reply<A> = { answer: A } | { error: unknown };
interface Asked<T, A> {
  task: T;
  resolve(answer: A): void;
  reject(error: unknown): void;
}

/** A thread's module: beside the one at `here` in the sources; in the bundle it has a name of its own. */
export const workerBeside = (here: string, source: string, bundled: string): URL =>
  new URL(here.endsWith(".ts") ? source : bundled, here);

/**
 * What this thread is for: it does each task that it is given, one after the other. To be called once, by the module
 * that a `Thread` starts; elsewhere it does nothing.
 */
export function serveTasks<T, A>(work: (task: T) => A | Promise<A>): void {
  const replyTo = async (task: T): Promise<Reply<A>> => {
    try {
      return { answer: await work(task) };
    } catch (error) {
      return { error };
    }
  };
  parentPort?.on("message", async (task: T) => parentPort!.postMessage(await replyTo(task), []));
}

/**
 * A thread for work that would keep the event loop from others (ADR 43). It starts with its first task, takes them one
 * by one, ends half a minute after the last, and lets the process end meanwhile.
 */
export class Thread<T, A> {
  readonly #module: URL;
  readonly #mostMs: number;
  readonly #queue: Asked<T, A>[] = [];
  #inHand: Asked<T, A> | undefined;
  #worker: Worker | undefined;
  #timer: NodeJS.Timeout | undefined;

  /** `module` calls `serveTasks`; `mostMs` are the milliseconds that a task may take, a minute unless said. */
  constructor(module: URL, mostMs = MOST_MS) {
    this.#module = module;
    this.#mostMs = mostMs;
  }

  /**
   * What the thread makes of a task; both are copied, and are data that can be. Throws what it threw, and Error where
   * it took too long or the thread broke: the next task has a new one.
   */
  ask(task: T): Promise<A> {
    const { promise, resolve, reject } = Promise.withResolvers<A>();
    this.#queue.push({ task, resolve, reject });
    this.#next();
    return promise;
  }

  #next(): void {
    if (this.#inHand) return;
    clearTimeout(this.#timer);
    this.#inHand = this.#queue.shift();
    if (!this.#inHand) {
      this.#worker?.unref();
      this.#timer = setTimeout(() => this.#end(), IDLE_MS).unref();
      return;
    }
    const worker = (this.#worker ??= this.#start());
    worker.ref();
    this.#timer = setTimeout(() => this.#end(new Error("It took too long in its thread.")), this.#mostMs);
    try {
      worker.postMessage(this.#inHand.task, []);
    } catch (error) {
      this.#answered({ error });
    }
  }

  #start(): Worker {
    // A thread of work on data has no business with our settings and secrets.
    const worker = new Worker(this.#module, { env: {}, execArgv: [] });
    const mine = (act: () => void) => {
      if (this.#worker === worker) act();
    };
    worker.on("message", (reply: Reply<A>) => mine(() => this.#answered(reply)));
    worker.on("error", (error) => mine(() => this.#end(error)));
    worker.on("exit", () => mine(() => this.#end(new Error("The thread ended without an answer."))));
    return worker;
  }

  #answered(reply: Reply<A>): void {
    const asked = this.#inHand!;
    this.#inHand = undefined;
    if ("answer" in reply) asked.resolve(reply.answer);
    else asked.reject(reply.error);
    this.#next();
  }

  /** Gives up the thread, with what it has in hand. */
  #end(why?: unknown): void {
    void this.#worker?.terminate();
    this.#worker = undefined;
    if (this.#inHand) this.#answered({ error: why });
  }
}
