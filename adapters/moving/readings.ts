import type { SeriesPoint } from "../../core/records/reading/readings.ts";
import { MongoDocuments } from "../documents/mongo.ts";
import { BucketReadings, pointsOf, type Bucket } from "../readings/buckets.ts";
import type { MoveSource } from "./source.ts";
import { Tally } from "./tally.ts";
import type { MoveTarget } from "./target.ts";

const MOST_AT_ONCE = 10_000;

async function inParts(
  points: Iterable<SeriesPoint>,
  tally: Tally,
  put: (part: SeriesPoint[]) => Promise<unknown>,
): Promise<void> {
  let part: SeriesPoint[] = [];
  for (const point of points) {
    tally.add(point);
    if (part.push(point) < MOST_AT_ONCE) continue;
    await put(part);
    part = [];
  }
  if (part.length) await put(part);
}

/** What was moved, and what is there now. */
export interface MovedReadings {
  stored: [Tally, Tally];
  latest: [Tally, Tally];
}

/** Moves readings, which are rows of the embedded store and buckets elsewhere, and reads them back. */
export async function moveReadings(source: MoveSource, target: MoveTarget, url: string): Promise<MovedReadings> {
  const moved: MovedReadings = { stored: [new Tally(), new Tally()], latest: [new Tally(), new Tally()] };
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
