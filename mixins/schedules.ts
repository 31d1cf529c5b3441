import { defer, delay, EMPTY, expand, from, of, Subject, switchMap, takeUntil } from "rxjs";
import type { Service } from "moleculer";
import type { Leases, Schedule } from "../core/schedule.ts";

export interface Running { stop(): Promise<void> }

/** Runs a service's schedules: each under its lease, so that one node of the mesh does it, and the next takes over when that one dies. */
export function runSchedules(host: Service, schedules: Readonly<Record<string, Schedule>>, leases: Leases): Running {
  const end = new Subject<void>();
  const busy = new Set<Promise<unknown>>();
  const held = new Set<string>();

  const once = async (name: string, schedule: Schedule, termMs: number): Promise<void> => {
    // The lease is asked for in here too: a store that is away must end this turn, not the schedule, and not the process.
    try {
      const run = async () => { held.add(name); await schedule.run.call(host); };
      if (schedule.everywhere) await schedule.run.call(host);
      else await leases.under(name, termMs, run);
    } catch (error) {
      host.logger.error(`Schedule ${name}: ${(error as Error).message}`);
    }
  };

  for (const [short, schedule] of Object.entries(schedules)) {
    const name = `${host.name}.${short}`;
    const every = (): number => (typeof schedule.everyMs === "function" ? schedule.everyMs(host) : schedule.everyMs);
    const turn = () => defer(() => {
      // The lease outlives a run's pause a little, so that the holder stays the holder between runs.
      const task = once(name, schedule, Math.max(every() * 2, 15_000)).finally(() => busy.delete(task));
      busy.add(task);
      return from(task);
    });
    of(null).pipe(
      delay(schedule.firstMs ?? every()),
      switchMap(turn),
      expand(() => (end.closed ? EMPTY : of(null).pipe(delay(every()), switchMap(turn)))),
      takeUntil(end),
    ).subscribe();
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
