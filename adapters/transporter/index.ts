import type { BrokerOptions } from "moleculer";
import { longestWait } from "../../core/load/pressure.ts";
import { elsewhere } from "./retry-next-node.ts";
import { Incoming } from "./repetition-filter.ts";
import { Peers } from "./peers.ts";
import { Quickest } from "./least-latency.ts";
import type { Rolls } from "../../core/access/memberships/rolls.ts";
import { RedisTransporter } from "./redis.ts";
import { unpacking, UNPACKS } from "./rolls.ts";
import { Standstill } from "./pause-detector.ts";

export interface TransportLine {
  options: BrokerOptions;
  incoming: Incoming;
}
interface Settings {
  TRANSPORTER?: string;
  BALANCING?: string;
  OVERLOAD_DELAY_MS?: number;
  REQUEST_TIMEOUT_MS?: number;
}

/** A node's memberships, and the names of actions that only the mesh may call. */
interface Holding {
  rolls: Rolls;
  internal: ReadonlySet<string>;
}

/**
 * The connection of a node to the others of its mesh; without a transporter it is alone, and nothing is added to its
 * calls. Memberships travel in full between nodes that keep none.
 */
export function lineOf(settings: Settings, holding?: Holding): TransportLine {
  const { TRANSPORTER, BALANCING } = settings;
  const incoming = new Incoming();
  if (!TRANSPORTER) return { options: {}, incoming };
  const byLatency = BALANCING === "latency";
  const transporter = TRANSPORTER.startsWith("redis")
    ? new RedisTransporter(TRANSPORTER, incoming.metas, holding?.rolls)
    : undefined;
  const middlewares = [
    new Standstill(
      () => transporter?.connected === false,
      async (nodeId) => transporter?.isOnLine(nodeId) ?? true,
    ).middleware,
    incoming.middleware,
    new Peers(longestWait(settings), byLatency).middleware,
    elsewhere,
    ...(holding ? [unpacking(holding.rolls, holding.internal)] : []),
  ] as unknown as NonNullable<BrokerOptions["middlewares"]>;
  return {
    options: {
      middlewares,
      ...(holding && { metadata: { [UNPACKS]: true } }),
      ...(transporter && {
        transporter: transporter as unknown as NonNullable<BrokerOptions["transporter"]>,
      }),
      ...(byLatency && { registry: { strategy: Quickest as never, preferLocal: true } }),
    },
    incoming,
  };
}
