import type { BrokerOptions } from "moleculer";
import { newCallId } from "../core/ids.ts";
import type { Env } from "./env.ts";

/**
 * What circuits count of an action's errors: that a server this installation stands on is away. Neither a client's
 * mistake, nor a defect of ours that somebody's input brings out, nor a full disk: circuits are shared, and would
 * refuse everybody else.
 */
export const isUpstreamAway = (error: Error & { data?: unknown }): boolean =>
  (error.data as { away?: unknown } | null | undefined)?.away === true;

/** At `info` the platform speaks, not the machinery under it. */
const levels = (level: Env["LOG_LEVEL"]) =>
  level === "info" ? { BROKER: "warn", REGISTRY: "warn", TRANSIT: "warn", $NODE: "warn", "**": level } : level;

/** Names of Moleculer's strategies, by ours; over a transporter the line brings a better one for `latency`. */
const STRATEGIES = { "round-robin": "RoundRobin", latency: "Latency", cpu: "CpuUsage" } as const satisfies Record<
  Env["BALANCING"],
  string
>;

/**
 * One object a line: what was said, and the fields given with it (a request's id among them) as fields of their own.
 */
export const asJson = (
  level: string,
  said: unknown[],
  { nodeID, mod }: { nodeID?: string; mod?: string },
): string[] => {
  const isFields = (one: unknown): one is object =>
    typeof one === "object" && one !== null && !(one instanceof Error) && !Array.isArray(one);
  const message = said
    .filter((one) => !isFields(one))
    .map((one) => (one instanceof Error ? (one.stack ?? one.message) : String(one)))
    .join(" ");
  return [
    JSON.stringify({
      ...Object.assign({}, ...said.filter(isFields)),
      time: new Date().toISOString(),
      level,
      message,
      nodeID,
      mod,
    }),
  ];
};

/** How brokers of the mesh are set up, by the settings. */
export function brokerOptions(env: Env): BrokerOptions {
  return {
    namespace: env.NAMESPACE,
    nodeID: env.NODE_ID,
    transporter: (env.TRANSPORTER ?? null) as BrokerOptions["transporter"],
    serializer: env.TRANSPORTER ? "CBOR" : "JSON",
    logger: {
      type: "Console",
      options: {
        level: levels(env.LOG_LEVEL),
        formatter: env.LOG_FORMAT === "json" ? asJson : "short",
        colors: env.LOG_FORMAT === "text" && process.stdout.isTTY,
      },
    } as BrokerOptions["logger"],
    requestTimeout: env.REQUEST_TIMEOUT_MS,
    // What a node had in hand ends within ten seconds of its death: eight at most of silence, and one until it is seen.
    heartbeatInterval: 2,
    heartbeatTimeout: 7,
    maxCallLevel: 50,
    tracking: { enabled: false, shutdownTimeout: 10_000 },
    registry: { strategy: STRATEGIES[env.BALANCING], preferLocal: true },
    circuitBreaker: {
      enabled: true,
      threshold: 0.5,
      minRequestCount: 20,
      windowTime: 30,
      halfOpenTime: 5_000,
      check: isUpstreamAway,
    },
    bulkhead: { enabled: true, concurrency: 200, maxQueueSize: 1_000 },
    uidGenerator: newCallId,
    validator: true,
    metrics: false,
    tracing: false,
    hotReload: false,
    skipProcessEventRegistration: false,
  };
}
