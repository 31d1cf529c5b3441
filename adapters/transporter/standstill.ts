import type { ServiceBroker } from "moleculer";

/** So much later than due, a look at the others' heartbeats shows that this process itself stood still. */
const STILL_MS = 1_000;

interface Discoverer { opts: { heartbeatTimeout: number }; checkRemoteNodes(): void }

/**
 * For Moleculer: a node that stood still (starved of CPU, suspended) finds its timers due before it has read what came meanwhile,
 * and would take all others for dead and refuse every answer that is on its way. It reads first; after a long standstill it gives
 * them another term, because whoever shares its machine stood still too.
 */
export const standstill = {
  name: "Standstill",
  created({ registry }: ServiceBroker): void {
    const discoverer = registry.discoverer as unknown as Discoverer;
    const look = discoverer.checkRemoteNodes.bind(discoverer);
    let last = performance.now();
    discoverer.checkRemoteNodes = () => {
      const since = performance.now() - last;
      last += since;
      if (since < discoverer.opts.heartbeatTimeout * 1_000 + STILL_MS) setImmediate(() => setImmediate(look));
    };
  },
};
