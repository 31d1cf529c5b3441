import type { BrokerOptions } from "moleculer";
import { elsewhere } from "./elsewhere.ts";
import { Incoming } from "./once.ts";
import { RedisTransporter } from "./redis.ts";

export interface Line { options: BrokerOptions; incoming: Incoming }

/** How a node speaks to the others of its mesh; without a transporter it is alone, and nothing is added to its calls. */
export function lineOf({ TRANSPORTER }: { TRANSPORTER?: string }): Line {
  const incoming = new Incoming();
  if (!TRANSPORTER) return { options: {}, incoming };
  const middlewares = [incoming.middleware, elsewhere] as unknown as NonNullable<BrokerOptions["middlewares"]>;
  return { options: { middlewares, ...(TRANSPORTER.startsWith("redis") && { transporter: new RedisTransporter(TRANSPORTER) as unknown as NonNullable<BrokerOptions["transporter"]> }) }, incoming };
}
