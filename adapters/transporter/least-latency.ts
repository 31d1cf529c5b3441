import { Strategies } from "moleculer";

/**
 * The load of one action on one other node, seen from here: calls under way, and a moving average of their duration in
 * milliseconds, with its time.
 */
export interface Load {
  underWay: number;
  costMs: number;
  notedAt: number;
}

/** Loads by the registry's endpoints, recorded by the callers. */
export const noteLoads = new WeakMap<object, Load>();

/**
 * An endpoint without an answer so far counts as this slow once it has a call: one call explores it, not all at once.
 */
const UNKNOWN_MS = 1_000;
/** The average of an unused endpoint is halved after this, so that a formerly slow node is tried again. */
const HALVED_MS = 5_000;

/** The expected wait of one more call: the recent duration, times the calls before it. */
function expectedMs(load: Load | undefined, now: number): number {
  if (!load) return 0;
  if (!load.costMs) return load.underWay * UNKNOWN_MS;
  const idle = load.underWay ? 0 : now - load.notedAt;
  return load.costMs * 0.5 ** (idle / HALVED_MS) * (load.underWay + 1);
}

/**
 * Sends a call to the better of two random nodes (power of two choices), by the recent duration of calls of this action
 * there and the number under way. It replaces Moleculer's strategy "Latency", which measures hosts by pings, does not
 * know how long actions take, and sends everything to the first node with a ping under 10 ms.
 */
export class Quickest extends Strategies.Base {
  override select<T extends object>(list: T[]): T {
    const at = Math.floor(Math.random() * list.length);
    const other = (at + 1 + Math.floor(Math.random() * (list.length - 1))) % list.length;
    const now = performance.now();
    const [one, two] = [list[at]!, list[other]!];
    return expectedMs(noteLoads.get(one), now) <= expectedMs(noteLoads.get(two), now) ? one : two;
  }
}
