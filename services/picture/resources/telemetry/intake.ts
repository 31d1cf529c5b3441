import { memberOf, may, sees, type Actor } from "../../../../core/access/access.ts";
import { asSystem } from "../../../../core/access/caller.ts";
import { iso } from "../../../../core/clock.ts";
import type { Host } from "../../../../core/contract/endpoint.ts";
import { live } from "../../../../core/contract/live.ts";
import { derivedId } from "../../../../core/ids.ts";
import { isProblem, overloaded } from "../../../../core/problem.ts";
import { retryOnConflict } from "../../../../core/records/conflict-retry.ts";
import type { Measured, Point } from "../../../../core/records/readings.ts";
import { audienceOf, placeOf, reach } from "../../place.ts";
import { ThresholdCleared, ThresholdRaised, told } from "../events.ts";
import { Resource } from "../registry/resources.ts";
import { Alarm, Standing } from "./alarms.ts";
import { Moving } from "./moving.ts";
import { isoOf, type Given } from "./points.ts";
import { isSeriesKey, type Series, type Threshold } from "./series.ts";
import { TelemetryUpdate } from "./telemetry.ts";
import { silence, silentAt, step, type Course, type Turn } from "./thresholds.ts";

const POINT_BYTES = 64;
/** Ahead of our clock by more than this nothing was measured. */
const AHEAD_US = 300_000_000;
const DAY_US = 86_400_000_000;
const LONGEST_TEXT = 200;

/** Resources that a node remembers, and for how long, where it was not told of a change. */
const MOST_KNOWN = 20_000;
const KNOWN_MS = 5_000;

const TELL_EVERY_MS = 250;
/** Series in one live event; more are read from their lists. */
const MOST_TOLD = 500;
const MESH = asSystem("resources");

export const CODES = [
  "NOT_FOUND",
  "FORBIDDEN",
  "ARCHIVED",
  "BAD_KEY",
  "BAD_TIME",
  "AHEAD",
  "TOO_OLD",
  "BAD_VALUE",
  "WRONG_TYPE",
  "WRONG_UNIT",
  "OUT_OF_RANGE",
] as const;
export type Code = (typeof CODES)[number];
export interface Taken {
  accepted: number;
  duplicates: number;
  replaced: number;
  failed: { index: number; code: Code }[];
}

/** Of a resource, what every reading of it is held against. */
interface Known {
  until: number;
  resource: Resource | null;
  /** A name of its place: what is told of one place is told together. */
  place: string;
  series: ReadonlyMap<string, Series>;
  watched: ReadonlyMap<string, readonly Threshold[]>;
}

const valueCode = (value: unknown, declared: Series | undefined, unit: unknown): Code | undefined => {
  const type = typeof value;
  if (type === "number" ? !Number.isFinite(value) : type === "string" ? isTooLong(value as string) : type !== "boolean")
    return "BAD_VALUE";
  if (!declared) return undefined;
  if (declared.type !== (type === "string" ? "text" : type)) return "WRONG_TYPE";
  if (unit !== undefined && declared.unit !== undefined && unit !== declared.unit) return "WRONG_UNIT";
  const { minimum = -Infinity, maximum = Infinity } = declared;
  return type === "number" && ((value as number) < minimum || (value as number) > maximum) ? "OUT_OF_RANGE" : undefined;
};
const timeCode = (at: number, now: number, oldest: number): Code | undefined =>
  !Number.isSafeInteger(at) ? "BAD_TIME" : at > now + AHEAD_US ? "AHEAD" : at < oldest ? "TOO_OLD" : undefined;
const isTooLong = (text: string): boolean => text.length > LONGEST_TEXT;

/** What takes readings in on this node. */
export class Intake {
  /** What waits to be durable on this node at most: points, and bytes of them. */
  readonly most = { points: 200_000, bytes: 64 * 1_024 * 1_024 };
  readonly #host: Host;
  readonly #known = new Map<string, Known>();
  /** Latest readings that are still to be told, by place. */
  readonly #news = new Map<string, { of: Resource; latest: Map<string, Point> }>();
  #waiting = 0;
  #bytes = 0;
  #telling: NodeJS.Timeout | undefined;
  readonly #moving: Moving;

  constructor(host: Host) {
    this.#host = host;
    this.#moving = new Moving(host);
  }

  /** Points that are not durable yet. */
  get waiting(): number {
    return this.#waiting;
  }

