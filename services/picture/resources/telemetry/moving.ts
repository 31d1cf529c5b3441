import { TRACE } from "../../../../core/events/traces.ts";
import { asSystem } from "../../../../core/access/caller.ts";
import { iso } from "../../../../core/clock.ts";
import type { Host } from "../../../../core/contract/endpoint.ts";
import { distance } from "../../../../core/geo/earth.ts";
import type { SeriesValue, SeriesPoint, TimedValue } from "../../../../core/records/reading/readings.ts";
import { alikeIn } from "../../place.ts";
import { cellAt, Location, positionOf } from "../../location.ts";
import { ResourceMoved } from "../events.ts";
import { Resource } from "../registry/resources.ts";
import { bringUnits } from "../registry/tracking.ts";

const MESH = asSystem("resources");

/** The series that say where a resource is: degrees and metres, those of one fix together. */
const POSITION_KEYS = ["latitude", "longitude", "altitude", "accuracy"] as const;
const KEYS: ReadonlySet<string> = new Set(POSITION_KEYS);

/** Places are written so often, however many readings come, and of so many resources at a time. */
const MOVE_EVERY_MS = 1_000;
const MOST_AT_ONCE = 1_000;
/** What moved less is written more seldom: only so that it is seen to be fresh. */
const LEAST_METRES = 1;
const FRESH_MS = 5_000;
const MOST_REMEMBERED = 20_000;

/** A device that stamps each reading by itself takes both coordinates of one fix within this time. */
const ONE_FIX_US = 1_000_000;

interface Whereabouts {
  location: Location;
  /** It is elsewhere than was written last, as far as is known here. */
  isElsewhere?: boolean;
  /** Milliseconds: when the first and the last of its coordinates was taken. */
  since: number;
  at: number;
}

const msOf = (us: number): number => Math.floor(us / 1_000);

/**
 * Where the latest readings of a resource say that it is: latitude and longitude of one fix, with what was taken at the
 * moment of either. The map of the console goes by the same rule (`console/picture/map/fixes.ts`).
 */
function whereaboutsIn(latest: readonly ({ key: string } & TimedValue)[]): Whereabouts | null {
  const [north, east] = ["latitude", "longitude"].map((key) => latest.find((one) => one.key === key));
  if (!north || !east || Math.abs(north.at - east.at) > ONE_FIX_US) return null;
  const said: Record<string, SeriesValue> = { latitude: north.value, longitude: east.value };
  for (const { key, at, value } of latest) if (KEYS.has(key) && (at === north.at || at === east.at)) said[key] = value;
  const whole = Location.safeParse(said);
  // Height and accuracy that cannot be are left out; a place that cannot be is none.
  const { data: location } = whole.success
    ? whole
    : Location.safeParse({ latitude: north.value, longitude: east.value });
  if (!location) return null;
  return { location, since: msOf(Math.min(north.at, east.at)), at: msOf(Math.max(north.at, east.at)) };
}

/**
 * Brings resources to where their readings say they are: the latest reading by when it was taken, so that none that
 * comes late moves anything back; and a write for many readings, since a place costs what a hundred of them do.
 */
export class Moving {
  readonly #host: Host;
  /** Resources whose place is to be looked at; whoever waits longest is the first. */
  readonly #waiting = new Set<string>();
  readonly #written = new Map<string, Whereabouts>();
  #reached = "";
  #timer: NodeJS.Timeout | undefined;
  #writing: Promise<void> = Promise.resolve();

  constructor(host: Host) {
    this.#host = host;
  }

  /** Notes resources of which one of these readings says where they are. */
  note(points: readonly SeriesPoint[]): void {
    for (const { key, resource } of points) if (KEYS.has(key)) this.#waiting.add(resource);
    this.#begin();
  }

  #begin(): void {
    if (this.#waiting.size) this.#timer ??= setInterval(() => void this.#tick(), MOVE_EVERY_MS).unref();
  }

