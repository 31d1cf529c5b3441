import { AsyncLocalStorage } from "node:async_hooks";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { PerformanceObserver } from "node:perf_hooks";
import { Worker } from "node:worker_threads";
import type { Middleware } from "moleculer";
import { holdInHand } from "../../core/work/hold.ts";
import type { Orders, Seen, SeenTurn } from "./watcher.ts";

/** Somebody who kept the event loop from everybody else. */
export interface LongTurn {
  /** The action, subscriber, job or schedule; null for what is done in nobody's name. */
  work: string | null;
  /** Processor time of the main thread in one turn, in milliseconds, without collections of garbage. */
  ms: number;
  /** Where it was seen, innermost function first. */
  stack: string[];
}

/** The thread's processor time is the kernel's to tell. */
export const canWatch = existsSync("/proc/self/schedstat");

const BEAT_MS = 5;
const ROOT = join(import.meta.dirname, "../..");

interface Call {
  name: string;
  /** That of the outermost one: what a request sets going in one turn, it takes. */
  number: number;
}
const inHand = new AsyncLocalStorage<Call>();
let calls = 0;
const named =
  (name: string | undefined) =>
  (next: (ctx: any) => any) =>
  (ctx: any): any =>
    inHand.run({ name: name!, number: inHand.getStore()?.number ?? ++calls }, () => next(ctx));
/** Has each action and event that a node works on carry its name, for whoever asks what is being done. */
export const namingWork: Middleware = {
  name: "Names of work",
  localAction: (next, action) => named(action.name)(next),
  localEvent: (next, { name }) => named(name)(next),
} as Middleware;

const QUESTION = "signalmesh.work";
const MOST_FRAMES = 40;
Object.assign(globalThis, {
  [Symbol.for(QUESTION)]() {
    const call = inHand.getStore();
    const limit = Error.stackTraceLimit;
    Error.stackTraceLimit = MOST_FRAMES;
    const { stack } = new Error();
    Error.stackTraceLimit = limit;
    return { work: call?.name ?? holdInHand() ?? null, call: call?.number ?? 0, stack };
  },
});

/**
 * Watches the event loop of this process for turns that take more than so many milliseconds of processor time, whatever
 * else the machine does (Linux). Costs the main thread a timer.
 */
export class TurnWatch {
  readonly turns: LongTurn[] = [];
  readonly #mostMs: number;
  readonly #worker: Worker;
  readonly #timer: NodeJS.Timeout;
  readonly #collections: { from: number; to: number }[] = [];
  readonly #observer: PerformanceObserver;
  #seen: SeenTurn[] = [];
  #told: (() => void) | undefined;

  constructor(mostMs: number) {
    this.#mostMs = mostMs;
    const beats = new Int32Array(new SharedArrayBuffer(4));
    this.#timer = setInterval(() => Atomics.add(beats, 0, 1), BEAT_MS).unref();
    const ask = `globalThis[Symbol.for(${JSON.stringify(QUESTION)})]()`;
    this.#worker = new Worker(new URL("watcher.ts", import.meta.url), {
      workerData: { beats, pid: process.pid, mostMs, everyMs: BEAT_MS, ask } satisfies Orders,
    });
    this.#worker.on("message", (message: SeenTurn | { isOn: boolean }) => {
      if ("seen" in message) this.#seen.push(message);
      else this.#told?.();
    });
    this.#observer = new PerformanceObserver((list) => {
      for (const { startTime, duration } of list.getEntries()) {
        const from = performance.timeOrigin + startTime;
        this.#collections.push({ from, to: from + duration });
      }
    });
    this.#observer.observe({ entryTypes: ["gc"] });
  }

  /** Turns it on or off; resolves when the thread knows, and what was seen before was told. */
  async set(isOn: boolean): Promise<void> {
    this.#worker.ref();
    await new Promise<void>((resolve) => {
      this.#told = resolve;
      this.#worker.postMessage(isOn, []);
    });
    this.#worker.unref();
    this.turns.push(...this.#seen.flatMap((turn) => this.#offences(turn)));
    this.#seen = [];
    this.#collections.length = 0;
  }

  /** Those who, of this turn, took more than is allowed by themselves. */
  #offences({ ms, from, to, seen }: SeenTurn): LongTurn[] {
    const collected = this.#collections
      .map((one) => Math.min(one.to, to) - Math.max(one.from, from))
      .reduce((sum, one) => sum + Math.max(0, one), 0);
    const whole = seen.reduce((sum, one) => sum + one.ms, 0);
    const share = Math.max(0, ms - collected) / whole;
    return [...Map.groupBy(seen.filter(isProduct), ({ work, call }) => call || work).values()].flatMap((looks) => {
      const own = share * looks.reduce((sum, one) => sum + one.ms, 0);
      const { work, stack } = looks.toSorted((one, other) => other.ms - one.ms)[0]!;
      return own > this.#mostMs ? [{ work, ms: Math.round(own), stack: stack.map(shortened) }] : [];
    });
  }

  async end(): Promise<number> {
    clearInterval(this.#timer);
    this.#observer.disconnect();
    return this.#worker.terminate();
  }
}

const shortened = (frame: string): string => frame.replace(`${ROOT}/`, "");
const isOurs = (frame: string): boolean => frame.includes(ROOT) && !frame.includes("/node_modules/");
const isTest = (frame: string): boolean => frame.includes(`${ROOT}/test/`);

/** Loading modules, and making an empty store's tables: before a node serves anybody. */
const isStart = (frame: string): boolean => frame.includes("node:internal/modules") || frame.startsWith("Table.make ");

/** Not what tests do themselves, nor their set-up: the building and starting of nodes. */
function isProduct({ work, stack }: Seen): boolean {
  if (stack.some(isStart)) return false;
  const ours = stack.filter(isOurs);
  return work === null ? ours.length > 0 && !ours.some(isTest) : ours.length === 0 || !isTest(ours[0]!);
}
