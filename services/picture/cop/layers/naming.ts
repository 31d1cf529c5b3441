import type { Caller } from "../../../../core/access/caller.ts";
import type { Host } from "../../../../core/contract/endpoint.ts";
import { Layer } from "./layers.ts";

/** What layers are called, by id, as far as the caller sees them. */
export async function namesOfLayers(
  host: Host,
  caller: Caller,
  ids: Iterable<string>,
): Promise<ReadonlyMap<string, string>> {
  const layers = await host.store(Layer).many(caller, [...new Set(ids)]);
  return new Map(layers.map(({ id, name }) => [id, name]));
}
