import type { SeriesPoint } from "../../core/records/reading/readings.ts";
import { MongoDocuments } from "../documents/mongo.ts";
import { BucketReadings, pointsOf, type Bucket } from "../readings/buckets.ts";
import type { MoveSource } from "./source.ts";
import { HashSum } from "./hash-sum.ts";
import type { MoveTarget } from "./target.ts";

const MOST_AT_ONCE = 10_000;

async function inParts(
  points: Iterable<SeriesPoint>,
  sum: HashSum,
  put: (part: SeriesPoint[]) => Promise<unknown>,
): Promise<void> {
  let part: SeriesPoint[] = [];
  for (const point of points) {
    sum.add(point);
    if (part.push(point) < MOST_AT_ONCE) continue;
    await put(part);
    part = [];
  }
  if (part.length) await put(part);
}

/** Sums as sent, and as read back. */
export interface MovedReadings {
  stored: [HashSum, HashSum];
  latest: [HashSum, HashSum];
}

/** Moves readings, which are rows of the embedded store and buckets elsewhere, and reads them back. */
export async function moveReadings(source: MoveSource, target: MoveTarget, url: string): Promise<MovedReadings> {
  const moved: MovedReadings = { stored: [new HashSum(), new HashSum()], latest: [new HashSum(), new HashSum()] };
  const documents = new MongoDocuments(url);
  try {
    const buckets = new BucketReadings(documents);
    await inParts(source.readings(), moved.stored[0], (part) => buckets.put(part));
    await inParts(source.latest(), moved.latest[0], (part) => buckets.putLatest(part));
    for await (const bucket of target.documents("readings"))
      for (const point of pointsOf(bucket as unknown as Bucket)) moved.stored[1].add(point);
    for await (const { resource, key, at, value } of target.documents("readings_latest"))
      moved.latest[1].add({ resource, key, at, value });
    return moved;
  } finally {
    await documents.close();
  }
}