  /**
   * Looks for resources that are not where their stored readings say, since the node that took those in died: at the
   * next so many in the order of their ids, again and again. One node does, under a lease.
   */
  async look(): Promise<void> {
    const found = await this.#host.world.readings.latestOf("latitude", { after: this.#reached, limit: MOST_AT_ONCE });
    this.#reached = found.length < MOST_AT_ONCE ? "" : found.at(-1)!.resource;
    const ids = found.map(({ resource }) => resource);
    const known = new Map(
      (await this.#host.store(Resource).find(MESH, { _id: { $in: ids } }, { fields: ["locatedAt"] })).map((one) => [
        one.id,
        one,
      ]),
    );
    for (const { resource, at } of found) {
      const one = known.get(resource);
      if (one && (one.locatedAt === undefined || one.locatedAt < iso(Math.floor(at / 1_000))))
        this.#waiting.add(resource);
    }
    this.#begin();
  }

  /** Writes what waits. */
  async close(): Promise<void> {
    clearInterval(this.#timer);
    while (this.#waiting.size) await this.#tick();
    await this.#writing;
  }

  #tick(): Promise<void> {
    if (!this.#waiting.size) {
      clearInterval(this.#timer);
      this.#timer = undefined;
    }
    return (this.#writing = this.#writing
      .then(() => this.#write(this.#next()))
      .catch((error: Error) => this.#host.logger.warn(`Resources were not moved: ${error.message}`)));
  }

  #next(): string[] {
    const next: string[] = [];
    for (const id of this.#waiting) {
      if (next.length === MOST_AT_ONCE) break;
      next.push(id);
    }
    for (const id of next) this.#waiting.delete(id);
    return next;
  }

  async #write(waiting: readonly string[]): Promise<void> {
    const noted = (await Promise.all(waiting.map((id) => this.#moveOf(id)))).filter((move) => move !== null);
    if (!noted.length) return;
    const resources = this.#host.store(Resource);
    const places = await resources.find(
      MESH,
      { _id: { $in: noted.map(({ id }) => id) } },
      { fields: ["problemSetId", "audience", "tracksUnitId", "locatedAt"] },
    );
    const known = new Map(places.map((one) => [one.id, one]));
    const found = noted.filter(({ id, since }) => (known.get(id)?.locatedAt ?? "") < iso(since));
    // Units first: whoever dies in between leaves resources that are to be moved still, and so finds both again.
    const areUnitsThere = await bringUnits(
      this.#host,
      found.map(({ id, location, at }) => ({ ...known.get(id), location, locatedAt: iso(at) })),
    ).then(
      () => true,
      (error: Error) => void this.#host.logger.warn(`Units were not moved: ${error.message}`),
    );
    const moves = areUnitsThere ? found : found.filter(({ id }) => known.get(id)?.tracksUnitId === undefined);
    const now = iso(this.#host.world.clock.now());
    const { counts } = await resources.bulk(
      moves.map(({ id, location, since, at, isElsewhere }) => ({
        // Whatever a person or another node wrote of a later moment stays. Both coordinates are newer than the place
        // before: one of this fix and one of the last are no place.
        update: { _id: id, $or: [{ locatedAt: { $exists: false } }, { locatedAt: { $lt: iso(since) } }] },
        // No revision of its own: what a person edits meanwhile is edited from what they saw.
        with: {
          $set: {
            ...{ location, locatedAt: iso(at), cell: cellAt(location), updatedAt: now },
            ...(isElsewhere && { [TRACE]: 1 }),
          },
        },
      })),
    );
    if (this.#written.size > MOST_REMEMBERED) this.#written.clear();
    for (const { id, ...one } of moves) this.#written.set(id, one);
    const moved = moves.flatMap(({ id }, at) => (counts[at] ? (known.get(id) ?? []) : []));
    for (const all of Map.groupBy(moved, ({ problemSetId, audience }) => problemSetId ?? audience).values())
      void ResourceMoved.emit(this.#host, { ...alikeIn(all[0]!), ids: all.map(({ id }) => id) });
  }

  async #moveOf(id: string): Promise<(Whereabouts & { id: string }) | null> {
    const found = whereaboutsIn(await this.#host.world.readings.latest(id));
    if (!found) return null;
    const before = this.#written.get(id);
    if (!before) return { id, ...found, isElsewhere: true };
    const newer = found.since - before.at;
    const metres = distance(positionOf(before.location), positionOf(found.location));
    const isElsewhere = metres >= LEAST_METRES;
    return newer > 0 && (newer >= FRESH_MS || isElsewhere) ? { id, ...found, isElsewhere } : null;
  }
}
