import type { ServiceBroker } from "moleculer";
import { replaceSilenceCheck, silentFor, takeForDead } from "../../mesh/private/moleculer.ts";

const TICK_MS = 500;
/** A tick this late shows that this process itself was paused. */
const STILL_MS = 1_000;
/** How often silent nodes are looked for. */
const LOOK_MS = 1_000;

/**
 * For Moleculer: a paused node (starved of CPU, suspended) finds its timers due before it has read what arrived
 * meanwhile, and would declare all others dead and drop every answer under way. It reads first; after a pause it gives
 * the others a whole new term, since those on the same machine were paused too; likewise after its own connection was
 * cut. But a node that is silent and, at two checks, has no connection is declared dead in any case: its callers must
 * learn that in time on a busy machine too.
 */
export class Standstill {
  readonly #isCut: () => boolean;
  readonly #isOnLine: (nodeId: string) => Promise<boolean>;
  #ticker: NodeJS.Timeout | undefined;
  #looker: NodeJS.Timeout | undefined;
  #stoodAt = Number.NEGATIVE_INFINITY;
  #cutAt = Number.NEGATIVE_INFINITY;
  /** Silent nodes without a connection at the last check. */
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
