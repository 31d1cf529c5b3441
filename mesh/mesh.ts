import { ServiceBroker, type BrokerOptions, type ServiceSchema } from "moleculer";
import type { Tracing } from "../adapters/tracing.ts";
import { lineOf, type TransportLine } from "../adapters/transporter/index.ts";
import { examineIndex, openWorld } from "../adapters/world.ts";
import { brokerOptions } from "../config/broker.ts";
import type { Area, Env } from "../config/env.ts";
import { VERSION } from "../config/version.ts";
import type { Clock } from "../core/clock.ts";
import { migrate } from "../core/records/migrations.ts";
import { Rolls } from "../core/access/memberships/rolls.ts";
import { internalActions } from "../core/contract/catalogue.ts";
import type { MeshService } from "../core/contract/endpoint.ts";
import { StartRefused } from "../core/start-refused.ts";
import { OutageLog } from "../core/work/outage-log.ts";
import { tellOfStoresApart } from "./stores-apart.ts";
import type { World } from "../core/world.ts";
import { commonsOf, equip } from "../mixins/domain.mixin.ts";
import { extraServices, ofOtherMakers, type Extra } from "./extra-services.ts";
import { guarded } from "./guards/guards.ts";
import { CallMeter } from "./metrics.middleware.ts";
import { cancelServiceNews, leaveToCaller, sayNothingIsServedHere, tellOfThisNode } from "./private/moleculer.ts";
import { allServices } from "../services/index.ts";
import { MIGRATIONS } from "../services/migrations.ts";
import { serveMetrics, type MetricsPort } from "./metrics-port.ts";
import { nodeService } from "./node-service.ts";

/**
 * How long the news that a node leaves may take to reach all others, and how long it goes on answering what they asked.
 */
const HEARD_OF_MS = 250;
const LEAVE_MS = 10_000;

export interface Mesh {
  broker: ServiceBroker;
  world: World;
  url: string | undefined;
  metrics?: MetricsPort;
  stop(): Promise<void>;
}

interface Traits {
  clock?: Clock;
  extra?: readonly MeshService[];
  options?: BrokerOptions;
}

/**
 * What a node is made of, whoever makes its broker: `startMesh`, or Moleculer's own runner by `moleculer.config.ts`.
 */
export interface NodeParts {
  world: World;
  /** Every service that requests may reach, by its area. */
  found: readonly { area: Area; service: MeshService }[];
  /** Those that EXTRA_SERVICES names. */
  extras: readonly Extra[];
  /** A broker made with these is equipped before its first service is created. */
  options: BrokerOptions;
  /** Await it when the services are created and the broker is about to start. */
  beforeStart(broker: ServiceBroker): Promise<void>;
  /** When it has started. `stopBroker` is called in its turn by the mesh's own `stop`. */
  afterStart(broker: ServiceBroker, stopBroker: () => Promise<void>): Promise<Mesh>;
}

