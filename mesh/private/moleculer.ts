import * as moleculer from "moleculer";
import type { Context, ServiceBroker, Transporters } from "moleculer";

// What Moleculer has and does not promise: no type and no page of its documentation holds it, so any version may change
// it. See ADR 39; test/static/private-parts.test.ts says what to look at again when one does.

interface Broker {
  options: { requestTimeout?: number; bulkhead: Room; circuitBreaker: BreakerSettings & { enabled: boolean } };
  errorHandler(error: Error, info: object): unknown;
  localServiceChanged: { cancel?(): void };
  started: boolean;
  PROTOCOL_VERSION: string;
  serializer: { serialize(payload: object, type: string): Buffer };
}
interface Transit {
  tx: { connected: boolean };
  pendingRequests: Map<string, PendingRequest>;
  removePendingRequest(id: string): void;
  sendPing(nodeID: string): Promise<void>;
  logger: ErrorLog;
}
interface Registry {
  nodes: {
    get(nodeId: string): { metadata: Readonly<Record<string, unknown>> | null } | undefined;
    toArray(): { id: string; local: boolean; available: boolean; lastHeartbeatTime: number | null }[];
    disconnected(nodeId: string, isUnexpected: boolean): void;
  };
  localNodeInfoInvalidated: unknown;
  regenerateLocalRawInfo(counts: boolean, isStopping: boolean): unknown;
  discoverer: Discoverer;
}
interface Discoverer {
  opts: { heartbeatTimeout: number };
  checkRemoteNodes(): void;
  sendLocalNodeInfo(): Promise<void>;
}
interface ErrorLog {
  error(...given: unknown[]): unknown;
  warn(...given: unknown[]): unknown;
  info(...given: unknown[]): unknown;
}

/** As Moleculer's `bulkhead`. */
export interface Room {
  enabled: boolean;
  concurrency: number;
  maxQueueSize: number;
}
/** As Moleculer's `circuitBreaker`: `windowTime` in seconds, `halfOpenTime` in milliseconds. */
export interface BreakerSettings {
  threshold: number;
  windowTime: number;
  minRequestCount: number;
  halfOpenTime: number;
  check: (error: Error) => boolean;
}
/** A call to another node that has not been answered. */
export interface PendingRequest {
  nodeID: string;
  action: { name: string };
}
/** What the registry knows of an action on one node. */
export interface Endpoint {
  id: string;
  name: string;
  state: boolean;
  action: { name: string; service?: { fullName: string } };
}

const insideOf = (broker: ServiceBroker): Broker => broker as unknown as Broker;
const transitOf = (broker: ServiceBroker): Transit | undefined => broker.transit as unknown as Transit | undefined;
const registryOf = (broker: ServiceBroker): Registry => broker.registry as unknown as Registry;

/** The settings of calls with Moleculer's defaults filled in: the types hold them as they may be given. */
export const callSettings = (broker: ServiceBroker): Broker["options"] => insideOf(broker).options;

/** Whether the broker has started and does not stop: `/health/ready` asks between the two, where no event tells. */
export const isStarted = (broker: ServiceBroker): boolean => insideOf(broker).started;

/** A start that fails is told by whoever began it, in words of its own: Moleculer would put a stack before that. */
export function leaveToCaller({ logger }: ServiceBroker, act: "start" | "stop"): void {
  const say = logger.error.bind(logger);
  logger.error = (...given: unknown[]) => (given[0] === `Unable to ${act} all services.` ? undefined : say(...given));
}

/** Whether it is connected with the other nodes; one that is alone has nobody to miss. */
export const isConnected = (broker: ServiceBroker): boolean => transitOf(broker)?.tx.connected ?? true;

/** What Moleculer's own middleware of that name does for events: ours stand in its place for calls alone. */
export function stockEventMiddleware(name: "Bulkhead" | "ErrorHandler", broker: ServiceBroker): unknown {
  const { Middlewares } = moleculer as unknown as {
    Middlewares: Record<string, (this: ServiceBroker, broker: ServiceBroker) => { localEvent: unknown }>;
  };
  return Middlewares[name]!.call(broker, broker).localEvent;
}

/**
 * Throws the error, or answers what the `errorHandler` of the broker's options makes of it, as the stock error
 * middleware does.
 */
export const handleError = (broker: ServiceBroker, error: Error, info: object): unknown =>
  insideOf(broker).errorHandler(error, info);

/**
 * A call that was given up is no longer waited for: its late answer is dropped, and its entry does not stay for ever.
 */
