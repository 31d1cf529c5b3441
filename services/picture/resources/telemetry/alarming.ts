import { asSystem } from "../../../../core/access/caller.ts";
import { iso } from "../../../../core/clock.ts";
import type { Host } from "../../../../core/contract/endpoint.ts";
import { live } from "../../../../core/contract/live.ts";
import { derivedId } from "../../../../core/ids.ts";
import { isProblem } from "../../../../core/problem.ts";
import { retryOnConflict } from "../../../../core/records/conflict-retry.ts";
import type { SeriesPoint } from "../../../../core/records/reading/readings.ts";
import { audienceOf, placeOf } from "../../place.ts";
import { ThresholdCleared, ThresholdRaised, factsInSet } from "../events.ts";
import type { Resource } from "../registry/resources.ts";
import { Alarm, StandingAlarm } from "./alarms.ts";
import type { Checking, ResourceContext } from "./checking.ts";
import { isoOf } from "./points.ts";
import type { Threshold } from "./series.ts";
import { AlarmChanged } from "./telemetry.ts";
import { setAnew, silence, silentAt, step, type Course, type AlarmTurn } from "./thresholds.ts";

const MESH = asSystem("resources");

const present = (fields: object): object =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
/** What is told so long after it was measured tells of the past. */
const LATE_MS = 300_000;

const standingId = (resourceId: string, threshold: string): string =>
  derivedId(`standing ${JSON.stringify([resourceId, threshold])}`);

const alarmId = (resourceId: string, threshold: string, { why, at }: Pick<AlarmTurn, "why" | "at">): string =>
  derivedId(`alarm ${JSON.stringify([resourceId, threshold, why, at])}`);

/** Tells whoever looks on now; readings are taken whether or not that succeeds. */
export async function tellAlarm(host: Host, alarm: Alarm): Promise<void> {
  const { id: alarmId, resourceId, severity, state, acknowledgedAt } = alarm;
  await live(host, {
    event: AlarmChanged,
    to: audienceOf("telemetry", alarm),
    data: { alarmId, resourceId, severity, state, acknowledged: acknowledgedAt !== undefined },
  }).catch((error: Error) => host.logger.warn(`An alarm was not told: ${error.message}`));
}

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

  /** What a resource's thresholds ask for was set anew: alarms of others end, and silence is waited for from now. */
  async setAnew(resource: Resource): Promise<void> {
    const now = this.#host.world.clock.now() * 1_000;
    const { id: resourceId, thresholds } = resource;
    const store = this.#host.store(StandingAlarm);
    for (const standing of await store.find(MESH, { resourceId })) {
      if (thresholds.some(({ id, key }) => id === standing.threshold && key === (standing.key ?? key))) continue;
      for (const turn of setAnew(undefined, standing, now).turns) await this.#end(resource, standing.threshold, turn);
      await store.removeAll(MESH, { _id: standing.id });
    }
    const latest = thresholds.length ? await this.#host.world.readings.latest(resourceId) : [];
    for (const threshold of thresholds) {
      const last = latest.find(({ key }) => key === threshold.key);
      await this.#move(resource, threshold, (course) => setAnew(threshold, course, now, last));
    }
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
        for (const turn of turns)
          await (turn.turn === "raised"
            ? this.#raise(resource, threshold, turn)
            : this.#end(resource, threshold.id, turn));
        const due = silentAt(threshold, course);
        const { since, lastAt, beyondSince, raised, newest } = course;
        const dueAt = due === undefined ? undefined : iso(Math.ceil(due / 1_000));
        const next = { since, lastAt, beyondSince, raised, newest: newest && present(newest), dueAt };
        if (!before && (lastAt ?? since) !== undefined)
          await store.create(MESH, {
            ...{ id, resourceId: resource.id, threshold: threshold.id, key: threshold.key },
            ...present(next),
          });
        else if (before && (course !== before || dueAt !== before.dueAt))
          await store.revise(
            MESH,
            before,
            Object.fromEntries(Object.entries(next).map(([field, value]) => [field, value ?? null])),
          );
      },
      { when: (error) => isProblem(error) && error.code === 409 },
    );
  }

  async #raise(
    resource: Resource,
    { id: threshold, key, severity }: Threshold,
    { why, at, when, value, isAnew }: AlarmTurn,
  ): Promise<void> {
    const alarms = this.#host.store(Alarm);
    const tells = { threshold, key, severity, ...this.#moment(when) };
    const unit = resource.series.find((one) => one.key === key)?.unit;
    const measured = value !== undefined && { measured: unit === undefined ? `${value}` : `${value} ${unit}` };
    const facts = factsInSet(ThresholdRaised, resource, "system:resources", { ...tells, ...measured, why });
    const { record } = await alarms.createOnce(
      MESH,
      {
        id: alarmId(resource.id, threshold, { why, at }),
        ...placeOf(resource),
        resourceId: resource.id,
        ...{ threshold, key, severity, why, state: "open" },
        raisedAt: isoOf(at),
        toldAt: iso(this.#host.world.clock.now()),
        ...(value !== undefined && { value }),
      },
      { facts },
    );
    const isOver = record.clearedAt !== undefined;
    const isOther = isAnew && (isOver || record.value !== value);
    const open = { state: "open", clearedAt: null, value };
    await tellAlarm(
      this.#host,
      isOther ? await alarms.revise(MESH, record, open, { facts: isOver ? facts : [] }) : record,
    );
  }

  #moment(us: number): { at: string; isLate?: true } {
    const isLate = us / 1_000 < this.#host.world.clock.now() - LATE_MS;
    return { at: isoOf(us), ...(isLate && { isLate: true as const }) };
  }

  async #end(resource: Resource, threshold: string, turn: AlarmTurn): Promise<void> {
    const alarms = this.#host.store(Alarm);
    const alarm = await alarms.one(MESH, { _id: alarmId(resource.id, threshold, turn) });
    if (!alarm || alarm.clearedAt !== undefined) return;
    const { key, severity } = alarm;
    const at = isoOf(turn.when);
    const unasked = turn.isUnasked && { isUnasked: true as const };
    const tells = { threshold, key, severity, ...this.#moment(turn.when), ...unasked };
    const cleared = await alarms.revise(
      MESH,
      alarm,
      { clearedAt: at, state: "cleared" },
      { facts: factsInSet(ThresholdCleared, resource, "system:resources", tells) },
    );
    await tellAlarm(this.#host, cleared);
  }
}
