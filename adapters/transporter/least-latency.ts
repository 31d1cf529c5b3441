import { Strategies } from "moleculer";

/**
 * What one action on one other node costs a caller here: calls under way, and a moving average of what they took, in
 * milliseconds, with when it was last noted.
 */
export interface Load {
  underWay: number;
  costMs: number;
  notedAt: number;
}

/** Loads by the registry's endpoints, told by whoever makes the calls. */
export const noteLoads = new WeakMap<object, Load>();

/** What has not answered yet is taken for this slow as soon as it has a call: one finds out, not all at once. */
const UNKNOWN_MS = 1_000;
/** What has not been asked for a while is forgotten by halves, so that a node that was slow is tried again. */
const HALVED_MS = 5_000;

/** What one more call would wait there: what calls take lately, times those in front of it. */
function expectedMs(load: Load | undefined, now: number): number {
  if (!load) return 0;
  if (!load.costMs) return load.underWay * UNKNOWN_MS;
  const idle = load.underWay ? 0 : now - load.notedAt;
  return load.costMs * 0.5 ** (idle / HALVED_MS) * (load.underWay + 1);
}

/**
 * Sends a call to the better of two nodes taken at random (power of two choices), by what calls of this action took
 * there lately and how many are under way. In place of Moleculer's strategy "Latency": that one measures hosts by
 * pings, knows nothing of how long actions take, and sends everything to the first node that pings in under 10 ms.
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
