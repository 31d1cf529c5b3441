/**
 * How a field comes together where two changed it apart. `heads`: every value stays until a person saw it. `last`: the
 * latest holds. `counter`: changes add up. `set`: who adds wins. `fixed`: said once, by whoever makes the record.
 */
export type MergeKind = "heads" | "last" | "counter" | "set" | "fixed";
export type Kinds = Readonly<Record<string, MergeKind>>;

/** What an edge node carries, and how each field of it comes together. What is not here is the hub's own. */
export const KINDS = {
  resource: {
    name: "heads",
    kind: "heads",
    description: "heads",
    serial: "heads",
    status: "heads",
    location: "last",
    capabilities: "set",
  },
  consumable: {
    name: "heads",
    description: "heads",
    minimum: "heads",
    capacity: "heads",
    leadTimeDays: "heads",
    level: "counter",
    unit: "fixed",
  },
  sensor: {
    name: "heads",
    description: "heads",
    kind: "heads",
    heartbeatSeconds: "heads",
    location: "last",
    status: "last",
  },
} as const satisfies Record<string, Kinds>;

export type SyncedEntity = keyof typeof KINDS;
export const ENTITIES = Object.keys(KINDS) as [SyncedEntity, ...SyncedEntity[]];

export const kindsOf = (entity: SyncedEntity): Kinds => KINDS[entity];
