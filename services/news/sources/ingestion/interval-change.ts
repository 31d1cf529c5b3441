import type { Collection } from "../../../../core/records/documents.ts";
import type { Records } from "../../../../core/records/store.ts";
import { iso } from "../../../../core/clock.ts";
import { SPREAD, waitMs } from "./fetch-interval.ts";

/** Under which the interval stands that sources are waiting by. */
const KEPT = "interval";
const MINUTE_MS = 60_000;
const SLICE = 500;

interface Waiting {
  _id: number;
  lastFetch: string;
  nextFetch: string;
  ttlMinutes?: number;
}

/**
 * Has sources wait by the interval that is set now, where they wait by another one: those that wait no longer than the
 * former interval had them. What a server asked for, and the back-off of a feed that fails, stay.
 */
export async function adoptInterval(
  settings: Collection,
  sources: Records,
  intervalMs: number,
  chance: () => number,
): Promise<void> {
  const former = (await settings.findById(KEPT))?.["intervalMs"] as number | undefined;
  if (former === intervalMs) return;
  if (former !== undefined) await waitAnew(sources, former, intervalMs, chance);
  await settings.bulk([{ update: { _id: KEPT }, with: { $set: { intervalMs } }, upsert: true }]);
}

async function waitAnew(sources: Records, former: number, intervalMs: number, chance: () => number): Promise<void> {
  for (let last = 0; ;) {
    const found = (await sources.find({
      query: { _id: { $gt: last }, active: true, failures: 0, claim: null, lastFetch: { $ne: null } },
      sort: ["_id"],
      limit: SLICE,
      fields: ["lastFetch", "nextFetch", "ttlMinutes"],
    })) as unknown as Waiting[];
    const writes = found
      .filter(({ lastFetch, nextFetch }) => Date.parse(nextFetch) - Date.parse(lastFetch) <= former * (1 + SPREAD))
      .map(({ _id, lastFetch, nextFetch, ttlMinutes = 0 }) => {
        const ttlMs = ttlMinutes * MINUTE_MS;
        const at = iso(Date.parse(lastFetch) + waitMs({ intervalMs, failures: 0, ttlMs }, chance()));
        return { update: { _id, nextFetch, claim: null }, with: { $set: { nextFetch: at, dueAt: at } } };
      });
    if (writes.length) await sources.bulk(writes);
    if (found.length < SLICE) return;
    last = found.at(-1)!._id;
  }
}
