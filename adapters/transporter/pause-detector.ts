import type { ServiceBroker } from "moleculer";
import { replaceSilenceCheck, silentFor, takeForDead } from "../../mesh/private/moleculer.ts";

const TICK_MS = 500;
/** A tick so much later than due shows that this process itself stood still. */
const STILL_MS = 1_000;
/** How often it is looked who fell silent. */
const LOOK_MS = 1_000;

/**
 * For Moleculer: a node that stood still (starved of CPU, suspended) finds its timers due before it has read what came
 * meanwhile, and would take all others for dead and refuse every answer that is on its way. It reads first; after a
 * standstill it gives them a whole term anew, because whoever shares its machine stood still too; and after its own line
 * was cut, on which it could hear nobody. Only a standstill says nothing of who is silent and, at two looks, on no line
 * any more: whoever waits for them is told in time however busy the machine is.
 */
export class Standstill {
  readonly #isCut: () => boolean;
  readonly #isOnLine: (nodeId: string) => Promise<boolean>;
  #ticker: NodeJS.Timeout | undefined;
  #looker: NodeJS.Timeout | undefined;
  #stoodAt = Number.NEGATIVE_INFINITY;
  #cutAt = Number.NEGATIVE_INFINITY;
  /** Silent nodes that were on no line at the last look. */
  #absent: ReadonlySet<string> = new Set();

  constructor(isCut: () => boolean, isOnLine: (nodeId: string) => Promise<boolean>) {
    this.#isCut = isCut;
    this.#isOnLine = isOnLine;
  }

  readonly middleware = {
    name: "Standstill",
    created: (broker: ServiceBroker): void => {
      let last = performance.now();
      const tick = (): void => {
        const now = performance.now();
        if (now - last > TICK_MS + STILL_MS) this.#stoodAt = now;
        if (this.#isCut()) this.#cutAt = now;
        last = now;
      };
      this.#ticker = setInterval(tick, TICK_MS);
      this.#ticker.unref();
      const check = replaceSilenceCheck(broker, (look, heartbeatMs) => {
        tick();
        if (last - this.#cutAt < heartbeatMs) return;
        if (last - this.#stoodAt >= heartbeatMs) setImmediate(() => setImmediate(look));
        else void this.#lookAfter(broker, heartbeatMs);
      });
      this.#looker = setInterval(check, LOOK_MS);
      this.#looker.unref();
    },
    stopped: (): void => {
      clearInterval(this.#ticker);
      clearInterval(this.#looker);
    },
  };

  async #lookAfter(broker: ServiceBroker, heartbeatMs: number): Promise<void> {
    const absent = new Set<string>();
    for (const id of silentFor(broker, heartbeatMs - LOOK_MS))
      if (!(await this.#isOnLine(id).catch(() => true))) absent.add(id);
    for (const id of silentFor(broker, heartbeatMs))
      if (absent.has(id) && this.#absent.has(id)) takeForDead(broker, id);
    this.#absent = absent;
  }
}
