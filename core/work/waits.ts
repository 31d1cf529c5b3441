import { iso, SKEW_MS } from "../clock.ts";
import type { Query } from "../records/documents.ts";
import type { Entity } from "../records/entity.ts";
import type { Records } from "../records/store.ts";
import type { World } from "../world.ts";

/** A field that says when a record is looked at again. A moment that a person chose is none: it stays where it is. */
export interface Waiting {
  /** The records: an entity's, or of a collection by this name. */
  of: Entity | string;
  field: string;
  /** The furthest that its rule puts it ahead of the write, 0 by default; */
  mostMs?: number;
  /** or, where that differs, the field that says when it was written. */
  since?: string;
  where?: Query;
  /** What the field holds for a moment, where that is not the moment alone. */
  write?(at: string): string;
}

interface Waiter {
  world: World;
  store(entity: Entity): { collection: Pick<Records, "updateMany"> };
}

/**
 * Brings back what is due later than its rule says: the clock was set back since it was written, and it would wait
 * until the clock comes there again.
 */
export async function bringBack(host: Waiter, waits: readonly Waiting[]): Promise<void> {
  const now = host.world.clock.now(),
    ahead = now + SKEW_MS;
  for (const { of, field, mostMs = 0, since, where, write = (at: string) => at } of waits) {
    const records: Pick<Records, "updateMany"> =
      typeof of === "string" ? await host.world.documents.collection(of) : host.store(of).collection;
    const query = {
      ...where,
      ...(since && { [since]: { $gt: iso(ahead) } }),
      [field]: { $gt: write(iso(ahead + mostMs)) },
    };
    await records.updateMany(query, { $set: { [field]: write(iso(now)) } });
  }
}
