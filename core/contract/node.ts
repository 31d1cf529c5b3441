import type { ServiceBroker } from "moleculer";
import { z } from "zod";
import { systemActor } from "../access/access.ts";
import { newRequestId } from "../ids.ts";
import { event } from "../events/event.ts";

/** The service that every node has, whatever areas it runs. */
export const NODE_SERVICE = "mesh-node";
/** The record whose `rev` counts how often nodes were told to drop what they remember. */
export const DROPS = { collection: "cache_drops", id: "last" } as const;

/** A hint that a configuration was stored: whoever misses it sees the record within a second. */
export const ConfigurationChanged = event("admin.configuration.changed", z.object({ name: z.string() }));

/** How a node is doing. */
export interface NodeState {
  version: string;
  startedAt: string;
  /** The areas whose services it runs. */
  areas: string[];
  /** Part of the last half to whole minute that its event loop worked, 0 to 1. */
  busy: number;
  processors: number;
  memoryBytes: number;
  heapBytes: number;
  heapLimitBytes: number;
}

/** What each node of the mesh said; a node that was silent for `withinMs` has no answer. */
export interface NodeAnswer<T> {
  node: string;
  answer?: T;
}

/** Asks every node that is known to be there, all at once. */
export async function askAllNodes<T>(
  broker: ServiceBroker,
  action: "drop" | "versions" | "state" | "letters",
  params: object,
  withinMs: number,
): Promise<NodeAnswer<T>[]> {
  const known = broker.registry.getServiceList({ onlyAvailable: true } as never) as { name: string; nodeID: string }[];
  const nodes = [...new Set(known.filter(({ name }) => name === NODE_SERVICE).map(({ nodeID }) => nodeID))].sort();
  return Promise.all(
    nodes.map(async (node) => {
      const asked = broker.call<T, object>(`${NODE_SERVICE}.${action}`, params, {
        nodeID: node,
        timeout: withinMs,
        retries: 0,
        meta: { actor: systemActor("admin") },
        requestID: newRequestId(),
      });
      return asked.then(
        (answer) => ({ node, answer }),
        () => ({ node }),
      );
    }),
  );
}
