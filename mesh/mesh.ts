import { ServiceBroker, type BrokerOptions, type ServiceSchema } from "moleculer";
import type { Tracing } from "../adapters/tracing.ts";
import { lineOf, type Line } from "../adapters/transporter/index.ts";
import { openWorld } from "../adapters/world.ts";
import { brokerOptions } from "../config/broker.ts";
import type { Env } from "../config/env.ts";
import { VERSION } from "../config/version.ts";
import type { Clock } from "../core/clock.ts";
import { migrate } from "../core/records/migrations.ts";
import type { MeshService } from "../core/contract/endpoint.ts";
import type { World } from "../core/world.ts";
import { commonsOf, equip } from "../mixins/domain.mixin.ts";
import { guarded } from "./guards/guards.ts";
import { CallMeter } from "./metrics.middleware.ts";
import { allServices } from "../services/index.ts";
import { MIGRATIONS } from "../services/migrations.ts";
import { serveMetrics, type MetricsPort } from "./metrics-port.ts";

/** How long the news that a node leaves may take to reach all others, and how long it goes on answering what they asked. */
const HEARD_OF_MS = 250;
const LEAVE_MS = 10_000;

export interface Mesh { broker: ServiceBroker; world: World; url: string | undefined; metrics?: MetricsPort; stop(): Promise<void> }

/** Builds and starts a node: the world, a broker, and the services of the areas that the settings name; `extra` ones count to the platform. */
export async function startMesh(env: Env, { clock, quiet = false, extra = [], options = {} }: { clock?: Clock; quiet?: boolean; extra?: readonly MeshService[]; options?: BrokerOptions } = {}): Promise<Mesh> {
  const found = [...(await allServices()), ...extra.map((service) => ({ area: "platform" as const, service }))];
  const world = await openWorld(env, { clock, searches: !env.SERVICES || env.SERVICES.includes("news") });
  const line = lineOf(env);
  const calls = env.METRICS_PORT === undefined ? undefined : new CallMeter();
  const middlewares = [calls?.inner, ...(line.options.middlewares ?? [])] as NonNullable<BrokerOptions["middlewares"]>;
  const broker = new ServiceBroker(guarded({ ...brokerOptions(env), ...line.options, middlewares, ...(quiet && { logger: false }), ...options, skipProcessEventRegistration: true }));
  const tracing = await tracingOf(env, broker.nodeID);
  // After the broker's own, and so around them: what waits in a queue or runs out of time is measured too.
  for (const outer of [tracing?.middleware, calls?.outer]) if (outer) broker.middlewares.add(outer as never);
  calls?.attend(broker);
  const { leases } = equip(broker, world, found.map(({ service }) => service));
  for (const { area, service } of found) if (!env.SERVICES || env.SERVICES.includes(area)) broker.createService(service as unknown as ServiceSchema);
  let starts = false;
  try {
    await migrate(MIGRATIONS, { documents: world.documents, leases, clock: world.clock, node: broker.nodeID, log: (line) => broker.logger.info(line) });
    starts = true;
    await broker.start();
  } catch (error) {
    if (starts) await broker.stop().catch(() => {});
    await world.close();
    throw error;
  }
  // Moleculer would tell the others within a second; whoever sees that this node is ready may already rely on it.
  if (broker.transit) await broker.registry.discoverer.sendLocalNodeInfo();
  commonsOf(broker).start();
  const mesh: Mesh = {
    broker, world, url: addressOf(broker, env),
    async stop() {
      // The gateway first: it finishes what it accepted while the services it calls still stand.
      const gateway = broker.getLocalService("gateway");
      if (gateway) await broker.destroyService(gateway);
      await takeLeave(broker, line);
      await commonsOf(broker).stop();
      await broker.stop();
      // Moleculer puts off telling others of a service that went by a second: nobody is left to be told, and a process to end.
      (broker as unknown as { localServiceChanged: { cancel?(): void } }).localServiceChanged.cancel?.();
      await mesh.metrics?.stop();
      await tracing?.stop();
      await world.close();
    },
  };
  const metrics = calls && (await serveMetrics(mesh, calls));
  return metrics ? Object.assign(mesh, { metrics }) : mesh;
}

/** The libraries are loaded only where traces go somewhere. */
async function tracingOf(env: Env, nodeId: string): Promise<Tracing | undefined> {
  if (!env.OTEL_EXPORTER_OTLP_ENDPOINT) return undefined;
  const { Tracing: Tracer } = await import("../adapters/tracing.ts");
  return new Tracer({ endpoint: env.OTEL_EXPORTER_OTLP_ENDPOINT, serviceName: env.OTEL_SERVICE_NAME, ratio: env.OTEL_TRACES_SAMPLER_ARG, version: VERSION, nodeId });
}

/** The others are told that nothing more is to be asked here, and what they asked is answered. */
async function takeLeave({ registry, transit }: ServiceBroker, { incoming }: Line): Promise<void> {
  if (!transit) return;
  // A list that counts as outdated would be made anew, with everything in it.
  (registry as { localNodeInfoInvalidated?: unknown }).localNodeInfoInvalidated = false;
  registry.regenerateLocalRawInfo(true, true);
  await registry.discoverer.sendLocalNodeInfo();
  await incoming.idle(HEARD_OF_MS, LEAVE_MS);
}

function addressOf(broker: ServiceBroker, env: Env): string | undefined {
  const server = (broker.getLocalService("gateway") as { server?: { address(): { port: number } | null } } | undefined)?.server;
  const address = server?.address();
  return address ? `http://${env.HOST.includes(":") ? `[${env.HOST}]` : env.HOST}:${address.port}` : undefined;
}
