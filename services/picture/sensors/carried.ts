import { asSystem } from "../../../core/access/caller.ts";
import { iso } from "../../../core/clock.ts";
import type { Host } from "../../../core/contract/endpoint.ts";
import { TRACE } from "../../../core/events/traces.ts";
import { cellAt } from "../location.ts";
import { whereaboutsOf } from "../resources/client.ts";
import { notePosition } from "./reports.ts";
import { Sensor } from "./sensors.ts";

const MESH = asSystem("sensors");

/**
 * Brings sensors to where the resources are that carry them. What a sensor reported itself of a later moment stays; it
 * is no heartbeat, and no revision: what a person edits meanwhile is edited from what they saw.
 */
async function bring(host: Host, carried: readonly Sensor[], { isGivenAnew = false } = {}): Promise<void> {
  const places = await whereaboutsOf(host, [...new Set(carried.map(({ resourceId }) => resourceId!))]);
  const byId = new Map(places.map((place) => [place.id, place]));
  const moves = carried.flatMap((sensor) => {
    const place = byId.get(sensor.resourceId!);
    return place && (isGivenAnew || (sensor.locatedAt ?? "") < place.locatedAt) ? [{ sensor, place }] : [];
  });
  if (!moves.length) return;
  const updatedAt = iso(host.world.clock.now());
  const { counts } = await host.store(Sensor).bulk(
    moves.map(({ sensor: { id, resourceId }, place: { location, locatedAt } }) => ({
      update: {
        ...{ _id: id, resourceId },
        ...(!isGivenAnew && { $or: [{ locatedAt: { $exists: false } }, { locatedAt: { $lt: locatedAt } }] }),
      },
      with: { $set: { location, locatedAt, cell: cellAt(location), updatedAt, [TRACE]: 1 } },
    })),
  );
  for (const [at, { sensor, place }] of moves.entries())
    if (counts[at]) await notePosition(host, MESH, sensor, place.locatedAt, place.location);
}

/** A sensor that was just given to a resource is where that is, though it was elsewhere later. */
export const mountOn = (host: Host, sensor: Sensor): Promise<void> => bring(host, [sensor], { isGivenAnew: true });

/** Brings what these resources carry to where they are. */
export async function followResources(host: Host, resourceIds: readonly string[]): Promise<void> {
  for await (const carried of host.store(Sensor).slices(MESH, { resourceId: { $in: [...resourceIds] } }))
    await bring(host, carried);
}

/** The same of all that are carried: a move outside of all problem sets, or one that was told to nobody. */
export async function lookForMoves(this: Host): Promise<void> {
  for await (const carried of this.store(Sensor).slices(MESH, { resourceId: { $exists: true } }))
    await bring(this, carried);
}
