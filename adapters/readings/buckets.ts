import { opener, type BulkWrite, type Collection, type Documents } from "../../core/records/documents.ts";
import type {
  SeriesValue,
  SeriesPoint,
  Put,
  Range,
  TimedValue,
  Readings,
} from "../../core/records/reading/readings.ts";
import { removeInSlices } from "../../core/records/keeping/retention.ts";

/** Microseconds in a bucket: an hour. */
const SPAN = 3_600_000_000;
/** Buckets read at a time. */
const AT_ONCE = 48;

export interface Bucket {
  _id: string;
  series: string;
  resource: string;
  hour: number;
  /** By microseconds since the hour began, after a letter: a field's name must not be a number. */
  points: Record<string, SeriesValue>;
}

const seriesOf = (resource: string, key: string): string => `${resource} ${key}`;
const idOf = (series: string, hour: number): string => `${series} ${hour}`;
const hourOf = (at: number): number => Math.floor(at / SPAN);
const nameOf = (at: number): string => `u${at % SPAN}`;

/**
 * Readings as documents, one for each series and hour, written by upsert, so that points are added and replaced in
 * place: MongoDB's time-series collections have no unique index, and would store repeated points twice.
 */
export class BucketReadings implements Readings {
  readonly kind = "buckets";
  readonly #buckets: () => Promise<Collection>;
  readonly #latest: () => Promise<Collection>;

  constructor(documents: Documents) {
    this.#buckets = opener(documents, "readings", {
      indexes: [{ fields: ["series", "hour"] }, { fields: ["resource"] }, { fields: ["hour"] }],
    });
    this.#latest = opener(documents, "readings_latest", {
      indexes: [{ fields: ["resource"] }, { fields: ["key", "resource"] }],
    });
  }

  async put(points: readonly SeriesPoint[]): Promise<Put> {
    const [buckets, latest] = await Promise.all([this.#buckets(), this.#latest()]);
    const given = new Map<string, Bucket>();
    const newest = new Map<string, SeriesPoint>();
    const put: Put = { added: 0, duplicates: 0, replaced: 0 };
    const wanted = new Set(points.map(({ resource, key, at }) => idOf(seriesOf(resource, key), hourOf(at))));
    const there = new Map((await buckets.findByIds([...wanted])).map((doc) => [doc._id, doc as unknown as Bucket]));
    for (const point of points) {
      const { resource, key, at, value } = point;
      const series = seriesOf(resource, key),
        hour = hourOf(at),
        name = nameOf(at);
      const id = idOf(series, hour);
      const bucket = given.get(id) ?? { _id: id, series, resource, hour, points: {} };
      given.set(id, bucket);
      const before = bucket.points[name] ?? there.get(id)?.points[name];
      if (before === undefined) put.added++;
      else if (before === value) put.duplicates++;
      else put.replaced++;
      bucket.points[name] = value;
      const last = newest.get(series);
      if (!last || last.at <= at) newest.set(series, point);
    }
    await buckets.bulk([...given.values()].map(upsert));
    await latest.bulk([...newest].flatMap(([series, point]) => advance(series, point)));
    return put;
  }

  /** Stores the latest points of series; the readings themselves may be gone. */
  async putLatest(points: readonly SeriesPoint[]): Promise<void> {
    const latest = await this.#latest();
    await latest.bulk(points.flatMap((point) => advance(seriesOf(point.resource, point.key), point)));
  }

  async latest(resource: string): Promise<({ key: string } & TimedValue)[]> {
    const found = await (await this.#latest()).find({ query: { resource }, sort: ["_id"] });
    return found.map(({ key, at, value }) => ({ key, at, value }) as { key: string } & TimedValue);
  }

  async latestOf(key: string, { after, limit }: { after: string; limit: number }) {
    const query = { key, resource: { $gt: after } };
    const found = await (await this.#latest()).find({ query, sort: ["resource"], limit, fields: ["resource", "at"] });
    return found.map(({ resource, at }) => ({ resource, at }) as { resource: string; at: number });
  }

  async range(resource: string, key: string, { from, to, limit, falling = false }: Range): Promise<TimedValue[]> {
    const buckets = await this.#buckets();
    const series = seriesOf(resource, key);
    const found: TimedValue[] = [];
    for (let past: number | undefined; found.length < limit;) {
      const hour = {
        $gte: falling || past === undefined ? hourOf(from) : past + 1,
        $lte: falling && past !== undefined ? past - 1 : hourOf(to),
      };
      const docs = await buckets.find({
        query: { series, hour },
        sort: [falling ? "-hour" : "hour"],
        limit: AT_ONCE,
      });
      for (const doc of docs as unknown as Bucket[]) {
        const readings = Object.entries(doc.points)
          .map(([name, value]): TimedValue => ({ at: doc.hour * SPAN + Number(name.slice(1)), value }))
          .filter(({ at }) => at >= from && at < to)
          .sort((one, other) => (falling ? other.at - one.at : one.at - other.at));
        found.push(...readings);
      }
      if (docs.length < AT_ONCE) break;
      past = (docs.at(-1) as unknown as Bucket).hour;
    }
    return found.slice(0, limit);
  }

  async remove(resource: string): Promise<void> {
    await removeInSlices(await this.#buckets(), { resource }, "resource");
    await removeInSlices(await this.#latest(), { resource }, "resource");
  }

  async removeBefore(at: number): Promise<number> {
    return removeInSlices(await this.#buckets(), { hour: { $lt: hourOf(at) } }, "hour");
  }
}

/** The readings in a stored bucket, in no order. */
export const pointsOf = ({ resource, series, hour, points }: Bucket): SeriesPoint[] =>
  Object.entries(points).map(([name, value]) => ({
    resource,
    key: series.slice(resource.length + 1),
    at: hour * SPAN + Number(name.slice(1)),
    value,
  }));

const upsert = ({ _id, series, resource, hour, points }: Bucket): BulkWrite => ({
  update: { _id },
  with: {
    $set: Object.fromEntries(Object.entries(points).map(([name, value]) => [`points.${name}`, value])),
    $setOnInsert: { series, resource, hour },
  },
  upsert: true,
});

/** Two writes, one of which takes effect: the one for a new series is refused where it exists. */
const advance = (series: string, { resource, key, at, value }: SeriesPoint): BulkWrite[] => [
  { insert: { _id: series, resource, key, at, value } },
  { update: { _id: series, at: { $lte: at } }, with: { $set: { at, value } } },
];