export const forgetRequest = (broker: ServiceBroker, id: string): void => transitOf(broker)?.removePendingRequest(id);

/** Calls to other nodes that have not been answered, by their ids: our own counts miss those that ran out of time. */
export const unansweredCalls = (broker: ServiceBroker): ReadonlyMap<string, PendingRequest> | undefined =>
  transitOf(broker)?.pendingRequests;

/** Sends a ping and does not wait: `broker.ping` makes a timer and a promise for each. */
export const sendPing = (broker: ServiceBroker, nodeId: string): void => void transitOf(broker)?.sendPing(nodeId);

/**
 * Calls that this one makes have what is left of its time from now on: Moleculer's own time-out would note it, and ours
 * is in its place.
 */
export function startClockOf(ctx: Context): void {
  (ctx as Context & { startHrTime: [number, number] | null }).startHrTime ??= process.hrtime();
}

/** The registry's entry that the call was sent to. */
export const endpointOf = (ctx: Context): Endpoint => ctx.endpoint as unknown as Endpoint;

/** Whether calls are sent there, as Moleculer's circuit breaker says it to the registry. */
export function setAvailable(endpoint: Endpoint, isAvailable: boolean): void {
  endpoint.state = isAvailable;
}

/** Makes a call again in its own context: id, level and time stay, and the registry chooses the node anew. */
export const callAgain = (ctx: Context, action: string): Promise<unknown> =>
  ctx.broker.call(action, ctx.params as object, { ctx } as object);

/** Tells the others what this node serves, now: Moleculer itself puts it off by up to a second. */
export const tellOfThisNode = (broker: ServiceBroker): Promise<void> =>
  registryOf(broker).discoverer.sendLocalNodeInfo();

/**
 * Tells the others that this node serves nothing any more, while it goes on answering: `broker.stop` says it too late
 * for that.
 */
export async function sayNothingIsServedHere(broker: ServiceBroker): Promise<void> {
  const registry = registryOf(broker);
  // A list that counts as outdated would be made anew, with everything in it.
  registry.localNodeInfoInvalidated = false;
  registry.regenerateLocalRawInfo(true, true);
  await registry.discoverer.sendLocalNodeInfo();
}

/** What was put off of telling others of services that went: its timer would keep a process that is to end. */
export const cancelServiceNews = (broker: ServiceBroker): void => insideOf(broker).localServiceChanged.cancel?.();

/**
 * Puts `instead` in the place of the look at which nodes fell silent for `heartbeatMs`; it may call the look that stood
 * there. Answers what looks: Moleculer itself does so once a term, so that a silence lasts up to two.
 */
export function replaceSilenceCheck(
  broker: ServiceBroker,
  instead: (look: () => void, heartbeatMs: number) => void,
): () => void {
  const { discoverer } = registryOf(broker);
  const look = discoverer.checkRemoteNodes.bind(discoverer);
  return (discoverer.checkRemoteNodes = () => instead(look, discoverer.opts.heartbeatTimeout * 1_000));
}

/** Other nodes that nothing was heard of for longer. */
export function silentFor(broker: ServiceBroker, milliseconds: number): string[] {
  const now = process.uptime();
  return registryOf(broker)
    .nodes.toArray()
    .filter(({ local, available, lastHeartbeatTime }) => !local && available && lastHeartbeatTime)
    .filter(({ lastHeartbeatTime }) => (now - lastHeartbeatTime!) * 1_000 > milliseconds)
    .map(({ id }) => id);
}

/** What was asked of the node is refused, and nothing is asked of it until it is heard of again. */
export const takeForDead = (broker: ServiceBroker, nodeId: string): void =>
  void registryOf(broker).nodes.disconnected(nodeId, true);

/** The log into which the transit layer writes each request that did not leave. */
export const transitLogOf = (transporter: Transporters.Base): ErrorLog =>
  (transporter as unknown as { transit: Transit }).transit.logger;

/** What another node says of itself in its metadata; undefined of one that is not known. */
export const saidOf = (broker: ServiceBroker, nodeId: string | null, name: string): unknown =>
  nodeId === null ? undefined : registryOf(broker).nodes.get(nodeId)?.metadata?.[name];

/** A packet's payload as bytes: the transporter's own way adds fields of which we leave some out. */
export const serializePayload = (broker: ServiceBroker, payload: object, type: string): Buffer =>
  insideOf(broker).serializer.serialize(payload, type);

/** The version of the protocol that each packet says. */
export const protocolVersion = (broker: ServiceBroker): string => insideOf(broker).PROTOCOL_VERSION;
