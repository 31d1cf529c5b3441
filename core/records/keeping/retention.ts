import { asSystem } from "../../access/caller.ts";
import { iso } from "../../clock.ts";
import type { Collection, Key, Query } from "../documents.ts";
import type { Entity } from "../entity.ts";
import { MOST_REMOVED } from "./removals.ts";
import type { Store } from "../store.ts";
import type { World } from "../../world.ts";

/** How long a domain keeps records of a kind that grows for ever. */
export interface Keeping {
  entity: Entity;
  /** Days after its creation; 0 keeps it for good. */
  days(world: World): number;
  /** Only what fits goes: what is still to be done stays, however old. */
  where?: Query;
  /** Told which records of a slice go, before they do: what must outlive them is made durable first. */
  leaving?(this: any, ids: readonly Key[]): Promise<void>;
}

const DAY_MS = 86_400_000;
const RETENTION = asSystem("retention");

/**
 * Removes what fits, slice by slice in the order of `by`, which an index must have; answers how many. What ceased to
 * fit meanwhile stays.
 */
export async function removeInSlices(collection: Collection, query: Query, by: string): Promise<number> {
  for (let removed = 0; ;) {
    const found = await collection.find({ query, sort: [by], limit: MOST_REMOVED, fields: [by] });
    const gone = found.length
      ? await collection.removeMany({ $and: [query, { _id: { $in: found.map(({ _id }) => _id) } }] })
      : 0;
    removed += gone;
    if (!gone || found.length < MOST_REMOVED) return removed;
  }
}

/** Removes what a domain keeps no longer; a fact that was not told yet keeps its record. */
export async function retain(
  host: { world: World; store(entity: Entity): Pick<Store<Entity>, "removeAll"> },
  keeps: readonly Keeping[],
): Promise<void> {
  for (const { entity, days, where, leaving } of keeps) {
    const kept = days(host.world);
    if (!kept) continue;
    const before = iso(host.world.clock.now() - kept * DAY_MS);
    await host
      .store(entity)
      .removeAll(
        RETENTION,
        { ...where, createdAt: { $lt: before }, _pendingSince: { $exists: false } },
        { by: "createdAt", ...(leaving && { leaving: (ids) => leaving.call(host, ids) }) },
      );
  }
}
