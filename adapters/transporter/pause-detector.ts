import type { ServiceBroker } from "moleculer";
import { replaceSilenceCheck } from "../../mesh/private/moleculer.ts";

const TICK_MS = 500;
/** A tick so much later than due shows that this process itself stood still. */
const STILL_MS = 1_000;
/** How often it is looked who fell silent. */
const LOOK_MS = 1_000;

/**
 * For Moleculer: a node that stood still (starved of CPU, suspended) finds its timers due before it has read what came
 * meanwhile, and would take all others for dead and refuse every answer that is on its way. It reads first; after a
 * standstill it gives them a whole term anew, because whoever shares its machine stood still too; and after its own line
 * was cut, on which it could hear nobody. Whoever is gone is noticed meanwhile by who calls them.
 */
export class Standstill {
  readonly #isCut: () => boolean;
  #ticker: NodeJS.Timeout | undefined;
  #looker: NodeJS.Timeout | undefined;
  #stoodAt = Number.NEGATIVE_INFINITY;

  constructor(isCut: () => boolean) {
    this.#isCut = isCut;
  }

  readonly middleware = {
    name: "Standstill",
    created: (broker: ServiceBroker): void => {
      let last = performance.now();
      const tick = (): void => {
        const now = performance.now();
        if (now - last > TICK_MS + STILL_MS || this.#isCut()) this.#stoodAt = now;
        last = now;
      };
      this.#ticker = setInterval(tick, TICK_MS);
      this.#ticker.unref();
      const check = replaceSilenceCheck(broker, (look, heartbeatMs) => {
        tick();
        if (last - this.#stoodAt >= heartbeatMs) setImmediate(() => setImmediate(look));
      });
      this.#looker = setInterval(check, LOOK_MS);
      this.#looker.unref();
    },
    stopped: (): void => {
      clearInterval(this.#ticker);
      clearInterval(this.#looker);
    },
  };
}
