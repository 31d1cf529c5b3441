import { monitorEventLoopDelay, performance, type EventLoopUtilization } from "node:perf_hooks";
import { getHeapStatistics } from "node:v8";
import type { Exposition } from "./metrics.ts";

const RESOLUTION_MS = 20;
const NANO = 1e-9;

/**
 * How the process fares: its event loop, its memory, its processor time. Names are those of Prometheus' own client
 * libraries where there is one.
 */
export class ProcessMeter {
  readonly #delays: ReturnType<typeof monitorEventLoopDelay> = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
  readonly #started = Date.now() / 1_000 - process.uptime();
  #utilization: EventLoopUtilization = performance.eventLoopUtilization();

  start(): void {
    this.#delays.enable();
  }
  stop(): void {
    this.#delays.disable();
  }

  /** Delays and utilization are those since the last time it was asked. */
  tell(exposition: Exposition): void {
    const { rss } = process.memoryUsage();
    const { used_heap_size: used, heap_size_limit: limit } = getHeapStatistics();
    const { user, system } = process.cpuUsage();
    const now = performance.eventLoopUtilization();
    const { utilization } = performance.eventLoopUtilization(now, this.#utilization);
    this.#utilization = now;
    const delay = (nanoseconds: number): number => Math.max(0, nanoseconds * NANO - RESOLUTION_MS / 1_000);
    exposition
      .family("signalmesh_event_loop_delay_seconds", "gauge", "How late timers were since the last scrape.", [
        [{ quantile: "0.5" }, delay(this.#delays.percentile(50))],
        [{ quantile: "0.99" }, delay(this.#delays.percentile(99))],
        [{ quantile: "1" }, delay(this.#delays.max)],
      ])
      .family(
        "signalmesh_event_loop_utilization",
        "gauge",
        "Share of the time since the last scrape that the event loop was busy.",
        [[{}, utilization]],
      )
      .family("signalmesh_heap_bytes", "gauge", "JavaScript heap in use, and how far it may grow.", [
        [{ what: "used" }, used],
        [{ what: "limit" }, limit],
      ])
      .family("process_resident_memory_bytes", "gauge", "Resident memory.", [[{}, rss]])
      .family("process_cpu_seconds_total", "counter", "Processor time, user and system.", [[{}, (user + system) / 1e6]])
      .family("process_start_time_seconds", "gauge", "When the process started, in epoch seconds.", [
        [{}, this.#started],
      ]);
    this.#delays.reset();
  }
}
