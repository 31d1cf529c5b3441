/** A reading as live events bring it. */
export interface ToldReading {
  resourceId: string;
  key: string;
  at: string;
  value: unknown;
}
interface Coordinate {
  /** Milliseconds. */
  at: number;
  value: number;
}
type Axis = "latitude" | "longitude";

/** Where a resource is, by its readings. */
export interface Fix {
  latitude: number;
  longitude: number;
  /** Milliseconds: when the first of both was taken, and the last. */
  since: number;
  at: number;
}

/** A device that stamps each reading by itself takes both coordinates of one fix within this time. */
const ONE_FIX_MS = 1_000;
const MOST: Record<Axis, number> = { latitude: 90, longitude: 180 };
const isAxis = (key: string): key is Axis => key in MOST;

/**
 * Where resources are by the readings that came since the page was opened: latitude and longitude of one fix, as the
 * platform itself moves them (`services/picture/resources/telemetry/moving.ts`).
 */
export class Fixes {
  readonly #latest = new Map<string, Partial<Record<Axis, Coordinate>>>();

  /** Notes readings; answers where the resources are that they tell of, as far as they say. */
  note(readings: readonly ToldReading[]): Map<string, Fix> {
    const found = new Map<string, Fix>();
    for (const { resourceId, key, at, value } of readings) {
      if (!isAxis(key) || typeof value !== "number") continue;
      const known = this.#latest.get(resourceId) ?? {};
      this.#latest.set(resourceId, known);
      const moment = Date.parse(at);
      if (moment >= (known[key]?.at ?? -Infinity)) known[key] = { at: moment, value };
      const fix = fixOf(known);
      if (fix) found.set(resourceId, fix);
      else found.delete(resourceId);
    }
    return found;
  }
}

function fixOf({ latitude, longitude }: Partial<Record<Axis, Coordinate>>): Fix | undefined {
  if (!latitude || !longitude || Math.abs(latitude.at - longitude.at) > ONE_FIX_MS) return undefined;
  if (Math.abs(latitude.value) > MOST.latitude || Math.abs(longitude.value) > MOST.longitude) return undefined;
  return {
    latitude: latitude.value,
    longitude: longitude.value,
    since: Math.min(latitude.at, longitude.at),
    at: Math.max(latitude.at, longitude.at),
  };
}
