import type { ServiceBroker } from "moleculer";

const TICK_MS = 500;
/** A tick so much later than due shows that this process itself stood still. */
const STILL_MS = 1_000;

interface Discoverer { opts: { heartbeatTimeout: number }; checkRemoteNodes(): void }

/**
 * For Moleculer: a node that stood still (starved of CPU, suspended) finds its timers due before it has read what came meanwhile,
 * and would take all others for dead and refuse every answer that is on its way. It reads first; after a standstill it gives them
 * a whole term anew, because whoever shares its machine stood still too. Whoever is gone is noticed meanwhile by who calls them.
 */
export class Standstill {
  #ticker: NodeJS.Timeout | undefined;
  #stoodAt = Number.NEGATIVE_INFINITY;

  readonly middleware = {
    name: "Standstill",
    created: ({ registry }: ServiceBroker): void => {
      const discoverer = registry.discoverer as unknown as Discoverer;
      const look = discoverer.checkRemoteNodes.bind(discoverer);
      let last = performance.now();
      const tick = (): void => {
        const now = performance.now();
        if (now - last > TICK_MS + STILL_MS) this.#stoodAt = now;
        last = now;
      };
      this.#ticker = setInterval(tick, TICK_MS);
      this.#ticker.unref();
      discoverer.checkRemoteNodes = () => {
        tick();
        if (last - this.#stoodAt >= discoverer.opts.heartbeatTimeout * 1_000) setImmediate(() => setImmediate(look));
      };
    },
    stopped: (): void => clearInterval(this.#ticker),
  };
}
