import { z } from "zod";
import type { Ctx } from "../../../core/access/caller.ts";
import type { Host } from "../../../core/contract/endpoint.ts";
import { MOST_PLACES } from "../../../core/geo/placed.ts";
import type { Location } from "../location.ts";
import type { Place } from "../place.ts";
import type { SyncedNoun } from "../synced-nouns.ts";
import { Consumable, Delta, Quantity } from "./consumables/consumables.ts";
import { Capability } from "./registry/capabilities.ts";
import { RESOURCE_KINDS, READINESS, Resource } from "./registry/resources.ts";

export { READINESS };

interface Use extends Place {
  resourceId: string;
  type: "sensor";
  by: string;
  name: string;
}

/**
 * Notes that something uses a resource, which is then not removed under it; 404 to a caller who does not see it, and
 * where not all see it who see what uses it.
 */
export const holdResource = (ctx: Ctx<unknown>, use: Use): Promise<null> =>
  ctx.call<null, object>("resources.hold", use);

export const releaseResource = (host: Host, use: { resourceId: string; by: string }): Promise<null> =>
  host.ask("resources.release", use);

export interface ResourceWhereabouts {
  id: string;
  location: Location;
  locatedAt: string;
}
/** Where these resources are, those of whom that is known. */
export async function whereaboutsOf(host: Host, ids: readonly string[]): Promise<ResourceWhereabouts[]> {
  const found: ResourceWhereabouts[] = [];
  for (let at = 0; at < ids.length; at += MOST_PLACES)
    found.push(
      ...(await host.ask<ResourceWhereabouts[]>("resources.whereabouts", { ids: ids.slice(at, at + MOST_PLACES) })),
    );
  return found;
}

const Status = z.strictObject({
  readiness: z.enum(READINESS),
  reason: z.string().min(1).max(1_000).nullable(),
});
const EDIT = "resources:edit",
  REPORT = "resources:report";

/** Resources as edge nodes carry them. */
export const syncedResources: SyncedNoun = {
  entity: "resource",
  domain: "resources",
  at: "",
  may: EDIT,
  fields: {
    name: { schema: Resource.create.name, may: EDIT },
    kind: { schema: z.enum(RESOURCE_KINDS), may: EDIT },
    description: { schema: Resource.change.description, may: EDIT },
    serial: { schema: Resource.change.serial, may: EDIT },
    location: { schema: Resource.change.location, may: EDIT },
    capabilities: { schema: Capability, may: EDIT },
    status: { schema: Status, may: REPORT },
  },
  valuesOf: ({ name, kind, description, serial, location, capabilities, readiness, readinessReason }: Resource) => ({
    ...{ name, kind, capabilities },
    description: description ?? null,
    serial: serial ?? null,
    location: (location as never) ?? null,
    status: { readiness, reason: readinessReason ?? null },
  }),
  later: ["status"],
  besides: ["series", "thresholds", "externalId", "locatedAt"],
  begins: Resource.create,
  makes: ({ locatedAt = null, ...values }, at) => ({
    action: "resources.createSeen",
    params: { ...values, at: locatedAt ?? at },
  }),
  changes(id, field, value, at) {
    if (field === "status") return { action: "resources.setStatus", params: { id, ...(value as object) } };
    if (field === "location") return { action: "resources.locate", params: { id, location: value, at } };
    return { action: "resources.update", params: { id, [field]: value } };
  },
  removes: (id) => ({ action: "resources.remove", params: { id } }),
};

/** Consumables as edge nodes carry them. */
export const syncedConsumables: SyncedNoun = {
  entity: "consumable",
  domain: "resources",
  at: "consumables.",
  may: EDIT,
  fields: {
    name: { schema: Consumable.create.name, may: EDIT },
    description: { schema: Consumable.change.description, may: EDIT },
    minimum: { schema: Quantity, may: EDIT },
    capacity: { schema: Consumable.change.capacity, may: EDIT },
    leadTimeDays: { schema: Consumable.change.leadTimeDays, may: EDIT },
    unit: { schema: Consumable.create.unit, may: EDIT },
    level: { schema: Delta, may: REPORT },
  },
  valuesOf: ({ name, description, minimum, capacity, leadTimeDays, level, unit }: Consumable) => ({
    ...{ name, minimum, level, unit },
    description: description ?? null,
    capacity: capacity ?? null,
    leadTimeDays: leadTimeDays ?? null,
  }),
  later: [],
  besides: [],
  begins: Consumable.create,
  makes: (values) => ({ action: "resources.consumables.create", params: values }),
  changes: (id, field, value, at) =>
    field === "level"
      ? { action: "resources.consumables.setLevel", params: { id, delta: value, at } }
      : { action: "resources.consumables.update", params: { id, [field]: value } },
  removes: (id) => ({ action: "resources.consumables.remove", params: { id } }),
};
