import type { BrokerOptions } from "moleculer";
import { longestWait } from "../../core/load/pressure.ts";
import { elsewhere } from "./retry-next-node.ts";
import { Incoming } from "./once.ts";
import { Peers } from "./peers.ts";
import { Quickest } from "./least-latency.ts";
import { RedisTransporter } from "./redis.ts";
import { Standstill } from "./pause-detector.ts";

export interface Line {
  options: BrokerOptions;
  incoming: Incoming;
}
interface Settings {
  TRANSPORTER?: string;
  BALANCING?: string;
  OVERLOAD_DELAY_MS?: number;
  REQUEST_TIMEOUT_MS?: number;
}

/**
 * How a node speaks to the others of its mesh; without a transporter it is alone, and nothing is added to its calls.
 */
export function lineOf(settings: Settings): Line {
  const { TRANSPORTER, BALANCING } = settings;
  const incoming = new Incoming();
  if (!TRANSPORTER) return { options: {}, incoming };
  const byLatency = BALANCING === "latency";
  const transporter = TRANSPORTER.startsWith("redis") ? new RedisTransporter(TRANSPORTER, incoming.metas) : undefined;
  const middlewares = [
    new Standstill(() => transporter?.connected === false).middleware,
    incoming.middleware,
    new Peers(longestWait(settings), byLatency).middleware,
    elsewhere,
  ] as unknown as NonNullable<BrokerOptions["middlewares"]>;
  return {
    options: {
      middlewares,
      ...(transporter && {
        transporter: transporter as unknown as NonNullable<BrokerOptions["transporter"]>,
      }),
      ...(byLatency && { registry: { strategy: Quickest as never, preferLocal: true } }),
    },
    incoming,
  };
}