/** Opens the world and says how a broker of this node is set up; nothing runs yet. */
export async function prepareNode(env: Env, { clock, extra = [], options = {} }: Traits = {}): Promise<NodeParts> {
  const extras = await extraServices(env.EXTRA_SERVICES);
  const further = [
    ...extra,
    ...extras.filter(({ published }) => published).map(({ schema }) => schema as unknown as MeshService),
  ];
  const found = [...(await allServices()), ...further.map((service) => ({ area: "platform" as const, service }))];
  const services = found.map(({ service }) => service);
  const tracer = await tracerOf(env);
  const world = await openWorld(env, { clock });
  const rolls = new Rolls();
  const line = lineOf(env, { rolls, internal: internalActions(services) });
  const calls = env.METRICS_PORT === undefined ? undefined : new CallMeter();
  const foreign = ofOtherMakers(services, world.documents);
  const others = [...(line.options.middlewares ?? []), ...(options.middlewares ?? [])];
  const middlewares = [calls?.inner, foreign, ...others] as NonNullable<BrokerOptions["middlewares"]>;
  let tracing: Tracing | undefined;
  const created = (broker: ServiceBroker): void => {
    tracing = tracer?.(broker.nodeID);
    // After the broker's own, and so around them: what waits in a queue or runs out of time is measured too.
    for (const outer of [tracing?.middleware, calls?.outer]) if (outer) broker.middlewares.add(outer as never);
    calls?.attend(broker);
    equip(broker, world, services, { rolls });
  };
  return {
    world,
    found,
    extras,
    options: guarded({ ...brokerOptions(env), ...line.options, ...options, middlewares, created }),
    async beforeStart(broker) {
      // Not the broker's own: that one says warnings alone.
      const log = broker.getLogger("mesh");
      world.documents.told = (line) => log.info(line);
      world.tellOfModel(new OutageLog(log, "The language model", "answers again."));
      const areas = new Set(
        found.filter(({ service }) => broker.getLocalService(service.name)).map(({ area }) => area),
      );
      if (env.TRANSPORTER && !env.MONGO_URL && found.some(({ area }) => !areas.has(area)))
        throw new StartRefused(
          "Some areas alone, with TRANSPORTER, need MONGO_URL: an embedded store belongs to one process.",
        );
      if (!env.MONGO_URL)
        tellOfStoresApart(
          broker,
          found.filter(({ area }) => area !== "gateway").map(({ service }) => service.name),
        );
      const absent = new Set(found.map(({ area }) => area).filter((area) => !areas.has(area)));
      if (!env.TRANSPORTER && absent.size)
        broker.logger.warn(
          `SERVICES leaves out ${[...absent].join(", ")}, and TRANSPORTER names no mesh in which others run them: ` +
            "what needs them is refused.",
        );
      if (areas.has("news")) await examineIndex(world.search, env.DATA_DIR);
      for (const fingerprint of world.missingSecrets)
        broker.logger.warn(
          `SECRET_PREVIOUS lacks a former root secret (fingerprint ${fingerprint}): what was sealed under it is not ` +
            `opened, and API keys made under it are not known. Name it there; SECRET_LOST=${fingerprint} gives it up.`,
        );
      broker.createService(nodeService(world, commonsOf(broker), [...areas]));
      await world.configurations.look();
      await migrate(MIGRATIONS, {
        documents: world.documents,
        leases: commonsOf(broker).leases,
        clock: world.clock,
        node: broker.nodeID,
        log: (line) => log.info(line),
      });
    },
    async afterStart(broker, stopBroker) {
      // Moleculer would tell the others within a second; whoever sees that this node is ready may already rely on it.
      if (broker.transit) await tellOfThisNode(broker);
      commonsOf(broker).start();
      const mesh: Mesh = {
        broker,
        world,
        url: addressOf(broker, env),
        async stop() {
          // The gateway first: it finishes what it accepted while the services it calls still stand.
          const gateway = broker.getLocalService("gateway");
          if (gateway) await broker.destroyService(gateway);
          await takeLeave(broker, line);
          await commonsOf(broker).stop();
          await stopBroker();
          // Moleculer puts off telling others of a service that went by a second: nobody is left to be told, and a
          // process to end.
          cancelServiceNews(broker);
          await mesh.metrics?.stop();
          await tracing?.stop();
          await world.close();
        },
      };
      const metrics = calls && (await serveMetrics(mesh, calls));
      return metrics ? Object.assign(mesh, { metrics }) : mesh;
    },
  };
}

/**
 * Builds and starts a node: the world, a broker, and the services of the areas that the settings name; `extra` ones
 * count to the platform.
 */
export async function startMesh(
  env: Env,
  { clock, quiet = false, extra, options = {} }: Traits & { quiet?: boolean } = {},
): Promise<Mesh> {
  const runs = (area: Area): boolean => !env.SERVICES || env.SERVICES.includes(area);
  const node = await prepareNode(env, {
    clock,
    extra,
    options: { ...(quiet && { logger: false }), ...options, skipProcessEventRegistration: true },
  });
  const broker = new ServiceBroker(node.options);
  leaveToCaller(broker, "start");
  let starts = false;
  try {
    for (const { area, service } of node.found)
      if (runs(area)) broker.createService(service as unknown as ServiceSchema);
    for (const { schema, published } of node.extras) if (!published && runs("platform")) broker.createService(schema);
    await node.beforeStart(broker);
    starts = true;
    await broker.start();
  } catch (error) {
    leaveToCaller(broker, "stop");
    if (starts) await broker.stop().catch(() => {});
    await node.world.close();
    throw error;
  }
  return node.afterStart(broker, () => broker.stop());
}

/** The libraries are loaded only where traces go somewhere. */
async function tracerOf(env: Env): Promise<((nodeId: string) => Tracing) | undefined> {
  const endpoint = env.OTEL_EXPORTER_OTLP_ENDPOINT;
  if (!endpoint) return undefined;
  const { Tracing: Tracer } = await import("../adapters/tracing.ts");
  return (nodeId) =>
    new Tracer({
      endpoint,
      serviceName: env.OTEL_SERVICE_NAME,
      ratio: env.OTEL_TRACES_SAMPLER_ARG,
      version: VERSION,
      nodeId,
    });
}

/** The others are told that nothing more is to be asked here, and what they asked is answered. */
async function takeLeave(broker: ServiceBroker, { incoming }: TransportLine): Promise<void> {
  if (!broker.transit) return;
  await sayNothingIsServedHere(broker);
  await incoming.idle(HEARD_OF_MS, LEAVE_MS);
}

function addressOf(broker: ServiceBroker, env: Env): string | undefined {
  const server = (broker.getLocalService("gateway") as { server?: { address(): { port: number } | null } } | undefined)
    ?.server;
  const address = server?.address();
  return address ? `http://${env.HOST.includes(":") ? `[${env.HOST}]` : env.HOST}:${address.port}` : undefined;
}
