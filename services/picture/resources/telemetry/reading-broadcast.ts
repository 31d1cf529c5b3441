import type { Host } from "../../../../core/contract/endpoint.ts";
import { live } from "../../../../core/contract/live.ts";
import type { SeriesPoint } from "../../../../core/records/reading/readings.ts";
import { audienceOf } from "../../place.ts";
import type { Resource } from "../registry/resources.ts";
import type { Checking } from "./checking.ts";
import { isoOf } from "./points.ts";
import { TelemetryUpdate } from "./telemetry.ts";

const TELL_EVERY_MS = 250;
/** Series in one live event; more are read from their lists. */
const MOST_TOLD = 500;

/** The newest of each run of points of one series. */
function newestOf(points: readonly SeriesPoint[]): SeriesPoint[] {
  const found: SeriesPoint[] = [];
  let last: SeriesPoint | undefined;
  for (const point of points)
    if (last?.resource !== point.resource || last.key !== point.key) found.push((last = point));
    else if (last.at <= point.at) found[found.length - 1] = last = point;
  return found;
}

/** What those who look on are told of readings: the latest ones, a few times a second for each place. */
export class ReadingBroadcast {
  readonly #host: Host;
  readonly #checking: Checking;
  /** Latest readings that are still to be told, by place. */
  readonly #news = new Map<string, { of: Resource; latest: Map<string, SeriesPoint> }>();
  #telling: NodeJS.Timeout | undefined;

  constructor(host: Host, checking: Checking) {
    this.#host = host;
    this.#checking = checking;
  }

  close(): void {
    clearInterval(this.#telling);
  }

  /** Notes what is to be told, the last reading of each series; it is told a few times a second. */
  tell(points: readonly SeriesPoint[]): void {
    if (!points.length) return;
    for (const newest of newestOf(points)) {
      const known = this.#checking.known(newest.resource);
      if (!known?.resource) continue;
      const one = this.#news.get(known.place) ?? { of: known.resource, latest: new Map<string, SeriesPoint>() };
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
