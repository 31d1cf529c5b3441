import type { Caller } from "../../access/caller.ts";
import type { Host } from "../../contract/endpoint.ts";
import type { Key } from "../documents.ts";
import type { Entity, Item } from "../entity.ts";

/** What is asked for: an entity and an id, under a name of the asker's. */
type Wanted = Record<string, readonly [Entity, Key]>;
type Found<W extends Wanted> = { [N in keyof W]: Item<W[N][0]> | null };

/**
 * Records of several entities of a service, by their ids and as they stand at one moment, at the price of one question
 * where the store has it. Null for each that is not there, or that the caller may not see.
 */
export async function readTogether<W extends Wanted>(host: Host, caller: Caller, wanted: W): Promise<Found<W>> {
  const asked = Object.entries(wanted);
  const { documents } = host.world;
  const found = documents.pick
    ? await documents.pick(asked.map(([, [{ collection }, id]]) => ({ collection, id })))
    : await Promise.all(asked.map(([, [entity, id]]) => host.store(entity).collection.findById(id)));
  return Object.fromEntries(
    asked.map(([name, [entity]], at) => [name, host.store(entity).shown(caller, found[at]!)]),
  ) as Found<W>;
}
