import { crc32 } from "node:zlib";
import type { Caller } from "../../core/access/caller.ts";
import type { Host } from "../../core/contract/endpoint.ts";
import { nextId } from "../../core/contract/repeatable.ts";
import { derivedId } from "../../core/ids.ts";
import { conflict, isConflict, type Problem } from "../../core/problem.ts";
import type { Query } from "../../core/records/documents.ts";
import type { Entity, Item } from "../../core/records/entity.ts";

/** Whose seats, how many there are, and what is said where none is free. */
export interface Seating {
  by: string;
  most: number;
  /** The person's unfinished records. */
  active: Query;
  refusal: () => Problem;
}

/**
 * Stores a run in one of the slots of the person that begins it; its `seat`, which a unique index assigns once, is
 * cleared when it ends. So nobody has more under way than allowed, however many they request at once. Throws the
 * refusal where no slot is free.
 */
export async function seated<E extends Entity>(
  host: Host,
  caller: Caller,
  entity: E,
  fields: Record<string, unknown>,
  { by, most, active, refusal }: Seating,
): Promise<Item<E>> {
  const store = host.store(entity);
  const id = nextId(caller, entity.name);
  // A repeated call finds the run that it began.
  const begun = caller.locals.repeatable && (await store.one(caller, { _id: id }));
  if (begun) return begun;
  const seats = Array.from({ length: most }, (_, n) => derivedId(`seat ${by} ${n}`));
  for (let lost = 0; lost <= most; lost++) {
    const held = await store.collection.find({ query: active, fields: ["seat"], limit: most });
    if (held.length >= most) throw refusal();
    const free = seats.filter((seat) => held.every((one) => one["seat"] !== seat));
    const seat = free[crc32(`${id} ${lost}`) % free.length]!;
    try {
      return await store.create(caller, { ...fields, id, seat });
    } catch (error) {
      if (!isConflict(error)) throw error;
    }
  }
  throw conflict("Others of this kind are being begun and ended all the time; try again.");
}
