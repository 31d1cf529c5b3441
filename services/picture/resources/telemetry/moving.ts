import { iso } from "../../../../core/clock.ts";
import type { Host } from "../../../../core/contract/endpoint.ts";
import { distance } from "../../../../core/geo/earth.ts";
import type { Measured, Point, Reading } from "../../../../core/records/readings.ts";
import { cellAt, Location, positionOf } from "../../whereabouts.ts";
import { ResourceMoved } from "../events.ts";
import { Resource } from "../registry/resources.ts";

/** The series that say where a resource is: degrees and metres, those of one moment together. */
export const POSITION_KEYS = ["latitude", "longitude", "altitude", "accuracy"] as const;
const KEYS: ReadonlySet<string> = new Set(POSITION_KEYS);

/** Places are written so often, however many readings come, and of so many resources at a time. */
const MOVE_EVERY_MS = 1_000;
const MOST_AT_ONCE = 1_000;
/** What moved less is written more seldom: only so that it is seen to be fresh. */
const LEAST_METRES = 1;
const FRESH_MS = 5_000;
const MOST_REMEMBERED = 20_000;

interface Whereabouts {
  location: Location;
  /** Milliseconds. */
  at: number;
}

/** Where the latest readings of a resource say that it is: latitude and longitude of one moment, and what goes with them. */
export function whereaboutsIn(latest: readonly ({ key: string } & Reading)[]): Whereabouts | null {
  const at = latest.find(({ key }) => key === "latitude")?.at;
  const said: Record<string, Measured> = {};
  for (const one of latest) if (KEYS.has(one.key) && one.at === at) said[one.key] = one.value;
  const whole = Location.safeParse(said);
  // Height and accuracy that cannot be are left out; a place that cannot be is none.
  const { data: location } = whole.success
    ? whole
    : Location.safeParse({ latitude: said["latitude"], longitude: said["longitude"] });
  return location ? { location, at: Math.floor(at! / 1_000) } : null;
}

/**
 * Brings resources to where their readings say they are: the latest reading by when it was taken, so that none that
 * comes late moves anything back; and a write for many readings, since a place costs what a hundred of them do.
 */
export class Moving {
  readonly #host: Host;
  /** Resources whose place is to be looked at, with their problem sets; whoever waits longest is the first. */
  readonly #waiting = new Map<string, string | undefined>();
  readonly #written = new Map<string, Whereabouts>();
  #timer: NodeJS.Timeout | undefined;
  #writing: Promise<void> = Promise.resolve();

  constructor(host: Host) {
    this.#host = host;
  }

  /** Notes resources of which one of these readings says where they are. */
  note(points: readonly Point[], setOf: (resourceId: string) => string | undefined): void {
    for (const { key, resource } of points)
      if (KEYS.has(key) && !this.#waiting.has(resource)) this.#waiting.set(resource, setOf(resource));
    if (this.#waiting.size) this.#timer ??= setInterval(() => void this.#tick(), MOVE_EVERY_MS).unref();
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
      .then(() => this.#write([...this.#waiting].slice(0, MOST_AT_ONCE)))
      .catch((error: Error) => this.#host.logger.warn(`Resources were not moved: ${error.message}`)));
  }

  async #write(waiting: readonly (readonly [id: string, problemSetId: string | undefined])[]): Promise<void> {
    for (const [id] of waiting) this.#waiting.delete(id);
    const moves = (await Promise.all(waiting.map(([id]) => this.#moveOf(id)))).filter((move) => move !== null);
    if (!moves.length) return;
    const now = iso(this.#host.world.clock.now());
    const { counts } = await this.#host.store(Resource).bulk(
      moves.map(({ id, location, at }) => ({
        // Whatever a person or another node wrote of a later moment stays.
        update: { _id: id, $or: [{ locatedAt: { $exists: false } }, { locatedAt: { $lt: iso(at) } }] },
        with: {
          $set: { location, locatedAt: iso(at), cell: cellAt(location), updatedAt: now },
          $inc: { rev: 1 },
        },
      })),
    );
    if (this.#written.size > MOST_REMEMBERED) this.#written.clear();
    for (const { id, location, at } of moves) this.#written.set(id, { location, at });
    const moved = new Set(moves.flatMap(({ id }, at) => (counts[at] ? [id] : [])));
    const bySet = Map.groupBy(
      waiting.filter(([id, problemSetId]) => problemSetId !== undefined && moved.has(id)),
      ([, problemSetId]) => problemSetId!,
    );
    for (const [problemSetId, all] of bySet)
      void ResourceMoved.emit(this.#host, { problemSetId, ids: all.map(([id]) => id) });
  }

  async #moveOf(id: string): Promise<(Whereabouts & { id: string }) | null> {
    const found = whereaboutsIn(await this.#host.world.readings.latest(id));
    if (!found) return null;
    const before = this.#written.get(id);
    if (!before) return { id, ...found };
    const since = found.at - before.at;
    const metres = distance(positionOf(before.location), positionOf(found.location));
    return since > 0 && (since >= FRESH_MS || metres >= LEAST_METRES) ? { id, ...found } : null;
  }
}
