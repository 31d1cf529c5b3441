import { asSystem } from "../../../../core/access/caller.ts";
import { iso } from "../../../../core/clock.ts";
import type { Host } from "../../../../core/contract/endpoint.ts";
import { derivedId } from "../../../../core/ids.ts";
import { isProblem } from "../../../../core/problem.ts";
import { retryOnConflict } from "../../../../core/records/conflict-retry.ts";
import type { SeriesPoint } from "../../../../core/records/reading/readings.ts";
import { placeOf } from "../../place.ts";
import { ThresholdCleared, ThresholdRaised, factsInSet } from "../events.ts";
import type { Resource } from "../registry/resources.ts";
import { Alarm, StandingAlarm } from "./alarms.ts";
import type { Checking, ResourceContext } from "./checking.ts";
import { isoOf } from "./points.ts";
import type { Threshold } from "./series.ts";
import { silence, silentAt, step, type Course, type AlarmTurn } from "./thresholds.ts";

const MESH = asSystem("resources");

const present = (fields: object): object =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
const standingId = (resourceId: string, threshold: string): string =>
  derivedId(`standing ${JSON.stringify([resourceId, threshold])}`);

/** Thresholds, as readings move them on or stay away: each raises and clears once. */
export class Alarming {
  readonly #host: Host;
  readonly #checking: Checking;

  constructor(host: Host, checking: Checking) {
    this.#host = host;
    this.#checking = checking;
  }

  /** Moves the thresholds on that these readings concern, before they are acknowledged. */
  async watch(points: readonly SeriesPoint[]): Promise<void> {
    const bySeries = new Map<string, { known: ResourceContext; points: SeriesPoint[] }>();
    let known: ResourceContext | undefined, of: string | undefined;
    for (const point of points) {
      if (point.resource !== of) known = this.#checking.known((of = point.resource));
      if (!known?.watched.size || !known.watched.has(point.key)) continue;
      const name = `${point.resource} ${point.key}`;
      const one = bySeries.get(name) ?? { known, points: [] };
      bySeries.set(name, one);
      one.points.push(point);
    }
    await Promise.all(
      [...bySeries.values()].map(async ({ known, points: own }) => {
        own.sort((one, other) => one.at - other.at);
        for (const threshold of known.watched.get(own[0]!.key)!)
          await this.#move(known.resource!, threshold, (course) => {
            const turns: AlarmTurn[] = [];
            let next = course;
            for (const point of own) {
              const moved = step(threshold, next, point);
              next = moved.course;
              turns.push(...moved.turns);
            }
            return { course: next, turns };
          });
      }),
    );
  }

  /** From now on waits for the first readings of thresholds that silence raises. */
  async expect(resource: Resource): Promise<void> {
    const since = this.#host.world.clock.now() * 1_000;
    for (const threshold of resource.thresholds)
      if (threshold.noDataForSeconds !== undefined)
        await this.#move(resource, threshold, (course) => ({
          course: course.lastAt === undefined && course.since === undefined ? { ...course, since } : course,
          turns: [],
        }));
  }

  /** Looks for thresholds whose series fell silent. */
  async lookForSilence(): Promise<void> {
    const now = this.#host.world.clock.now();
    const due = await this.#host
      .store(StandingAlarm)
      .find(MESH, { dueAt: { $lte: iso(now) } }, { sort: ["dueAt"], limit: 500 });
    for (const { resourceId, threshold: id } of due) {
      await this.#checking.learn(new Set([resourceId]));
      const resource = this.#checking.known(resourceId)?.resource;
      const threshold = resource?.thresholds.find((one) => one.id === id);
      if (resource && threshold)
        await this.#move(resource, threshold, (course) => silence(threshold, course, now * 1_000));
      else await this.#host.store(StandingAlarm).removeAll(MESH, { _id: standingId(resourceId, id) });
    }
  }

  /** What begins or ends is stored, by its derived id, before the threshold is said to stand there. */
  async #move(
    resource: Resource,
    threshold: Threshold,
    go: (course: Course) => { course: Course; turns: AlarmTurn[] },
  ): Promise<void> {
    const store = this.#host.store(StandingAlarm);
    const id = standingId(resource.id, threshold.id);
    await retryOnConflict(
      async () => {
        const before = await store.one(MESH, { _id: id });
        const { course, turns } = go(before ?? {});
        for (const turn of turns) await this.#turn(resource, threshold, turn);
        const due = silentAt(threshold, course);
        const { since, lastAt, beyondSince, raised } = course;
        const next = {
          since,
          lastAt,
          beyondSince,
          raised,
          dueAt: due === undefined ? undefined : iso(Math.ceil(due / 1_000)),
        };
        if (!before)
          await store.create(MESH, { id, resourceId: resource.id, threshold: threshold.id, ...present(next) });
        else if (lastAt !== before.lastAt || turns.length)
          await store.revise(
            MESH,
            before,
            Object.fromEntries(Object.entries(next).map(([field, value]) => [field, value ?? null])),
          );
      },
      { when: (error) => isProblem(error) && error.code === 409 },
    );
  }

  async #turn(
    resource: Resource,
    { id: threshold, key, severity }: Threshold,
    { turn, why, at, when, value }: AlarmTurn,
  ) {
    const alarms = this.#host.store(Alarm);
    const id = derivedId(`alarm ${JSON.stringify([resource.id, threshold, why, at])}`);
    const tells = { threshold, key, severity, at: isoOf(when) };
    const unit = resource.series.find((one) => one.key === key)?.unit;
    const measured = value !== undefined && { measured: unit === undefined ? `${value}` : `${value} ${unit}` };
    if (turn === "raised")
      await alarms.createOnce(
        MESH,
        {
          id,
          ...placeOf(resource),
          resourceId: resource.id,
          threshold,
          key,
          severity,
          why,
          raisedAt: isoOf(at),
          toldAt: iso(this.#host.world.clock.now()),
          ...(value !== undefined && { value }),
        },
        { facts: factsInSet(ThresholdRaised, resource, "system:resources", { ...tells, ...measured, why }) },
      );
    else {
      const alarm = await alarms.one(MESH, { _id: id });
      if (alarm && alarm.clearedAt === undefined)
        await alarms.revise(
          MESH,
          alarm,
          { clearedAt: isoOf(when) },
          { facts: factsInSet(ThresholdCleared, resource, "system:resources", tells) },
        );
    }
  }
}