  async close(): Promise<void> {
    clearInterval(this.#telling);
    await this.#moving.close();
  }

  /** Forgets what it knows of a resource: it changed, or is gone. */
  forget(resourceId: string): void {
    this.#known.delete(resourceId);
  }

  /**
   * Takes readings in, each by itself; answers once those that are good are durable. Throws 503 while too many wait,
   * and has taken none then.
   */
  async take(actor: Actor, given: readonly Given[], bytes: number): Promise<Taken> {
    if (this.#waiting + given.length > this.most.points || this.#bytes + bytes > this.most.bytes)
      throw overloaded("Too many readings wait to be stored; none of these was taken. Send them again.", 1);
    this.#waiting += given.length;
    this.#bytes += bytes;
    try {
      const failed: Taken["failed"] = [];
      const points = await this.#good(actor, given, failed);
      const { added, duplicates, replaced } = points.length
        ? await this.#host.world.readings.put(points)
        : { added: 0, duplicates: 0, replaced: 0 };
      await this.#watch(points);
      this.#tell(points);
      this.#moving.note(points);
      return { accepted: added + replaced, duplicates, replaced, failed };
    } finally {
      this.#waiting -= given.length;
      this.#bytes -= bytes;
    }
  }

  static bytesOf(points: number): number {
    return points * POINT_BYTES;
  }

  async #good(actor: Actor, given: readonly Given[], failed: Taken["failed"]): Promise<Point[]> {
    const { clock, env } = this.#host.world;
    const now = clock.now() * 1_000;
    const oldest = now - env.TELEMETRY_DAYS * DAY_US;
    await this.#learn(new Set(given.map(({ resourceId }) => resourceId)));
    const judged = new Map<unknown, { known: Known | undefined; code: Code | undefined }>();
    const points: Point[] = [];
    // What comes of one series comes together: it is judged once.
    let of: unknown, named: unknown, declared: Series | undefined, wrong: Code | undefined;
    for (let index = 0; index < given.length; index++) {
      const { resourceId, key, at = now, value, unit } = given[index]!;
      if (index === 0 || resourceId !== of || key !== named) {
        [of, named] = [resourceId, key];
        let one = judged.get(resourceId);
        if (!one) {
          const known = typeof resourceId === "string" ? this.#known.get(resourceId) : undefined;
          judged.set(resourceId, (one = { known, code: refusal(actor, known?.resource ?? null) }));
        }
        wrong = one.code ?? (isSeriesKey(key) ? undefined : "BAD_KEY");
        declared = wrong ? undefined : one.known!.series.get(key as string);
      }
      const code = wrong ?? timeCode(at, now, oldest) ?? valueCode(value, declared, unit);
      if (code) failed.push({ index, code });
      else points.push({ resource: resourceId as string, key: key as string, at, value: value as Measured });
    }
    return points;
  }

  /** Reads those of the resources that are not known, in one question. */
  async #learn(ids: ReadonlySet<unknown>): Promise<void> {
    const now = performance.now();
    const missing = [...ids].filter(
      (id): id is string => typeof id === "string" && id !== "" && (this.#known.get(id)?.until ?? 0) <= now,
    );
    if (!missing.length) return;
    if (this.#known.size > MOST_KNOWN) this.#known.clear();
    const found = new Map((await this.#host.store(Resource).many(MESH, missing)).map((one) => [one.id, one]));
    for (const id of missing) this.#known.set(id, knownOf(found.get(id) ?? null, now + KNOWN_MS));
  }

  /** Moves the thresholds on that these readings concern, before they are acknowledged. */
  async #watch(points: readonly Point[]): Promise<void> {
    const bySeries = new Map<string, { known: Known; points: Point[] }>();
    let known: Known | undefined, of: string | undefined;
    for (const point of points) {
      if (point.resource !== of) known = this.#known.get((of = point.resource));
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
            const turns: Turn[] = [];
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

  /** Looks for resources that their readings did not bring to where they are. */
  lookForPlaces(): Promise<void> {
    return this.#moving.look();
  }

  /** Looks for thresholds whose series fell silent. */
  async lookForSilence(): Promise<void> {
    const now = this.#host.world.clock.now();
    const due = await this.#host
      .store(Standing)
      .find(MESH, { dueAt: { $lte: iso(now) } }, { sort: ["dueAt"], limit: 500 });
    for (const { resourceId, threshold: id } of due) {
      await this.#learn(new Set([resourceId]));
      const resource = this.#known.get(resourceId)?.resource;
      const threshold = resource?.thresholds.find((one) => one.id === id);
      if (resource && threshold)
        await this.#move(resource, threshold, (course) => silence(threshold, course, now * 1_000));
      else await this.#host.store(Standing).removeAll(MESH, { _id: standingId(resourceId, id) });
    }
  }

  /** What begins or ends is stored, by its derived id, before the threshold is said to stand there. */
  async #move(
    resource: Resource,
    threshold: Threshold,
    go: (course: Course) => { course: Course; turns: Turn[] },
  ): Promise<void> {
    const store = this.#host.store(Standing);
    const id = standingId(resource.id, threshold.id);
    await retryOnConflict(
      async () => {
        const before = await store.one(MESH, { _id: id });
        const { course, turns } = go(before ?? {});
        for (const turn of turns) await this.#turn(resource, threshold, turn);
        const due = silentAt(threshold, course);
        const { lastAt, beyondSince, raised } = course;
        const next = {
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

  async #turn(resource: Resource, { id: threshold, key, severity }: Threshold, { turn, why, at, when, value }: Turn) {
    const alarms = this.#host.store(Alarm);
    const id = derivedId(`alarm ${JSON.stringify([resource.id, threshold, why, at])}`);
    const tells = { threshold, key, severity, at: isoOf(when) };
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
        { facts: told(ThresholdRaised, resource, "system:resources", { ...tells, why }) },
      );
    else {
      const alarm = await alarms.one(MESH, { _id: id });
      if (alarm && alarm.clearedAt === undefined)
        await alarms.revise(
          MESH,
          alarm,
          { clearedAt: isoOf(when) },
          { facts: told(ThresholdCleared, resource, "system:resources", tells) },
        );
    }
  }

  /** Notes what is to be told, the last reading of each series; it is told a few times a second. */
  #tell(points: readonly Point[]): void {
    if (!points.length) return;
    for (const newest of newestOf(points)) {
      const known = this.#known.get(newest.resource);
      if (!known?.resource) continue;
      const one = this.#news.get(known.place) ?? { of: known.resource, latest: new Map<string, Point>() };
      this.#news.set(known.place, one);
      const name = `${newest.resource} ${newest.key}`;
      const last = one.latest.get(name);
      if (!last || last.at <= newest.at) one.latest.set(name, newest);
    }
    this.#telling ??= setInterval(() => void this.#flush(), TELL_EVERY_MS).unref();
  }

  #flush(): void {
    if (!this.#news.size) {
      clearInterval(this.#telling);
      this.#telling = undefined;
      return;
    }
    for (const { of, latest } of this.#news.values()) {
      const all = [...latest.values()];
      const readings = all
        .slice(0, MOST_TOLD)
        .map(({ resource, key, at, value }) => ({ resourceId: resource, key, at: isoOf(at), value }));
      live(this.#host, {
        event: TelemetryUpdate,
        to: audienceOf("telemetry", of),
        data: { readings, more: Math.max(0, all.length - MOST_TOLD) },
      }).catch((error: Error) => this.#host.logger.warn(`Telemetry was not told: ${error.message}`));
    }
    this.#news.clear();
  }
}

/** Of each stretch of points of one series the newest. */
function newestOf(points: readonly Point[]): Point[] {
  const found: Point[] = [];
  let last: Point | undefined;
  for (const point of points)
    if (last?.resource !== point.resource || last.key !== point.key) found.push((last = point));
    else if (last.at <= point.at) found[found.length - 1] = last = point;
  return found;
}

const present = (fields: object): object =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
const standingId = (resourceId: string, threshold: string): string =>
  derivedId(`standing ${JSON.stringify([resourceId, threshold])}`);

function knownOf(resource: Resource | null, until: number): Known {
  const watched = new Map<string, Threshold[]>();
  for (const threshold of resource?.thresholds ?? [])
    watched.set(threshold.key, [...(watched.get(threshold.key) ?? []), threshold]);
  const place = resource ? JSON.stringify(placeOf(resource)) : "";
  return { until, resource, place, series: new Map((resource?.series ?? []).map((one) => [one.key, one])), watched };
}

/** Why the caller sends no reading of a resource; undefined where they may. */
function refusal(actor: Actor, resource: Resource | null): Code | undefined {
  if (!resource || !sees(reach, actor, resource)) return "NOT_FOUND";
  if (resource.problemSetId === undefined) return may(actor, "resources:report") ? undefined : "FORBIDDEN";
  try {
    memberOf(actor, resource.problemSetId, "resources:report", { writes: true });
    return undefined;
  } catch (error) {
    return isProblem(error) && error.code === 409 ? "ARCHIVED" : "FORBIDDEN";
  }
}

export const intakeOf = (host: Host): Intake => (host as Host & { intake: Intake }).intake;
