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
  const busy = new Set<Promise<unknown>>();
  const held = new Set<string>();
  const sinceStart = stopwatch();

  /** A turn that may do its work, and answers after how many milliseconds the next one is. */
  const turnOf =
    (name: string, { run, everywhere }: Schedule, every: () => number, firstMs: number) =>
    async (): Promise<number> => {
      if (everywhere) {
        await run.call(host);
        return every();
      }
      const everyMs = every();
      if (everyMs <= OFTEN_MS) {
        await leases.under(name, Math.max(everyMs * 2, SHORTEST_TERM_MS), async () => {
          held.add(name);
          await run.call(host);
        });
        return every();
      }
      const wait = (await leases.wait(name, { holder: TERM_MS, rest: everyMs })) ?? firstMs - sinceStart();
      if (wait > 0) return Math.min(wait, lookMs);
      try {
        await leases.under(name, TERM_MS, () => run.call(host));
      } finally {
        await leases.rest(name, every());
      }
      return Math.min(every(), lookMs);
    };

  for (const [short, schedule] of Object.entries(schedules)) {
    const name = `${host.name}.${short}`;
    const every = (): number => (typeof schedule.everyMs === "function" ? schedule.everyMs(host) : schedule.everyMs);
    const firstMs = schedule.firstMs ?? every();
    const turn = turnOf(name, schedule, every, firstMs);
    const after = (ms: number) =>
      of(null).pipe(
        delay(ms),
        switchMap(() =>
          defer(() => {
            // The lease is asked for in here too: a store that is away must end this turn, not the schedule, and not
            // the process.
            const task = turn()
              .then((ms) => {
                outages.worked(`Schedule ${name}`);
                return ms;
              })
              .catch((error: Error) => {
                outages.failed(`Schedule ${name}`, error);
                return Math.min(every(), lookMs);
              })
              .finally(() => busy.delete(task));
            busy.add(task);
            return from(task);
          }),
        ),
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
      await Promise.allSettled(busy);
      for (const name of held) await leases.release(name).catch(() => {});
    },
  };
}
