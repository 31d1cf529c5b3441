import { cpus } from "node:os";
import { performance, type EventLoopUtilization } from "node:perf_hooks";
import { getHeapStatistics } from "node:v8";
import { VERSION } from "../config/version.ts";
import type { NodeState } from "../core/contract/node.ts";

/** How often a look at the event loop begins anew. */
const WINDOW_MS = 30_000;

/** How this process is doing, measured over the last half to whole minute. */
export class StateMeter {
  readonly #startedAt = new Date(Date.now() - process.uptime() * 1_000).toISOString();
  #before: EventLoopUtilization | undefined;
  #last: EventLoopUtilization = performance.eventLoopUtilization();
  #timer: NodeJS.Timeout | undefined;

  start(): void {
    this.#timer = setInterval(() => {
      this.#before = this.#last;
      this.#last = performance.eventLoopUtilization();
    }, WINDOW_MS).unref();
  }
  stop(): void {
    clearInterval(this.#timer);
  }

  tell(areas: readonly string[]): NodeState {
    const since = this.#before ?? this.#last;
    const { utilization } = performance.eventLoopUtilization(performance.eventLoopUtilization(), since);
    return {
      version: VERSION,
      startedAt: this.#startedAt,
      areas: [...areas],
      busy: Math.round(utilization * 1_000) / 1_000,
      processors: cpus().length,
      memoryBytes: process.memoryUsage.rss(),
      heapBytes: getHeapStatistics().used_heap_size,
      heapLimitBytes: getHeapStatistics().heap_size_limit,
    };
  }
}
