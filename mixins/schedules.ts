import { defer, delay, EMPTY, expand, from, of, Subject, switchMap, takeUntil } from "rxjs";
import type { Service } from "moleculer";
import { stopwatch } from "../core/work/hold.ts";
import type { Outages } from "../core/work/outage-log.ts";
import type { Leases, Schedule } from "../core/work/schedule.ts";

export interface Running {
  stop(): Promise<void>;
}

/** `outages` are told how each turn ended. */
interface Means {
  leases: Leases;
  outages: Pick<Outages, "failed" | "worked">;
  lookMs?: number;
}

/**
 * A run's lease lasts so long, and is renewed while the run goes on: when its node dies, another takes over after that.
 */
const TERM_MS = 20_000;
/**
 * What is done at least this often stays with its holder between runs: to give it back each time would write each time.
 */
const OFTEN_MS = TERM_MS / 2;
const SHORTEST_TERM_MS = 15_000;
/**
 * The longest wait before the clock is looked at again: timers stand still while the machine sleeps, and clocks are
 * set.
 */
const LOOK_MS = 30_000;

/** One schedule of a service. */
interface Recurring {
  name: string;
  schedule: Schedule;
  every: () => number;
  /** When it runs for the first time, in milliseconds after the start. */
  firstMs: number;
}

function recurring(host: Service, short: string, schedule: Schedule): Recurring {
  const every = (): number => (typeof schedule.everyMs === "function" ? schedule.everyMs(host) : schedule.everyMs);
  return { name: `${host.name}.${short}`, schedule, every, firstMs: schedule.firstMs ?? every() };
}

/** The runs of a service's schedules, and the leases that stay with this node between them. */
class ScheduleRuns {
  readonly #host: Service;
  readonly #means: Required<Means>;
  readonly #held = new Set<string>();
  readonly #busy = new Set<Promise<unknown>>();
  readonly #sinceStart = stopwatch();

  constructor(host: Service, means: Required<Means>) {
    this.#host = host;
    this.#means = means;
  }

  /**
   * Runs it where it is this node's to run; resolves to the milliseconds until the next time. Never rejects: a store
   * that is away, which refuses the lease too, must end this run, not the schedule, and not the process.
   */
  run(one: Recurring): Promise<number> {
    const { name, every } = one;
    const { outages, lookMs } = this.#means;
    const task = this.#work(one)
      .then((ms) => {
        outages.worked(`Schedule ${name}`);
        return ms;
      })
      .catch((error: Error) => {
        outages.failed(`Schedule ${name}`, error);
        return Math.min(every(), lookMs);
      })
      .finally(() => this.#busy.delete(task));
    this.#busy.add(task);
    return task;
  }

  async #work({ name, schedule: { run, everywhere }, every, firstMs }: Recurring): Promise<number> {
    const { leases, lookMs } = this.#means;
    const host = this.#host;
    if (everywhere) {
      await run.call(host);
      return every();
    }
    const everyMs = every();
    if (everyMs <= OFTEN_MS) {
      await leases.under(name, Math.max(everyMs * 2, SHORTEST_TERM_MS), async () => {
        this.#held.add(name);
        await run.call(host);
      });
      return every();
    }
    const wait = (await leases.wait(name, { holder: TERM_MS, rest: everyMs })) ?? firstMs - this.#sinceStart();
    if (wait > 0) return Math.min(wait, lookMs);
    try {
      await leases.under(name, TERM_MS, () => run.call(host));
    } finally {
      await leases.rest(name, every());
    }
    return Math.min(every(), lookMs);
  }

  /** Resolves when no run is under way any more and the leases are given back. */
  async end(): Promise<void> {
    await Promise.allSettled(this.#busy);
    for (const name of this.#held) await this.#means.leases.release(name);
  }
}

/**
 * Runs a service's schedules: each under its lease, so that one node of the mesh does it, and the next takes over
 * within a minute when that one dies, however long the interval. What is done seldom has its next moment in its lease's
 * record: it is nobody's between runs, and whoever comes first then does it, also after all nodes were started anew.
 */
export function runSchedules(
  host: Service,
  schedules: Readonly<Record<string, Schedule>>,
  { leases, outages, lookMs = LOOK_MS }: Means,
): Running {
  const end = new Subject<void>();
  const runs = new ScheduleRuns(host, { leases, outages, lookMs });
  for (const [short, schedule] of Object.entries(schedules)) {
    const one = recurring(host, short, schedule);
    const { every, firstMs } = one;
    const after = (ms: number) =>
      of(null).pipe(
        delay(ms),
        switchMap(() => defer(() => from(runs.run(one)))),
      );
    after(schedule.everywhere || every() <= OFTEN_MS ? firstMs : Math.min(firstMs, lookMs))
      .pipe(
        expand((ms) => (end.closed ? EMPTY : after(ms))),
        takeUntil(end),
      )
      .subscribe();
  }
  return {
    async stop() {
      end.next();
      end.complete();
      await runs.end();
    },
  };
}
