/** What a series holds: a number, a switch, or a short text. */
export type SeriesValue = number | boolean | string;

/** A reading: of which series, when it was taken (microseconds since 1970), and what it said. */
export interface SeriesPoint {
  resource: string;
  key: string;
  at: number;
  value: SeriesValue;
}
export type TimedValue = Pick<SeriesPoint, "at" | "value">;

/** What became of points that were put. */
export interface Put {
  /** New ones. */
  added: number;
  /** Those that were there with the same value. */
  duplicates: number;
  /** Those that were there with another value, which is theirs now. */
  replaced: number;
}

export interface Range {
  /** Microseconds: from then on, and before then. */
  from: number;
  to: number;
  limit: number;
  /** The newest first. */
  falling?: boolean;
}

/**
 * The store of readings, apart from the documents: a point costs about a microsecond, where a record costs hundreds. A
 * point is known by resource, key and moment. Every store keeps:
 * - `put` resolves when all of its points are durable, and a later read sees them; what is put again is harmless;
 * - of two values of one moment the one that was put later holds;
 * - the latest reading of a series moves forward only.
 */
export interface Readings {
  readonly kind: "table" | "buckets";
  put(points: readonly SeriesPoint[]): Promise<Put>;
  /** The latest reading of each series of a resource, by key. */
  latest(resource: string): Promise<({ key: string } & TimedValue)[]>;
  /** When the latest reading of a series was taken, resource by resource in the order of their ids, from one on. */
  latestOf(key: string, page: { after: string; limit: number }): Promise<{ resource: string; at: number }[]>;
  range(resource: string, key: string, range: Range): Promise<TimedValue[]>;
  /** Removes all readings of a resource; may be repeated. */
  remove(resource: string): Promise<void>;
  /** Removes what was taken before then; answers how many of its own units (rows or buckets) went. */
  removeBefore(at: number): Promise<number>;
}
